"""The contract that every game keeps, at every number of seats."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games import GAMES, Game, OptionError

ROOT = Path(__file__).parent.parent
OTHER_OPTIONS: dict[str, list[dict[str, object]]] = {"cat_box": [{"rules": "advanced"}]}
"""By game, options besides the defaults that change what is played."""
TABLES = [
    game(seats, options)
    for name, game in GAMES.items()
    for options in [{}, *OTHER_OPTIONS.get(name, [])]
    for seats in game.seat_counts
]
at_every_table = pytest.mark.parametrize(
    "game", TABLES, ids=lambda game: "-".join([game.name, str(game.seats), *map(str, game.options.values())])
)
few_seeds = given(seed=st.integers(0, 2**32))


def positions(game: Game[Any, Any], seed: int) -> Iterator[Any]:
    """Every state of a random game, the final one last."""
    rng = Random(seed)
    state = game.start(game.deal(rng))
    yield state
    while game.to_move(state):
        seat = rng.choice(game.to_move(state))
        game.apply(state, seat, rng.choice(game.legal_moves(state, seat)))
        yield state


def some_positions(game: Game[Any, Any], seed: int) -> Iterator[Any]:
    """Copies of about every tenth state of a random game."""
    rng = Random(seed)
    return (game.copy(state) for state in positions(game, seed) if rng.random() < 0.1)


@at_every_table
@settings(deadline=None, derandomize=True, max_examples=6)
@few_seeds
def test_moves_are_ascending_unique_and_offered_to_ascending_seats(game: Game[Any, Any], seed: int) -> None:
    for state in positions(game, seed):
        movers = list(game.to_move(state))
        assert movers == sorted(set(movers))
        assert set(movers) <= set(range(game.seats))
        for seat in movers:
            moves = list(game.legal_moves(state, seat))
            assert moves
            assert moves == sorted(set(moves))
            assert all(isinstance(move, int) and move >= 0 for move in moves)


@at_every_table
@settings(deadline=None, derandomize=True, max_examples=6)
@few_seeds
def test_moves_on_the_wire_are_the_same_moves(game: Game[Any, Any], seed: int) -> None:
    for state in some_positions(game, seed):
        for seat in game.to_move(state):
            for move in game.legal_moves(state, seat):
                sent = game.encode_move(move)
                assert game.decode_move(sent) == move
                assert msgspec.json.decode(msgspec.json.encode(sent), type=type(sent)) == sent


@at_every_table
@settings(deadline=None, derandomize=True, max_examples=6)
@few_seeds
def test_a_description_names_one_legal_move(game: Game[Any, Any], seed: int) -> None:
    for state in some_positions(game, seed):
        for seat in game.to_move(state):
            moves = game.legal_moves(state, seat)
            assert len({game.describe(move) for move in moves}) == len(moves)


@at_every_table
@settings(deadline=None, derandomize=True, max_examples=6)
@few_seeds
def test_a_move_on_a_copy_leaves_the_original_alone(game: Game[Any, Any], seed: int) -> None:
    for state in some_positions(game, seed):
        before = [game.observe(state, seat) for seat in range(game.seats)]
        for seat in game.to_move(state):
            game.apply(game.copy(state), seat, game.legal_moves(state, seat)[0])
        assert [game.observe(state, seat) for seat in range(game.seats)] == before


@at_every_table
@settings(deadline=None, derandomize=True, max_examples=6)
@few_seeds
def test_a_determinized_state_looks_the_same_to_its_seat(game: Game[Any, Any], seed: int) -> None:
    for state in some_positions(game, seed):
        for seat in range(game.seats):
            seen = game.observe(state, seat)
            other = game.determinize(seen, Random(seed))
            assert game.observe(other, seat) == seen
            if seat in game.to_move(state):
                assert game.legal_moves(other, seat) == game.legal_moves(state, seat)


@at_every_table
@settings(deadline=None, derandomize=True, max_examples=6)
@few_seeds
def test_a_game_ends_with_scores_ranks_and_details_that_are_plain_values(
    game: Game[Any, Any], seed: int
) -> None:
    *_, final = positions(game, seed)
    assert not game.to_move(final)
    scores, ranks = game.scores(final), game.ranks(final)
    assert len(scores) == len(ranks) == game.seats
    assert ranks == [1 + sum(other < rank for other in ranks) for rank in ranks], "standard competition ranks"
    assert all(
        scores[a] >= scores[b] for a in range(game.seats) for b in range(game.seats) if ranks[a] < ranks[b]
    )
    outcome = {"scores": scores, "ranks": ranks, **game.details(final)}
    assert msgspec.json.decode(msgspec.json.encode(outcome)) == outcome


@at_every_table
@settings(deadline=None, derandomize=True, max_examples=6)
@few_seeds
def test_a_deal_survives_json_and_is_accepted(game: Game[Any, Any], seed: int) -> None:
    deal = game.deal(Random(seed))
    again = msgspec.json.decode(msgspec.json.encode(deal), type=game.deal_type)
    assert again == deal == game.deal(Random(seed))
    game.check_deal(again)


def broken(deal: Any) -> Iterator[Any]:
    """Deals with one int changed, or one element of one list missing or twice."""
    if isinstance(deal, dict):
        for key, value in deal.items():
            yield from ({**deal, key: changed} for changed in broken(value))
    elif isinstance(deal, list):
        for index, value in enumerate(deal):
            before, after = deal[:index], deal[index + 1 :]
            yield before + after
            yield [*before, value, value, *after]
            yield from ([*before, changed, *after] for changed in broken(value))
    elif isinstance(deal, int):
        yield from (-1, 99)


@at_every_table
def test_a_broken_deal_is_refused_with_its_place(game: Game[Any, Any]) -> None:
    whole = msgspec.to_builtins(game.deal(Random(1)))
    for deal in broken(whole):
        with pytest.raises(ValueError, match="deal"):
            game.check_deal(msgspec.convert(deal, game.deal_type))


@at_every_table
def test_options_are_filled_in_and_taken_back(game: Game[Any, Any]) -> None:
    assert GAMES[game.name](game.seats, game.options).options == game.options
    assert msgspec.json.decode(msgspec.json.encode(game.options)) == game.options


@pytest.mark.parametrize("name", GAMES)
def test_unknown_seat_counts_and_options_are_refused_with_their_key(name: str) -> None:
    game = GAMES[name]
    for seats in set(range(-1, 12)) - set(game.seat_counts):
        with pytest.raises(OptionError) as caught:
            game(seats, {})
        assert caught.value.key == "seats"
    with pytest.raises(OptionError) as caught:
        game(game.seat_counts[0], {"no_such_option": 1})
    assert caught.value.key == "no_such_option"


def test_rules_load_no_sockets_processes_clocks_or_screens() -> None:
    loaded = subprocess.run(
        [sys.executable, "-c", "import sys, arena.games; print(*sys.modules)"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    assert not {"zmq", "subprocess", "click", "rich", "socket", "numpy"} & set(loaded)


@pytest.mark.parametrize("path", sorted((ROOT / "arena/games").rglob("*.py")), ids=lambda path: path.stem)
def test_rules_import_nothing_that_reaches_outside(path: Path) -> None:
    lines = path.read_text().splitlines()
    imported = {
        line.split()[1].split(".")[0] for line in lines if line.lstrip().startswith(("import ", "from "))
    }
    assert not imported & {"zmq", "subprocess", "time", "click", "socket", "os"}


@pytest.mark.parametrize("kind", GAMES.values())
def test_every_option_says_what_it_may_be(kind: type[Game[Any, Any]]) -> None:
    assert kind.option_values.keys() == kind(max(kind.seat_counts), {}).options.keys()
