"""Stepping through a stored game."""

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from arena.cli import exit_status
from arena.replay import read_record
from arena.store import Store, StoredGame
from tests.played import random_record

Replay = Callable[..., tuple[int, str, str]]


@pytest.fixture
def record() -> dict:
    return random_record(3, seed=4, substituted=[1])


@pytest.fixture
def replay(record: dict, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Replay:
    """`arena replay` of a run with one game, whose key is 0/0/x."""
    outcome = record["outcome"]
    forfeits = [(forfeit["seat"], forfeit["reason"]) for forfeit in outcome["forfeits"]]
    line = msgspec.json.encode(record)
    with Store.create_or_open(tmp_path / "run", {}, {}) as store:
        store.add(
            [StoredGame("0/0/x", 0, 0, record["seats"], outcome["ranks"], outcome["scores"], forfeits, line)]
        )

    def run(*arguments: str) -> tuple[int, str, str]:
        status = exit_status(["replay", str(tmp_path / "run"), *arguments])
        return status, *capsys.readouterr()

    return run


def test_steps_end_in_the_recorded_outcome(record: dict) -> None:
    stored = read_record(msgspec.json.encode(record))
    steps = 0
    for entry, state in stored.steps():  # noqa: B007 - the last one is looked at
        steps += 1
        assert (entry is None) == (steps == 1)
    assert steps == len(record["moves"]) + 1
    assert stored.game.scores(state) == record["outcome"]["scores"]


@pytest.mark.parametrize("game", ["0", "0/0/x"])
def test_every_move_is_shown_with_every_hand_and_then_the_outcome(
    replay: Replay, record: dict, game: str
) -> None:
    status, out, _ = replay(game)
    moves = len(record["moves"])
    assert status == 0
    assert len(re.findall(rf"^move \d+ of {moves}: ", out, re.MULTILINE)) == moves
    assert out.count("Hand of") == 3 * (moves + 1)
    assert re.search(r"^seat 1 forfeits, timeout: no answer$", out, re.MULTILINE)
    assert "moved by the referee" in out
    assert len(re.findall(r"^\d\. seat [02] \(bot\d\), -?\d+ points$", out, re.MULTILINE)) == 2
    assert re.search(r"^3\. seat 1 \(bot1\), -?\d+ points \(forfeit: timeout\)$", out, re.MULTILINE)


def test_one_seats_view_shows_one_hand_and_no_secret_move_of_others(replay: Replay, record: dict) -> None:
    status, out, _ = replay("0", "--seat", "2")
    assert status == 0
    assert out.count("Hand of") == len(record["moves"]) + 1
    assert not re.search(r"seat [01] \(bot\d\) discard", out)
    assert re.search(r"seat 2 \(bot2\) discard \d", out)


def test_it_may_begin_at_any_move(replay: Replay, record: dict) -> None:
    moves = len(record["moves"])
    _, out, _ = replay("0", "--move", str(moves))
    assert re.findall(r"^move (\d+) of", out, re.MULTILINE) == [str(moves)]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["1"], "no game 1"), (["x"], "no game x"), (["0", "--seat", "3"], "--seat: expected 0 to 2, got 3")],
)
def test_what_is_not_there_is_one_line(replay: Replay, arguments: list[str], said: str) -> None:
    status, out, err = replay(*arguments)
    assert (status, out, err.count("\n")) == (3, "", 1)
    assert said in err


def test_a_run_in_which_one_bot_sits_twice_verifies(
    record: dict, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = record["outcome"]
    record["seats"] = ["candidate", "baseline", "baseline"]
    forfeits = [(forfeit["seat"], forfeit["reason"]) for forfeit in outcome["forfeits"]]
    line = msgspec.json.encode(record)
    with Store.create_or_open(tmp_path / "run", {}, {}) as store:
        store.add(
            [
                StoredGame(
                    "x",
                    0,
                    record["deal_number"],
                    record["seats"],
                    outcome["ranks"],
                    outcome["scores"],
                    forfeits,
                    line,
                )
            ]
        )
    assert exit_status(["verify", str(tmp_path / "run")]) == 0
    assert capsys.readouterr().out == "1 games verified\n"
