"""A finished game as a value: all that is needed to replay it, and nothing that varies between equal runs."""

from typing import Any, Literal

from msgspec import Raw, Struct

from protocol.messages import ErrorCode, Move

__all__ = ["RECORD_VERSION", "Forfeit", "Outcome", "Record", "RecordedMove"]

RECORD_VERSION = 1


class RecordedMove(Struct, omit_defaults=True):
    """by: `referee` where it moved for a forfeited seat.  ms: time charged to the seat, kept only on request."""

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
    """One game. id: the fixture's key.  seats: bot names by seat.  outcome: Outcome with its details merged in."""

    record: int
    id: str
    game: str
    options: dict[str, Any]
    seats: list[str]
    deal_number: int
    deal: Raw
    moves: list[RecordedMove]
    outcome: dict[str, Any]
