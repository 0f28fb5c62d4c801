"""Calculators for claims: `stats elo`, `stats sprt`, `stats plan`."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from arena.cli.tables import Column, format_option, render
from arena.errors import InputError

if TYPE_CHECKING:
    from msgspec import Struct

    from tournaments.sprt import Sprt

__all__ = ["stats"]

_F = TypeVar("_F", bound=Callable[..., Any])

_ESTIMATE = (
    Column("nElo", "nelo", "+.2f"),
    Column("± 95%", "nelo_pm95", ".2f"),
)
_ELO = (
    Column("Elo", "elo", "+.2f"),
    Column("± 95%", "elo_pm95", ".2f"),
    Column("LOS", "los", ".2%"),
    Column("score", "score", ".4f"),
    *_ESTIMATE,
)
_SPRT = (
    Column("LLR", "llr", "+.4f"),
    Column("lower", "lower", ".4f"),
    Column("upper", "upper", ".4f"),
    Column("verdict", "verdict"),
    *_ESTIMATE,
)
_PLAN = (
    Column("true nElo", "nelo", "+.1f"),
    Column("P(passed)", "passed", ".1%"),
    Column("games", "games", ".0f"),
    Column("blocks", "blocks", ".0f"),
)


@click.group(no_args_is_help=False)
def stats() -> None:
    """Check a claim: ratings and tests from counts of results."""


def _counts(_context: click.Context, _parameter: click.Parameter, text: str) -> list[int]:
    try:
        return [int(count) for count in text.split(",")]
    except ValueError:
        raise InputError(f"--counts: expected whole numbers separated by commas, got {text}") from None


def _counts_option(command: _F) -> _F:
    text = (
        "Results by score from the lowest, separated by commas: 3 of games (losses, draws, wins), "
        "5 of pairs of games, 13, 25 or 41 of blocks at 3, 4 or 5 seats."
    )
    return click.option("--counts", required=True, callback=_counts, metavar="N,N,N…", help=text)(command)


def _test_options(command: _F) -> _F:
    options = (
        click.option("--elo0", type=float, required=True, help="The hypothesis that fails."),
        click.option("--elo1", type=float, required=True, help="The hypothesis that passes."),
        click.option("--alpha", default=0.05, show_default=True, help="P(passed) at elo0."),
        click.option("--beta", default=0.05, show_default=True, help="P(failed) at elo1."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@stats.command()
@_counts_option
@format_option
def elo(counts: list[int], format_: str) -> None:
    """Elo, normalized Elo, their 95 % margins and the likelihood of superiority."""
    from tournaments.calculators import estimate_elo

    with _input_errors():
        _show(_ELO, estimate_elo(counts), format_)


@stats.command()
@_counts_option
@click.option("--seats", type=click.IntRange(2, 5), help="At the table; the counts must fit.")
@_test_options
@click.option(
    "--model",
    type=click.Choice(["nelo", "logistic"]),
    default="nelo",
    show_default=True,
    help="The unit of elo0 and elo1: normalized Elo, or Elo.",
)
@format_option
def sprt(
    counts: list[int],
    seats: int | None,
    elo0: float,
    elo1: float,
    alpha: float,
    beta: float,
    model: str,
    format_: str,
) -> None:
    """The sequential test of elo1 against elo0: passed, failed or inconclusive."""
    from tournaments.calculators import run_sprt

    with _input_errors():
        _show(_SPRT, run_sprt(counts, _sprt(elo0, elo1, alpha, beta), model, seats), format_)


@stats.command()
@_test_options
@click.option("--seats", type=click.IntRange(2, 5), default=2, show_default=True, help="Games in a block.")
@format_option
def plan(elo0: float, elo1: float, alpha: float, beta: float, seats: int, format_: str) -> None:
    """How many games a test takes in the mean, at a true strength of elo0, midway and elo1 (normalized Elo)."""
    import msgspec

    from tournaments.calculators import plan_sprt

    with _input_errors():
        rows = [msgspec.structs.asdict(row) for row in plan_sprt(_sprt(elo0, elo1, alpha, beta), seats)]
    click.echo(render(_PLAN, rows, format_))


def _sprt(elo0: float, elo1: float, alpha: float, beta: float) -> "Sprt":
    from tournaments.sprt import Sprt

    return Sprt(elo0, elo1, alpha, beta)


@contextmanager
def _input_errors() -> Iterator[None]:
    """What the calculators refuse is the person's input."""
    try:
        yield
    except ValueError as error:
        raise InputError(str(error)) from error


def _show(columns: tuple[Column, ...], estimate: "Struct", format_: str) -> None:
    """One estimate: as JSON an object, else a table of one row."""
    import msgspec

    row = msgspec.structs.asdict(estimate)
    click.echo(json.dumps(row, indent=2) if format_ == "json" else render(columns, [row], format_))
