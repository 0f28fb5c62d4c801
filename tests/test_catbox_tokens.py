"""Every rule of CATBOX 7: the five tokens, case by case."""

import pytest
from catbox_positions import BOXED, PLAIN, kinds, lay, legal, make, spots, start

from arena.games.cat_box import CatBox
from arena.games.cat_box.scoring import group_sizes
from arena.games.cat_box.state import State
from protocol.cat_box import KnownCard, Shield

ALL = " ".join([PLAIN] * 9)


def advanced(cards: str = ALL, tokens: str | None = None, seats: int = 3) -> tuple[CatBox, State]:
    game = CatBox(seats, {"rules": "advanced"})
    return game, start(game, cards, tokens=tokens)


def test_catbox_7_1_a_cat_paw_places_another_card_at_once() -> None:
    game, state = advanced()
    make(game, state, "place 0 at 1 1", "paw")
    assert kinds(game, state) == {"place"}, "no stacking: one token a turn"
    make(game, state, "place 2 at -1 -1")
    assert game.to_move(state) == (1,)
    assert len(state.area.at) == 3
    assert "cat_paw" not in game.observe(state, 0).tokens[0]


def test_catbox_7_1_a_cat_paw_is_only_offered_while_there_is_a_placement() -> None:
    game, state = advanced(" ".join([PLAIN] * 5), "cat_paw", seats=2)
    make(game, state, "place 0 at 1 1", "end", "place 1 at -1 -1", "end", "place 2 at 1 -1", "end")
    make(game, state, "place 3 at -1 1")
    assert not game.to_move(state), "no card is left for a second placement"


def test_catbox_7_1_a_cat_paw_is_not_offered_where_a_shield_leaves_no_spot() -> None:
    game, state = advanced(tokens="cat_paw")
    state.shields[1] = state.area.at[6]
    state.decision = "token"
    assert legal(game, state) == ["end"]


def test_catbox_7_2_a_cat_box_goes_on_any_visible_quadrant_before_or_after_placing() -> None:
    game, state = advanced()
    assert spots(game, state, "shield") == {(0, 0), (1, 0), (0, 1), (1, 1)}
    make(game, state, "place 0 at 1 1")
    assert len(spots(game, state, "shield")) == 7
    make(game, state, "shield 2 2")
    assert game.observe(state, 1).shields == [Shield(0, 2, 2)]


def test_catbox_7_2_no_other_seat_covers_the_quadrant_or_those_around_it() -> None:
    game, state = advanced(" ".join([BOXED] * 9))
    make(game, state, "place 0 at 1 1", "shield 2 2")
    for words in ("place 1 at", "stack 1 at"):
        found = spots(game, state, words)
        assert not found & {(2, 2), (1, 2), (2, 1), (1, 1), (0, 0), (0, 1)}, "they cover 2 2 or a neighbour"
        assert {(-1, -1), (-1, 0), (0, -1), (1, -1)} <= found, "they cover neither"


def test_catbox_7_2_an_empty_cell_around_the_token_may_be_used() -> None:
    game, state = advanced(" ".join([BOXED] * 9))
    make(game, state, "place 0 at -1 -1", "shield -1 -1")
    assert (1, -1) in spots(game, state, "place 1 at"), "it lies beside the guarded 0 -1 and covers 1 0"
    make(game, state, "place 1 at 1 -1", "end")
    assert game.to_move(state) == (2,)


def test_catbox_7_2_its_owner_may_cover_the_quadrants_around_it() -> None:
    game, state = advanced(tokens="cat_box")
    make(game, state, "shield 0 0", "place 0 at 1 1")
    assert state.shields[0] is not None
    assert len(state.area.at) == 2


def test_catbox_7_2_its_owner_takes_it_off_by_covering_it() -> None:
    game, state = advanced(tokens="cat_box")
    make(game, state, "shield 0 0", "place 0 at -1 -1")
    assert state.shields == [None] * 3
    assert game.to_move(state) == (1,)


def test_catbox_7_2_it_ends_when_its_owners_turn_comes() -> None:
    game, state = advanced()
    make(game, state, "place 0 at 1 1", "shield 2 2")
    make(game, state, "place 2 at -1 -1", "end")
    assert state.shields[0] is not None
    make(game, state, legal(game, state)[0], "end")
    assert game.to_move(state) == (0,)
    assert state.shields == [None] * 3


