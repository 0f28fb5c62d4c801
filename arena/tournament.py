"""A tournament ready to be played: the spec, its game, and its bots as programs."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.bots.manifest import Bot, load_bot
from arena.errors import InputError
from arena.games import GAMES, OptionError
from arena.games.base import Game
from arena.sitting import Conditions
from protocol.messages import Clock
from tournaments.regression_spec import RegressionSpec
from tournaments.schedule import Schedule, schedule
from tournaments.spec import Spec, SpecError, fingerprint, read_spec

__all__ = ["Tournament", "load_tournament", "make_game"]


@dataclass(frozen=True)
class Tournament:
    """bots: by name, in the spec's order."""

    spec: Spec
    game: Game[Any, Any]
    bots: dict[str, Bot]

    @property
    def schedule(self) -> Schedule:
        return schedule(self.spec, list(self.bots))

    @property
    def conditions(self) -> Conditions:
        clock = Clock(self.spec.clock.move_ms, self.spec.clock.bank_ms)
        return Conditions(self.game, self.spec.seed, clock, self.spec.on_forfeit)

    @property
    def fingerprint(self) -> dict[str, Any]:
        """What affects results, as plain JSON values."""
        return fingerprint(self.spec, list(self.bots)) | {
            "options": self.game.options,
            "rules_version": self.game.rules_version,
        }


def make_game(spec: Spec | RegressionSpec) -> Game[Any, Any]:
    """The game at the spec's table. Raises SpecError if there is none such."""
    place = spec.file or ""
    kind = GAMES.get(spec.game)
    if kind is None:
        raise SpecError(place, "game", f"expected one of {', '.join(GAMES)}, got {spec.game!r}")
    try:
        return kind(spec.seats, spec.options, spec.file.parent if spec.file else Path())
    except OptionError as error:
        key = error.key if error.key == "seats" else f"options.{error.key}"
        raise SpecError(place, key, str(error)) from None


def load_tournament(path: Path) -> Tournament:
    """Read a spec and the manifests of its bots. Raises InputError."""
    try:
        return _load(path)
    except SpecError as error:
        raise InputError(str(error)) from None


def _load(path: Path) -> Tournament:
    spec = read_spec(path)
    game = make_game(spec)
    bots = [_load_bot(spec, index) for index in range(len(spec.bots))]
    schedule(spec, [bot.name for bot in bots])
    for index, bot in enumerate(bots):
        if spec.game not in bot.manifest.games:
            plays = ", ".join(bot.manifest.games)
            raise SpecError(spec.file, f"bots[{index}]", f"{bot.name} plays {plays}, not {spec.game}")
    return Tournament(spec, game, {bot.name: bot for bot in bots})


def _load_bot(spec: Spec, index: int) -> Bot:
    entry = spec.bots[index]
    try:
        return load_bot(entry.path, entry.name)
    except InputError as error:
        raise SpecError(spec.file, f"bots[{index}]", str(error)) from None
