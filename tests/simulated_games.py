"""Games between bots of known strength, whose deals matter."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from tournaments.results import Result
from tournaments.seating import balanced


def simulate(
    rng: np.random.Generator, theta: Sequence[float], seats: int, deals: int, same: float = 0.5
) -> list[Result]:
    """Every line-up under the balanced seatings.

    Order of a table: Plackett-Luce (θ plus Gumbel noise), whose pairs follow Bradley-Terry exactly. With
    probability `same` a game repeats its deal's order instead of having its own, so that games of one deal
    and line-up depend on each other while each alone is as before.
    """
    games = []
    for deal in range(deals):
        for line_up in combinations(range(len(theta)), seats):
            strengths = np.array([theta[bot] for bot in line_up])
            common = strengths + rng.gumbel(size=seats)
            for seating in balanced(seats):
                own = strengths + rng.gumbel(size=seats)
                played = common if rng.random() < same else own
                players = sorted(range(seats), key=seating.__getitem__)
                ranks = tuple(1 + int((played > played[player]).sum()) for player in players)
                games.append(Result(deal, tuple(f"bot{line_up[i]}" for i in players), ranks))
    return games
