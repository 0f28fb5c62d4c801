"""Counts of legal move sequences; simultaneous discards are made seat by seat, ascending.

A fixed deal is played on to a fixed position by the careful player of the tests, whose choices come from
the seed. From there both the rules under test and the plain reference must count the frozen number.
"""

from random import Random

import msgspec
import pytest
from citb_positions import careful_move
from citb_reference import Reference

from arena.games.cat_in_the_box import CatInTheBox
from arena.games.cat_in_the_box.state import State

# seats, board, seed, moves made before the count, depth, count
PERFT = [
    (2, "white", 1, 0, 4, 4322),
    (2, "white", 1, 8, 5, 4171),
    (2, "white", 1, 13, 7, 4232),
    (3, "white", 1, 0, 6, 4860),
    (3, "white", 1, 6, 2, 345),
    (3, "white", 1, 15, 3, 1140),
    (3, "white", 1, 22, 7, 2176),
    (3, "white", 1, 25, 7, 3725),
    (3, "purple", 1, 7, 2, 506),
    (3, "purple", 1, 26, 7, 2700),
    (4, "white", 1, 0, 4, 2688),
    (4, "white", 1, 8, 2, 405),
    (4, "white", 1, 20, 3, 1836),
    (4, "white", 1, 29, 6, 2520),
    (4, "white", 1, 35, 5, 1332),
    (4, "purple", 1, 9, 2, 732),
    (4, "purple", 1, 36, 6, 5292),
    (5, "white", 1, 0, 4, 1715),
    (5, "white", 1, 10, 2, 354),
    (5, "white", 1, 25, 3, 755),
    (5, "white", 1, 36, 6, 1473),
    (5, "purple", 1, 11, 2, 560),
    (5, "purple", 1, 41, 4, 2058),
]


def perft(game: CatInTheBox, state: State, depth: int) -> int:
    if not game.to_move(state):
        return 0
    seat = game.to_move(state)[0]
    moves = game.legal_moves(state, seat)
    if depth == 1:
        return len(moves)
    count = 0
    for move in moves:
        after = game.copy(state)
        game.apply(after, seat, move)
        count += perft(game, after, depth - 1)
    return count


def reference_perft(reference: Reference, depth: int) -> int:
    if reference.over():
        return 0
    seat = reference.to_move()[0]
    moves = reference.legal(seat)
    if depth == 1:
        return len(moves)
    count = 0
    for move in moves:
        after = reference.copy()
        after.apply(seat, move)
        count += reference_perft(after, depth - 1)
    return count


def positions(seats: int, board: str, seed: int, skipped: int) -> tuple[CatInTheBox, State, Reference]:
    game = CatInTheBox(seats, {"board": board})
    deal = game.deal(Random(seed))
    state = game.start(deal)
    reference = Reference(seats, game.board.layout, msgspec.to_builtins(deal))
    rng = Random(seed)
    for _ in range(skipped):
        seat = game.to_move(state)[0]
        move = careful_move(game, state, seat, rng)
        reference.apply(seat, (state.phase, *msgspec.structs.astuple(game.encode_move(move))))
        game.apply(state, seat, move)
    return game, state, reference


@pytest.mark.parametrize(("seats", "board", "seed", "skipped", "depth", "count"), PERFT)
def test_perft(seats: int, board: str, seed: int, skipped: int, depth: int, count: int) -> None:
    game, state, reference = positions(seats, board, seed, skipped)
    assert perft(game, state, depth) == count
    assert reference_perft(reference, depth) == count
