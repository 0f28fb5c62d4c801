"""Calculators, held to what other tools printed and to what their code gives."""

import json
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.calculators import MODELS, empirical_llr, estimate_elo, moments_of, plan_sprt, run_sprt
from tournaments.sprt import PRESETS, Moments, Sprt

VECTORS = Path(__file__).parent / "vectors/ratings"
COMPUTED = 1e-6
"""Relative tolerance for figures that were computed from another tool's code."""
LENGTHS = {3: 1, 5: 2, 13: 3, 25: 4, 41: 5}


def vectors(name: str) -> Any:
    return json.loads((VECTORS / name).read_text())


LLRS = vectors("sprt_llr.json")
ADJUSTED = vectors("elo_error_bars.json")["sprt_adjusted_elo"]["rows"]
OUR_MODEL = {"normalized": "nelo", "logistic": "logistic"}


@dataclass
class Case:
    """A published test whose model is one of ours."""

    model: str
    counts: list[int]
    test: Sprt
    row: dict[str, Any]


CASES = [
    Case(OUR_MODEL[row["model"]], row["counts"], Sprt(row["elo0"], row["elo1"]), row)
    for row in (*LLRS["fastchess_tests"], *LLRS["other"])
    if row["model"] in OUR_MODEL
]


@pytest.mark.parametrize(
    "row", vectors("elo_error_bars.json")["rows"], ids=lambda row: row["counts_low_to_high"]
)
def test_elo_its_error_and_superiority_are_the_reference_s(row: dict[str, Any]) -> None:
    got = msgspec.structs.asdict(estimate_elo(row["counts_low_to_high"]))
    for key, value in row["recomputed"].items():
        assert got[key] == pytest.approx(value, rel=COMPUTED), key
    printed = row["published"]
    assert got["nelo"] == pytest.approx(printed["nelo"], rel=0.01)
    assert got["nelo_pm95"] == pytest.approx(printed["nelo_pm"], rel=0.01)
    assert got["score"] == pytest.approx(printed["score"], rel=0.01)
    for key, mine in (("elo", "elo"), ("elo_pm", "elo_pm95")):
        assert key not in printed or got[mine] == pytest.approx(printed[key], rel=0.01)
    assert "los_pct" not in printed or 100 * got["los"] == pytest.approx(printed["los_pct"], rel=0.01)


@pytest.mark.parametrize("case", [c for c in CASES if "llr_published" in c.row and 0 not in c.counts])
def test_likelihood_ratios_are_the_printed_ones(case: Case) -> None:
    got = run_sprt(case.counts, case.test, case.model)
    assert got.llr == pytest.approx(case.row["llr_published"], rel=0.01)
    assert got.upper == -got.lower == pytest.approx(2.9444389791664403)


@pytest.mark.parametrize("case", [c for c in CASES if c.model == "logistic"])
def test_logistic_likelihood_ratios_are_fishtest_s(case: Case) -> None:
    got = run_sprt(case.counts, case.test, "logistic")
    assert got.llr == pytest.approx(case.row["llr_fishtest_exact"], rel=COMPUTED)


@pytest.mark.parametrize("row", [row for row in ADJUSTED if row["model"] == "logistic"])
def test_logistic_likelihood_ratios_of_long_tests_are_fishtest_s(row: dict[str, Any]) -> None:
    got = run_sprt(row["results"]["pentanomial"], Sprt(row["elo0"], row["elo1"]), "logistic")
    assert got.llr == pytest.approx(row["llr"], rel=COMPUTED)


@pytest.mark.parametrize("case", [c for c in CASES if "llr_fishtest_alt" in c.row and 0 not in c.counts])
def test_normalized_likelihood_ratios_of_games_are_fishtest_s(case: Case) -> None:
    """Fishtest counts a pair as two games of its variance a game; only in the second order a pair is different."""
    pairs = moments_of(case.counts)
    games = Moments(pairs.blocks * pairs.games, 1, pairs.mean, pairs.sd * sqrt(pairs.games))
    assert case.test.llr(games) == pytest.approx(case.row["llr_fishtest_alt"], rel=COMPUTED)
    assert case.test.llr(pairs) == pytest.approx(case.row["llr_fishtest_alt"], rel=2e-4)
    assert case.test.llr(pairs) == pytest.approx(case.row["llr_fishtest_exact"], rel=2e-4)


def test_the_raw_statistics_of_a_published_test() -> None:
    row = next(row for row in LLRS["other"] if "published" in row)
    printed, moments, test = row["published"], moments_of(row["counts"]), Sprt(row["elo0"], row["elo1"])
    assert moments.mean == pytest.approx(printed["mean"])
    assert moments.sd**2 == pytest.approx(printed["variance"], abs=5e-6)
    assert moments.sd * sqrt(2) == pytest.approx(printed["stdev_per_game"], abs=5e-6)
    assert moments.nelo == pytest.approx(printed["nelo"], abs=0.005)
    assert test.llr(moments) == pytest.approx(printed["llr_logistic_alt"], abs=5e-6)  # the formula over pairs
    games = Moments(2 * moments.blocks, 1, moments.mean, moments.sd * sqrt(2))
    assert test.llr(games) == pytest.approx(printed["llr_normalized_alt"], abs=5e-6)
    equivalent = Sprt(0, printed["h1_as_logistic_elo"])
    assert run_sprt(row["counts"], equivalent, "logistic").llr == pytest.approx(
        printed["llr_logistic_exact"], rel=3e-4
    )


