"""Every rule of CATBOX 1, 3, 5 and 6."""

from random import Random

import pytest
from catbox_positions import BOXED, PLAIN, kinds, lay, legal, make, spots, start

from arena.games.cat_box import CatBox
from arena.games.cat_box.face import STEPS, cell_at
from arena.games.cat_box.state import State

CORNERS = {(-1, -1), (1, -1), (-1, 1), (1, 1)}
EDGES = {(0, -1), (-1, 0), (1, 0), (0, 1)}


def begun(seats: int, rules: str = "basic", seed: int = 1) -> tuple[CatBox, State]:
    game = CatBox(seats, {"rules": rules})
    return game, game.start(game.deal(Random(seed)))


def basic(cards: str, seats: int = 2, first: int = 0) -> tuple[CatBox, State]:
    game = CatBox(seats, {})
    return game, start(game, cards, first=first)


def advanced(cards: str, tokens: str | None = None, seats: int = 2) -> tuple[CatBox, State]:
    game = CatBox(seats, {"rules": "advanced"})
    return game, start(game, cards, tokens=tokens)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_catbox_1_1_two_to_five_seats_play_and_the_basic_game_is_the_default(seats: int) -> None:
    assert CatBox(seats, {}).options == {"rules": "basic", "deck": "standard"}
    assert CatBox(seats, {"rules": "advanced"}).options["rules"] == "advanced"


@pytest.mark.parametrize(
    ("seats", "hand", "removed", "chihuahua"), [(2, 2, 1, 0), (3, 2, 2, 0), (4, 1, 3, 1), (5, 1, 2, 1)]
)
def test_catbox_1_2_the_number_of_players_sets_cards_and_identities(
    seats: int, hand: int, removed: int, chihuahua: int
) -> None:
    game, state = begun(seats)
    assert [len(held) for held in state.hands] == [hand] * seats
    assert len(state.cards) == 48 - removed
    dealt = {identity for seed in range(60) for identity in game.deal(Random(seed)).identities}
    assert len(dealt) == 5 + chihuahua
    assert ("chihuahua" in dealt) == bool(chihuahua)


def test_catbox_1_3_a_card_covers_four_cells_right_and_down_and_is_never_turned() -> None:
    game, state = basic("KPVB/BVPK " * 4 + "YYYY/YYYY")
    make(game, state, "place 0 at 1 1")
    lines = [[shown_at(state, x, y) for x in range(3)] for y in range(3)]
    assert lines == [["yellow", "yellow", None], ["yellow", "blue", "purple"], [None, "pink", "black"]]


def shown_at(state: State, x: int, y: int) -> object:
    """What is seen at a cell, None where nothing lies."""
    card = state.area.top.get(cell_at(x, y))
    if card is None:
        return None
    step = cell_at(x, y) - state.area.at[card]
    return state.area.faces[card].quadrants[STEPS.index(step)]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_catbox_3_1_every_seat_has_an_identity_of_its_own(seats: int) -> None:
    for seed in range(20):
        _, state = begun(seats, seed=seed)
        assert len(set(state.identities)) == seats


def test_catbox_3_2_either_side_may_lie_on_top_and_no_removed_card_comes_back() -> None:
    game = CatBox(4, {})
    tops = set()
    for seed in range(40):
        deal = game.deal(Random(seed))
        assert deal.removed == [45, 46, 47]
        assert [card.card for card in deal.pile] == list(range(45))
        tops |= {tuple(card.public) for card in deal.pile}
    assert tops == {side for card in game.deck for side in card}


def test_catbox_3_3_hands_are_drawn_seat_by_seat_from_the_start_seat() -> None:
    game = CatBox(3, {})
    state = start(game, " ".join([PLAIN] * 8), first=1)
    assert state.hands == [[4, 5], [0, 1], [2, 3]]


def test_catbox_3_4_the_next_card_lies_public_side_up_and_the_lot_names_the_start_seat() -> None:
    game, state = basic("KPVB/BVPK " * 4 + "YYPP/KKKK")
    (placed,) = game.observe(state, 0).table
    assert (placed.card, placed.x, placed.y, placed.side) == (4, 0, 0, "public")
    firsts = {game.deal(Random(seed)).first_player for seed in range(20)}
    assert firsts == {0, 1}


