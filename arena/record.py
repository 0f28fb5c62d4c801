"""A finished game as a value: all that is needed to replay it, and nothing that varies between equal runs."""

from collections.abc import Collection, Sequence
from typing import Any, Literal

from msgspec import Raw, Struct

from protocol.messages import ErrorCode, Move

__all__ = ["RECORD_VERSION", "Forfeit", "Outcome", "Record", "RecordedMove", "outcome_ranks"]

RECORD_VERSION = 1


class RecordedMove(Struct, omit_defaults=True):
    """by: `referee` where it moved for a forfeited seat.  ms: time charged to the seat, only on request."""

    seat: int
    move: Move
    by: Literal["referee"] | None = None
    note: str | None = None
    ms: float | None = None


class Forfeit(Struct, frozen=True):
    """A seat's fault. detail: what was expected and what came, for people."""

    seat: int
    reason: ErrorCode
    detail: str


class Outcome(Struct):
    """status: `forfeit` when a fault ended the game early.  details: the game's own fields."""

    status: Literal["finished", "forfeit"]
    scores: list[int]
    ranks: list[int]
    forfeits: list[Forfeit]
    details: dict[str, Any]


class Record(Struct):
    """One game. id: the fixture's key.  seats: bot names by seat.  outcome: Outcome, details merged in."""

    record: int
    id: str
    game: str
    options: dict[str, Any]
    seats: list[str]
    deal_number: int
    deal: Raw
    moves: list[RecordedMove]
    outcome: dict[str, Any]


def outcome_ranks(ranks: Sequence[int], forfeited: Collection[int], ended_early: bool) -> list[int]:
    """Final ranks by seat, ties as 1, 2, 2, 4: forfeited seats share the last place.

    ranks: the game's own, by seat.  forfeited: seats.
    ended_early: a fault stopped the game, so the others share the win; else they are ranked among themselves.
    """
    others = [ranks[seat] for seat in range(len(ranks)) if seat not in forfeited]

    def final_rank(seat: int) -> int:
        if seat in forfeited:
            return len(others) + 1
        return 1 if ended_early else 1 + sum(rank < ranks[seat] for rank in others)

    return [final_rank(seat) for seat in range(len(ranks))]
