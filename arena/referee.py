"""One game as one loop over seats, without sockets, clocks or files.

`play_game` is a generator: it yields the decisions that are due now, all of them to be asked at the same time, and is
sent the replies in the same order. How a reply came about, from a process, a person or a fixture in a test, is not
its business; a reply is one of the legal moves or the seat's fault.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from arena.games.base import Game
from arena.record import Forfeit, Outcome, RecordedMove, outcome_ranks
from protocol.messages import ErrorCode, Observation

__all__ = ["Decision", "Fault", "GamePlay", "OnForfeit", "Played", "Reply", "Request", "play_game"]

OnForfeit = Literal["substitute", "end"]


@dataclass(slots=True)
class Request:
    """A decision due. turn: counts the requests of this game from 0.  legal: as the game's ints, ascending."""

    seat: int
    turn: int
    observation: Observation
    legal: Sequence[int]


@dataclass(slots=True)
class Decision:
    """A seat's choice out of `legal`. elapsed_ms: the time charged for it."""

    move: int
    note: str | None = None
    elapsed_ms: float = 0.0


@dataclass(slots=True)
class Fault:
    """What a seat did wrong; it forfeits."""

    reason: ErrorCode
    detail: str


Reply: TypeAlias = Decision | Fault


class Played(Struct):
    """A game that came to its end. move_ms: the time charged for each of `moves`, 0 for the referee's own."""

    moves: list[RecordedMove]
    outcome: Outcome
    move_ms: list[float]


GamePlay: TypeAlias = Generator[list[Request], list[Reply], Played]


def play_game(game: Game[Any, Any], deal: Any, rng: Random, on_forfeit: OnForfeit = "substitute") -> GamePlay:
    """Play `deal` to its end.

    A seat that forfeits is asked no more. `end`, or two players: the game ends there. `substitute`: the referee
    plays on for the seat with uniformly random legal moves from `rng`, unless nobody else is left.
    """
    state = game.start(deal)
    moves: list[RecordedMove] = []
    move_ms: list[float] = []
    forfeits: dict[int, Forfeit] = {}
    ended_early = False
    turn = 0
    while not ended_early and (seats := game.to_move(state)):
        legal = {seat: game.legal_moves(state, seat) for seat in seats}
        requests = [
            Request(seat, turn + index, game.observe(state, seat), legal[seat])
            for index, seat in enumerate(seat for seat in seats if seat not in forfeits)
        ]
        turn += len(requests)
        replies = (yield requests) if requests else []
        chosen: dict[int, Decision] = {}
        for request, reply in zip(requests, replies, strict=True):
            if isinstance(reply, Fault):
                forfeits[request.seat] = Forfeit(request.seat, reply.reason, reply.detail)
                ended_early |= on_forfeit == "end" or game.seats == 2 or len(forfeits) == game.seats
            else:
                chosen[request.seat] = reply
        if ended_early:
            break
        for seat in seats:
            decision = chosen.get(seat)
            move = rng.choice(legal[seat]) if decision is None else decision.move
            game.apply(state, seat, move)
            moves.append(_recorded(game, seat, move, decision))
            move_ms.append(0.0 if decision is None else decision.elapsed_ms)
    return Played(moves, _outcome(game, state, list(forfeits.values()), ended_early), move_ms)


def _recorded(game: Game[Any, Any], seat: int, move: int, decision: Decision | None) -> RecordedMove:
    if decision is None:
        return RecordedMove(seat, game.encode_move(move), by="referee")
    return RecordedMove(seat, game.encode_move(move), note=decision.note)


def _outcome(game: Game[Any, Any], state: Any, forfeits: list[Forfeit], ended_early: bool) -> Outcome:
    ranks = outcome_ranks(game.ranks(state), {forfeit.seat for forfeit in forfeits}, ended_early)
    status: Literal["finished", "forfeit"] = "forfeit" if ended_early else "finished"
    return Outcome(status, game.scores(state), ranks, forfeits, game.details(state))
