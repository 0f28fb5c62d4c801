"""What bots do wrong, done by real processes, and what becomes of their games."""

import re
from pathlib import Path

import psutil
import pytest

from tests.conftest import Play

QUICK = "startup_ms = 4000\nmove_ms = 300\nbank_ms = 200"

FAULTS = {
    "hangs": ("timeout", r"turn \d+: no answer within 500 ms"),
    "ignores_term": ("timeout", r"turn \d+: no answer within 500 ms"),
    "stops_itself": ("timeout", r"turn \d+: no answer within 500 ms"),
    "leaves_children_and_hangs": ("timeout", r"no answer"),
    "crashes": ("crash", r"the process ended, exit status 1"),
    "exits_zero": ("crash", r"the process ended, exit status 0"),
    "exits_after_answer": ("crash", r"the process ended, exit status 0"),
    "illegal": ("illegal_move", r"turn \d+: got discard 1; expected .+"),
    "illegal_then_exits": ("illegal_move", r"turn \d+: got discard 9; expected "),
    "illegal_then_exits_many": ("illegal_move", r"turn \d+: got discard 9; expected "),
    "dies_of_a_real_time_signal": ("crash", r"the process ended, signal 40"),
    "removes_its_log": ("crash", r"exit status 4"),
    "garbage": ("protocol_error", r"Expected `object`, got `int`"),
    "empty_frame": ("protocol_error", r"empty frame: use a DEALER"),
    "two_frames": ("protocol_error", r"expected one frame a message, got 2, as a REQ socket"),
    "wrong_turn": ("protocol_error", r"turn"),
    "speaks_out_of_turn": ("protocol_error", r"turn"),
    "garbage_out_of_turn": ("protocol_error", r"Expected `object`, got `int`"),
    "wrong_game": ("protocol_error", r"game 1000"),
    "hello_twice": ("protocol_error", r"second hello"),
    "never_connects": ("startup_failure", r"no hello within 2500 ms"),
    "never_says_hello": ("startup_failure", r"no hello within 2500 ms"),
    "exits_at_once": ("startup_failure", r"exit status 3"),
    "wrong_token": ("startup_failure", r"expected the token in ARENA_TOKEN"),
    "other_version": ("startup_failure", r"expected protocol 1, got protocol 2"),
    "other_game": ("startup_failure", r"expected a bot that plays cat_in_the_box"),
}
"""Behavior -> reason of the forfeit, and what its detail says."""
PID = re.compile(r"^child (\d+)$", re.MULTILINE)
SHORT_START = {"never_connects", "never_says_hello"}

TOLERATED = ["well", "well_many", "slow_start", "prints", "extra_fields", "answers_twice", "leaves_children"]


@pytest.mark.parametrize("behavior", FAULTS)
def test_a_fault_forfeits_the_seat_with_its_reason_and_the_others_play_on(play: Play, behavior: str) -> None:
    reason, detail = FAULTS[behavior]
    clock = QUICK.replace("4000", "2500") if behavior in SHORT_START else QUICK
    games = play("well", behavior, "well", clock=clock)
    assert len(games) == 3
    for game in games:
        (forfeit,) = game.played.outcome.forfeits
        assert game.fixture.seats[forfeit.seat] == "b"
        assert forfeit.reason == reason
        assert re.search(detail, forfeit.detail), forfeit.detail
        assert game.played.outcome.status == "finished"
        assert game.played.outcome.ranks[forfeit.seat] == 3
        assert any(move.by == "referee" and move.seat == forfeit.seat for move in game.played.moves)


@pytest.mark.parametrize("behavior", TOLERATED)
def test_what_is_tolerated_forfeits_nothing(play: Play, behavior: str) -> None:
    games = play("well", behavior, clock=QUICK)
    assert [game.played.outcome.forfeits for game in games] == [[], []]


def test_with_two_players_a_fault_ends_the_game(play: Play) -> None:
    for game in play("well", "crashes", clock=QUICK):
        assert game.played.outcome.status == "forfeit"
        seat = game.fixture.seats.index("b")
        assert game.played.outcome.ranks[seat] == 2
        assert game.played.outcome.ranks[1 - seat] == 1
        assert all(move.by is None for move in game.played.moves)


