"""Every rule of CITB 1 to 5, and the examples that the rulebooks draw for them."""

from random import Random

import pytest
from citb_positions import code, legal, make, position

from arena.games import OptionError
from arena.games.cat_in_the_box import CatInTheBox
from arena.games.cat_in_the_box.deal import Deal, RoundDeal
from arena.games.cat_in_the_box.state import State
from protocol.cat_in_the_box import BLOCKED, COLORS

SEAT_COUNTS = (2, 3, 4, 5)


def begin(seats: int, seed: int = 0) -> tuple[CatInTheBox, State]:
    game = CatInTheBox(seats, {})
    return game, game.start(game.deal(Random(seed)))


def play_randomly(game: CatInTheBox, state: State, rng: Random, rounds: int) -> None:
    while len(state.rounds) < rounds:
        seat = game.to_move(state)[0]
        game.apply(state, seat, rng.choice(game.legal_moves(state, seat)))


def two_player_deal(revealed: list[int], hidden: list[int]) -> Deal:
    left = [card for card in range(1, 6) for _ in range(5)]
    for card in revealed + hidden:
        left.remove(card)
    return Deal(0, [RoundDeal([left[::2], left[1::2]], revealed, hidden)] * 2)


# 1. The table


@pytest.mark.parametrize("seats", [-1, 0, 1, 6, 1000])
def test_citb_1_1_no_other_number_of_seats_can_play(seats: int) -> None:
    with pytest.raises(OptionError, match="2 to 5 players") as caught:
        CatInTheBox(seats, {})
    assert caught.value.key == "seats"


@pytest.mark.parametrize(
    ("seats", "numbers", "dealt", "left_over"), [(2, 5, 10, 5), (3, 6, 10, 0), (4, 8, 10, 0), (5, 9, 9, 0)]
)
def test_citb_1_2_the_number_of_players_sets_the_cards(
    seats: int, numbers: int, dealt: int, left_over: int
) -> None:
    for round_deal in CatInTheBox(seats, {}).deal(Random(1)).rounds:
        assert [len(hand) for hand in round_deal.hands] == [dealt] * seats
        rest = round_deal.revealed + round_deal.hidden
        assert len(rest) == left_over
        cards = sorted(sum(round_deal.hands, rest))
        assert cards == [card for card in range(1, numbers + 1) for _ in range(5)]


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_citb_1_3_each_seat_starts_one_round_in_turn(seats: int) -> None:
    game, state = begin(seats)
    first = state.start_seat
    play_randomly(game, state, Random(2), seats)
    assert [scored.start_seat for scored in state.rounds] == [(first + n) % seats for n in range(seats)]
    assert game.to_move(state) == ()


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_citb_1_3_any_seat_may_be_drawn_to_start_the_first_round(seats: int) -> None:
    game = CatInTheBox(seats, {})
    assert {game.deal(Random(seed)).first_player for seed in range(60)} == set(range(seats))


# 2. Deal and discard


def test_citb_2_1_the_deal_comes_from_the_rng_alone() -> None:
    game = CatInTheBox(4, {})
    assert game.deal(Random(7)) == game.deal(Random(7)) != game.deal(Random(8))


def test_citb_2_2_two_players_see_three_of_the_five_cards_left_over() -> None:
    game, state = begin(2)
    revealed = game.observe(state, 0).revealed
    assert len(revealed) == 3
    assert game.observe(state, 1).revealed == revealed


@pytest.mark.parametrize(
    ("revealed", "blocked"),
    [
        ([1, 3, 5], ["1 green", "3 green", "5 green"]),
        ([2, 2, 4], ["2 green", "2 yellow", "4 green"]),
        ([3, 3, 3], ["3 green", "3 yellow", "3 blue"]),
    ],
)
def test_citb_2_3_revealed_copies_block_green_then_yellow_then_blue(
    revealed: list[int], blocked: list[str]
) -> None:
    game = CatInTheBox(2, {})
    state = game.start(two_player_deal(revealed, [1, 5]))
    board = game.observe(state, 0).board
    cells = [code(words) for words in blocked]
    assert [
        (row, column) for row in range(4) for column in range(5) if board[row][column] == BLOCKED
    ] == sorted(divmod(cell, 9) for cell in cells)
    assert not any(state.empty >> cell & 1 for cell in cells)


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_citb_2_4_all_seats_discard_one_card_at_the_same_time(seats: int) -> None:
    game, state = begin(seats)
    assert game.to_move(state) == tuple(range(seats))
    for seat in reversed(range(seats)):
        assert state.phase == "discard"
        hand = game.observe(state, seat).hand
        assert legal(game, state, seat) == [f"discard {card}" for card in sorted(set(hand))]
        game.apply(state, seat, code(f"discard {hand[0]}"))
        assert game.to_move(state)[-1:] == ((seat - 1,) if seat else (state.start_seat,))
        assert game.observe(state, seat).hand == hand[1:]
        assert game.observe(state, seat).discard == hand[0]
    assert state.phase == ("play" if seats == 2 else "bid")


