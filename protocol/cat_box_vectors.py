"""Turns of Cat Box for the golden vectors: the beginning of a basic game, and two moments of an advanced one."""

from collections.abc import Iterable

from protocol.cat_box import (
    TOKENS,
    Cat,
    CatBox,
    CatPaw,
    DriedFish,
    EndTurn,
    KnownCard,
    Made,
    Move,
    Observation,
    Place,
    PlacedCard,
    Shield,
    ToyMouse,
)

__all__ = ["PLACE", "PLACE_LEGAL", "TOKEN", "TOKEN_LEGAL", "TURN", "TURN_LEGAL"]

LETTERS: dict[str, Cat | None] = {
    "K": "black",
    "P": "pink",
    "V": "purple",
    "B": "blue",
    "Y": "yellow",
    ".": None,
}
CORNERS = [(-1, -1), (1, -1), (-1, 1)]
LAST_CORNER = (1, 1)
UNSHIELDED = [(-1, -1), (0, -1), (1, -1), (-1, 0), (-1, 1)]
AROUND = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]


def _card(public: str, secret: str | None = None) -> KnownCard:
    return KnownCard([LETTERS[x] for x in public], [LETTERS[x] for x in secret] if secret else None)


def _places(owner: int, card: int, spots: Iterable[tuple[int, int]]) -> list[Move]:
    return [Place(owner, card, x, y) for x, y in spots]


TURN = Observation(
    decision="turn",
    seat=1,
    seats=2,
    start_seat=1,
    active=1,
    identity="yellow",
    cards=[
        _card("BPKY", "PYKB"),
        _card("BVBY", "BYBV"),
        _card("PB.P"),
        _card("BPP."),
        _card("VKYP"),
        _card("BYP."),
    ],
    pile=42,
    hands=[[2, 3], [0, 1]],
    fish=[None, None],
    tokens=[[], []],
    table=[PlacedCard(4, 0, 0, "public", [False] * 4)],
    shields=[],
    history=[],
)
TURN_LEGAL: list[Move] = [
    *_places(0, 2, AROUND),
    *_places(0, 3, AROUND),
    *_places(1, 0, [*CORNERS, LAST_CORNER]),
    *_places(1, 1, [*CORNERS, LAST_CORNER]),
]

TOKEN = Observation(
    decision="token",
    seat=1,
    seats=2,
    start_seat=1,
    active=1,
    identity="yellow",
    cards=[
        _card("PYKB", "BPKY"),
        _card("BVBY", "BYBV"),
        _card("PB.P"),
        _card("PB.P"),
        _card("VKYP"),
        _card("PYB."),
    ],
    pile=43,
    hands=[[2, 3], [1]],
    fish=[None, None],
    tokens=[list(TOKENS), list(TOKENS)],
    table=[
        PlacedCard(4, 0, 0, "public", [False, False, False, True]),
        PlacedCard(0, 1, 1, "secret", [False] * 4),
    ],
    shields=[],
    history=[Made(1, Place(1, 0, 1, 1))],
)
TOKEN_LEGAL: list[Move] = [
    *(CatBox(x, y) for x, y in [(0, 0), (1, 0), (0, 1), (1, 1), (2, 1), (1, 2), (2, 2)]),
    DriedFish(0, 2),
    DriedFish(0, 3),
    DriedFish(1, 1),
    CatPaw(),
    *(ToyMouse(0, x, y) for x, y in CORNERS),
    EndTurn(),
]

PLACE = Observation(
    decision="place",
    seat=0,
    seats=2,
    start_seat=1,
    active=0,
    identity="purple",
    cards=[
        _card("PYKB", "BPKY"),
        _card("BVBY", "BYBV"),
        _card("PB.P", "PP.B"),
        _card("PB.P", "BPP."),
        _card("VKYP"),
        _card("PYB."),
        _card("VKK."),
    ],
    pile=42,
    hands=[[2, 3], [5]],
    fish=[1, None],
    tokens=[
        ["cat_paw", "cat_box", "stacking", "toy_mouse"],
        ["cat_paw", "dried_fish", "stacking", "toy_mouse"],
    ],
    table=TOKEN.table,
    shields=[Shield(1, 2, 2)],
    history=[*TOKEN.history, Made(1, CatBox(2, 2)), Made(0, DriedFish(1, 1))],
)
PLACE_LEGAL: list[Move] = [
    *_places(0, 1, CORNERS),
    *_places(0, 2, UNSHIELDED),
    *_places(0, 3, UNSHIELDED),
    *_places(1, 5, UNSHIELDED),
]
