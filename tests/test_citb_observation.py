"""Every rule of CITB 9: what a seat sees, and that nothing else reaches it."""

from collections import Counter
from random import Random

import msgspec
import pytest
from citb_positions import careful_move, legal, make
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.cat_in_the_box import CatInTheBox
from arena.games.cat_in_the_box.deal import Deal, RoundDeal
from arena.games.cat_in_the_box.state import State
from protocol.cat_in_the_box import Observation
from protocol.messages import Turn

PLACES = st.tuples(st.integers(2, 5), st.integers(0, 2**32), st.integers(0, 160), st.booleans())


def reach(place: tuple[int, int, int, bool]) -> tuple[CatInTheBox, State]:
    """A random position of a random game."""
    seats, seed, moves, careful = place
    game = CatInTheBox(seats, {"board": "purple" if seats > 2 and seed % 2 else "white"})
    rng = Random(seed)
    state = game.start(game.deal(rng))
    for _ in range(moves):
        if not game.to_move(state):
            break
        seat = rng.choice(game.to_move(state))
        move = careful_move(game, state, seat, rng) if careful else rng.choice(game.legal_moves(state, seat))
        game.apply(state, seat, move)
    return game, state


def wire(game: CatInTheBox, state: State, seat: int) -> tuple[bytes, bytes]:
    """The seat's turn in both encodings."""
    legal = [game.encode_move(move) for move in game.legal_moves(state, seat)]
    turn = Turn(1, 2, seat, 1000, game.observe(state, seat), legal)
    return msgspec.msgpack.encode(turn), msgspec.json.encode(turn)


def hidden_cards(game: CatInTheBox, state: State, seat: int) -> Counter[int]:
    """Everything the seat cannot see this round, as the state knows it."""
    hidden = Counter(card for other, hand in enumerate(state.hands) if other != seat for card in hand)
    hidden.update(d for other, d in enumerate(state.discards) if other != seat and d is not None)
    return hidden


def test_citb_9_1_a_seat_sees_the_whole_public_table_and_its_own_cards() -> None:
    game = CatInTheBox(3, {})
    hands = [[1, 1, 1, 2, 2, 3, 4, 5, 6, 6], [1, 1, 2, 2, 3, 3, 4, 5, 5, 6], [2, 3, 3, 4, 4, 4, 5, 5, 6, 6]]
    state = game.start(Deal(1, [RoundDeal(hands)] * 3))
    make(game, state, "discard 1", "discard 2", "discard 3", "bid 3", "bid 1", "bid 4")
    make(game, state, "6 blue", "5 blue", "4 green", "2 yellow")
    seen = msgspec.to_builtins(game.observe(state, 2))
    blank = [-1] * 6
    assert seen == {
        "type": "cat_in_the_box",
        "phase": "play",
        "seat": 2,
        "seats": 3,
        "round": 0,
        "start_seat": 1,
        "hand": [2, 3, 4, 4, 4, 5, 6, 6],
        "discard": 3,
        "layout": [[1, 2, 3, 4, 5, 6]] * 4,
        "board": [blank, [-1, -1, -1, -1, 2, 1], [-1, 1, -1, -1, -1, -1], [-1, -1, -1, 0, -1, -1]],
        "open_colors": [["red", "yellow", "green"]] + [["red", "blue", "yellow", "green"]] * 2,
        "bids": [4, 3, 1],
        "tricks_won": [0, 1, 0],
        "trick": [{"seat": 1, "card": 2, "color": "yellow"}],
        "tricks": [
            {
                "plays": [
                    {"seat": 1, "card": 6, "color": "blue"},
                    {"seat": 2, "card": 5, "color": "blue"},
                    {"seat": 0, "card": 4, "color": "green"},
                ],
                "winner": 1,
            }
        ],
        "revealed": [],
        "rounds": [],
    }


def test_citb_9_1_earlier_rounds_are_seen_with_their_scores() -> None:
    game, state = reach((4, 4, 70, False))
    assert state.round > 0
    assert game.observe(state, 3).rounds == state.rounds


@settings(deadline=None, derandomize=True, max_examples=80)
@given(place=PLACES, draw=st.integers(0, 2**32))
def test_citb_9_2_other_hidden_cards_change_nothing_that_a_seat_is_sent(
    place: tuple[int, int, int, bool], draw: int
) -> None:
    game, state = reach(place)
    for seat in range(game.seats):
        other = game.determinize(game.observe(state, seat), Random(draw))
        assert game.observe(other, seat) == game.observe(state, seat)
        if seat in game.to_move(state):
            assert seat in game.to_move(other)
            assert wire(game, other, seat) == wire(game, state, seat)


