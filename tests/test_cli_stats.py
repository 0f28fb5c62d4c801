"""`arena stats`: its fields, its words and what it refuses."""

import json
from collections.abc import Sequence

import pytest
from test_cli import Arena, arena

__all__ = ["arena"]

GAMES = "89,123,76"
PAIRS = "332,433,498,333,334"
BLOCKS = "1,0,5,9,44,59,138,59,55,17,10,2,1"
TEST = ("--elo0", "0", "--elo1", "30")


def answer(arena: Arena, *arguments: str) -> dict[str, object]:
    status, out, err = arena("stats", *arguments, "--format", "json")
    assert (status, err) == (0, "")
    fields: dict[str, object] = json.loads(out)
    return fields


@pytest.mark.parametrize("counts", [GAMES, PAIRS, BLOCKS])
def test_elo_has_its_six_fields(counts: str, arena: Arena) -> None:
    fields = answer(arena, "elo", "--counts", counts)
    assert list(fields) == ["elo", "elo_pm95", "los", "score", "nelo", "nelo_pm95"]
    assert all(isinstance(value, float) for value in fields.values())


def test_elo_of_games(arena: Arena) -> None:
    fields = answer(arena, "elo", "--counts", GAMES)
    assert fields["elo"] == pytest.approx(-15.693520705432237)
    assert fields["nelo_pm95"] == pytest.approx(40.12602555757857)


def test_sprt_has_its_six_fields(arena: Arena) -> None:
    fields = answer(arena, "sprt", "--counts", BLOCKS, "--seats", "3", *TEST)
    assert list(fields) == ["llr", "lower", "upper", "verdict", "nelo", "nelo_pm95"]
    assert fields["llr"] == pytest.approx(2.3774921640763234)
    assert fields["verdict"] == "inconclusive"


def test_sprt_takes_error_rates_and_models(arena: Arena) -> None:
    loose = answer(arena, "sprt", "--counts", BLOCKS, *TEST, "--alpha", "0.1", "--beta", "0.2")
    assert (loose["verdict"], loose["upper"]) == ("passed", pytest.approx(2.0794415))
    logistic = answer(
        arena, "sprt", "--counts", "57030,106593,57433", "--elo0", "0", "--elo1", "2", "--model", "logistic"
    )
    assert logistic["llr"] == pytest.approx(-2.593024163515815)
    failed = answer(arena, "sprt", "--counts", "223,9863,21279,10037,246", "--elo0", "3", "--elo1", "9")
    assert failed["verdict"] == "failed"


def test_what_counts_cannot_tell_is_null_and_a_dash(arena: Arena) -> None:
    assert answer(arena, "sprt", "--counts", "0,0,9", *TEST)["llr"] is None
    assert arena("stats", "elo", "--counts", "0,0,9")[1].split()[-6:] == ["-", "-", "-", "1.0000", "-", "-"]


def test_a_plan_has_a_row_for_each_hypothesis_and_midway(arena: Arena) -> None:
    status, out, _ = arena("stats", "plan", "--elo0", "-20", "--elo1", "0", "--seats", "4", "--format", "csv")
    header, *rows = out.splitlines()
    assert (status, header) == (0, "nelo,passed,games,blocks")
    assert [row.split(",")[0] for row in rows] == ["-20.0", "-10.0", "0.0"]


def test_tables_are_for_people(arena: Arena) -> None:
    assert arena("stats", "elo", "--counts", PAIRS)[1].splitlines()[2].split() == [
        "-8.64", "10.33", "5.05%", "0.4876", "-9.17", "10.96",
    ]  # fmt: skip
    assert "inconclusive" in arena("stats", "sprt", "--counts", BLOCKS, *TEST)[1]


BAD: list[tuple[Sequence[str], str]] = [
    (("elo", "--counts", "1,2"), "expected 3, 5, 13, 25 or 41 counts, got 2"),
    (("elo", "--counts", "1,-2,3"), "expected counts from 0 and not all 0, got 1,-2,3"),
    (("elo", "--counts", "0,0,0"), "expected counts from 0 and not all 0, got 0,0,0"),
    (("elo", "--counts", "1,nan,3"), "--counts: expected whole numbers separated by commas, got 1,nan,3"),
    (("elo", "--counts", ""), "--counts: expected whole numbers separated by commas, got "),
    (("elo",), "Missing option '--counts'. (see arena stats elo --help)"),
    (("sprt", "--counts", GAMES, "--elo0", "5", "--elo1", "5"), "expected elo0 below elo1, got 5 and 5"),
    (("sprt", "--counts", GAMES, "--elo0", "nan", "--elo1", "5"), "expected elo0 below elo1, got nan and 5"),
    (("sprt", "--counts", GAMES, *TEST, "--alpha", "0"), "expected alpha and beta above 0"),
    (("sprt", "--counts", GAMES, *TEST, "--seats", "3"), "expected 13 counts for 3 seats, got 3"),
    (("sprt", "--counts", GAMES, *TEST, "--seats", "6"), "Invalid value for '--seats'"),
    (("plan", "--elo0", "2", "--elo1", "1"), "expected elo0 below elo1, got 2 and 1"),
    (("bet",), "No such command 'bet'. (see arena stats --help)"),
]


@pytest.mark.parametrize(("arguments", "said"), BAD)
def test_bad_input_is_one_line_and_exit_3(arguments: Sequence[str], said: str, arena: Arena) -> None:
    status, out, err = arena("stats", *arguments)
    assert (status, out, err.count("\n")) == (3, "", 1)
    assert err.startswith(f"error: {said}")
