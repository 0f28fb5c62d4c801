"""The session of one connection, without input, output or time: bytes in, messages out, and the reverse.

Both sides follow the same two tables. A step that is not in them is the peer's fault when it comes in
(RemoteProtocolError) and a bug when we would send it (LocalProtocolError).
"""

import hmac
from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from msgspec import Struct

from protocol.codec import CODECS, Codec, Encoding, encoding_of, message_type
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.messages import (
    PROTOCOL_VERSION,
    Error,
    GameEnd,
    GameStart,
    Goodbye,
    Hello,
    Move,
    MoveReply,
    RefereeMessage,
    Turn,
    Welcome,
)

__all__ = ["CONNECTION", "GAME", "MAX_STRAYS", "BotSession", "Dropped", "RefereeSession", "markdown_table"]

Table = Mapping[tuple[str, str], str]

CONNECTION: Final[Table] = {
    ("opening", "hello"): "greeted",
    ("greeted", "welcome"): "open",
    ("greeted", "error"): "greeted",
    ("greeted", "goodbye"): "closed",
    ("open", "game_start"): "open",
    ("open", "turn"): "open",
    ("open", "move"): "open",
    ("open", "error"): "open",
    ("open", "game_end"): "open",
    ("open", "goodbye"): "closed",
    ("broken", "error"): "broken",
    ("broken", "game_end"): "broken",
    ("broken", "goodbye"): "closed",
}
"""(state, message) -> state of a connection. A fault that is not one game's leads to `broken`;
what a bot sends in `broken` or `closed` is not read."""

GAME: Final[Table] = {
    ("new", "game_start"): "waiting",
    ("waiting", "turn"): "asked",
    ("waiting", "repeated move"): "waiting",
    ("waiting", "error"): "faulted",
    ("waiting", "game_end"): "over",
    ("asked", "move"): "waiting",
    ("asked", "repeated move"): "asked",
    ("asked", "error"): "faulted",
    ("asked", "game_end"): "over",
    ("faulted", "late move"): "faulted",
    ("faulted", "game_end"): "over",
    ("over", "late move"): "over",
}
"""(state, message) -> state of one game on a connection. A `repeated move` is for a turn that is already
answered, a `late move` for a game that is over or faulted; both are dropped."""

MAX_STRAYS = 32
"""Dropped moves in a row that a connection tolerates, besides one for each of its `max_games`."""

DROPPED = frozenset({"repeated move", "late move"})
BY_BOT = DROPPED | {"hello", "move"}


def markdown_table(table: Table) -> str:
    """The table as it stands in PROTOCOL.md."""
    rows = [
        f"| {state} | {event} | {'bot' if event in BY_BOT else 'referee'} | {after} |"
        for (state, event), after in table.items()
    ]
    return "\n".join(["| state | message | from | next state |", "|---|---|---|---|", *rows])


def _allowed(table: Table, state: str, event: str) -> str:
    """What the sender of `event` may send in that state."""
    by_bot = event in BY_BOT
    return " or ".join(e for at, e in table if at == state and (e in BY_BOT) == by_bot) or "nothing"


def _tag(message: Struct) -> str:
    return message_type(type(message))


class _Game:
    """A running game: its state, its latest turn, the turns answered so far."""

    __slots__ = ("answered", "state", "turn")

    def __init__(self, state: str) -> None:
        self.state = state
        self.turn = -1
        self.answered: set[int] = set()


