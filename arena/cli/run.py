"""`arena run`: play a tournament, or go on with it."""

import os
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

from arena.cli import INTERRUPTED
from arena.cli.runs import RUNS
from arena.errors import InputError

if TYPE_CHECKING:
    from arena.bots.manifest import Bot
    from arena.finished import Finished
    from arena.store import Store
    from arena.tournament import Tournament

__all__ = ["find_spec", "run", "stopped_by_signals"]


@click.command()
@click.argument("spec")
@click.option(
    "--run", "folder", type=click.Path(path_type=Path), help="The run's folder.  [default: runs/NAME]"
)
@click.option("--concurrency", type=click.IntRange(1, 1024), help="Games at once, instead of the spec's.")
def run(spec: str, folder: Path | None, concurrency: int | None) -> int:
    """Play the tournament in SPEC: a TOML file, or the name of a shipped one such as quickstart.

    A run that was stopped, by whatever, goes on where it was. It ends with the leaderboard.
    """
    from arena.bots.build import build
    from arena.cli.results import leaderboard_text
    from arena.store import Store
    from arena.tournament import load_tournament

    tournament = load_tournament(find_spec(spec))
    files = {name: bot.files() for name, bot in tournament.bots.items()}
    programs = {name: build(bot) for name, bot in tournament.bots.items()}
    for bot in programs.values():
        bot.check_program()
    folder = folder or RUNS / tournament.spec.name
    with Store.create_or_open(folder, tournament.fingerprint, files) as store:
        is_complete = _play(tournament, programs, store, concurrency or tournament.spec.concurrency)
        if is_complete:
            click.echo(leaderboard_text(store))
    return 0 if is_complete else INTERRUPTED


def find_spec(spec: str) -> Path:
    """The spec's file: a path, or the name of a shipped one. Raises InputError."""
    import tournaments

    specs = Path(tournaments.__file__).parent / "specs"
    path, shipped = Path(spec), specs / f"{spec}.toml"
    if os.path.isfile(path) or path.suffix == ".toml":
        return path
    if not os.path.isfile(shipped):
        known = ", ".join(sorted(file.stem for file in specs.glob("*.toml")))
        raise InputError(f"{spec}: expected a spec file or the name of a shipped spec ({known})")
    return shipped


def _play(tournament: "Tournament", programs: Mapping[str, "Bot"], store: "Store", concurrency: int) -> bool:
    """Play what is not stored yet. Returns whether nothing is left to play."""
    from arena.bots.pool import Pool
    from arena.cli.run_progress import RunProgress
    from arena.finished import stored_game
    from arena.runner import Runner
    from tournaments.typed_toml import cores

    schedule, stored, spec = tournament.schedule, store.positions(), tournament.spec
    if any(position >= len(schedule) for position in stored):
        message = (
            f"{store.folder} has games of more than {spec.deals} deals; expected deals to stay or to grow"
        )
        raise InputError(f"{spec.file}: deals: {message}")
    progress = RunProgress(len(schedule), len(stored))
    progress.say(
        f"{spec.name}: {spec.game}, {spec.seats} seats, {len(programs)} bots, {len(schedule)} games "
        f"({len(stored)} stored), {concurrency} at once, in {store.folder}"
    )
    if len(stored) == len(schedule):
        return True
    processes_per_bot = min(concurrency, cores())
    pool = Pool(programs, spec.game, spec.clock.startup_ms, store.folder / "logs", processes_per_bot)
    runner = Runner(tournament.conditions, pool, concurrency)

    def keep(games: list["Finished"]) -> None:
        store.add(stored_game(tournament.game, game) for game in games)
        progress.add(games)

    with closing(pool), progress, stopped_by_signals(runner.stop, progress.say):
        runner.run((fixture for fixture in schedule if fixture.position not in stored), keep)
    return progress.is_complete


@contextmanager
def stopped_by_signals(stop: Callable[[], None], say: Callable[[str], None]) -> Iterator[None]:
    """The first SIGINT, SIGTERM or SIGHUP calls `stop`, a second one ends everything at once."""
    asked = False

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        stop()
        say("stopping: games under way get a moment to finish; once more to stop now")

    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, on_signal) for number in signals}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
