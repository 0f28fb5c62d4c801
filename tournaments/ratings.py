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

from collections.abc import Callable, Iterator
from itertools import permutations
from math import isfinite, log, nan

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components
from scipy.special import expit
from scipy.stats import t

from tournaments.results import Floats, Ints, Results, Table

__all__ = [
    "BOOTSTRAP_DRAWS",
    "ELO_SCALE",
    "MAX_PRIOR",
    "MIN_PRIOR",
    "MIN_SANDWICH_DEALS",
    "Anchor",
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
MIN_DRAWS = 100

MIN_PRIOR, MAX_PRIOR = 1e-3, 1e6
"""Bounds of a prior above 0: with a smaller one rounding, not results, would place a bot that never lost."""

_BOOTSTRAP_SEED = 1952
_MAX_STEPS = 1000
_PRECISION = 1e-12  # of the log likelihood, before a last step that squares it


class RatingError(ValueError):
    """Results that have no ratings, or a request that cannot be met."""


class Ratings(Struct, frozen=True):
    """Ratings of all bots, in the order of `Results.names`.

    elo: mean 0 in each component, or with the anchor held in its own.  covariance: of `elo`, in Elo²; NaN in rows and
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

    def margins95_of_differences(self) -> Floats:
        """As `margins95`, shape (k, k)."""
        margins: Floats = t.ppf(0.975, max(self.deals - 1, 1)) * self.std_errors_of_differences()
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


class Anchor(Struct, frozen=True):
    """A bot whose rating is held at `elo`, and its component's scale with it."""

    bot: str
    elo: float = 0.0

    @classmethod
    def parse(cls, text: str) -> "Anchor":
        """`BOT` or `BOT=ELO`. Raises RatingError for an Elo that is no finite number."""
        bot, equals, elo = text.rpartition("=")
        if not equals:
            return cls(text)
        try:
            anchor = cls(bot, float(elo))
        except ValueError:
            anchor = cls(bot, nan)
        if not isfinite(anchor.elo):
            raise RatingError(f"expected BOT or BOT=ELO as the anchor, got {text}")
        return anchor


def rate(
    results: Results, prior: float = 0.5, anchor: Anchor | None = None, draws: int | None = None
) -> Ratings:
    """The ratings that maximise the composite likelihood with its prior.

    prior: c, wins and losses of every bot against a fixed bot of 0 Elo.  draws: of a bootstrap for the errors;
    None leaves the choice to the number of deals. Raises RatingError with prior 0 when no finite ratings fit, for an
    unknown anchor, too few draws, and without results.
    """
    if not results.names:
        raise RatingError("no results to rate")
    if not (prior == 0 or MIN_PRIOR <= prior <= MAX_PRIOR):
        raise RatingError(f"expected a prior of 0, or from {MIN_PRIOR:g} to {MAX_PRIOR:g}, got {prior}")
    if draws is not None and draws < MIN_DRAWS:
        raise RatingError(f"expected at least {MIN_DRAWS} bootstrap draws, got {draws}")
    if anchor is not None and anchor.bot not in results.names:
        raise RatingError(f"expected one of {', '.join(results.names)} as the anchor, got {anchor.bot}")
    held = None if anchor is None else results.names.index(anchor.bot)
    scores = pair_scores(results)
    if prior == 0:
        _check_maximum(scores, results.names)
    theta = fit(scores.sum(axis=1), scores + scores.T, prior)
    groups = components(scores)
    gauge = _gauge(groups, held)
    errors = gauge @ covariance(results, theta, prior, draws) @ gauge.T * ELO_SCALE**2
    unknown = _without_error(results)
    elo = gauge @ theta * ELO_SCALE
    if anchor is not None:
        elo[groups == groups[held]] += anchor.elo
        unknown |= unknown[held] & (groups == groups[held])
    errors[unknown, :] = errors[:, unknown] = np.nan
    return Ratings(results.names, elo, errors, groups, len(results.deals))


def pair_scores(results: Results) -> Floats:
    """What each bot took off each other one: sums of s/(n - 1), s = 1 ahead, 0.5 tied, 0 behind. Shape (k, k)."""
    k = len(results.names)
    sums = np.zeros(k * k)
    for table in results.tables:
        twice = np.zeros(k * k)  # of whole numbers, so that sums are exact
        for a, b, ahead in _comparisons(table):
            where = table.players[:, a] * k + table.players[:, b]
            twice += np.bincount(where, weights=ahead, minlength=k * k)
        sums += twice / (2 * table.seats - 2)
    return sums.reshape(k, k)


def _comparisons(table: Table) -> Iterator[tuple[int, int, Ints]]:
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
        curvature = _grounded(information(theta, meetings, prior), prior)
        step = np.asarray(np.linalg.solve(curvature, slope[..., None])[..., 0])
        reach = np.maximum(np.ptp(step, axis=-1, keepdims=True), abs(step).max(axis=-1, keepdims=True))
        theta = theta + step * (np.log1p(reach) / np.maximum(reach, np.finfo(np.float64).tiny))
        if (slope * step).sum(axis=-1).max() < _PRECISION:
            return np.asarray(theta)
    raise ArithmeticError(f"the ratings did not converge in {_MAX_STEPS} steps")


def covariance(results: Results, theta: Floats, prior: float, draws: int | None = None) -> Floats:
    """Of θ, up to a shift of all bots of a component. NaN when the deals cannot tell, as with one deal."""
    deals, k = len(results.deals), len(theta)
    if deals < 2:
        return np.full((k, k), np.nan)
    if draws is None and deals >= MIN_SANDWICH_DEALS:
        return _sandwich(results, theta, prior) * (deals / (deals - 1))
    return _bootstrap(results, prior, draws or BOOTSTRAP_DRAWS) * (deals / (deals - 1))


def _sandwich(results: Results, theta: Floats, prior: float) -> Floats:
    """Clustered by deal.

    Liang & Zeger (1986), "Longitudinal data analysis using generalized linear models", Biometrika 73, with
    a deal as the cluster. Deals' gradients are taken from their mean, which is 0 but for the prior.
    """
    slopes = _deal_gradients(results, theta)
    mean = np.asarray(slopes.sum(axis=0)) / len(results.deals)
    scores = pair_scores(results)
    bread = np.linalg.inv(_grounded(information(theta, scores + scores.T, prior), prior))
    meat: Floats = (slopes.T @ slopes).toarray() - len(results.deals) * np.outer(mean, mean)
    return bread @ meat @ bread


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
    if prior == 0 and any(_count_strong(drawn)[0] > 1 for drawn in scores):
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
        for a, b, ahead in _comparisons(table):
            weights.append(ahead / (2 * table.seats - 2))
            cells.append(table.players[:, a] * k + table.players[:, b])
            deals.append(table.deals)
    where = np.concatenate(deals), np.concatenate(cells)
    return coo_array((np.concatenate(weights), where), (len(results.deals), k * k)).tocsr()


def _without_error(results: Results) -> NDArray[np.bool_]:
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
