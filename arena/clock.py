"""Time as it is charged to bots: monotonic, and blind to the arena's own pauses."""

import time
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Allowance", "SteadyClock"]

MAX_STEP_S = 0.1
"""The most that can pass between two readings. Longer than the longest wait of the arena's loop, so that only a
pause of the arena itself (a slow disk, a stopped process, a sleeping machine) is cut."""


class SteadyClock:
    """A clock that cannot jump: a gap between two readings counts for at most MAX_STEP_S.

    It must be read at least every MAX_STEP_S, else it runs slow.
    """

    def __init__(self, monotonic_s: Callable[[], float] = time.monotonic) -> None:
        self._monotonic_s = monotonic_s
        self._read_at_s = monotonic_s()
        self._skipped_s = 0.0

    def now_s(self) -> float:
        at_s = self._monotonic_s()
        gap_s = at_s - self._read_at_s
        if gap_s > MAX_STEP_S:
            self._skipped_s += gap_s - MAX_STEP_S
        self._read_at_s = at_s
        return at_s - self._skipped_s


@dataclass(slots=True)
class Allowance:
    """A seat's time in one game: `move_ms` free for every decision, longer ones spend the bank."""

    move_ms: int
    bank_ms: float

    def limit_ms(self) -> int:
        """What the next decision may take."""
        return self.move_ms + int(self.bank_ms)

    def charge(self, elapsed_ms: float) -> None:
        """Spend the bank for what a decision took beyond `move_ms`."""
        self.bank_ms -= max(0.0, elapsed_ms - self.move_ms)
