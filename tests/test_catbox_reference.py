"""The rules under test against a plain second writing of RULES.md, move by move, and counts of move sequences."""

from random import Random

import msgspec
import pytest
from catbox_reference import Move, Reference
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.cat_box import CatBox
from arena.games.cat_box.state import State
from protocol.cat_box import Place

TABLES = [(seats, rules) for seats in (2, 3, 4, 5) for rules in ("basic", "advanced")]


def reference_move(game: CatBox, move: int) -> Move:
    sent = game.encode_move(move)
    if isinstance(sent, Place):
        return (sent.token or "place", sent.owner, sent.card, sent.x, sent.y)
    return (sent.__struct_config__.tag, *msgspec.structs.astuple(sent))


def start_both(seats: int, rules: str, seed: int) -> tuple[CatBox, State, Reference]:
    game = CatBox(seats, {"rules": rules})
    deal = game.deal(Random(seed))
    return game, game.start(deal), Reference(seats, rules == "advanced", msgspec.to_builtins(deal))


def chosen(game: CatBox, state: State, rng: Random) -> int:
    """A random kind of move, then a random move of it: so that every token is used now and then."""
    moves = game.legal_moves(state, state.active)
    kind = rng.choice([move >> 23 for move in moves])
    if rng.random() < 0.6:
        kind = moves[0] >> 23
    return rng.choice([move for move in moves if move >> 23 == kind])


def assert_same_table(game: CatBox, state: State, reference: Reference) -> None:
    seen = game.observe(state, state.active)
    assert seen.decision == reference.asked
    assert seen.hands == reference.hands
    assert seen.pile == len(reference.pile)
    assert seen.fish == [reference.fish.get(seat) for seat in range(game.seats)]
    assert [set(tokens) for tokens in seen.tokens] == reference.tokens
    assert {shield.seat: (shield.x, shield.y) for shield in seen.shields} == reference.shields
    assert [(placed.card, placed.x, placed.y) for placed in seen.table] == [e[:3] for e in reference.stack]
    top = reference.seen()
    for placed, (card, x, y, face) in zip(seen.table, reference.stack, strict=True):
        cells = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)]
        assert placed.covered == [top[cell][0] != card for cell in cells]
        assert getattr(seen.cards[card], placed.side) == face
    assert game.details(state)["seats"] == reference.details()
    assert game.scores(state) == reference.scores()
    assert game.ranks(state) == reference.ranks()


@pytest.mark.parametrize(("seats", "rules"), TABLES)
@settings(deadline=None, derandomize=True, max_examples=3)
@given(seed=st.integers(0, 2**32))
def test_fast_rules_agree_with_the_reference_at_every_move(seats: int, rules: str, seed: int) -> None:
    game, state, reference = start_both(seats, rules, seed)
    rng = Random(seed + 1)
    while game.to_move(state):
        assert list(game.to_move(state)) == [reference.active]
        offered = [reference_move(game, move) for move in game.legal_moves(state, reference.active)]
        assert offered == reference.legal()
        assert_same_table(game, state, reference)
        move = chosen(game, state, rng)
        reference.apply(reference_move(game, move))
        game.apply(state, state.active, move)
    assert reference.legal() == []
    assert_same_table(game, state, reference)


# seats, rules, seed, moves made before the count, depth, count
PERFT: list[tuple[int, str, int, int, int, int]] = [
    (2, "basic", 1, 0, 2, 1000),
    (2, "basic", 1, 43, 2, 5176),
    (3, "basic", 2, 0, 2, 2440),
    (4, "basic", 3, 42, 2, 1078),
    (5, "basic", 4, 0, 2, 1800),
    (2, "advanced", 5, 0, 2, 3196),
    (3, "advanced", 6, 1, 2, 2258),
    (4, "advanced", 7, 0, 2, 3888),
    (5, "advanced", 8, 64, 2, 6864),
]


def position(seats: int, rules: str, seed: int, skipped: int) -> tuple[CatBox, State, Reference]:
    game, state, reference = start_both(seats, rules, seed)
    rng = Random(seed)
    for _ in range(skipped):
        if not game.to_move(state):
            break
        move = chosen(game, state, rng)
        reference.apply(reference_move(game, move))
        game.apply(state, state.active, move)
    return game, state, reference


def perft(game: CatBox, state: State, depth: int) -> int:
    moves = game.legal_moves(state, state.active) if game.to_move(state) else []
    if depth == 1:
        return len(moves)
    count = 0
    for move in moves:
        after = game.copy(state)
        game.apply(after, state.active, move)
        count += perft(game, after, depth - 1)
    return count


def reference_perft(reference: Reference, depth: int) -> int:
    moves = reference.legal()
    if depth == 1:
        return len(moves)
    count = 0
    for move in moves:
        after = reference.copy()
        after.apply(move)
        count += reference_perft(after, depth - 1)
    return count


@pytest.mark.parametrize(("seats", "rules", "seed", "skipped", "depth", "count"), PERFT)
def test_both_writings_count_the_same_move_sequences(
    seats: int, rules: str, seed: int, skipped: int, depth: int, count: int
) -> None:
    game, state, reference = position(seats, rules, seed, skipped)
    assert perft(game, state, depth) == count
    assert reference_perft(reference, depth) == count
