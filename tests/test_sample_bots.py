"""The Python sample bots, played in-process: their loop is replaced, the referee is the real one."""

import importlib.util
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

import protocol.client
from arena.bots.manifest import load_bot
from arena.games import GAMES, Game
from arena.record import Outcome
from arena.referee import Decision, Request, play_game
from protocol.messages import Clock, GameStart, Move, Turn
from tournaments.seating import rotations
from tournaments.seeds import bot_seed, deal_rng

FOLDER = Path(__file__).parent.parent / "sample_bots" / "python"
LADDER = ["random", "cautious", "counter", "sampler"]
CAT_BOX_LADDER = ["random", "greedy", "lookahead"]
TABLES = [(2, "white"), *((seats, board) for seats in (3, 4, 5) for board in ("white", "purple"))]
TIME_MS = 10**9
"""So much that no clock decides anything."""


@cache
def made_by(name: str) -> Callable[[GameStart], Any]:
    """What the arena makes for a game: the bot's class, or its function in a shell."""
    given: list[Any] = []
    spec = importlib.util.spec_from_file_location(f"sample_bot_{name}", FOLDER / name / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(protocol.client, "run", lambda choose, **_: given.append(choose))
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
    (choose,) = given
    return choose if isinstance(choose, type) else lambda _: SimpleNamespace(choose=choose)


def play(
    names: Sequence[str],
    deal: int,
    board: str = "white",
    seed: str = "x",
    game: Game[Any, Any] | None = None,
) -> tuple[list[Move], Outcome]:
    """One game, deal and bots' seeds from `seed`; every answer is checked to be legal.

    game: Cat in the Box with this board if none is given.
    """
    game = game or GAMES["cat_in_the_box"](len(names), {"board": board})
    clock = Clock(TIME_MS, 0)
    bots = [
        made_by(name)(
            GameStart(0, game.name, seat, game.seats, game.options, clock, bot_seed(seed, str(deal), seat))
        )
        for seat, name in enumerate(names)
    ]

    def answer(request: Request) -> Decision:
        legal = [game.encode_move(move) for move in request.legal]
        move = bots[request.seat].choose(
            Turn(0, request.turn, request.seat, TIME_MS, request.observation, legal)
        )
        assert move in legal
        return Decision(game.decode_move(move))

    playing = play_game(game, game.deal(deal_rng(seed, deal)), Random(0))
    requests = next(playing)
    while True:
        try:
            requests = playing.send([answer(request) for request in requests])
        except StopIteration as end:
            return [recorded.move for recorded in end.value.moves], end.value.outcome


def test_every_folder_is_a_bot_and_stands_on_the_ladders_of_its_games() -> None:
    bots = [load_bot(path) for path in FOLDER.iterdir() if path.name != "__pycache__"]
    assert all(bot.name == bot.folder.name for bot in bots)
    for game, ladder in (("cat_in_the_box", LADDER), ("cat_box", CAT_BOX_LADDER)):
        assert sorted(bot.name for bot in bots if game in bot.manifest.games) == sorted(ladder)


@pytest.mark.parametrize("name", LADDER)
@pytest.mark.parametrize(("seats", "board"), TABLES)
def test_a_bot_plays_legal_moves_and_the_same_ones_again(name: str, seats: int, board: str) -> None:
    names = [name, *(["cautious", "random"] * 2)[: seats - 1]]
    moves, outcome = play(names, deal=seats, board=board)
    assert outcome.status == "finished"
    assert len(outcome.details["rounds"]) == seats
    assert play(names, deal=seats, board=board) == (moves, outcome)


@pytest.mark.parametrize("name", ["random", "sampler"])
def test_a_bot_that_draws_lots_plays_otherwise_with_another_seed(name: str) -> None:
    def first_choices(rng_seed: int) -> list[Move]:
        game = GAMES["cat_in_the_box"](3, {})
        rng = Random(1)
        choices: list[Move] = []
        bot = made_by(name)(GameStart(0, game.name, 0, 3, game.options, Clock(TIME_MS, 0), rng_seed))
        state = game.start(game.deal(rng))
        while len(choices) < 12:
            seat = game.to_move(state)[0]
            moves = game.legal_moves(state, seat)
            if seat == 0:
                legal = [game.encode_move(move) for move in moves]
                choices.append(bot.choose(Turn(0, 0, 0, TIME_MS, game.observe(state, 0), legal)))
            game.apply(state, seat, rng.choice(moves))
        return choices

    assert len({tuple(first_choices(rng_seed)) for rng_seed in range(5)}) > 1


@pytest.mark.parametrize("name", LADDER)
def test_an_answer_depends_on_nothing_but_the_turn_and_the_seed(name: str) -> None:
    alone = play([name, name, "random"], deal=1)
    play(["random", name, name], deal=2)
    assert play([name, name, "random"], deal=1) == alone


def test_the_ladder_holds() -> None:
    """Mean placement scores over 6 deals with rotated seats:
    each rung is clearly above those below, but the top two are close."""
    placement = dict.fromkeys(LADDER, 0.0)
    games = 0
    for deal in range(6):
        for line_up in combinations(LADDER, 3):
            for seating in rotations(3):
                at = dict(zip(seating, line_up, strict=True))
                names = [at[seat] for seat in range(3)]
                ranks = play(names, deal, seed="ladder")[1].ranks
                games += 1
                for name, rank in zip(names, ranks, strict=True):
                    placement[name] += sum((rank < other) + 0.5 * (rank == other) for other in ranks) - 0.5
    mean = {name: total / (2 * games * 3 / 4) for name, total in placement.items()}
    assert mean["random"] < 0.15
    assert mean["cautious"] > mean["random"] + 0.2
    assert mean["counter"] > mean["cautious"] + 0.1
    assert mean["sampler"] > mean["cautious"] + 0.15


@pytest.mark.parametrize("name", CAT_BOX_LADDER)
@pytest.mark.parametrize(("seats", "rules"), [(2, "basic"), (3, "advanced"), (4, "basic"), (5, "advanced")])
def test_a_bot_plays_cat_box_legally_and_the_same_again(name: str, seats: int, rules: str) -> None:
    game = GAMES["cat_box"](seats, {"rules": rules})
    names = [name, *(["random", "greedy"] * 2)[: seats - 1]]
    moves, outcome = play(names, deal=seats, game=game)
    assert outcome.status == "finished"
    assert play(names, deal=seats, game=game) == (moves, outcome)


def test_the_ladder_of_cat_box_holds() -> None:
    game = GAMES["cat_box"](3, {"rules": "advanced"})
    ranks: dict[str, list[int]] = {name: [] for name in CAT_BOX_LADDER}
    for deal in range(3):
        for seating in rotations(3):
            names = [CAT_BOX_LADDER[seating.index(seat)] for seat in range(3)]
            outcome = play(names, deal, seed="ladder", game=game)[1]
            for name, rank in zip(names, outcome.ranks, strict=True):
                ranks[name].append(rank)
    random, greedy, lookahead = (sum(ranks[name]) / len(ranks[name]) for name in CAT_BOX_LADDER)
    assert lookahead < greedy < random - 0.5
