"""Short messages and sessions in a given state, for scripted conversations."""

from typing import Any

import msgspec
import pytest

from protocol.cat_in_the_box import Bid
from protocol.errors import RemoteProtocolError
from protocol.make_vectors import CLOCK, DISCARD_TWO, HELLO
from protocol.messages import (
    Error,
    GameEnd,
    GameStart,
    Goodbye,
    MoveReply,
    RefereeMessage,
    Turn,
    Welcome,
)
from protocol.session import RefereeSession

BID = Bid(1)


def start(game: int) -> GameStart:
    return GameStart(game, "cat_in_the_box", 0, 2, {}, CLOCK, 1)


def turn(game: int, number: int) -> Turn:
    return Turn(game, number, 1, 1000, DISCARD_TWO, [BID])


def end(game: int) -> GameEnd:
    return GameEnd(game, "void", [], [])


def fault(game: int | None) -> Error:
    return Error("illegal_move", "no such card", game)


def pack(message: Any) -> bytes:
    return msgspec.msgpack.encode(message)


def move(game: int, number: int) -> bytes:
    return pack(MoveReply(game, number, BID))


def greeted(**changes: Any) -> RefereeSession:
    session = RefereeSession(HELLO.token, ["cat_in_the_box"])
    assert session.receive(pack(msgspec.structs.replace(HELLO, **changes)))
    return session


def playing(*games: int) -> RefereeSession:
    """An open connection on which turn 0 of each game is outstanding."""
    session = greeted()
    session.welcome("0.1")
    for game in games:
        session.game_start(start(game))
        session.turn(turn(game, 0))
    return session


def refusal(session: RefereeSession, payload: bytes) -> RemoteProtocolError:
    with pytest.raises(RemoteProtocolError) as caught:
        session.receive(payload)
    return caught.value


def fault_in(session: RefereeSession, payload: bytes) -> RemoteProtocolError | None:
    try:
        session.receive(payload)
    except RemoteProtocolError as error:
        return error
    return None


def send(session: RefereeSession, message: RefereeMessage) -> bytes:
    senders = {
        GameStart: session.game_start,
        Turn: session.turn,
        GameEnd: session.game_end,
        Error: session.error,
    }
    if isinstance(message, Welcome):
        return session.welcome(message.arena)
    return session.goodbye() if isinstance(message, Goodbye) else senders[type(message)](message)  # type: ignore[operator]
