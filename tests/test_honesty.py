"""Error rates and intervals hold what they promise, on simulated games; `benchmarks/honesty.py` does it at length.

Tolerances are three binomial deviations.
"""

import pytest

from benchmarks.honesty import coverage, lead_of, tolerance, verdicts
from tournaments.sprt import Design, Sprt

TESTS = 150
RUNS = 200
GAIN = Sprt(0, 50)


@pytest.mark.parametrize("design", [*map(Design, (2, 3, 4, 5)), Design(3, field=True)], ids=str)
@pytest.mark.parametrize(("truth", "wrong"), [(GAIN.elo0, "passed"), (GAIN.elo1, "failed")])
def test_a_test_errs_no_more_often_than_it_says(design: Design, truth: float, wrong: str) -> None:
    ends = list(verdicts(GAIN, design, lead_of(truth, design, 20_000), TESTS))
    errors = sum(verdict == wrong for verdict, _ in ends) / TESTS
    assert errors <= 0.05 + tolerance(0.05, TESTS)
    games = sum(games for _, games in ends) / TESTS
    assert 0.8 < games / GAIN.expected_games(truth) < 2  # overshoot and the first look make it longer


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_intervals_hold_the_truth_with_the_deal_as_the_unit_and_lie_without(seats: int) -> None:
    assert abs(coverage(seats, True, RUNS) - 0.95) < tolerance(0.95, RUNS)
    assert coverage(seats, False, RUNS // 4) < 0.95 - tolerance(0.95, RUNS // 4)
