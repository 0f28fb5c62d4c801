"""What a Cat in the Box bot sees and answers.

Colors are named in research board order, top row first. Seats count from 0 in turn order.
Cards are their numbers, 1 to 9; color comes only with the play.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

__all__ = [
    "BLOCKED",
    "COLORS",
    "EMPTY",
    "Bid",
    "Color",
    "Discard",
    "Move",
    "Observation",
    "Play",
    "RoundScore",
    "Trick",
    "TrickPlay",
]

Color = Literal["red", "blue", "yellow", "green"]
COLORS: tuple[Color, ...] = ("red", "blue", "yellow", "green")

EMPTY = -1
"""A cell of the research board on which nobody has placed a token."""
BLOCKED = -2
"""A cell that can never be used: covered by a revealed card, or a hole in the layout."""

Card = Annotated[int, Meta(ge=1, le=9)]
Seat = Annotated[int, Meta(ge=0, le=4)]


class Discard(Struct, tag="discard", frozen=True, gc=False):
    """Put `card` aside, face down, before bidding."""

    card: Card


class Bid(Struct, tag="bid", frozen=True, gc=False):
    """Predict to win exactly `tricks` tricks this round."""

    tricks: Annotated[int, Meta(ge=1, le=4)]


class Play(Struct, tag="play", frozen=True, gc=False):
    """Play `card` and declare it to be `color`."""

    card: Card
    color: Color


Move: TypeAlias = Discard | Bid | Play


class TrickPlay(Struct, frozen=True, gc=False):
    """One card of a trick, in the order it was played."""

    seat: Seat
    card: Card
    color: Color


class Trick(Struct, frozen=True):
    """A completed trick: plays in order, the leader's first, and who won it."""

    plays: list[TrickPlay]
    winner: Seat


class RoundScore(Struct, frozen=True):
    """A scored round; every list is by seat.

    bids: null for each seat with two players.
    bonus: points from the largest group, 0 where the bid was missed.
    paradox: the seat that caused one, or null.
    """

    start_seat: Seat
    scores: list[int]
    tricks: list[int]
    bids: list[int | None]
    bonus: list[int]
    paradox: Seat | None


class Observation(Struct, tag="cat_in_the_box", frozen=True):
    """Everything a person at `seat` may know; nothing else.

    seats: players at the table, 2 to 5.  round: from 0; a game has as many rounds as players.
    start_seat: who bids first and leads the round's first trick.
    hand: own cards, ascending, without the discard.  discard: own discard, null before it is made.
    layout: 4 rows in the order of COLORS, each a list of the card numbers from left to right, 0 a hole.
    board: same shape as layout: seat whose token lies there, or EMPTY, or BLOCKED.
    open_colors: by seat, the colors that seat may still declare, in the order of COLORS.
    bids: by seat, null while not made (with two players: always).
    tricks_won: by seat, this round.
    trick: the plays of the trick under way, the leader's first; empty for the leader.
    tricks: the round's completed tricks, oldest first.
    revealed: with two players the three cards turned up; else empty.
    rounds: earlier rounds of this game, oldest first.
    """

    phase: Literal["discard", "bid", "play"]
    seat: Seat
    seats: int
    round: int
    start_seat: Seat
    hand: list[Card]
    discard: Card | None
    layout: list[list[int]]
    board: list[list[int]]
    open_colors: list[list[Color]]
    bids: list[int | None]
    tricks_won: list[int]
    trick: list[TrickPlay]
    tricks: list[Trick]
    revealed: list[Card]
    rounds: list[RoundScore]
