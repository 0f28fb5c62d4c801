"""The Python bot loop: real bot processes on a real ROUTER socket."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import zmq

from protocol import client
from protocol.cat_in_the_box import Bid
from protocol.make_vectors import CLOCK, DISCARD_TWO
from protocol.messages import Error, GameEnd, GameStart, Hello, Move, MoveReply, Turn
from protocol.session import RefereeSession

ROOT = Path(client.__file__).parents[1]
TOKEN = "0123456789abcdef0123456789abcdef"
DEADLINE_S = 30
LEGAL: list[Move] = [Bid(1), Bid(3), Bid(4)]

FUNCTION = """
import random
from protocol.client import run

def choose(turn):
    return random.choice(turn.legal)

run(choose, name="random", games=["cat_in_the_box"])
"""

CLASS = """
from random import Random
from protocol.client import run

class Bot:
    def __init__(self, start):
        self.rng = Random(start.rng_seed)
    def choose(self, turn):
        return self.rng.choice(turn.legal)

run(Bot, name="random", games=["cat_in_the_box"])
"""

COUNTING = """
from protocol.client import run

class Bot:
    def __init__(self, start):
        self.game, self.asked = start.game, 0
    def choose(self, turn):
        self.asked += 1
        return turn.legal[0], f"game {self.game} decision {self.asked}"
    def game_end(self, end):
        print(f"game {self.game} {end.status} {self.asked}")

run(Bot, name="counting", version="2", games=["cat_in_the_box"], max_games=2)
"""

PRINTING = """
from protocol.client import run

def choose(turn):
    print("thinking\\n\\x00\\x81 {not json")
    return turn.legal[0]

run(choose, name="printing", games=["cat_in_the_box"])
"""

FAILING = """
from protocol.client import run

def choose(turn):
    if turn.turn == 1:
        raise KeyError("no plan for this")
    return turn.legal[0]

run(choose, name="failing", games=["cat_in_the_box"])
"""

FROM_THE_PAGE_ALONE = """
import json, os, zmq

socket = zmq.Context().socket(zmq.DEALER)
socket.connect(os.environ["ARENA_ENDPOINT"])
socket.send_string(json.dumps({"type": "hello", "protocol": 1, "name": "mine", "version": "1",
    "token": os.environ["ARENA_TOKEN"], "games": ["cat_in_the_box"], "max_games": 16}))
while True:
    message = json.loads(socket.recv())
    if message["type"] == "turn":
        socket.send_string(json.dumps({"type": "move", "game": message["game"], "turn": message["turn"],
            "move": message["legal"][0]}))
    if message["type"] == "goodbye":
        break
