"""One bot process as the arena talks to it: the handshake, the games it holds, and how it ends.

When a process dies or is put down, one of its games is charged with the fault, and the others are void and played
again. Which one is clear if the fault names it, or if the process had a single request before it. Otherwise its last
answers may be lost in its own buffers, and the games in question are played again each alone on a fresh process,
where the fault shows whose it is. So equal bots make equal results, however many games a process holds.
"""

from typing import Literal, Protocol

from arena import __version__
from arena.bots.manifest import Bot
from arena.bots.process import BotProcess
from arena.bots.requests import RequestQueue
from arena.bots.transport import Endpoint
from arena.clock import SteadyClock
from arena.referee import Fault
from protocol.errors import RemoteProtocolError
from protocol.messages import Error, ErrorCode, GameEnd, GameStart, Hello, MoveReply, Turn
from protocol.session import Dropped, RefereeSession

__all__ = ["Connection", "Guest", "Owner"]

MAX_GAMES = 64
"""At one process, however many its hello offers."""
LAST_WORDS_S = 0.05
"""How long messages of a process that has ended may still be on their way through the socket."""


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


class Owner(Protocol):
    """Who started the process and takes it away."""

    def on_ready(self, connection: "Connection") -> None:
        """Its hello was accepted."""

    def on_gone(self, connection: "Connection") -> None:
        """It is not to be used any more: at fault, or done with the one game it was for."""


