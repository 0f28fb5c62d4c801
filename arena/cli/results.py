"""What a run came to: `leaderboard`, `export`, `verify`."""

import csv
import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from arena.cli.progress import progress
from arena.cli.runs import run_folder
from arena.cli.tables import format_option, printable, render
from arena.errors import InputError

if TYPE_CHECKING:
    from arena.store import Store

__all__ = ["export", "leaderboard", "leaderboard_text", "verify"]

_SHOWN_MISMATCHES = 5


@click.command()
@click.argument("run")
@click.option("--prior", default=0.5, show_default=True, help="Virtual wins and losses of each bot, from 0.")
@click.option(
    "--anchor",
    metavar="BOT[=ELO]",
    help="The bot whose rating is held, at 0 unless said; else the mean is 0.",
)
@format_option
def leaderboard(run: str, prior: float, anchor: str | None, format_: str) -> None:
    """Show the Elo leaderboard of RUN, also while it is played."""
    from arena.store import Store

    with Store.open(run_folder(run)) as store:
        if "hypotheses" in store.spec:
            raise InputError(f"{store.folder} is a regression test; `arena regress` says what it came to")
        click.echo(leaderboard_text(store, prior, anchor, format_))


def leaderboard_text(
    store: "Store", prior: float = 0.5, anchor: str | None = None, format_: str = "table"
) -> str:
    """The leaderboard of an open run. For people, groups are shown only if there are several."""
    import msgspec

    from tournaments.leaderboard import COLUMNS
    from tournaments.leaderboard import leaderboard as rows_of
    from tournaments.ratings import Anchor, RatingError

    try:
        held = None if anchor is None else Anchor.parse(anchor)
        rows = [msgspec.structs.asdict(row) for row in rows_of(store.results(), prior, held)]
    except RatingError as error:
        raise InputError(str(error)) from error
    one_group = format_ in ("table", "markdown") and len({row["group"] for row in rows}) < 2
    return render([column for column in COLUMNS if not (one_group and column.key == "group")], rows, format_)


@click.command()
@click.argument("run")
@click.option("--format", "format_", type=click.Choice(["jsonl", "csv"]), default="jsonl", show_default=True)
@click.option("--timings", is_flag=True, help="Add the time charged for each move (jsonl only).")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="File instead of stdout."
)
def export(run: str, format_: str, timings: bool, output: Path | None) -> None:
    """Write the finished games of RUN, one a line, in the schedule's order."""
    from arena.store import Store

    if timings and format_ == "csv":
        raise click.UsageError("--timings is for --format jsonl")
    folder = run_folder(run)
    if output is not None and output.resolve().is_relative_to(folder.resolve()):
        raise InputError(f"{output}: expected a file outside the run's own folder")
    with Store.open(folder) as store, _output(output) as file:
        records = progress(store.records(timings), "exporting", len(store.positions()))
        lines = records if format_ == "jsonl" else _csv_lines(records)
        for line in lines:
            file.write(line + b"\n")


@contextmanager
def _output(path: Path | None) -> Iterator[BinaryIO]:
    try:
        if path is None:
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        else:
            with path.open("wb") as file:
                yield file
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"cannot write {path or 'the output'}: {error.strerror}") from error


def _csv_lines(records: Iterable[bytes]) -> Iterator[bytes]:
    """Lists are by seat, their items separated by a space."""
    import msgspec

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="")
    rows = (_csv_row(msgspec.json.decode(record)) for record in records)
    for row in (("id", "deal", "players", "ranks", "scores", "forfeits"), *rows):
        writer.writerow([printable(str(value)) for value in row])
        yield text.getvalue().encode()
        text.seek(0)
        text.truncate()


def _csv_row(game: dict[str, Any]) -> tuple[object, ...]:
    outcome = game["outcome"]
    ranks, scores = (" ".join(map(str, outcome[key])) for key in ("ranks", "scores"))
    forfeits = " ".join(f"{forfeit['seat']}:{forfeit['reason']}" for forfeit in outcome["forfeits"])
    return game["id"], game["deal_number"], " ".join(game["seats"]), ranks, scores, forfeits


@click.command()
@click.argument("source", metavar="FILE|RUN")
def verify(source: str) -> int:
    """Replay the games of an export or a run, and derive every score again. Exit status 1 if any is wrong."""
    if os.path.exists(source) and not os.path.isdir(source):
        with _lines(Path(source)) as lines:
            return _verify(lines, source, None)
    from arena.store import Store

    with Store.open(run_folder(source)) as store:
        rows = zip(store.records(), store.rows(), strict=True)
        return _verify(_as_rated(rows), source, len(store.positions()))


def _as_rated(rows: Iterable[tuple[bytes, tuple[Any, ...]]]) -> Iterator[bytes]:
    """The records, once what the leaderboard reads has been held against them."""
    import msgspec

    for record, row in rows:
        game = msgspec.json.decode(record)
        outcome = game["outcome"]
        forfeits = [forfeit["seat"] for forfeit in outcome["forfeits"]]
        recorded = [game["deal_number"], game["seats"], outcome["ranks"], outcome["scores"], forfeits]
        if recorded != (rated := list(row)):
            raise InputError(f"game {game['id']}: the leaderboard reads {rated}, its record says {recorded}")
        yield record


@contextmanager
def _lines(path: Path) -> Iterator[Iterable[bytes]]:
    try:
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error


def _verify(lines: Iterable[bytes], source: str, total: int | None) -> int:
    from arena.verify import MismatchError
    from arena.verify import verify as verify_record

    number = wrong = 0
    for number, line in enumerate(progress(lines, "verifying", total), 1):
        try:
            verify_record(line)
        except MismatchError as mismatch:
            wrong += 1
            if wrong <= _SHOWN_MISMATCHES:
                click.echo(printable(str(mismatch)))
        except InputError as error:
            raise InputError(f"{source}: line {number}: {error}") from error
    if not number:
        raise InputError(f"{source} holds no games")
    click.echo(f"{number - wrong} games verified" + (f", {wrong} wrong" if wrong else ""))
    return 1 if wrong else 0
