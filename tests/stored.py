"""A small run, without pytest, so that processes of their own start fast."""

import msgspec

from arena.store import StoredGame

__all__ = ["BOTS", "SPEC", "stored_game"]

SPEC = {"name": "small", "seats": 3, "options": {"board": "white"}}
BOTS = {name: {"bot.py": f"digest-{name}"} for name in "abc"}


def stored_game(position: int, padding: int = 0) -> StoredGame:
    record = {
        "id": f"game-{position}",
        "moves": [{"seat": 0}, {"seat": 1, "by": "referee"}],
        "pad": "x" * padding,
    }
    return StoredGame(
        key=f"game-{position}",
        position=position,
        deal_number=position // 2,
        players=["a", "b", "c"],
        ranks=[1, 2, 3],
        scores=[9, 4, -2],
        forfeits=[(2, "timeout")] if position % 2 else [],
        record=msgspec.json.encode(record),
        move_ms=[1.25, 0.0],
    )
