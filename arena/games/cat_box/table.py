"""What the number of players changes (CATBOX 1.2)."""

from typing import NamedTuple

__all__ = ["TABLES", "Table"]


class Table(NamedTuple):
    """One row of the table in CATBOX 1.2.

    hand: cards in a hand.  removed: cards taken out in the basic game.  chihuahua: whether it can be dealt.
    """

    hand: int
    removed: int
    chihuahua: bool


TABLES = {
    2: Table(hand=2, removed=1, chihuahua=False),
    3: Table(hand=2, removed=2, chihuahua=False),
    4: Table(hand=1, removed=3, chihuahua=True),
    5: Table(hand=1, removed=2, chihuahua=True),
}