"""


class Table:
    """A referee for one bot, as small as can be."""

    def __init__(self, endpoint: str, context: "zmq.Context[zmq.Socket[bytes]]") -> None:
        self.endpoint = endpoint
        self.socket = context.socket(zmq.ROUTER)
        self.socket.linger = 0
        self.socket.rcvtimeo = DEADLINE_S * 1000
        self.socket.bind(endpoint)
        self.session = RefereeSession(TOKEN, ["cat_in_the_box"])
        self.processes: list[subprocess.Popen[str]] = []

    def start(self, *argv: str, **env: str) -> "subprocess.Popen[str]":
        """Start the program and leave its greeting on the socket."""
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("ARENA_", "PYTHON"))}
        arena = {"ARENA_ENDPOINT": self.endpoint, "ARENA_TOKEN": TOKEN, "PYTHONPATH": str(ROOT)}
        pipe = subprocess.PIPE
        process = subprocess.Popen(
            [sys.executable, *argv], env=clean | arena | env, stdin=pipe, stdout=pipe, stderr=pipe, text=True
        )
        self.processes.append(process)
        return process

    def receive(self) -> Hello | MoveReply | None:
        self.peer, payload = self.socket.recv_multipart()
        return self.session.receive(payload)

    def send(self, payload: bytes) -> None:
        self.socket.send_multipart([self.peer, payload])

    def welcome(self) -> Hello:
        hello = self.receive()
        assert isinstance(hello, Hello)
        self.send(self.session.welcome("0.1"))
        return hello

    def start_game(self, game: int) -> None:
        self.send(self.session.game_start(GameStart(game, "cat_in_the_box", 1, 2, {}, CLOCK, 5 + game)))

    def ask(self, game: int, turn: int) -> None:
        self.send(self.session.turn(Turn(game, turn, 1, 1000, DISCARD_TWO, LEGAL)))

    def answer(self) -> MoveReply:
        reply = self.receive()
        assert isinstance(reply, MoveReply)
        return reply

    def end_game(self, game: int) -> None:
        self.send(self.session.game_end(GameEnd(game, "finished", [0, 1], [2, 1])))

    def close(self) -> None:
        """Leave no process, not even one whose launcher is gone."""
        if self.session.state == "open":
            self.send(self.session.goodbye())
        self.socket.close(linger=200)
        for process in self.processes:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe is not None:
                    pipe.close()

    def goodbye(self, process: "subprocess.Popen[str]") -> tuple[str, str]:
        """Stdout and stderr of the bot, once it left in peace."""
        self.send(self.session.goodbye())
        output = process.communicate(timeout=DEADLINE_S)
        assert process.returncode == 0, output
        return output


@pytest.fixture
def table() -> Iterator[Table]:
    folder = tempfile.mkdtemp(prefix="table-")
    with zmq.Context() as context:
        made = Table(f"ipc://{folder}/bot", context)
        yield made
        made.close()
    shutil.rmtree(folder)


def test_a_bot_written_from_the_page_alone_plays(table: Table) -> None:
    bot = table.start("-c", FROM_THE_PAGE_ALONE)
    table.welcome()
    table.start_game(0)
    table.ask(0, 0)
    assert table.answer().move == LEGAL[0]
    table.end_game(0)
    assert table.goodbye(bot) == ("", "")


@pytest.mark.parametrize("source", [FUNCTION, CLASS], ids=["function", "class"])
def test_a_whole_bot_is_ten_lines(table: Table, source: str) -> None:
    assert len([line for line in source.splitlines() if line.strip()]) <= 10
    bot = table.start("-c", source)
    hello = table.welcome()
    assert (hello.name, hello.games, hello.max_games) == ("random", ["cat_in_the_box"], 16)
    for game in (0, 1):
        table.start_game(game)
        for turn in range(5):
            table.ask(game, turn)
            reply = table.answer()
            assert (reply.game, reply.turn) == (game, turn)
            assert reply.move in LEGAL
        table.end_game(game)
    assert table.goodbye(bot) == ("", "")


@pytest.mark.parametrize("encoding", ["msgpack", "json"])
def test_a_class_is_made_anew_for_each_game_and_may_add_notes(table: Table, encoding: str) -> None:
    bot = table.start("-c", COUNTING, ARENA_ENCODING=encoding)
    hello = table.welcome()
    assert (hello.version, hello.max_games) == ("2", 2)
    table.start_game(0)
    table.start_game(1)
    for turn in (0, 1):
        table.ask(0, turn)
        table.ask(1, turn)
        notes = [(reply := table.answer()).note for _ in range(2)]
        assert reply.move == LEGAL[0]
        assert notes == [f"game {game} decision {turn + 1}" for game in (0, 1)]
    table.ask(1, 2)
    table.answer()
    table.end_game(1)
    table.end_game(0)
    assert table.goodbye(bot)[0] == "game 1 finished 3\ngame 0 finished 2\n"


def test_print_in_a_bot_is_harmless_and_seen_at_once(table: Table) -> None:
    bot = table.start("-c", PRINTING)
    table.welcome()
    table.start_game(0)
    table.ask(0, 0)
    assert table.answer().move == LEGAL[0]
    assert bot.stdout is not None
    assert bot.stdout.readline() == "thinking\n"
    table.end_game(0)
    table.goodbye(bot)


def test_an_exception_in_a_bot_ends_it_with_a_traceback(table: Table) -> None:
    bot = table.start("-c", FAILING)
    table.welcome()
    table.start_game(0)
    table.ask(0, 0)
    assert table.answer().move == LEGAL[0]
    table.ask(0, 1)
    _, stderr = bot.communicate(timeout=DEADLINE_S)
    assert bot.returncode == 1
    assert stderr.startswith("Traceback")
    assert "KeyError: 'no plan for this'" in stderr


def test_an_error_is_logged_and_the_other_games_go_on(table: Table) -> None:
    bot = table.start("-c", FUNCTION)
    table.welcome()
    table.start_game(0)
    table.start_game(1)
    table.send(table.session.error(Error("illegal_move", "expected a legal\nmove", 0)))
    table.end_game(0)
    table.ask(1, 0)
    assert table.answer().move in LEGAL
    table.end_game(1)
    assert table.goodbye(bot)[1] == "illegal_move: expected a legal\\nmove\n"


def test_a_bot_ends_when_its_parent_is_gone(table: Table) -> None:
    parent = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', sys.argv[1]]); sys.stdin.read()"
    launcher = table.start("-c", parent, FUNCTION)
    table.welcome()
    _, stderr = launcher.communicate(timeout=DEADLINE_S)  # ends the launcher; its pipes close with the bot
    assert stderr == "the arena is gone\n"


def test_a_bot_does_not_wait_for_ever_for_a_welcome(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_ENDPOINT", table.endpoint)
    monkeypatch.setenv("ARENA_TOKEN", TOKEN)
    monkeypatch.setattr(client, "POLL_MS", 5)
    monkeypatch.setattr(client, "WELCOME_POLLS", 2)
    with pytest.raises(SystemExit, match="the arena is gone"):
        client.run(lambda turn: turn.legal[0], "patient", ["cat_in_the_box"])


@pytest.mark.parametrize(
    ("env", "text"),
    [
        ({"ARENA_ENDPOINT": ""}, "ARENA_ENDPOINT is not set: a bot is started by `arena`, not by hand\n"),
        ({"ARENA_TOKEN": ""}, "ARENA_TOKEN is not set: a bot is started by `arena`, not by hand\n"),
        ({"ARENA_ENCODING": "xml"}, "ARENA_ENCODING is 'xml', not one of msgpack, json\n"),
    ],
)
def test_a_bot_started_by_hand_says_so(table: Table, env: dict[str, str], text: str) -> None:
    bot = table.start("-c", FUNCTION, **env)
    assert bot.communicate(timeout=DEADLINE_S) == ("", text)
    assert bot.returncode == 2
