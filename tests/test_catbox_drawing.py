"""What a person sees and types at the terminal."""

from io import StringIO
from random import Random

import pytest
from catbox_positions import PLAIN, legal, make, start
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from arena.cli.person import choose
from arena.games.cat_box import CatBox
from arena.games.cat_box.state import State

WIDTH = 80


def render(game: CatBox, state: State, seats: list[int], color: bool = False) -> str:
    out = StringIO()
    console = Console(
        file=out, width=WIDTH, force_terminal=color, color_system="truecolor" if color else None
    )
    console.print(game.draw([game.observe(state, seat) for seat in seats]))
    return out.getvalue()


def reach(seats: int, seed: int, moves: int) -> tuple[CatBox, State]:
    game = CatBox(seats, {"rules": "advanced"})
    rng = Random(seed)
    state = game.start(game.deal(rng))
    while moves and game.to_move(state):
        game.apply(state, state.active, rng.choice(game.legal_moves(state, state.active)))
        moves -= 1
    return game, state


def drawn_table() -> tuple[CatBox, State]:
    game = CatBox(3, {"rules": "advanced"})
    state = start(game, " ".join(["KPV./.VPK"] * 6 + ["YYYY/BBBB", PLAIN, PLAIN]))
    make(game, state, "place 0 at 1 1", "shield 2 1", "fish 5")
    return game, state


@pytest.mark.parametrize(
    "words",
    [
        "Seat 0 started, 1 cards in the pile, seat 1 to move: a card\n",
        " y\\x-1  0  1  2  3\n",
        "   0    Y  Y\n   1    Y  .  V!\n   2       P  K\n",
        "K  black   P  pink   V  purple   B  blue   Y  yellow   .  empty box",
        " 1     pink      cat_paw cat_box stacking toy_mouse             you, to move",
        " 5     dried fish of seat 1   K  P    .  V",
        " 4     hand of seat 2         K  P   ?",
        " 8     top of the pile        K  P   ?",
        "Uncovered cards: 0 at 1 1",
    ],
)
def test_a_drawing_says_in_words_letters_and_coordinates(words: str) -> None:
    game, state = drawn_table()
    text = "\n".join(line.rstrip() for line in render(game, state, [1]).splitlines())
    assert "\n".join(line.rstrip() for line in words.splitlines()) in text


def test_a_drawing_of_several_seats_has_their_identities_and_secret_sides() -> None:
    game, state = drawn_table()
    text = render(game, state, [0, 1, 2])
    assert all(f" {seat}     {identity}" in text for seat, identity in enumerate(state.identities))
    assert text.count("?") == 1, "but for the top of the pile"
    assert "you" not in text


def test_a_drawing_is_in_color_on_a_terminal() -> None:
    game, state = drawn_table()
    assert "\x1b[" in render(game, state, [0], color=True)
    assert "\x1b[" not in render(game, state, [0])


def test_the_end_of_the_game_can_be_drawn() -> None:
    game, state = reach(4, 1, 10**6)
    text = render(game, state, [0, 1, 2, 3])
    assert "game over" in text
    assert "to move" not in text


@settings(deadline=None, derandomize=True, max_examples=25)
@given(seats=st.integers(2, 5), seed=st.integers(0, 2**32), moves=st.integers(0, 80))
def test_a_drawing_shows_one_seat_nothing_of_what_is_hidden_from_it(
    seats: int, seed: int, moves: int
) -> None:
    game, state = reach(seats, seed, moves)
    own = seed % seats
    other = game.determinize(game.observe(state, own), Random(seed))
    assert render(game, other, [own]) == render(game, state, [own])


@settings(deadline=None, derandomize=True, max_examples=25)
@given(seats=st.integers(2, 5), seed=st.integers(0, 2**32), moves=st.integers(0, 120))
def test_a_drawing_of_a_random_table_fits_a_terminal_of_80_columns(seats: int, seed: int, moves: int) -> None:
    game, state = reach(seats, seed, moves)
    text = render(game, state, list(range(seats)))
    assert "…" not in text
    assert all(len(line) <= WIDTH for line in text.splitlines())


def test_describe_says_what_a_person_would_type() -> None:
    game, state = drawn_table()
    make(game, state, "place 4 at -1 1")
    make(game, state, legal(game, state)[0])
    found = legal(game, state)
    assert {"shield 0 0", "fish 2", "paw", "end"} <= set(found)
    assert {words.split()[0] for words in found} == {"shield", "fish", "paw", "mouse", "end"}
    assert all(words.split()[2] == "to" for words in found if words.startswith("mouse"))


@pytest.mark.parametrize(
    "typed",
    ["place 2 at -1 -1", "place 2 -1 -1", "p 2 -1 -1", "p2 -1-1", "2 at -1 -1 place"],
)
def test_a_person_types_a_card_and_coordinates_in_many_ways(typed: str) -> None:
    game, state = drawn_table()
    make(game, state, "place 1 at -1 1")
    found = legal(game, state)
    assert [found[index] for index in choose(typed, found)] == ["place 2 at -1 -1"]


def test_the_order_of_numbers_tells_x_from_y() -> None:
    game = CatBox(2, {})
    labels = legal(game, start(game, " ".join(["KPV./.VPK"] * 5)))
    assert {"place 1 at 0 1", "place 1 at 1 0", "place 0 at 1 1"} <= set(labels)
    assert [labels[index] for index in choose("place 1 0 1", labels)] == ["place 1 at 0 1"]
    assert [labels[index] for index in choose("place 1 1 0", labels)] == ["place 1 at 1 0"]
