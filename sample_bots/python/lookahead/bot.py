"""Looks a reply ahead, and guesses who is what from what others do.

Whenever it is asked, the bot looks at the cards that came to the table since, and how much every identity gains by
each of them as it lies: what a seat keeps gaining for, it probably is. The table is worth the own points, less what
the other seats have on average if they are what they probably are. Of its moves the bot follows the few that look
best: it lets the next seat answer with the card that serves its likeliest identity best, and takes the move that is
worth most then.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import exp
from typing import TypeAlias

from arena.games.cat_box.area import Area, cells
from arena.games.cat_box.face import BOX, CARD, Face, cell_at, face_of
from arena.games.cat_box.scoring import group_sizes
from protocol.cat_box import IDENTITIES, EndTurn, Observation, Place, Side, ToyMouse
from protocol.client import run
from protocol.messages import GameStart, Move, Turn

FOLLOWED = 4
"""Moves that are answered."""
CERTAINTY = 0.3
"""How much surer of an identity each point makes."""
LEAST_WEIGHT = 0.05
"""Identities that are less likely than this at the table are left out."""
EVERY = range(len(IDENTITIES))

Layers: TypeAlias = Sequence[int]
"""By cat, then boxes: a mask of the cells that show it."""


class Lookahead:
    def __init__(self, start: GameStart) -> None:
        self.gained = [[0.0] * len(IDENTITIES) for _ in range(start.seats)]
        self.area = Area()
        self.watched = 0

    def choose(self, turn: Turn) -> Move:
        seen = turn.observation
        assert isinstance(seen, Observation)
        self.watch(seen)
        guesses = {seat: self.guess(seen, seat) for seat in range(seen.seats) if seat != seen.seat}
        weights = [-sum(guess[identity] for guess in guesses.values()) / len(guesses) for identity in EVERY]
        weights[IDENTITIES.index(seen.identity)] = 1.0
        next_seat = (seen.seat + 1) % seen.seats
        likeliest = max(EVERY, key=guesses[next_seat].__getitem__)

        def value(layers: Layers, move: Move) -> float:
            return worth(layers, weights) - uses_token(move)

        def after_reply(move: Move) -> float:
            replies = answers(seen, next_seat, tables[move])
            return value(
                max(replies, key=lambda layers: points(layers, likeliest), default=tables[move]), move
            )

        tables = {move: self.after(seen, move) for move in turn.legal}
        best = sorted(turn.legal, key=lambda move: value(tables[move], move))[-FOLLOWED:]
        return max(best, key=after_reply)

    def watch(self, seen: Observation) -> None:
        """Lay the cards of the moves since the last decision, and note what each gave to whom."""
        if not self.area.at:
            played = {made.move.card for made in seen.history if isinstance(made.move, Place)}
            (first,) = [placed.card for placed in seen.table if placed.card not in played]
            self.place(seen, first, "public", cell_at(0, 0))
        for made in seen.history[self.watched :]:
            before = self.area.layers
            match made.move:
                case Place(owner, card, x, y):
                    self.place(seen, card, "secret" if owner == made.seat else "public", cell_at(x, y))
                case ToyMouse(card, x, y):
                    self.place(seen, card, self.area.lift(card), cell_at(x, y))
            gains = [points(self.area.layers, identity) - points(before, identity) for identity in EVERY]
            self.gained[made.seat] = [
                old + new for old, new in zip(self.gained[made.seat], gains, strict=True)
            ]
        self.watched = len(seen.history)

    def place(self, seen: Observation, card: int, side: Side, cell: int) -> None:
        self.area.place(card, face(seen, card, side), side, cell)

    def guess(self, seen: Observation, seat: int) -> list[float]:
        """How likely the seat is each identity, from what it gained for them."""
        likely = [
            0.0
            if identity == IDENTITIES.index(seen.identity) or (identity == BOX and seen.seats < 4)
            else exp(CERTAINTY * gained)
            for identity, gained in enumerate(self.gained[seat])
        ]
        return [share / sum(likely) for share in likely]

    def after(self, seen: Observation, move: Move) -> Layers:
        """The table after a move of the own seat."""
        match move:
            case Place(owner, card, x, y):
                side: Side = "secret" if owner == seen.seat else "public"
                return laid(self.area.layers, face(seen, card, side), cell_at(x, y))
            case ToyMouse(card, x, y):
                return laid(self.lifted(card), self.area.faces[card], cell_at(x, y))
        return self.area.layers

    def lifted(self, card: int) -> Layers:
        """The table without an uncovered card."""
        area = self.area.copy()
        area.lift(card)
        return area.layers


def face(seen: Observation, card: int, side: Side) -> Face:
    """A side of a card; the public one where the secret one is not known, for it shows the same animals."""
    known = seen.cards[card]
    return face_of(known.public if side == "public" or known.secret is None else known.secret)


def laid(layers: Layers, face: Face, cell: int) -> Layers:
    """The table with a card laid on it."""
    stays = ~(CARD << cell)
    return [layer & stays | own << cell for layer, own in zip(layers, face.layers, strict=True)]


def answers(seen: Observation, seat: int, layers: Layers) -> Iterator[Layers]:
    """The table after each placement of a seat. Tokens are left out."""
    area = Area()
    area.layers = list(layers)
    area.occupied = sum(layers)
    spots = area.spots(0)
    fitting = list(cells(spots.one)), list(cells(spots.box))
    for owner, hand in enumerate(seen.hands):
        for card in hand:
            shown = face(seen, card, "secret" if owner == seat else "public")
            yield from (laid(layers, shown, cell) for cell in fitting[shown.has_box])


def uses_token(move: Move) -> bool:
    """A token is worth a point while it is kept."""
    return move.token is not None if isinstance(move, Place) else not isinstance(move, EndTurn)


def worth(layers: Layers, weights: Sequence[float]) -> float:
    """Points of all identities, weighted."""
    return sum(
        weight * points(layers, identity)
        for identity, weight in enumerate(weights)
        if abs(weight) >= LEAST_WEIGHT
    )


def points(layers: Layers, identity: int) -> int:
    """identity: an index of IDENTITIES."""
    if identity == BOX:
        return layers[BOX].bit_count() + 2 * sum(groups(layers[cat])[1] for cat in range(BOX))
    return layers[identity].bit_count() + groups(layers[identity])[0]


@lru_cache(1 << 15)
def groups(layer: int) -> tuple[int, int]:
    """Size of the largest group, and how many have exactly three."""
    sizes = group_sizes(layer)
    return max(sizes, default=0), sizes.count(3)


run(Lookahead, name="lookahead", games=["cat_box"])
