"""What the arena knows: `games`, `schema`."""

import click

from arena.cli.tables import Column, format_option, render

__all__ = ["games", "schema"]


@click.command()
@format_option
def games(format_: str) -> None:
    """List the games the arena plays, with the options of a tournament's [options] and their defaults."""
    from arena.games import GAMES

    columns = (
        Column("game", "name"),
        Column("seats", "seats"),
        Column("options", "options"),
        Column("may be", "values"),
    )
    rows = [
        {
            "name": name,
            "seats": game.seat_counts,
            "options": game(max(game.seat_counts), {}).options,
            "values": game.option_values,
        }
        for name, game in GAMES.items()
    ]
    click.echo(render(columns, rows, format_))


@click.command()
def schema() -> None:
    """Print the JSON Schema of every message between the arena and a bot."""
    from protocol.json_schema import schema_text

    click.echo(schema_text(), nl=False)
