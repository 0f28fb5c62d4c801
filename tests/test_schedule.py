"""The schedule: which games are played, in which order."""

from collections import Counter
from itertools import combinations, islice, permutations
from math import comb

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament_specs import make_spec

from tournaments.schedule import Schedule, schedule
from tournaments.seating import SEATINGS
from tournaments.spec import SpecError


@st.composite
def schedules(draw: st.DrawFn) -> Schedule:
    seats = draw(st.integers(2, 5))
    names = [f"bot{i}" for i in range(draw(st.integers(seats, 7)))]
    challenger = draw(st.none() | st.integers(0, len(names) - 1))
    return Schedule(
        names, seats, draw(st.integers(1, 3)), draw(st.sampled_from(sorted(SEATINGS))), challenger
    )


@settings(deadline=None, max_examples=50)
@given(schedules())
def test_keys_are_unique_positions_contiguous_and_access_by_index_equals_iteration(games: Schedule) -> None:
    fixtures = list(games)
    assert len(fixtures) == len(games)
    assert len({fixture.key for fixture in fixtures}) == len(fixtures)
    assert [fixture.position for fixture in fixtures] == list(range(len(fixtures)))
    assert [games[i] for i in range(len(games))] == fixtures
    assert games[-1] == fixtures[-1]
    assert games[1:7:2] == fixtures[1:7:2]


@settings(deadline=None, max_examples=50)
@given(schedules())
def test_deals_come_in_order_and_every_deal_has_the_same_tables(games: Schedule) -> None:
    fixtures = list(games)
    assert [f.deal_number for f in fixtures] == sorted(f.deal_number for f in fixtures)
    tables = Counter((f.key.partition("/")[2], f.seats) for f in fixtures)
    assert set(tables.values()) == {fixtures[-1].deal_number + 1}


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 4), st.integers(1, 4), st.sampled_from(["balanced", "rotations"]))
def test_more_deals_only_add_games_at_the_end(few: int, more: int, seating: str) -> None:
    names = ["a", "b", "c", "d"]
    short, long = Schedule(names, 3, few, seating), Schedule(names, 3, few + more, seating)
    assert long[: len(short)] == list(short)


def test_a_round_robin_plays_every_combination_in_the_specs_order() -> None:
    names = ["d", "b", "a", "c"]
    games = schedule(make_spec(bots=names, seats=3, deals=1), names)
    line_ups = list(dict.fromkeys(fixture.key.split("/")[2] for fixture in games))
    assert line_ups == ["+".join(combination) for combination in combinations(names, 3)]
    assert len(games) == comb(4, 3) * 6


def test_a_gauntlet_plays_the_challenger_with_every_combination_of_others() -> None:
    names = ["a", "b", "c", "d"]
    spec = make_spec(bots=names, seats=3, deals=1, format="gauntlet", challenger="c", seating="rotations")
    games = schedule(spec, names)
    assert list(dict.fromkeys(f.key.split("/")[2] for f in games)) == ["a+b+c", "a+c+d", "b+c+d"]
    assert all("c" in fixture.seats for fixture in games)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_balanced_meets_every_ordered_pair_in_every_ordered_pair_of_seats_equally_often(seats: int) -> None:
    names = [f"bot{i}" for i in range(seats + 1)]
    met = Counter(
        (fixture.seats[a], fixture.seats[b], a, b)
        for fixture in Schedule(names, seats, 1, "balanced")
        for a, b in permutations(range(seats), 2)
    )
    assert len(met) == (seats + 1) * seats * seats * (seats - 1)
    assert set(met.values()) == {comb(seats - 1, seats - 2)}


def test_a_fixture_says_who_sits_where() -> None:
    games = Schedule(["a", "b", "c"], 3, 2, "rotations")
    assert msgspec.structs.astuple(games[4]) == ("1/1/a+b+c", 4, 1, ("c", "a", "b"), None)


def test_a_schedule_of_billions_of_games_is_indexed_without_making_it() -> None:
    names = [f"bot{i}" for i in range(60)]
    games = Schedule(names, 5, 1000, "balanced")
    assert len(games) == 1000 * comb(60, 5) * 20
    assert games[-1].key == "999/19/bot55+bot56+bot57+bot58+bot59"
    assert list(islice(games, 3)) == games[:3]
    with pytest.raises(IndexError):
        games[len(games)]


def test_final_names_are_checked() -> None:
    with pytest.raises(SpecError, match=r"bots\[2\]\.name"):
        schedule(make_spec(bots=["a", "b", None]), ["a", "b", "a"])
