"""Ratings: the estimate, its errors, and when there is none."""

import json
import random
from math import isnan, log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t
from simulated_games import simulate
from test_results import results

from tournaments.bradley_terry import components, fit, gradient, information, pair_scores
from tournaments.rating_errors import MIN_SANDWICH_DEALS
from tournaments.ratings import ELO_SCALE, Anchor, RatingError, Ratings, rate
from tournaments.results import Floats, Result, Results

VECTORS = Path(__file__).parent / "vectors/ratings"


def vectors(name: str) -> Any:
    return json.loads((VECTORS / name).read_text())


def duel(deal: int, first: str, second: str) -> Result:
    """A game of two that the first one wins."""
    return Result(deal, (first, second), (1, 2))


def rated(games: list[Result], prior: float = 0.5, anchor: str | None = None) -> Ratings:
    return rate(Results.collect(games), prior, None if anchor is None else Anchor(anchor))


def log_likelihood(games: list[Result], names: list[str], theta: Floats, prior: float) -> float:
    """As the method states it, comparison by comparison."""
    strength = dict(zip(names, theta.tolist(), strict=True))
    total = sum(-prior * (np.logaddexp(0, t) + np.logaddexp(0, -t)) for t in theta)
    for game in games:
        seats = range(len(game.players))
        for a, b in ((a, b) for a in seats for b in seats if a < b):
            s = 0.5 + 0.5 * np.sign(game.ranks[b] - game.ranks[a])
            lead = strength[game.players[a]] - strength[game.players[b]]
            total += (-s * np.logaddexp(0, -lead) - (1 - s) * np.logaddexp(0, lead)) / (len(seats) - 1)
    return float(total)


@pytest.mark.parametrize("row", vectors("bradley_terry_prior.json")["rows"])
def test_elos_and_curvature_equal_the_reference_with_virtual_games(row: dict[str, Any]) -> None:
    scores = np.zeros((3, 3))
    for i, j, wins_i, wins_j in row["records"]:
        scores[i, j] += wins_i
        scores[j, i] += wins_j
    meetings = scores + scores.T
    theta = fit(scores.sum(axis=1), meetings, row["prior"])
    np.testing.assert_allclose(theta * ELO_SCALE, row["elo"], atol=0.001)
    curvature = -np.diagonal(information(theta, meetings, row["prior"])) / ELO_SCALE**2
    np.testing.assert_allclose(curvature, row["second_derivative"], rtol=2e-5)


@pytest.mark.parametrize("row", vectors("bradley_terry_prior.json")["rows"])
def test_the_reference_conditional_deviations_are_those_of_the_whole_density(row: dict[str, Any]) -> None:
    """Root mean square deviation from the estimate, all other ratings held; not 1/√curvature."""
    scores = np.zeros((3, 3))
    for i, j, wins_i, wins_j in row["records"]:
        scores[i, j] += wins_i
        scores[j, i] += wins_j
    theta = fit(scores.sum(axis=1), scores + scores.T, row["prior"])
    grid = np.linspace(-11.5, 11.5, 20_001)  # ± 2000 Elo
    for i in range(3):
        density = -row["prior"] * (np.logaddexp(0, grid) + np.logaddexp(0, -grid))
        for j in {0, 1, 2} - {i}:
            density -= scores[i, j] * np.logaddexp(0, theta[j] - grid)
            density -= scores[j, i] * np.logaddexp(0, grid - theta[j])
        spread = np.average((grid - theta[i]) ** 2, weights=np.exp(density - density.max())) ** 0.5
        assert spread * ELO_SCALE == pytest.approx(row["cond_sd"][i], rel=0.006)


def test_a_round_robin_of_sixteen_has_the_printed_elos() -> None:
    players = vectors("round_robin_16.json")["players"]
    points = np.array([player["points"] for player in players])
    theta = fit(points, 1000 * (1 - np.eye(16)), 0.0)
    np.testing.assert_allclose(theta * ELO_SCALE, [player["elo_printed"] for player in players], atol=0.05)


def test_errors_of_a_round_robin_of_sixteen_are_those_of_its_pairs_of_games() -> None:
    """The printed errors come from resampling pairs of games: a pair is a deal here.

    Each player's pair counts are given over all opponents together: a pairing's variance is shared out as
    v_ij = a_i + a_j, which the rows' sums fix. The curvature alone gives errors about twice as large or more.
    """
    players = vectors("round_robin_16.json")["players"]
    meetings = 1000 * (1 - np.eye(16))
    theta = fit(np.array([player["points"] for player in players]), meetings, 0.0)
    expected = 2 / (1 + np.exp(theta[None, :] - theta[:, None])) * (1 - np.eye(16))
    squares = [sum(n * (i / 2) ** 2 for i, n in enumerate(player["penta"])) for player in players]
    own = np.array(squares) - 500 * (expected**2).sum(axis=1)
    shares = np.linalg.solve(14 * np.eye(16) + 1, own)
    meat = np.diag(own) - (shares[:, None] + shares[None, :]) * (1 - np.eye(16))
    bread = np.linalg.pinv(information(theta, meetings, 0.0), hermitian=True)
    errors = 1.96 * ELO_SCALE * np.sqrt(np.diagonal(bread @ meat @ bread))
    printed = [np.mean([abs(float(end)) for end in player["error95"].split("/")]) for player in players]
    np.testing.assert_allclose(errors, printed, atol=0.4)
    assert (1.96 * ELO_SCALE * np.sqrt(np.diagonal(bread)) > 1.9 * errors).all()


