"""What a regression test's table says, and what every bad one is told."""

from pathlib import Path
from typing import Any

import pytest

from tournaments.regression_spec import regression_spec
from tournaments.sprt import PRESETS, Design, Sprt
from tournaments.typed_toml import Clock, SpecError

SMALL = {"candidate": "new", "baseline": "git:main", "seats": 3}


def test_a_short_table_has_the_defaults() -> None:
    spec = regression_spec(None, SMALL)
    assert (spec.game, spec.seed, spec.field, spec.options) == ("cat_in_the_box", "regress", [], {})
    assert (spec.sprt, spec.clock, spec.design) == (PRESETS["regression"], Clock(), Design(3))
    assert spec.concurrency >= 1


@pytest.mark.parametrize("test", PRESETS)
def test_at_most_four_times_the_games_expected_midway_are_played(test: str) -> None:
    spec = regression_spec(None, {**SMALL, "test": test})
    midway = 1.05e6 / (spec.sprt.elo1 - spec.sprt.elo0) ** 2
    assert spec.blocks * 3 == pytest.approx(4 * midway, rel=0.01)


def test_hypotheses_may_be_any_numbers() -> None:
    spec = regression_spec(None, {**SMALL, "elo0": -5, "elo1": 2.5, "alpha": 0.01, "beta": 0.1})
    assert spec.sprt == Sprt(-5, 2.5, 0.01, 0.1)


def test_the_most_games_are_whole_blocks() -> None:
    assert regression_spec(None, {**SMALL, "max_games": 11}).blocks == 3


def test_a_field_tells_the_seats() -> None:
    spec = regression_spec(None, {"candidate": "a", "baseline": "b", "field": ["c", "d", "c"]})
    assert (spec.seats, spec.design.games) == (4, 8)


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no candidate": ({"candidate": None}, "candidate: missing, expected a bot's folder or the name"),
    "no seats": ({"seats": None}, "seats: missing, expected a whole number from 2 to 5"),
    "six seats": ({"seats": 6}, "seats: expected a whole number from 2 to 5, got 6"),
    "an unknown key": ({"elo": 3}, "elo: unknown key, expected one of candidate, baseline, field"),
    "an unknown test": ({"test": "all"}, 'test: expected "regression" or "gain" or "smoke", got \'all\''),
    "a test and hypotheses": (
        {"test": "gain", "elo0": 1, "elo1": 2},
        "test: only allowed without elo0 and elo1",
    ),
    "half of the hypotheses": ({"elo0": 1}, "elo1: missing"),
    "hypotheses the wrong way round": ({"elo0": 5, "elo1": 0}, "expected elo0 below elo1, got 5 and 0"),
    "equal hypotheses": ({"elo0": 5, "elo1": 5}, "expected elo0 below elo1"),
    "nan": ({"elo0": float("nan"), "elo1": 5}, "expected elo0 below elo1, got nan and 5"),
    "no risk": ({"alpha": 0}, "expected alpha and beta above 0"),
    "too much risk": ({"alpha": 0.6, "beta": 0.5}, "expected alpha and beta above 0 with a sum below 1"),
    "a number as text": ({"elo0": "1", "elo1": 2}, "elo0: expected a number in normalized Elo, got '1'"),
    "less than a block": ({"max_games": 2}, "max_games: expected at least 3, one block, got 2"),
    "no games": ({"max_games": 0}, "max_games: expected a whole number from 1"),
    "a field too small": ({"field": ["x"]}, "field: expected 2 bots beside the tested one, got 1"),
    "a field that is no list": ({"field": "x"}, "field: expected up to 4 times a bot's folder"),
    "a bad option": ({"options": {"board": 1.5}}, "options.board: expected text, a whole number"),
    "a bad clock": ({"clock": {"move_ms": 0}}, "clock.move_ms: expected a whole number from 1"),
}


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("file", [None, Path("ci.toml")])
def test_a_bad_table_is_told_by_file_key_and_what_is_allowed(case: str, file: Path | None) -> None:
    keys, said = BAD[case]
    table = {key: value for key, value in {**SMALL, **keys}.items() if value is not None}
    with pytest.raises(SpecError) as caught:
        regression_spec(file, table)
    expected = f"{file}: {said}" if file else said
    assert str(caught.value).startswith(expected)
    assert "\n" not in str(caught.value)
