"""A bot's place at one game: its clock there, and the rules of the game held against what it answers."""

from pathlib import Path
from typing import Any, Literal

from arena.bots.connection import Connection
from arena.clock import Allowance
from arena.games.base import Game
from arena.referee import Decision, Fault, Request
from arena.table import Table
from protocol.messages import Clock, GameEnd, GameStart, Move, MoveReply, Turn

__all__ = ["BotSeat"]


class BotSeat:
    """A connection's guest: the seat that one bot process plays in one game.

    log: after a fault, where the process printed to and how that ends.
    """

    def __init__(
        self,
        connection: Connection,
        table: Table,
        game: Game[Any, Any],
        seat: int,
        clock: Clock,
        rng_seed: int,
    ) -> None:
        self.connection = connection
        self._table = table
        self._game = game
        self._seat = seat
        self._clock = clock
        self._rng_seed = rng_seed
        self._allowance = Allowance(clock.move_ms, clock.bank_ms)
        self._request: Request | None = None
        self._fault: Fault | None = None
        self._offered: list[Move] = []
        self._number = 0
        self.log: tuple[Path, str] | None = None
        connection.reserve()

    @property
    def is_ready(self) -> bool:
        """Whether the process has said hello, or never will."""
        return self.connection.state != "starting"

    def start(self) -> None:
        """Tell the bot of the game."""
        self._number = self.connection.join(self)
        self.connection.start_game(
            GameStart(
                game=self._number,
                name=self._game.name,
                seat=self._seat,
                seats=self._game.seats,
                options=self._game.options,
                clock=self._clock,
                rng_seed=self._rng_seed,
            )
        )

    def ask(self, request: Request) -> None:
        """Pass a request on; the table hears of the reply, perhaps before this returns."""
        if self._fault is not None:
            self._table.deliver(self._seat, self._fault)
            return
        self._request = request
        self._offered = [self._game.encode_move(move) for move in request.legal]
        self.connection.ask(
            Turn(
                game=self._number,
                turn=request.turn,
                seat=self._seat,
                time_ms=self._allowance.limit_ms(),
                observation=request.observation,
                legal=self._offered,
            )
        )

    def end(
        self, status: Literal["finished", "forfeit", "void"], scores: list[int], ranks: list[int]
    ) -> None:
        """The game is over, or is not to be."""
        self.connection.end_game(GameEnd(self._number, status, scores, ranks))

    def limit_ms(self) -> int:
        return self._allowance.limit_ms()

    def answered(self, reply: MoveReply, elapsed_ms: float) -> None:
        assert self._request is not None
        self._allowance.charge(elapsed_ms)
        if reply.move in self._offered:
            move = self._request.legal[self._offered.index(reply.move)]
            self._request = None
            self._table.deliver(self._seat, Decision(move, reply.note, elapsed_ms))
            return
        fault = Fault("illegal_move", self._illegal(self._request, reply.move))
        self.connection.forfeit(self._number, fault)
        self.failed(fault)

    def failed(self, fault: Fault) -> None:
        self.log = (self.connection.process.log, self.connection.process.log_tail())
        self._fault = fault
        if self._request is not None:
            self._table.deliver(self._seat, fault)

    def voided(self, is_suspect: bool) -> None:
        self._table.void(is_suspect)

    def _illegal(self, request: Request, move: Move) -> str:
        came = self._game.describe_illegal(move, request.legal)
        return f"turn {request.turn}: got {came}; expected {self._game.describe_some(request.legal)}"
