"""The golden vectors and the JSON Schema say what the code says."""

import json
from pathlib import Path
from random import Random
from typing import Any, get_args

import jsonschema
import msgspec
import pytest
from hypothesis import given, settings
from protocol_strategies import bot_messages, referee_messages

import protocol
from arena.games import GAMES
from protocol import cat_box, cat_in_the_box
from protocol.codec import CODECS, message_type
from protocol.errors import RemoteProtocolError
from protocol.json_schema import messages_schema, schema_text
from protocol.make_vectors import CONVERSATION, HELLO, MESSAGES, vector_files
from protocol.messages import BotMessage, GameStart, Move, MoveReply, RefereeMessage, Turn
from protocol.session import RefereeSession

FOLDER = Path(protocol.__file__).parent
VECTORS: list[dict[str, Any]] = json.loads((FOLDER / "vectors/messages.json").read_text())
INVALID: list[dict[str, str]] = json.loads((FOLDER / "vectors/invalid.json").read_text())
SCHEMA = messages_schema()


def validator(direction: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(SCHEMA | {"anyOf": [{"$ref": f"#/$defs/{direction}"}]})


BOT, REFEREE = validator("BotMessage"), validator("RefereeMessage")


def names(vectors: list[dict[str, Any]]) -> list[str]:
    return [vector["name"] for vector in vectors]


def test_the_files_are_what_the_generators_write() -> None:
    for path, text in vector_files().items():
        assert path.read_text() == text, "run python -m protocol.make_vectors"
    assert (FOLDER / "schema/messages.json").read_text() == schema_text(), (
        "run python -m protocol.json_schema"
    )


def test_there_is_a_vector_for_every_message_and_every_decision() -> None:
    assert {type(message) for message in MESSAGES.values()} == {
        *get_args(BotMessage),
        *get_args(RefereeMessage),
    }
    assert {type(m.move) for m in MESSAGES.values() if isinstance(m, MoveReply)} == set(get_args(Move))
    seen = [m.observation for m in MESSAGES.values() if isinstance(m, Turn)]
    asked = {(o.seats, o.phase) for o in seen if isinstance(o, cat_in_the_box.Observation)}
    assert asked == {(2, "discard"), (2, "play"), (3, "discard"), (3, "bid"), (3, "play")}
    decisions = {o.decision for o in seen if isinstance(o, cat_box.Observation)}
    assert decisions == {"turn", "place", "token"}


@pytest.mark.parametrize("name", [name for name, m in MESSAGES.items() if isinstance(m, Turn)])
def test_the_legal_moves_of_a_vector_are_what_the_rules_say(name: str) -> None:
    turn = MESSAGES[name]
    assert isinstance(turn, Turn)
    seen = turn.observation
    advanced = isinstance(seen, cat_box.Observation) and any(seen.tokens)
    game = GAMES[message_type(type(seen))](seen.seats, {"rules": "advanced"} if advanced else {})
    state = game.determinize(seen, Random(1))
    assert game.observe(state, turn.seat) == seen
    assert [game.encode_move(move) for move in game.legal_moves(state, turn.seat)] == turn.legal


@pytest.mark.parametrize("vector", VECTORS, ids=names(VECTORS))
def test_both_encodings_of_a_vector_are_its_message(vector: dict[str, Any]) -> None:
    for encoding, payload in (
        ("json", json.dumps(vector["json"]).encode()),
        ("msgpack", bytes.fromhex(vector["msgpack_hex"])),
    ):
        codec = CODECS[encoding]  # type: ignore[index]
        sent_by_bot = vector["direction"] == "bot_to_referee"
        decode = codec.decode_bot_message if sent_by_bot else codec.decode_referee_message
        assert decode(payload) == MESSAGES[vector["name"]]
    assert msgspec.msgpack.decode(bytes.fromhex(vector["msgpack_hex"])) == vector["json"]


@pytest.mark.parametrize("vector", VECTORS, ids=names(VECTORS))
def test_a_vector_fits_the_schema_of_its_direction_alone(vector: dict[str, Any]) -> None:
    fits, other = (BOT, REFEREE) if vector["direction"] == "bot_to_referee" else (REFEREE, BOT)
    fits.validate(vector["json"])
    assert not other.is_valid(vector["json"])


@pytest.mark.parametrize("vector", INVALID, ids=names(INVALID))
def test_an_invalid_vector_is_the_bots_fault(vector: dict[str, str]) -> None:
    session = RefereeSession(HELLO.token, ["cat_in_the_box"])
    if vector["after"] == "turn":
        session.receive(CODECS["msgpack"].encode(HELLO))
        session.welcome("0.1.0")
        _, _, start, turn = CONVERSATION[:4]
        assert isinstance(start, GameStart)
        assert isinstance(turn, Turn)
        session.game_start(start)
        session.turn(turn)
    with pytest.raises(RemoteProtocolError):
        session.receive(bytes.fromhex(vector["hex"]))


def test_the_schema_is_valid_json_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@given(message=bot_messages)
@settings(deadline=None, max_examples=40)
def test_every_bot_message_fits_the_schema(message: BotMessage) -> None:
    BOT.validate(msgspec.to_builtins(message))


@given(message=referee_messages)
@settings(deadline=None, max_examples=40)
def test_every_referee_message_fits_the_schema(message: RefereeMessage) -> None:
    REFEREE.validate(msgspec.to_builtins(message))


def test_every_struct_in_the_schema_is_described_in_a_plain_sentence() -> None:
    structs = {name: d for name, d in SCHEMA["$defs"].items() if name not in ("BotMessage", "RefereeMessage")}
    assert all("description" in definition for definition in structs.values())
    assert not any("\n    " in definition["description"] for definition in structs.values())
