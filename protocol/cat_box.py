"""What a Cat Box bot sees and answers.

Seats count from 0 in turn order. Cells are (x, y), x to the right, y down; a card at (x, y) covers (x, y),
(x + 1, y), (x, y + 1) and (x + 1, y + 1), and its quadrants are listed in this order. A card's number is its
place in the draw order, from 0, and tells nothing of its sides.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

__all__ = [
    "CATS",
    "HIGHEST",
    "IDENTITIES",
    "LOWEST",
    "TOKENS",
    "Cat",
    "CatBox",
    "CatPaw",
    "Decision",
    "DriedFish",
    "EndTurn",
    "Identity",
    "KnownCard",
    "Made",
    "Move",
    "Observation",
    "Place",
    "PlacedCard",
    "Quadrants",
    "Shield",
    "Side",
    "Token",
    "ToyMouse",
]

Cat = Literal["black", "pink", "purple", "blue", "yellow"]
CATS: tuple[Cat, ...] = ("black", "pink", "purple", "blue", "yellow")
Identity = Literal["black", "pink", "purple", "blue", "yellow", "chihuahua"]
IDENTITIES: tuple[Identity, ...] = (*CATS, "chihuahua")
Token = Literal["cat_paw", "cat_box", "dried_fish", "stacking", "toy_mouse"]
TOKENS: tuple[Token, ...] = ("cat_paw", "cat_box", "dried_fish", "stacking", "toy_mouse")
Side = Literal["public", "secret"]
Decision = Literal["turn", "place", "token", "over"]

LOWEST, HIGHEST = -64, 63
"""Of x and y. No game gets there: 52 placements lead no farther than 52 from the first card."""

Quadrants = Annotated[list[Cat | None], Meta(min_length=4, max_length=4)]
Card = Annotated[int, Meta(ge=0, le=47)]
Seat = Annotated[int, Meta(ge=0, le=4)]
Coordinate = Annotated[int, Meta(ge=LOWEST, le=HIGHEST)]


class Place(Struct, tag="place", frozen=True, gc=False, omit_defaults=True):
    """Put `card` of seat `owner` at (x, y): an own one secret side up, another seat's public side up.

    token: `stacking` where that token is used with it.
    """

    owner: Seat
    card: Card
    x: Coordinate
    y: Coordinate
    token: Literal["stacking"] | None = None


class CatBox(Struct, tag="cat_box", frozen=True, gc=False):
    """Use the cat box token: shield the quadrant (x, y)."""

    x: Coordinate
    y: Coordinate


class DriedFish(Struct, tag="dried_fish", frozen=True, gc=False):
    """Use the dried fish token: take `card` from the hand of seat `owner`."""

    owner: Seat
    card: Card


class CatPaw(Struct, tag="cat_paw", frozen=True, gc=False):
    """Use the cat paw token: place another card."""


class ToyMouse(Struct, tag="toy_mouse", frozen=True, gc=False):
    """Use the toy mouse token: move `card`, which lies uncovered on the table, to (x, y)."""

    card: Card
    x: Coordinate
    y: Coordinate


class EndTurn(Struct, tag="end_turn", frozen=True, gc=False):
    """Use no token."""


Move: TypeAlias = Place | CatBox | DriedFish | CatPaw | ToyMouse | EndTurn


class KnownCard(Struct, frozen=True):
    """A card as a seat knows it, null an empty box. secret: null while the seat does not know that side."""

    public: Quadrants
    secret: Quadrants | None


class PlacedCard(Struct, frozen=True):
    """A card on the table at (x, y). side: which one lies up.  covered: by quadrant."""

    card: Card
    x: Coordinate
    y: Coordinate
    side: Side
    covered: Annotated[list[bool], Meta(min_length=4, max_length=4)]


class Shield(Struct, frozen=True, gc=False):
    """A cat box token on the quadrant (x, y), used by `seat`."""

    seat: Seat
    x: Coordinate
    y: Coordinate


class Made(Struct, frozen=True):
    """A move that was made, and by whom."""

    seat: Seat
    move: Move


class Observation(Struct, tag="cat_box", frozen=True):
    """Everything a person at `seat` may know; nothing else.

    decision: `turn`, the beginning of one; `place`, a card only; `token`, one or none after a card; `over`.
    seats: players at the table, 2 to 5.  start_seat: whose turn was the first.  active: whose turn it is.
    identity: own cat or chihuahua.
    cards: by number, every card that was drawn, and last the pile's top while the pile lasts.
    pile: number of cards in it.
    hands: by seat, card numbers, ascending.  fish: by seat, the card under its dried fish token, or null.
    tokens: by seat, those not used yet, in the order of TOKENS; none in the basic game.
    table: from bottom to top, which is the order of placing.
    shields: cat box tokens on the table, by ascending seat.
    history: all moves so far, oldest first.
    """

    decision: Decision
    seat: Seat
    seats: int
    start_seat: Seat
    active: Seat
    identity: Identity
    cards: list[KnownCard]
    pile: int
    hands: list[list[Card]]
    fish: list[Card | None]
    tokens: list[list[Token]]
    table: list[PlacedCard]
    shields: list[Shield]
    history: list[Made]
