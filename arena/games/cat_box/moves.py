"""Moves as ints: a kind, a seat, a card and a cell, packed into bits.

    kind << 23 | owner << 20 | card << 14 | cell

What a kind does not need is 0, so the order of codes is by kind, then owner, then card, then cell, row by row.
"""

from functools import lru_cache

from arena.games.cat_box.face import cell_at, x_of, y_of
from protocol.cat_box import CatBox, CatPaw, DriedFish, EndTurn, Move, Place, ToyMouse
from protocol.messages import Move as AnyMove

__all__ = [
    "CAT_BOX",
    "CAT_PAW",
    "DRIED_FISH",
    "END_TURN",
    "PLACE",
    "STACKING",
    "TOY_MOUSE",
    "card_of",
    "cell_of",
    "code",
    "decode_move",
    "describe",
    "encode_move",
    "kind_of",
    "owner_of",
]

PLACE, STACKING, CAT_BOX, DRIED_FISH, CAT_PAW, TOY_MOUSE, END_TURN = range(7)
"""Kinds. STACKING is a placement with that token."""

KIND_BITS, OWNER_BITS, CARD_BITS = 23, 20, 14
CACHED_MOVES = 1 << 15
"""The structs of most moves are asked for again at the next decision."""


def code(kind: int, owner: int = 0, card: int = 0, cell: int = 0) -> int:
    return kind << KIND_BITS | owner << OWNER_BITS | card << CARD_BITS | cell


def kind_of(move: int) -> int:
    return move >> KIND_BITS


def owner_of(move: int) -> int:
    return move >> OWNER_BITS & 7


def card_of(move: int) -> int:
    return move >> CARD_BITS & 63


def cell_of(move: int) -> int:
    """The cell of the first quadrant that is placed, or that the token lies on."""
    return move & (1 << CARD_BITS) - 1


@lru_cache(CACHED_MOVES)
def encode_move(move: int) -> Move:
    """The struct of a move."""
    kind, owner, card, cell = kind_of(move), owner_of(move), card_of(move), cell_of(move)
    x, y = x_of(cell), y_of(cell)
    if kind == PLACE:
        return Place(owner, card, x, y)
    if kind == STACKING:
        return Place(owner, card, x, y, "stacking")
    if kind == CAT_BOX:
        return CatBox(x, y)
    if kind == DRIED_FISH:
        return DriedFish(owner, card)
    if kind == TOY_MOUSE:
        return ToyMouse(card, x, y)
    return CatPaw() if kind == CAT_PAW else EndTurn()


def decode_move(move: AnyMove) -> int:
    """The code of a move. Raises ValueError for one of another game."""
    match move:
        case Place(owner, card, x, y, token):
            return code(STACKING if token else PLACE, owner, card, cell_at(x, y))
        case CatBox(x, y):
            return code(CAT_BOX, cell=cell_at(x, y))
        case DriedFish(owner, card):
            return code(DRIED_FISH, owner, card)
        case CatPaw():
            return code(CAT_PAW)
        case ToyMouse(card, x, y):
            return code(TOY_MOUSE, card=card, cell=cell_at(x, y))
        case EndTurn():
            return code(END_TURN)
    raise ValueError(f"not a move of cat_box: {move}")


def describe(move: int) -> str:
    """`place 17 at 2 -1`, `stack 17 at 2 -1`, `shield 2 -1`, `fish 17`, `paw`, `mouse 17 to 2 -1` or `end`."""
    match encode_move(move):
        case Place(_, card, x, y, token):
            return f"{'stack' if token else 'place'} {card} at {x} {y}"
        case CatBox(x, y):
            return f"shield {x} {y}"
        case DriedFish(_, card):
            return f"fish {card}"
        case CatPaw():
            return "paw"
        case ToyMouse(card, x, y):
            return f"mouse {card} to {x} {y}"
    return "end"
