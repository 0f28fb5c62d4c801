"""One fixture being played: its game, its seats, and the game's loop driven by what the seats reply."""

from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from arena.referee import Fault, GamePlay, Played, Reply, Request

__all__ = ["AbsentSeat", "Seat", "Table"]


class Seat(Protocol):
    """Who decides for one seat of a table: a bot's process, or a person."""

    @property
    def is_ready(self) -> bool:
        """Whether the game can begin."""

    def start(self) -> None:
        """The game begins."""

    def ask(self, request: Request, /) -> None:
        """Decide; the table is told by `deliver`, perhaps before this returns."""

    def end(
        self, status: Literal["finished", "forfeit", "void"], scores: list[int], ranks: list[int]
    ) -> None:
        """The game is over."""


class AbsentSeat:
    """The seat of a bot that could not be started."""

    is_ready = True

    def __init__(self, table: "Table", seat: int, fault: Fault) -> None:
        self._deliver: Callable[[], None] = lambda: table.deliver(seat, fault)

    def start(self) -> None:
        pass

    def ask(self, _: Request) -> None:
        self._deliver()

    def end(self, *_: object) -> None:
        pass


class Table:
    """A game under way. `played` is set when it has come to its end, `is_void` when it never will.

    is_suspect: it is void, perhaps by the fault of one of its bots; it has to be played where that shows.
    """

    def __init__(self, play: GamePlay) -> None:
        self.played: Played | None = None
        self.is_void = False
        self.is_suspect = False
        self._play = play
        self._seats: Sequence[Seat] = ()
        self._open: list[int] = []
        self._replies: dict[int, Reply] = {}
        self._advancing = False

    @property
    def is_over(self) -> bool:
        return self.is_void or self.played is not None

    def start(self, seats: Sequence[Seat]) -> None:
        self._seats = seats
        for seat in seats:
            seat.start()
        self._advancing = True
        self._ask(next(self._play))
        self._advancing = False
        self._advance()

    def deliver(self, seat: int, reply: Reply) -> None:
        """The reply of a seat that was asked and has not replied yet."""
        if not self.is_over:
            assert seat in self._open, f"seat {seat} was not asked"
            assert seat not in self._replies, f"seat {seat} has replied already"
            self._replies[seat] = reply
            self._advance()

    def void(self, is_suspect: bool = False) -> None:
        """The game does not count: tell the seats, and let it be played again."""
        if not self.is_over:
            self.is_void = True
            self.is_suspect = is_suspect
            self._play.close()
            self._end("void", [], [])

    def _advance(self) -> None:
        """Go on while every open request has its reply. Seats that reply at once do not nest calls."""
        if self._advancing:
            return
        self._advancing = True
        while not self.is_over and len(self._replies) == len(self._open):
            replies = [self._replies[seat] for seat in self._open]
            try:
                requests = self._play.send(replies)
            except StopIteration as stop:
                self.played = stop.value
                outcome = stop.value.outcome
                self._end(outcome.status, outcome.scores, outcome.ranks)
            else:
                self._ask(requests)
        self._advancing = False

    def _ask(self, requests: list[Request]) -> None:
        self._open = [request.seat for request in requests]
        self._replies = {}
        for request in requests:
            if self.is_over:
                return
            self._seats[request.seat].ask(request)

    def _end(
        self, status: Literal["finished", "forfeit", "void"], scores: list[int], ranks: list[int]
    ) -> None:
        for seat in self._seats:
            seat.end(status, scores, ranks)
