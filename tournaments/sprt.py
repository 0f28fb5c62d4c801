"""The regression test: a candidate against a baseline in blocks of one deal each, judged as they end.

A block plays its deal with the candidate once in every seat; its score X is the candidate's mean placement
score, with mean 1/2 if nothing changed. Strength is measured in normalized Elo (Van den Bergh, "Comments on
Normalized Elo", cantate.be/Fishtest/normalized_elo_practical.pdf), the lead of X in units of its deviation, so
that one pair of hypotheses asks for the same number of games at every table size, however lucky the cards:

    t = (mean - 1/2)/sd,  nElo = t/√m · 800/ln 10,  m games a block.

The likelihood ratio is that of the means 1/2 + t0·sd and 1/2 + t1·sd, with X as if normal and its variance maximised
out under each: a generalized sequential probability ratio test (Li, Liu & Ying 2014, "Generalized sequential
probability ratio test for separate families of hypotheses", Sequential Analysis 33). It stops at the
bounds of Wald (1945), "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16. Two seats
make the pentanomial test of chess. RATINGS.md has the method in full.
"""

from collections.abc import Mapping, Sequence
from math import expm1, isfinite, log, sqrt
from statistics import NormalDist
from typing import Literal

from msgspec import Struct

__all__ = [
    "FIRST_LOOK",
    "NELO_SCALE",
    "PRESETS",
    "Z95",
    "Blocks",
    "Design",
    "Moments",
    "Sprt",
    "State",
    "Verdict",
]

NELO_SCALE = 800 / log(10)
"""Normalized Elo per unit of (mean - 1/2)/sd of one game."""

FIRST_LOOK = 32
"""Blocks before the first judgement: with fewer the estimated deviation is too rough for the bounds to hold."""

Z95 = NormalDist().inv_cdf(0.975)

Verdict = Literal["passed", "failed", "inconclusive"]
"""passed: nElo1 is accepted, the upper bound was reached.  failed: nElo0 is.  inconclusive: neither, so far."""


class Moments(Struct, frozen=True):
    """Of block scores. games: in a block.  sd: divides by the number of blocks, at least one."""

    blocks: float
    games: int
    mean: float
    sd: float

    @classmethod
    def of_sums(cls, blocks: float, cells: float, squares: float, top: int, games: int) -> "Moments":
        """From sums of lattice cells 0 to `top` and of their squares: exact for ints, whatever the order."""
        spread = blocks * squares - cells**2
        return cls(blocks, games, cells / (blocks * top), sqrt(spread) / (blocks * top))

    @classmethod
    def of_counts(cls, counts: Sequence[float], games: int) -> "Moments":
        """counts: blocks by score, from 0 to 1 in equal steps, at least one block."""
        cells = sum(cell * count for cell, count in enumerate(counts))
        squares = sum(cell**2 * count for cell, count in enumerate(counts))
        return cls.of_sums(sum(counts), cells, squares, len(counts) - 1, games)

    @property
    def t(self) -> float | None:
        """None without variance."""
        return (self.mean - 0.5) / self.sd if self.sd > 0 else None

    @property
    def nelo(self) -> float | None:
        return None if self.t is None else self.t / sqrt(self.games) * NELO_SCALE

    @property
    def nelo_pm95(self) -> float | None:
        """Half of the 95 % interval: t has a standard error of 1/√blocks."""
        return None if self.t is None else Z95 * NELO_SCALE / sqrt(self.games * self.blocks)


