"""Whose clock runs and who is charged, at a connection without a process or a socket behind it."""

from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from arena.bots.connection import LAST_WORDS_S, Connection
from arena.bots.manifest import Bot, Manifest
from arena.clock import SteadyClock
from arena.games import GAMES
from arena.referee import Fault
from protocol.messages import Clock, GameEnd, GameStart, Hello, MoveReply, Turn

LIMIT_MS = 1000
GAME = GAMES["cat_in_the_box"](2, {})
STATE = GAME.start(GAME.deal(__import__("random").Random(1)))
LEGAL = [GAME.encode_move(move) for move in GAME.legal_moves(STATE, 0)]


class FakeEndpoint:
    """Messages to be received, and those that were sent."""

    def __init__(self) -> None:
        self.inbox: list[list[bytes]] = []
        self.sent: list[dict] = []

    def receive(self) -> list[bytes] | None:
        return self.inbox.pop(0) if self.inbox else None

    def post(self, _: bytes, payload: bytes) -> None:
        self.sent.append(msgspec.msgpack.decode(payload))

    def hide(self) -> None:
        pass


class FakeGuest:
    def __init__(self) -> None:
        self.heard: list[object] = []

    def limit_ms(self) -> int:
        return LIMIT_MS

    def answered(self, _: MoveReply, elapsed_ms: float) -> None:
        self.heard.append(round(elapsed_ms))

    def failed(self, fault: Fault) -> None:
        self.heard.append(fault.reason)

    def voided(self, is_suspect: bool) -> None:
        self.heard.append("suspect" if is_suspect else "void")


class Desk:
    """A connection with its guests, and the bot's side of it played by hand."""

    def __init__(self, for_one_game: bool = False) -> None:
        self.time_s = 50.0
        self.endpoint = FakeEndpoint()
        self.status: str | None = None
        process = SimpleNamespace(token="secret", pidfd=0, exit_status=lambda: self.status)
        bot = Bot("a", Path(), Manifest("a", ["x"], ["cat_in_the_box"]))
        clock = SteadyClock(lambda: self.time_s)
        self.gone: list[Connection] = []
        self.ready: list[Connection] = []
        self.connection = Connection(bot, GAME.name, process, self.endpoint, clock, 5000, self, for_one_game)

    def on_ready(self, connection: Connection) -> None:
        self.ready.append(connection)

    def on_gone(self, connection: Connection) -> None:
        self.gone.append(connection)

    def say(self, message: object) -> None:
        self.endpoint.inbox.append([b"peer", msgspec.msgpack.encode(message)])
        self.connection.on_readable(self.connection._clock.now_s())

    def hello(self) -> None:
        self.say(Hello(1, "a", "1", "secret", ["cat_in_the_box"], 8))

    def begin(self) -> tuple[int, FakeGuest]:
        guest = FakeGuest()
        self.connection.reserve()
        number = self.connection.join(guest)
        self.connection.start_game(GameStart(number, GAME.name, 0, 2, {}, Clock(1000, 0), 1))
        return number, guest

    def ask(self, game: int, turn: int) -> None:
        self.connection.ask(Turn(game, turn, 0, LIMIT_MS, GAME.observe(STATE, 0), LEGAL))

    def answer(self, game: int, turn: int) -> None:
        self.say(MoveReply(game, turn, LEGAL[0]))

    def wait(self, seconds: float) -> None:
        """Let time pass as the arena's loop does, in small steps."""
        for _ in range(round(seconds / 0.05)):
            self.time_s += 0.05
            self.connection.check_time(self.connection._clock.now_s())


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    desk.hello()
    return desk


def test_the_clock_starts_when_the_request_is_sent(desk: Desk) -> None:
    game, guest = desk.begin()
    desk.wait(3)
    desk.ask(game, 0)
    desk.wait(0.3)
    desk.answer(game, 0)
    assert guest.heard == [300]


def test_a_request_behind_another_one_is_charged_from_when_that_was_answered(desk: Desk) -> None:
    (one, first), (two, second) = desk.begin(), desk.begin()
    desk.ask(one, 0)
    desk.ask(two, 0)
    desk.wait(0.8)
    desk.answer(one, 0)
    desk.wait(0.8)
    desk.answer(two, 0)
    assert first.heard == [800]
    assert second.heard == [800]


def test_one_request_that_times_out_is_charged_and_the_other_games_are_void(desk: Desk) -> None:
    (one, first), (two, second) = desk.begin(), desk.begin()
    desk.ask(two, 0)
    desk.answer(two, 0)
    desk.ask(one, 0)
    desk.wait(1.1)
    assert first.heard == ["timeout"]
    assert second.heard == [0, "void"]
    assert desk.gone == [desk.connection]
    assert desk.endpoint.sent[-1]["code"] == "timeout"


@pytest.mark.parametrize("fault", ["timeout", "crash", "garbage"])
def test_with_several_requests_before_a_process_nobody_knows_whose_fault_it_was(
    desk: Desk, fault: str
) -> None:
    (one, first), (two, second), (_, third) = desk.begin(), desk.begin(), desk.begin()
    desk.ask(one, 0)
    desk.ask(two, 0)
    if fault == "crash":
        desk.connection.on_ended(desk.time_s)
    elif fault == "garbage":
        desk.say(3)
    desk.wait(1.1)
    assert first.heard == second.heard == ["suspect"]
    assert third.heard == ["void"]