class Connection:
    """A running bot process.

    state: `starting` until its hello is accepted, then `ready`; `gone` for good after a fault, or when it was
    told goodbye.
    """

    def __init__(
        self,
        bot: Bot,
        game_name: str,
        process: BotProcess,
        endpoint: Endpoint,
        clock: SteadyClock,
        startup_ms: int,
        owner: Owner,
        is_for_one_game: bool = False,
    ) -> None:
        self.bot = bot
        self.process = process
        self.endpoint = endpoint
        self.state: Literal["starting", "ready", "gone"] = "starting"
        self.fault: Fault | None = None
        self._clock = clock
        self._startup_ms = startup_ms
        self._started_s = clock.now_s()
        self._owner = owner
        self._is_for_one_game = is_for_one_game
        self._session = RefereeSession(process.token, [game_name])
        self._peer: bytes | None = None
        self._requests = RequestQueue()
        self._guests: dict[int, Guest] = {}
        self._forfeited: set[int] = set()
        self._begun: set[int] = set()
        self._max_games = 0
        self._games_reserved = 0
        self._games_joined = 0
        self._games_ended = 0
        self._ended_s: float | None = None

    @property
    def games(self) -> int:
        """Games it holds now, or keeps a place for."""
        return len(self._guests) + len(self._forfeited) + self._games_reserved

    @property
    def has_room(self) -> bool:
        """Whether it can take one more game now."""
        return not self._is_for_one_game and self.games < self._max_games

    @property
    def is_idle(self) -> bool:
        """Whether it has no game yet, or none any more."""
        return not self._is_for_one_game and self.games == 0

    @property
    def died_after_start(self) -> bool:
        """Whether it is gone after it had once been given a game."""
        return self.fault is not None and self.fault.reason != "startup_failure"

    def reserve(self) -> None:
        """Keep a place for a game that will begin once its other seats are ready."""
        self._games_reserved += 1

    def join(self, guest: Guest) -> int:
        """Take a reserved place. Returns the game's number on this connection."""
        self._games_reserved -= 1
        self._games_joined += 1
        self._guests[self._games_joined] = guest
        return self._games_joined

    def start_game(self, start: GameStart) -> None:
        if self.state == "ready":
            self._send(self._session.game_start(start))

    def ask(self, turn: Turn) -> None:
        """Ask for a decision. Its guest hears of the outcome, at once if the process never started."""
        guest = self._guests[turn.game]
        if self.fault is not None:
            guest.failed(self.fault)
            return
        self._requests.add(turn.game, turn.turn, guest.limit_ms(), self._clock.now_s())
        self._send(self._session.turn(turn))

    def forfeit(self, game: int, fault: Fault) -> None:
        """Tell the bot of a fault in one game that leaves the process and its other games alone."""
        del self._guests[game]
        self._forfeited.add(game)
        self._requests.abandon(game)
        self._send(self._session.error(Error(fault.reason, fault.detail, game)))

    def end_game(self, end: GameEnd) -> None:
        """The game is over for this process."""
        self._requests.abandon(end.game)
        self._begun.discard(end.game)
        is_known = self._guests.pop(end.game, None) is not None or end.game in self._forfeited
        self._forfeited.discard(end.game)
        if is_known and self.state == "ready":
            self._games_ended += 1
            self._send(self._session.game_end(end))
            if self._is_for_one_game:
                self.say_goodbye()
                self._owner.on_gone(self)

    def say_goodbye(self) -> None:
        """Ask the process to exit."""
        if self.state == "ready":
            self._send(self._session.goodbye())
            self.state = "gone"

    def on_readable(self, arrived_s: float) -> None:
        """Take in what has arrived from the bot."""
        while self.state != "gone" and (frames := self.endpoint.receive()) is not None:
            try:
                self._take(frames, arrived_s)
            except RemoteProtocolError as error:
                if error.game in self._guests:
                    self._fail(error.game, Fault("protocol_error", str(error)), arrived_s)
                elif error.game not in self._forfeited:
                    self._end("protocol_error", str(error))

    def on_ended(self, now_s: float) -> None:
        """The operating system says that the process has ended."""
        if self._ended_s is None:
            self._ended_s = now_s

    def check_time(self, now_s: float) -> None:
        """Find out whether a deadline has passed. Call it after everything that had arrived was taken in."""
        if self.state == "gone":
            return
        if self.process.pidfd is None and self.process.exit_status() is not None:
            self.on_ended(now_s)
        if self._ended_s is not None:
            if now_s - self._ended_s >= LAST_WORDS_S:
                self._end("crash", f"the process ended, {self.process.exit_status()}")
        elif self.state == "starting":
            if (now_s - self._started_s) * 1000 > self._startup_ms:
                self._end("startup_failure", f"no hello within {self._startup_ms} ms")
        elif overdue := self._requests.overdue(now_s):
            turn, limit_ms = overdue
            self._end("timeout", f"turn {turn}: no answer within {limit_ms} ms")

    def _take(self, frames: list[bytes], arrived_s: float) -> None:
        peer, *body = frames
        if len(body) != 1:
            hint = ", as a REQ socket sends it; use DEALER" if body and not body[0] else ""
            raise RemoteProtocolError(f"expected one frame a message, got {len(body)}{hint}")
        if peer != self._peer and self._peer is not None:
            raise RemoteProtocolError("expected one connection a process, got a second one")
        self._peer = peer
        message = self._session.receive(body[0])
        if isinstance(message, MoveReply):
            self._answered(message, arrived_s)
        elif isinstance(message, Dropped):
            self._requests.late(message.game, message.turn, arrived_s)
        elif isinstance(message, Hello):
            self._welcome(message)

    def _welcome(self, hello: Hello) -> None:
        self.endpoint.hide()
        self.state = "ready"
        self._max_games = min(hello.max_games, MAX_GAMES)
        self._send(self._session.welcome(__version__))
        self._owner.on_ready(self)

    def _answered(self, reply: MoveReply, arrived_s: float) -> None:
        elapsed_ms, limit_ms = self._requests.done(reply.game, arrived_s)
        if elapsed_ms > limit_ms:
            detail = f"turn {reply.turn}: answered after {elapsed_ms:.0f} ms of {limit_ms} ms"
            self._end("timeout", detail, reply.game)
        else:
            self._begun.add(reply.game)
            self._guests[reply.game].answered(reply, elapsed_ms)

    def _fail(self, game: int, fault: Fault, arrived_s: float) -> None:
        """A malformed message in one game: it stands for the answer that was due there, if one was."""
        guest = self._guests[game]
        if game in self._requests.games:
            self._requests.done(game, arrived_s)
        self.forfeit(game, fault)
        guest.failed(fault)

    def _send(self, payload: bytes) -> None:
        if self._peer is not None:
            self.endpoint.post(self._peer, payload)

    def _end(self, reason: ErrorCode, detail: str, game: int | None = None) -> None:
        """Put the process down and settle its games. game: the one that is at fault, if that is clear."""
        if self._games_joined == 0:
            reason = "startup_failure"
        if self._session.state != "opening":
            self._send(self._session.error(Error(reason, detail, game)))
        self.state = "gone"
        self.fault = Fault(reason, detail)
        suspects = [game] if game is not None else self._requests.games or list(self._guests)
        self._owner.on_gone(self)
        self._charge(self.fault, suspects)

    def _charge(self, fault: Fault, suspects: list[int]) -> None:
        """One suspect is charged; of several, nobody knows which. All other games are void."""
        guests, self._guests = self._guests, {}
        is_clear = len(suspects) == 1 and not self._died_between_games(suspects[0], fault)
        charged = guests.pop(suspects[0], None) if is_clear else None
        for number, guest in guests.items():
            guest.voided(is_suspect=not is_clear and number in suspects)
        if charged is not None:
            charged.failed(fault)

    def _died_between_games(self, game: int, fault: Fault) -> bool:
        """Whether an earlier game may be to blame."""
        return fault.reason == "crash" and game not in self._begun and self._games_ended > 0