def test_citb_2_5_a_discard_is_out_of_the_round_and_out_of_sight() -> None:
    game, state = begin(3)
    make(game, state, *[f"discard {hand[0]}" for hand in [hand.copy() for hand in state.hands]])
    for seat in range(3):
        assert len(state.hands[seat]) == 9
        assert game.observe(state, seat).discard == state.discards[seat]


# 3. Bids


def test_citb_3_1_seats_bid_in_order_from_the_start_seat_in_the_open() -> None:
    game = CatInTheBox(4, {})
    deal = game.deal(Random(3))
    state = game.start(Deal(2, deal.rounds))
    make(game, state, *[f"discard {hand[0]}" for hand in deal.rounds[0].hands])
    for seat, bid, known in [
        (2, "bid 3", [None, None, 3, None]),
        (3, "bid 1", [None, None, 3, 1]),
        (0, "bid 1", [1, None, 3, 1]),
        (1, "bid 2", [1, 2, 3, 1]),
    ]:
        assert game.to_move(state) == (seat,)
        make(game, state, bid)
        assert all(game.observe(state, watcher).bids == known for watcher in range(4))
    assert (state.phase, game.to_move(state)) == ("play", (2,))


@pytest.mark.parametrize(
    ("seats", "bids"),
    [(3, ["bid 1", "bid 3", "bid 4"]), (4, ["bid 1", "bid 2", "bid 3"]), (5, ["bid 1", "bid 2", "bid 3"])],
)
def test_citb_3_2_the_bids_depend_on_the_number_of_players(seats: int, bids: list[str]) -> None:
    game, state = begin(seats)
    make(game, state, *[f"discard {hand[0]}" for hand in [hand.copy() for hand in state.hands]])
    assert legal(game, state, game.to_move(state)[0]) == bids


def test_citb_3_3_two_players_do_not_bid() -> None:
    game, state = begin(2)
    make(game, state, *[f"discard {hand[0]}" for hand in [hand.copy() for hand in state.hands]])
    assert state.phase == "play"
    assert game.observe(state, 0).bids == [None, None]


# 4. Playing a card


def test_citb_4_1_the_cell_must_be_empty() -> None:
    game = CatInTheBox(3, {})
    state = position(game, ["23", "11", "11"], tokens={1: "2 blue, 3 green, 6 red"})
    assert legal(game, state, 0) == ["2 red", "3 red", "3 blue", "2 yellow", "3 yellow", "2 green"]


def test_citb_4_1_the_token_must_lie_on_the_colors_x() -> None:
    game = CatInTheBox(3, {})
    state = position(game, ["23", "11", "11"], tokens={1: "6 red"}, lost={0: "red yellow"})
    assert legal(game, state, 0) == ["2 blue", "3 blue", "2 green", "3 green"]


def test_citb_4_1_figure_3_3_a_token_marks_the_cell_and_the_first_color_is_led() -> None:
    game = CatInTheBox(4, {})
    state = position(game, ["558", "11", "22", "33"])
    make(game, state, "5 blue")
    seen = game.observe(state, 1)
    assert seen.board[COLORS.index("blue")][4] == 0
    assert (seen.trick[0].card, seen.trick[0].color) == (5, "blue")
    assert game.observe(state, 0).hand == [5, 8]


def test_citb_4_2_leader_may_not_declare_red_before_red_is_broken() -> None:
    game = CatInTheBox(4, {})
    state = position(game, ["88", "11", "22", "33"], tokens={1: "8 blue", 2: "8 green"})
    assert legal(game, state, 0) == ["8 yellow"]