class _Session:
    """What both sides know: the state of the connection and of its running games, oldest first.

    A step method returns what is wrong with the step, or None; a wrong step changes nothing.
    """

    def __init__(self) -> None:
        self.state = "opening"
        self._games: dict[int, _Game] = {}
        self._latest_game = -1

    @property
    def running(self) -> tuple[int, ...]:
        """Numbers of the games that are started and not over, oldest first."""
        return tuple(self._games)

    def _step(self, event: str) -> str | None:
        after = CONNECTION.get((self.state, event))
        if after is None:
            expected = _allowed(CONNECTION, self.state, event)
            return f"expected {expected} on a {self.state} connection, got {event}"
        self.state = after
        return None

    def _game_step(self, number: int, event: str) -> str | None:
        state = self._game_state(number)
        after = GAME.get((state, event))
        if after is None:
            return f"expected {_allowed(GAME, state, event)} in game {number}, which is {state}, got {event}"
        if state == "new":
            self._games[number] = _Game(after)
            self._latest_game = number
        elif after != "over":
            self._games[number].state = after
        elif state != "over":
            del self._games[number]
        return None

    def _game_state(self, number: int) -> str:
        game = self._games.get(number)
        if game is not None:
            return game.state
        return "over" if number <= self._latest_game else "new"

    def _referee_step(self, message: RefereeMessage) -> str | None:
        """The step that a message of the referee makes, on either side."""
        event = _tag(message)
        wrong = self._step(event)
        if wrong is None and isinstance(message, Turn):
            return self._turn_step(message)
        number = getattr(message, "game", None)
        return wrong if wrong is not None or number is None else self._game_step(number, event)

    def _turn_step(self, turn: Turn) -> str | None:
        game = self._games.get(turn.game)
        if game is not None and turn.turn <= game.turn:
            return f"expected a turn after {game.turn} in game {turn.game}, got turn {turn.turn}"
        wrong = self._game_step(turn.game, "turn")
        if wrong is None:
            self._games[turn.game].turn = turn.turn
        return wrong

    def _move_event(self, number: int, turn: int) -> str:
        """What a move is in the table of its game; `unasked move` is never in it."""
        game = self._games.get(number)
        if game is None:
            return "late move" if number <= self._latest_game else "unasked move"
        if game.state == "asked" and turn == game.turn:
            return "move"
        if game.state == "faulted":
            return "late move"
        return "repeated move" if turn in game.answered else "unasked move"

    def _move_step(self, number: int, turn: int, event: str) -> str | None:
        wrong = self._step("move")
        if wrong is not None:
            return wrong
        if self._game_step(number, event) is not None:
            game = self._games.get(number)
            if game is None:
                return f"expected {self._outstanding()}, got a move for turn {turn} of game {number}"
            due = f"a move for turn {game.turn}" if game.state == "asked" else "no move in this game"
            return f"expected {due}, got one for turn {turn}"
        if event == "move":
            self._games[number].answered.add(turn)
        return None

    def _outstanding(self) -> str:
        asked = [f"turn {game.turn} of game {n}" for n, game in self._games.items() if game.state == "asked"]
        return f"a move for {' or '.join(asked[:4])}" if asked else "no move"


class Dropped(NamedTuple):
    """A move that was dropped: it answers nothing, or a turn of a game that is over."""

    game: int
    turn: int


