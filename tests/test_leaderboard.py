"""The leaderboard: rows, their order, and what they leave open."""

import random

import msgspec
import numpy as np
import pytest
from simulated_games import simulate

from tournaments.leaderboard import COLUMNS, Row, leaderboard
from tournaments.ratings import Anchor, RatingError
from tournaments.results import Result


def duel(deal: int, first: str, second: str) -> Result:
    return Result(deal, (first, second), (1, 2))


def by_bot(rows: list[Row]) -> dict[str, Row]:
    return {row.bot: row for row in rows}


def test_rows_are_ordered_by_elo_and_compare_each_bot_with_the_next() -> None:
    rows = leaderboard(simulate(np.random.default_rng(1), [-0.5, 0.6, 0.0], 3, 40))
    assert [row.bot for row in rows] == ["bot1", "bot2", "bot0"]
    assert [row.rank for row in rows] == [1, 2, 3]
    assert rows[0].los is not None
    assert rows[0].los > 0.95
    assert rows[2].los is None
    assert all(row.elo_pm95 is not None and row.elo_pm95 > 0 for row in rows)
    assert [row.games for row in rows] == [240, 240, 240]
    assert sum(row.placement for row in rows) == pytest.approx(1.5)
    assert sum(row.elo for row in rows) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("deals", [10, 40])
def test_the_order_of_games_changes_nothing_to_the_last_bit(deals: int) -> None:
    games = simulate(np.random.default_rng(2), [-0.5, 0.6, 0.0, 0.1], 3, deals)
    shuffled = random.Random(7).sample(games, len(games))
    assert msgspec.json.encode(leaderboard(games)) == msgspec.json.encode(leaderboard(shuffled))


def test_equal_bots_stand_in_the_order_of_their_names() -> None:
    games = [duel(deal, *pair) for deal in range(3) for pair in ("ca", "ac", "cb", "bc", "ab", "ba")]
    assert [row.bot for row in leaderboard(games)] == ["a", "b", "c"]


def test_points_and_faults_are_counted() -> None:
    games = [
        Result(0, ("a", "b", "c"), (1, 2, 3), (5, 1, -3), (2,)),
        Result(1, ("c", "b", "a"), (3, 1, 2), (0, 4, 2), (0,)),
        Result(2, ("a", "b"), (1, 2), (2, 1)),
    ]
    rows = by_bot(leaderboard(games))
    assert [rows[bot].points for bot in "abc"] == [3, 2, -1.5]
    assert [rows[bot].faults for bot in "abc"] == [0, 0, 2]
    assert [rows[bot].games for bot in "abc"] == [3, 3, 2]
    assert rows["a"].placement == pytest.approx((1 + 0.5 + 1) / 3)


def test_a_bot_with_a_game_without_points_has_none() -> None:
    games = [Result(0, ("a", "b"), (1, 2), (2, 1)), duel(1, "a", "c")]
    rows = by_bot(leaderboard(games))
    assert (rows["a"].points, rows["b"].points, rows["c"].points) == (None, 1, None)


def test_one_deal_has_ratings_but_neither_errors_nor_los() -> None:
    for row in leaderboard(simulate(np.random.default_rng(1), [1, 0, -1], 3, 1)):
        assert (row.elo_pm95, row.los) == (None, None)


def test_bots_that_cannot_be_compared_form_groups_the_largest_first() -> None:
    pairs = (("a", "b"), ("b", "a"), ("x", "y"), ("y", "z"), ("z", "x"), ("x", "z"))
    rows = leaderboard([duel(deal, *pair) for deal in range(3) for pair in pairs])
    assert [(row.group, row.rank, row.bot) for row in rows] == [
        (1, 1, "x"), (1, 2, "y"), (1, 3, "z"), (2, 1, "a"), (2, 2, "b"),
    ]  # fmt: skip
    assert rows[2].los is None


def test_an_anchor_has_elo_0_and_no_interval() -> None:
    row = by_bot(
        leaderboard(simulate(np.random.default_rng(1), [0.5, 0, -0.5], 3, 40), anchor=Anchor("bot2"))
    )["bot2"]
    assert (row.elo, row.elo_pm95) == (0, None)
    with pytest.raises(RatingError, match="as the anchor"):
        leaderboard([duel(0, "a", "b")], anchor=Anchor("nobody"))


def test_no_results_make_an_empty_leaderboard() -> None:
    assert leaderboard([]) == []


def test_columns_show_every_field_of_a_row_in_order() -> None:
    assert tuple(column.key for column in COLUMNS) == Row.__struct_fields__
    row = Row(1, 1, "a", 12.3, 4.56, 0.987, 10, 0.5, 3.21, 0)
    shown = [format(getattr(row, column.key), column.format) for column in COLUMNS]
    assert shown == ["1", "1", "a", "+12", "5", "98.7%", "10", "0.500", "3.21", "0"]
