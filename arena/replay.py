"""A stored game, step by step."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from arena.errors import InputError
from arena.games import GAMES, Game, OptionError
from arena.record import RECORD_VERSION, Record, RecordedMove
from protocol.errors import one_line

__all__ = ["StoredPlay", "read_record", "standing"]


class StoredPlay(NamedTuple):
    """A record with its game and its deal."""

    record: Record
    game: Game[Any, Any]
    deal: Any

    def steps(self) -> Iterator[tuple[RecordedMove | None, Any]]:
        """Every move with the state after it; first None with the state before any move.

        The state is one and the same object, changed by the next step.
        """
        state = self.game.start(self.deal)
        yield None, state
        for entry in self.record.moves:
            self.game.apply(state, entry.seat, self.game.decode_move(entry.move))
            yield entry, state


def standing(record: Record) -> Iterator[str]:
    """A line for every seat, the best first."""
    outcome = record.outcome
    forfeited = {forfeit["seat"]: forfeit["reason"] for forfeit in outcome["forfeits"]}
    for rank, seat in sorted((rank, seat) for seat, rank in enumerate(outcome["ranks"])):
        fault = f" (forfeit: {forfeited[seat]})" if seat in forfeited else ""
        yield one_line(f"{rank}. seat {seat} ({record.seats[seat]}), {outcome['scores'][seat]} points{fault}")


def read_record(line: bytes) -> StoredPlay:
    """The game in one line of an export. Raises InputError if it is no record."""
    try:
        record = msgspec.json.decode(line, type=Record)
        game = _game(record)
        deal = msgspec.json.decode(record.deal, type=game.deal_type)
    except OptionError as error:
        raise InputError(f"{error.key}: {error}") from error
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"not a record: {error}") from error
    return StoredPlay(record, game, deal)


def _game(record: Record) -> Game[Any, Any]:
    if record.record != RECORD_VERSION:
        raise InputError(f"record version {record.record}, expected {RECORD_VERSION}")
    if record.game not in GAMES:
        raise InputError(f"unknown game {record.game!r}, known are: {', '.join(GAMES)}")
    return GAMES[record.game](len(record.seats), record.options, folder=None)  # a record stands for itself
