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
from typing import NoReturn, Protocol, TypeAlias, cast

import zmq

from protocol.codec import CODECS, Encoding
from protocol.errors import LocalProtocolError, one_line
from protocol.messages import (
    PROTOCOL_VERSION,
    Error,
    GameEnd,
    GameStart,
    Goodbye,
    Hello,
    Move,
    RefereeMessage,
    Turn,
    Welcome,
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
    endpoint, token = _environment("ARENA_ENDPOINT"), _environment("ARENA_TOKEN")
    session = BotSession(encoding or _encoding())
    _buffer_lines(sys.stdout)
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.linger = LINGER_MS
        socket.rcvtimeo = POLL_MS
        socket.connect(endpoint)
        socket.send(session.hello(Hello(PROTOCOL_VERSION, name, version, token, list(games), max_games)))
        _play(socket, session, _Table(choose))


class _Table:
    """Who decides in which game."""

    def __init__(self, choose: Choose | type[Bot]) -> None:
        self._choose = choose
        self._bots: dict[int, Bot] = {}
        self.chooser: dict[int, Choose] = {}

    def game_start(self, start: GameStart) -> None:
        if isinstance(self._choose, type):
            bot = self._bots[start.game] = self._choose(start)
            self.chooser[start.game] = bot.choose
        else:
            self.chooser[start.game] = self._choose

    def game_end(self, end: GameEnd) -> None:
        del self.chooser[end.game]
        bot = self._bots.pop(end.game, None)
        told = getattr(bot, "game_end", None)
        if told is not None:
            told(end)


def _play(socket: "zmq.Socket[bytes]", session: BotSession, table: _Table) -> None:
    parent, polls = os.getppid(), 0
    while True:
        try:
            payload = socket.recv()
        except zmq.Again:
            polls += 1
            if os.getppid() != parent or (session.state == "greeted" and polls >= WELCOME_POLLS):
                return
            continue
        message = session.receive(payload)
        if type(message) is Turn:
            answer = table.chooser[message.game](message)
            move, note = answer if type(answer) is tuple else (answer, None)
            socket.send(session.move(message, move, note))
        elif type(message) is Goodbye:
            return
        else:
            _note(message, table)
