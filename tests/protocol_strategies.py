"""Hypothesis strategies for every message of the wire, built from the structs' own types and bounds."""

from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

from protocol.messages import BotMessage, RefereeMessage

INT_LIMIT = 2**53 - 1


def _integers(t: inspect.IntType) -> st.SearchStrategy[Any]:
    low = -INT_LIMIT if t.ge is None else t.ge
    return st.integers(low, INT_LIMIT if t.le is None else t.le)


def _texts(t: inspect.StrType) -> st.SearchStrategy[Any]:
    if t.pattern:
        return st.from_regex(r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")
    letters = st.characters(exclude_categories=["Cs"])
    return st.text(letters, min_size=t.min_length or 0, max_size=t.max_length or 40)


def _lists(t: inspect.ListType) -> st.SearchStrategy[Any]:
    return st.lists(_values(t.item_type), min_size=t.min_length or 0, max_size=min(t.max_length or 4, 4))


def _structs(t: inspect.StructType) -> st.SearchStrategy[Any]:
    return st.builds(t.cls, **{field.name: _values(field.type) for field in t.fields})


BUILDERS: dict[type[inspect.Type], Any] = {
    inspect.IntType: _integers,
    inspect.StrType: _texts,
    inspect.BoolType: lambda _: st.booleans(),
    inspect.NoneType: lambda _: st.none(),
    inspect.LiteralType: lambda t: st.sampled_from(t.values),
    inspect.ListType: _lists,
    inspect.DictType: lambda t: st.dictionaries(_values(t.key_type), _values(t.value_type), max_size=3),
    inspect.AnyType: lambda _: st.text(max_size=9) | st.integers(0, 9) | st.booleans(),
    inspect.UnionType: lambda t: st.one_of(*map(_values, t.types)),
    inspect.StructType: _structs,
}


def _values(t: inspect.Type) -> st.SearchStrategy[Any]:
    strategy: st.SearchStrategy[Any] = BUILDERS[type(t)](t)
    return strategy


bot_messages = _values(inspect.type_info(BotMessage))
referee_messages = _values(inspect.type_info(RefereeMessage))

leaves = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False)
    | st.text(max_size=9)
)
fields = st.sampled_from(["type", "game", "turn", "move", "card", "color", "note", "token", "x"])
tags = st.sampled_from(["move", "hello", "play", "bid", "turn", "welcome", "nonsense"])
values = st.recursive(
    leaves | tags,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(fields, inner, max_size=6),
    max_leaves=12,
)
"""Plain values that look a little like messages."""

value_bytes = values.map(msgspec.msgpack.encode) | values.map(msgspec.json.encode)


@st.composite
def damaged_bytes(draw: st.DrawFn) -> bytes:
    """A real message with a few bytes changed, cut out or put in."""
    encode = draw(st.sampled_from([msgspec.msgpack.encode, msgspec.json.encode]))
    payload = bytearray(encode(draw(bot_messages | referee_messages)))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(payload)))
        payload[start : start + draw(st.integers(0, 3))] = draw(st.binary(max_size=3))
    return bytes(payload)


hostile_bytes = st.binary(max_size=80) | value_bytes | damaged_bytes()
