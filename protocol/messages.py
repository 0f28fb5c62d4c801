"""The messages of the wire. PROTOCOL.md is the authority; this file is its form in Python.

Every message is a map with a `type`; unknown fields are skipped, wrong types are a fault.
A new game adds its structs to `Observation` and `Move` below, and nothing else here.
"""

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from protocol import cat_box, cat_in_the_box

__all__ = [
    "MAX_MESSAGE_BYTES",
    "MAX_TURN_BYTES",
    "PROTOCOL_VERSION",
    "BotMessage",
    "Clock",
    "Error",
    "ErrorCode",
    "GameEnd",
    "GameStart",
    "Goodbye",
    "Hello",
    "Move",
    "MoveReply",
    "Observation",
    "RefereeMessage",
    "Turn",
    "Welcome",
]

PROTOCOL_VERSION = 1
MAX_MESSAGE_BYTES = 65536
"""Largest message body from a bot."""
MAX_TURN_BYTES = 262144
"""Largest message body from the referee: two thousand legal moves of Cat Box in JSON take about half of it."""

Observation: TypeAlias = cat_in_the_box.Observation | cat_box.Observation
Move: TypeAlias = cat_in_the_box.Move | cat_box.Move

# In Python `$` alone would let a line break follow the name.
Name = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$(?!\n)")]
Count = Annotated[int, Meta(ge=0, le=2**53 - 1)]
ErrorCode = Literal["timeout", "crash", "illegal_move", "protocol_error", "resource_limit", "startup_failure"]


class Hello(Struct, tag="hello", frozen=True):
    """A bot's first message. Its first byte settles the encoding: `{` is JSON, else MessagePack.

    token: ARENA_TOKEN as it was given.  games: names of the games it plays.
    max_games: how many games this process can hold at once.
    """

    protocol: Count
    name: Name
    version: Annotated[str, Meta(max_length=64)]
    token: Annotated[str, Meta(max_length=256)]
    games: Annotated[list[Name], Meta(min_length=1, max_length=64)]
    max_games: Annotated[int, Meta(ge=1, le=1024)] = 1


class MoveReply(Struct, tag="move", frozen=True, omit_defaults=True):
    """A bot's answer to one `turn`: its game and turn numbers, and one element of `legal`.

    note: a short remark, kept in the game's record.
    """

    game: Count
    turn: Count
    move: Move
    note: Annotated[str, Meta(max_length=200)] | None = None


class Welcome(Struct, tag="welcome", frozen=True):
    """The handshake succeeded. arena: the referee's version, for logs only."""

    protocol: int
    arena: str


class Clock(Struct, frozen=True):
    """A seat's time. move_ms: free for every decision. bank_ms: per game, spent by longer decisions."""

    move_ms: int
    bank_ms: int


class GameStart(Struct, tag="game_start", frozen=True):
    """A new game. game: its number on this connection. name: which game it is.

    seat, seats: own seat of how many.  options: the game's options, as in the tournament's spec.
    rng_seed: for the bot's own randomness, 0 to 2**53 - 1; tells nothing about the deal.
    """

    game: int
    name: str
    seat: int
    seats: int
    options: dict[str, Any]
    clock: Clock
    rng_seed: int


class Turn(Struct, tag="turn", frozen=True):
    """A decision is due: answer one element of `legal` with the same `game` and `turn`.

    time_ms: until the forfeit, from when the bot can read this: move_ms and what is left of the bank.
    """

    game: int
    turn: int
    seat: int
    time_ms: int
    observation: Observation
    legal: list[Move]


class GameEnd(Struct, tag="game_end", frozen=True):
    """The game is over. scores, ranks: by seat, ranks 1, 2, 2, 4; both empty when void.

    status: `finished`, `forfeit` (a seat's fault ended it), or `void` (does not count, is played again).
    """

    game: int
    status: Literal["finished", "forfeit", "void"]
    scores: list[int]
    ranks: list[int]


class Goodbye(Struct, tag="goodbye", frozen=True):
    """No more games: exit."""


class Error(Struct, tag="error", frozen=True):
    """Sent before a forfeit. code: the forfeit's reason. game: null if it concerns the whole process."""

    code: ErrorCode
    text: str
    game: int | None


BotMessage: TypeAlias = Hello | MoveReply
RefereeMessage: TypeAlias = Welcome | GameStart | Turn | GameEnd | Goodbye | Error