def test_catbox_7_2_it_ends_when_its_owner_is_passed_over() -> None:
    game, state = advanced(" ".join([PLAIN] * 9), "", seats=3)
    cell = state.area.at[6]
    # Seat 1 guards the whole table against seat 2, and seat 0 against seats 1 and 2.
    state.shields = [cell, cell, None]
    state.decision = "token"
    make(game, state, "end")
    assert game.to_move(state) == (0,)
    assert state.shields == [None, None, None]


def test_catbox_7_2_nobody_moves_the_card_it_lies_on() -> None:
    game, state = advanced(tokens="cat_box toy_mouse")
    make(game, state, "place 0 at 1 1", "shield 2 2")
    lay(state, 50, "KPVB", -1, -1)
    make(game, state, "place 2 at -2 -2")
    assert {words.split()[1] for words in legal(game, state) if words.startswith("mouse")} == {"2"}


def test_catbox_7_2_a_mouse_does_not_cover_what_is_guarded() -> None:
    game, state = advanced(tokens="cat_box toy_mouse")
    make(game, state, "place 0 at 1 1", "shield 2 2")
    make(game, state, "place 2 at -1 -1")
    found = spots(game, state, "mouse 2 to")
    assert found
    assert not found & {(2, 2), (3, 3), (3, 1), (1, 3)}


FISHED = "KPVB/BVPK KPVB/BVPK YYYY/BBBB VVVV/PPPP KKKK/PPPP YYBB/BBYY PPPP/KKKK KBKB/BKBK YVYV/VYVY"


def test_catbox_7_3_a_dried_fish_takes_a_card_of_any_hand_which_is_drawn_up_at_the_turns_end() -> None:
    game, state = advanced(FISHED)
    assert {words for words in legal(game, state) if words.startswith("fish")} == {
        f"fish {card}" for card in range(6)
    }
    make(game, state, "fish 2")
    assert state.hands == [[0, 1], [3], [4, 5]], "not before the turn ends"
    make(game, state, "place 0 at 1 1")
    assert state.hands == [[1, 7], [3, 8], [4, 5]]
    assert game.observe(state, 1).fish == [2, None, None]


def test_catbox_7_3_an_own_card_can_be_taken_too() -> None:
    game, state = advanced(FISHED)
    make(game, state, "place 0 at 1 1", "fish 1")
    assert state.fish == [1, None, None]
    assert state.hands[0] == [7, 8]


def test_catbox_7_3_only_its_new_owner_plays_it_secret_side_up() -> None:
    game, state = advanced(FISHED)
    make(game, state, "fish 2", "place 0 at 1 1")
    for _ in (1, 2):
        assert not any(words.startswith(("place 2 ", "stack 2 ")) for words in legal(game, state))
        make(game, state, legal(game, state)[0], "end")
    make(game, state, legal(game, state)[0].replace("place 1", "place 2"), "end")
    placed = game.observe(state, 1).table[-1]
    assert (placed.card, placed.side) == (2, "secret")
    assert state.fish == [None] * 3


def test_catbox_7_3_its_new_owner_knows_both_sides_and_others_what_they_knew() -> None:
    game, state = advanced(FISHED)
    make(game, state, "fish 2")
    whole = KnownCard(["yellow"] * 4, ["blue"] * 4)
    half = KnownCard(["yellow"] * 4, None)
    assert [game.observe(state, seat).cards[2] for seat in range(3)] == [whole, whole, half]


def test_catbox_7_3_it_counts_as_no_card_of_a_hand_and_is_not_taken_again() -> None:
    game, state = advanced(FISHED)
    make(game, state, "fish 2", "place 0 at 1 1")
    assert len(state.hands[0]) == 2
    assert "fish 2" not in legal(game, state)


def test_catbox_7_4_stacking_covers_one_to_four_quadrants_of_any_side() -> None:
    game, state = advanced(" ".join([PLAIN] * 6 + [BOXED] + [PLAIN] * 2))
    around = {(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)}
    assert spots(game, state, "stack 0 at") == around
    make(game, state, "stack 0 at 0 0")
    assert len(state.area.lying) == 2
    assert "stacking" not in game.observe(state, 0).tokens[0]
    assert "(0, 0)" not in str(spots(game, state, "stack 2 at")), "four cats"


