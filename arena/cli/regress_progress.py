"""How far a regression test is: a live line on a terminal, a line a minute elsewhere."""

import sys
import time
from contextlib import suppress
from types import TracebackType
from typing import Self

from rich.status import Status
from rich.text import Text

from arena.cli.console import make_console
from arena.cli.forfeits import ForfeitLines
from arena.cli.run_progress import QUIET_S
from arena.regression_report import strength_line
from arena.sitting import Finished
from tournaments.regression import Regression

__all__ = ["RegressProgress"]


class RegressProgress:
    """Shows on stderr what a test does."""

    def __init__(self, regression: Regression) -> None:
        self._regression = regression
        self._console = make_console(sys.stderr)
        self._live: Status | None = None
        self._told_s = time.monotonic()
        self._forfeits = ForfeitLines(self.say)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live = Status(Text(self._line()), console=self._console, refresh_per_second=4)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()
        self._forfeits.show_counts()
        if not self._regression.is_over:
            self.say(f"{self._line()}; the same command goes on from here")

    def say(self, text: str) -> None:
        """One line that stays. A reader that has gone away does not stop the games."""
        with suppress(BrokenPipeError):
            self._console.print(text)

    def add(self, games: list[Finished]) -> None:
        """These games are stored and judged now."""
        self._forfeits.show(games)
        if self._live is not None:
            self._live.update(Text(self._line()))
        elif time.monotonic() - self._told_s > QUIET_S:
            self._told_s = time.monotonic()
            self.say(self._line())

    def _line(self) -> str:
        state = self._regression.state
        line = strength_line(state)
        if state.blocks and self._regression.same_decisions is not None:
            return f"{line}, all moves the same so far"
        left = state.expected_games_left
        return line if left is None else f"{line}, about {left:.0f} games left"
