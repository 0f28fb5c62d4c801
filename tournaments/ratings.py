"""Elo ratings for tables of any size, with errors that know that games of one deal are not independent.

Model: Bradley & Terry (1952), "Rank analysis of incomplete block designs I", Biometrika 39: i comes in
ahead of j with probability σ(θi - θj). A game of n gives n(n-1)/2 comparisons, each weighted 1/(n-1), ties
half a win to both: a composite likelihood (Varin, Reid & Firth 2011, "An overview of composite likelihood
methods", Statistica Sinica 21), whose gradient is observed minus expected placement score. Its curvature
alone would give wrong errors, as comparisons of one game and games of one deal depend on each other;
`covariance` takes the deal as the unit.

All that the estimate needs of the games are two arrays over k bots, here with any leading dimensions:
placements (..., k), each bot's sum of placement scores, and meetings (..., k, k), the weight of each pair's
comparisons. RATINGS.md has the method in full.
"""

from math import log

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components
from scipy.special import expit
from scipy.stats import t

from tournaments.results import Floats, Ints, Results

__all__ = [
    "BOOTSTRAP_DRAWS",
    "ELO_SCALE",
    "MAX_PRIOR",
    "MIN_PRIOR",
    "MIN_SANDWICH_DEALS",
    "RatingError",
    "Ratings",
    "components",
    "covariance",
    "fit",
    "gradient",
    "information",
    "pair_scores",
    "rate",
]

ELO_SCALE = 400 / log(10)
"""Elo per unit of θ: 400 Elo are odds of 10 to 1 (Elo 1978, "The Rating of Chessplayers", logistic form)."""

MIN_SANDWICH_DEALS = 30
"""From here on the sandwich; with fewer deals its middle is too rough and the bootstrap takes its place."""

BOOTSTRAP_DRAWS = 1000

MIN_PRIOR, MAX_PRIOR = 1e-3, 1e6
"""Bounds of a prior above 0: with a smaller one rounding, not results, would place a bot that never lost."""

_BOOTSTRAP_SEED = 1952
_MAX_STEPS = 1000
_PRECISION = 1e-12  # of the log likelihood, before a last step that squares it


class RatingError(ValueError):
    """Results that have no ratings, or a request that cannot be met."""


class Ratings(Struct, frozen=True):
    """Ratings of all bots, in the order of `Results.names`.

    elo: mean 0 in each component, or the anchor 0 in its own.  covariance: of `elo`, in Elo²; NaN in rows and
    columns of bots whose error cannot be estimated.  components: which bots can be compared, numbered from 0.
    deals: how many independent deals the errors come from.
    """

    names: tuple[str, ...]
    elo: Floats
    covariance: Floats
    components: Ints
    deals: int

    def std_errors(self) -> Floats:
        """Of each bot's Elo against its component's mean or the anchor. NaN: no estimate, or the anchor."""
        return _root(np.diagonal(self.covariance))

    def std_errors_of_differences(self) -> Floats:
        """Shape (k, k). NaN: no estimate, a bot and itself, or bots that cannot be compared."""
        own = np.diagonal(self.covariance)
        errors = _root(own[:, None] + own[None, :] - 2 * self.covariance)
        return np.where(self.components[:, None] == self.components[None, :], errors, np.nan)

    def margins95(self) -> Floats:
        """Half of each bot's 95 % interval: Student's t with deals - 1 degrees of freedom times the error.

        With few clusters the normal 1.96 promises too much (Cameron & Miller 2015, "A practitioner's guide to
        cluster-robust inference", Journal of Human Resources 50, section VI).
        """
        margins: Floats = t.ppf(0.975, max(self.deals - 1, 1)) * self.std_errors()
        return margins

    def superiority(self) -> Floats:
        """P(i is stronger than j), shape (k, k): Φ(Δ/SE), with Student's t for Φ as in `margins95`."""
        lead = (self.elo[:, None] - self.elo[None, :]) / self.std_errors_of_differences()
        probability: Floats = t.cdf(lead, max(self.deals - 1, 1))
        return probability


def _root(variances: Floats) -> Floats:
    """Standard errors; a variance of 0 is no error but the lack of one."""
    roots: Floats = np.sqrt(np.where(variances > 0, variances, np.nan))
    return roots


