"""Records of random games, made by the rules alone."""

from collections.abc import Collection
from random import Random
from typing import Any

import msgspec

from arena.games import GAMES, Game
from arena.record import RECORD_VERSION, Forfeit, Outcome, Record, RecordedMove, outcome_ranks

__all__ = ["random_record"]


def random_record(
    seats: int,
    seed: int,
    substituted: Collection[int] = (),
    stopped_after: int | None = None,
    game: Game[Any, Any] | None = None,
) -> dict[str, Any]:
    """A game of uniformly random moves, as plain JSON values.

    substituted: seats that forfeit at their second decision and are played on by the referee.
    stopped_after: number of moves after which a fault of the next seat to move ends the game.
    game: Cat in the Box if none is given.
    """
    rng = Random(seed)
    game = game or GAMES["cat_in_the_box"](seats, {})
    deal = game.deal(rng)
    state = game.start(deal)
    moves: list[RecordedMove] = []
    forfeits: dict[int, Forfeit] = {}
    while (batch := tuple(game.to_move(state))) and not (forfeits and stopped_after is not None):
        for seat in batch:
            moved_before = any(entry.seat == seat for entry in moves)
            if len(moves) == stopped_after or (seat in substituted and moved_before):
                forfeits.setdefault(seat, Forfeit(seat, "timeout", "no answer"))
            if len(moves) == stopped_after:
                break
            move = rng.choice(game.legal_moves(state, seat))
            moves.append(RecordedMove(seat, game.encode_move(move), "referee" if seat in forfeits else None))
            game.apply(state, seat, move)
    ended_early = bool(game.to_move(state))
    outcome = Outcome(
        status="forfeit" if ended_early else "finished",
        scores=game.scores(state),
        ranks=outcome_ranks(game.ranks(state), forfeits, ended_early),
        forfeits=list(forfeits.values()),
        details=game.details(state),
    )
    plain: dict[str, Any] = msgspec.to_builtins(outcome)
    details = plain.pop("details")
    record = Record(
        record=RECORD_VERSION,
        id=f"random-{seats}-{seed}",
        game=game.name,
        options=game.options,
        seats=[f"bot{seat}" for seat in range(seats)],
        deal_number=seed,
        deal=msgspec.Raw(msgspec.json.encode(deal)),
        moves=moves,
        outcome=plain | details,
    )
    decoded: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(record))
    return decoded
