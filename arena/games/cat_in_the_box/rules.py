"""The rules of Cat in the Box (RULES.md), as the arena plays them.

`apply` finds a paradox, scores the round and begins the next one by itself, so a state always waits for a
choice or the game is over. The mask of legal plays is worked out once, when the seat's turn comes.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from arena.games.base import Game, OptionError
from arena.games.cat_in_the_box import moves, observation, scoring
from arena.games.cat_in_the_box.board import ResearchBoard, resolve_layout
from arena.games.cat_in_the_box.deal import Deal, RoundDeal, check_deal, deal_game
from arena.games.cat_in_the_box.moves import (
    BID,
    CARD,
    COLOR,
    DISCARD,
    NUMBER_MASKS,
    ROW_MASKS,
    STRENGTH,
    TRICK_PLAYS,
)
from arena.games.cat_in_the_box.state import State, legal_lead
from arena.games.cat_in_the_box.table import TABLES
from protocol.cat_in_the_box import BLOCKED, COLORS, Observation, RoundScore, Trick
from protocol.messages import Move

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["CatInTheBox"]

ALL_ROWS = sum(ROW_MASKS)
RED_PLAYS, BLUE_PLAYS, YELLOW_PLAYS, GREEN_PLAYS = moves.PLAYS


class CatInTheBox(Game[Deal, State]):
    """Cat in the Box for 2 to 5 players.

    Options: `board` is `white`, `purple`, the path of a layout file, or a layout as a mapping (CITB 8).
    """

    name: ClassVar[str] = "cat_in_the_box"
    rules_version: ClassVar[int] = 1
    option_values: ClassVar[Mapping[str, str]] = {"board": "white, purple or a layout file"}
    seat_counts: ClassVar[Sequence[int]] = tuple(TABLES)
    deal_type = Deal

    def __init__(self, seats: int, options: Mapping[str, object], folder: Path | None = Path()) -> None:
        if seats not in TABLES:
            raise OptionError("seats", f"{self.name} is for 2 to 5 players, not {seats}")
        for option in options:
            if option != "board":
                raise OptionError(option, f"unknown option, the options of {self.name} are: board")
        board = options.get("board", "white")
        if seats == 2 and board != "white":
            raise OptionError("board", f"2 players play on the white board only, not {board!r}")
        self.seats = seats
        self.table = TABLES[seats]
        layout = resolve_layout(board, self.table, folder)
        self.board = ResearchBoard(layout)
        self.options: dict[str, Any] = {"board": _option_value(board, layout)}
        self._position = self.board.position
        self._next_seat = tuple((seat + 1) % seats for seat in range(seats))
        self._alone = tuple((seat,) for seat in range(seats))
        self._bid_moves = tuple(BID + tricks for tricks in self.table.bids)

    def deal(self, rng: Random) -> Deal:
        return deal_game(self.table, self.seats, rng)

    def check_deal(self, deal: Deal) -> None:
        check_deal(self.table, self.seats, deal)

    def start(self, deal: Deal) -> State:
        state = State.__new__(State)
        state.rounds = []
        state.deal_of_round = deal.rounds.__getitem__
        self._begin_round(state, deal.first_player)
        return state

    def copy(self, state: State) -> State:
        return state.copy()

    def to_move(self, state: State) -> Sequence[int]:
        return state.to_move

    def legal_moves(self, state: State, seat: int) -> Sequence[int]:
        if state.phase == "play":
            plays = state.legal
            return (
                RED_PLAYS[plays & 511]
                + BLUE_PLAYS[plays >> 9 & 511]
                + YELLOW_PLAYS[plays >> 18 & 511]
                + GREEN_PLAYS[plays >> 27]
            )
        if state.phase == "bid":
            return self._bid_moves
        return moves.DISCARDS[state.held[seat] & 511]

    def apply(self, state: State, seat: int, move: int) -> None:
        if move < DISCARD:
            self._play(state, seat, move)
        elif move < BID:
            self._discard(state, seat, move - DISCARD + 1)
        else:
            self._bid(state, seat, move - BID)

    def observe(self, state: State, seat: int) -> Observation:
        return observation.observe(self.board, state, seat)

    def determinize(self, observation_: Observation, rng: Random) -> State:
        return observation.determinize(self.board, observation_, rng)

    def scores(self, state: State) -> list[int]:
        return scoring.totals(state.rounds, self.seats)

    def ranks(self, state: State) -> list[int]:
        return scoring.ranks(state.rounds, self.seats)

    def details(self, state: State) -> dict[str, Any]:
        return {"rounds": [self._round_details(scored) for scored in state.rounds]}

    def encode_move(self, move: int) -> Move:
        return moves.MOVES[move]

    def decode_move(self, move: Move) -> int:
        return moves.decode_move(move)

    def describe(self, move: int) -> str:
        return moves.describe(move)

    def is_secret(self, move: int) -> bool:
        return DISCARD <= move < BID

    def draw(self, observations: Sequence[Observation]) -> "RenderableType":
        from arena.games.cat_in_the_box.drawing import draw

        return draw(observations)

    def _round_details(self, scored: RoundScore) -> dict[str, Any]:
        bids = {"bids": scored.bids} if self.table.bids else {}
        return {
            "scores": scored.scores,
            "tricks": scored.tricks,
            **bids,
            "bonus": scored.bonus,
            "paradox": scored.paradox,
        }

    def _begin_round(self, state: State, start_seat: int) -> None:
        """Deal the next round and ask for discards. Rule: CITB 2."""
        state.phase = "discard"
        state.round = len(state.rounds)
        dealt = state.deal_of_round(state.round)
        state.start_seat = start_seat
        state.to_move = tuple(range(self.seats))
        state.legal = 0
        state.hands = [hand.copy() for hand in dealt.hands]
        state.held = [moves.hand_mask(hand) for hand in state.hands]
        state.discards = [None] * self.seats
        state.bids = [None] * self.seats
        state.open = [ALL_ROWS] * self.seats
        state.tricks_won = [0] * self.seats
        state.led = state.strongest = state.winner = 0
        state.trick = []
        state.tricks = []
        self._lay_board(state, dealt)

    def _lay_board(self, state: State, dealt: RoundDeal) -> None:
        """An empty research board but for blocked cells. Rule: CITB 2.3."""
        blocked = moves.blocked_cells(dealt.revealed)
        state.revealed = dealt.revealed
        state.empty = self.board.cells & ~blocked
        state.board = self.board.blank.copy()
        for cell, position in enumerate(self.board.position):
            if blocked >> cell & 1:
                state.board[position] = BLOCKED

    def _discard(self, state: State, seat: int, card: int) -> None:
        """Rule: CITB 2.4."""
        state.discards[seat] = card
        self._take(state, seat, card)
        state.to_move = tuple(other for other in state.to_move if other != seat)
        if state.to_move:
            return
        if self._bid_moves:
            state.phase = "bid"
            state.to_move = self._alone[state.start_seat]
        else:
            self._lead(state, state.start_seat)

    def _bid(self, state: State, seat: int, tricks: int) -> None:
        """Rule: CITB 3.1."""
        state.bids[seat] = tricks
        following = self._next_seat[seat]
        if following == state.start_seat:
            self._lead(state, following)
        else:
            state.to_move = self._alone[following]

    def _play(self, state: State, seat: int, cell: int) -> None:
        """Rule: CITB 4 and 5."""
        self._take(state, seat, CARD[cell])
        state.empty ^= 1 << cell
        state.board[self._position[cell]] = seat
        color = COLOR[cell]
        trick = state.trick
        if not trick:
            state.led = color
            state.strongest = 0
        elif color != state.led:
            state.open[seat] &= ~ROW_MASKS[state.led]
        trick.append(TRICK_PLAYS[seat][cell])
        strength = STRENGTH[state.led][cell]
        if strength > state.strongest:
            state.strongest = strength
            state.winner = seat
        if len(trick) == self.seats:
            self._end_trick(state)
            return
        following = self._next_seat[seat]
        state.legal = legal = state.empty & state.open[following] & state.held[following]
        if legal:
            state.to_move = self._alone[following]
        else:
            self._end_round(state, following)

    def _take(self, state: State, seat: int, card: int) -> None:
        """Take a card out of a hand."""
        hand = state.hands[seat]
        hand.remove(card)
        if card not in hand:
            state.held[seat] &= ~NUMBER_MASKS[card]

    def _lead(self, state: State, seat: int) -> None:
        """Ask the seat to lead a trick, or find its paradox. Rule: CITB 4.2, 4.3, 5.4."""
        state.phase = "play"
        state.legal = legal_lead(state, seat, self.board.cells)
        if state.legal:
            state.to_move = self._alone[seat]
        else:
            self._end_round(state, seat)

    def _end_trick(self, state: State) -> None:
        """Rule: CITB 5.2, 5.3."""
        state.tricks.append(Trick(state.trick, state.winner))
        state.trick = []
        state.tricks_won[state.winner] += 1
        if len(state.tricks) == self.table.tricks:
            self._end_round(state, None)
        else:
            self._lead(state, state.winner)

    def _end_round(self, state: State, paradox: int | None) -> None:
        """Score the round and begin the next one, or end the game. Rule: CITB 5.5, 6, 1.3."""
        state.rounds.append(
            scoring.score_round(
                self.board, state.board, state.start_seat, state.bids, state.tricks_won, paradox
            )
        )
        if len(state.rounds) < self.seats:
            self._begin_round(state, self._next_seat[state.start_seat])
        else:
            state.to_move = ()


def _option_value(board: object, layout: list[list[int]]) -> Any:
    """The option as it stands in a record: a name, or the whole layout where a file or a mapping gave it."""
    return board if board in ("white", "purple") else dict(zip(COLORS, layout, strict=True))
