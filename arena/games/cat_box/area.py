"""The cards on the table, seen from above, and where another one fits (CATBOX 5).

Each question about all spots at once is a few operations on masks: for a mask of cells, shifting it by each of
STEPS and adding up counts how many of its cells a card would cover at every spot.
"""

from collections.abc import Iterator
from typing import NamedTuple

from arena.games.cat_box.face import BOX, CARD, ROW, STEPS, Face, x_of, y_of
from protocol.cat_box import PlacedCard, Side

__all__ = ["Area", "Spots", "cells", "spots_covering"]

COVERED = tuple([bool(mask >> quadrant & 1) for quadrant in range(4)] for mask in range(16))
"""By a mask of quadrants: the list on the wire. The lists are shared and must not be changed."""


class Spots(NamedTuple):
    """Masks of the spots where a card may lie. Rule: CATBOX 5.3, 5.4, 7.4.

    one: for a side with four cats.  box: for a side with an empty box.  stacking: for any side, with that token.
    """

    one: int
    box: int
    stacking: int


def cells(mask: int) -> Iterator[int]:
    """The bits of a mask, ascending."""
    if not mask:
        return
    # Bits below the first are cut off, since what follows costs as much as the number is long.
    start = (mask & -mask).bit_length() - 1
    mask >>= start
    while mask:
        lowest = mask & -mask
        yield start + lowest.bit_length() - 1
        mask ^= lowest


def spots_covering(mask: int) -> int:
    """The spots where a card covers at least one cell of a mask."""
    return mask | mask >> 1 | mask >> ROW | mask >> ROW + 1


class Area:
    """Masks of cells, and the cards.

    occupied: cells with a card.  layers: by cat, then BOX, the cells that show it.
    lying: by card number, from bottom to top.  at: by card number, its cell.  faces: by card number, what lies up.
    covers: by card number, mask of its covered quadrants.  top: by cell, the card that is seen there.
    """

    __slots__ = ("at", "covers", "faces", "layers", "lying", "occupied", "top")

    def __init__(self) -> None:
        self.occupied = 0
        self.layers = [0] * (BOX + 1)
        self.lying: dict[int, PlacedCard] = {}
        self.at: dict[int, int] = {}
        self.faces: dict[int, Face] = {}
        self.covers: dict[int, int] = {}
        self.top: dict[int, int] = {}

    def copy(self) -> "Area":
        other = Area.__new__(Area)
        other.occupied = self.occupied
        other.layers = self.layers.copy()
        other.lying = self.lying.copy()
        other.at = self.at.copy()
        other.faces = self.faces.copy()
        other.covers = self.covers.copy()
        other.top = self.top.copy()
        return other

    def place(self, card: int, face: Face, side: Side, cell: int) -> None:
        """Lay a card on top."""
        under = CARD << cell
        self.occupied |= under
        self.layers = [
            layer & ~under | own << cell for layer, own in zip(self.layers, face.layers, strict=True)
        ]
        self.at[card] = cell
        self.faces[card] = face
        self.covers[card] = 0
        self.lying[card] = PlacedCard(card, x_of(cell), y_of(cell), side, COVERED[0])
        top = self.top
        for step in STEPS:
            below = top.get(cell + step)
            if below is not None:
                self._cover(below, self.covers[below] | 1 << STEPS.index(cell + step - self.at[below]))
            top[cell + step] = card

    def lift(self, card: int) -> Side:
        """Take an uncovered card off, and return the side that lay up."""
        cell = self.at[card]
        below = self._below(card)
        self.occupied &= ~(CARD << cell)
        self.layers = [layer & ~(CARD << cell) for layer in self.layers]
        for step, uncovered in zip(STEPS, below, strict=True):
            if uncovered is None:
                del self.top[cell + step]
            else:
                self._uncover(uncovered, cell + step)
        side = self.lying.pop(card).side
        del self.at[card], self.faces[card], self.covers[card]
        return side

    def uncovered(self) -> list[int]:
        """Cards none of whose quadrants is covered, ascending. Rule: CATBOX 7.5."""
        return sorted(card for card, covered in self.covers.items() if not covered)

    def spots(self, guarded: int) -> Spots:
        """guarded: cells whose quadrants may not be covered."""
        one, box, some = _fitting(self.occupied, guarded)
        cats = self.occupied & ~self.layers[BOX]
        four_cats = cats & cats >> 1 & cats >> ROW & cats >> ROW + 1
        return Spots(one, box, some & ~four_cats)

    def spots_without(self, card: int, guarded: int) -> tuple[int, int]:
        """`one` and `box` for an uncovered card that is lifted first, without the spot it leaves.

        Rule: CATBOX 7.5.
        """
        cell = self.at[card]
        occupied = self.occupied
        for step, below in zip(STEPS, self._below(card), strict=True):
            if below is None:
                occupied ^= 1 << cell + step
        one, box, _ = _fitting(occupied, guarded)
        elsewhere = ~(1 << cell)
        return one & elsewhere, box & elsewhere

    def _below(self, card: int) -> list[int | None]:
        """By quadrant of an uncovered card, the card right under it."""
        cell = self.at[card]
        found: list[int | None] = [None] * 4
        # Cards that lie near can only be under this one; the last found is the highest.
        for other, at in self.at.items():
            if -ROW - 1 <= at - cell <= ROW + 1 and other != card:
                for quadrant, step in enumerate(STEPS):
                    if cell + step - at in STEPS:
                        found[quadrant] = other
        return found

    def _cover(self, card: int, covered: int) -> None:
        self.covers[card] = covered
        shown = self.lying[card]
        self.lying[card] = PlacedCard(card, shown.x, shown.y, shown.side, COVERED[covered])

    def _uncover(self, card: int, cell: int) -> None:
        quadrant = STEPS.index(cell - self.at[card])
        self._cover(card, self.covers[card] & ~(1 << quadrant))
        self.top[cell] = card
        for layer, own in enumerate(self.faces[card].layers):
            if own >> STEPS[quadrant] & 1:
                self.layers[layer] |= 1 << cell
        self.occupied |= 1 << cell


def _fitting(occupied: int, guarded: int) -> tuple[int, int, int]:
    """The spots where a card covers exactly one occupied cell, one or two, and any number."""
    a, b, c, d = (occupied >> step for step in STEPS)
    some = a | b | c | d
    if guarded & occupied:
        some &= ~spots_covering(guarded & occupied)
    above, below = a & b, c & d
    one_or_two = some & ~(above & (c | d) | below & (a | b))
    return one_or_two & (a ^ b ^ c ^ d), one_or_two, some
