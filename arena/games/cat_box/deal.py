"""The deal of one game: identities, and every card in draw order (CATBOX 3)."""

from collections import Counter
from random import Random

from msgspec import Struct

from arena.games.cat_box.deck import CARDS, Deck
from arena.games.cat_box.table import Table
from protocol.cat_box import CATS, IDENTITIES, Cat, Identity

__all__ = ["Deal", "DealtCard", "check_deal", "deal_game", "identities_in_play"]


class DealtCard(Struct, frozen=True, forbid_unknown_fields=True):
    """card: its number.  public: the side that lies on top in the pile."""

    card: int
    public: list[Cat | None]
    secret: list[Cat | None]


class Deal(Struct, frozen=True, forbid_unknown_fields=True):
    """identities: by seat.  removed: numbers of the cards taken out, which nobody sees.  pile: in draw order.

    Draw order: the opening hands, seat by seat from the first player, then the starting card, then the rest.
    """

    first_player: int
    identities: list[Identity]
    removed: list[int]
    pile: list[DealtCard]


def identities_in_play(table: Table) -> tuple[Identity, ...]:
    """What can be dealt. Rule: CATBOX 3.1."""
    return IDENTITIES if table.chihuahua else CATS


def deal_game(deck: Deck, table: Table, removed: int, seats: int, rng: Random) -> Deal:
    """removed: how many cards are taken out. Rule: CATBOX 3.1 to 3.4."""
    first_player = rng.randrange(seats)
    identities = rng.sample(identities_in_play(table), seats)
    left = rng.sample(deck, CARDS - removed)
    pile = []
    for number, card in enumerate(left):
        public, secret = card if rng.random() < 0.5 else card[::-1]
        pile.append(DealtCard(number, list(public), list(secret)))
    return Deal(first_player, identities, list(range(CARDS - removed, CARDS)), pile)


def check_deal(deck: Deck, table: Table, removed: int, seats: int, deal: Deal) -> None:
    """Raises ValueError, naming the place, unless the deal could have been made at this table."""
    if not 0 <= deal.first_player < seats:
        raise ValueError(f"deal.first_player is {deal.first_player}, expected 0 to {seats - 1}")
    _check_identities(table, seats, deal.identities)
    kept = CARDS - removed
    if deal.removed != list(range(kept, CARDS)):
        raise ValueError(f"deal.removed is {deal.removed}, expected {list(range(kept, CARDS))}")
    if len(deal.pile) != kept:
        raise ValueError(f"deal.pile has {len(deal.pile)} cards, expected {kept}")
    left = Counter(frozenset(card) for card in deck)
    for index, card in enumerate(deal.pile):
        if card.card != index:
            raise ValueError(f"deal.pile[{index}].card is {card.card}, expected {index}")
        sides = frozenset((tuple(card.public), tuple(card.secret)))
        left[sides] -= 1
        if left[sides] < 0:
            raise ValueError(f"deal.pile[{index}] is more often in the deal than in the deck")


def _check_identities(table: Table, seats: int, identities: list[Identity]) -> None:
    if len(identities) != seats:
        raise ValueError(f"deal.identities has {len(identities)} identities, expected {seats}")
    for seat, identity in enumerate(identities):
        if identity not in identities_in_play(table):
            raise ValueError(f"deal.identities[{seat}] is {identity}, which {seats} players do not use")
        if identity in identities[:seat]:
            raise ValueError(f"deal.identities[{seat}] is {identity}, which an earlier seat has")
