import pickle
from collections.abc import Callable
from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings
from protocol_strategies import bot_messages, hostile_bytes, referee_messages

from protocol.cat_in_the_box import Bid
from protocol.codec import CODECS, Codec, Encoding, encoding_of, message_type
from protocol.errors import LocalProtocolError, ProtocolError, RemoteProtocolError
from protocol.messages import (
    MAX_MESSAGE_BYTES,
    MAX_TURN_BYTES,
    BotMessage,
    Error,
    Hello,
    Move,
    MoveReply,
    RefereeMessage,
)

MOVE = {"type": "move", "game": 3, "turn": 7, "move": {"type": "bid", "tricks": 1}}

both_encodings = pytest.mark.parametrize("encoding", ["msgpack", "json"])


def encode(encoding: Encoding, value: object) -> bytes:
    return msgspec.json.encode(value) if encoding == "json" else msgspec.msgpack.encode(value)


def why_refused(decode: Callable[[bytes], object], payload: bytes) -> str:
    """Empty for a message."""
    try:
        decode(payload)
    except RemoteProtocolError as error:
        return str(error)
    return ""


def refusal(codec: Codec, payload: bytes) -> str:
    with pytest.raises(RemoteProtocolError) as caught:
        codec.decode_bot_message(payload)
    return str(caught.value)


@given(message=bot_messages)
@settings(deadline=None, max_examples=60)
def test_a_bots_message_survives_both_encodings(message: BotMessage) -> None:
    for codec in CODECS.values():
        assert codec.decode_bot_message(codec.encode(message)) == message


@given(message=referee_messages)
@settings(deadline=None, max_examples=60)
def test_a_referees_message_survives_both_encodings(message: RefereeMessage) -> None:
    for codec in CODECS.values():
        assert codec.decode_referee_message(codec.encode(message)) == message


@given(message=bot_messages)
@settings(deadline=None, max_examples=30)
def test_the_first_byte_tells_the_encoding(message: BotMessage) -> None:
    for encoding, codec in CODECS.items():
        assert encoding_of(codec.encode(message)) == encoding


@given(payload=hostile_bytes)
@settings(deadline=None, max_examples=300)
def test_any_bytes_are_a_message_or_the_peers_fault(payload: bytes) -> None:
    for codec in CODECS.values():
        for decode in (codec.decode_bot_message, codec.decode_referee_message):
            text = why_refused(decode, payload)
            assert text.isprintable()
            assert len(text) < 400
        codec.peek(payload)


@both_encodings
@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"type": "teleport"}, "expected type hello, move, got 'teleport'"),
        ({"type": "goodbye"}, "expected type hello, move, got 'goodbye'"),
        (
            {"move": {"type": "pass"}},
            f"expected a move of type {', '.join(map(message_type, get_args(Move)))}, got 'pass'",
        ),
        ({"game": 3.0}, "Expected `int`, got `float` - at `$.game`"),
        ({"game": 1e300}, "Expected `int`, got `float` - at `$.game`"),
        ({"game": True}, "Expected `int`, got `bool` - at `$.game`"),
        ({"game": -1}, "Expected `int` >= 0 - at `$.game`"),
        ({"move": {"type": "bid", "tricks": 5}}, "Expected `int` <= 4 - at `$.move.tricks`"),
        (
            {"move": {"type": "play", "card": 1, "color": "pink"}},
            "Invalid enum value 'pink' - at `$.move.color`",
        ),
        ({"note": "x" * 201}, "Expected `str` of length <= 200 - at `$.note`"),
    ],
)
def test_a_refusal_names_the_field_and_what_came(
    encoding: Encoding, change: dict[str, object], text: str
) -> None:
    assert refusal(CODECS[encoding], encode(encoding, MOVE | change)) == text


@both_encodings
def test_a_message_without_type_is_told_the_types(encoding: Encoding) -> None:
    assert (
        refusal(CODECS[encoding], encode(encoding, {}))
        == "expected a map with a type (hello, move), got one without"
    )


@both_encodings
def test_an_empty_frame_hints_at_the_socket_type(encoding: Encoding) -> None:
    assert "use a DEALER socket, not REQ" in refusal(CODECS[encoding], b"")


def test_the_other_encoding_is_named() -> None:
    assert refusal(CODECS["msgpack"], encode("json", MOVE)).startswith(
        "expected MessagePack, as the first byte"
    )
    assert refusal(CODECS["msgpack"], b"\n {}").endswith("got JSON text")
    assert refusal(CODECS["json"], encode("msgpack", MOVE)).startswith("expected JSON, as the first byte")


