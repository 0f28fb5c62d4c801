"""Tables for people and programs, and text made safe for a terminal."""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

import click

__all__ = ["Column", "ColumnLike", "format_option", "printable", "render"]

_F = TypeVar("_F", bound=Callable[..., Any])
Rows = Sequence[Mapping[str, Any]]


class ColumnLike(Protocol):
    @property
    def title(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def format(self) -> str: ...


class Column(NamedTuple):
    """title: for people.  key: in rows, and for programs.  format: a format specification for people."""

    title: str
    key: str
    format: str = "s"


def printable(text: str) -> str:
    """The text with everything escaped that could steer a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def format_option(command: _F) -> _F:
    """Adds `--format`; the command's parameter is `format_`."""
    choice = click.Choice(list(_RENDERERS))
    option = click.option("--format", "format_", type=choice, default="table", show_default=True)
    return option(command)


def render(columns: Sequence[ColumnLike], rows: Rows, format_: str) -> str:
    """The table as text without a last newline. format_: `table`, `json`, `csv` or `markdown`.

    Tables for people show None as `-`; those for programs hold the values as they are, under their keys.
    """
    return _RENDERERS[format_](columns, rows)


def _grid(style: str, columns: Sequence[ColumnLike], rows: Rows) -> str:
    from tabulate import tabulate

    cells = [[_cell(row[column.key], column.format, style) for column in columns] for row in rows]
    titles = [column.title for column in columns]
    sides = ["left" if column.format == "s" else "right" for column in columns]
    if not cells:  # tabulate wants no more alignments than it has columns
        return "  ".join(titles) if style == "simple" else tabulate([], titles, style)
    return tabulate(cells, titles, style, colalign=sides, disable_numparse=True)


def _cell(value: object, format_: str, style: str) -> str:
    text = printable(_words(value, format_))
    return text.replace("|", "\\|") if style == "pipe" else text


def _words(value: object, format_: str) -> str:
    match value:
        case None:
            return "-"
        case list() | tuple():
            return ", ".join(map(str, value))
        case dict():
            return ", ".join(f"{key}={item}" for key, item in value.items())
        case _:
            return format(value, format_)


def _json(columns: Sequence[ColumnLike], rows: Rows) -> str:
    return json.dumps([{column.key: row[column.key] for column in columns} for row in rows], indent=2)


def _csv(columns: Sequence[ColumnLike], rows: Rows) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.key for column in columns])
    for row in rows:
        values = [row[column.key] for column in columns]
        writer.writerow([printable(value) if isinstance(value, str) else value for value in values])
    return text.getvalue().removesuffix("\n")


_RENDERERS: dict[str, Callable[[Sequence[ColumnLike], Rows], str]] = {
    "table": lambda columns, rows: _grid("simple", columns, rows),
    "json": _json,
    "csv": _csv,
    "markdown": lambda columns, rows: _grid("pipe", columns, rows),
}
