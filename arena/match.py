"""A few games or a regression test played from Python: what the pytest plugin offers to tests of bots."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from arena.bots.build import build
from arena.bots.manifest import Bot, find_bot
from arena.bots.pool import Pool
from arena.bots.revision import GIT
from arena.errors import InputError
from arena.finished import Finished, record_of
from arena.games import GAMES, OptionError
from arena.record import Record
from arena.regress import RegressionRun, load_regression
from arena.regression_report import Report, Times, report, times_of
from arena.runner import Runner
from arena.sitting import Conditions
from arena.store import Store
from protocol.messages import Clock as MoveClock
from tournaments.regression_spec import regression_spec
from tournaments.results import placement_scores
from tournaments.schedule import Schedule
from tournaments.typed_toml import Clock, SpecError, cores

__all__ = ["ArenaMatch", "MatchFault", "MatchResult"]


class MatchFault(Struct, frozen=True):
    """A bot's forfeit. game: number of its game, from 0.  log: where the bot printed to."""

    bot: str
    game: int
    seat: int
    reason: str
    detail: str
    log: Path | None

    def __str__(self) -> str:
        return f"{self.bot}, seat {self.seat} of game {self.game}: {self.reason}: {self.detail} ({self.log})"


class MatchResult(Struct, frozen=True):
    """What bots did in some games. bots: their names, unique.  records: of the games, in their order."""

    bots: list[str]
    records: list[Record]
    faults: list[MatchFault]
    placements: dict[str, float]
    """By bot, the mean share of opponents that it beat, ties half: 0 to 1, 0.5 among equals."""
    times: dict[str, Times]
    """By bot, of its decisions."""


class ArenaMatch:
    """Plays games between bots. root: what folders of bots are relative to.  folder: for logs and runs."""

    def __init__(self, root: Path, folder: Path) -> None:
        self._root = root
        self._folder = folder

    def __call__(
        self,
        *bots: str | Path,
        deals: int = 1,
        game: str = "cat_in_the_box",
        options: Mapping[str, Any] | None = None,
        seed: str = "match",
        seating: str = "rotations",
        clock: Mapping[str, int] | None = None,
        concurrency: int = 1,
    ) -> MatchResult:
        """Play every deal in every seating, one bot a seat.

        bots: folders, or names of sample bots; the second of a name is called `name-2`.
        clock: keys of a spec's [clock]. Raises InputError.
        """
        try:
            table = GAMES[game](len(bots), dict(options or {}), self._root)
        except KeyError:
            raise InputError(f"game: expected one of {', '.join(GAMES)}, got {game!r}") from None
        except OptionError as error:
            raise InputError(f"{error.key}: {error}") from None
        limits = Clock(**clock or {})
        conditions = Conditions(table, seed, MoveClock(limits.move_ms, limits.bank_ms), "substitute")
        players = self._players(bots, game)
        fixtures = Schedule(list(players), len(players), deals, seating)
        logs = self._folder / "logs"
        finished: list[Finished] = []
        with closing(Pool(players, game, limits.startup_ms, logs, min(concurrency, cores()))) as pool:
            Runner(conditions, pool, concurrency).run(iter(fixtures), finished.extend)
        finished.sort(key=lambda game: game.fixture.position)
        return _result(list(players), finished, [_timed(record_of(table, game), game) for game in finished])

    def regress(self, candidate: str | Path, baseline: str | Path, **keys: Any) -> Report:
        """Test the candidate against the baseline. keys: as in the file of `arena regress`. Raises InputError."""
        tested = {"candidate": self._found(candidate), "baseline": self._found(baseline)}
        if "field" in keys:
            keys["field"] = [self._found(bot) for bot in keys["field"]]
        try:
            test = load_regression(regression_spec(None, {**tested, **keys}))
        except SpecError as error:
            raise InputError(str(error)) from None
        programs = {name: build(bot) for name, bot in test.bots.items()}
        with Store.create_or_open(self._folder / test.run_name, test.fingerprint, test.files) as store:
            run = RegressionRun(test, programs, store)
            run.play(test.spec.concurrency)
            return report(run)

    def _players(self, bots: Sequence[str | Path], game: str) -> dict[str, Bot]:
        players: dict[str, Bot] = {}
        seen: Counter[str] = Counter()
        for text in bots:
            bot = find_bot(self._found(text))
            if game not in bot.manifest.games:
                raise InputError(f"{bot.name} plays {', '.join(bot.manifest.games)}, not {game}")
            seen[bot.name] += 1
            name = bot.name if seen[bot.name] == 1 else f"{bot.name}-{seen[bot.name]}"
            players[name] = msgspec.structs.replace(build(bot), name=name)
            players[name].check_program()
        return players

    def _found(self, bot: str | Path) -> str:
        text = str(bot)
        return str(self._root / text) if not text.startswith(GIT) and (self._root / text).is_dir() else text


def _timed(record: Record, game: Finished) -> Record:
    """The record with the time of every decision."""
    for entry, ms in zip(record.moves, game.played.move_ms, strict=True):
        entry.ms = None if entry.by else ms
    return record


def _result(bots: list[str], games: Sequence[Finished], records: list[Record]) -> MatchResult:
    scores: dict[str, float] = dict.fromkeys(bots, 0.0)
    for record in records:
        for bot, score in zip(record.seats, placement_scores(record.outcome["ranks"]), strict=True):
            scores[bot] += score / len(records)
    faults = [
        MatchFault(
            game.fixture.seats[forfeit.seat],
            number,
            forfeit.seat,
            forfeit.reason,
            forfeit.detail,
            game.logs[forfeit.seat][0] if forfeit.seat in game.logs else None,
        )
        for number, game in enumerate(games)
        for forfeit in game.played.outcome.forfeits
    ]
    return MatchResult(bots, records, faults, scores, times_of(bots, records))
