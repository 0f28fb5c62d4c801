"""The regression test: its likelihood ratio, its bounds, and blocks that end in any order."""

import json
import random
from math import inf, log, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.results import placement_scores
from tournaments.sprt import FIRST_LOOK, NELO_SCALE, PRESETS, Blocks, Design, Moments, Sprt

VECTORS = Path(__file__).parent / "vectors/ratings"
BLOCKS = json.loads((VECTORS / "block_gsprt.json").read_text())["rows"]
EXACT = 1e-9
WIDE = Sprt(-200, 200)
"""Decided within tens of blocks."""


@pytest.mark.parametrize("row", BLOCKS, ids=lambda row: f"{row['n_seats']} seats")
def test_blocks_have_the_reference_moments_and_likelihood_ratio(row: dict[str, Any]) -> None:
    design = Design(row["n_seats"])
    assert (design.games, design.top) == (row["games_per_block"], row["lattice_denominator"])
    moments = Moments.of_counts(row["counts_low_to_high"], design.games)
    assert moments.mean == pytest.approx(row["mean"], rel=EXACT)
    assert moments.sd**2 == pytest.approx(row["var"], rel=EXACT)
    assert moments.nelo == pytest.approx(row["nelo"], rel=EXACT)
    assert moments.nelo_pm95 == pytest.approx(row["nelo_pm95"], rel=EXACT)
    assert Sprt(0, 30).llr(moments) == pytest.approx(row["llr_nelo_0_30_alt"], rel=EXACT)


def test_the_usual_bounds() -> None:
    for test in PRESETS.values():
        assert test.upper == -test.lower == pytest.approx(2.9444389791664403, rel=EXACT)
    assert Sprt(0, 1, alpha=0.01, beta=0.1).lower == pytest.approx(log(0.1 / 0.99))
    assert Sprt(0, 1, alpha=0.01, beta=0.1).upper == pytest.approx(log(0.9 / 0.01))


def test_presets() -> None:
    assert {name: (test.elo0, test.elo1) for name, test in PRESETS.items()} == {
        "regression": (-20, 0), "gain": (0, 20), "smoke": (-40, 0),
    }  # fmt: skip


@pytest.mark.parametrize("bad", [(0, 0), (1, 0), (nan, 0), (0, nan), (-inf, 0)])
def test_hypotheses_out_of_order_are_refused(bad: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="expected elo0 below elo1"):
        Sprt(*bad)


@pytest.mark.parametrize("bad", [(0, 0.05), (0.05, 0), (0.5, 0.5), (nan, 0.1), (-0.1, 0.1)])
def test_impossible_error_rates_are_refused(bad: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="expected alpha and beta above 0"):
        Sprt(0, 1, *bad)


def test_expected_games_are_wald_s() -> None:
    for test in PRESETS.values():
        width = test.elo1 - test.elo0
        assert test.expected_games(test.elo0) == pytest.approx(6.4e5 / width**2, rel=0.01)
        assert test.expected_games(test.elo1) == pytest.approx(6.4e5 / width**2, rel=0.01)
        assert test.expected_games((test.elo0 + test.elo1) / 2) == pytest.approx(1.05e6 / width**2, rel=0.01)


def test_the_probability_to_pass_is_alpha_and_one_less_beta_at_the_hypotheses() -> None:
    test = Sprt(-3, 7, alpha=0.02, beta=0.1)
    assert test.pass_probability(-3) == pytest.approx(0.02)
    assert test.pass_probability(7) == pytest.approx(0.9)
    assert test.pass_probability(-1e5) == 0
    assert test.pass_probability(1e5) == 1


@settings(deadline=None, max_examples=50)
@given(st.floats(-1e5, 1e5), st.floats(-9, 9))
def test_expected_games_fall_to_0_at_the_bounds_and_are_smooth_midway(nelo: float, llr: float) -> None:
    test = PRESETS["regression"]
    assert 0 <= test.pass_probability(nelo, llr) <= 1
    assert 0 <= test.expected_games(nelo, llr) < 1.1e6 / 400
    assert test.expected_games(nelo, test.upper + 1) == pytest.approx(0, abs=1e-9)
    assert test.pass_probability(nelo, test.lower) == pytest.approx(0)
    near, at = test.expected_games(-10 + 1e-4, llr), test.expected_games(-10, llr)
    assert near == pytest.approx(at, rel=1e-3)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("field", [False, True])
def test_block_scores_lie_on_the_lattice_and_are_half_for_equals(seats: int, field: bool) -> None:
    design = Design(seats, field)
    rng = random.Random(seats)
    for _ in range(50):
        ranks = [1 + sum(a < b for a in line) for line in [rng.choices(range(3), k=seats)] for b in line]
        scores = placement_scores(ranks)
        mine, theirs = rng.choices(scores, k=seats), rng.choices(scores, k=seats) if field else []
        cell = design.score(mine, theirs) * design.top
        assert cell == pytest.approx(round(cell))
        assert Blocks(WIDE, design).add(0, design.score(mine, theirs)) == "inconclusive"
    each_place = [place / (seats - 1) for place in range(seats)]
    assert design.score(each_place, each_place if field else ()) == pytest.approx(0.5)
    assert design.score([1] * seats, [0] * seats if field else ()) == 1


