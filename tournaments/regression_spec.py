"""What a regression test plays and asks: the keys of its TOML file and of the command line."""

from math import ceil
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from tournaments.sprt import PRESETS, Design, Sprt
from tournaments.typed_toml import (
    Clock,
    Concurrency,
    Name,
    Options,
    Seats,
    Seed,
    SpecError,
    convert,
    cores,
    whole,
    words,
)

__all__ = ["RegressionSpec", "regression_fingerprint", "regression_spec"]

PATIENCE = 4
"""Games at most, as a multiple of those expected midway between the hypotheses; one test in a hundred needs more."""

_BOT_RULE = "a bot's folder or the name of a sample bot"
_Strength = Annotated[float, Meta(description="a number in normalized Elo")]
_Risk = Annotated[float, Meta(description="a number between 0 and 1")]
_BotText = Annotated[str, Meta(min_length=1, max_length=4096, description=_BOT_RULE)]


class _Keys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of the file."""

    candidate: _BotText
    baseline: Annotated[
        str, Meta(min_length=1, max_length=4096, description=f"{_BOT_RULE}, or git:REF or git:REF:PATH")
    ]
    field: Annotated[list[_BotText], Meta(max_length=4, description=f"up to 4 times {_BOT_RULE}")] = []
    game: Name = "cat_in_the_box"
    seats: Seats
    test: Annotated[Literal["regression", "gain", "smoke"] | None, words(*PRESETS)] = None
    elo0: _Strength | None = None
    elo1: _Strength | None = None
    alpha: _Risk = 0.05
    beta: _Risk = 0.05
    max_games: Annotated[int, whole(1, 1_000_000_000)] | None = None
    seed: Seed = "regress"
    concurrency: Concurrency = msgspec.field(default_factory=cores)
    options: Options = {}
    clock: Annotated[Clock, Meta(description="a table with startup_ms, move_ms and bank_ms")] = Clock()


class RegressionSpec(_Keys, frozen=True, kw_only=True):
    """A regression test. field: bots at the table besides the tested one; without any, baselines.

    file: where it was read, None for the command line.  sprt: the hypotheses.  blocks: at most.
    """

    file: Path | None
    sprt: Sprt
    blocks: int

    @property
    def design(self) -> Design:
        return Design(self.seats, field=bool(self.field))


def regression_spec(file: Path | None, table: dict[str, Any]) -> RegressionSpec:
    """The test in a table. Raises SpecError."""
    place = file or ""
    if table.get("field") and isinstance(table["field"], list):
        table = {"seats": len(table["field"]) + 1, **table}
    keys = convert(place, table, _Keys)
    if keys.field and len(keys.field) != keys.seats - 1:
        message = f"expected {keys.seats - 1} bots beside the tested one, got {len(keys.field)}"
        raise SpecError(place, "field", message)
    sprt = _sprt(place, keys)
    games = Design(keys.seats, bool(keys.field)).games
    max_games = keys.max_games or ceil(PATIENCE * sprt.expected_games((sprt.elo0 + sprt.elo1) / 2))
    if max_games < games:
        raise SpecError(place, "max_games", f"expected at least {games}, one block, got {max_games}")
    values = {key: getattr(keys, key) for key in keys.__struct_fields__}
    return RegressionSpec(**values, file=file, sprt=sprt, blocks=max_games // games)


def regression_fingerprint(spec: RegressionSpec) -> dict[str, Any]:
    """Everything in the spec that affects the verdict but for the most games, as plain JSON values."""
    plain = {key: msgspec.to_builtins(getattr(spec, key)) for key in ("game", "seats", "seed", "clock")}
    return {**plain, "hypotheses": msgspec.to_builtins(spec.sprt)}


def _sprt(place: Path | str, keys: _Keys) -> Sprt:
    if keys.elo0 is None and keys.elo1 is None:
        preset = PRESETS[keys.test or "regression"]
        elo0, elo1 = preset.elo0, preset.elo1
    elif keys.test is not None:
        raise SpecError(place, "test", "only allowed without elo0 and elo1")
    elif keys.elo0 is None or keys.elo1 is None:
        raise SpecError(place, "elo1" if keys.elo0 is not None else "elo0", "missing, expected a number")
    else:
        elo0, elo1 = keys.elo0, keys.elo1
    try:
        return Sprt(elo0, elo1, keys.alpha, keys.beta)
    except ValueError as error:
        raise SpecError(place, "", str(error)) from None
