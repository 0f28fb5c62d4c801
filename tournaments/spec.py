"""A tournament's spec: one TOML file that says what is played.

Which seat counts and options a game has, and what is in a bot's folder, is checked by whoever knows games and bots.
"""

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from tournaments.typed_toml import (
    NAME_RULE,
    Clock,
    Concurrency,
    Name,
    Options,
    OptionValue,
    Seats,
    Seed,
    SpecError,
    convert,
    cores,
    read_toml,
    whole,
    words,
)

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


class Bot(Struct, frozen=True, forbid_unknown_fields=True):
    """A bot that takes part. path: its folder, absolute once read.  name: None leaves it to its manifest."""

    path: Annotated[Path, Meta(description="the bot's folder, relative to the spec")]
    name: Annotated[Name | None, Meta(description=NAME_RULE)] = None


class _Keys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of the file."""

    name: Name
    game: Name
    seats: Seats
    deals: Annotated[int, whole(1, 1_000_000_000)]
    seed: Seed
    format: Annotated[Literal["round_robin", "gauntlet"], words("round_robin", "gauntlet")] = "round_robin"
    challenger: Annotated[Name | None, Meta(description="the name of one of the bots")] = None
    seating: Annotated[Literal["balanced", "rotations"], words("balanced", "rotations")] = "balanced"
    concurrency: Concurrency = msgspec.field(default_factory=cores)
    on_forfeit: Annotated[Literal["substitute", "end"], words("substitute", "end")] = "substitute"
    options: Options = {}
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


def read_spec(path: str | os.PathLike[str]) -> Spec:
    """The spec in a TOML file. Raises SpecError."""
    file = Path(path)
    table = read_toml(file)
    table.setdefault("name", file.stem)
    keys = convert(file, table, _Keys)
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
        f"{key}: was {_clipped(before.get(key, 'absent'))}, now {_clipped(after.get(key, 'absent'))}"
        for key in sorted(before.keys() | after.keys())
        if before.get(key) != after.get(key)
    ]


def _clipped(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."


def _flat(table: dict[str, Any], prefix: str = "") -> dict[str, str]:
    """Values as JSON text, by dotted key."""
    flat: dict[str, str] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = msgspec.json.encode(value).decode()
    return flat


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
