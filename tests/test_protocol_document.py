"""PROTOCOL.md says what the structs say."""

import json
import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from msgspec import Struct, inspect

import protocol
from protocol import cat_box, cat_in_the_box
from protocol.codec import CODECS, message_type
from protocol.errors import RemoteProtocolError
from protocol.make_vectors import MESSAGES
from protocol.messages import (
    MAX_MESSAGE_BYTES,
    MAX_TURN_BYTES,
    PROTOCOL_VERSION,
    BotMessage,
    Clock,
    Error,
    ErrorCode,
    GameEnd,
    GameStart,
    Hello,
    Move,
    MoveReply,
    RefereeMessage,
    Turn,
    Welcome,
)
from protocol.session import MAX_STRAYS

TEXT = Path(protocol.__file__).with_name("PROTOCOL.md").read_text()
EXAMPLES = [block.encode() for block in re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)]
IN_ORDER: list[type[Struct]] = [
    Hello,
    MoveReply,
    Welcome,
    GameStart,
    Clock,
    Turn,
    GameEnd,
    Error,
    cat_in_the_box.Observation,
    cat_in_the_box.TrickPlay,
    cat_in_the_box.Trick,
    cat_in_the_box.RoundScore,
    cat_box.Observation,
    cat_box.KnownCard,
    cat_box.PlacedCard,
    cat_box.Shield,
    cat_box.Made,
]


def tables(head: str) -> list[dict[str, str]]:
    """Every table with that first column: the rows' names and the rest of each row."""
    blocks = re.findall(rf"^\| {head} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", TEXT, re.MULTILINE)
    return [dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", block, re.MULTILINE)) for block in blocks]


def decode(example: bytes) -> BotMessage | RefereeMessage:
    try:
        return CODECS["json"].decode_bot_message(example)
    except RemoteProtocolError:
        return CODECS["json"].decode_referee_message(example)


def test_every_field_of_every_struct_has_its_row() -> None:
    assert [list(table) for table in tables("field")] == [
        list(struct.__struct_fields__) for struct in IN_ORDER
    ]


def test_every_message_has_its_section() -> None:
    messages = {message_type(struct) for struct in get_args(BotMessage) + get_args(RefereeMessage)}
    assert set(re.findall(r"^### `(\w+)`$", TEXT, re.MULTILINE)) == messages


@pytest.mark.parametrize("struct", [Hello, MoveReply])
def test_every_bound_on_what_a_bot_sends_is_named(struct: type[Struct]) -> None:
    rows = tables("field")[IN_ORDER.index(struct)]
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    for field in info.fields:
        for part in field.type.types if isinstance(field.type, inspect.UnionType) else [field.type]:
            bounds = [getattr(part, name, None) for name in ("ge", "le", "min_length", "max_length")]
            for bound in bounds if field.name != "protocol" else []:
                named = "2^53 - 1" if bound == 2**53 - 1 else str(bound)
                assert bound is None or re.search(rf"\b{re.escape(named)}\b", rows[field.name]), (
                    field.name,
                    named,
                )


def test_every_move_has_its_row_and_fields() -> None:
    rows = {move: row for table in tables("move") for move, row in table.items()}
    assert list(rows) == [message_type(move) for move in get_args(Move)]
    for move in get_args(Move):
        assert all(f"`{field}`" in rows[message_type(move)] for field in move.__struct_fields__)


def test_every_error_code_and_status_is_explained() -> None:
    assert set(tables("code")[0]) == set(get_args(ErrorCode))
    status = inspect.type_info(GameEnd)
    assert isinstance(status, inspect.StructType)
    assert all(f'`"{value}"`' in TEXT for value in get_args(GameEnd.__annotations__["status"]))


def test_every_example_is_a_message_and_every_message_has_one() -> None:
    shown = {type(decode(example)) for example in EXAMPLES}
    assert shown == {*get_args(BotMessage), *get_args(RefereeMessage)}


def test_the_examples_of_turns_are_golden_ones() -> None:
    turns = [message for message in map(decode, EXAMPLES) if isinstance(message, Turn)]
    assert turns == [MESSAGES["turn_play_three_seats"], MESSAGES["turn_place_cat_box"]]
    written = [json.loads(example) for example in EXAMPLES]
    assert [turn for turn in written if turn["type"] == "turn"] == msgspec.to_builtins(turns)


def test_the_version_and_the_limits_are_the_codes() -> None:
    assert TEXT.startswith(f"# The protocol between the arena and a bot, version {PROTOCOL_VERSION}\n")
    assert f"at most {MAX_MESSAGE_BYTES} bytes from a bot and {MAX_TURN_BYTES} from the referee" in TEXT
    assert f"More than {MAX_STRAYS} + `max_games` such moves" in TEXT