def rate(results: Results, prior: float = 0.5, anchor: str | None = None) -> Ratings:
    """The ratings that maximise the composite likelihood with its prior.

    prior: c, wins and losses of every bot against a fixed bot of 0 Elo.  anchor: the bot that is set to 0.
    Raises RatingError with prior 0 when no finite ratings fit, for an unknown anchor, and without results.
    """
    if not results.names:
        raise RatingError("no results to rate")
    if not (prior == 0 or MIN_PRIOR <= prior <= MAX_PRIOR):
        raise RatingError(f"expected a prior of 0, or from {MIN_PRIOR:g} to {MAX_PRIOR:g}, got {prior}")
    if anchor is not None and anchor not in results.names:
        raise RatingError(f"expected one of {', '.join(results.names)} as the anchor, got {anchor}")
    scores = pair_scores(results)[0]
    if prior == 0:
        _check_maximum(scores, results.names)
    theta = fit(scores.sum(axis=1), scores + scores.T, prior)
    groups = components(scores)
    gauge = _gauge(groups, None if anchor is None else results.names.index(anchor))
    errors = gauge @ covariance(results, theta, prior) @ gauge.T * ELO_SCALE**2
    unknown = _without_error(results)
    if anchor is not None and unknown[results.names.index(anchor)]:
        unknown |= groups == groups[results.names.index(anchor)]
    errors[unknown, :] = errors[:, unknown] = np.nan
    return Ratings(results.names, gauge @ theta * ELO_SCALE, errors, groups, len(results.deals))


def pair_scores(results: Results, by_deal: bool = False) -> Floats:
    """What each bot took off each other one: sums of s/(n - 1), s = 1 ahead, 0.5 tied, 0 behind.

    Shape (deals, k, k), or (1, k, k) for all deals together.
    """
    k, deals = len(results.names), len(results.deals) if by_deal else 1
    sums = np.zeros(deals * k * k)
    for table in results.tables:
        deal = table.deals if by_deal else np.zeros_like(table.deals)
        for a in range(table.seats):
            for b in range(table.seats):
                if a != b:
                    ahead = (1 + np.sign(table.ranks[:, b] - table.ranks[:, a])) / (2 * table.seats - 2)
                    where = (deal * k + table.players[:, a]) * k + table.players[:, b]
                    sums += np.bincount(where, weights=ahead, minlength=len(sums))
    return sums.reshape(deals, k, k)


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
        curvature = _grounded(information(theta, meetings, prior), prior)
        step = np.asarray(np.linalg.solve(curvature, slope[..., None])[..., 0])
        reach = np.maximum(np.ptp(step, axis=-1, keepdims=True), abs(step).max(axis=-1, keepdims=True))
        theta = theta + step * (np.log1p(reach) / np.maximum(reach, np.finfo(np.float64).tiny))
        if (slope * step).sum(axis=-1).max() < _PRECISION:
            return np.asarray(theta)
    raise ArithmeticError(f"the ratings did not converge in {_MAX_STEPS} steps")


def covariance(results: Results, theta: Floats, prior: float) -> Floats:
    """Of θ, up to a shift of all bots of a component. NaN when the deals cannot tell, as with one deal."""
    deals, k = len(results.deals), len(theta)
    if deals < 2:
        return np.full((k, k), np.nan)
    spread = _sandwich if deals >= MIN_SANDWICH_DEALS else _bootstrap
    result: Floats = spread(results, theta, prior) * (deals / (deals - 1))
    return result


def _sandwich(results: Results, theta: Floats, prior: float) -> Floats:
    """Clustered by deal.

    Liang & Zeger (1986), "Longitudinal data analysis using generalized linear models", Biometrika 73, with
    a deal as the cluster. Deals' gradients are taken from their mean, which is 0 but for the prior.
    """
    slopes = _deal_gradients(results, theta)
    slopes = slopes - slopes.mean(axis=0)
    scores = pair_scores(results)[0]
    bread = np.linalg.inv(_grounded(information(theta, scores + scores.T, prior), prior))
    meat: Floats = slopes.T @ slopes
    return bread @ meat @ bread


def _deal_gradients(results: Results, theta: Floats) -> Floats:
    """Observed minus expected placement scores in each deal, shape (deals, k)."""
    k = len(theta)
    sums = np.zeros(len(results.deals) * k)
    for table in results.tables:
        own = theta[table.players]
        expected = (expit(own[:, :, None] - own[:, None, :]).sum(axis=2) - 0.5) / (table.seats - 1)
        where = (table.deals[:, None] * k + table.players).ravel()
        sums += np.bincount(where, weights=(table.placements - expected).ravel(), minlength=len(sums))
    return sums.reshape(-1, k)


