"""What a person at the terminal is shown."""

import io
from random import Random

import pytest
from citb_positions import make
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from arena.games.cat_in_the_box import CatInTheBox
from arena.games.cat_in_the_box.deal import Deal, RoundDeal
from arena.games.cat_in_the_box.state import State

WIDTH = 80


def render(game: CatInTheBox, state: State, seats: list[int]) -> str:
    console = Console(file=io.StringIO(), width=WIDTH, color_system=None)
    console.print(game.draw([game.observe(state, seat) for seat in seats]))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def reach(seats: int, seed: int, moves: int) -> tuple[CatInTheBox, State]:
    game = CatInTheBox(seats, {"board": "purple" if seats > 2 else "white"})
    rng = Random(seed)
    state = game.start(game.deal(rng))
    for _ in range(moves):
        if game.to_move(state):
            seat = game.to_move(state)[0]
            game.apply(state, seat, rng.choice(game.legal_moves(state, seat)))
    return game, state


@settings(deadline=None, derandomize=True, max_examples=25)
@given(seats=st.integers(2, 5), seed=st.integers(0, 2**32), moves=st.integers(0, 150), seat=st.integers(0, 4))
def test_a_drawing_shows_one_seat_nothing_of_what_others_hold(
    seats: int, seed: int, moves: int, seat: int
) -> None:
    game, state = reach(seats, seed, moves)
    own = seat % seats
    other = game.determinize(game.observe(state, own), Random(seed))
    assert render(game, other, [own]) == render(game, state, [own])


@settings(deadline=None, derandomize=True, max_examples=25)
@given(seats=st.integers(2, 5), seed=st.integers(0, 2**32), moves=st.integers(0, 150))
def test_a_drawing_fits_a_terminal_of_80_columns(seats: int, seed: int, moves: int) -> None:
    game, state = reach(seats, seed, moves)
    text = render(game, state, list(range(seats)))
    assert "…" not in text
    assert all(len(line) <= WIDTH for line in text.splitlines())


def drawn_table() -> tuple[CatInTheBox, State]:
    game = CatInTheBox(3, {})
    hands = [[1, 1, 1, 2, 2, 3, 4, 5, 6, 6], [1, 1, 2, 2, 3, 3, 4, 5, 5, 6], [2, 3, 3, 4, 4, 4, 5, 5, 6, 6]]
    state = game.start(Deal(1, [RoundDeal(hands)] * 3))
    make(game, state, "discard 1", "discard 2", "discard 3", "bid 3", "bid 1", "bid 4")
    make(game, state, "6 blue", "5 blue", "4 green", "2 yellow")
    return game, state


@pytest.mark.parametrize(
    "words",
    [
        "Round 1 of 3, seat 1 starts, play",
        " red    │ 1  │ 2  │ 3  │ 4  │ 5  │ 6  ",
        " blue   │ 1  │ 2  │ 3  │ 4  │ 5C │ 6B ",
        "red -    yellow green",
        "Trick 1:  B  6 blue,  C  5 blue,  A  4 green, won by  B",
        "Trick 2 of 8, yellow led:  B  2 yellow",
        "Hand of  C : 2 3 4 4 4 5 6 6, discard 3",
        "to move",
    ],
)
def test_a_drawing_says_in_words_and_letters(words: str) -> None:
    game, state = drawn_table()
    assert words in render(game, state, [2])


def test_a_drawing_of_several_seats_has_all_their_hands() -> None:
    game, state = drawn_table()
    text = render(game, state, [0, 1])
    assert "Hand of  A : 1 1 2 2 3 5 6 6, discard 1" in text
    assert "Hand of  B : 1 1 3 3 4 5 5, discard 2" in text
    assert "Hand of  C" not in text


def test_blocked_cells_and_revealed_cards_are_marked() -> None:
    game = CatInTheBox(2, {})
    state = game.start(game.deal(Random(1)))
    text = render(game, state, [0])
    assert "revealed " + " ".join(map(str, state.revealed)) in text
    assert text.count("#") == 3


def test_earlier_rounds_show_points_bids_and_the_paradox() -> None:
    game, state = reach(4, 3, 100)
    first = state.rounds[0]
    assert first.paradox is not None
    text = render(game, state, [0])
    assert f"{first.scores[first.paradox]} (paradox)" in text
    other = (first.paradox + 1) % 4
    assert f"{first.scores[other]} ({first.tricks[other]}/{first.bids[other]}" in text


def test_the_end_of_the_game_can_be_drawn() -> None:
    game, state = reach(3, 4, 10**6)
    text = render(game, state, [0, 1, 2])
    assert "game over" in text
    assert "to move" not in text


def test_describe_says_what_a_person_would_type() -> None:
    game = CatInTheBox(3, {})
    assert [game.describe(move) for move in (0, 13, 35, 36, 44, 46, 49)] == [
        "1 red",
        "5 blue",
        "9 green",
        "discard 1",
        "discard 9",
        "bid 1",
        "bid 4",
    ]
