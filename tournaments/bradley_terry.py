"""The Bradley-Terry model for tables of any size, and its estimate.

Bradley & Terry (1952), "Rank analysis of incomplete block designs I", Biometrika 39: i comes in ahead of j with
probability σ(θi - θj). A game of n gives n(n-1)/2 comparisons, each weighted 1/(n-1), ties half a win to both: a
composite likelihood (Varin, Reid & Firth 2011, "An overview of composite likelihood methods", Statistica Sinica 21),
whose gradient is observed minus expected placement score.

All that the estimate needs of the games are two arrays over k bots, here with any leading dimensions:
placements (..., k), each bot's sum of placement scores, and meetings (..., k, k), the weight of each pair's
comparisons.
"""

from collections.abc import Iterator
from itertools import permutations

import numpy as np
from scipy.sparse.csgraph import connected_components
from scipy.special import expit

from tournaments.results import Floats, Ints, Results, Table

__all__ = [
    "comparisons",
    "components",
    "fit",
    "gradient",
    "grounded",
    "information",
    "pair_scores",
    "strong_components",
]

_MAX_STEPS = 1000
_PRECISION = 1e-12  # of the log likelihood, before a last step that squares it


def pair_scores(results: Results) -> Floats:
    """What each bot took off each other one: sums of s/(n - 1), s = 1 ahead, 0.5 tied, 0 behind. Shape (k, k)."""
    k = len(results.names)
    sums = np.zeros(k * k)
    for table in results.tables:
        twice = np.zeros(k * k)  # of whole numbers, so that sums are exact
        for a, b, ahead in comparisons(table):
            where = table.players[:, a] * k + table.players[:, b]
            twice += np.bincount(where, weights=ahead, minlength=k * k)
        sums += twice / (2 * table.seats - 2)
    return sums.reshape(k, k)


def comparisons(table: Table) -> Iterator[tuple[int, int, Ints]]:
    """Every ordered pair of seats, with twice what the first took off the second in each game."""
    for a, b in permutations(range(table.seats), 2):
        yield a, b, 1 + np.sign(table.ranks[:, b] - table.ranks[:, a])


def gradient(theta: Floats, placements: Floats, meetings: Floats, prior: float) -> Floats:
    """Observed minus expected placement scores, and the prior's pull to 0."""
    expected = (meetings * _ahead(theta)).sum(axis=-1)
    slope: Floats = placements - expected + prior * (1 - 2 * expit(theta))
    return slope


def information(theta: Floats, meetings: Floats, prior: float) -> Floats:
    """Minus the second derivatives of the log likelihood, shape (..., k, k)."""
    ahead = _ahead(theta)
    weights = meetings * ahead * (1 - ahead)
    own = weights.sum(axis=-1) + 2 * prior * expit(theta) * expit(-theta)
    matrix: Floats = own[..., None] * np.eye(theta.shape[-1]) - weights
    return matrix


def fit(placements: Floats, meetings: Floats, prior: float) -> Floats:
    """θ at the maximum; with prior 0, where only differences count, the one with mean 0.

    There must be a maximum. Damped Newton: a log likelihood of logistic terms is generalised
    self-concordant, and a step of ln(1 + β)/β times Newton's, β the largest change of any difference, climbs
    from everywhere and is Newton's in the end (Sun & Tran-Dinh 2019, "Generalized self-concordant
    functions", Mathematical Programming 178, ν = 2). No line search is needed.
    """
    theta = np.zeros_like(placements)
    for _ in range(_MAX_STEPS):
        slope = gradient(theta, placements, meetings, prior)
        curvature = grounded(information(theta, meetings, prior), prior)
        step = np.asarray(np.linalg.solve(curvature, slope[..., None])[..., 0])
        reach = np.maximum(np.ptp(step, axis=-1, keepdims=True), abs(step).max(axis=-1, keepdims=True))
        theta = theta + step * (np.log1p(reach) / np.maximum(reach, np.finfo(np.float64).tiny))
        if (slope * step).sum(axis=-1).max() < _PRECISION:
            return np.asarray(theta)
    raise ArithmeticError(f"the ratings did not converge in {_MAX_STEPS} steps")


def components(scores: Floats) -> Ints:
    """The component of each bot: bots are in one if a chain of results connects them.

    scores: as from `pair_scores`, shape (k, k).
    """
    _, labels = connected_components(scores + scores.T > 0, directed=False)
    return np.asarray(labels, dtype=np.int64)


def _ahead(theta: Floats) -> Floats:
    """P(i ahead of j), shape (..., k, k)."""
    ahead: Floats = expit(theta[..., :, None] - theta[..., None, :])
    return ahead


def grounded(matrix: Floats, prior: float) -> Floats:
    """The matrix made invertible: without a prior a shift of all bots has no cost, so it is given one.

    Adding a multiple of 11ᵀ changes nothing within the vectors of sum 0, where all differences lie.
    """
    if prior > 0:
        return matrix
    filled: Floats = matrix + np.trace(matrix, axis1=-2, axis2=-1)[..., None, None] / matrix.shape[-1] ** 2
    return filled


def strong_components(scores: Floats) -> tuple[int, Ints]:
    """Strongly connected components where an arc is "took something off"."""
    count, labels = connected_components(scores > 0, directed=True, connection="strong")
    return int(count), np.asarray(labels, dtype=np.int64)
