"""`arena run`: play a tournament, or go on with it."""

import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType

import click
from arena.cli.results import print_leaderboard

import tournaments
from arena.bots.build import build
from arena.bots.manifest import Bot
from arena.bots.pool import Pool, cores
from arena.bots.process import adopt_orphans
from arena.cli.progress import RunProgress
from arena.errors import InputError
from arena.runner import Finished, Runner, stored_game
from arena.store import Store
from arena.tournament import Tournament, load_tournament

__all__ = ["run"]

RUNS = Path("runs")
SPECS = Path(tournaments.__file__).parent / "specs"
INTERRUPTED = 130


@click.command()
@click.argument("spec")
@click.option(
    "--run", "folder", type=click.Path(path_type=Path), help="The run's folder. [default: runs/NAME]"
)
@click.option("--concurrency", type=click.IntRange(1, 1024), help="Games at once, instead of the spec's.")
def run(spec: str, folder: Path | None, concurrency: int | None) -> None:
    """Play the tournament in SPEC: a TOML file, or the name of a shipped one such as quickstart.

    A run that was stopped, by whatever, goes on where it was. It ends with the leaderboard.
    """
    tournament = load_tournament(find_spec(spec))
    folder = folder or RUNS / tournament.spec.name
    digests = {name: bot.digest() for name, bot in tournament.bots.items()}
    programs = {name: build(bot) for name, bot in tournament.bots.items()}
    for bot in programs.values():
        bot.check_program()
    with Store.create_or_open(folder, tournament.fingerprint, digests) as store:
        is_complete = _play(tournament, programs, store, concurrency or tournament.spec.concurrency)
    if not is_complete:
        click.echo("stopped; the same command goes on from here", err=True)
        sys.exit(INTERRUPTED)
    print_leaderboard(folder)


def find_spec(spec: str) -> Path:
    """The spec's file: a path, or the name of a shipped one. Raises InputError."""
    path, shipped = Path(spec), SPECS / f"{spec}.toml"
    if path.is_file() or path.suffix == ".toml":
        return path
    if not shipped.is_file():
        known = ", ".join(sorted(file.stem for file in SPECS.glob("*.toml")))
        raise InputError(f"{spec}: expected a spec file or the name of a shipped spec ({known})")
    return shipped


def _play(tournament: Tournament, programs: Mapping[str, Bot], store: Store, concurrency: int) -> bool:
    """Play what is not stored yet. Returns whether nothing is left to play."""
    schedule, stored, spec = tournament.schedule, store.positions(), tournament.spec
    total = len(schedule)
    progress = RunProgress(total, len(stored))
    progress.say(
        f"{spec.name}: {spec.game}, {spec.seats} seats, {len(programs)} bots, {total} games "
        f"({len(stored)} stored), {concurrency} at once, in {store.folder}"
    )
    if len(stored) == total:
        return True
    adopt_orphans()
    pool = Pool(programs, spec.game, spec.clock.startup_ms, store.folder / "logs", min(concurrency, cores()))
    runner = Runner(tournament, pool, concurrency)

    def keep(games: list[Finished]) -> None:
        store.add(stored_game(tournament, game) for game in games)
        progress.add(games)

    with closing(pool), progress, _stopped_by_signals(runner.stop, progress.say):
        runner.run((fixture for fixture in schedule if fixture.position not in stored), keep)
    return len(store.positions()) == total


@contextmanager
def _stopped_by_signals(stop: Callable[[], None], say: Callable[[str], None]) -> Iterator[None]:
    """The first SIGINT, SIGTERM or SIGHUP calls `stop`, a second one ends everything at once."""
    asked = False

    def on_signal(number: int, frame: FrameType | None) -> None:
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