def test_a_block_with_a_game_missing_has_no_score() -> None:
    with pytest.raises(ValueError, match="expected 3 and 0 placement scores, got 2 and 0"):
        Design(3).score([1, 0])
    with pytest.raises(ValueError, match="expected 2 and 2 placement scores, got 2 and 0"):
        Design(2, field=True).score([1, 0])


def decided_at(test: Sprt, design: Design, scores: list[float]) -> int:
    """Blocks until the verdict by the plain formula on every prefix; all if there is none."""
    for blocks in range(FIRST_LOOK, len(scores) + 1):
        prefix = np.array(scores[:blocks])
        if prefix.std() > 1e-12:
            t = (prefix.mean() - 0.5) / prefix.std()
            t0, t1 = (nelo * design.games**0.5 * log(10) / 800 for nelo in (test.elo0, test.elo1))
            llr = blocks / 2 * log((1 + (t - t0) ** 2) / (1 + (t - t1) ** 2))
            if not test.lower < llr < test.upper:
                return blocks
    return len(scores)


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 5), st.floats(0.2, 0.8), st.integers(0, 90), st.randoms(use_true_random=False))
def test_the_state_depends_on_the_blocks_alone_not_on_the_order_they_end_in(
    seats: int, strength: float, blocks: int, rng: random.Random
) -> None:
    design = Design(seats)
    cells = [sum(rng.random() < strength for _ in range(design.top)) for _ in range(blocks)]
    scores = [cell / design.top for cell in cells]
    running = Blocks(WIDE, design)
    for number in rng.sample(range(blocks), blocks):
        running.add(number, scores[number])
    state, counted = running.state(), decided_at(WIDE, design, scores)
    assert (state.blocks, state.games) == (counted, counted * seats)
    assert state.counts == tuple(cells[:counted].count(cell) for cell in range(design.top + 1))
    if counted:
        moments = Moments.of_counts(state.counts, seats)
        assert (state.mean, state.nelo, state.llr) == (moments.mean, moments.nelo, WIDE.llr(moments))
        assert moments.sd == pytest.approx(np.std(scores[:counted]))


def test_blocks_behind_a_gap_wait() -> None:
    blocks = Blocks(WIDE, Design(2))
    for number in range(1, 100):
        assert blocks.add(number, 0.75 + 0.25 * (number % 2)) == "inconclusive"
    assert blocks.state().blocks == 0
    assert blocks.add(0, 0.0) == "passed"
    assert 32 <= blocks.state().blocks < 100


def test_no_verdict_before_the_first_look_and_none_is_taken_back() -> None:
    blocks = Blocks(WIDE, Design(2))
    verdicts = [blocks.add(number, 0.75 + 0.25 * (number % 2)) for number in range(FIRST_LOOK)]
    assert verdicts == ["inconclusive"] * (FIRST_LOOK - 1) + ["passed"]
    decided = blocks.state()
    for number in range(FIRST_LOOK, 200):
        assert blocks.add(number, 0.0) == "passed"
    assert blocks.state() == decided
    assert (decided.expected_games_left, decided.expected_games_total) == (0, decided.games)


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_without_variance_there_is_no_likelihood_ratio(score: float) -> None:
    blocks = Blocks(WIDE, Design(3))
    for number in range(100):
        assert blocks.add(number, score) == "inconclusive"
    state = blocks.state()
    assert (state.mean, state.blocks) == (score, 100)
    assert (state.nelo, state.nelo_pm95, state.llr, state.expected_games_left) == (None, None, None, None)


def test_nothing_is_known_before_the_first_block() -> None:
    state = Blocks(WIDE, Design(4)).state()
    assert (state.blocks, state.mean, state.llr, state.verdict) == (0, None, None, "inconclusive")
    assert (state.lower, state.upper) == (WIDE.lower, WIDE.upper)


def test_expected_games_are_at_least_those_until_the_first_look() -> None:
    blocks = Blocks(WIDE, Design(2))
    for number in range(10):
        blocks.add(number, 0.25 * (number % 5))
    assert blocks.state().expected_games_left == (FIRST_LOOK - 10) * 2
    assert blocks.state().expected_games_total == FIRST_LOOK * 2


@pytest.mark.parametrize("score", [-0.25, 1.25, 0.3, nan, inf])
def test_a_score_off_the_lattice_is_refused(score: float) -> None:
    with pytest.raises(ValueError, match=r"expected a block score among 0, 1/4, …, 1"):
        Blocks(WIDE, Design(2)).add(0, score)


def test_a_block_number_counts_once() -> None:
    blocks = Blocks(WIDE, Design(2))
    blocks.add(0, 0.5)
    blocks.add(2, 0.5)
    for number in (0, 2, -1):
        with pytest.raises(ValueError, match="expected a new block number"):
            blocks.add(number, 0.5)


def test_normalized_elo_of_one_game_is_elo_near_equality_without_draws() -> None:
    """A game without draws has sd 1/2 there, and both have slope 1600/ln 10 by score."""
    moments = Moments.of_counts([4999, 5001], 1)
    assert moments.nelo == pytest.approx(400 * log(5001 / 4999, 10), rel=1e-6)
    assert pytest.approx(800 / log(10)) == NELO_SCALE
