"""A game under way, as the referee knows it."""

from collections.abc import Sequence
from typing import NamedTuple

from arena.games.cat_box.area import Area
from arena.games.cat_box.deal import Deal
from arena.games.cat_box.face import Face, face_of
from protocol.cat_box import Decision, Identity, KnownCard, Made, Side

__all__ = ["Card", "State", "cards_of"]


class Card(NamedTuple):
    """A card's two faces, and the card as seats know it: with its secret side, or without."""

    public: Face
    secret: Face
    whole: KnownCard
    half: KnownCard

    def face(self, side: Side) -> Face:
        return self.public if side == "public" else self.secret


def cards_of(deal: Deal) -> tuple[Card, ...]:
    """The cards of the pile, by number."""
    sides = [(face_of(card.public), face_of(card.secret)) for card in deal.pile]
    return tuple(
        Card(
            public,
            secret,
            KnownCard(public.quadrants, secret.quadrants),
            KnownCard(public.quadrants, None),
        )
        for public, secret in sides
    )


class State:
    """Every list is by seat, but for `history`.

    cards: by number.  drawn: how many of them left the pile, so also the number of its top.
    known: by seat and number, the drawn cards and the pile's top as that seat knows them.
    hands: card numbers, ascending.  fish: the card under the seat's dried fish, or None.
    tokens: masks of those not used yet, bits as in TOKENS.  token_used: whether one was used this turn.
    shields: the cell of the seat's cat box, or None.
    """

    __slots__ = (
        "active",
        "area",
        "cards",
        "decision",
        "drawn",
        "fish",
        "hands",
        "history",
        "identities",
        "known",
        "shields",
        "start_seat",
        "token_used",
        "tokens",
    )

    cards: tuple[Card, ...]
    identities: Sequence[Identity]
    start_seat: int
    active: int
    decision: Decision
    drawn: int
    known: list[list[KnownCard]]
    hands: list[list[int]]
    fish: list[int | None]
    tokens: list[int]
    token_used: bool
    shields: list[int | None]
    area: Area
    history: list[Made]

    def copy(self) -> "State":
        """A state that shares nothing that changes."""
        other = State.__new__(State)
        other.cards = self.cards
        other.identities = self.identities
        other.start_seat = self.start_seat
        other.active = self.active
        other.decision = self.decision
        other.drawn = self.drawn
        other.known = [known.copy() for known in self.known]
        other.hands = [hand.copy() for hand in self.hands]
        other.fish = self.fish.copy()
        other.tokens = self.tokens.copy()
        other.token_used = self.token_used
        other.shields = self.shields.copy()
        other.area = self.area.copy()
        other.history = self.history.copy()
        return other
