"""The requests before one bot process, and whose clock runs.

A process answers one request at a time, so only the oldest one's clock runs: from when it was sent, or when the
process was done with the one before it, whichever is later. A game may end while a request of it is still out, by
another seat's fault, say. The process does not know yet and goes on thinking; that request stays in the queue, as
abandoned, until its late answer comes or its own time has passed, so that the ones behind it are not charged for it.
"""

from dataclasses import dataclass

__all__ = ["RequestQueue"]


@dataclass(slots=True)
class _Request:
    """started_s: when its clock started, if it is the oldest."""

    turn: int
    started_s: float
    limit_ms: int
    is_abandoned: bool = False


class RequestQueue:
    """Requests by game, oldest first, at most one of each game. Times are those of one monotonic clock."""

    def __init__(self) -> None:
        self._requests: dict[int, _Request] = {}
        self._done_s = 0.0

    @property
    def games(self) -> list[int]:
        """Games whose request is out, abandoned ones included, oldest first."""
        return list(self._requests)

    def add(self, game: int, turn: int, limit_ms: int, now_s: float) -> None:
        self._requests[game] = _Request(turn, now_s, limit_ms)

    def done(self, game: int, now_s: float) -> tuple[float, int]:
        """The process is done with a request: the time it is charged for and the limit it had, in ms."""
        is_oldest = next(iter(self._requests)) == game
        request = self._requests.pop(game)
        started_s = request.started_s if is_oldest else max(request.started_s, self._done_s)
        self._done_s = now_s
        if is_oldest:
            self._start_oldest(now_s)
        return max(0.0, now_s - started_s) * 1000, request.limit_ms

    def abandon(self, game: int) -> None:
        """The game is over; its request, if one is out, is not waited for."""
        if game in self._requests:
            self._requests[game].is_abandoned = True

    def late(self, game: int, turn: int, now_s: float) -> None:
        """A move came that answers nothing; perhaps it is that of an abandoned request."""
        request = self._requests.get(game)
        if request is not None and request.is_abandoned and request.turn == turn:
            self.done(game, now_s)

    def overdue(self, now_s: float) -> tuple[int, int] | None:
        """Turn and limit in ms of the oldest request, if its time has passed. Abandoned ones are let go."""
        while self._requests:
            game, oldest = next(iter(self._requests.items()))
            if (now_s - oldest.started_s) * 1000 <= oldest.limit_ms:
                return None
            if not oldest.is_abandoned:
                return oldest.turn, oldest.limit_ms
            self.done(game, now_s)
        return None

    def _start_oldest(self, now_s: float) -> None:
        oldest = next(iter(self._requests.values()), None)
        if oldest is not None:
            oldest.started_s = max(oldest.started_s, now_s)
