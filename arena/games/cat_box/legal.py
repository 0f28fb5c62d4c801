"""The legal moves of each decision (CATBOX 5, 6 and 7).

Whether a card fits somewhere depends only on whether the side played shows an empty box, so the spots are found
once and shared by all cards.
"""

from collections.abc import Iterator

from arena.games.cat_box.area import cells
from arena.games.cat_box.face import ROW, Face
from arena.games.cat_box.moves import (
    CAT_BOX,
    CAT_PAW,
    DRIED_FISH,
    END_TURN,
    PLACE,
    STACKING,
    TOY_MOUSE,
    code,
)
from arena.games.cat_box.state import State
from protocol.cat_box import TOKENS

__all__ = ["TOKEN", "can_use_token", "has_placement", "legal_moves"]

TOKEN = {
    kind: 1 << TOKENS.index(name)
    for kind, name in (
        (CAT_PAW, "cat_paw"),
        (CAT_BOX, "cat_box"),
        (DRIED_FISH, "dried_fish"),
        (STACKING, "stacking"),
        (TOY_MOUSE, "toy_mouse"),
    )
}
"""By kind of move, the bit of its token in the masks of a state."""

AROUND = sum(1 << row * ROW + column for row in range(3) for column in range(3))
"""A cell and its 8 neighbours, for the neighbour at the upper left."""


def legal_moves(state: State) -> list[int]:
    """Legal moves of the active seat, ascending."""
    unused = 0 if state.token_used else state.tokens[state.active]
    if state.decision == "place":
        return _placements(state, False)
    if state.decision == "turn":
        moves = _placements(state, bool(unused & TOKEN[STACKING]))
        if unused & TOKEN[CAT_BOX]:
            moves += _shields(state)
        if unused & TOKEN[DRIED_FISH]:
            moves += _fishes(state)
        return moves
    moves = _shields(state) if unused & TOKEN[CAT_BOX] else []
    if unused & TOKEN[DRIED_FISH]:
        moves += _fishes(state)
    if unused & TOKEN[CAT_PAW] and has_placement(state, state.active, False):
        moves.append(code(CAT_PAW))
    if unused & TOKEN[TOY_MOUSE]:
        moves += _mice(state)
    moves.append(code(END_TURN))
    return moves


def can_use_token(state: State) -> bool:
    """Whether the active seat has more to choose from than to end its turn, after a placement. Rule: CATBOX 6.4."""
    unused = 0 if state.token_used else state.tokens[state.active]
    return bool(
        unused & TOKEN[CAT_BOX]
        or (unused & TOKEN[DRIED_FISH] and any(state.hands))
        or (unused & TOKEN[CAT_PAW] and has_placement(state, state.active, False))
        or (unused & TOKEN[TOY_MOUSE] and _mice(state))
    )


def has_placement(state: State, seat: int, stacking: bool) -> bool:
    """Whether the seat could place a card, with its stacking token or without. Rule: CATBOX 5.6."""
    faces = [face for _, _, face in _playable(state, seat)]
    if not faces:
        return False
    spots = state.area.spots(_guarded(state, seat))
    return bool(
        spots.one or (stacking and spots.stacking) or (spots.box and any(face.has_box for face in faces))
    )


def _playable(state: State, seat: int) -> Iterator[tuple[int, int, Face]]:
    """Owner, number and face to be seen of every card the seat may play, ascending. Rule: CATBOX 5.2, 7.3."""
    cards = state.cards
    for owner, hand in enumerate(state.hands):
        if owner != seat:
            for card in hand:
                yield owner, card, cards[card].public
            continue
        fish = state.fish[seat]
        for card in hand if fish is None else sorted([*hand, fish]):
            yield owner, card, cards[card].secret


def _guarded(state: State, seat: int) -> int:
    """Cells around the shields of the other seats. Rule: CATBOX 7.2."""
    guarded = 0
    for owner, shield in enumerate(state.shields):
        if shield is not None and owner != seat:
            guarded |= AROUND << shield - ROW - 1
    return guarded


def _placements(state: State, stacking: bool) -> list[int]:
    seat = state.active
    spots = state.area.spots(_guarded(state, seat))
    fitting = (list(cells(spots.one)), list(cells(spots.box)))
    playable = list(_playable(state, seat))
    moves = []
    for owner, card, face in playable:
        start = code(PLACE, owner, card)
        moves += [start + cell for cell in fitting[face.has_box]]
    if stacking:
        stackable = list(cells(spots.stacking))
        for owner, card, _ in playable:
            start = code(STACKING, owner, card)
            moves += [start + cell for cell in stackable]
    return moves


def _shields(state: State) -> list[int]:
    start = code(CAT_BOX)
    return [start + cell for cell in cells(state.area.occupied)]


def _fishes(state: State) -> list[int]:
    return [code(DRIED_FISH, owner, card) for owner, hand in enumerate(state.hands) for card in hand]


def _mice(state: State) -> list[int]:
    """Rule: CATBOX 7.5."""
    area = state.area
    guarded = _guarded(state, state.active)
    shielded = {area.top[shield] for shield in state.shields if shield is not None}
    moves = []
    for card in area.uncovered():
        if card not in shielded:
            spots = area.spots_without(card, guarded)[area.faces[card].has_box]
            start = code(TOY_MOUSE, card=card)
            moves += [start + cell for cell in cells(spots)]
    return moves
