"""The deal of one game: every card of every round (CITB 2)."""

from collections import Counter
from random import Random

from msgspec import Struct

from arena.games.cat_in_the_box.table import COPIES, Table

__all__ = ["Deal", "RoundDeal", "check_deal", "deal_game", "deal_round", "redeal_round"]


class RoundDeal(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One round's cards, every list ascending. hands: by seat.  revealed, hidden: with two players only."""

    hands: list[list[int]]
    revealed: list[int] = []
    hidden: list[int] = []


class Deal(Struct, frozen=True, forbid_unknown_fields=True):
    """first_player: the first round's start seat.  rounds: as many as players."""

    first_player: int
    rounds: list[RoundDeal]


def deal_round(table: Table, seats: int, rng: Random) -> RoundDeal:
    """Shuffle and deal one round. Rule: CITB 2.1, 2.2."""
    deck = [card for card in range(1, table.numbers + 1) for _ in range(COPIES)]
    rng.shuffle(deck)
    left = seats * table.dealt
    return RoundDeal(
        [sorted(deck[start : start + table.dealt]) for start in range(0, left, table.dealt)],
        sorted(deck[left : left + table.revealed]),
        sorted(deck[left + table.revealed :]),
    )


def redeal_round(table: Table, seats: int, seed: int, number: int) -> RoundDeal:
    """The deal of round `number` that follows from a seed: drawn when asked, and the same each time."""
    return deal_round(table, seats, Random(seed + number))


def deal_game(table: Table, seats: int, rng: Random) -> Deal:
    """Draw the first start seat and deal every round. Rule: CITB 1.3."""
    return Deal(rng.randrange(seats), [deal_round(table, seats, rng) for _ in range(seats)])


def check_deal(table: Table, seats: int, deal: Deal) -> None:
    """Raises ValueError, naming the place, unless the deal could have been made at this table."""
    if not 0 <= deal.first_player < seats:
        raise ValueError(f"deal.first_player is {deal.first_player}, expected 0 to {seats - 1}")
    if len(deal.rounds) != seats:
        raise ValueError(f"deal.rounds has {len(deal.rounds)} rounds, expected {seats}")
    for index, round_deal in enumerate(deal.rounds):
        _check_round(table, seats, round_deal, f"deal.rounds[{index}]")


def _check_round(table: Table, seats: int, round_deal: RoundDeal, place: str) -> None:
    if len(round_deal.hands) != seats:
        raise ValueError(f"{place}.hands has {len(round_deal.hands)} hands, expected {seats}")
    for seat, hand in enumerate(round_deal.hands):
        _check_cards(table, hand, table.dealt, f"{place}.hands[{seat}]")
    _check_cards(table, round_deal.revealed, table.revealed, f"{place}.revealed")
    _check_cards(table, round_deal.hidden, table.hidden, f"{place}.hidden")
    copies = Counter(round_deal.revealed + round_deal.hidden)
    for hand in round_deal.hands:
        copies.update(hand)
    for card in range(1, table.numbers + 1):
        if copies[card] != COPIES:
            raise ValueError(f"{place} has {copies[card]} cards of number {card}, expected {COPIES}")


def _check_cards(table: Table, cards: list[int], expected: int, place: str) -> None:
    if len(cards) != expected:
        raise ValueError(f"{place} has {len(cards)} cards, expected {expected}")
    for card in cards:
        if not 1 <= card <= table.numbers:
            raise ValueError(f"{place} has a card {card}, expected 1 to {table.numbers}")
    if cards != sorted(cards):
        raise ValueError(f"{place} is not in ascending order")
