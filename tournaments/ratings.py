"""Elo ratings of bots, with their errors. RATINGS.md has the method in full."""

from math import isfinite, log, nan

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from scipy.stats import t

from tournaments.bradley_terry import components, fit, pair_scores, strong_components
from tournaments.rating_errors import estimate_errors, without_error
from tournaments.results import Floats, Ints, Results

__all__ = ["ELO_SCALE", "MAX_PRIOR", "MIN_PRIOR", "Anchor", "RatingError", "Ratings", "rate"]

ELO_SCALE = 400 / log(10)
"""Elo per unit of θ: 400 Elo are odds of 10 to 1 (Elo 1978, "The Rating of Chessplayers", logistic form)."""

MIN_DRAWS = 100

MIN_PRIOR, MAX_PRIOR = 1e-3, 1e6
"""Bounds of a prior above 0: with a smaller one rounding, not results, would place a bot that never lost."""


class RatingError(ValueError):
    """Results that have no ratings, or a request that cannot be met."""


class Ratings(Struct, frozen=True):
    """Ratings of all bots, in the order of `Results.names`.

    elo: mean 0 in each component, or with the anchor held in its own.  covariance: of `elo`, in Elo²; NaN in rows and
    columns of bots whose error cannot be estimated.  components: which bots can be compared, numbered from 0.
    deals: that each bot took part in.  freedom: degrees of freedom of each bot's error, as in `Errors`.
    """

    names: tuple[str, ...]
    elo: Floats
    covariance: Floats
    components: Ints
    deals: Ints
    freedom: Floats

    def std_errors(self) -> Floats:
        """Of each bot's Elo against its component's mean or the anchor. NaN: no estimate, or the anchor."""
        return _root(np.diagonal(self.covariance))

    def std_errors_of_differences(self) -> Floats:
        """Shape (k, k). NaN: no estimate, a bot and itself, or bots that cannot be compared."""
        own = np.diagonal(self.covariance)
        errors = _root(own[:, None] + own[None, :] - 2 * self.covariance)
        return np.where(self.components[:, None] == self.components[None, :], errors, np.nan)

    def margins95(self) -> Floats:
        """Half of each bot's 95 % interval: Student's t with the error's degrees of freedom times the error.

        With few clusters the normal 1.96 promises too much (Cameron & Miller 2015, "A practitioner's guide to
        cluster-robust inference", Journal of Human Resources 50, section VI).
        """
        points: Floats = np.asarray(t.ppf(0.975, self.freedom))
        return points * self.std_errors()

    def margins95_of_differences(self) -> Floats:
        """As `margins95`, shape (k, k)."""
        points: Floats = np.asarray(t.ppf(0.975, self._freedom_of_differences()))
        return points * self.std_errors_of_differences()

    def superiority(self) -> Floats:
        """P(i is stronger than j), shape (k, k): Φ(Δ/SE), with Student's t for Φ as in `margins95`."""
        lead = (self.elo[:, None] - self.elo[None, :]) / self.std_errors_of_differences()
        probability: Floats = np.asarray(t.cdf(lead, self._freedom_of_differences()))
        return probability

    def _freedom_of_differences(self) -> Ints:
        """That of the bot in fewer deals, shape (k, k)."""
        own = np.maximum(self.deals - 1, 1)
        return np.minimum(own[:, None], own[None, :])


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
    errors = estimate_errors(results, theta, prior, gauge, draws)
    covariance = errors.covariance * ELO_SCALE**2
    unknown = without_error(results)
    elo = gauge @ theta * ELO_SCALE
    if anchor is not None:
        elo[groups == groups[held]] += anchor.elo
        unknown |= unknown[held] & (groups == groups[held])
    covariance[unknown, :] = covariance[:, unknown] = np.nan
    return Ratings(results.names, elo, covariance, groups, errors.deals, errors.freedom)


def _gauge(groups: Ints, anchor: int | None) -> Floats:
    """The matrix that sets each component's mean to 0, or the anchor in its component."""
    same = groups[:, None] == groups[None, :]
    origin = same / same.sum(axis=1, keepdims=True)
    if anchor is not None:
        origin[same[anchor]] = np.arange(len(groups)) == anchor
    matrix: Floats = np.eye(len(groups)) - origin
    return matrix


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
    count, labels = strong_components(scores)
    for label in range(count) if count > 1 else ():
        inside = labels == label
        if not scores[~inside][:, inside].any():
            raise RatingError(
                f"no other bot ever scored against {_names(names, inside)}, so that no finite rating fits: "
                "rate with a prior above 0"
            )


def _names(names: tuple[str, ...], chosen: NDArray[np.bool_]) -> str:
    return ", ".join(name for name, wanted in zip(names, chosen, strict=True) if wanted)
