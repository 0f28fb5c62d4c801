"""One game as a loop over seats, driven by hand."""

from collections.abc import Callable
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.finished import Finished, record_of
from arena.games import GAMES, Game
from arena.referee import Decision, Fault, Played, Reply, Request, play_game
from arena.verify import verify
from tournaments.schedule import Fixture

Answer = Callable[[Request], Reply]
FAULT = Fault("timeout", "too late")


def make_game(seats: int) -> Game:
    return GAMES["cat_in_the_box"](seats, {})


def drive(game: Game, answer: Answer, on_forfeit: str = "substitute", seed: int = 1) -> tuple[Finished, list]:
    """The game played to its end, and the batches of requests that were asked."""
    deal = game.deal(Random(seed))
    play = play_game(game, deal, Random(seed), on_forfeit)
    batches = [next(play)]
    while True:
        try:
            batches.append(play.send([answer(request) for request in batches[-1]]))
        except StopIteration as stop:
            names = tuple("abcde"[: game.seats])
            return Finished(Fixture("0/0/x", 0, 0, names), deal, stop.value, {}), batches


def first(request: Request) -> Reply:
    return Decision(request.legal[0])


def fails(*seats: int, at: int = 0) -> Answer:
    """These seats fail at the request with number `at` or later, the others make their first legal move."""
    return lambda request: FAULT if request.seat in seats and request.turn >= at else first(request)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_simultaneous_decisions_are_asked_together(seats: int) -> None:
    _, batches = drive(make_game(seats), first)
    assert [request.seat for request in batches[0]] == list(range(seats))
    assert {len(batch) for batch in batches} == {1, seats}


def test_turns_count_the_requests_of_the_game() -> None:
    _, batches = drive(make_game(3), first)
    turns = [request.turn for batch in batches for request in batch]
    assert turns == list(range(len(turns)))


@settings(max_examples=40, deadline=None)
@given(
    seats=st.integers(2, 5),
    faulty=st.sets(st.integers(0, 4)),
    at=st.integers(0, 60),
    on_forfeit=st.sampled_from(["substitute", "end"]),
    seed=st.integers(0, 1000),
)
def test_every_game_verifies_whoever_fails_when(
    seats: int, faulty: set[int], at: int, on_forfeit: str, seed: int
) -> None:
    game = make_game(seats)
    finished, _ = drive(game, fails(*faulty, at=at), on_forfeit, seed)
    verify(msgspec.json.encode(record_of(game, finished)))


def test_a_seat_that_forfeits_is_asked_no_more_and_the_referee_moves_for_it() -> None:
    finished, batches = drive(make_game(3), fails(1, at=10))
    asked = [request for batch in batches for request in batch if request.seat == 1 and request.turn >= 10]
    assert len(asked) == 1
    by_referee = {move.seat for move in finished.played.moves if move.by == "referee"}
    assert by_referee == {1}
    assert finished.played.outcome.status == "finished"
    assert finished.played.outcome.ranks[1] == 3


def test_the_referees_moves_come_from_the_games_own_seed() -> None:
    game = make_game(3)
    once, again, other = (drive(game, fails(1), seed=seed)[0].played for seed in (7, 7, 8))
    assert once == again
    assert once != other


@pytest.mark.parametrize("seats", [2, 3])
def test_a_forfeit_that_ends_the_game_makes_no_further_move(seats: int) -> None:
    finished, batches = drive(make_game(seats), fails(0, at=4), on_forfeit="end")
    played = finished.played
    assert played.outcome.status == "forfeit"
    assert all(move.by is None for move in played.moves)
    assert len(played.moves) < batches[-1][-1].turn + 1


def test_when_nobody_is_left_the_game_ends() -> None:
    finished, _ = drive(make_game(3), fails(0, 1, 2, at=20))
    assert finished.played.outcome.status == "forfeit"
    assert finished.played.outcome.ranks == [1, 1, 1]


def test_notes_and_times_are_kept_with_their_moves() -> None:
    def answer(request: Request) -> Reply:
        return Decision(request.legal[0], f"turn {request.turn}", float(request.turn))

    played: Played = drive(make_game(4), answer)[0].played
    assert [f"turn {int(ms)}" for ms in played.move_ms] == [move.note for move in played.moves]
