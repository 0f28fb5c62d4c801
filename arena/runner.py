"""Plays fixtures with bot processes, several at once, and hands over every game that comes to its end."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from arena.bots.connection import Connection
from arena.bots.pool import Pool
from arena.bots.seat import BotSeat
from arena.record import RECORD_VERSION, Record
from arena.referee import Fault, Played, play_game
from arena.store import StoredGame
from arena.table import AbsentSeat, Table
from arena.tournament import Tournament
from protocol.messages import Clock
from tournaments.schedule import Fixture
from tournaments.seeds import bot_seed, deal_rng, referee_rng

__all__ = ["Finished", "Runner", "stored_game"]

FINISH_S = 2.0
"""How long games that are under way may go on when a run is asked to stop."""


class Finished(msgspec.Struct, frozen=True):
    """A game that came to its end. logs: by seat that forfeited, where its bot's output is and how it ends."""

    fixture: Fixture
    deal: msgspec.Struct
    played: Played
    logs: dict[int, tuple[Path, str]]


class Runner:
    """Plays fixtures at a tournament's tables, `concurrency` at once."""

    def __init__(self, tournament: Tournament, pool: Pool, concurrency: int) -> None:
        self._tournament = tournament
        self._pool = pool
        self._concurrency = concurrency
        self._stopped_s: float | None = None

    def stop(self) -> None:
        """Begin no more games; those under way may finish for FINISH_S."""
        self._stopped_s = self._stopped_s or time.monotonic()

    def run(self, fixtures: Iterator[Fixture], on_finished: Callable[[list[Finished]], None]) -> None:
        """Play fixtures until there are no more or `stop` was called.

        on_finished: is given games as they end, in any order; what it raises ends the run.
        """
        again: deque[Fixture] = deque()
        sittings: list[_Sitting] = []
        while True:
            while self._stopped_s is None and len(sittings) < self._concurrency:
                fixture = again.popleft() if again else next(fixtures, None)
                if fixture is None:
                    break
                sittings.append(_Sitting(self._tournament, fixture))
            for sitting in sittings:
                sitting.take_seats(self._pool)
            over = [sitting for sitting in sittings if sitting.table.is_over]
            if over:
                sittings = [sitting for sitting in sittings if not sitting.table.is_over]
                again.extend(sitting.fixture for sitting in over if sitting.table.is_void)
                on_finished([sitting.finished for sitting in over if not sitting.table.is_void])
            elif not sittings or self._is_time_up():
                break
            else:
                self._pool.step()
        for sitting in sittings:
            sitting.table.void()

    def _is_time_up(self) -> bool:
        return self._stopped_s is not None and time.monotonic() - self._stopped_s > FINISH_S


class _Sitting:
    """A fixture at a table: first its seats are filled, then it is played."""

    def __init__(self, tournament: Tournament, fixture: Fixture) -> None:
        spec = tournament.spec
        self._tournament = tournament
        self.fixture = fixture
        self._deal = tournament.game.deal(deal_rng(spec.seed, fixture.deal_number))
        rng = referee_rng(spec.seed, fixture.key)
        self.table = Table(play_game(tournament.game, self._deal, rng, spec.on_forfeit))
        self._seats: dict[int, BotSeat | AbsentSeat] = {}
        self._is_started = False

    @property
    def finished(self) -> Finished:
        assert self.table.played is not None
        logs = {
            seat: s.log for seat, s in self._seats.items() if isinstance(s, BotSeat) and s.log is not None
        }
        return Finished(self.fixture, self._deal, self.table.played, logs)

    def take_seats(self, pool: Pool) -> None:
        """Fill empty seats as far as the pool has places; start once every seat is ready."""
        if self._is_started:
            return
        for seat, name in enumerate(self.fixture.seats):
            if seat not in self._seats:
                taken = [s.connection for s in self._seats.values() if isinstance(s, BotSeat)]
                place = pool.place(name, taken)
                if place is not None:
                    self._seats[seat] = self._seat(seat, place)
        self._leave_the_dead()
        if len(self._seats) == len(self.fixture.seats) and all(s.is_ready for s in self._seats.values()):
            self._is_started = True
            self.table.start([self._seats[seat] for seat in range(len(self._seats))])

    def _seat(self, seat: int, place: Connection | Fault) -> BotSeat | AbsentSeat:
        if isinstance(place, Fault):
            return AbsentSeat(self.table, seat, place)
        spec = self._tournament.spec
        clock = Clock(spec.clock.move_ms, spec.clock.bank_ms)
        seed = bot_seed(spec.seed, self.fixture.key, seat)
        return BotSeat(place, self.table, self._tournament.game, seat, clock, seed)

    def _leave_the_dead(self) -> None:
        """A process that died between two games is not this game's: take another one."""
        for seat, taken in tuple(self._seats.items()):
            if isinstance(taken, BotSeat) and taken.connection.died_after_start:
                del self._seats[seat]


def stored_game(tournament: Tournament, finished: Finished) -> StoredGame:
    """The game as the store keeps it."""
    fixture, played = finished.fixture, finished.played
    outcome = played.outcome
    plain: dict[str, Any] = msgspec.to_builtins(outcome)
    details = plain.pop("details")
    record = Record(
        record=RECORD_VERSION,
        id=fixture.key,
        game=tournament.game.name,
        options=tournament.game.options,
        seats=list(fixture.seats),
        deal_number=fixture.deal_number,
        deal=msgspec.Raw(msgspec.json.encode(finished.deal)),
        moves=played.moves,
        outcome={**plain, **details},
    )
    return StoredGame(
        key=fixture.key,
        position=fixture.position,
        deal_number=fixture.deal_number,
        players=fixture.seats,
        ranks=outcome.ranks,
        scores=outcome.scores,
        forfeits=[(forfeit.seat, forfeit.reason) for forfeit in outcome.forfeits],
        record=msgspec.json.encode(record),
        move_ms=played.move_ms,
    )
