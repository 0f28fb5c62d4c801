"""Seatings: who sits where."""

import json
from itertools import permutations
from pathlib import Path

import pytest

from tournaments.seating import SEATINGS, balanced, rotations

VECTORS = json.loads((Path(__file__).parent / "vectors/ratings/seat_designs.json").read_text())
SIZES = (2, 3, 4, 5)


@pytest.mark.parametrize("seats", SIZES)
def test_designs_equal_the_reference_figures(seats: int) -> None:
    assert [list(seating) for seating in balanced(seats)] == VECTORS["full"][str(seats)]
    assert [list(seating) for seating in rotations(seats)] == VECTORS["rotations"][str(seats)]


@pytest.mark.parametrize("seats", SIZES)
def test_balanced_puts_every_ordered_pair_of_bots_once_in_every_ordered_pair_of_seats(seats: int) -> None:
    pairs = list(permutations(range(seats), 2))
    for first, second in pairs:
        assert sorted((seating[first], seating[second]) for seating in balanced(seats)) == sorted(pairs)


@pytest.mark.parametrize("seats", SIZES)
def test_rotations_put_every_bot_once_in_every_seat_and_keep_neighbours(seats: int) -> None:
    for player in range(seats):
        assert sorted(seating[player] for seating in rotations(seats)) == list(range(seats))
        steps = {(seating[(player + 1) % seats] - seating[player]) % seats for seating in rotations(seats)}
        assert steps == {1}


@pytest.mark.parametrize("name", SEATINGS)
@pytest.mark.parametrize("seats", SIZES)
def test_the_first_seating_is_the_line_up_itself(name: str, seats: int) -> None:
    assert SEATINGS[name](seats)[0] == tuple(range(seats))


@pytest.mark.parametrize("seats", [-1, 0, 1, 6])
def test_other_numbers_of_seats_are_refused(seats: int) -> None:
    for design in SEATINGS.values():
        with pytest.raises(ValueError, match="2 to 5 seats"):
            design(seats)
