"""A tournament's spec: one TOML file that says what is played.

Every key's bounds and the words for them stand once, in its type; an error names the file, the key, what is
allowed and what came. Which seat counts and options a game has, and what is in a bot's folder, is checked by
whoever knows games and bots.
"""

import os
import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, get_type_hints

import msgspec
from msgspec import Meta, Struct, ValidationError

__all__ = [
    "Bot",
    "Clock",
    "OptionValue",
    "Spec",
    "SpecError",
    "check_names",
    "differences",
    "fingerprint",
    "read_spec",
]


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


_NAME_RULE = "a name of letters, digits, '.', '_' and '-', the first a letter or digit, at most 64"
_NAME_META = Meta(
    min_length=1, max_length=64, pattern=r"\A[A-Za-z0-9][A-Za-z0-9._-]*\Z", description=_NAME_RULE
)
_Name: TypeAlias = Annotated[str, _NAME_META]


def _whole(low: int, high: int) -> Meta:
    return Meta(ge=low, le=high, description=f"a whole number from {low} to {high}")


def _words(*words: str) -> Meta:
    return Meta(description=" or ".join(f'"{word}"' for word in words))


_OPTION_RULE = "text, a whole number below 2**53, true or false"
OptionValue: TypeAlias = Annotated[
    str | Annotated[int, Meta(ge=-(2**53) + 1, le=2**53 - 1)] | bool, Meta(description=_OPTION_RULE)
]


def _cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """A bot's time. move_ms: free for every decision. bank_ms: spent by longer ones, refilled each game."""

    startup_ms: Annotated[int, _whole(1, 600_000)] = 10_000
    move_ms: Annotated[int, _whole(1, 3_600_000)] = 1_000
    bank_ms: Annotated[int, _whole(0, 86_400_000)] = 10_000


class Bot(Struct, frozen=True, forbid_unknown_fields=True):
    """A bot that takes part. path: its folder, absolute once read.  name: None leaves it to its manifest."""

    path: Annotated[Path, Meta(description="the bot's folder, relative to the spec")]
    name: Annotated[_Name | None, Meta(description=_NAME_RULE)] = None


