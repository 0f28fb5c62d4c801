"""Plays any legal move: the floor that every other bot should beat."""

from random import Random

from protocol.client import run
from protocol.messages import GameStart, Move, Turn


class RandomBot:
    def __init__(self, start: GameStart) -> None:
        self.rng = Random(start.rng_seed)

    def choose(self, turn: Turn) -> Move:
        return self.rng.choice(turn.legal)


run(RandomBot, name="random", games=["cat_in_the_box", "cat_box"])