def test_catbox_5_1_seats_take_turns_in_order_and_place_one_card() -> None:
    game, state = begun(3)
    movers = []
    for _ in range(6):
        movers.append(state.active)
        before = len(state.area.at)
        game.apply(state, state.active, game.legal_moves(state, state.active)[0])
        assert len(state.area.at) == before + 1
    assert movers == [(state.start_seat + turn) % 3 for turn in range(6)]


def test_catbox_5_2_an_own_card_shows_its_secret_side_and_another_seats_its_public_side() -> None:
    game, state = basic("KKKK/PPPP KKKK/PPPP VVVV/BBBB VVVV/BBBB YYYY/YYYY")
    assert {words.split()[1] for words in legal(game, state)} == {"0", "1", "2", "3"}
    make(game, state, "place 0 at 1 1", "place 1 at -1 -1")
    assert [shown_at(state, 2, 2), shown_at(state, -1, -1)] == ["pink", "black"]


def test_catbox_5_3_four_cats_cover_exactly_one_quadrant() -> None:
    game, state = basic(" ".join([PLAIN] * 5))
    assert spots(game, state, "place 0 at") == CORNERS
    make(game, state, "place 0 at 1 1")
    around_both = {(-1, -1), (1, -1), (-1, 1), (2, 0), (0, 2), (2, 2)}
    assert spots(game, state, "place 1 at") == around_both, "at (1, 0) and (0, 1) it would cover more"


def test_catbox_5_4_an_empty_box_lets_a_card_cover_one_or_two_quadrants_of_one_or_two_cards() -> None:
    game, state = basic(" ".join([BOXED] * 4 + [PLAIN]))
    assert spots(game, state, "place 0 at") == CORNERS | EDGES
    lay(state, 50, "KPVB", 3, 0)
    two_of_two_cards, one_of_two_cards, touching = (2, 0), (2, -1), (-2, 0)
    found = spots(game, state, "place 0 at")
    assert one_of_two_cards in found
    assert two_of_two_cards in found
    assert touching not in found
    assert (0, 0) not in found, "it would cover four"


def test_catbox_5_4_the_side_that_is_played_decides() -> None:
    game, state = basic("KPV./KPVB KPVB/KPV. KPV./KPVB KPVB/KPV. KPVB/KPVB")
    assert spots(game, state, "place 0 at") == spots(game, state, "place 3 at") == CORNERS
    assert spots(game, state, "place 1 at") == spots(game, state, "place 2 at") == CORNERS | EDGES


def test_catbox_5_5_hands_are_drawn_up_in_turn_order_from_the_active_seat_while_the_pile_lasts() -> None:
    game, state = advanced(" ".join([PLAIN] * 9), "cat_paw", seats=3)
    make(game, state, "place 5 at 1 1", "paw")
    assert state.hands == [[0, 1], [2, 3], [4]], "not before the turn ends"
    make(game, state, "place 0 at -1 -1")
    assert state.hands == [[1, 7], [2, 3], [4, 8]], "the active seat draws first"
    make(game, state, "place 1 at 1 -1", "end")
    assert state.hands == [[7], [2, 3], [4, 8]], "the pile is empty"


def test_catbox_5_6_seats_without_a_placement_are_passed_over() -> None:
    game, state = advanced(" ".join([PLAIN] * 9), "cat_box stacking", seats=3)
    make(game, state, "place 0 at -1 -1", "shield 0 0")
    assert game.to_move(state) == (0,), "all quadrants lie round the token"
    assert state.shields == [None, None, None]
    assert [made.seat for made in state.history] == [0, 0]


def test_catbox_5_6_a_stacking_token_counts_as_a_placement() -> None:
    for tokens, mover in (("", 2), ("stacking", 1)):
        game, state = advanced(" ".join([PLAIN] * 9), tokens, seats=3)
        # A block of 6 by 3 whose corners are all shielded; only its middle is open, and covering it takes four.
        for number, (x, y) in enumerate((x, y) for y in (0, 1) for x in (0, 2, 4)):
            lay(state, 50 + number, "KPV.", x, y)
        state.shields = [cell_at(0, 1), None, cell_at(5, 1)]
        state.decision = "token"
        make(game, state, "end")
        assert game.to_move(state) == (mover,)
        if tokens:
            assert {words.split()[0] for words in legal(game, state)} == {"stack"}


def test_catbox_5_7_the_game_ends_when_all_cards_are_placed() -> None:
    game, state = basic(" ".join([PLAIN] * 5))
    make(game, state, "place 0 at 1 1", "place 1 at -1 -1", "place 2 at 1 -1", "place 3 at -1 1")
    assert not game.to_move(state)
    assert game.observe(state, 0).decision == "over"


