"""Calculators: what counts of results say, so that anyone can check a claim.

counts are results by score, from the lowest to the highest in equal steps: 3 of games (losses, draws, wins), 5 of
pairs of games with seats exchanged, or 2n(n-1) + 1 of blocks at a table of n, as in `sprt`. Variances divide by the
number of results.
"""

from collections.abc import Callable, Mapping, Sequence
from math import erfc, log, log10, sqrt

from msgspec import Struct

from tournaments.sprt import Z95, Design, Moments, Sprt, Verdict

__all__ = [
    "MODELS",
    "EloEstimate",
    "Plan",
    "SprtEstimate",
    "estimate_elo",
    "moments_of",
    "plan_sprt",
    "run_sprt",
]

_GAMES = {3: 1} | {Design(seats).top + 1: seats for seats in (2, 3, 4, 5)}
"""Games a result, by the number of counts."""

_EMPTY_CELL = 0.001
"""Count of a score that never came, so that no hypothesis is impossible: fishtest's and fastchess's value."""


class EloEstimate(Struct, frozen=True):
    """score: mean, 0 to 1.  los: likelihood of superiority. None where counts cannot tell."""

    elo: float | None
    elo_pm95: float | None
    los: float | None
    score: float
    nelo: float | None
    nelo_pm95: float | None


class SprtEstimate(Struct, frozen=True):
    """As `Sprt` judges it, here from the first result on. None where counts cannot tell."""

    llr: float | None
    lower: float
    upper: float
    verdict: Verdict
    nelo: float | None
    nelo_pm95: float | None


class Plan(Struct, frozen=True):
    """What to expect of a test. nelo: the true strength.  passed: probability.  games, blocks: means."""

    nelo: float
    passed: float
    games: float
    blocks: float


def moments_of(counts: Sequence[int], seats: int | None = None) -> Moments:
    """Raises ValueError for counts that are none, or that do not fit `seats` if that is given."""
    if len(counts) not in _GAMES:
        *some, last = map(str, _GAMES)
        raise ValueError(f"expected {', '.join(some)} or {last} counts, got {len(counts)}")
    if min(counts) < 0 or not any(counts):
        raise ValueError(f"expected counts from 0 and not all 0, got {','.join(map(str, counts))}")
    if seats is not None and not (len(counts) == Design(seats).top + 1 or (seats, len(counts)) == (2, 3)):
        raise ValueError(f"expected {Design(seats).top + 1} counts for {seats} seats, got {len(counts)}")
    return Moments.of_counts(counts, _GAMES[len(counts)])


def estimate_elo(counts: Sequence[int]) -> EloEstimate:
    """Elo = -400 log10(1/score - 1) (Elo 1978); the interval's ends are the Elos of those of the score.

    Elo, its error and LOS take empty cells as fishtest does; score and nElo are of the counts as they are.
    """
    moments = moments_of(counts)
    filled = Moments.of_counts(_filled(counts), moments.games)
    error = filled.sd / sqrt(filled.blocks)
    low, high = (_elo(filled.mean + side * Z95 * error) for side in (-1, 1))
    varied = moments.sd > 0
    return EloEstimate(
        elo=_elo(filled.mean) if 0 < moments.mean < 1 else None,
        elo_pm95=(high - low) / 2 if varied and low is not None and high is not None else None,
        los=erfc((0.5 - filled.mean) / error / sqrt(2)) / 2 if varied else None,
        score=moments.mean,
        nelo=moments.nelo,
        nelo_pm95=moments.nelo_pm95,
    )


def _filled(counts: Sequence[int]) -> list[float]:
    return [count or _EMPTY_CELL for count in counts]


def _elo(score: float) -> float | None:
    """None where it is not finite."""
    return -400 * log10(1 / score - 1) if 0 < score < 1 else None


def run_sprt(
    counts: Sequence[int], test: Sprt, model: str = "nelo", seats: int | None = None
) -> SprtEstimate:
    """The test on counts. model: a key of MODELS; with `logistic` the hypotheses of `test` are in Elo."""
    moments = moments_of(counts, seats)
    llr = MODELS[model](counts, test)
    return SprtEstimate(llr, test.lower, test.upper, test.verdict(llr), moments.nelo, moments.nelo_pm95)


def _nelo_llr(counts: Sequence[int], test: Sprt) -> float | None:
    return test.llr(moments_of(counts))


def _logistic_llr(counts: Sequence[int], test: Sprt) -> float:
    """Of the hypotheses that the mean score is that of elo0 or elo1, the counts' distribution maximised out.

    Van den Bergh, "The generalized likelihood ratio for the expectation value of a distribution",
    cantate.be/Fishtest/support_MLE_multinomial.pdf; also Owen (1988), "Empirical likelihood ratio confidence
    intervals for a single functional", Biometrika 75.
    """
    return empirical_llr(_filled(counts), *(1 / (1 + 10 ** (-elo / 400)) for elo in (test.elo0, test.elo1)))


def empirical_llr(counts: Sequence[float], score0: float, score1: float) -> float:
    """Log empirical likelihood ratio of mean score1 to score0. Each lies between two scores that came."""
    thetas = [_tilt(counts, score) for score in (score0, score1)]
    total = 0.0
    for cell, count in enumerate(counts):
        value = cell / (len(counts) - 1)
        total += count * log((1 + thetas[0] * (value - score0)) / (1 + thetas[1] * (value - score1)))
    return total


def _tilt(counts: Sequence[float], score: float) -> float:
    """θ of the most likely distribution p(a)/(1 + θ(a - score)) with mean `score`."""
    from scipy.optimize import brentq

    top = len(counts) - 1
    leads = [(cell / top - score, count) for cell, count in enumerate(counts) if count > 0]
    low, high = -1 / leads[-1][0], -1 / leads[0][0]
    margin = 1e-12 * (high - low)

    def slope(theta: float) -> float:
        return sum(count * lead / (1 + theta * lead) for lead, count in leads)

    root: float = brentq(slope, low + margin, high - margin, xtol=1e-15)
    return root


MODELS: Mapping[str, Callable[[Sequence[int], Sprt], float | None]] = {
    "nelo": _nelo_llr,
    "logistic": _logistic_llr,
}
"""Log likelihood ratio of elo1 to elo0, by the word of `--model`."""


def plan_sprt(test: Sprt, seats: int) -> list[Plan]:
    """At true strengths of elo0, midway and elo1."""
    truths = (test.elo0, (test.elo0 + test.elo1) / 2, test.elo1)
    games = Design(seats).games
    return [
        Plan(nelo, test.pass_probability(nelo), expected, expected / games)
        for nelo, expected in ((nelo, test.expected_games(nelo)) for nelo in truths)
    ]
