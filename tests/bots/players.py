"""Honest bots of different strength and health, one class or function each. STYLE names it, in bot.toml's [env]."""

import os
import sys
from random import Random

from protocol.cat_in_the_box import COLORS, EMPTY, Play
from protocol.client import run


def stuck(turn, play):
    """Cards of the hand that would have no cell of their own number left after this play."""
    seen = turn.observation
    if not isinstance(play, Play):
        return 0
    hand = [*seen.hand]
    hand.remove(play.card)
    led = seen.trick[0].color if seen.trick else play.color
    given_up = {led} - {play.color}
    cells = [
        numbers[index]
        for color, numbers, row in zip(COLORS, seen.layout, seen.board, strict=True)
        for index, token in enumerate(row)
        if token == EMPTY and color in {*seen.open_colors[seen.seat]} - given_up
    ]
    return sum(max(0, hand.count(card) - cells.count(card)) for card in set(hand))


def careful(turn):
    return min(turn.legal, key=lambda move: stuck(turn, move))


def crippled(turn):
    return max(turn.legal, key=lambda move: stuck(turn, move))


class OnceIn200:
    """Careful, but the seed of one game in 200 kills it."""

    def __init__(self, start):
        self.is_doomed = Random(start.rng_seed).randrange(200) == 0

    def choose(self, turn):
        if self.is_doomed and turn.observation.round == 1:
            sys.exit("out of luck")
        return careful(turn)


run(globals()[os.environ["STYLE"]], name="player", games=["cat_in_the_box"])
