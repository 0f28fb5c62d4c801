"""A regression test ready to be played, and played."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from arena.bots.manifest import Bot, find_bot
from arena.bots.pool import Pool
from arena.bots.revision import GIT, checked_out
from arena.errors import InputError
from arena.finished import Finished, record_of, stored_game
from arena.games.base import Game
from arena.record import Record
from arena.runner import Runner
from arena.sitting import Conditions
from arena.store import Store
from arena.tournament import make_game
from protocol.messages import Clock
from tournaments.regression import (
    BASELINE,
    CANDIDATE,
    BlockFault,
    BlockGame,
    Regression,
    block_fixtures,
)
from tournaments.regression_spec import RegressionSpec, regression_fingerprint
from tournaments.schedule import Fixture
from tournaments.typed_toml import SpecError, cores

__all__ = ["RegressionRun", "RegressionTest", "load_regression", "stored_games"]


@dataclass(frozen=True)
class RegressionTest:
    """bots: by their names in fixtures. field: names of the other bots at the table, by place."""

    spec: RegressionSpec
    game: Game[Any, Any]
    bots: dict[str, Bot]
    field: list[str]

    @property
    def conditions(self) -> Conditions:
        clock = Clock(self.spec.clock.move_ms, self.spec.clock.bank_ms)
        return Conditions(self.game, self.spec.seed, clock, "substitute")

    @property
    def fingerprint(self) -> dict[str, Any]:
        """What affects the verdict, as plain JSON values."""
        return regression_fingerprint(self.spec) | {
            "field": self.field,
            "options": self.game.options,
            "rules_version": self.game.rules_version,
        }

    @property
    def files(self) -> dict[str, dict[str, str]]:
        return {name: bot.files() for name, bot in self.bots.items()}

    @property
    def run_name(self) -> str:
        """Of its run, unless another is given: the same test of the same bots goes on where it was."""
        identity = msgspec.json.encode([self.fingerprint, self.files], order="sorted")
        return f"regress-{hashlib.sha256(identity).hexdigest()[:12]}"

    def fixtures(self) -> Iterator[Fixture]:
        for block in range(self.spec.blocks):
            yield from block_fixtures(self.spec.design, self.field, block)


def load_regression(spec: RegressionSpec) -> RegressionTest:
    """Find the bots of a test. Raises SpecError for what the game does not allow, InputError for the bots."""
    game = make_game(spec)
    candidate = find_bot(spec.candidate)
    tested = {CANDIDATE: candidate, BASELINE: _baseline(spec.baseline, candidate)}
    others = [find_bot(text) for text in spec.field]
    bots = {name: msgspec.structs.replace(bot, name=name) for name, bot in tested.items()}
    for bot in others:
        if bots.setdefault(bot.name, bot) != bot:
            raise SpecError(spec.file or "", "field", f"two different bots are named {bot.name}")
    for name, bot in bots.items():
        if game.name not in bot.manifest.games:
            raise InputError(f"{name}: {bot.folder} plays {', '.join(bot.manifest.games)}, not {game.name}")
    return RegressionTest(spec, game, bots, [bot.name for bot in others])


def _baseline(text: str, candidate: Bot) -> Bot:
    if not text.startswith(GIT):
        return find_bot(text)
    folder = checked_out(text, candidate.folder)
    if not (folder / "bot.toml").is_file():
        raise InputError(f"{text}: that folder has no bot.toml in this revision")
    return find_bot(str(folder))


class RegressionRun:
    """A regression test with the run that keeps its games. programs: the test's bots, built."""

    def __init__(self, test: RegressionTest, programs: Mapping[str, Bot], store: Store) -> None:
        self.test = test
        self.store = store
        self.regression = Regression(test.spec.sprt, test.spec.design, test.spec.blocks)
        self.logs: dict[tuple[int, int], Path] = {}
        """Where a bot printed to that forfeited, by position of the game and seat; only of games played now."""
        self._programs = programs
        self._stored = store.positions()
        self._runner: Runner | None = None
        for game in stored_games(store):
            self.regression.add(game)

    def stop(self) -> None:
        """Begin no more games."""
        if self._runner is not None:
            self._runner.stop()

    def play(self, concurrency: int, on_finished: Callable[[list[Finished]], None] = lambda _: None) -> None:
        """Play what is missing until the test is over or `stop` is called.

        on_finished: hears of games that are stored and judged.
        """
        if self.regression.is_over:
            return

        def keep(games: list[Finished]) -> None:
            self._keep(games)
            on_finished(games)

        game, startup_ms = self.test.game, self.test.spec.clock.startup_ms
        processes_per_bot = min(concurrency, cores())
        with closing(
            Pool(self._programs, game.name, startup_ms, self.store.folder / "logs", processes_per_bot)
        ) as pool:
            self._runner = Runner(self.test.conditions, pool, concurrency)
            self._runner.run(self._missing(), keep)

    def _missing(self) -> Iterator[Fixture]:
        for fixture in self.test.fixtures():
            if self.regression.is_over:
                return
            if fixture.position not in self._stored:
                yield fixture

    def _keep(self, games: list[Finished]) -> None:
        self.store.add(stored_game(self.test.game, game) for game in games)
        for game in games:
            for seat, (path, _) in game.logs.items():
                self.logs[game.fixture.position, seat] = path
            self.regression.add(_block_game(game.fixture.position, record_of(self.test.game, game)))
        if self.regression.is_over:
            self.stop()


def stored_games(store: Store) -> Iterator[BlockGame]:
    """The stored games of a regression test, in the order of their positions."""
    decode = msgspec.json.Decoder(Record).decode
    for position, record in zip(store.positions(), store.records(), strict=True):
        yield _block_game(position, decode(record))


def _block_game(position: int, record: Record) -> BlockGame:
    moves = [(entry.seat, entry.move, entry.by) for entry in record.moves]
    forfeits = record.outcome["forfeits"]
    reasons = [(forfeit["seat"], forfeit["reason"]) for forfeit in forfeits]
    return BlockGame(
        block=record.deal_number,
        position=position,
        ranks=tuple(record.outcome["ranks"]),
        faults=tuple(
            BlockFault(record.id, position, f["seat"], record.seats[f["seat"]], f["reason"], f["detail"])
            for f in forfeits
        ),
        transcript=hashlib.sha256(msgspec.json.encode([moves, reasons])).digest(),
        decisions=tuple(
            sum(entry.seat == seat and entry.by is None for entry in record.moves)
            for seat in range(len(record.seats))
        ),
    )
