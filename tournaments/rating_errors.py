"""Errors of ratings, which know that games of one deal are not independent.

The curvature of the composite likelihood alone would give wrong errors, as comparisons of one game and games of one
deal depend on each other; here the deal is the unit. How much an error is worth depends on the deals that the bot
itself took part in, not on all there are. RATINGS.md has the method in full.
"""

from collections.abc import Callable

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array
from scipy.special import expit

from tournaments.bradley_terry import (
    comparisons,
    components,
    fit,
    grounded,
    information,
    pair_scores,
    strong_components,
)
from tournaments.results import Floats, Ints, Results, Table

__all__ = ["BOOTSTRAP_DRAWS", "MIN_SANDWICH_DEALS", "Errors", "estimate_errors", "without_error"]

MIN_SANDWICH_DEALS = 30
"""From here on the sandwich; with fewer deals in all its middle is too rough and the bootstrap takes its place."""

BOOTSTRAP_DRAWS = 1000

_BOOTSTRAP_SEED = 1952


class Errors(Struct, frozen=True):
    """covariance: of θ in the gauge, (k, k); NaN when the deals cannot tell.  deals: that each bot took part in.

    freedom: degrees of freedom of each bot's error in the gauge, at least 1.
    """

    covariance: Floats
    deals: Ints
    freedom: Floats


def estimate_errors(
    results: Results, theta: Floats, prior: float, gauge: Floats, draws: int | None = None
) -> Errors:
    """Of the ratings gauge · θ. draws: of a bootstrap; None leaves the choice to the number of deals."""
    slopes = _deal_gradients(results, theta)
    own = np.bincount(slopes.indices, minlength=len(theta))
    slopes.data -= (np.asarray(slopes.sum(axis=0)) / own)[slopes.indices]
    counts = np.maximum(own, 2)
    inflation = np.sqrt(counts / (counts - 1))
    meat: Floats = (slopes.T @ slopes).toarray() * np.outer(inflation, inflation)
    scores = pair_scores(results)
    bread = np.linalg.inv(grounded(information(theta, scores + scores.T, prior), prior))
    response = _centred(gauge @ bread, np.diagonal(meat), components(scores))
    if len(results.deals) < 2:
        covariance = np.full(meat.shape, np.nan)
    elif draws is None and len(results.deals) >= MIN_SANDWICH_DEALS:
        covariance = response @ meat @ response.T
    else:
        drawn = _bootstrap(results, prior, draws or BOOTSTRAP_DRAWS) * np.outer(inflation, inflation)
        covariance = gauge @ drawn @ gauge.T
    return Errors(covariance, own, _freedom(response**2 * np.diagonal(meat), counts - 1))


def _centred(response: Floats, weights: Floats, groups: Ints) -> Floats:
    """How each rating moves with each bot's score, less a constant for each component.

    Placement scores less their means sum to 0 in each component, so the constant has no effect on what they move;
    but it says how much of that is which bot's doing.
    """
    same = groups[:, None] == groups[None, :]
    shares = same * np.maximum(weights, np.finfo(np.float64).tiny)
    centred: Floats = response - same * ((response * shares).sum(axis=1) / shares.sum(axis=1))[:, None]
    return centred


def _freedom(variances: Floats, own: Ints) -> Floats:
    """Mean, harmonic, of each bot's own degrees of freedom, weighted by its part of a rating's variance.

    Satterthwaite (1946), "An approximate distribution of estimates of variance components", Biometrics Bulletin 2,
    for parts that are not independent: bots of the same deals have together the freedom that each has.
    """
    total, parts = variances.sum(axis=1), (variances / own).sum(axis=1)
    freedom: Floats = np.divide(total, parts, out=np.ones_like(total), where=parts > 0)
    return freedom


def _deal_gradients(results: Results, theta: Floats) -> csr_array:
    """Observed minus expected placement scores in each deal, shape (deals, k)."""

    def slopes(table: Table) -> Floats:
        own = theta[table.players]
        expected = np.full(own.shape, -0.5)
        for other in range(table.seats):
            expected += expit(own - own[:, other : other + 1])
        difference: Floats = table.placements - expected / (table.seats - 1)
        return difference

    return _sums_by_deal(results, slopes)


def _sums_by_deal(results: Results, values: Callable[[Table], Floats]) -> csr_array:
    """Sums of each bot's values over the games of each deal, shape (deals, k): bots of a deal only, 0 or not.

    Most bots are in few deals, so that a dense array of a million deals would not fit.
    """
    rows = [np.repeat(table.deals, table.seats) for table in results.tables]
    columns = [table.players.ravel() for table in results.tables]
    cells = [values(table).ravel() for table in results.tables]
    shape = (len(results.deals), len(results.names))
    return coo_array((np.concatenate(cells), (np.concatenate(rows), np.concatenate(columns))), shape).tocsr()


def _bootstrap(results: Results, prior: float, draws: int) -> Floats:
    """Over deals: Efron (1979), "Bootstrap methods: another look at the jackknife", Annals of Statistics 7.

    All bots are rated together in each draw. NaN when a draw has no maximum, as then the variance is
    infinite.
    """
    scores = _drawn_scores(results, draws)
    if prior == 0 and any(strong_components(drawn)[0] > 1 for drawn in scores):
        return np.full(scores.shape[1:], np.nan)
    thetas = fit(scores.sum(axis=-1), scores + scores.swapaxes(-1, -2), prior)
    around = thetas - thetas.mean(axis=0)
    spread: Floats = around.T @ around / draws
    return spread


def _drawn_scores(results: Results, draws: int) -> Floats:
    """`pair_scores` of as many deals as there are, drawn from them with replacement; shape (draws, k, k)."""
    deals, k = len(results.deals), len(results.names)
    by_deal = _pair_scores_by_deal(results)
    rng = np.random.default_rng(_BOOTSTRAP_SEED)
    scores = np.empty((draws, k, k))
    for draw in range(draws):
        times = np.bincount(rng.integers(deals, size=deals), minlength=deals)
        scores[draw] = (times @ by_deal).reshape(k, k)
    return scores


def _pair_scores_by_deal(results: Results) -> csr_array:
    """Shape (deals, k·k)."""
    k = len(results.names)
    weights, cells, deals = [], [], []
    for table in results.tables:
        for a, b, ahead in comparisons(table):
            weights.append(ahead / (2 * table.seats - 2))
            cells.append(table.players[:, a] * k + table.players[:, b])
            deals.append(table.deals)
    where = np.concatenate(deals), np.concatenate(cells)
    return coo_array((np.concatenate(weights), where), (len(results.deals), k * k)).tocsr()


def without_error(results: Results) -> NDArray[np.bool_]:
    """Bots that were in fewer than two deals, or whose mean placement score was the same in all of theirs.

    Such deals show no variance, as those of a bot that always wins: the error is unknown then, not 0.
    """
    k = len(results.names)
    games = _sums_by_deal(results, lambda table: np.ones(table.players.shape))
    sums = _sums_by_deal(results, lambda table: table.placements)
    means, bots = sums.data / games.data, games.indices
    low, high = np.full(k, np.inf), np.full(k, -np.inf)
    np.minimum.at(low, bots, means)
    np.maximum.at(high, bots, means)
    unknown: NDArray[np.bool_] = (np.bincount(bots, minlength=k) < 2) | (high - low < 1e-12)
    return unknown