@settings(deadline=None, max_examples=30)
@given(st.lists(results(), min_size=1, max_size=6), st.floats(0, 2), st.integers(0, 2**32 - 1))
def test_gradient_and_information_are_the_derivatives(games: list[Result], prior: float, seed: int) -> None:
    collected = Results.collect(games)
    names, scores = list(collected.names), pair_scores(collected)
    placements, meetings = scores.sum(axis=1), scores + scores.T
    theta = np.random.default_rng(seed).normal(size=len(names))
    slope, curvature = gradient(theta, placements, meetings, prior), information(theta, meetings, prior)
    for i, step in enumerate(np.eye(len(names)) * 1e-5):
        up, down = theta + step, theta - step
        rise = log_likelihood(games, names, up, prior) - log_likelihood(games, names, down, prior)
        assert slope[i] == pytest.approx(rise / 2e-5, abs=1e-6)
        bend = gradient(up, placements, meetings, prior) - gradient(down, placements, meetings, prior)
        np.testing.assert_allclose(curvature[i], -bend / 2e-5, atol=1e-6)


@settings(deadline=None, max_examples=30)
@given(st.lists(results(), min_size=1, max_size=20), st.sampled_from([0.001, 0.5, 10.0]))
def test_at_the_estimate_observed_placement_is_expected_placement_less_the_prior(
    games: list[Result], prior: float
) -> None:
    scores = pair_scores(Results.collect(games))
    theta = fit(scores.sum(axis=1), scores + scores.T, prior)
    np.testing.assert_allclose(gradient(theta, scores.sum(axis=1), scores + scores.T, prior), 0, atol=1e-6)


