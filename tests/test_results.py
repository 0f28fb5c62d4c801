"""Results: one as a value, many as arrays."""

import random
from itertools import product
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.results import Result, Results, placement_scores


def standard_ranks(values: list[int]) -> tuple[int, ...]:
    return tuple(1 + sum(other < value for other in values) for value in values)


@st.composite
def results(draw: st.DrawFn) -> Result:
    seats = draw(st.integers(2, 5))
    players = tuple(draw(st.permutations("abcdefg"))[:seats])
    ranks = standard_ranks(draw(st.lists(st.integers(0, 3), min_size=seats, max_size=seats)))
    points = st.tuples(*[st.sampled_from([-1.5, 0.0, 0.1, 4.0])] * seats)
    forfeits = st.sets(st.integers(0, seats - 1)).map(lambda faulty: tuple(sorted(faulty)))
    return Result(draw(st.integers(-3, 9)), players, ranks, draw(st.none() | points), draw(forfeits))


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "one player": ({"players": ("a",), "ranks": (1,)}, "expected at least 2 players, got 1"),
    "a player twice": ({"players": ("a", "a")}, "expected different players, got a, a"),
    "too few ranks": ({"ranks": (1,)}, "expected 2 ranks like 1, 2, 2, 4, got [1]"),
    "dense ranks": (
        {"players": ("a", "b", "c"), "ranks": (1, 1, 2)},
        "expected 3 ranks like 1, 2, 2, 4, got [1, 1, 2]",
    ),
    "ranks from 0": ({"ranks": (0, 1)}, "expected 2 ranks like 1, 2, 2, 4, got [0, 1]"),
    "too few scores": ({"scores": (1.0,)}, "expected 2 finite scores, got [1.0]"),
    "infinite scores": ({"scores": (1.0, float("inf"))}, "expected 2 finite scores, got [1.0, inf]"),
    "another seat's fault": ({"forfeits": (2,)}, "expected forfeits by seats 0 to 1, got [2]"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_a_result_is_refused(case: str) -> None:
    fields, message = BAD[case]
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole text is compared
        Result(**{"deal": 0, "players": ("a", "b"), "ranks": (1, 2), **fields})
    assert str(caught.value) == message


def test_plain_results_are_read_from_json() -> None:
    line = b'{"deal":0,"players":["A","B","C"],"ranks":[1,2,2]}'
    assert msgspec.json.decode(line, type=Result) == Result(0, ("A", "B", "C"), (1, 2, 2))
    with pytest.raises(msgspec.ValidationError, match="different players"):
        msgspec.json.decode(b'{"deal":0,"players":["A","A"],"ranks":[1,2]}', type=Result)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_only_competition_ranks_are_ranks(seats: int) -> None:
    players = tuple("abcde"[:seats])
    good = {standard_ranks(list(values)) for values in product(range(seats), repeat=seats)}
    for ranks in product(range(seats + 2), repeat=seats):
        if ranks in good:
            Result(0, players, ranks)
        else:
            with pytest.raises(ValueError, match="ranks"):
                Result(0, players, ranks)


def test_placement_scores_are_the_share_of_opponents_beaten_with_ties_as_half() -> None:
    assert placement_scores([1, 2]) == [1, 0]
    assert placement_scores([1, 1]) == [0.5, 0.5]
    assert placement_scores([1, 2, 2]) == [1, 0.25, 0.25]
    assert placement_scores([4, 1, 2, 2]) == [0, 1, 0.5, 0.5]
    assert placement_scores([1, 1, 1, 1, 5]) == [0.625, 0.625, 0.625, 0.625, 0]


@settings(deadline=None, max_examples=50)
@given(results())
def test_placement_scores_sum_to_half_of_the_seats(result: Result) -> None:
    assert sum(placement_scores(result.ranks)) == pytest.approx(len(result.ranks) / 2)


@settings(deadline=None, max_examples=50)
@given(st.lists(results(), max_size=12))
def test_nothing_is_lost_in_columns(games: list[Result]) -> None:
    collected = Results.collect(games)
    back = [
        Result(
            int(collected.deals[table.deals[row]]),
            tuple(collected.names[i] for i in table.players[row]),
            tuple(table.ranks[row].tolist()),
            None if np.isnan(table.points[row]).any() else tuple(table.points[row].tolist()),
            tuple(np.flatnonzero(table.faults[row]).tolist()),
        )
        for table in collected.tables
        for row in range(len(table.deals))
    ]
    assert sorted(back, key=repr) == sorted(games, key=repr)
    for table in collected.tables:
        for row, ranks in enumerate(table.ranks):
            assert table.placements[row].tolist() == placement_scores(ranks)
    assert list(collected.names) == sorted({name for game in games for name in game.players})


@settings(deadline=None, max_examples=30)
@given(st.lists(results(), max_size=12), st.randoms(use_true_random=False))
def test_columns_do_not_depend_on_the_order_of_games(games: list[Result], rng: random.Random) -> None:
    shuffled = rng.sample(games, len(games))
    one, other = Results.collect(games), Results.collect(shuffled)
    assert one.names == other.names
    assert one.deals.tobytes() == other.deals.tobytes()
    for left, right in zip(one.tables, other.tables, strict=True):
        for field in left.__struct_fields__:
            assert getattr(left, field).tobytes() == getattr(right, field).tobytes()
