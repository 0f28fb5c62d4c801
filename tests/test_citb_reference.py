"""The rules under test against a plain second writing of RULES.md, move by move."""

from random import Random

import msgspec
import pytest
from citb_positions import careful_move
from citb_reference import COLORS, Reference
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.cat_in_the_box import CatInTheBox
from arena.games.cat_in_the_box.state import State
from protocol.cat_in_the_box import BLOCKED, EMPTY

LOOSE = {
    "red": [0, 9, 8, 7, 6, 5, 4, 3, 2, 1],
    "blue": [1, 2, 3, 0, 4, 5, 6, 7, 8, 9],
    "yellow": [9, 1, 8, 2, 7, 3, 6, 4, 5, 0],
    "green": [5, 4, 0, 6, 3, 7, 2, 8, 1, 9],
}
TABLES = [(2, "white")] + [(seats, board) for seats in (3, 4, 5) for board in ("white", "purple", LOOSE)]


def reference_move(game: CatInTheBox, move: int) -> tuple[object, ...]:
    return msgspec.structs.astuple(game.encode_move(move))


def start_both(seats: int, board: object, seed: int) -> tuple[CatInTheBox, State, Reference]:
    game = CatInTheBox(seats, {"board": board})
    deal = game.deal(Random(seed))
    return game, game.start(deal), Reference(seats, game.board.layout, msgspec.to_builtins(deal))


def offered(game: CatInTheBox, state: State, seat: int) -> list[tuple[object, ...]]:
    return [(state.phase, *reference_move(game, move)) for move in game.legal_moves(state, seat)]


def assert_same_table(game: CatInTheBox, state: State, reference: Reference) -> None:
    assert list(game.to_move(state)) == reference.to_move()
    assert game.details(state)["rounds"] == reference.rounds
    if reference.over():
        assert game.scores(state) == reference.totals()
        assert game.ranks(state) == reference.ranks()
        return
    for seat in game.to_move(state):
        assert offered(game, state, seat) == reference.legal(seat)
    for seat in range(game.seats):
        seen = game.observe(state, seat)
        assert seen.hand == sorted(reference.hands[seat])
        assert seen.discard == reference.discards.get(seat)
        assert seen.tricks_won == reference.won
        assert seen.bids == [reference.bids.get(other) for other in range(game.seats)]
        assert [(play.seat, play.card, play.color) for play in seen.trick] == reference.trick
        assert [trick.winner for trick in seen.tricks] == [winner for _, winner in reference.tricks]
        assert [set(COLORS) - set(colors) for colors in seen.open_colors] == reference.lost
        assert seen.board == reference_board(reference)


def reference_board(reference: Reference) -> list[list[int]]:
    def mark(color: str, number: int) -> int:
        owner = reference.cells[color, number] if number else "blocked"
        return owner if isinstance(owner, int) else EMPTY if owner is None else BLOCKED

    return [
        [mark(color, number) for number in row] for color, row in zip(COLORS, reference.layout, strict=True)
    ]


@pytest.mark.parametrize(("seats", "board"), TABLES)
@settings(deadline=None, derandomize=True, max_examples=12)
@given(seed=st.integers(0, 2**32), careful=st.booleans())
def test_fast_rules_agree_with_the_reference_at_every_move(
    seats: int, board: object, seed: int, careful: bool
) -> None:
    game, state, reference = start_both(seats, board, seed)
    rng = Random(seed + 1)
    assert_same_table(game, state, reference)
    while game.to_move(state):
        seat = rng.choice(game.to_move(state))
        move = careful_move(game, state, seat, rng) if careful else rng.choice(game.legal_moves(state, seat))
        reference.apply(seat, (state.phase, *reference_move(game, move)))
        game.apply(state, seat, move)
        assert_same_table(game, state, reference)