def test_citb_4_2_figure_3_4_leader_may_declare_red_once_a_token_lies_on_red() -> None:
    game = CatInTheBox(4, {})
    state = position(game, ["88", "11", "22", "33"], tokens={1: "2 red"})
    assert legal(game, state, 0) == ["8 red", "8 blue", "8 yellow", "8 green"]
    make(game, state, "8 red")
    assert state.trick[0].color == "red"


def test_citb_4_2_a_blocked_cell_does_not_break_red() -> None:
    game = CatInTheBox(2, {})
    state = game.start(two_player_deal([3, 3, 3], [1, 5]))
    make(game, state, *[f"discard {hand[0]}" for hand in [hand.copy() for hand in state.hands]])
    assert not [words for words in legal(game, state, game.to_move(state)[0]) if "red" in words]


def test_citb_4_3_leader_without_another_play_may_declare_red() -> None:
    game = CatInTheBox(3, {})
    cells = "4 blue, 4 green, 5 blue, 5 yellow, 5 green"
    state = position(game, ["45", "66", "11"], tokens={1: cells}, lost={0: "yellow"})
    assert legal(game, state, 0) == ["4 red", "5 red"]
    make(game, state, "4 red")
    assert legal(game, state, 1)[0] == "6 red"


def test_citb_4_3_one_other_play_with_any_card_forbids_the_red_lead() -> None:
    game = CatInTheBox(3, {})
    state = position(game, ["45", "66", "11"], tokens={1: "4 blue, 4 green, 5 blue, 5 green, 4 yellow"})
    assert legal(game, state, 0) == ["5 yellow"]


def test_citb_4_3_leader_who_lost_every_other_color_may_declare_red() -> None:
    game = CatInTheBox(3, {})
    state = position(game, ["45", "66", "11"], lost={0: "blue yellow green"})
    assert legal(game, state, 0) == ["4 red", "5 red"]


def test_citb_4_4_follower_may_declare_any_color_before_red_is_broken() -> None:
    game = CatInTheBox(3, {})
    state = position(game, ["45", "66", "11"])
    make(game, state, "5 blue")
    assert legal(game, state, 1) == ["6 red", "6 blue", "6 yellow", "6 green"]


def test_citb_4_5_figure_3_5_follower_who_declares_another_color_loses_the_led_one() -> None:
    game = CatInTheBox(4, {})
    state = position(game, ["455", "667", "112", "223"])
    make(game, state, "5 blue")
    assert "7 blue" in legal(game, state, 1)
    make(game, state, "6 red")
    assert game.observe(state, 3).open_colors == [[*COLORS], ["red", "yellow", "green"], [*COLORS], [*COLORS]]


def test_citb_4_5_follower_loses_red_when_red_was_led() -> None:
    game = CatInTheBox(3, {})
    state = position(game, ["455", "667", "112"], tokens={2: "1 red"})
    make(game, state, "5 red", "6 blue")
    assert game.observe(state, 0).open_colors[1] == ["blue", "yellow", "green"]


def test_citb_4_5_follower_who_could_not_follow_loses_the_led_color_too() -> None:
    game = CatInTheBox(3, {})
    state = position(game, ["455", "666", "112"], tokens={2: "6 blue"})
    make(game, state, "5 blue", "6 green")
    assert game.observe(state, 0).open_colors[1] == ["red", "yellow", "green"]


def test_citb_4_5_leader_and_those_who_follow_lose_nothing() -> None:
    game = CatInTheBox(3, {})
    state = position(game, ["455", "666", "112"])
    make(game, state, "5 blue", "6 blue", "1 blue")
    assert game.observe(state, 0).open_colors == [[*COLORS]] * 3


# 5. Tricks and the paradox


def test_citb_5_1_every_seat_plays_once_in_turn_order() -> None:
    game = CatInTheBox(4, {})
    state = position(game, ["111", "222", "333", "444"], leader=2)
    make(game, state, "3 blue", "4 blue", "1 blue", "2 blue")
    assert [play.seat for play in state.tricks[0].plays] == [2, 3, 0, 1]


