"""What a game is to the arena.

A game is its rules for one table: the number of seats and the options are fixed when it is made. States are
mutable and belong to the caller: `apply` changes the state it is given, `copy` makes one that is independent.
Nothing else is hidden: no clock, no global randomness, no input or output. All chance is in the deal, so a deal
and the moves replay a game.

Moves are ints inside the arena, small and dense enough for tables; `encode_move` and `decode_move` turn them into
the structs of the wire and the record.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from msgspec import Struct

from protocol.messages import Move, Observation

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["DealT", "Game", "OptionError", "StateT"]

SHOWN_MOVES = 12
"""Legal moves that a message lists."""

DealT = TypeVar("DealT", bound=Struct)
StateT = TypeVar("StateT")


class OptionError(ValueError):
    """A table that the game cannot be played at. key: `seats`, or the option's name."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


class Game(ABC, Generic[DealT, StateT]):
    """The rules at one table.

    name: as in specs and on the wire.  rules_version: raised when the same moves could score differently.
    seat_counts: numbers of players it can be played with.  option_values: by option, what it may be, in words.
    deal_type: the struct of a deal, as it stands in a record.
    """

    name: ClassVar[str]
    rules_version: ClassVar[int]
    seat_counts: ClassVar[Sequence[int]]
    option_values: ClassVar[Mapping[str, str]]
    deal_type: type[DealT]

    seats: int
    options: dict[str, Any]
    """Every option with its value, defaults filled in: what the record and `game_start` show."""

    @abstractmethod
    def __init__(self, seats: int, options: Mapping[str, object], folder: Path | None = Path()) -> None:
        """folder: what paths in options are relative to; None where no file is to be read.

        Raises OptionError for a number of seats, an option or a value that the game does not have.
        """

    @abstractmethod
    def deal(self, rng: Random) -> DealT:
        """Every chance outcome of one game."""

    @abstractmethod
    def check_deal(self, deal: DealT) -> None:
        """Raises ValueError unless `deal` could have come from `deal()` at this table."""

    @abstractmethod
    def start(self, deal: DealT) -> StateT:
        """The state before the first decision."""

    @abstractmethod
    def copy(self, state: StateT) -> StateT:
        """A state that later `apply` calls on the other do not change."""

    @abstractmethod
    def to_move(self, state: StateT) -> Sequence[int]:
        """Seats that decide now, ascending; they decide simultaneously. Empty when the game is over."""

    @abstractmethod
    def legal_moves(self, state: StateT, seat: int) -> Sequence[int]:
        """Legal moves of a seat that is to move, ascending, at least one."""

    @abstractmethod
    def apply(self, state: StateT, seat: int, move: int) -> None:
        """Make a legal move of a seat that is to move. The move is not checked again."""

    @abstractmethod
    def observe(self, state: StateT, seat: int) -> Observation:
        """What the seat may know, and nothing else: the only place where hidden cards are taken out.

        Two states that the seat cannot tell apart give equal observations.
        """

    @abstractmethod
    def determinize(self, observation: Any, rng: Random) -> StateT:
        """A random state, uniform over the hidden cards, that gives `observation` to its seat.

        For search bots; the cards of later rounds are drawn anew.
        """

    @abstractmethod
    def scores(self, state: StateT) -> list[int]:
        """Points so far, by seat."""

    @abstractmethod
    def ranks(self, state: StateT) -> list[int]:
        """Standing so far, by seat, 1 the best, ties as 1, 2, 2, 4."""

    @abstractmethod
    def details(self, state: StateT) -> dict[str, Any]:
        """What a record's outcome holds beyond scores and ranks, as plain JSON values."""

    @abstractmethod
    def encode_move(self, move: int) -> Move:
        """The move as it stands on the wire and in a record."""

    @abstractmethod
    def decode_move(self, move: Move) -> int:
        """The inverse of `encode_move`. Raises ValueError for a move that no table of this game knows."""

    @abstractmethod
    def describe(self, move: int) -> str:
        """The move in a few words a person would type, unique among legal moves: `5 blue`, `bid 3`, `discard 5`."""

    def describe_some(self, moves: Sequence[int]) -> str:
        """The first of these moves in words, and how many more there are."""
        shown = ", ".join(map(self.describe, moves[:SHOWN_MOVES]))
        more = len(moves) - SHOWN_MOVES
        return f"{shown} or {more} more" if more > 0 else shown

    def describe_illegal(self, move: Move, legal: Sequence[int]) -> str:
        """A move that is not among `legal`, in words that tell it from them."""
        try:
            words = self.describe(self.decode_move(move))
        except ValueError:
            return repr(move)
        return repr(move) if words in map(self.describe, legal) else words

    def is_secret(self, move: int) -> bool:  # noqa: ARG002 - a game without secret moves leaves it
        """Whether the other seats only see that a move was made, not which."""
        return False

    @abstractmethod
    def draw(self, observations: Sequence[Any]) -> "RenderableType":
        """The table as the seats of `observations` see it together, for a terminal; at least one observation."""
