"""Final ranks after forfeits."""

from itertools import product

import pytest

from arena.record import outcome_ranks


@pytest.mark.parametrize(
    ("ranks", "forfeited", "ended_early", "final"),
    [
        ([1, 2, 2, 4], set(), False, [1, 2, 2, 4]),
        ([2, 1], {1}, True, [1, 2]),
        ([1, 2, 3], {0}, False, [3, 1, 2]),
        ([1, 2, 2], {0}, False, [3, 1, 1]),
        ([1, 2, 3, 4], {0, 2}, False, [3, 1, 3, 2]),
        ([3, 1, 2], {1}, True, [1, 3, 1]),
        ([1, 2, 3, 4, 5], {0, 4}, True, [4, 1, 1, 1, 4]),
        ([1, 2, 3], {0, 1, 2}, False, [1, 1, 1]),
    ],
)
def test_final_ranks(ranks: list[int], forfeited: set[int], ended_early: bool, final: list[int]) -> None:
    assert outcome_ranks(ranks, forfeited, ended_early) == final


def test_every_rank_counts_the_seats_that_did_better() -> None:
    for ranks, faults, ended_early in product(
        product((1, 2, 3), repeat=3), product((False, True), repeat=3), (False, True)
    ):
        final = outcome_ranks(ranks, {seat for seat in range(3) if faults[seat]}, ended_early)
        assert final == [1 + sum(other < rank for other in final) for rank in final]