def test_catbox_7_4_stacking_over_three_cats_is_allowed_and_over_four_is_not() -> None:
    game, state = advanced(ALL)
    assert (0, 0) not in spots(game, state, "stack 0 at")
    lay(state, 50, "KPVB", 1, 1)
    found = spots(game, state, "stack 0 at")
    assert (1, 0) in found, "three cats"
    assert (0, 0) not in found, "four cats of two cards"
    lay(state, 51, "K.VB", 0, 0)
    assert (0, 0) in spots(game, state, "stack 0 at"), "three cats and a box"


def test_catbox_7_4_every_placement_is_offered_with_stacking_too() -> None:
    game, state = advanced(" ".join([BOXED] * 9))
    for card in range(6):
        assert spots(game, state, f"place {card} at") <= spots(game, state, f"stack {card} at")


def test_catbox_7_5_a_toy_mouse_moves_an_uncovered_card_the_one_just_placed_too() -> None:
    game, state = advanced(FISHED)
    make(game, state, "place 0 at 1 1")
    assert {words.split()[1] for words in legal(game, state) if words.startswith("mouse")} == {"0"}
    assert spots(game, state, "mouse 0 to") == {(-1, -1), (1, -1), (-1, 1)}, "not the spot where it lies"
    make(game, state, "mouse 0 to 1 -1")
    placed = game.observe(state, 1).table[-1]
    assert (placed.card, placed.x, placed.y, placed.side) == (0, 1, -1, "secret")
    assert game.to_move(state) == (1,)


def test_catbox_7_5_what_it_uncovers_is_seen_again() -> None:
    game, state = advanced(FISHED)
    make(game, state, "place 0 at 1 1")
    before = game.observe(state, 0).table[0]
    assert before.covered == [False, False, False, True]
    make(game, state, "mouse 0 to -1 -1")
    assert game.observe(state, 0).table[0].covered == [True, False, False, False]
    assert state.area.occupied.bit_count() == 7
    assert [layer.bit_count() for layer in state.area.layers] == [1, 4, 1, 1, 0, 0]


def test_catbox_7_5_it_lies_on_top_where_it_comes_to() -> None:
    game, state = advanced(FISHED)
    make(game, state, "place 0 at 1 1", "end", "place 1 at -1 -1", "mouse 0 to -2 -2")
    table = game.observe(state, 0).table
    assert [placed.card for placed in table] == [6, 1, 0]
    assert table[1].covered == [True, False, False, False]


def test_catbox_7_5_its_spot_is_judged_without_it() -> None:
    game, state = advanced(" ".join([BOXED] * 9))
    make(game, state, "place 0 at 1 1")
    found = spots(game, state, "mouse 0 to")
    assert (1, 0) in found, "with itself there it would cover more than two"
    assert (2, 2) not in found, "only itself lies there"


def test_catbox_7_5_what_it_leaves_may_fall_apart() -> None:
    game, state = advanced(tokens="toy_mouse")
    lay(state, 50, "KPVB", 2, 2)
    lay(state, 51, "KPVB", 1, 1)
    lay(state, 52, "KPVB", 3, 3)
    make(game, state, "place 0 at -1 -1", "mouse 51 to 4 4")
    assert sorted(group_sizes(state.area.occupied)) == [7, 10], "two parts"
    make(game, state, "place 2 at 3 1", "end")
    assert game.to_move(state) == (2,)


def test_catbox_7_5_a_covered_card_cannot_be_moved() -> None:
    game, state = advanced(tokens="toy_mouse")
    make(game, state, "place 0 at 1 1", "end", "place 2 at 2 2")
    assert {words.split()[1] for words in legal(game, state) if words.startswith("mouse")} == {"2"}


@pytest.mark.parametrize("token", ["cat_paw", "cat_box", "dried_fish", "toy_mouse"])
def test_a_token_can_be_kept(token: str) -> None:
    game, state = advanced(tokens=token)
    make(game, state, "place 0 at 1 1", "end")
    assert game.observe(state, 0).tokens[0] == [token]
