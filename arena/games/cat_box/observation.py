"""What a seat knows, and which hidden cards could lie behind it (CATBOX 4).

`observe` is the only place where hidden cards are taken out.

`imagine_deal` draws a deal uniformly among those that fit the cards a seat has seen. Behind a public side lies the
other side of a card of the deck that shows it and that lies nowhere else; which card that is narrows what
other cards can be, but only among cards that share sides.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import TypeAlias

from arena.games.cat_box.deal import Deal, DealtCard, identities_in_play
from arena.games.cat_box.deck import CARDS, Deck
from arena.games.cat_box.face import x_of, y_of
from arena.games.cat_box.state import State
from arena.games.cat_box.table import Table
from protocol.cat_box import TOKENS, Cat, KnownCard, Observation, Shield, Token

__all__ = ["imagine_deal", "observe"]

Quadrants: TypeAlias = tuple[Cat | None, ...]
Backs: TypeAlias = Mapping[Quadrants, Sequence[tuple[int, Quadrants]]]
"""By side: the cards that show it, as their index in the deck and what is behind it."""


def _tokens(mask: int) -> list[Token]:
    return [token for bit, token in enumerate(TOKENS) if mask >> bit & 1]


UNUSED = tuple(_tokens(mask) for mask in range(1 << len(TOKENS)))
"""By mask: the list on the wire. The lists are shared and must not be changed."""


def observe(state: State, seat: int) -> Observation:
    """What the seat may know. Lists that still change are copied, the rest is shared. Rule: CATBOX 4."""
    return Observation(
        decision=state.decision,
        seat=seat,
        seats=len(state.hands),
        start_seat=state.start_seat,
        active=state.active,
        identity=state.identities[seat],
        cards=state.known[seat].copy(),
        pile=len(state.cards) - state.drawn,
        hands=[hand.copy() for hand in state.hands],
        fish=state.fish.copy(),
        tokens=[UNUSED[mask] for mask in state.tokens],
        table=list(state.area.lying.values()),
        shields=[
            Shield(owner, x_of(cell), y_of(cell))
            for owner, cell in enumerate(state.shields)
            if cell is not None
        ],
        history=state.history.copy(),
    )


def imagine_deal(deck: Deck, table: Table, removed: int, observation: Observation, rng: Random) -> Deal:
    """A random deal that shows the seat the cards it knows."""
    own, seats = observation.seat, observation.seats
    others = [identity for identity in identities_in_play(table) if identity != observation.identity]
    identities = rng.sample(others, seats - 1)
    identities.insert(own, observation.identity)
    kept = CARDS - removed
    pile = [
        DealtCard(number, list(public), list(secret))
        for number, (public, secret) in enumerate(_imagine_cards(deck, observation.cards, kept, rng))
    ]
    return Deal(observation.start_seat, identities, list(range(kept, CARDS)), pile)


def _imagine_cards(
    deck: Deck, known: Sequence[KnownCard], kept: int, rng: Random
) -> list[tuple[Quadrants, Quadrants]]:
    """Public and secret sides of all `kept` cards, the first of which are `known`."""
    free = _without_known(deck, known)
    hidden = [(number, tuple(card.public)) for number, card in enumerate(known) if card.secret is None]
    secrets: dict[int, Quadrants] = {}
    for numbers, backs in _independent_parts(deck, free, hidden):
        for number, (index, secret) in _draw_backs(numbers, backs, rng).items():
            secrets[number] = secret
            free.remove(index)
    cards = [
        (tuple(card.public), secrets[number] if card.secret is None else tuple(card.secret))
        for number, card in enumerate(known)
    ]
    rest = rng.sample(sorted(free), kept - len(known))
    return cards + [deck[index][:] if rng.random() < 0.5 else deck[index][::-1] for index in rest]


def _without_known(deck: Deck, known: Sequence[KnownCard]) -> set[int]:
    """Indices of the cards of the deck of which the seat has not seen both sides."""
    like: dict[frozenset[Quadrants], list[int]] = {}
    for index, sides in enumerate(deck):
        like.setdefault(frozenset(sides), []).append(index)
    free = set(range(CARDS))
    for card in known:
        if card.secret is not None:
            free.remove(like[frozenset((tuple(card.public), tuple(card.secret)))].pop())
    return free


def _independent_parts(
    deck: Deck, free: set[int], hidden: Sequence[tuple[int, Quadrants]]
) -> Iterator[tuple[dict[int, Quadrants], Backs]]:
    """The hidden cards, by number, in parts that no free card could belong to two of."""
    backs: dict[Quadrants, list[tuple[int, Quadrants]]] = {public: [] for _, public in hidden}
    for index in sorted(free):
        for side, behind in (deck[index], deck[index][::-1]):
            if side in backs:
                backs[side].append((index, behind))
    left = dict(hidden)
    while left:
        sides = {next(iter(left.values()))}
        grown: set[Quadrants] = set()
        while sides != grown:
            grown = sides
            sides = grown | {behind for side in grown for _, behind in backs[side] if behind in backs}
        yield {number: public for number, public in left.items() if public in sides}, backs
        left = {number: public for number, public in left.items() if public not in sides}


def _draw_backs(
    hidden: Mapping[int, Quadrants], backs: Backs, rng: Random
) -> dict[int, tuple[int, Quadrants]]:
    """A different card of the deck for every hidden one, uniform over all such choices.

    Each is drawn among the cards that are left; where earlier draws left fewer than they had to, the whole is begun
    anew with the matching probability, since such a choice would else come up too often.
    """
    while True:
        drawn: dict[int, tuple[int, Quadrants]] = {}
        used: set[int] = set()
        seen: list[Quadrants] = []
        for number, public in hidden.items():
            left = [back for back in backs[public] if back[0] not in used]
            most = len(backs[public]) - seen.count(public)
            if rng.random() * most >= len(left):
                break
            drawn[number] = rng.choice(left)
            used.add(drawn[number][0])
            seen.append(public)
        else:
            return drawn
