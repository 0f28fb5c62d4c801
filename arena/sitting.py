"""A fixture at a table: its seats are filled, it is played, and what came of it is kept."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from arena.bots.connection import Connection
from arena.bots.pool import Pool
from arena.bots.seat import BotSeat
from arena.games.base import Game
from arena.record import RECORD_VERSION, Record
from arena.referee import Fault, GamePlay, OnForfeit, Played, play_game
from arena.store import StoredGame
from arena.table import AbsentSeat, Seat, Table
from protocol.messages import Clock
from tournaments.schedule import Fixture
from tournaments.seeds import bot_seed, deal_rng, referee_rng

__all__ = ["Conditions", "Finished", "Sitting", "record_of", "stored_game"]


@dataclass(frozen=True)
class Conditions:
    """What is the same for every game of a tournament. seed: everything random comes from it."""

    game: Game[Any, Any]
    seed: str
    clock: Clock
    on_forfeit: OnForfeit


class Finished(msgspec.Struct, frozen=True):
    """A game that came to its end. logs: by seat that forfeited, where its bot's output is and how it ends."""

    fixture: Fixture
    deal: msgspec.Struct
    played: Played
    logs: dict[int, tuple[Path, str]]


class Sitting:
    """One fixture, from its first empty seat to its end.

    is_alone: on processes that are fresh and hold no other game, so that a fault is clearly this game's.
    people: seats that are not for bots, by number; they are told of their table when it starts.
    watch: may stand between the referee and the seats, to show what is played.
    """

    def __init__(
        self,
        conditions: Conditions,
        fixture: Fixture,
        is_alone: bool = False,
        people: Callable[[Table], dict[int, Seat]] = lambda _: {},
        watch: Callable[[GamePlay], GamePlay] = lambda play: play,
    ) -> None:
        self.fixture = fixture
        self._is_alone = is_alone
        self._conditions = conditions
        self._deal = conditions.game.deal(deal_rng(conditions.seed, fixture.deal_number))
        self._luck = fixture.luck or fixture.key
        rng = referee_rng(conditions.seed, self._luck)
        play = play_game(conditions.game, self._deal, rng, conditions.on_forfeit)
        self._table = Table(watch(play))
        self._seats: dict[int, Seat] = people(self._table)
        self._is_started = False

    @property
    def is_over(self) -> bool:
        return self._table.is_over

    @property
    def is_void(self) -> bool:
        return self._table.is_void

    @property
    def must_be_alone(self) -> bool:
        """Whether it has to be played alone, if it is played again."""
        return self._is_alone or self._table.is_suspect

    @property
    def finished(self) -> Finished:
        """What came of it, once it is over and not void."""
        assert self._table.played is not None
        seats = self._bot_seats().items()
        logs = {number: seat.log for number, seat in seats if seat.log is not None}
        return Finished(self.fixture, self._deal, self._table.played, logs)

    def void(self) -> None:
        """Give it up: it does not count."""
        self._table.void()

    def take_seats(self, pool: Pool) -> None:
        """Fill empty seats as far as the pool has places; start once every seat is ready."""
        if self._is_started:
            return
        self._leave_the_dead()
        for number, name in enumerate(self.fixture.seats):
            if number not in self._seats:
                taken = [seat.connection for seat in self._bot_seats().values()]
                place = pool.place(name, taken, self._is_alone)
                if place is not None:
                    self._seats[number] = self._seat(number, place)
        if len(self._seats) == len(self.fixture.seats) and all(s.is_ready for s in self._seats.values()):
            self._is_started = True
            self._table.start([self._seats[number] for number in range(len(self._seats))])

    def _seat(self, number: int, place: Connection | Fault) -> Seat:
        if isinstance(place, Fault):
            return AbsentSeat(self._table, number, place)
        seed = bot_seed(self._conditions.seed, self._luck, number)
        game, clock = self._conditions.game, self._conditions.clock
        return BotSeat(place, self._table, game, number, clock, seed)

    def _bot_seats(self) -> dict[int, BotSeat]:
        return {number: seat for number, seat in self._seats.items() if isinstance(seat, BotSeat)}

    def _leave_the_dead(self) -> None:
        """A process that died between two games is not this game's: take another one."""
        for number, seat in self._bot_seats().items():
            if seat.connection.died_after_start:
                del self._seats[number]


def record_of(game: Game[Any, Any], finished: Finished) -> Record:
    """The game as it is kept."""
    plain: dict[str, Any] = msgspec.to_builtins(finished.played.outcome)
    details = plain.pop("details")
    return Record(
        record=RECORD_VERSION,
        id=finished.fixture.key,
        game=game.name,
        options=game.options,
        seats=list(finished.fixture.seats),
        deal_number=finished.fixture.deal_number,
        deal=msgspec.Raw(msgspec.json.encode(finished.deal)),
        moves=finished.played.moves,
        outcome=plain | details,
    )


def stored_game(game: Game[Any, Any], finished: Finished) -> StoredGame:
    """The game as the store takes it."""
    fixture, outcome = finished.fixture, finished.played.outcome
    return StoredGame(
        key=fixture.key,
        position=fixture.position,
        deal_number=fixture.deal_number,
        players=fixture.seats,
        ranks=outcome.ranks,
        scores=outcome.scores,
        forfeits=[(forfeit.seat, forfeit.reason) for forfeit in outcome.forfeits],
        record=msgspec.json.encode(record_of(game, finished)),
        move_ms=finished.played.move_ms,
    )
