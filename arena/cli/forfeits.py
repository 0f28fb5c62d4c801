"""Every kind of forfeit named once while games are played."""

from collections import Counter
from collections.abc import Callable

from arena.sitting import Finished
from protocol.errors import one_line

__all__ = ["ForfeitLines"]

SHOWN_FORFEITS = 3
"""Forfeits of each bot that are shown in full; further ones are only counted."""
SHOWN_LOG_LINES = 6


class ForfeitLines:
    """Says lines about forfeits, with the end of what the bot printed."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._counts: Counter[str] = Counter()

    def show(self, games: list[Finished]) -> None:
        for game in games:
            for forfeit in game.played.outcome.forfeits:
                self._show(game, forfeit.seat, f"{forfeit.reason}: {forfeit.detail}")

    def show_counts(self) -> None:
        """Of the bots with more forfeits than were shown."""
        for bot, count in self._counts.items():
            if count > SHOWN_FORFEITS:
                self._say(f"{bot} forfeited {count} games")

    def _show(self, game: Finished, seat: int, what: str) -> None:
        bot = game.fixture.seats[seat]
        self._counts[bot] += 1
        if self._counts[bot] > SHOWN_FORFEITS:
            return
        self._say(one_line(f"forfeit: {bot} in game {game.fixture.key}, seat {seat}: {what}", 1000))
        if seat in game.logs:
            path, tail = game.logs[seat]
            for line in tail.splitlines()[-SHOWN_LOG_LINES:]:
                self._say(f"  | {one_line(line)}")
            self._say(f"  its output: {path}")
