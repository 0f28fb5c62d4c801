"""Reads plain results from anywhere, as JSON Lines or CSV, into arrays.

A line is a game. JSON: `{"deal":0,"players":["A","B","C"],"ranks":[1,2,2]}`, with `scores` and `forfeits` (seats) if
wanted, or a record of `arena export`. CSV: a header that names those columns, lists with spaces between, as `arena
export --format csv` writes them. `deal` may be missing: then the game is a deal of its own. Other fields are skipped.
Only if lines are wrong are they looked at one by one.
"""

import csv
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, BinaryIO, NamedTuple, TypeAlias, TypeVar

import msgspec

from arena.errors import InputError
from tournaments.results import Collector, Result

__all__ = ["read_results"]

_CHUNK_BYTES = 1 << 18
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Games(NamedTuple):
    """Parallel sequences, as `Collector.add` takes them."""

    deals: list[int | None]
    players: Sequence[Sequence[str]]
    ranks: Sequence[Sequence[int]]
    scores: Sequence[Sequence[float] | None]
    forfeits: Sequence[Sequence[int]]


_Parse: TypeAlias = Callable[[bytes], Games]
T = TypeVar("T")
_WRONG = (ValueError, OverflowError, csv.Error, msgspec.MsgspecError)
"""What a line that is no result raises."""


class _Cards(msgspec.Struct, gc=False):
    """A record's deal: skipped."""


class _Forfeit(msgspec.Struct, gc=False):
    seat: int


class _Outcome(msgspec.Struct, gc=False):
    ranks: list[int]
    scores: list[float] | None = None
    forfeits: list[_Forfeit] = []


class _Line(msgspec.Struct, gc=False):
    """Either form of a line of JSON."""

    deal: int | _Cards | None = None
    players: list[str] | None = None
    ranks: list[int] | None = None
    scores: list[float] | None = None
    forfeits: list[int] = []
    deal_number: int | None = None
    seats: list[str] | None = None
    outcome: _Outcome | None = None


_DECODER = msgspec.json.Decoder(_Line)
_line_fields = attrgetter("deal", "players", "ranks", "scores", "forfeits")


def read_results(file: BinaryIO, name: str, collector: Collector) -> tuple[int, int]:
    """Adds every game of the file; how many there were, and how many of them without a deal.

    name: of the file, for errors. Raises InputError for the first line that is no result, and for no results.
    """
    number, pending = _first_line(file)
    parse: _Parse = _parse_json
    if pending and not pending.lstrip().startswith(b"{"):
        parse = _at(name, number, _csv_parser, pending)
        number, pending = number + 1, b""
    games = alone = 0
    while lines := pending + file.read(_CHUNK_BYTES):
        lines += file.readline()
        deals = _add(lines, parse, collector, name, number)
        games, alone = games + len(deals), alone + deals.count(None)
        number, pending = number + lines.count(b"\n"), b""
    if not games:
        raise InputError(f"{name} holds no results")
    return games, alone


def _first_line(file: BinaryIO) -> tuple[int, bytes]:
    """The first line that is not blank, with its number; empty at the end of the file."""
    for number, line in enumerate(file, 1):
        text = line.removeprefix(_BYTE_ORDER_MARK)
        if text.strip():
            return number, text
    return 1, b""


def _add(lines: bytes, parse: _Parse, collector: Collector, name: str, number: int) -> list[int | None]:
    """The games' deals. number: of the first line."""
    try:
        games = parse(lines)
        collector.add(*games)
    except _WRONG:
        for offset, line in enumerate(lines.split(b"\n")):
            if line.strip():
                _at(name, number + offset, _check, line, parse)
        raise InputError(f"{name}: line {number} or later: not a result") from None
    return games.deals


def _at(name: str, number: int, function: Callable[..., T], *arguments: Any) -> T:
    """Calls the function for a line of the file: what is wrong with it becomes the person's error."""
    try:
        return function(*arguments)
    except UnicodeDecodeError:
        message = "not UTF-8"
    except OverflowError:
        message = "a number is too large"
    except _WRONG as error:
        message = str(error).replace("$[0]", "$")
    raise InputError(f"{name}: line {number}: {message}")


def _check(line: bytes, parse: _Parse) -> None:
    """Raises one of _WRONG for a line that is no result."""
    for deal, players, ranks, scores, forfeits in zip(*(games := parse(line)), strict=True):
        points = None if scores is None else tuple(scores)
        Result(deal or 0, tuple(players), tuple(ranks), points, tuple(forfeits))
    Collector().add(*games)


def _parse_json(lines: bytes) -> Games:
    decoded = _DECODER.decode_lines(lines)
    if any(line.players is None for line in decoded):
        decoded = [_plain(line) if line.players is None else line for line in decoded]
    if any(line.ranks is None for line in decoded):
        raise ValueError("expected ranks")
    if any(isinstance(line.deal, _Cards) for line in decoded):
        raise ValueError("expected a deal number")
    columns = zip(*map(_line_fields, decoded), strict=True)
    return Games(*map(list, columns)) if decoded else Games([], [], [], [], [])


def _plain(line: _Line) -> _Line:
    """A record as a plain result."""
    if line.seats is None or line.outcome is None:
        raise ValueError("expected players and ranks, or a record of arena export")
    outcome = line.outcome
    at_fault = [forfeit.seat for forfeit in outcome.forfeits]
    return _Line(line.deal_number, line.seats, outcome.ranks, outcome.scores, at_fault)


def _csv_parser(header: bytes) -> _Parse:
    """Of the lines after this header."""
    titles = [title.strip() for title in next(csv.reader([header.decode()]))]
    missing = {"players", "ranks"}.difference(titles)
    if missing:
        raise ValueError(f"expected JSON, or a CSV header with players and ranks, got {','.join(titles)}")

    def parse(lines: bytes) -> Games:
        rows = [row for row in csv.reader(lines.decode().split("\n"), strict=True) if row]
        if any(len(row) != len(titles) for row in rows):
            raise ValueError(f"expected {len(titles)} columns, got {len(rows[0])}")
        columns = dict(zip(titles, zip(*rows, strict=True), strict=False))
        return Games(*(_cells(title, columns.get(title, ("",) * len(rows))) for title in _CELLS))

    return parse


def _cells(title: str, cells: Sequence[str]) -> list[Any]:
    """A column's values."""
    convert, form = _CELLS[title]
    try:
        return [*map(convert, cells)]
    except ValueError:
        raise ValueError(f"expected {title} like {form}, got {cells[0]}") from None


def _ints(cell: str) -> list[int]:
    return [*map(int, cell.split())]


def _floats(cell: str) -> list[float] | None:
    return [*map(float, cell.split())] or None


def _seats(cell: str) -> list[int]:
    """A reason may follow: `2:timeout`."""
    return [int(item.partition(":")[0]) for item in cell.split()] if cell else []


_CELLS: dict[str, tuple[Callable[[str], Any], str]] = {
    "deal": (lambda cell: int(cell) if cell else None, "7"),
    "players": (str.split, "A B C"),
    "ranks": (_ints, "1 2 2"),
    "scores": (_floats, "9 4 4"),
    "forfeits": (_seats, "2"),
}
"""How a cell of CSV is read, and an example of it. In the order of Games."""
