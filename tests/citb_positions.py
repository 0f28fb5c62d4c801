"""Positions of Cat in the Box for tests, built without a deal, and moves in words."""

from collections.abc import Mapping, Sequence
from random import Random

from arena.games.cat_in_the_box import CatInTheBox
from arena.games.cat_in_the_box.moves import NUMBER_MASKS, ROW_MASKS, hand_mask
from arena.games.cat_in_the_box.state import State, legal_lead
from protocol.cat_in_the_box import COLORS, Trick


def code(words: str) -> int:
    """The move that `describe` calls so, over every number and color."""
    kind, value = words.split()
    if kind == "discard":
        return 36 + int(value) - 1
    if kind == "bid":
        return 45 + int(value)
    return COLORS.index(value) * 9 + int(kind) - 1


def legal(game: CatInTheBox, state: State, seat: int) -> list[str]:
    """The seat's legal moves in words."""
    return [game.describe(move) for move in game.legal_moves(state, seat)]


def make(game: CatInTheBox, state: State, *moves: str) -> None:
    """Make moves in words, each by the seat to move, or the first of them."""
    for words in moves:
        seat = game.to_move(state)[0]
        assert words in legal(game, state, seat), f"seat {seat} cannot {words}"
        game.apply(state, seat, code(words))


def lay(game: CatInTheBox, state: State, seat: int, cells: str) -> None:
    """Put the seat's tokens on cells: `5 blue, 3 red`."""
    for words in cells.split(", "):
        cell = code(words)
        state.empty &= ~(1 << cell)
        state.board[game.board.position[cell]] = seat


def position(
    game: CatInTheBox,
    hands: Sequence[str],
    *,
    leader: int = 0,
    tokens: Mapping[int, str] | None = None,
    lost: Mapping[int, str] | None = None,
    bids: Sequence[int | None] | None = None,
    won: Sequence[int] | None = None,
    trick_number: int = 0,
) -> State:
    """A trick about to be led in the first round.

    hands: digits by seat.  tokens: by seat, cells in words.
    lost: by seat, colors it may not declare any more.
    trick_number: how many tricks are over; their plays are left out.
    """
    state = game.start(game.deal(Random(0)))
    state.start_seat = leader
    state.phase = "play"
    state.hands = [sorted(int(card) for card in hand) for hand in hands]
    state.held = [hand_mask(hand) for hand in state.hands]
    state.discards = [1] * game.seats
    state.bids = list(bids or [None if game.seats == 2 else 3] * game.seats)
    state.tricks_won = list(won or [0] * game.seats)
    state.tricks = [Trick([], 0)] * trick_number
    state.board = game.board.blank.copy()
    state.empty = game.board.cells
    for seat, cells in (tokens or {}).items():
        lay(game, state, seat, cells)
    for seat, colors in (lost or {}).items():
        for color in colors.split():
            state.open[seat] &= ~ROW_MASKS[COLORS.index(color)]
    state.to_move = (leader,)
    state.legal = legal_lead(state, leader, game.board.cells)
    return state


def careful_move(game: CatInTheBox, state: State, seat: int, rng: Random) -> int:
    """A move that sees all hands and keeps paradoxes away, so that some rounds are played to their end."""
    moves = game.legal_moves(state, seat)
    if state.phase != "play":
        return rng.choice(moves)
    return min(moves, key=lambda move: (_tightness(game, state, seat, move), rng.random()))


def _tightness(game: CatInTheBox, state: State, seat: int, move: int) -> float:
    """How hard the cards in all hands are to place after the move."""
    after = game.copy(state)
    game.apply(after, seat, move)
    if len(after.rounds) > len(state.rounds):
        return 1000.0 if after.rounds[-1].paradox is not None else 0.0
    cells = [
        (after.empty & after.open[other] & NUMBER_MASKS[card]).bit_count()
        for other in range(game.seats)
        for card in after.hands[other]
    ]
    return sum(1 / count if count else 10.0 for count in cells)
