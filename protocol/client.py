"""The loop of a bot in Python: a whole bot is a function, or a class, and `run`.

    import random
    from protocol.client import run

    def choose(turn):
        return random.choice(turn.legal)

    run(choose, name="random", games=["cat_in_the_box"])

Its state is its own: give a class, and one object is made for every game.
"""

import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn, Protocol, TypeAlias

import zmq

from protocol.codec import CODECS, Encoding
from protocol.errors import one_line
from protocol.messages import (
    PROTOCOL_VERSION,
    Error,
    GameEnd,
    GameStart,
    Hello,
    Move,
    Turn,
)
from protocol.session import BotSession

__all__ = ["Answer", "Bot", "Choose", "run"]

POLL_MS = 1000
"""How often a bot without work looks whether its arena still lives."""
LINGER_MS = 500
"""How long a bot that ends waits for its last message to leave."""
WELCOME_POLLS = 60
"""How many times it looks before it gives up on a `welcome`."""

Answer: TypeAlias = Move | tuple[Move, str | None]
"""A move of `turn.legal`, alone or with a note for the record."""
Choose: TypeAlias = Callable[[Turn], Answer]


class Bot(Protocol):
    """One seat in one game. A class may also have `game_end(self, end: GameEnd) -> None`."""

    def __init__(self, start: GameStart) -> None: ...

    def choose(self, turn: Turn) -> Answer:
        """A move of `turn.legal`, alone or with a note for the record."""
        ...


def run(
    choose: Choose | type[Bot],
    name: str,
    games: Sequence[str],
    *,
    version: str = "",
    max_games: int = 16,
    encoding: Encoding | None = None,
) -> None:
    """Play until the arena says goodbye or is gone.

    choose: a function for every decision of every game, or a class that is made anew for each game.
    max_games: how many games may run at once.  encoding: else ARENA_ENCODING, else MessagePack.
    """
    parent = os.getppid()
    endpoint, token = _environment("ARENA_ENDPOINT"), _environment("ARENA_TOKEN")
    session = BotSession(encoding or _encoding())
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.linger = LINGER_MS
        socket.rcvtimeo = POLL_MS
        socket.connect(endpoint)
        socket.send(session.hello(Hello(PROTOCOL_VERSION, name, version, token, list(games), max_games)))
        _play(socket, session, _Seats(choose), parent)


class _Seats:
    """Who decides in which game: the function itself, or an object made for that game."""

    def __init__(self, choose: Choose | type[Bot]) -> None:
        self._choose = choose
        self._bots: dict[int, Bot] = {}
        self.choose: dict[int, Choose] = {}

    def start(self, start: GameStart) -> None:
        if isinstance(self._choose, type):
            bot = self._bots[start.game] = self._choose(start)
            self.choose[start.game] = bot.choose
        else:
            self.choose[start.game] = self._choose

    def end(self, end: GameEnd) -> None:
        del self.choose[end.game]
        game_end = getattr(self._bots.pop(end.game, None), "game_end", None)
        if game_end is not None:
            game_end(end)


def _play(socket: "zmq.Socket[bytes]", session: BotSession, seats: _Seats, parent: int) -> None:
    silent_polls = 0
    while session.state != "closed":
        try:
            payload = socket.recv()
        except zmq.Again:
            silent_polls += 1
            if os.getppid() != parent or (session.state == "greeted" and silent_polls >= WELCOME_POLLS):
                sys.exit("the arena is gone")
            continue
        message = session.receive(payload)
        if type(message) is Turn:
            answer = seats.choose[message.game](message)
            move, note = answer if isinstance(answer, tuple) else (answer, None)
            socket.send(session.move(message, move, note))
        elif isinstance(message, GameStart):
            seats.start(message)
        elif isinstance(message, GameEnd):
            seats.end(message)
        elif isinstance(message, Error):
            sys.stderr.write(f"{message.code}: {one_line(message.text)}\n")


def _environment(name: str) -> str:
    value = os.environ.get(name)
    if not value:
        _refuse(f"{name} is not set: a bot is started by `arena`, not by hand")
    return value


def _encoding() -> Encoding:
    value = os.environ.get("ARENA_ENCODING", "msgpack")
    if value not in CODECS:
        _refuse(f"ARENA_ENCODING is {value!r}, not one of {', '.join(CODECS)}")
    return value


def _refuse(text: str) -> NoReturn:
    sys.stderr.write(f"{text}\n")
    sys.exit(2)
