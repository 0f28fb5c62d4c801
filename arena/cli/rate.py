"""Ratings of plain results from anywhere: `rate`."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import isnan
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from arena.cli.tables import Column, format_option, printable, render
from arena.errors import InputError

if TYPE_CHECKING:
    from tournaments.leaderboard import Row
    from tournaments.ratings import Ratings
    from tournaments.results import Results

__all__ = ["rate"]

_WIDEST_MATRIX = 10
"""Bots whose differences a table still shows; more do not fit into a terminal."""


@click.command()
@click.argument("files", metavar="FILE…", nargs=-1)
@click.option("--prior", default=0.5, show_default=True, help="Virtual wins and losses of each bot, from 0.")
@click.option("--anchor", metavar="BOT[=ELO]", help="The bot whose rating is held, at 0 unless said.")
@click.option(
    "--bootstrap",
    is_flag=False,
    flag_value="1000",
    metavar="[DRAWS]",
    help="Errors from a bootstrap over deals, of 1000 draws unless said; else only below 30 deals.",
)
@format_option
def rate(
    files: tuple[str, ...], prior: float, anchor: str | None, bootstrap: str | None, format_: str
) -> None:
    """Rate the results in FILEs, JSON Lines or CSV, `-` for standard input.

    A line is a game: {"deal":0,"players":["A","B","C"],"ranks":[1,2,2]}, tables of any size. CSV has the columns
    deal, players, ranks, with spaces between the items of a list. Games of one deal share their cards; without a
    deal each game counts as a deal of its own. Both forms of `arena export` are read, too.
    """
    if bootstrap is not None and not bootstrap.isdecimal():  # `--bootstrap FILE`
        files, bootstrap = (bootstrap, *files), "1000"
    if not files:
        raise click.UsageError("Missing argument 'FILE…'.")
    results, alone = _collect(files)
    ratings = _rated(results, prior, anchor, None if bootstrap is None else int(bootstrap))
    click.echo(_answer(results, ratings, alone, format_))


def _collect(files: Sequence[str]) -> "tuple[Results, int]":
    """All results, and how many are without a deal."""
    from arena.plain_results import read_results
    from tournaments.results import Collector

    collector, alone = Collector(), 0
    for name in files:
        with _opened(name) as file:
            alone += read_results(file, "standard input" if name == "-" else name, collector)[1]
    return collector.results(), alone


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    try:
        if name == "-":
            yield sys.stdin.buffer
        else:
            with open(name, "rb") as file:
                yield file
    except OSError as error:
        raise InputError(f"cannot read {name}: {error.strerror}") from error


def _rated(results: "Results", prior: float, anchor: str | None, draws: int | None) -> "Ratings":
    from tournaments.ratings import Anchor, RatingError
    from tournaments.ratings import rate as rate_results

    try:
        held = None if anchor is None else Anchor.parse(anchor)
        return rate_results(results, prior, held, draws)
    except RatingError as error:
        raise InputError(str(error)) from error


def _answer(results: "Results", ratings: "Ratings", alone: int, format_: str) -> str:
    """JSON has the differences in each bot's row, tables for people after the leaderboard, CSV nowhere."""
    from msgspec.structs import asdict

    from tournaments.leaderboard import COLUMNS, leaderboard_rows

    rows = leaderboard_rows(results, ratings)
    if format_ == "json":
        told = [asdict(row) | {"differences": _differences(ratings, row.bot)} for row in rows]
        return json.dumps(told, indent=2)
    plain = [asdict(row) for row in rows]
    if format_ == "csv":
        return render(COLUMNS, plain, format_)
    groups = rows[-1].group
    parts = [render([c for c in COLUMNS if groups > 1 or c.key != "group"], plain, format_)]
    if len(rows) <= _WIDEST_MATRIX:
        parts += ["Row's Elo less column's, ± 95 %, and the likelihood that the row's bot is stronger:"]
        parts += [_matrix(ratings, rows, format_)]
    else:
        parts += [f"--format json has the differences between these {len(rows)} bots."]
    return "\n\n".join([*parts, *_remarks(rows, alone)])


def _remarks(rows: "Sequence[Row]", alone: int) -> Iterator[str]:
    groups: dict[int, list[str]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(printable(row.bot))
    if len(groups) > 1:
        apart = "\n".join(f"  {group}: {', '.join(bots)}" for group, bots in groups.items())
        yield f"No chain of results connects these groups, so that their ratings cannot be compared:\n{apart}"
    if alone:
        yield f"Games without a deal number: {alone}. Each counts as a deal of its own."


def _differences(ratings: "Ratings", bot: str) -> dict[str, dict[str, float | None] | None]:
    """To every other bot, by name; None for bots that cannot be compared."""
    i = ratings.names.index(bot)
    margins, superiority = ratings.margins95_of_differences()[i], ratings.superiority()[i]
    return {
        name: {
            "elo": float(ratings.elo[i] - ratings.elo[j]),
            "elo_pm95": _known(margins[j]),
            "los": _known(superiority[j]),
        }
        if ratings.components[i] == ratings.components[j]
        else None
        for j, name in enumerate(ratings.names)
        if j != i
    }


def _known(value: float) -> float | None:
    return None if isnan(value) else float(value)


def _matrix(ratings: "Ratings", rows: "Sequence[Row]", format_: str) -> str:
    bots = [row.bot for row in rows]
    columns = [Column("", "bot"), *(Column(printable(bot), bot) for bot in bots)]
    lines: list[dict[str, Any]] = []
    for bot in bots:
        differences = _differences(ratings, bot)
        lines.append({other: _difference(differences.get(other)) for other in bots} | {"bot": bot})
    return render(columns, lines, format_)


def _difference(difference: dict[str, float | None] | None) -> str | None:
    if difference is None:
        return None
    elo, margin, los = difference["elo"], difference["elo_pm95"], difference["los"]
    return f"{elo:+.0f}" if margin is None else f"{elo:+.0f} ± {margin:.0f}, {los:.0%}"