class RefereeSession(_Session):
    """The referee's side of one bot process.

    token: what its `hello` must carry.  games_wanted: names of games that its `hello` must list.
    hello: the bot's greeting, once it came.
    """

    def __init__(self, token: str, games_wanted: Collection[str] = ()) -> None:
        super().__init__()
        self.hello: Hello | None = None
        self._strays = 0
        self._token = token.encode()
        self._games_wanted = games_wanted
        self._codec: Codec | None = None

    def receive(self, payload: bytes) -> Hello | MoveReply | Dropped | None:
        """The message in a frame that came from the bot; None when the connection is broken or closed.

        Raises RemoteProtocolError; after a fatal one only `error`, `game_end` and `goodbye` can be sent.
        """
        if self.state in ("broken", "closed"):
            return None
        try:
            return self._receive_hello(payload) if self.hello is None else self._receive_move(payload)
        except RemoteProtocolError as error:
            if error.is_fatal:
                self.state = "broken"
            raise

    def welcome(self, arena: str) -> bytes:
        """arena: the referee's version."""
        return self._send(Welcome(PROTOCOL_VERSION, arena))

    def game_start(self, message: GameStart) -> bytes:
        """Game numbers rise on a connection; at most `max_games` of those that `hello` lists run at once."""
        assert self.hello is not None
        if message.name not in self.hello.games:
            raise LocalProtocolError(f"the bot does not play {message.name}")
        if len(self._games) >= self.hello.max_games:
            raise LocalProtocolError(f"the bot holds {self.hello.max_games} games and no more")
        return self._send(message)

    def turn(self, message: Turn) -> bytes:
        """Turn numbers rise within a game, and a game has at most one turn outstanding."""
        return self._send(message)

    def game_end(self, message: GameEnd) -> bytes:
        """Ends a running game; a move that crosses it on its way is dropped."""
        return self._send(message)

    def error(self, message: Error) -> bytes:
        """With a game: all that can follow in that game is its end."""
        return self._send(message)

    def goodbye(self) -> bytes:
        """Closes the session: what comes later is not read."""
        return self._send(Goodbye())

    def _send(self, message: RefereeMessage) -> bytes:
        if self._codec is None:
            raise LocalProtocolError(f"no hello has come: the encoding of {_tag(message)} is not known")
        wrong = self._referee_step(message)
        if wrong is not None:
            raise LocalProtocolError(wrong)
        return self._codec.encode(message)

    def _receive_hello(self, payload: bytes) -> Hello:
        codec = self._codec = CODECS[encoding_of(payload)]
        spoken = codec.peek(payload).protocol
        if spoken is not None and spoken != PROTOCOL_VERSION:
            raise self._fault(f"expected protocol {PROTOCOL_VERSION}, got protocol {spoken}")
        message = codec.decode_bot_message(payload)
        if not isinstance(message, Hello):
            raise self._fault("expected hello as the first message, got move")
        if not hmac.compare_digest(message.token.encode(), self._token):
            raise self._fault("expected the token in ARENA_TOKEN, got another one")
        for name in self._games_wanted:
            if name not in message.games:
                raise self._fault(f"expected a bot that plays {name}, got one for {', '.join(message.games)}")
        self._step("hello")
        self.hello = message
        return message

    def _receive_move(self, payload: bytes) -> MoveReply | Dropped:
        assert self._codec is not None
        try:
            reply = self._codec.decode_bot_message(payload)
        except RemoteProtocolError as error:
            raise self._fault(str(error), self._codec.peek(payload).game) from None
        if isinstance(reply, Hello):
            raise self._fault("expected move, got a second hello")
        event = self._move_event(reply.game, reply.turn)
        wrong = self._move_step(reply.game, reply.turn, event)
        if wrong is not None:
            raise self._fault(wrong, reply.game)
        if event in DROPPED:
            self._drop()
            return Dropped(reply.game, reply.turn)
        self._strays = 0
        return reply

    def _drop(self) -> None:
        assert self.hello is not None
        self._strays += 1
        if self._strays > MAX_STRAYS + self.hello.max_games:
            raise self._fault(
                f"expected answers to turns, got {self._strays} moves in a row that answer none"
            )

    def _fault(self, text: str, game: int | None = None) -> RemoteProtocolError:
        """game: as the refused message names it. Only a fault that names a running game is not fatal."""
        if game in self._games:
            return RemoteProtocolError(text, game)
        return RemoteProtocolError(text)


class BotSession(_Session):
    """A bot's side of its connection."""

    def __init__(self, encoding: Encoding = "msgpack") -> None:
        super().__init__()
        self._codec = CODECS[encoding]

    def hello(self, hello: Hello) -> bytes:
        """The first message."""
        wrong = self._step("hello")
        if wrong is not None:
            raise LocalProtocolError(wrong)
        return self._codec.encode(hello)

    def receive(self, payload: bytes) -> RefereeMessage:
        """The message in a frame that came from the referee. Raises RemoteProtocolError."""
        message = self._codec.decode_referee_message(payload)
        if isinstance(message, Welcome) and message.protocol != PROTOCOL_VERSION:
            text = f"expected protocol {PROTOCOL_VERSION}, got protocol {message.protocol}"
            raise RemoteProtocolError(text)
        wrong = self._referee_step(message)
        if wrong is not None:
            raise RemoteProtocolError(wrong)
        return message

    def move(self, turn: Turn, move: Move, note: str | None = None) -> bytes:
        """The answer to a turn that is outstanding. note: at most 200 characters."""
        event = self._move_event(turn.game, turn.turn)
        if event != "move":
            raise LocalProtocolError(
                f"expected {self._outstanding()}, got an answer to turn {turn.turn} of game {turn.game}"
            )
        wrong = self._move_step(turn.game, turn.turn, event)
        if wrong is not None:
            raise LocalProtocolError(wrong)
        return self._codec.encode(MoveReply(turn.game, turn.turn, move, note))
