"""A game that came to its end, and the forms in which it is kept."""

from pathlib import Path
from typing import Any

import msgspec

from arena.games.base import Game
from arena.record import RECORD_VERSION, Record
from arena.referee import Played
from arena.store import StoredGame
from tournaments.schedule import Fixture

__all__ = ["Finished", "record_of", "stored_game"]


class Finished(msgspec.Struct, frozen=True):
    """A game that came to its end. logs: by seat that forfeited, where its bot's output is and how it ends."""

    fixture: Fixture
    deal: msgspec.Struct
    played: Played
    logs: dict[int, tuple[Path, str]]


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
