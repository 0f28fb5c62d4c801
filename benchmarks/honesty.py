"""Do the numbers hold what they promise? Simulated games of bots of known strength.

Sequential tests: how often `gain` passes a bot that is no better (at most alpha), and fails one as much better as
it asks for (at most beta). Ratings: how often a 95 % interval holds the truth, with the deal as the unit, and as if
games of one deal were independent. Run: `python -m benchmarks.honesty [RUNS]`, 2000 by default, some minutes.
"""

import sys
from collections.abc import Iterator
from math import sqrt

import numpy as np

from tournaments.ratings import ELO_SCALE, rate
from tournaments.results import Collector, Floats, Results
from tournaments.seating import balanced
from tournaments.sprt import Blocks, Design, Moments, Sprt

LUCK = 1.0
"""Deviation of the luck that a deal gives a seat, in that of all else in a game."""
DEALS = 40
SAME = 0.8
STRENGTHS = (0.6, 0.2, 0.0, -0.3, -0.5)


def tolerance(probability: float, runs: int) -> float:
    """Three binomial deviations: a share of `runs` is that far off once in 400 times."""
    return 3 * sqrt(probability * (1 - probability) / runs)


def block_scores(rng: np.random.Generator, design: Design, lead: float, blocks: int) -> Floats:
    """Scores of blocks whose candidate is stronger by `lead` than everybody else."""
    seats = design.seats
    luck = LUCK * rng.normal(size=(blocks, 1, seats))

    def mean_placement(own_lead: float) -> Floats:
        """Of a bot that sits in seat g in game g."""
        values = luck + rng.normal(size=(blocks, seats, seats)) + own_lead * np.eye(seats)
        own = values[:, range(seats), range(seats)][:, :, None]
        placement: Floats = (own > values).sum(axis=2).mean(axis=1) / (seats - 1)
        return placement

    candidate = mean_placement(lead)
    return (candidate - mean_placement(0.0) + 1) / 2 if design.field else candidate


def lead_of(nelo: float, design: Design, blocks: int = 100_000) -> float:
    """The lead that has this normalized Elo: both are proportional for small ones."""
    lead = 0.1
    scores = block_scores(np.random.default_rng(1), design, lead, blocks)
    found = Moments(blocks, design.games, float(scores.mean()), float(scores.std())).nelo
    assert found is not None
    return lead * nelo / found


def verdicts(test: Sprt, design: Design, lead: float, runs: int) -> Iterator[tuple[str, int]]:
    """Of `runs` tests: the verdict and the games."""
    for run in range(runs):
        rng, blocks, number, verdict = np.random.default_rng(run), Blocks(test, design), 0, "inconclusive"
        while verdict == "inconclusive":
            for score in block_scores(rng, design, lead, 64).tolist():
                verdict = blocks.add(number, score)
                number += 1
        yield verdict, blocks.state().games


def played(rng: np.random.Generator, seats: int, clustered: bool) -> Results:
    """One line-up of bots of STRENGTHS under the balanced seatings on DEALS deals.

    A game's order is Plackett-Luce (strength plus Gumbel noise), whose pairs follow Bradley-Terry; with
    probability SAME it is that of its deal. Not clustered: the same games, each as a deal of its own.
    """
    designs = balanced(seats)
    shape = (DEALS, len(designs), seats)
    own, common = rng.gumbel(size=shape), rng.gumbel(size=(DEALS, 1, seats))
    repeated = rng.random((*shape[:2], 1)) < SAME
    values = np.array(STRENGTHS[:seats]) + np.where(repeated, common, own)
    ranks = (values[..., None] < values[..., None, :]).sum(axis=-1) + 1
    by_seat = np.argsort(np.array(designs), axis=1)
    sitting = np.broadcast_to(by_seat, shape).reshape(-1, seats)
    names = [[f"bot{bot}" for bot in line] for line in sitting.tolist()]
    placed = np.take_along_axis(ranks.reshape(-1, seats), sitting, axis=1)
    deals = np.repeat(np.arange(DEALS), len(designs)).tolist()
    nothing = [None] * len(deals)
    collector = Collector()
    collector.add(deals if clustered else nothing, names, placed.tolist(), nothing, [()] * len(deals))
    return collector.results()


def coverage(seats: int, clustered: bool, runs: int) -> float:
    """Share of 95 % intervals that hold the true rating."""
    truth = np.array(STRENGTHS[:seats]) - np.mean(STRENGTHS[:seats])
    held = 0.0
    for run in range(runs):
        ratings = rate(played(np.random.default_rng(run), seats, clustered), prior=0.01)
        held += float((abs(ratings.elo - truth * ELO_SCALE) <= ratings.margins95()).mean())
    return held / runs


def main(runs: int) -> None:
    test = Sprt(0, 40)
    print(f"gain [0, 40], alpha = beta = 0.05; {runs} tests each, ± {tolerance(0.05, runs):.3f} by chance")
    print("seats field  passed at 0  failed at 40  mean games at 0 and 40, expected")
    for design in [Design(seats, field) for field in (False, True) for seats in (2, 3, 4, 5)]:
        wrong, games = [], []
        for truth, verdict in ((0.0, "passed"), (40.0, "failed")):
            ends = list(verdicts(test, design, lead_of(truth, design), runs))
            wrong.append(sum(end == verdict for end, _ in ends) / runs)
            games.append(sum(played for _, played in ends) / runs)
        print(
            f"{design.seats:5} {design.field!s:5} {wrong[0]:12.3f} {wrong[1]:13.3f}"
            f"  {games[0]:.0f} {games[1]:.0f}, {test.expected_games(0):.0f}"
        )
    print(f"\n95 % intervals, {DEALS} deals, {runs} runs, ± {tolerance(0.95, runs):.3f} by chance")
    print("seats  clustered by deal  not clustered")
    for seats in (2, 3, 4, 5):
        print(f"{seats:5} {coverage(seats, True, runs):18.3f} {coverage(seats, False, runs):14.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