def _bootstrap(results: Results, theta: Floats, prior: float) -> Floats:
    """Over deals: Efron (1979), "Bootstrap methods: another look at the jackknife", Annals of Statistics 7.

    All bots are rated together in each draw. NaN when a draw has no maximum, as then the variance is
    infinite.
    """
    deals, k = len(results.deals), len(theta)
    rng = np.random.default_rng(_BOOTSTRAP_SEED)
    draws = rng.multinomial(deals, np.full(deals, 1 / deals), size=BOOTSTRAP_DRAWS).astype(np.float64)
    scores = np.tensordot(draws, pair_scores(results, by_deal=True), axes=1)
    if prior == 0 and any(_count_strong(drawn)[0] > 1 for drawn in scores):
        return np.full((k, k), np.nan)
    thetas = fit(scores.sum(axis=-1), scores + scores.swapaxes(-1, -2), prior)
    around = thetas - thetas.mean(axis=0)
    spread: Floats = around.T @ around / BOOTSTRAP_DRAWS
    return spread


def _without_error(results: Results) -> NDArray[np.bool_]:
    """Bots that were in fewer than two deals, or whose mean placement score was the same in all of theirs.

    Such deals show no variance, as those of a bot that always wins: the error is unknown then, not 0.
    """
    k = len(results.names)
    games, sums = np.zeros(len(results.deals) * k), np.zeros(len(results.deals) * k)
    for table in results.tables:
        where = (table.deals[:, None] * k + table.players).ravel()
        games += np.bincount(where, minlength=len(games))
        sums += np.bincount(where, weights=table.placements.ravel(), minlength=len(sums))
    means = (sums / np.maximum(games, 1)).reshape(-1, k)
    played = games.reshape(-1, k) > 0
    low, high = np.where(played, means, 1).min(axis=0), np.where(played, means, 0).max(axis=0)
    unknown: NDArray[np.bool_] = (played.sum(axis=0) < 2) | (high - low < 1e-12)
    return unknown


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


def _grounded(matrix: Floats, prior: float) -> Floats:
    """The matrix made invertible: without a prior a shift of all bots has no cost, so it is given one.

    Adding a multiple of 11ᵀ changes nothing within the vectors of sum 0, where all differences lie.
    """
    if prior > 0:
        return matrix
    grounded: Floats = matrix + np.trace(matrix, axis1=-2, axis2=-1)[..., None, None] / matrix.shape[-1] ** 2
    return grounded


def _gauge(groups: Ints, anchor: int | None) -> Floats:
    """The matrix that sets each component's mean to 0, or the anchor in its component."""
    same = groups[:, None] == groups[None, :]
    origin = same / same.sum(axis=1, keepdims=True)
    if anchor is not None:
        origin[same[anchor]] = np.arange(len(groups)) == anchor
    matrix: Floats = np.eye(len(groups)) - origin
    return matrix


def _count_strong(scores: Floats) -> tuple[int, Ints]:
    """Strongly connected components where an arc is "took something off"."""
    count, labels = connected_components(scores > 0, directed=True, connection="strong")
    return int(count), np.asarray(labels, dtype=np.int64)


def _check_maximum(scores: Floats, names: tuple[str, ...]) -> None:
    """Without a prior a maximum exists only if every bot took something off every other one, through a chain.

    Ford (1957), "Solution of a ranking problem from binary comparisons", American Mathematical Monthly 64.
    """
    groups = components(scores)
    if groups.max(initial=0) > 0:
        apart = _names(names, groups == groups[0]), _names(names, groups != groups[0])
        raise RatingError(
            f"no chain of results connects {apart[0]} with {apart[1]}: rate with a prior above 0"
        )
    count, labels = _count_strong(scores)
    for label in range(count) if count > 1 else ():
        inside = labels == label
        if not scores[~inside][:, inside].any():
            raise RatingError(
                f"no other bot ever scored against {_names(names, inside)}, so that no finite rating fits: "
                "rate with a prior above 0"
            )


def _names(names: tuple[str, ...], chosen: NDArray[np.bool_]) -> str:
    return ", ".join(name for name, wanted in zip(names, chosen, strict=True) if wanted)
