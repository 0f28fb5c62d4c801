"""One side of a card, with what placing it does to the masks of the area (CATBOX 1.3).

Cells of the table are bits of an int, a row of 128 after the other; a shift by 1 is a step to the right, by ROW a
step down. The first card lies at ORIGIN, in the middle, so that every cell a game can reach is a bit. A card lies at
the cell of its first quadrant.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from protocol.cat_box import CATS, HIGHEST, LOWEST, Cat

__all__ = ["BOX", "CARD", "ORIGIN", "ROW", "STEPS", "Face", "cell_at", "face_of", "x_of", "y_of"]

ROW = HIGHEST - LOWEST + 1
BOX = len(CATS)
"""The layer of empty boxes, after those of the cats."""


def cell_at(x: int, y: int) -> int:
    """The bit of the cell (x, y)."""
    return (y - LOWEST) * ROW + x - LOWEST


def x_of(cell: int) -> int:
    return cell % ROW + LOWEST


def y_of(cell: int) -> int:
    return cell // ROW + LOWEST


ORIGIN = cell_at(0, 0)
STEPS = (0, 1, ROW, ROW + 1)
"""From where a card lies to its four cells, in the order of its quadrants."""
CARD = sum(1 << step for step in STEPS)


class Face(NamedTuple):
    """quadrants: as on the wire; shared, must not be changed.

    layers: by cat, then BOX, the cells that show it, for a card at cell 0.
    """

    quadrants: list[Cat | None]
    layers: tuple[int, ...]
    has_box: bool


@cache
def _face(quadrants: tuple[Cat | None, ...]) -> Face:
    layers = tuple(
        sum(1 << step for step, shown in zip(STEPS, quadrants, strict=True) if shown == animal)
        for animal in (*CATS, None)
    )
    return Face(list(quadrants), layers, None in quadrants)


def face_of(quadrants: Sequence[Cat | None]) -> Face:
    """The face that shows these four quadrants."""
    return _face(tuple(quadrants))