class Sprt(Struct, frozen=True):
    """Two hypotheses in normalized Elo, and how often each may be rejected wrongly.

    alpha: P(passed) at elo0, at most.  beta: P(failed) at elo1, at most. Raises ValueError for what is no test.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (isfinite(self.elo0) and isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ValueError(f"expected elo0 below elo1, got {self.elo0:g} and {self.elo1:g}")
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise ValueError(
                f"expected alpha and beta above 0 with a sum below 1, got {self.alpha:g} and {self.beta:g}"
            )

    @property
    def lower(self) -> float:
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        return log((1 - self.beta) / self.alpha)

    def llr(self, moments: Moments) -> float | None:
        """Log likelihood ratio of elo1 to elo0. None without variance."""
        if moments.t is None:
            return None
        t0, t1 = (nelo * sqrt(moments.games) / NELO_SCALE for nelo in (self.elo0, self.elo1))
        return moments.blocks / 2 * log((1 + (moments.t - t0) ** 2) / (1 + (moments.t - t1) ** 2))

    def verdict(self, llr: float | None) -> Verdict:
        if llr is None or self.lower < llr < self.upper:
            return "inconclusive"
        return "passed" if llr >= self.upper else "failed"

    def pass_probability(self, nelo: float, llr: float = 0.0) -> float:
        """P(passed) at a true `nelo`, from `llr` on.

        The operating characteristic of Wald (1945), exact for a Brownian LLR as in `expected_games`.
        """
        tilt = self._tilt(nelo)
        above, width = self._inside(llr) - self.lower, self.upper - self.lower
        if abs(tilt) < _NO_TILT:
            return above / width
        if tilt > 0:
            return expm1(-tilt * above) / expm1(-tilt * width)
        return 1 - expm1(tilt * (width - above)) / expm1(tilt * width)

    def expected_games(self, nelo: float, llr: float = 0.0) -> float:
        """Mean number of games until a bound at a true `nelo`, from `llr` on.

        The LLR of small t is Brownian motion with drift δ(t - (t0 + t1)/2) and variance δ² a block, δ = t1 - t0;
        Wald's first identity then gives the mean (1945), and his second one at no drift. Games do not depend
        on games a block. With alpha = beta = 0.05: 6.4e5/D² at elo0 and elo1, 1.05e6/D² midway, D = elo1 - elo0.
        Overshoot of the bounds adds a few percent.
        """
        llr = self._inside(llr)
        variance = ((self.elo1 - self.elo0) / NELO_SCALE) ** 2
        drift = self._tilt(nelo) * variance / 2
        if abs(self._tilt(nelo)) < _NO_TILT:
            return (llr - self.lower) * (self.upper - llr) / variance
        end = self.lower + (self.upper - self.lower) * self.pass_probability(nelo, llr)
        return (end - llr) / drift

    def _tilt(self, nelo: float) -> float:
        """2 drift/variance of the LLR: -1 at elo0, 0 midway, 1 at elo1."""
        return (2 * nelo - self.elo0 - self.elo1) / (self.elo1 - self.elo0)

    def _inside(self, llr: float) -> float:
        return min(max(llr, self.lower), self.upper)


_NO_TILT = 1e-6

PRESETS: Mapping[str, Sprt] = {
    "regression": Sprt(-20, 0),
    "gain": Sprt(0, 20),
    "smoke": Sprt(-40, 0),
}
"""By the word of `--test`: nothing was lost; something was gained; nothing is badly broken."""


class Design(Struct, frozen=True):
    """What a block is. field: candidate and baseline in turn against the same other bots, not each other."""

    seats: int
    field: bool = False

    @property
    def games(self) -> int:
        """In a block."""
        return 2 * self.seats if self.field else self.seats

    @property
    def top(self) -> int:
        """A block score is one of 0, 1/top, …, 1."""
        return 2 * self.games * (self.seats - 1)

    def score(self, candidate: Sequence[float], baseline: Sequence[float] = ()) -> float:
        """X of a block from placement scores, one by seat of the candidate and, in a field, of the baseline."""
        expected = (self.seats, self.seats if self.field else 0)
        if (len(candidate), len(baseline)) != expected:
            raise ValueError(
                f"expected {expected[0]} and {expected[1]} placement scores, "
                f"got {len(candidate)} and {len(baseline)}"
            )
        mean = sum(candidate) / self.seats
        return (mean - sum(baseline) / self.seats + 1) / 2 if self.field else mean


class State(Struct, frozen=True):
    """Where a test stands. None where blocks cannot tell.

    counts: blocks by score from 0 to 1.  expected_games_left: at the strength estimated so far, 0 once decided.
    """

    blocks: int
    games: int
    mean: float | None
    nelo: float | None
    nelo_pm95: float | None
    llr: float | None
    lower: float
    upper: float
    verdict: Verdict
    expected_games_left: float | None
    expected_games_total: float | None
    counts: tuple[int, ...]


class Blocks:
    """Blocks as they end, in any order.

    They are counted in the order of their numbers, from 0 without a gap: fast games must not get in first. The
    first block at which the LLR is at a bound decides; later ones change nothing. So the outcome is a function
    of the blocks alone.
    """

    def __init__(self, test: Sprt, design: Design) -> None:
        self.test, self.design = test, design
        self._counts = [0] * (design.top + 1)
        self._sum = self._squares = self._next = self._counted = 0
        self._waiting: dict[int, int] = {}
        self._verdict: Verdict = "inconclusive"

    def add(self, number: int, score: float) -> Verdict:
        """Take in a block. Raises ValueError for a number that came before and a score off the lattice."""
        cell = round(score * self.design.top) if isfinite(score) else -1
        if not (0 <= cell <= self.design.top and abs(score * self.design.top - cell) < 1e-6):
            raise ValueError(f"expected a block score among 0, 1/{self.design.top}, …, 1, got {score}")
        if number < self._next or number in self._waiting:
            raise ValueError(f"expected a new block number, got {number} again")
        self._waiting[number] = cell
        while self._next in self._waiting:
            self._count(self._waiting.pop(self._next))
            self._next += 1
        return self._verdict

    def _count(self, cell: int) -> None:
        if self._verdict != "inconclusive":
            return
        self._counted += 1
        self._counts[cell] += 1
        self._sum += cell
        self._squares += cell**2
        if self._counted >= FIRST_LOOK:
            self._verdict = self.test.verdict(self.test.llr(self._moments()))

    def _moments(self) -> Moments:
        return Moments.of_sums(self._counted, self._sum, self._squares, self.design.top, self.design.games)

    def state(self) -> State:
        games = self._counted * self.design.games
        moments = self._moments() if self._counted else None
        llr = self.test.llr(moments) if moments else None
        left = self._games_left(moments, llr)
        return State(
            blocks=self._counted,
            games=games,
            mean=moments.mean if moments else None,
            nelo=moments.nelo if moments else None,
            nelo_pm95=moments.nelo_pm95 if moments else None,
            llr=llr,
            lower=self.test.lower,
            upper=self.test.upper,
            verdict=self._verdict,
            expected_games_left=left,
            expected_games_total=None if left is None else games + left,
            counts=tuple(self._counts),
        )

    def _games_left(self, moments: Moments | None, llr: float | None) -> float | None:
        if self._verdict != "inconclusive":
            return 0.0
        if moments is None or moments.nelo is None or llr is None:
            return None
        unseen = (FIRST_LOOK - self._counted) * self.design.games
        return max(self.test.expected_games(moments.nelo, llr), unseen)