def test_on_forfeit_end_stops_the_game_and_the_others_share_the_win(play: Play) -> None:
    for game in play("well", "illegal", "well", clock=QUICK, on_forfeit="end"):
        assert game.played.outcome.status == "forfeit"
        seat = game.fixture.seats.index("b")
        assert sorted(game.played.outcome.ranks) == [1, 1, 3]
        assert game.played.outcome.ranks[seat] == 3


def test_when_every_bot_fails_everybody_shares_the_last_place(play: Play) -> None:
    for game in play("crashes", "hangs", "illegal", clock=QUICK):
        assert len(game.played.outcome.forfeits) == 3
        assert game.played.outcome.status == "forfeit"
        assert game.played.outcome.ranks == [1, 1, 1]


def test_a_bot_that_dies_between_games_is_started_again_and_charged_nothing(play: Play) -> None:
    games = play("well", "dies_between_games", deals=4, concurrency=1)
    assert len(games) == 8
    assert all(not game.played.outcome.forfeits for game in games)


def test_crashes_are_charged_to_the_same_games_at_any_concurrency(play: Play) -> None:
    def charged(concurrency: int) -> list[int]:
        games = play("well_many", "crashes_on_some_deals", deals=6, concurrency=concurrency)
        assert [game.fixture.position for game in games] == list(range(12))
        return [game.fixture.position for game in games if game.played.outcome.forfeits]

    assert charged(1) == charged(6) != []


def test_an_illegal_move_in_one_game_leaves_the_other_games_of_the_process_alone(play: Play) -> None:
    games = play("well_many", "illegal_many", deals=3, concurrency=6)
    assert [len(game.played.outcome.forfeits) for game in games] == [1] * 6
    log = next(path for path in Path(next(iter(games[0].logs.values()))[0]).parent.glob("*.log"))
    assert log.read_text().count("told: illegal_move") == 6


def test_a_malformed_move_in_one_game_leaves_the_other_games_of_the_process_alone(play: Play) -> None:
    games = play("well_many", "wrong_type_many", deals=3, concurrency=6)
    assert [[f.reason for f in game.played.outcome.forfeits] for game in games] == [["protocol_error"]] * 6
    assert len({path for game in games for path, _ in game.logs.values()}) == 1


@pytest.mark.parametrize("behavior", ["garbage", "hello_twice"])
def test_a_bot_is_told_why_before_it_is_put_down(play: Play, behavior: str) -> None:
    (game, *_) = play("well", behavior, clock=QUICK)
    (path, _) = game.logs[game.fixture.seats.index("b")]
    assert "told: protocol_error" in path.read_text()


def test_a_bot_is_told_its_fault_before_it_is_dropped(play: Play) -> None:
    (game, *_) = play("well", "illegal", clock=QUICK)
    (path, _) = game.logs[game.fixture.seats.index("b")]
    assert "told: illegal_move turn" in path.read_text()


def test_the_last_lines_of_a_crashed_bot_come_with_its_forfeit(play: Play) -> None:
    for game in play("well", "crashes", clock=QUICK):
        (_, tail) = game.logs[game.fixture.seats.index("b")]
        assert tail.rstrip().endswith("RuntimeError: this bot is broken")


def test_prints_go_to_the_log(play: Play, tmp_path: Path) -> None:
    play("well", "prints")
    logs = [path.read_text() for path in (tmp_path / "logs" / "b").glob("*.log")]
    assert any("x" * 5000 in log and "y" * 5000 in log for log in logs)


def test_a_bot_that_cannot_start_is_given_up_after_three_failures(play: Play) -> None:
    games = play("well", "never_connects", clock="startup_ms = 200", deals=10, concurrency=1)
    assert len(games) == 20
    assert all(game.played.outcome.forfeits[0].reason == "startup_failure" for game in games)


def test_nothing_of_a_bot_is_left_when_the_run_ends(play: Play, tmp_path: Path) -> None:
    play("leaves_children", "leaves_children_and_hangs", "ignores_term", clock=QUICK)
    children = [
        int(pid) for log in (tmp_path / "logs").rglob("*.log") for pid in PID.findall(log.read_text())
    ]
    assert len(children) >= 6
    assert [pid for pid in children if psutil.pid_exists(pid)] == []