def test_a_published_verdict() -> None:
    row = next(row for row in LLRS["other"] if "verdict_published" in row)
    got = run_sprt(row["counts"], Sprt(row["elo0"], row["elo1"]))
    assert (row["verdict_published"], got.verdict) == ("H1", "passed")
    assert got.nelo == pytest.approx(row["nelo_published"], abs=0.005)
    assert got.nelo_pm95 == pytest.approx(row["nelo_pm_published"], abs=0.005)


@pytest.mark.parametrize(
    "row", vectors("block_gsprt.json")["rows"], ids=lambda row: f"{row['n_seats']} seats"
)
def test_blocks_of_many_seats_have_the_reference_likelihood_ratios(row: dict[str, Any]) -> None:
    counts = row["counts_low_to_high"]
    got = run_sprt(counts, Sprt(0, 30), "nelo", row["n_seats"])
    assert got.llr == pytest.approx(row["llr_nelo_0_30_alt"], rel=COMPUTED)
    assert got.nelo == pytest.approx(row["nelo"], rel=COMPUTED)
    assert got.nelo_pm95 == pytest.approx(row["nelo_pm95"], rel=COMPUTED)
    observed = empirical_llr(counts, 0.5, 1 / (1 + 10 ** (-20 / 400)))
    assert observed == pytest.approx(row["llr_logistic_0_20_observed_cells_only"], rel=COMPUTED)
    filled = run_sprt(counts, Sprt(0, 20), "logistic").llr
    assert filled == pytest.approx(observed, rel=1e-3)


def test_counts_without_variance_have_a_logistic_ratio_but_no_normalized_one() -> None:
    test = Sprt(0, 10)
    got = run_sprt([0, 0, 4250], test)
    assert (got.llr, got.verdict, got.nelo, got.nelo_pm95) == (None, "inconclusive", None, None)
    assert run_sprt([0, 0, 4250], test, "logistic").llr == pytest.approx(120.56, rel=0.01)
    assert run_sprt([0, 0, 4250], test, "logistic").verdict == "passed"


def test_counts_without_variance_have_no_errors_and_extreme_ones_no_elo() -> None:
    level, always = estimate_elo([0, 7, 0]), estimate_elo([0, 0, 7])
    assert level.elo == pytest.approx(0, abs=1e-6)
    assert (level.elo_pm95, level.los, level.score, level.nelo, level.nelo_pm95) == (
        None,
        None,
        0.5,
        None,
        None,
    )
    assert (always.elo, always.elo_pm95, always.los, always.score) == (None, None, None, 1)


@pytest.mark.parametrize("model", MODELS)
@settings(deadline=None, max_examples=30)
@given(
    counts=st.sampled_from(sorted(LENGTHS)).flatmap(
        lambda n: st.lists(st.integers(0, 500), min_size=n, max_size=n).filter(any)
    )
)
def test_reversed_counts_and_hypotheses_reverse_every_sign(model: str, counts: list[int]) -> None:
    one, other = run_sprt(counts, Sprt(-5, 15), model), run_sprt(counts[::-1], Sprt(-15, 5), model)
    assert (one.llr is None) == (other.llr is None)
    assert one.llr is None or one.llr == pytest.approx(-other.llr, abs=1e-6)  # type: ignore[operator]
    here, there = estimate_elo(counts), estimate_elo(counts[::-1])
    assert here.elo is None or here.elo == pytest.approx(-there.elo, abs=1e-6)  # type: ignore[operator]
    assert here.los is None or here.los == pytest.approx(1 - there.los)  # type: ignore[operator]
    assert moments_of(counts).games == LENGTHS[len(counts)]


BAD = {
    "four counts": ((1, 2, 3, 4), None, "expected 3, 5, 13, 25 or 41 counts, got 4"),
    "no counts": ((), None, "expected 3, 5, 13, 25 or 41 counts, got 0"),
    "a negative count": ((1, -2, 3), None, "expected counts from 0 and not all 0, got 1,-2,3"),
    "nothing counted": ((0, 0, 0), None, "expected counts from 0 and not all 0, got 0,0,0"),
    "blocks of another table": ((1,) * 13, 4, "expected 25 counts for 4 seats, got 13"),
    "games of two at a table of three": ((1, 2, 3), 3, "expected 13 counts for 3 seats, got 3"),
}


@pytest.mark.parametrize("case", BAD)
def test_counts_that_cannot_be_are_refused(case: str) -> None:
    counts, seats, message = BAD[case]
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole text is compared
        moments_of(counts, seats)
    assert str(caught.value) == message


def test_a_plan_has_the_mean_games_at_the_hypotheses_and_midway() -> None:
    at0, midway, at1 = plan_sprt(PRESETS["regression"], 3)
    assert [plan.nelo for plan in (at0, midway, at1)] == [-20, -10, 0]
    assert [plan.passed for plan in (at0, midway, at1)] == pytest.approx([0.05, 0.5, 0.95])
    assert at0.games == pytest.approx(6.4e5 / 400, rel=0.01)
    assert midway.games == pytest.approx(1.05e6 / 400, rel=0.01)
    assert at1.blocks == pytest.approx(at1.games / 3)