@settings(deadline=None, derandomize=True, max_examples=40)
@given(place=PLACES, shuffled=st.integers(0, 2**32))
def test_citb_9_2_cards_dealt_to_others_never_reach_the_wire(
    place: tuple[int, int, int, bool], shuffled: int
) -> None:
    game, state = reach(place)
    rng = Random(shuffled)
    for seat in game.to_move(state):
        before = wire(game, state, seat)
        other = game.copy(state)
        cards = list(hidden_cards(game, state, seat).elements())
        rng.shuffle(cards)
        for unseen in range(game.seats):
            if unseen != seat:
                other.hands[unseen] = [cards.pop() for _ in other.hands[unseen]]
                other.discards[unseen] = None if other.discards[unseen] is None else cards.pop()
        other.deal_of_round = game.deal(rng).rounds.__getitem__
        assert wire(game, other, seat) == before


def test_citb_9_2_nobody_sees_who_has_discarded_already() -> None:
    game, state = reach((4, 1, 0, False))
    before = wire(game, state, 3)
    game.apply(state, 0, game.legal_moves(state, 0)[0])
    assert wire(game, state, 3) == before


@settings(deadline=None, derandomize=True, max_examples=40)
@given(place=PLACES, draw=st.integers(0, 2**32))
def test_a_drawn_state_is_a_whole_game_that_can_be_played_on(
    place: tuple[int, int, int, bool], draw: int
) -> None:
    game, state = reach(place)
    rng = Random(draw)
    seat = rng.randrange(game.seats)
    drawn = game.determinize(game.observe(state, seat), rng)
    for watcher in range(game.seats):
        assert msgspec.structs.replace(game.observe(drawn, watcher), hand=[], discard=None) == (
            msgspec.structs.replace(game.observe(state, watcher), hand=[], discard=None)
        )
        if state.phase != "discard":
            assert len(drawn.hands[watcher]) == len(state.hands[watcher])
    while game.to_move(drawn):
        mover = game.to_move(drawn)[0]
        game.apply(drawn, mover, rng.choice(game.legal_moves(drawn, mover)))
    assert len(drawn.rounds) == game.seats


@settings(deadline=None, derandomize=True, max_examples=40)
@given(place=PLACES)
def test_an_observation_does_not_change_when_the_game_goes_on(place: tuple[int, int, int, bool]) -> None:
    game, state = reach(place)
    observations = [game.observe(state, seat) for seat in range(game.seats)]
    frozen = msgspec.json.encode(observations)
    rng = Random(0)
    while game.to_move(state):
        seat = game.to_move(state)[0]
        game.apply(state, seat, rng.choice(game.legal_moves(state, seat)))
    assert msgspec.json.encode(observations) == frozen


@settings(deadline=None, derandomize=True, max_examples=40)
@given(place=PLACES)
def test_an_observation_survives_both_encodings(place: tuple[int, int, int, bool]) -> None:
    game, state = reach(place)
    for seat in range(game.seats):
        seen = game.observe(state, seat)
        assert msgspec.json.decode(msgspec.json.encode(seen), type=Observation) == seen
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(seen), type=Observation) == seen


def test_drawn_hands_are_uniform_over_the_unseen_cards() -> None:
    game = CatInTheBox(3, {})
    state = game.start(game.deal(Random(11)))
    make(game, state, *[f"discard {hand[0]}" for hand in [hand.copy() for hand in state.hands]])
    seen = game.observe(state, 0)
    unseen = hidden_cards(game, state, 0)
    rng = Random(12)
    draws = 2000
    found: Counter[int] = Counter()
    for _ in range(draws):
        found.update(game.determinize(seen, rng).hands[1])
    for card, copies in unseen.items():
        expected = draws * 9 * copies / unseen.total()
        assert abs(found[card] - expected) < 5 * expected**0.5


@pytest.mark.parametrize("watcher", [1, 2])
def test_a_forced_red_lead_tells_what_the_leader_did_not_hold(watcher: int) -> None:
    game = CatInTheBox(3, {})
    hands = [[1, 3, 4, 4, 4, 4, 5, 5, 5, 5], [1, 1, 2, 2, 3, 3, 4, 6, 6, 6], [1, 1, 2, 2, 2, 3, 3, 5, 6, 6]]
    state = game.start(Deal(1, [RoundDeal(hands)] * 3))
    make(game, state, "discard 1", "discard 6", "discard 6", "bid 1", "bid 1", "bid 1")
    make(game, state, "1 blue", "2 blue", "4 green")
    make(game, state, "1 yellow", "5 green", "2 yellow")
    make(game, state, "1 green", "2 green", "3 green")
    assert legal(game, state, 0) == ["4 red", "5 red"], "of the green cells only 6 is free"
    make(game, state, "4 red")
    seen = game.observe(state, watcher)
    rng = Random(3)
    drawn = [game.determinize(seen, rng) for _ in range(100)]
    assert not any(6 in other.hands[0] for other in drawn)
    assert any(6 in other.hands[3 - watcher] for other in drawn)