def test_answering_others_does_not_hold_up_the_oldest_ones_clock(desk: Desk) -> None:
    (one, first), (two, _) = desk.begin(), desk.begin()
    desk.ask(one, 0)
    for turn in range(4):
        desk.ask(two, turn)
        desk.wait(0.3)
        if desk.connection.state == "ready":
            desk.answer(two, turn)
    assert desk.connection.fault is not None
    assert desk.connection.fault.reason == "timeout"
    assert first.heard == ["suspect"]


def test_an_answer_that_comes_after_the_limit_is_a_timeout(desk: Desk) -> None:
    game, guest = desk.begin()
    desk.ask(game, 0)
    for _ in range(21):
        desk.time_s += 0.05
        desk.connection._clock.now_s()
    desk.answer(game, 0)
    assert guest.heard == ["timeout"]


def test_a_pause_of_the_arena_is_not_charged(desk: Desk) -> None:
    game, guest = desk.begin()
    desk.ask(game, 0)
    desk.time_s += 60
    desk.answer(game, 0)
    assert guest.heard == [100]


def test_what_a_process_sent_before_it_ended_counts(desk: Desk) -> None:
    game, guest = desk.begin()
    desk.ask(game, 0)
    desk.status = "exit status 0"
    desk.connection.on_ended(desk.time_s)
    desk.answer(game, 0)
    assert guest.heard == [0]
    desk.wait(LAST_WORDS_S + 0.05)
    assert guest.heard == [0, "crash"]


def test_a_process_that_ends_while_no_request_waits_leaves_all_its_games_suspect(desk: Desk) -> None:
    (one, first), (two, second) = desk.begin(), desk.begin()
    for game in (one, two):
        desk.ask(game, 0)
        desk.answer(game, 0)
    desk.connection.on_ended(desk.time_s)
    desk.wait(0.2)
    assert first.heard == second.heard == [0, "suspect"]


def test_a_process_that_ends_between_games_is_not_charged_to_the_next(desk: Desk) -> None:
    game, _ = desk.begin()
    desk.ask(game, 0)
    desk.answer(game, 0)
    desk.connection.end_game(GameEnd(game, "finished", [0, 0], [1, 1]))
    later, guest = desk.begin()
    desk.ask(later, 0)
    desk.connection.on_ended(desk.time_s)
    desk.wait(0.2)
    assert guest.heard == ["suspect"]


def test_a_move_for_a_game_that_was_voided_is_dropped(desk: Desk) -> None:
    game, _ = desk.begin()
    desk.ask(game, 0)
    desk.connection.end_game(GameEnd(game, "void", [], []))
    desk.answer(game, 0)
    assert desk.connection.state == "ready"


def test_no_hello_in_time_is_a_failed_start() -> None:
    desk = Desk()
    desk.wait(5.1)
    assert desk.connection.fault == Fault("startup_failure", "no hello within 5000 ms")


def test_a_turn_of_a_game_that_ended_is_not_charged_to_the_game_behind_it(desk: Desk) -> None:
    (one, first), (two, second) = desk.begin(), desk.begin()
    desk.ask(one, 0)
    desk.ask(two, 0)
    desk.wait(0.8)
    desk.connection.end_game(GameEnd(one, "void", [], []))
    desk.wait(0.15)
    desk.answer(one, 0)
    desk.wait(0.4)
    desk.answer(two, 0)
    assert first.heard == []
    assert second.heard == [400]


def test_a_turn_of_a_game_that_ended_holds_up_the_queue_no_longer_than_its_own_limit(desk: Desk) -> None:
    (one, _), (two, second) = desk.begin(), desk.begin()
    desk.ask(one, 0)
    desk.ask(two, 0)
    desk.connection.end_game(GameEnd(one, "void", [], []))
    desk.wait(1.5)
    assert second.heard == []
    desk.wait(0.7)
    assert second.heard == ["timeout"]


def test_a_bot_that_has_forfeited_a_game_is_not_charged_with_it_again(desk: Desk) -> None:
    (one, first), (two, second) = desk.begin(), desk.begin()
    desk.ask(one, 0)
    desk.answer(one, 0)
    desk.connection.forfeit(one, Fault("illegal_move", "no"))
    desk.ask(two, 0)
    desk.connection.on_ended(desk.time_s)
    desk.wait(0.2)
    assert first.heard == [0]
    assert second.heard == ["crash"]


def test_a_process_for_one_game_takes_no_other_and_leaves_after_it() -> None:
    desk = Desk(for_one_game=True)
    desk.hello()
    game, _ = desk.begin()
    assert not desk.connection.has_room
    assert not desk.connection.is_idle
    desk.connection.end_game(GameEnd(game, "finished", [0, 0], [1, 1]))
    assert desk.gone == [desk.connection]
    assert [message["type"] for message in desk.endpoint.sent[-2:]] == ["game_end", "goodbye"]
