"""Moves as ints: their codes, their structs, and the tables that make rules fast.

A play is the index of its cell, color * 9 + card - 1; a discard is DISCARD + card - 1; a bid is BID + tricks.
Sets of cells are 36-bit masks over the same indexes, so a mask of cells is a set of plays.
"""

from protocol.cat_in_the_box import COLORS, Bid, Color, Discard, Move, Play, TrickPlay
from protocol.messages import Move as AnyMove

__all__ = [
    "BID",
    "CARD",
    "COLOR",
    "DISCARD",
    "DISCARDS",
    "MOVES",
    "NUMBER_MASKS",
    "OPEN_COLORS",
    "PLAYS",
    "ROW_MASKS",
    "STRENGTH",
    "TRICK_PLAYS",
    "blocked_cells",
    "decode_move",
    "describe",
    "hand_mask",
]

CELLS = 36
DISCARD = 36
BID = 45

COLOR = tuple(cell // 9 for cell in range(CELLS))
"""Row of the cell, as an index of COLORS."""
CARD = tuple(cell % 9 + 1 for cell in range(CELLS))

ROW_MASKS = tuple(0b111111111 << 9 * row for row in range(4))
NUMBER_MASKS = (0, *(sum(1 << 9 * row + card - 1 for row in range(4)) for card in range(1, 10)))
"""By card number, its cells in all four rows; index 0 is unused."""


def _bits(mask: int, first: int) -> tuple[int, ...]:
    return tuple(first + bit for bit in range(9) if mask >> bit & 1)


PLAYS = tuple(tuple(_bits(mask, 9 * row) for mask in range(512)) for row in range(4))
"""By row and the row's nine bits of a mask: the plays in it, ascending."""
DISCARDS = tuple(_bits(mask, DISCARD) for mask in range(512))
"""By nine bits, one for each number held: the discards, ascending."""


def _strength(led: int, cell: int) -> int:
    if COLOR[cell] == 0:
        return 20 + CARD[cell]
    return 10 + CARD[cell] if COLOR[cell] == led else 0


STRENGTH = tuple(tuple(_strength(led, cell) for cell in range(CELLS)) for led in range(4))
"""By led color and play: the highest wins the trick (CITB 5.2), 0 never wins."""

MOVES: dict[int, Move] = {
    **{cell: Play(CARD[cell], COLORS[COLOR[cell]]) for cell in range(CELLS)},
    **{DISCARD + card - 1: Discard(card) for card in range(1, 10)},
    **{BID + tricks: Bid(tricks) for tricks in range(1, 5)},
}
_CODES: dict[AnyMove, int] = {move: code for code, move in MOVES.items()}

TRICK_PLAYS = tuple(
    tuple(TrickPlay(seat, CARD[cell], COLORS[COLOR[cell]]) for cell in range(CELLS)) for seat in range(5)
)
"""By seat and play."""


def _colors(row_bits: int) -> list[Color]:
    return [color for row, color in enumerate(COLORS) if row_bits >> row & 1]


OPEN_COLORS = {
    sum(mask for row, mask in enumerate(ROW_MASKS) if row_bits >> row & 1): _colors(row_bits)
    for row_bits in range(16)
}
"""By a mask of whole rows: the colors of the rows. The lists are shared and must not be changed."""


def hand_mask(hand: list[int]) -> int:
    """Every cell whose number is in the hand."""
    mask = 0
    for card in hand:
        mask |= NUMBER_MASKS[card]
    return mask


def blocked_cells(revealed: list[int]) -> int:
    """The cells that revealed cards block: a number's first copy in green, then yellow, then blue.

    Rule: CITB 2.3.
    """
    blocked = 0
    for index, card in enumerate(revealed):
        copies_before = revealed[:index].count(card)
        blocked |= NUMBER_MASKS[card] & ROW_MASKS[3 - copies_before]
    return blocked


def decode_move(move: AnyMove) -> int:
    """The code of a move. Raises ValueError for one that no table of this game knows."""
    try:
        return _CODES[move]
    except KeyError:
        raise ValueError(f"not a move of cat_in_the_box: {move}") from None


def describe(move: int) -> str:
    """`5 blue`, `bid 3` or `discard 5`."""
    match MOVES[move]:
        case Play(card, color):
            return f"{card} {color}"
        case Discard(card):
            return f"discard {card}"
        case Bid(tricks):
            return f"bid {tricks}"
