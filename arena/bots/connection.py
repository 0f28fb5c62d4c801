"""One bot process as the arena talks to it: the handshake, the games it holds, whose clock runs, how it ends.

A process answers for one game at a time: of the requests that wait for it only the oldest one's clock runs, from
when it was sent or when the process answered its previous one, whichever is later.

When a process dies or is put down, one of its games is charged with the fault, and the others are void and played
again. Which one is clear if the fault names it, or if the process had a single request before it. Otherwise its last
answers may be lost in its own buffers, and the games in question are played again each alone on a fresh process,
where the fault shows whose it is. So equal bots make equal results, however many games a process holds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from arena import __version__
from arena.bots.manifest import Bot
from arena.bots.process import BotProcess
from arena.bots.transport import Endpoint
from arena.clock import SteadyClock
from arena.referee import Fault
from protocol.errors import RemoteProtocolError
from protocol.messages import (
    Error,
    ErrorCode,
    GameEnd,
    GameStart,
    Hello,
    MoveReply,
    Turn,
)
from protocol.session import RefereeSession

__all__ = ["Connection", "Guest"]

LAST_WORDS_S = 0.05
"""How long messages of a process that has ended may still be on their way through the socket."""

MAX_GAMES = 64
"""At one process, however many its hello offers."""


class Guest(Protocol):
    """A seat that a process plays, as its connection sees it."""

    def limit_ms(self) -> int:
        """What the decision that is due may take."""

    def answered(self, reply: MoveReply, elapsed_ms: float) -> None:
        """The move for the turn that was asked has come in time."""

    def failed(self, fault: Fault) -> None:
        """The bot has forfeited this game; its process may be gone. A decision need not be due."""

    def voided(self, is_suspect: bool) -> None:
        """The process is gone, by another game's fault, or perhaps by this one's."""


@dataclass(slots=True)
class _Waiting:
    """A request that was sent. started_s: when its clock started, if it is the oldest."""

    turn: int
    started_s: float
    limit_ms: int


class Connection:
    """A running bot process. It is `starting` until its hello was accepted, and `gone` for good after a fault."""

    def __init__(
        self,
        bot: Bot,
        game_name: str,
        process: BotProcess,
        endpoint: Endpoint,
        clock: SteadyClock,
        startup_ms: int,
        on_gone: Callable[["Connection"], None],
    ) -> None:
        self.bot = bot
        self.process = process
        self.endpoint = endpoint
        self.state = "starting"
        self.max_games = 0
        self.fault: Fault | None = None
        self._clock = clock
        self._startup_ms = startup_ms
        self._started_s = clock.now_s()
        self._on_gone = on_gone
        self._session = RefereeSession(process.token, [game_name])
        self._peer: bytes | None = None
        self._guests: dict[int, Guest] = {}
        self._games_joined = 0
        self._reserved = 0
        self._is_exclusive = False
        self._games_ended = 0
        self._begun: set[int] = set()
        self._waiting: dict[int, _Waiting] = {}
        self._answered_s = 0.0
        self._ended_s: float | None = None

    @property
    def games(self) -> int:
        """Games it holds now, or keeps a place for."""
        return len(self._guests) + self._reserved

    @property
    def died_after_start(self) -> bool:
        """Whether it is gone after it had once been ready."""
        return self.fault is not None and self.fault.reason != "startup_failure"

    def has_room(self) -> bool:
        """Whether it is ready for one more game."""
        return not self._is_exclusive and self.games < self.max_games

    def reserve(self, is_exclusive: bool) -> None:
        """Keep a place for a game that will begin once its other seats are ready.

        is_exclusive: as long as that game goes on, no other one comes.
        """
        self._reserved += 1
        self._is_exclusive = is_exclusive

    def join(self, guest: Guest) -> int:
        """Take a reserved place. Returns the game's number on this connection."""
        self._reserved -= 1
        self._games_joined += 1
        self._guests[self._games_joined] = guest
        return self._games_joined

    def start_game(self, start: GameStart) -> None:
        if self.state == "ready":
            self._send(self._session.game_start(start))

    def ask(self, turn: Turn) -> None:
        """Ask for a decision. Its guest hears of the outcome, at once if the process never started."""
        if self.fault is not None:
            self._guests[turn.game].failed(self.fault)
            return
        limit_ms = self._guests[turn.game].limit_ms()
        self._waiting[turn.game] = _Waiting(turn.turn, self._clock.now_s(), limit_ms)
        self._send(self._session.turn(turn))

    def report(self, error: Error) -> None:
        """Tell the bot of a forfeit that it survives."""
        if self.state == "ready":
            self._send(self._session.error(error))

    def end_game(self, end: GameEnd) -> None:
        """The game is over for this process, whether it was started or not."""
        self._waiting.pop(end.game, None)
        self._begun.discard(end.game)
        self._is_exclusive = False
        if self._guests.pop(end.game, None) is not None and self.state == "ready":
            self._games_ended += 1
            self._send(self._session.game_end(end))

    def say_goodbye(self) -> None:
        """Ask the process to exit."""
        if self.state == "ready":
            self._send(self._session.goodbye())
            self.state = "leaving"

    def on_readable(self) -> None:
        """Take in what has arrived from the bot."""
        while self.state not in ("gone", "leaving") and (frames := self.endpoint.receive()) is not None:
            try:
                self._take(frames)
            except RemoteProtocolError as error:
                if error.fatal or error.game not in self._guests:
                    self._end("protocol_error", str(error))
                else:
                    self._fail(error.game, Fault("protocol_error", str(error)))

    def on_ended(self) -> None:
        """The operating system says that the process has ended."""
        if self._ended_s is None:
            self._ended_s = self._clock.now_s()

    def check_time(self) -> None:
        """Find out whether a deadline has passed. Call it after everything that had arrived was taken in."""
        if self.state in ("gone", "leaving"):
            return
        now_s = self._clock.now_s()
        if self.process.pidfd is None and self.process.exit_status() is not None:
            self.on_ended()
        if self._ended_s is not None:
            if now_s - self._ended_s >= LAST_WORDS_S:
                self._end("crash", f"the process ended, {self.process.exit_status()}")
        elif self.state == "starting":
            if (now_s - self._started_s) * 1000 > self._startup_ms:
                self._end("startup_failure", f"no hello within {self._startup_ms} ms")
        elif self._waiting:
            oldest = next(iter(self._waiting.values()))
            if (now_s - oldest.started_s) * 1000 > oldest.limit_ms:
                self._end("timeout", f"turn {oldest.turn}: no answer within {oldest.limit_ms} ms")

    def _take(self, frames: list[bytes]) -> None:
        peer, *body = frames
        if len(body) != 1:
            hint = ", as a REQ socket sends it; use DEALER" if body and not body[0] else ""
            raise RemoteProtocolError(
                "protocol_error", f"expected one frame a message, got {len(body)}{hint}"
            )
        if peer != self._peer and self._peer is not None:
            raise RemoteProtocolError("protocol_error", "expected one connection a process, got a second one")
        self._peer = peer
        message = self._session.receive(body[0])
        if isinstance(message, MoveReply):
            self._answered(message)
        elif isinstance(message, Hello):
            self._welcome(message)

    def _welcome(self, hello: Hello) -> None:
        self.endpoint.hide()
        self.state = "ready"
        self.max_games = min(hello.max_games, MAX_GAMES)
        self._send(self._session.welcome(__version__))

    def _answered(self, reply: MoveReply) -> None:
        now_s = self._clock.now_s()
        is_oldest = next(iter(self._waiting)) == reply.game
        request = self._waiting[reply.game]
        elapsed_ms = (now_s - max(request.started_s, 0.0 if is_oldest else self._answered_s)) * 1000
        self._settle(reply.game)
        if elapsed_ms > request.limit_ms:
            detail = f"turn {request.turn}: answered after {elapsed_ms:.0f} ms of {request.limit_ms} ms"
            self._end("timeout", detail, reply.game)
        else:
            self._begun.add(reply.game)
            self._guests[reply.game].answered(reply, elapsed_ms)

    def _settle(self, game: int) -> None:
        """The process has answered a request, rightly or not: the next one's clock starts."""
        now_s = self._answered_s = self._clock.now_s()
        was_oldest = next(iter(self._waiting), None) == game
        self._waiting.pop(game, None)
        if was_oldest and self._waiting:
            oldest = next(iter(self._waiting.values()))
            oldest.started_s = max(oldest.started_s, now_s)

    def _fail(self, game: int, fault: Fault) -> None:
        """A fault in one game that leaves the process and its other games alone."""
        self._settle(game)
        self._send(self._session.error(Error(fault.reason, fault.detail, game)))
        self._guests[game].failed(fault)

    def _send(self, payload: bytes) -> None:
        if self._peer is not None:
            self.endpoint.post(self._peer, payload)

    def _end(self, reason: ErrorCode, detail: str, game: int | None = None) -> None:
        """Put the process down and settle its games."""
        if self.state == "starting":
            reason = "startup_failure"
        if self._session.state != "opening":
            self._send(self._session.error(Error(reason, detail, game if game in self._guests else None)))
        self.state = "gone"
        self.fault = Fault(reason, detail)
        self._on_gone(self)
        self._charge(self.fault, [game] if game in self._guests else list(self._waiting or self._guests))

    def _charge(self, fault: Fault, suspects: list[int]) -> None:
        """One suspect is charged; of several, nobody knows which. All other games are void."""
        guests, self._guests = self._guests, {}
        self._waiting.clear()
        is_clear = len(suspects) == 1 and not self._died_between_games(suspects[0], fault)
        charged = guests.pop(suspects[0]) if is_clear else None
        for number, guest in guests.items():
            guest.voided(is_suspect=not is_clear and number in suspects)
        if charged is not None:
            charged.failed(fault)

    def _died_between_games(self, game: int, fault: Fault) -> bool:
        """Whether an earlier game may be to blame."""
        return fault.reason == "crash" and game not in self._begun and self._games_ended > 0
