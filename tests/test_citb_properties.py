"""What holds in every game: moves, cells, scores, copies."""

from random import Random

import pytest
from citb_positions import careful_move
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.cat_in_the_box import CatInTheBox
from arena.games.cat_in_the_box.state import State

GAMES = st.builds(
    lambda seats, purple: CatInTheBox(seats, {"board": "purple" if purple and seats > 2 else "white"}),
    st.integers(2, 5),
    st.booleans(),
)
FREE_CELLS_AT_THE_END = {2: 1, 3: 0, 4: 0, 5: 1}


def play(game: CatInTheBox, state: State, rng: Random, moves: int = 10**6, careful: bool = False) -> int:
    """Make up to `moves` moves, and return how many were made."""
    made = 0
    while made < moves and game.to_move(state):
        seat = rng.choice(game.to_move(state))
        move = careful_move(game, state, seat, rng) if careful else rng.choice(game.legal_moves(state, seat))
        game.apply(state, seat, move)
        made += 1
    return made


@settings(deadline=None, derandomize=True, max_examples=40)
@given(game=GAMES, seed=st.integers(0, 2**32), moves=st.integers(0, 150))
def test_every_legal_move_is_accepted_and_keeps_the_cards_together(
    game: CatInTheBox, seed: int, moves: int
) -> None:
    state = game.start(game.deal(Random(seed)))
    play(game, state, Random(seed), moves)
    for seat in game.to_move(state):
        for move in game.legal_moves(state, seat):
            after = game.copy(state)
            game.apply(after, seat, move)
            same_round = after.round == state.round and game.to_move(after)
            cards = sum(len(hand) for hand in after.hands) + sum(d is not None for d in after.discards)
            played = (game.board.cells & ~after.empty).bit_count() - len(after.revealed)
            assert cards + played == game.seats * game.table.dealt or not same_round


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_cells_add_up_after_a_round_without_a_paradox(seats: int) -> None:
    game = CatInTheBox(seats, {})
    rounds_without_paradox = 0
    for seed in range(15):
        rng = Random(seed)
        state = game.start(game.deal(rng))
        while game.to_move(state):
            before = game.copy(state)
            play(game, state, rng, 1, careful=True)
            if len(state.rounds) > len(before.rounds) and state.rounds[-1].paradox is None:
                rounds_without_paradox += 1
                assert before.empty.bit_count() - 1 == FREE_CELLS_AT_THE_END[seats]
                assert sum(state.rounds[-1].tricks) == game.table.tricks
    assert rounds_without_paradox >= 5


@settings(deadline=None, derandomize=True, max_examples=40)
@given(game=GAMES, seed=st.integers(0, 2**32), careful=st.booleans())
def test_scores_come_again_from_the_deal_and_the_moves(game: CatInTheBox, seed: int, careful: bool) -> None:
    deal = game.deal(Random(seed))
    state = game.start(deal)
    rng = Random(seed)
    record = []
    while game.to_move(state):
        seat = game.to_move(state)[0]
        move = careful_move(game, state, seat, rng) if careful else rng.choice(game.legal_moves(state, seat))
        record.append((seat, game.encode_move(move)))
        game.apply(state, seat, move)
    again = game.start(deal)
    for seat, recorded in record:
        assert seat in game.to_move(again)
        game.apply(again, seat, game.decode_move(recorded))
    assert game.details(again) == game.details(state)
    assert (game.scores(again), game.ranks(again)) == (game.scores(state), game.ranks(state))


@settings(deadline=None, derandomize=True, max_examples=40)
@given(game=GAMES, seed=st.integers(0, 2**32), moves=st.integers(0, 150))
def test_a_copy_is_independent_in_both_directions(game: CatInTheBox, seed: int, moves: int) -> None:
    state = game.start(game.deal(Random(seed)))
    play(game, state, Random(seed), moves)
    copy = game.copy(state)
    before = [game.observe(state, seat) for seat in range(game.seats)]
    play(game, copy, Random(seed + 1))
    assert [game.observe(state, seat) for seat in range(game.seats)] == before
    copy = game.copy(state)
    play(game, state, Random(seed + 2))
    assert [game.observe(copy, seat) for seat in range(game.seats)] == before


@settings(deadline=None, derandomize=True, max_examples=40)
@given(game=GAMES, seed=st.integers(0, 2**32), moves=st.integers(0, 100))
def test_discards_in_any_order_lead_to_the_same_state(game: CatInTheBox, seed: int, moves: int) -> None:
    rng = Random(seed)
    deal = game.deal(rng)
    ahead, behind = game.start(deal), game.start(deal)
    discards = [rng.choice(game.legal_moves(ahead, seat)) for seat in range(game.seats)]
    for seat in range(game.seats):
        game.apply(ahead, seat, discards[seat])
    for seat in reversed(range(game.seats)):
        game.apply(behind, seat, discards[seat])
    for seat in range(game.seats):
        assert game.observe(ahead, seat) == game.observe(behind, seat)
    assert game.to_move(ahead) == game.to_move(behind)
