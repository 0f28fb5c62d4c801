"""`arena replay`: step through a stored game."""

import sys
from collections.abc import Iterator, Sequence

import click
from rich.console import Console

from arena.cli.console import make_console
from arena.cli.runs import run_folder
from arena.errors import InputError
from arena.record import RecordedMove
from arena.replay import StoredPlay, read_record, standing
from arena.store import Store
from protocol.errors import one_line

__all__ = ["replay"]


@click.command()
@click.argument("run")
@click.argument("game")
@click.option("--seat", type=click.IntRange(0), help="Show what this seat may know.  [default: every hand]")
@click.option("--move", "first", type=click.IntRange(0), default=0, show_default=True, help="Begin there.")
def replay(run: str, game: str, seat: int | None, first: int) -> None:
    """Step through a GAME of RUN: its id, or its number in the schedule, from 0.

    On a terminal Enter shows the next move and q ends; elsewhere every move is printed.
    """
    with Store.open(run_folder(run)) as store:
        is_number = game.isdecimal() and len(game) < 19
        stored = read_record(store.record(int(game) if is_number else game))
    if seat is not None and seat >= stored.game.seats:
        raise InputError(f"--seat: expected 0 to {stored.game.seats - 1}, got {seat}")
    console = make_console()
    seats = range(stored.game.seats) if seat is None else [seat]
    interactive = sys.stdin.isatty() and console.is_terminal
    for number, (entry, state) in enumerate(stored.steps()):
        if number < first:
            continue
        if interactive:
            console.clear()
        console.print(_heading(stored, number, entry, seats), soft_wrap=True)
        console.print(stored.game.draw([stored.game.observe(state, shown) for shown in seats]))
        if interactive and number < len(stored.record.moves) and _wants_to_stop(console):
            return
    for line in _outcome(stored):
        console.print(line, soft_wrap=True)


def _heading(stored: StoredPlay, number: int, entry: RecordedMove | None, seats: Sequence[int]) -> str:
    """Which move this is; a secret one only where its seat is looked at."""
    game, record = stored.game, stored.record
    if entry is None:
        return one_line(
            f"game {record.id}: {', '.join(f'seat {s} {name}' for s, name in enumerate(record.seats))}"
        )
    move = game.decode_move(entry.move)
    said = "has chosen" if game.is_secret(move) and entry.seat not in seats else game.describe(move)
    by = ", moved by the referee" if entry.by else ""
    note = f", note: {entry.note}" if entry.note else ""
    name = record.seats[entry.seat]
    return one_line(f"move {number} of {len(record.moves)}: seat {entry.seat} ({name}) {said}{by}{note}")


def _outcome(stored: StoredPlay) -> Iterator[str]:
    outcome = stored.record.outcome
    for forfeit in outcome["forfeits"]:
        yield one_line(f"seat {forfeit['seat']} forfeits, {forfeit['reason']}: {forfeit['detail']}")
    yield from standing(stored.record)


def _wants_to_stop(console: Console) -> bool:
    console.print("Enter: next move, q: stop ", end="")
    line = sys.stdin.readline()
    return not line or line.strip().lower() == "q"
