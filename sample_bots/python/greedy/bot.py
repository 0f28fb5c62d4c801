"""Takes the most points it can have at once, and hides what it is.

Every move is tried out on the table as it lies. A token is worth a point while it is kept, so it is used only where
it brings more; those that show nothing at once, the cat paw, the cat box and the dried fish, are never used.
Many placements are worth the same: of these the bot takes the one that does most for some other identity, so that
what it does fits more than one.
"""

from functools import lru_cache

from arena.games.cat_box.area import Area
from arena.games.cat_box.face import BOX, CARD, Face, cell_at, face_of
from arena.games.cat_box.scoring import group_sizes
from protocol.cat_box import IDENTITIES, EndTurn, Observation, Place, Side, ToyMouse
from protocol.client import run
from protocol.messages import Move, Turn


def choose(turn: Turn) -> Move:
    seen = turn.observation
    assert isinstance(seen, Observation)
    trial = Trial(seen)
    own = IDENTITIES.index(seen.identity)
    gains = [trial.points(move, own) - uses_token(move) for move in turn.legal]
    most = max(gains)
    best = [move for move, gain in zip(turn.legal, gains, strict=True) if gain == most]
    others = [other for other in range(len(IDENTITIES)) if other != own]
    return max(best, key=lambda move: max(trial.points(move, other) for other in others))


def uses_token(move: Move) -> bool:
    return move.token is not None if isinstance(move, Place) else not isinstance(move, EndTurn)


class Trial:
    """The table as it lies, and what each identity has there after a move."""

    def __init__(self, seen: Observation) -> None:
        self.seen = seen
        self.area = Area()
        self.lifted: dict[int, Area] = {}
        for placed in seen.table:
            cell = cell_at(placed.x, placed.y)
            self.area.place(placed.card, self.face(placed.card, placed.side), placed.side, cell)

    def face(self, card: int, side: Side) -> Face:
        known = self.seen.cards[card]
        return face_of(known.public if side == "public" or known.secret is None else known.secret)

    def points(self, move: Move, identity: int) -> int:
        """identity: an index of IDENTITIES."""
        if identity != BOX:
            layer = self.layer_after(move, identity)
            return layer.bit_count() + largest_group(layer)
        trios = sum(trios_in(self.layer_after(move, cat)) for cat in range(BOX))
        return self.layer_after(move, BOX).bit_count() + 2 * trios

    def layer_after(self, move: Move, layer: int) -> int:
        """Which cells show the cat or the box `layer` after the move, as a mask."""
        match move:
            case Place(owner, card, x, y):
                face = self.face(card, "secret" if owner == self.seen.seat else "public")
                before = self.area
            case ToyMouse(card, x, y):
                face = self.area.faces[card]
                before = self.without(card)
            case _:
                return self.area.layers[layer]
        cell = cell_at(x, y)
        return before.layers[layer] & ~(CARD << cell) | face.layers[layer] << cell

    def without(self, card: int) -> Area:
        """The area with an uncovered card lifted off."""
        if card not in self.lifted:
            self.lifted[card] = self.area.copy()
            self.lifted[card].lift(card)
        return self.lifted[card]


@lru_cache(1 << 14)
def largest_group(layer: int) -> int:
    return max(group_sizes(layer), default=0)


@lru_cache(1 << 14)
def trios_in(layer: int) -> int:
    return group_sizes(layer).count(3)


run(choose, name="greedy", games=["cat_box"])
