"""Every rule of CITB 6 and 7, and the scoring examples that the rulebooks draw."""

import pytest
from citb_positions import code

from arena.games.cat_in_the_box import CatInTheBox
from arena.games.cat_in_the_box.scoring import largest_group, ranks, score_round, totals
from protocol.cat_in_the_box import RoundScore


def tokens(game: CatInTheBox, by_seat: dict[int, str]) -> list[int]:
    """A flat board with tokens on cells in words."""
    placed = game.board.blank.copy()
    for seat, cells in by_seat.items():
        for words in cells.split(", "):
            placed[game.board.position[code(words)]] = seat
    return placed


def scored(*rounds: list[int]) -> list[RoundScore]:
    return [RoundScore(0, scores, scores, [1] * len(scores), [0] * len(scores), None) for scores in rounds]


FIVE_IN_A_GROUP = "2 red, 3 red, 3 blue, 3 yellow, 4 yellow, 6 yellow, 7 green"


def test_citb_6_1_figure_3_9_a_trick_is_worth_one_point() -> None:
    game = CatInTheBox(4, {})
    result = score_round(game.board, tokens(game, {0: "1 red"}), 0, [1, 1, 1, 1], [2, 3, 3, 0], None)
    assert result.scores == [2, 3, 3, 0]


def test_citb_6_2_figure_3_11_a_met_bid_earns_the_bonus() -> None:
    game = CatInTheBox(4, {})
    placed = tokens(game, {0: FIVE_IN_A_GROUP})
    result = score_round(game.board, placed, 0, [2, 1, 1, 1], [2, 3, 3, 0], None)
    assert (result.bonus, result.scores) == ([5, 0, 0, 0], [7, 3, 3, 0])


def test_citb_6_2_a_missed_bid_earns_none() -> None:
    game = CatInTheBox(4, {})
    placed = tokens(game, {0: FIVE_IN_A_GROUP})
    for bid in (1, 3):
        assert score_round(game.board, placed, 0, [bid, 1, 1, 1], [2, 3, 3, 0], None).bonus == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("cells", "size"),
    [
        ("5 blue", 1),
        ("1 red, 2 blue, 3 yellow, 4 green", 1),
        ("1 red, 1 blue, 1 yellow, 1 green", 4),
        ("1 blue, 2 blue, 4 blue, 5 blue, 6 blue", 3),
        ("8 red, 1 blue", 1),
        ("1 red, 1 green", 1),
        (FIVE_IN_A_GROUP, 5),
    ],
)
def test_citb_6_3_the_largest_group_counts_neighbours_without_diagonals_or_wrapping(
    cells: str, size: int
) -> None:
    game = CatInTheBox(4, {})
    assert largest_group(game.board, tokens(game, {0: cells, 1: "7 red"}), 0) == size


def test_citb_6_3_a_seat_without_a_token_has_no_group() -> None:
    game = CatInTheBox(4, {})
    assert largest_group(game.board, tokens(game, {1: "7 red"}), 0) == 0


def test_citb_6_4_figure_5_1_two_players_get_the_bonus_for_four_tricks_or_fewer() -> None:
    game = CatInTheBox(2, {})
    placed = tokens(game, {0: "1 red, 2 red, 3 red, 4 red", 1: "1 blue, 2 blue, 3 blue, 5 yellow"})
    result = score_round(game.board, placed, 0, [None, None], [5, 3], None)
    assert (result.scores, result.bonus) == ([5, 6], [0, 3])


@pytest.mark.parametrize(("won", "bonus"), [(0, 2), (4, 2), (5, 0), (8, 0)])
def test_citb_6_4_no_trick_at_all_earns_the_bonus_too(won: int, bonus: int) -> None:
    game = CatInTheBox(2, {})
    placed = tokens(game, {0: "1 red, 2 red"})
    assert score_round(game.board, placed, 0, [None, None], [won, 8 - won], None).bonus[0] == bonus


def test_citb_6_5_figure_3_10_the_paradox_costs_a_point_a_trick_and_the_bonus() -> None:
    game = CatInTheBox(4, {})
    placed = tokens(game, {1: FIVE_IN_A_GROUP})
    result = score_round(game.board, placed, 0, [1, 3, 1, 1], [2, 3, 0, 0], 1)
    assert (result.scores[1], result.bonus[1], result.paradox) == (-3, 0, 1)


def test_citb_6_5_with_two_players_the_paradox_takes_the_bonus_too() -> None:
    game = CatInTheBox(2, {})
    result = score_round(game.board, tokens(game, {0: "1 red, 2 red"}), 0, [None, None], [2, 3], 0)
    assert (result.scores, result.bonus) == ([-2, 3], [0, 0])


def test_citb_6_6_after_a_paradox_the_others_score_as_usual() -> None:
    game = CatInTheBox(4, {})
    placed = tokens(game, {0: FIVE_IN_A_GROUP})
    result = score_round(game.board, placed, 0, [2, 3, 1, 1], [2, 3, 0, 0], 1)
    assert result.scores == [7, -3, 0, 0]


def test_citb_7_1_the_highest_total_wins() -> None:
    rounds = scored([1, 5, 2], [9, 0, 2], [0, 1, 2])
    assert totals(rounds, 3) == [10, 6, 6]
    assert ranks(rounds, 3)[0] == 1


def test_citb_7_2_equal_totals_are_split_by_the_last_round() -> None:
    assert ranks(scored([1, 5, 2], [9, 0, 2], [0, 1, 2]), 3) == [1, 3, 2]


def test_citb_7_3_seats_that_are_still_equal_share_their_rank() -> None:
    assert ranks(scored([9, 3, 3, 0], [1, 2, 2, 2]), 4) == [1, 2, 2, 4]
    assert ranks([], 3) == [1, 1, 1]