class _Keys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of the file."""

    name: _Name
    game: _Name
    seats: Annotated[int, _whole(2, 5)]
    deals: Annotated[int, _whole(1, 1_000_000_000)]
    seed: Annotated[str, Meta(min_length=1, max_length=1000, description="text or a whole number")]
    format: Annotated[Literal["round_robin", "gauntlet"], _words("round_robin", "gauntlet")] = "round_robin"
    challenger: Annotated[_Name | None, Meta(description="the name of one of the bots")] = None
    seating: Annotated[Literal["balanced", "rotations"], _words("balanced", "rotations")] = "balanced"
    concurrency: Annotated[int, _whole(1, 1024)] = msgspec.field(default_factory=_cores)
    on_forfeit: Annotated[Literal["substitute", "end"], _words("substitute", "end")] = "substitute"
    options: Annotated[dict[str, Any], Meta(description="a table of the game's options")] = {}
    clock: Annotated[Clock, Meta(description="a table with startup_ms, move_ms and bank_ms")] = Clock()
    bots: Annotated[
        list[Bot],
        Meta(min_length=2, max_length=1000, description="2 to 1000 tables [[bots]] with a path each"),
    ]


class Spec(_Keys, frozen=True, kw_only=True):
    """What is played. file: where it was read.

    name: of the run, by default the file's without its ending.  deals: per line-up.
    concurrency: games at once, by default one for every core this process may use.
    """

    file: Path


_TABLES: dict[str, type[Struct]] = {"": _Keys, "clock": Clock, "bots": Bot}
"""The struct behind every table of the file, by the key that leads to it."""


def read_spec(path: str | os.PathLike[str]) -> Spec:
    """The spec in a TOML file. Raises SpecError."""
    file = Path(path)
    table = _read_toml(file)
    table.setdefault("name", file.stem)
    if type(table.get("seed")) is int:
        table["seed"] = str(table["seed"])
    keys: _Keys = _convert(file, "", table, _Keys)
    for option, value in keys.options.items():
        _convert(file, f"options.{option}", value, OptionValue)
    spec = Spec(**{field: getattr(keys, field) for field in keys.__struct_fields__}, file=file)
    _check_challenger_key(spec)
    _check_bots(spec, [bot.name for bot in spec.bots])
    return spec


def check_names(spec: Spec, names: Sequence[str]) -> None:
    """Raises SpecError unless a tournament can be played under the bots' final names, in the spec's order."""
    if len(names) != len(spec.bots):
        raise ValueError(f"{len(names)} names for {len(spec.bots)} bots")
    _check_bots(spec, names)


def fingerprint(spec: Spec, names: Sequence[str]) -> dict[str, Any]:
    """Everything in the spec that affects results, as plain JSON values.

    names: the bots' final names, in the spec's order. Left out are the run's name, the concurrency, where the
    bots lie, and the number of deals, as more deals only add games at the end.
    """
    plain = msgspec.to_builtins({field: getattr(spec, field) for field in _FINGERPRINT})
    return {**plain, "bots": list(names)}


_FINGERPRINT = ("game", "seats", "seed", "format", "challenger", "seating", "on_forfeit", "options", "clock")


def differences(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """A line for every key whose values differ, with both values. Ordered by key."""
    before, after = _flat(old), _flat(new)
    return [
        f"{key}: was {before.get(key, 'absent')}, now {after.get(key, 'absent')}"
        for key in sorted(before.keys() | after.keys())
        if before.get(key) != after.get(key)
    ]


def _flat(table: dict[str, Any], prefix: str = "") -> dict[str, str]:
    """Values as JSON text, by dotted key."""
    flat: dict[str, str] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = msgspec.json.encode(value).decode()
    return flat


def _read_toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_bytes().decode())
    except OSError as error:
        raise SpecError(file, "", f"expected a readable TOML file: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SpecError(file, "", f"expected UTF-8 text, got other bytes at offset {error.start}") from error
    except RecursionError as error:
        raise SpecError(file, "", "expected TOML, got values nested too deeply") from error
    except ValueError as error:  # TOMLDecodeError, and Python's own limit on the digits of an int
        raise SpecError(file, "", f"expected TOML: {error}") from error


_T = TypeVar("_T")


def _convert(file: Path, key: str, value: object, kind: type[_T] | Any) -> _T:
    """The value as `kind`, or the SpecError that says where and why not. key: that led to the value."""

    def convert_path(_: type, text: object) -> Path:
        if not isinstance(text, str) or not text or "\0" in text:
            raise ValueError
        return Path(os.path.realpath(file.parent / text))

    try:
        converted: _T = msgspec.convert(value, kind, dec_hook=convert_path)
    except ValidationError as error:
        raise _spec_error(file, key, value, str(error)) from None
    return converted


_AT = re.compile(r" - at `(?:key in )?\$\.?(?P<key>.*)`\Z", re.DOTALL)
_FIELD = re.compile(
    r"\AObject (?P<fault>missing required|contains unknown) field `(?P<field>.*)`\Z", re.DOTALL
)


def _spec_error(file: Path, prefix: str, value: object, text: str) -> SpecError:
    """msgspec's message in the spec's own words."""
    at = _AT.search(text)
    key = ".".join(part for part in (prefix, at["key"] if at else "") if part)
    field = _FIELD.match(_AT.sub("", text))
    if field is None:
        return SpecError(file, key, f"expected {_allowed(key)}, got {_came(value, at['key'] if at else '')}")
    full = f"{key}.{field['field']}" if key else field["field"]
    if field["fault"] == "missing required":
        return SpecError(file, full, f"missing, expected {_allowed(full)}")
    known = ", ".join(_TABLES[re.sub(r"\[.*", "", key)].__struct_fields__)
    return SpecError(file, full, f"unknown key, expected one of {known}")


def _allowed(key: str) -> str:
    """What the type of the key says is allowed."""
    if key.startswith("options."):
        return _OPTION_RULE
    table, _, field = re.sub(r"\[\d+\]", "", key).rpartition(".")
    hint = get_type_hints(_TABLES[table], include_extras=True)[field]
    return str(hint.__metadata__[-1].description)


def _came(value: Any, key: str) -> str:
    """The value under a key like `bots[1].path`, short enough for a line."""
    for part in re.findall(r"[^.\[\]]+", key):
        value = value[int(part) if isinstance(value, list) else part]
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _check_challenger_key(spec: Spec) -> None:
    if spec.format == "gauntlet" and spec.challenger is None:
        raise SpecError(
            spec.file, "challenger", 'missing, format = "gauntlet" expects the name of one of the bots'
        )
    if spec.format != "gauntlet" and spec.challenger is not None:
        raise SpecError(spec.file, "challenger", 'only allowed with format = "gauntlet"')


def _check_bots(spec: Spec, names: Sequence[str | None]) -> None:
    """names: None for a bot whose name is not known yet."""
    known = [name for name in names if name is not None]
    if len(names) < spec.seats:
        raise SpecError(
            spec.file,
            "bots",
            f"expected at least {spec.seats} bots for a table of {spec.seats}, got {len(names)}",
        )
    twice = [name for name, count in Counter(known).items() if count > 1]
    if twice:
        index = [i for i, name in enumerate(names) if name == twice[0]][1]
        raise SpecError(
            spec.file, f"bots[{index}].name", f"expected a name that no other bot has, got {twice[0]!r} twice"
        )
    if spec.challenger is not None and len(known) == len(names) and spec.challenger not in known:
        raise SpecError(
            spec.file, "challenger", f"expected one of {', '.join(known)}, got {spec.challenger!r}"
        )
