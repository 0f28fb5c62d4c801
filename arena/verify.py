"""Replays a record through the rules and re-derives everything in its outcome.

A record does not say what its tournament does after a forfeit; its status does: `forfeit` is a game that a
fault ended, `finished` one that was played to the end, with the referee's moves for seats at fault. A game
that a fault ends stops at the first seat at fault: of seats that decide together, later ones make no move.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from arena.errors import InputError
from arena.games import Game
from arena.record import Forfeit, RecordedMove, outcome_ranks
from arena.replay import read_record

__all__ = ["MismatchError", "verify"]


class MismatchError(Exception):
    """A record that the rules contradict: its id, what was recorded and what was derived."""


class _Claims(msgspec.Struct):
    """The parts of an outcome that say how the game ended."""

    status: Literal["finished", "forfeit"]
    forfeits: list[Forfeit]


def verify(line: bytes) -> None:
    """Check one line of an export. Raises MismatchError if it is wrong, InputError if it is no record."""
    try:
        record, game, deal = read_record(line)
        claims = msgspec.convert(record.outcome, _Claims)
    except msgspec.MsgspecError as error:
        raise InputError(f"not a record: outcome: {error}") from error
    try:
        _check_forfeits(claims, game.seats)
        game.check_deal(deal)
        state = _replay(game, game.start(deal), record.moves, claims)
        _check_outcome(record.outcome, _derived(game, state, claims))
    except (MismatchError, ValueError) as error:
        raise MismatchError(f"game {record.id}: {error}") from error


def _check_forfeits(claims: _Claims, seats: int) -> None:
    forfeited = [forfeit.seat for forfeit in claims.forfeits]
    if not set(forfeited) <= set(range(seats)) or len(set(forfeited)) < len(forfeited):
        raise MismatchError(
            f"recorded forfeits of seats {forfeited}, derived at most one of each seat below {seats}"
        )
    if claims.status == "forfeit" and not forfeited:
        raise MismatchError("recorded status forfeit, but no forfeit")
    if claims.status == "finished" and forfeited and seats == 2:
        raise MismatchError("recorded status finished, but a forfeit ends a game of two")


def _replay(game: Game[Any, Any], state: Any, moves: Sequence[RecordedMove], claims: _Claims) -> Any:
    """The state after the recorded moves. Seats that decide together stand in ascending order."""
    faulty = {forfeit.seat for forfeit in claims.forfeits}
    replaced: set[int] = set()
    pending: list[int] = []
    for number, entry in enumerate(moves):
        pending = pending or list(game.to_move(state))
        if not pending:
            raise MismatchError(f"recorded {len(moves)} moves, derived the end of the game after {number}")
        seat = pending.pop(0)
        if entry.seat != seat:
            raise MismatchError(
                f"move {number}: recorded by seat {entry.seat}, derived that seat {seat} is to move"
            )
        _check_mover(number, entry, faulty, replaced)
        _apply(game, state, number, entry)
    goes_on = bool(pending or game.to_move(state))
    if goes_on != (claims.status == "forfeit"):
        derived = "that the game goes on" if goes_on else "that it was played to its end"
        raise MismatchError(f"recorded status {claims.status} after {len(moves)} moves, derived {derived}")
    _check_faults(claims, replaced, game.to_move(state))
    return state


def _check_faults(claims: _Claims, replaced: set[int], to_move: Sequence[int]) -> None:
    """A seat at fault either made way for the referee, or was to move when its fault ended the game."""
    for forfeit in claims.forfeits:
        if forfeit.seat not in replaced and (claims.status == "finished" or forfeit.seat not in to_move):
            raise MismatchError(
                f"recorded a forfeit of seat {forfeit.seat}, derived no decision that it missed"
            )


def _check_mover(number: int, entry: RecordedMove, faulty: set[int], replaced: set[int]) -> None:
    """A seat moves itself until its forfeit, and the referee for it from then on."""
    if entry.by == "referee":
        if entry.seat not in faulty:
            raise MismatchError(
                f"move {number}: recorded by the referee, but seat {entry.seat} did not forfeit"
            )
        replaced.add(entry.seat)
    elif entry.seat in replaced:
        raise MismatchError(f"move {number}: recorded by seat {entry.seat} itself, after its forfeit")


def _apply(game: Game[Any, Any], state: Any, number: int, entry: RecordedMove) -> None:
    move = game.decode_move(entry.move)
    legal = game.legal_moves(state, entry.seat)
    if move not in legal:
        raise MismatchError(
            f"move {number}: recorded {game.describe_illegal(entry.move, legal)} by seat {entry.seat}, "
            f"derived as legal: {game.describe_some(legal)}"
        )
    game.apply(state, entry.seat, move)


def _derived(game: Game[Any, Any], state: Any, claims: _Claims) -> dict[str, Any]:
    forfeited = {forfeit.seat for forfeit in claims.forfeits}
    outcome = {
        "scores": game.scores(state),
        "ranks": outcome_ranks(game.ranks(state), forfeited, claims.status == "forfeit"),
        **game.details(state),
    }
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(outcome))
    return plain


def _check_outcome(recorded: Mapping[str, Any], derived: Mapping[str, Any]) -> None:
    claims = _Claims.__struct_fields__
    for key in sorted((recorded.keys() | derived.keys()) - set(claims)):
        if _json(recorded.get(key)) != _json(derived.get(key)):  # in Python 1, 1.0 and True are equal
            raise MismatchError(
                f"{key}: recorded {_json(recorded.get(key))}, derived {_json(derived.get(key))}"
            )


def _json(value: object) -> str:
    return msgspec.json.encode(value, order="sorted").decode()