def test_citb_5_2_figure_3_6_the_highest_red_card_wins() -> None:
    game = CatInTheBox(4, {})
    state = position(game, ["888", "777", "222", "444"])
    make(game, state, "8 yellow", "7 green", "2 red", "4 red")
    assert state.tricks[0].winner == 3


def test_citb_5_2_without_red_the_highest_card_of_the_led_color_wins() -> None:
    game = CatInTheBox(4, {})
    state = position(game, ["222", "777", "333", "888"])
    make(game, state, "2 yellow", "7 green", "3 yellow", "8 blue")
    assert state.tricks[0].winner == 2


def test_citb_5_2_when_all_follow_the_highest_number_wins() -> None:
    game = CatInTheBox(4, {})
    state = position(game, ["222", "777", "333", "444"], tokens={0: "1 red"})
    make(game, state, "2 red", "7 red", "3 red", "4 red")
    assert state.tricks[0].winner == 1


def test_citb_5_3_the_winner_leads_and_the_start_seat_stays() -> None:
    game = CatInTheBox(3, {})
    state = position(game, ["123", "456", "123"])
    make(game, state, "1 blue", "6 blue", "2 blue")
    assert game.to_move(state) == (1,)
    assert (state.start_seat, state.tricks_won) == (0, [0, 1, 0])


@pytest.mark.parametrize(("seats", "tricks"), [(2, 8), (3, 8), (4, 8), (5, 7)])
def test_citb_5_4_the_round_ends_with_one_card_in_each_hand(seats: int, tricks: int) -> None:
    game = CatInTheBox(seats, {})
    cards = range(1, seats + 1)
    state = position(game, [f"{card}{card}" for card in cards], trick_number=tricks - 1)
    make(game, state, *[f"{card} blue" for card in cards])
    assert len(state.rounds) == 1
    assert state.rounds[0].paradox is None


def test_citb_5_5_figure_3_7_a_follower_without_a_play_causes_a_paradox() -> None:
    game = CatInTheBox(4, {})
    cells = "4 red, 6 red, 4 green, 6 green"
    state = position(game, ["123", "46", "123", "123"], tokens={2: cells}, lost={1: "blue yellow"})
    make(game, state, "1 blue")
    assert state.rounds[0].paradox == 1


def test_citb_5_5_a_leader_without_a_play_causes_a_paradox() -> None:
    game = CatInTheBox(3, {})
    cells = "4 red, 4 blue, 4 green, 4 yellow, 5 blue"
    state = position(game, ["445", "123", "123"], tokens={2: cells}, lost={0: "red green"})
    make(game, state, "5 yellow", "1 yellow", "2 yellow")
    assert state.rounds[0].paradox == 0
    assert state.rounds[0].tricks == [1, 0, 0]


def test_citb_5_5_a_paradox_cannot_be_chosen() -> None:
    game = CatInTheBox(4, {})
    cells = "4 red, 6 red, 4 green"
    state = position(game, ["123", "46", "123", "123"], tokens={2: cells}, lost={1: "blue yellow"})
    make(game, state, "1 blue")
    assert legal(game, state, 1) == ["6 green"]


def test_citb_5_6_figure_3_8_a_paradox_ends_the_round_and_leaves_the_tokens() -> None:
    game = CatInTheBox(3, {})
    hands = ["126", "445", "236"]
    cells = "1 yellow, 2 yellow"
    state = position(
        game,
        hands,
        tokens={0: cells, 2: "4 red, 5 red, 4 green, 5 green"},
        lost={1: "blue yellow"},
        bids=[1, 1, 1],
        won=[1, 3, 1],
    )
    make(game, state, "1 blue")
    (scored,) = state.rounds
    assert scored.tricks == [1, 3, 1]
    assert scored.bonus[0] == 3, "the token of the broken trick counts in the group"
    assert (state.round, state.phase, game.to_move(state)) == (1, "discard", (0, 1, 2))


def test_citb_5_7_a_last_card_that_could_not_be_played_is_no_paradox() -> None:
    game = CatInTheBox(3, {})
    cells = "4 red, 4 blue, 4 green, 4 yellow"
    state = position(game, ["45", "13", "23"], tokens={2: cells}, trick_number=7)
    make(game, state, "5 yellow", "1 yellow", "2 yellow")
    assert state.rounds[0].paradox is None
