"""`arena bench`: how fast this machine plays."""

import click

from arena.bench import measure
from arena.cli.progress import progress
from arena.cli.tables import Column, format_option, render

__all__ = ["bench"]

COLUMNS = (
    Column("what", "what"),
    Column("in flight", "in_flight", "d"),
    Column("decisions/s", "per_s", ",.0f"),
    Column("of bare", "ratio", ".0%"),
)


@click.command()
@click.option("--seats", type=click.IntRange(2, 5), default=3, show_default=True)
@click.option("--games", type=click.IntRange(1), default=600, show_default=True, help="Games to play.")
@click.option(
    "--in-flight", type=click.IntRange(1, 256), default=32, show_default=True, help="Games at once."
)
@format_option
def bench(seats: int, games: int, in_flight: int, format_: str) -> None:
    """Measure decisions a second, end to end, next to bare ZeroMQ round trips of the same payload.

    The bots answer at once, so this is what the arena itself costs: rules, wire, clocks, records, store.
    """
    figures = list(progress(measure(seats, games, in_flight), "measuring", 4))
    click.echo(render(COLUMNS, [figure._asdict() for figure in figures], format_))
