"""Messages to bytes and back, in either encoding.

Whatever bytes come, decoding gives a message or raises RemoteProtocolError. Deep nesting is refused only on a
thread with a full stack, as the main thread has; on a small stack it ends the process.
A repeated key is not refused: its last value counts, except `type`, whose values must agree.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Final, Literal, TypeAlias, get_args

import msgspec
from msgspec import DecodeError, Struct

from protocol.errors import LocalProtocolError, RemoteProtocolError, one_line
from protocol.messages import (
    MAX_MESSAGE_BYTES,
    MAX_TURN_BYTES,
    BotMessage,
    Move,
    RefereeMessage,
)

__all__ = ["CODECS", "Codec", "Encoding", "Peek", "encoding_of", "message_type"]

Encoding: TypeAlias = Literal["msgpack", "json"]

ENCODING_NAMES: Final[dict[Encoding, str]] = {"msgpack": "MessagePack", "json": "JSON"}
UNKNOWN_TYPE = re.compile(r"Invalid value (?P<value>'.*') - at `(?P<path>\$.*)`", re.DOTALL)
QUOTED_LIMIT = 24
"""Characters of a bot's own text that an error repeats."""


class Peek(Struct):
    """What can still be read of a message that is not one."""

    game: int | None = None
    protocol: int | None = None


def encoding_of(payload: bytes) -> Encoding:
    """The encoding of a connection, from its `hello`."""
    return "json" if payload[:1] == b"{" else "msgpack"


@cache
def message_type(message: type[Struct]) -> str:
    """The `type` of a message on the wire."""
    return str(message.__struct_config__.tag)


def _types(union: object) -> str:
    return ", ".join(message_type(member) for member in get_args(union))


class Codec:
    """One encoding. Messages above the limit of their direction are refused when read and when written."""

    def __init__(self, encoding: Encoding) -> None:
        library = msgspec.json if encoding == "json" else msgspec.msgpack
        self.encoding: Encoding = encoding
        self._encode: Callable[[BotMessage | RefereeMessage], bytes] = library.Encoder().encode
        self._decode_bot: Callable[[bytes], BotMessage] = library.Decoder(BotMessage).decode
        self._decode_referee: Callable[[bytes], RefereeMessage] = library.Decoder(RefereeMessage).decode
        self._peek: Callable[[bytes], Peek] = library.Decoder(Peek).decode

    def encode(self, message: BotMessage | RefereeMessage) -> bytes:
        """Raises LocalProtocolError for a value that has no form on the wire and for too large a message."""
        try:
            payload = self._encode(message)
        except (TypeError, ValueError, OverflowError, RecursionError) as error:
            raise LocalProtocolError(f"cannot encode {message_type(type(message))}: {error}") from error
        limit = MAX_MESSAGE_BYTES if isinstance(message, BotMessage) else MAX_TURN_BYTES
        if len(payload) > limit:
            raise LocalProtocolError(f"message of {len(payload)} bytes, at most {limit} are allowed")
        return payload

    def decode_bot_message(self, payload: bytes) -> BotMessage:
        """What a bot sent. Raises RemoteProtocolError and nothing else."""
        if len(payload) > MAX_MESSAGE_BYTES:
            raise _too_large(payload, MAX_MESSAGE_BYTES)
        try:
            return self._decode_bot(payload)
        except (DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise RemoteProtocolError(self._explain(payload, error, BotMessage)) from None

    def decode_referee_message(self, payload: bytes) -> RefereeMessage:
        """What the referee sent. Raises RemoteProtocolError and nothing else."""
        if len(payload) > MAX_TURN_BYTES:
            raise _too_large(payload, MAX_TURN_BYTES)
        try:
            return self._decode_referee(payload)
        except (DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise RemoteProtocolError(self._explain(payload, error, RefereeMessage)) from None

    def peek(self, payload: bytes) -> Peek:
        """The game and protocol version that a refused message names, where they can still be read."""
        if len(payload) > MAX_MESSAGE_BYTES:
            return Peek()
        try:
            return self._peek(payload)
        except (DecodeError, UnicodeDecodeError, RecursionError):
            return Peek()

    def _explain(self, payload: bytes, error: Exception, union: object) -> str:
        expected = ENCODING_NAMES[self.encoding]
        if not payload:
            return "expected a message, got an empty frame: use a DEALER socket, not REQ"
        if (self.encoding == "json") != _looks_like_json(payload):
            got = "JSON text" if _looks_like_json(payload) else "no JSON object"
            return f"expected {expected}, as the first byte of hello says, got {got}"
        if isinstance(error, RecursionError):
            return "expected a message, got values nested too deeply"
        if isinstance(error, UnicodeDecodeError):
            return f"expected {expected} with text in UTF-8, got byte 0x{error.object[error.start]:02x}"
        return _explain_structure(str(error), union)


def _too_large(payload: bytes, limit: int) -> RemoteProtocolError:
    text = f"expected a message of at most {limit} bytes, got {len(payload)}"
    return RemoteProtocolError(text)


def _looks_like_json(payload: bytes) -> bool:
    return payload.lstrip(b" \t\r\n")[:1] == b"{"


def _explain_structure(text: str, union: object) -> str:
    """msgspec's own sentence, with the known types added where that is what was wrong."""
    unknown = UNKNOWN_TYPE.match(text)
    if unknown and unknown["path"] == "$.type":
        return f"expected type {_types(union)}, got {one_line(unknown['value'], QUOTED_LIMIT)}"
    if unknown and unknown["path"] == "$.move.type":
        return f"expected a move of type {_types(Move)}, got {one_line(unknown['value'], QUOTED_LIMIT)}"
    if text == "Object missing required field `type`":
        return f"expected a map with a type ({_types(union)}), got one without"
    return text


CODECS: Final[dict[Encoding, Codec]] = {"msgpack": Codec("msgpack"), "json": Codec("json")}
