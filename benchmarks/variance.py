"""What duplicated deals save: the variance of a bot's mean placement on real games of the sample bots.

For each seat count one line-up plays DEALS deals under all seatings of both designs, in this process. The ratio says
how much smaller the variance of a bot's mean over a design's games of one deal is than over as many games with random
seats and a deal of their own each, variances summed over bots; ± is a standard error, from a bootstrap over deals.
Run: `python -m benchmarks.variance [DEALS]`.
"""

import sys
from collections.abc import Callable, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
from tabulate import tabulate

import protocol.client
from arena.games import GAMES
from arena.referee import Decision, Request, play_game
from protocol.messages import Clock, GameStart, Turn
from tournaments.results import Floats, placement_scores
from tournaments.seating import SEATINGS, Seating
from tournaments.seeds import bot_seed, deal_rng

GAME = "cat_in_the_box"
LINE_UP = ("counter", "cautious", "random", "counter", "cautious")
FOLDER = Path(__file__).parent.parent / "sample_bots" / "python"
DESIGNS = ("rotations", "balanced")
DRAWS = 200
SEED = "variance"
TIME_MS = 10**9

MakeBot = Callable[[GameStart], Any]


def load(name: str) -> MakeBot:
    """The bot's class, or its function in a shell, without the loop that it would run."""
    given: list[Any] = []
    spec = spec_from_file_location(f"sample_{name}", FOLDER / name / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    loop, protocol.client.run = protocol.client.run, lambda choose, *_, **__: given.append(choose)
    try:
        spec.loader.exec_module(module_from_spec(spec))
    finally:
        protocol.client.run = loop
    (choose,) = given
    return choose if isinstance(choose, type) else lambda _: SimpleNamespace(choose=choose)


def placements(makers: Sequence[MakeBot], deal: int, seating: Seating) -> list[float]:
    """Of one game, by player. seating: the seat of each player."""
    game = GAMES[GAME](len(makers), {})
    by_seat = sorted(range(len(makers)), key=seating.__getitem__)
    key = f"{deal}/{seating}"
    bots = [
        makers[player](
            GameStart(0, GAME, seat, game.seats, game.options, Clock(TIME_MS, 0), bot_seed(SEED, key, seat))
        )
        for seat, player in enumerate(by_seat)
    ]

    def answer(request: Request) -> Decision:
        legal = [game.encode_move(move) for move in request.legal]
        turn = Turn(0, request.turn, request.seat, TIME_MS, request.observation, legal)
        move = bots[request.seat].choose(turn)
        return Decision(game.decode_move(move[0] if isinstance(move, tuple) else move))

    playing = play_game(game, game.deal(deal_rng(SEED, deal)), Random(0))
    requests = next(playing)
    while True:
        try:
            requests = playing.send([answer(request) for request in requests])
        except StopIteration as end:
            by_place = placement_scores(end.value.outcome.ranks)
            return [by_place[seat] for seat in seating]


def saved(makers: Sequence[MakeBot], deals: int) -> list[str]:
    """By design: the ratio and its error."""
    designs = [SEATINGS[name](len(makers)) for name in DESIGNS]
    games = {
        seating: np.array([placements(makers, deal, seating) for deal in range(deals)])
        for seating in {seating for design in designs for seating in design}
    }
    cells = []
    for design in designs:
        scores = np.array([games[seating] for seating in design])  # game of the design, deal, player
        rng = np.random.default_rng(1)
        draws = [ratio(scores[:, rng.integers(deals, size=deals)]) for _ in range(DRAWS)]
        cells.append(f"{ratio(scores):.2f} ± {np.std(draws):.2f}")
    return cells


def ratio(scores: Floats) -> float:
    """Variance with independent deals over variance with the design."""
    independent = scores.var(axis=(0, 1)).sum() / len(scores)
    return float(independent / scores.mean(axis=0).var(axis=0, ddof=1).sum())


def main(deals: int) -> None:
    rows = []
    for seats in (2, 3, 4, 5):
        line_up = LINE_UP[:seats]
        rows.append([seats, ", ".join(line_up), *saved([load(name) for name in line_up], deals)])
    print(f"variance with independent deals over variance with duplicated ones, {deals} deals")
    print(tabulate(rows, ["seats", "bots", *DESIGNS]))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
