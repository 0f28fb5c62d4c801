"""`arena rate`: what it prints and what it refuses."""

import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
import pytest
from simulated_games import simulate
from test_cli import Arena, arena, place

from tournaments.results import Result

__all__ = ["arena", "place"]


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Result]:
    """In `games.jsonl` of the current folder."""
    monkeypatch.chdir(tmp_path)
    played = simulate(np.random.default_rng(1), [0.4, 0, -0.4], 3, 40)
    write("games.jsonl", played)
    return played


def write(name: str, played: Sequence[Result]) -> None:
    Path(name).write_bytes(b"".join(msgspec.json.encode(game) + b"\n" for game in played))


def test_every_bot_has_its_row_and_its_differences(games: list[Result], arena: Arena) -> None:
    status, out, err = arena("rate", "games.jsonl", "--format", "json")
    assert (status, err) == (0, "")
    rows = {row["bot"]: row for row in json.loads(out)}
    assert list(rows) == ["bot0", "bot1", "bot2"]
    difference = rows["bot0"]["differences"]["bot2"]
    assert difference["elo"] == pytest.approx(rows["bot0"]["elo"] - rows["bot2"]["elo"])
    assert difference["elo_pm95"] > 0
    assert difference["los"] > 0.99
    assert rows["bot2"]["differences"]["bot0"]["los"] == pytest.approx(1 - difference["los"])
    assert rows["bot0"]["los"] == rows["bot0"]["differences"]["bot1"]["los"]


def test_ratings_are_the_leaderboard_s_of_the_run_and_of_both_exports(place: Path, arena: Arena) -> None:
    arena("export", "small", "-o", "games.jsonl")
    arena("export", "small", "--format", "csv", "-o", "games.csv")
    expected = arena("leaderboard", "small", "--format", "csv")
    assert expected[0] == 0
    assert arena("rate", "games.jsonl", "--format", "csv") == expected
    assert arena("rate", "games.csv", "--format", "csv") == expected
    anchored = ("--anchor", "bot1=100", "--format", "csv")
    assert arena("rate", "games.csv", *anchored) == arena("leaderboard", "small", *anchored)


def test_the_order_of_files_and_games_does_not_matter(games: list[Result], arena: Arena) -> None:
    write("one.jsonl", games[100:])
    write("other.jsonl", games[:100][::-1])
    assert arena("rate", "one.jsonl", "other.jsonl") == arena("rate", "games.jsonl")


def test_standard_input_is_a_file(games: list[Result], arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path("games.jsonl").read_bytes())))
    assert arena("rate", "-") == arena("rate", "games.jsonl")


def test_people_see_the_matrix_of_differences(games: list[Result], arena: Arena) -> None:
    _, out, _ = arena("rate", "games.jsonl")
    matrix = out.split("\n\n")[-1].splitlines()
    assert matrix[0].split() == ["bot0", "bot1", "bot2"]
    assert matrix[2].startswith("bot0  -  ")
    assert matrix[2].rstrip().endswith(", 100%")
    assert "group" not in out


def test_many_bots_have_their_differences_in_json_only(tmp_path: Path, arena: Arena) -> None:
    path = tmp_path / "many.csv"
    path.write_text("players,ranks\n" + "".join(f"a b{i},1 2\n" for i in range(12)))
    assert "--format json has the differences between these 13 bots" in arena("rate", str(path))[1]


def test_bots_that_nothing_connects_are_named(games: list[Result], arena: Arena) -> None:
    write("apart.jsonl", [Result(deal, ("x", "y"), (1, 2)) for deal in range(3)])
    _, out, _ = arena("rate", "games.jsonl", "apart.jsonl")
    assert out.endswith(
        "No chain of results connects these groups, so that their ratings cannot be compared:\n"
        "  1: bot0, bot1, bot2\n  2: x, y\n"
    )
    rows = json.loads(arena("rate", "games.jsonl", "apart.jsonl", "--format", "json")[1])
    assert rows[0]["differences"]["x"] is None


def test_games_without_a_deal_are_counted_and_said(tmp_path: Path, arena: Arena) -> None:
    path = tmp_path / "plain.csv"
    path.write_text("players,ranks\na b,1 2\nb a,1 2\n")
    assert "Games without a deal number: 2. Each counts as a deal of its own." in arena("rate", str(path))[1]


def test_an_anchor_holds_its_elo_and_moves_no_difference(games: list[Result], arena: Arena) -> None:
    free = json.loads(arena("rate", "games.jsonl", "--format", "json")[1])
    held = json.loads(arena("rate", "games.jsonl", "--anchor", "bot1=1500", "--format", "json")[1])
    assert held[1]["elo"] == 1500
    assert held[0]["elo"] - 1500 == pytest.approx(free[0]["elo"] - free[1]["elo"])


@pytest.mark.parametrize("arguments", [("games.jsonl", "--bootstrap"), ("--bootstrap", "games.jsonl")])
def test_a_bootstrap_gives_nearly_the_same_errors(
    arguments: Sequence[str], games: list[Result], arena: Arena
) -> None:
    sandwich = json.loads(arena("rate", "games.jsonl", "--format", "json")[1])
    drawn = json.loads(arena("rate", *arguments, "--format", "json")[1])
    assert drawn[0]["elo"] == sandwich[0]["elo"]
    assert drawn[0]["elo_pm95"] != sandwich[0]["elo_pm95"]
    assert drawn[0]["elo_pm95"] == pytest.approx(sandwich[0]["elo_pm95"], rel=0.15)
    fewer = json.loads(arena("rate", "games.jsonl", "--bootstrap", "200", "--format", "json")[1])
    assert fewer[0]["elo_pm95"] == pytest.approx(drawn[0]["elo_pm95"], rel=0.2)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Missing argument 'FILE…'. (see arena rate --help)"),
        (("missing",), "cannot read missing: No such file or directory"),
        ((".",), "cannot read .: Is a directory"),
        (("empty",), "empty holds no results"),
        (("games.jsonl", "bad"), "bad: line 1: expected different players, got a, a"),
        (("games.jsonl", "--prior", "nan"), "expected a prior of 0"),
        (("games.jsonl", "--anchor", "nobody"), "expected one of bot0, bot1, bot2 as the anchor, got nobody"),
        (("games.jsonl", "--anchor", "bot0=nan"), "expected BOT or BOT=ELO as the anchor, got bot0=nan"),
        (("games.jsonl", "--anchor", "bot0=x"), "expected BOT or BOT=ELO as the anchor, got bot0=x"),
        (("games.jsonl", "--bootstrap", "3"), "expected at least 100 bootstrap draws, got 3"),
    ],
)
def test_bad_input_is_one_line_and_exit_3(
    arguments: Sequence[str], said: str, games: list[Result], arena: Arena
) -> None:
    Path("empty").touch()
    Path("bad").write_text('{"players":["a","a"],"ranks":[1,2]}')
    status, out, err = arena("rate", *arguments)
    assert (status, out, err.count("\n")) == (3, "", 1)
    assert err.startswith(f"error: {said}")