def test_catbox_5_7_the_game_ends_when_every_seat_in_a_row_is_passed_over() -> None:
    game, state = advanced(" ".join([PLAIN] * 7), "dried_fish", seats=3)
    make(game, state, "fish 5", "place 0 at 1 1", "place 1 at -1 -1", "end")
    make(game, state, "place 2 at 1 -1", "end", "place 3 at -1 1", "place 4 at 2 2")
    assert game.to_move(state) == (0,), "the others have no card to place"
    make(game, state, "place 5 at -2 -2")
    assert not game.to_move(state)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("rules", ["basic", "advanced"])
def test_catbox_5_7_no_card_is_left_at_the_end(seats: int, rules: str) -> None:
    for seed in range(3):
        game, state = begun(seats, rules, seed)
        rng = Random(seed)
        while game.to_move(state):
            game.apply(state, state.active, rng.choice(game.legal_moves(state, state.active)))
        assert len(state.area.at) == len(state.cards)
        assert not any(state.hands)


def test_catbox_6_1_the_advanced_game_has_all_cards_and_five_tokens_a_seat() -> None:
    game, state = begun(3, "advanced")
    assert len(state.cards) == 48
    names = ["cat_paw", "cat_box", "dried_fish", "stacking", "toy_mouse"]
    assert game.observe(state, 0).tokens == [names] * 3
    basic_game, basic_state = begun(3)
    assert basic_game.observe(basic_state, 0).tokens == [[]] * 3


def test_catbox_6_1_a_seat_uses_at_most_one_token_a_turn_and_each_once() -> None:
    for seed in range(3):
        game, state = begun(4, "advanced", seed)
        rng = Random(seed)
        while game.to_move(state):
            seat = state.active
            unused = state.tokens.copy()
            while game.to_move(state) == (seat,) and (state.decision != "turn" or unused == state.tokens):
                game.apply(state, seat, rng.choice(game.legal_moves(state, seat)[::-1][:40]))
            gone = [before & ~after for before, after in zip(unused, state.tokens, strict=True)]
            assert gone[seat].bit_count() <= 1
            assert not any(mask for other, mask in enumerate(gone) if other != seat)


def test_catbox_6_2_a_turn_begins_with_a_card_a_cat_box_or_a_dried_fish() -> None:
    game, state = advanced(" ".join([PLAIN] * 9), seats=3)
    assert kinds(game, state) == {"place", "stack", "shield", "fish"}
    state.tokens[0] = 0
    assert kinds(game, state) == {"place"}


@pytest.mark.parametrize("token", ["shield 0 0", "fish 2"])
def test_catbox_6_3_a_token_that_came_first_is_followed_by_a_placement(token: str) -> None:
    game, state = advanced(" ".join([PLAIN] * 9), seats=3)
    make(game, state, token)
    assert kinds(game, state) == {"place"}
    make(game, state, legal(game, state)[0])
    assert game.to_move(state) == (1,), "the token of this turn is used"


def test_catbox_6_3_the_turn_ends_if_the_token_leaves_no_placement() -> None:
    game, state = advanced(" ".join([PLAIN] * 9), "cat_box stacking", seats=3)
    for number, (x, y) in enumerate((x, y) for y in (0, 1) for x in (0, 2, 4)):
        lay(state, 50 + number, "KPV.", x, y)
    state.shields = [None, cell_at(0, 1), cell_at(5, 1)]
    assert kinds(game, state) == {"stack", "shield"}
    make(game, state, "shield 2 1")
    assert game.to_move(state) == (1,)
    assert len(state.history) == 1


def test_catbox_6_4_after_a_card_comes_a_token_or_the_end_of_the_turn() -> None:
    game, state = advanced(" ".join([PLAIN] * 9), seats=3)
    make(game, state, "place 0 at 1 1")
    assert kinds(game, state) == {"shield", "fish", "paw", "mouse", "end"}
    make(game, state, "end")
    assert game.to_move(state) == (1,)
    make(game, state, "stack 2 at 2 2")
    assert game.to_move(state) == (2,), "stacking was this turn's token"


@pytest.mark.parametrize("tokens", ["", "stacking"])
def test_catbox_6_4_the_turn_ends_by_itself_where_no_token_can_be_used(tokens: str) -> None:
    game, state = advanced(" ".join([PLAIN] * 9), tokens, seats=3)
    make(game, state, "place 0 at 1 1")
    assert game.to_move(state) == (1,)
