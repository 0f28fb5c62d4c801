"""A game under way, as the referee knows it."""

from collections.abc import Callable
from typing import Literal

from arena.games.cat_in_the_box.deal import RoundDeal
from arena.games.cat_in_the_box.moves import ROW_MASKS
from protocol.cat_in_the_box import RoundScore, Trick, TrickPlay

__all__ = ["State", "legal_lead"]


class State:
    """Every list of ints is by seat, but for `board` and `revealed`.

    to_move: the seats that decide now, ascending.
    legal: mask of the plays of the seat to move, in phase play.
    empty: mask of the free cells.  board: by position, whose token lies there.
    hands: without the discards, ascending.  held: masks of every cell whose number is in the hand.
    open: masks of whole rows, the colors a seat may still declare.
    led, strongest, winner: of the trick under way: its color's row, the strength of its best play so far, and
    whose that is.
    revealed: with two players, as in the deal; never changed.
    deal_of_round: the cards of a round to come, by its number; asked when that round begins.
    """

    __slots__ = (
        "bids",
        "board",
        "deal_of_round",
        "discards",
        "empty",
        "hands",
        "held",
        "led",
        "legal",
        "open",
        "phase",
        "revealed",
        "round",
        "rounds",
        "start_seat",
        "strongest",
        "to_move",
        "trick",
        "tricks",
        "tricks_won",
        "winner",
    )

    phase: Literal["discard", "bid", "play"]
    round: int
    start_seat: int
    to_move: tuple[int, ...]
    legal: int
    empty: int
    board: list[int]
    hands: list[list[int]]
    held: list[int]
    discards: list[int | None]
    open: list[int]
    bids: list[int | None]
    tricks_won: list[int]
    led: int
    strongest: int
    winner: int
    trick: list[TrickPlay]
    tricks: list[Trick]
    rounds: list[RoundScore]
    revealed: list[int]
    deal_of_round: Callable[[int], RoundDeal]

    def copy(self) -> "State":
        """A state that shares nothing that changes."""
        other = State.__new__(State)
        other.phase = self.phase
        other.round = self.round
        other.start_seat = self.start_seat
        other.to_move = self.to_move
        other.legal = self.legal
        other.empty = self.empty
        other.board = self.board.copy()
        other.hands = [hand.copy() for hand in self.hands]
        other.held = self.held.copy()
        other.discards = self.discards.copy()
        other.open = self.open.copy()
        other.bids = self.bids.copy()
        other.tricks_won = self.tricks_won.copy()
        other.led = self.led
        other.strongest = self.strongest
        other.winner = self.winner
        other.trick = self.trick.copy()
        other.tricks = self.tricks.copy()
        other.rounds = self.rounds.copy()
        other.revealed = self.revealed
        other.deal_of_round = self.deal_of_round
        return other


def legal_lead(state: State, seat: int, cells: int) -> int:
    """Mask of the plays of a leader. cells: every cell in play. Rule: CITB 4.1 to 4.3."""
    plays = state.empty & state.open[seat] & state.held[seat]
    red = ROW_MASKS[0]
    if (state.empty ^ cells) & red:
        return plays
    return plays & ~red or plays
