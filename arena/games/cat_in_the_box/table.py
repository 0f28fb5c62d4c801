"""What the number of players changes (CITB 1.2)."""

from typing import NamedTuple

__all__ = ["COPIES", "TABLES", "Table"]

COPIES = 5
"""Cards of each number, at every player count."""


class Table(NamedTuple):
    """One row of the table in CITB 1.2.

    numbers: cards are 1 to `numbers`.  dealt: cards a seat is dealt.  tricks: in a round without a paradox.
    bids: ascending; empty with two players.  revealed, hidden: cards left over after the deal.
    """

    numbers: int
    dealt: int
    tricks: int
    bids: tuple[int, ...]
    revealed: int = 0
    hidden: int = 0


TABLES = {
    2: Table(numbers=5, dealt=10, tricks=8, bids=(), revealed=3, hidden=2),
    3: Table(numbers=6, dealt=10, tricks=8, bids=(1, 3, 4)),
    4: Table(numbers=8, dealt=10, tricks=8, bids=(1, 2, 3)),
    5: Table(numbers=9, dealt=9, tricks=7, bids=(1, 2, 3)),
}
