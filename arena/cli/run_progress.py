"""How far a run is: a live line on a terminal, a line a minute elsewhere."""

import sys
import time
from contextlib import suppress
from types import TracebackType
from typing import Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from arena.cli.console import make_console
from arena.cli.forfeits import ForfeitLines
from arena.sitting import Finished

__all__ = ["RunProgress"]

QUIET_S = 60.0
"""Between two lines of progress where there is no terminal."""


class RunProgress:
    """Shows on stderr what a run does.

    total: games of the whole tournament.  done: of these, stored when the run began.
    """

    def __init__(self, total: int, done: int) -> None:
        self._total, self._done, self._stored_before = total, done, done
        self._console = make_console(sys.stderr)
        self._bar: Progress | None = None
        self._task = TaskID(0)
        self._began_s = self._told_s = time.monotonic()
        self._forfeits = ForfeitLines(self.say)

    @property
    def is_complete(self) -> bool:
        return self._done == self._total

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._bar = Progress(
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("games"),
                TextColumn("{task.fields[rate]:.1f} games/s"),
                TimeRemainingColumn(),
                console=self._console,
                refresh_per_second=4,
                transient=True,
            )
            self._task = self._bar.add_task("", total=self._total, completed=self._done, rate=0.0)
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
        if self.is_complete:
            self.say(self._line())
        else:
            self.say(f"{self._done} of {self._total} games are stored; the same command goes on from here")
        self._forfeits.show_counts()

    def say(self, text: str) -> None:
        """One line that stays. A reader that has gone away does not stop the games."""
        with suppress(BrokenPipeError):
            self._console.print(text)

    def add(self, games: list[Finished]) -> None:
        """These games are stored now."""
        self._done += len(games)
        self._forfeits.show(games)
        if self._bar is not None:
            self._bar.update(self._task, completed=self._done, rate=self._games_per_s())
        elif time.monotonic() - self._told_s > QUIET_S:
            self._told_s = time.monotonic()
            self.say(self._line())

    def _games_per_s(self) -> float:
        elapsed_s = time.monotonic() - self._began_s
        return (self._done - self._stored_before) / max(elapsed_s, 1e-3)

    def _line(self) -> str:
        rate = self._games_per_s()
        left_s = (self._total - self._done) / rate if rate else 0.0
        left = f", about {left_s:.0f} s left" if left_s else ""
        return f"{self._done} of {self._total} games, {rate:.1f} games/s{left}"