@both_encodings
@pytest.mark.parametrize("where", ["the message", "an unknown field", "before the type"])
def test_deep_nesting_is_refused(encoding: Encoding, where: str) -> None:
    nested = 60000
    payload = {
        ("json", "the message"): b"[" * nested,
        ("json", "an unknown field"): b'{"type":"move","x":' + b"[" * nested,
        ("json", "before the type"): b'{"x":' + b"[" * nested,
        ("msgpack", "the message"): b"\x91" * nested,
        ("msgpack", "an unknown field"): b"\x82\xa4type\xa4move\xa1x" + b"\x91" * nested,
        ("msgpack", "before the type"): b"\x82\xa1x" + b"\x91" * nested,
    }[encoding, where]
    refusal(CODECS[encoding], payload)


@both_encodings
def test_trailing_and_missing_bytes_are_refused(encoding: Encoding) -> None:
    payload = encode(encoding, MOVE)
    assert "trailing" in refusal(CODECS[encoding], payload + b"x")
    assert "truncated" in refusal(CODECS[encoding], payload[:-1])


@both_encodings
def test_bad_utf8_is_refused(encoding: Encoding) -> None:
    payload = encode(encoding, MOVE | {"note": "??"}).replace(b"??", b"\xff\xfe")
    assert refusal(CODECS[encoding], payload).endswith("with text in UTF-8, got byte 0xff")


def test_lying_lengths_and_pickles_are_refused() -> None:
    for payload in (
        b"\xdf\xff\xff\xff\xff",
        b"\xdd\xff\xff\xff\xff",
        b"\xdb\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xff",
    ):
        refusal(CODECS["msgpack"], payload)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        for codec in CODECS.values():
            refusal(codec, pickle.dumps(MOVE, protocol))


def test_two_types_must_agree_and_another_key_twice_means_its_last_value() -> None:
    codec = CODECS["json"]
    move = '"game":3,"turn":1,"move":{"type":"bid","tricks":1}'
    assert "'hello'" in refusal(codec, f'{{"type":"move",{move},"type":"hello"}}'.encode())
    twice = codec.decode_bot_message(f'{{"type":"move",{move},"game":4}}'.encode())
    assert isinstance(twice, MoveReply)
    assert twice.game == 4


@both_encodings
def test_unknown_fields_are_skipped(encoding: Encoding) -> None:
    payload = encode(encoding, MOVE | {"confidence": 0.5, "pv": [{"deep": [None]}]})
    assert CODECS[encoding].decode_bot_message(payload) == MoveReply(3, 7, Bid(1))


@both_encodings
def test_too_large_a_message_is_refused_both_ways(encoding: Encoding) -> None:
    codec = CODECS[encoding]
    payload = encode(encoding, MOVE | {"pad": "x" * MAX_MESSAGE_BYTES})
    assert refusal(codec, payload).startswith("expected a message of at most 65536 bytes")
    assert codec.peek(payload).game is None
    with pytest.raises(LocalProtocolError, match="at most 65536"):
        codec.encode(MoveReply(0, 0, Bid(1), "x" * MAX_MESSAGE_BYTES))
    too_long = Error("crash", "x" * MAX_TURN_BYTES, None)
    with pytest.raises(RemoteProtocolError, match="at most 262144 bytes"):
        codec.decode_referee_message(encode(encoding, too_long))
    with pytest.raises(LocalProtocolError, match="at most 262144"):
        codec.encode(too_long)


@pytest.mark.parametrize(
    ("encoding", "move"), [("msgpack", object()), ("json", object()), ("msgpack", 2**70), ("json", "\ud800")]
)
def test_what_cannot_be_encoded_is_our_own_fault(encoding: Encoding, move: object) -> None:
    with pytest.raises(LocalProtocolError, match="cannot encode move"):
        CODECS[encoding].encode(MoveReply(0, 0, move))  # type: ignore[arg-type]


def test_control_characters_never_reach_a_terminal() -> None:
    text = refusal(CODECS["json"], encode("json", {"type": "\x1b[2J\n\u202eevil"}))
    assert text == "expected type hello, move, got '\\x1b[2J\\n\\u202eevil'"
    assert str(ProtocolError("a\nb")) == "a\\nb"


def test_a_name_does_not_end_in_a_line_break() -> None:
    hello = Hello(1, "x\n", "", "t", ["cat_in_the_box"])
    assert "$.name" in refusal(CODECS["json"], encode("json", hello))
