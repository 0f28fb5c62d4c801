"""Plays fixtures with bot processes, several at once, and hands over every game that comes to its end."""

import time
from collections import deque
from collections.abc import Callable, Iterator

from arena.bots.pool import Pool
from arena.sitting import Conditions, Finished, Sitting
from tournaments.schedule import Fixture

__all__ = ["Runner"]

FINISH_S = 2.0
"""How long games that are under way may go on when a run is asked to stop."""


class Runner:
    """Plays fixtures under the same conditions, `concurrency` at once."""

    def __init__(self, conditions: Conditions, pool: Pool, concurrency: int) -> None:
        self._conditions = conditions
        self._pool = pool
        self._concurrency = concurrency
        self._stopped_s: float | None = None

    def stop(self) -> None:
        """Begin no more games; those under way may finish for FINISH_S."""
        self._stopped_s = self._stopped_s or time.monotonic()

    def run(self, fixtures: Iterator[Fixture], on_finished: Callable[[list[Finished]], None]) -> None:
        """Play fixtures until there are no more or `stop` was called. Void games are played again.

        on_finished: is given games as they end, in any order; what it raises ends the run.
        """
        again: deque[tuple[Fixture, bool]] = deque()
        sittings: list[Sitting] = []
        while True:
            while self._stopped_s is None and len(sittings) < self._concurrency:
                fixture, is_alone = again.popleft() if again else (next(fixtures, None), False)
                if fixture is None:
                    break
                sittings.append(Sitting(self._conditions, fixture, is_alone))
            for sitting in sittings:
                sitting.take_seats(self._pool)
            over = [sitting for sitting in sittings if sitting.is_over]
            if over:
                sittings = [sitting for sitting in sittings if not sitting.is_over]
                again.extend((sitting.fixture, sitting.must_be_alone) for sitting in over if sitting.is_void)
                on_finished([sitting.finished for sitting in over if not sitting.is_void])
            elif not sittings or self._is_time_up():
                break
            else:
                self._pool.step()
        for sitting in sittings:
            sitting.void()

    def _is_time_up(self) -> bool:
        return self._stopped_s is not None and time.monotonic() - self._stopped_s > FINISH_S