@settings(deadline=None, max_examples=10)
@given(st.lists(results(), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_ratings_do_not_depend_on_the_order_of_games_to_the_last_bit(
    games: list[Result], rng: random.Random
) -> None:
    one, other = rated(games), rated(rng.sample(games, len(games)))
    assert one.elo.tobytes() == other.elo.tobytes()
    assert one.covariance.tobytes() == other.covariance.tobytes()


@pytest.mark.parametrize("deals", [8, 40])
def test_ratings_do_not_depend_on_what_bots_are_called(deals: int) -> None:
    games = simulate(np.random.default_rng(5), [0.6, 0.1, -0.2, -0.5], 3, deals)
    new = {"bot0": "z", "bot1": "a", "bot2": "m", "bot3": "b"}
    one = rated(games)
    other = rated([Result(g.deal, tuple(new[name] for name in g.players), g.ranks) for g in games])
    moved = [other.names.index(new[name]) for name in one.names]
    np.testing.assert_allclose(other.elo[moved], one.elo, atol=1e-6)
    np.testing.assert_allclose(other.covariance[np.ix_(moved, moved)], one.covariance, rtol=1e-6)


def test_two_bots_without_prior_have_the_elo_of_their_score() -> None:
    games = [duel(deal, *("ab" if deal % 4 else "ba")) for deal in range(40)]
    assert rated(games, prior=0).elo == pytest.approx([200 * log(3, 10), -200 * log(3, 10)])


def test_the_error_of_two_bots_is_that_of_a_mean_when_every_game_has_its_own_deal() -> None:
    games = [duel(deal, *("ab" if deal % 4 else "ba")) for deal in range(40)]
    slope = ELO_SCALE / (0.75 * 0.25)  # of Elo by score
    expected = slope * np.sqrt(0.75 * 0.25 / 39)
    ratings = rated(games, prior=0)
    assert ratings.std_errors_of_differences()[0, 1] == pytest.approx(expected)
    assert ratings.std_errors() == pytest.approx([expected / 2] * 2)


def test_an_anchor_has_elo_0_and_no_error_and_moves_no_difference() -> None:
    games = simulate(np.random.default_rng(2), [0.5, 0, -0.5], 3, 40)
    free, held = rated(games), rated(games, anchor="bot1")
    assert free.elo.mean() == pytest.approx(0, abs=1e-9)
    assert held.elo[1] == 0
    assert isnan(held.std_errors()[1])
    np.testing.assert_allclose(held.elo, free.elo - free.elo[1], atol=1e-9)
    np.testing.assert_allclose(held.std_errors_of_differences(), free.std_errors_of_differences(), rtol=1e-6)
    assert held.std_errors()[0] == pytest.approx(free.std_errors_of_differences()[0, 1])


def test_bootstrap_and_sandwich_agree_where_one_takes_over_from_the_other() -> None:
    deals = MIN_SANDWICH_DEALS
    games = simulate(np.random.default_rng(3), [0.5, 0, -0.5], 3, deals)
    sandwich = rated(games)
    bootstrap = rated([game for game in games if game.deal < deals - 1])
    np.testing.assert_allclose(bootstrap.std_errors(), sandwich.std_errors(), rtol=0.15)


@pytest.mark.parametrize(("deals", "runs"), [(4, 40), (15, 40), (40, 80)])
def test_95_percent_intervals_hold_the_truth(deals: int, runs: int) -> None:
    """Tolerance: 3 binomial deviations, counting a run of three bots as one trial.

    Errors from the curvature, as if all comparisons were independent, hold it far less often.
    """
    theta = np.array([0.4, 0.0, -0.4])
    held, naive = np.zeros((runs, 3)), np.zeros((runs, 3))
    for run in range(runs):
        collected = Results.collect(simulate(np.random.default_rng(run), theta.tolist(), 3, deals, same=0.9))
        ratings = rate(collected)
        miss = abs(ratings.elo - theta * ELO_SCALE)
        held[run] = ~(miss > ratings.margins95())
        naive[run] = miss < 1.96 * curvature_errors(collected, ratings)
    assert abs(held.mean() - 0.95) < 3 * np.sqrt(0.95 * 0.05 / runs)
    assert naive.mean() < 0.8


def test_95_percent_intervals_hold_the_truth_for_a_guest_of_few_deals_and_for_its_hosts() -> None:
    """A guest in 2 of 30 deals. Tolerance: 3 binomial deviations below; above, few games of a deal allow more.

    With the small-sample factor and the degrees of freedom of all 30 deals the guest's hold it far less often.
    """
    runs, deals, own = 100, 30, 2
    theta = np.array([0.4, -0.4, 0.2])
    truth = (theta - theta.mean()) * ELO_SCALE
    held, lead_held, careless = np.zeros((runs, 3)), np.zeros(runs), np.zeros(runs)
    for run in range(runs):
        games = simulate(np.random.default_rng(run), theta.tolist(), 2, deals, same=0.8)
        ratings = rated([game for game in games if game.deal < own or "bot2" not in game.players])
        miss, margins = abs(ratings.elo - truth), ratings.margins95()
        held[run] = ~(miss > margins)
        lead = ratings.elo[2] - ratings.elo[0] - truth[2] + truth[0]
        lead_held[run] = not abs(lead) > ratings.margins95_of_differences()[2, 0]
        factor = (deals / (deals - 1)) / (own / (own - 1))
        careless[run] = miss[2] < t.ppf(0.975, deals - 1) * np.sqrt(factor) * ratings.std_errors()[2]
    least = 0.95 - 3 * np.sqrt(0.95 * 0.05 / runs)
    assert (held.mean(axis=0) > least).all()
    assert lead_held.mean() > least
    assert careless.mean() < least


def test_bots_of_all_deals_have_the_freedom_of_all_deals_and_a_guest_that_of_its_own() -> None:
    games = simulate(np.random.default_rng(6), [0.5, 0, -0.5], 2, 40)
    np.testing.assert_allclose(rated(games).freedom, 39)
    guest = rated([game for game in games if game.deal < 5 or "bot2" not in game.players])
    assert guest.deals.tolist() == [40, 40, 5]
    assert (guest.freedom[:2] < 10).all()  # a third of the guest's error is theirs, as the mean is 0
    assert guest.freedom[2] == pytest.approx(4, abs=0.5)


def curvature_errors(collected: Results, ratings: Ratings) -> Floats:
    meetings = pair_scores(collected) + pair_scores(collected).T
    inverse = np.linalg.pinv(information(ratings.elo / ELO_SCALE, meetings, 0.0), hermitian=True)
    errors: Floats = ELO_SCALE * np.sqrt(np.diagonal(inverse))
    return errors


def test_superiority_is_half_for_equals_and_sums_to_one_both_ways() -> None:
    games = simulate(np.random.default_rng(4), [0.4, 0, -0.4], 3, 40)
    superiority = rated(games).superiority()
    assert superiority[0, 2] > 0.95
    np.testing.assert_allclose(superiority + superiority.T, np.where(np.eye(3), np.nan, 1))


def test_one_deal_gives_ratings_without_errors() -> None:
    ratings = rated(simulate(np.random.default_rng(1), [1, 0, -1], 3, 1))
    assert ratings.elo[0] > ratings.elo[2]
    for unknown in (ratings.std_errors(), ratings.margins95(), ratings.superiority()):
        assert np.isnan(unknown).all()


def test_a_bot_that_always_wins_has_no_error_and_the_others_have() -> None:
    games = simulate(np.random.default_rng(1), [0.3, -0.3], 2, 40)
    games += [Result(deal, ("best", bot), (1, 2)) for deal in range(40) for bot in ("bot0", "bot1")]
    errors = dict(zip(("best", "bot0", "bot1"), rated(games).std_errors(), strict=True))
    assert isnan(errors["best"])
    assert errors["bot0"] > 0
    assert errors["bot1"] > 0


def test_bots_that_only_the_seat_decides_between_have_no_error() -> None:
    games = [duel(deal, *pair) for deal in range(40) for pair in ("ab", "ba")]
    assert np.isnan(rated(games).std_errors()).all()


def test_a_bot_of_one_deal_has_no_error() -> None:
    games = simulate(np.random.default_rng(1), [0.3, 0, -0.3], 3, 40)
    ratings = rated([*games, duel(0, "guest", "bot0"), duel(0, "bot1", "guest")])
    unknown = np.isnan(ratings.std_errors())
    assert dict(zip(ratings.names, unknown.tolist(), strict=True)) == {
        "bot0": False, "bot1": False, "bot2": False, "guest": True,
    }  # fmt: skip


def test_bots_that_no_chain_of_results_connects_are_set_apart() -> None:
    games = [duel(d, *pair) for d in range(40) for pair in (("a", "b"), ("x", "y"), ("y", "z"))]
    games += [duel(d, "b", "a") for d in range(10)]
    ratings = rated(games)
    assert ratings.components.tolist() == [0, 0, 1, 1, 1]
    assert ratings.elo[:2].sum() == pytest.approx(0, abs=1e-9)
    assert ratings.elo[2:].sum() == pytest.approx(0, abs=1e-9)
    assert np.isnan(ratings.superiority()[:2, 2:]).all()
    assert components(np.zeros((3, 3))).tolist() == [0, 1, 2]


def test_without_a_prior_bots_that_nothing_connects_are_named() -> None:
    games = [duel(0, "a", "b"), duel(0, "b", "a"), duel(0, "x", "y"), duel(0, "y", "x")]
    with pytest.raises(RatingError, match=r"connects a, b with x, y: rate with a prior above 0"):
        rated(games, prior=0)


def test_without_a_prior_bots_that_nobody_scored_against_are_named() -> None:
    games = [duel(0, "a", "b"), duel(0, "b", "a"), duel(0, "b", "y"), duel(0, "y", "x"), duel(0, "x", "y")]
    with pytest.raises(RatingError, match=r"no other bot ever scored against a, b, so that no finite rating"):
        rated(games, prior=0)
    assert np.isfinite(rated(games).elo).all()


@pytest.mark.parametrize("prior", [0.001, 0.5, 1e6])
def test_a_prior_makes_the_hardest_results_finite(prior: float) -> None:
    scores = np.triu(np.ones((12, 12)), 1) * 1e5
    theta = fit(scores.sum(axis=1), scores + scores.T, prior)
    assert (np.diff(theta) < 0).all()
    np.testing.assert_allclose(theta, -theta[::-1], atol=1e-3)


def test_without_a_prior_few_deals_that_could_have_been_one_sided_have_no_error() -> None:
    games = [duel(deal, *("ab" if deal else "ba")) for deal in range(4)]
    assert np.isnan(rated(games, prior=0).std_errors()).all()
    assert (rated(games, prior=0.5).std_errors() > 0).all()


@pytest.mark.parametrize("prior", [-1.0, 1e-9, float("nan"), float("inf")])
def test_an_impossible_prior_is_refused(prior: float) -> None:
    with pytest.raises(RatingError, match="expected a prior of 0, or from"):
        rated([duel(0, "a", "b")], prior=prior)


def test_an_unknown_anchor_and_no_results_are_refused() -> None:
    with pytest.raises(RatingError, match="expected one of a, b as the anchor, got c"):
        rated([duel(0, "a", "b")], anchor="c")
    with pytest.raises(RatingError, match="no results"):
        rated([])


@settings(deadline=None, max_examples=20)
@given(st.lists(results(), min_size=1, max_size=40))
def test_every_set_of_results_has_finite_ratings_and_errors_that_are_never_0(games: list[Result]) -> None:
    ratings = rated(games)
    assert np.isfinite(ratings.elo).all()
    errors = ratings.std_errors()
    assert ((errors > 1e-6) | np.isnan(errors)).all()
