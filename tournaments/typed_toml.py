"""TOML typed by people as a struct, and what is wrong with it in one line.

A key's bounds and the words for them stand once, in its type: the `description` of its last `Meta`. An error names
the file, the key, what is allowed and what came.
"""

import os
import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypeVar, get_args, get_type_hints

import msgspec
from msgspec import Meta, Struct, ValidationError

__all__ = [
    "NAME_RULE",
    "Clock",
    "Concurrency",
    "Name",
    "OptionValue",
    "Options",
    "Seats",
    "Seed",
    "SpecError",
    "convert",
    "cores",
    "read_toml",
    "whole",
    "words",
]

_T = TypeVar("_T")


class SpecError(ValueError):
    """A spec that cannot be played: one line that names the file, the key and what is allowed.

    key: dotted, `bots[1].path`; empty when it is about the whole file.
    """

    def __init__(self, path: str | os.PathLike[str], key: str, message: str) -> None:
        self.path = Path(path)
        self.key = key
        self.message = message
        super().__init__(_one_line(": ".join(part for part in (os.fspath(path), key, message) if part)))


def _one_line(text: str) -> str:
    """The text with line breaks and other unprintable characters escaped."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def whole(low: int, high: int) -> Meta:
    return Meta(ge=low, le=high, description=f"a whole number from {low} to {high}")


def words(*allowed: str) -> Meta:
    return Meta(description=" or ".join(f'"{word}"' for word in allowed))


NAME_RULE = "a name of letters, digits, '.', '_' and '-', the first a letter or digit, at most 64"
Name: TypeAlias = Annotated[
    str,
    Meta(min_length=1, max_length=64, pattern=r"\A[A-Za-z0-9][A-Za-z0-9._-]*\Z", description=NAME_RULE),
]
Seats: TypeAlias = Annotated[int, whole(2, 5)]
Seed: TypeAlias = Annotated[str, Meta(min_length=1, max_length=1000, description="text or a whole number")]
Concurrency: TypeAlias = Annotated[int, whole(1, 1024)]
OptionValue: TypeAlias = Annotated[
    str | Annotated[int, Meta(ge=-(2**53) + 1, le=2**53 - 1)] | bool,
    Meta(description="text, a whole number below 2**53, true or false"),
]
Options: TypeAlias = Annotated[dict[str, Any], Meta(description="a table of the game's options")]


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """A bot's time. move_ms: free for every decision. bank_ms: spent by longer ones, refilled each game."""

    startup_ms: Annotated[int, whole(1, 600_000)] = 10_000
    move_ms: Annotated[int, whole(1, 3_600_000)] = 1_000
    bank_ms: Annotated[int, whole(0, 86_400_000)] = 10_000


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def read_toml(file: Path) -> dict[str, Any]:
    """What a file holds, a whole number as `seed` turned into its text. Raises SpecError."""
    try:
        table = tomllib.loads(file.read_bytes().decode())
    except OSError as error:
        raise SpecError(file, "", f"expected a readable TOML file: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SpecError(file, "", f"expected UTF-8 text, got other bytes at offset {error.start}") from error
    except RecursionError as error:
        raise SpecError(file, "", "expected TOML, got values nested too deeply") from error
    except ValueError as error:  # TOMLDecodeError, and Python's own limit on the digits of an int
        raise SpecError(file, "", f"expected TOML: {error}") from error
    if type(table.get("seed")) is int:
        table["seed"] = str(table["seed"])
    return table


def convert(file: Path | str, table: dict[str, Any], kind: type[_T]) -> _T:
    """The table as the struct `kind`, whose `options` hold OptionValues.

    file: for messages, and the file that paths are relative to. Raises SpecError.
    """
    converted: _T = _convert(file, "", table, kind)
    for option, value in table.get("options", {}).items():
        _convert(file, f"options.{option}", value, OptionValue)
    return converted


def _convert(file: Path | str, prefix: str, value: object, kind: Any) -> Any:
    """The value as `kind`. prefix: the key that led to it."""

    def convert_path(_: type, text: object) -> Path:
        if not isinstance(text, str) or not text or "\0" in text:
            raise ValueError
        return Path(os.path.realpath(Path(file).parent / text))

    try:
        return msgspec.convert(value, kind, dec_hook=convert_path)
    except ValidationError as error:
        raise _spec_error(file, prefix, value, kind, str(error)) from None


_AT = re.compile(r" - at `(?:key in )?\$\.?(?P<key>.*)`\Z", re.DOTALL)
_FIELD = re.compile(
    r"\AObject (?P<fault>missing required|contains unknown) field `(?P<field>.*)`\Z", re.DOTALL
)


def _spec_error(file: Path | str, prefix: str, value: object, kind: Any, text: str) -> SpecError:
    """msgspec's message in the spec's own words."""
    at = _AT.search(text)
    place = at["key"] if at else ""
    key = ".".join(part for part in (prefix, place) if part)
    field = _FIELD.match(_AT.sub("", text))
    if field is None:
        return SpecError(file, key, f"expected {_allowed(kind, place)}, got {_came(value, place)}")
    full = f"{key}.{field['field']}" if key else field["field"]
    table = _struct(_hint(kind, place))
    if field["fault"] == "missing required":
        return SpecError(file, full, f"missing, expected {_allowed(table, field['field'])}")
    return SpecError(file, full, f"unknown key, expected one of {', '.join(table.__struct_fields__)}")


def _allowed(kind: Any, key: str) -> str:
    """What the type of the key says is allowed."""
    hint = _hint(kind, key)
    while not hasattr(hint, "__metadata__"):  # a type that may be None too
        hint = get_args(hint)[0]
    return str(hint.__metadata__[-1].description)


def _hint(kind: Any, key: str) -> Any:
    """The type of what lies under a key like `bots[1].path`."""
    for field in re.sub(r"\[\d+\]", "", key).split(".") if key else ():
        kind = get_type_hints(_struct(kind), include_extras=True)[field]
    return kind


def _struct(hint: Any) -> type[Struct]:
    """The struct in a type like Annotated[list[Bot], …]."""
    while not (isinstance(hint, type) and issubclass(hint, Struct)):
        hint = get_args(hint)[0]
    return hint


def _came(value: Any, key: str) -> str:
    """The value under a key like `bots[1].path`, short enough for a line."""
    for part in re.findall(r"[^.\[\]]+", key):
        value = value[int(part) if isinstance(value, list) else part]
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
