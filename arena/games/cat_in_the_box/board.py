"""The research board: where each number of each color lies, and what lies beside it (CITB 8).

A position is an index into a flat list of rows, top row first. Each row is one wider than its layout, and
this extra position is never used: so a step left, right, up or down is always a shift by 1 or by `stride`,
without wrapping round.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from arena.games.base import OptionError
from arena.games.cat_in_the_box.table import Table
from protocol.cat_in_the_box import BLOCKED, COLORS, EMPTY

__all__ = ["BOARDS", "Layout", "ResearchBoard", "resolve_layout"]

Row = Annotated[list[Annotated[int, Meta(ge=0, le=9)]], Meta(min_length=1, max_length=18)]


class Layout(Struct, forbid_unknown_fields=True, frozen=True):
    """A layout as it stands in a file: each row's numbers from left to right, 0 a hole."""

    red: Row
    blue: Row
    yellow: Row
    green: Row

    def rows(self) -> list[list[int]]:
        """The rows in the order of COLORS."""
        return [self.red, self.blue, self.yellow, self.green]


def _purple_row(row: int) -> list[int]:
    """Each research card's three numbers, rotated left once more in each row. Rule: CITB 8.2."""
    return [start + (step + row) % 3 for start in (1, 4, 7) for step in range(3)]


BOARDS = {
    "white": Layout(*(list(range(1, 10)) for _ in COLORS)),
    "purple": Layout(*(_purple_row(row) for row in range(len(COLORS)))),
}


class ResearchBoard:
    """One layout with the tables that rules and scoring need.

    layout: 4 rows of numbers, 0 a hole.  position: by cell index, -1 for a cell that is not in play.
    cells: mask of the cells in play.  blank: the board with no token on it, by position.
    """

    def __init__(self, layout: list[list[int]]) -> None:
        self.layout = layout
        self.width = len(layout[0])
        self.stride = self.width + 1
        self.blank = [BLOCKED] * (self.stride * len(layout))
        self.cells = 0
        position = [-1] * 36
        for row, numbers in enumerate(layout):
            for column, number in enumerate(numbers):
                if number:
                    cell = row * 9 + number - 1
                    position[cell] = row * self.stride + column
                    self.blank[position[cell]] = EMPTY
                    self.cells |= 1 << cell
        self.position = tuple(position)

    def rows(self, placed: list[int]) -> list[list[int]]:
        """A flat board as rows of the layout's shape."""
        stride, width = self.stride, self.width
        return [placed[start : start + width] for start in range(0, len(placed), stride)]

    def flat(self, rows: list[list[int]]) -> list[int]:
        """The inverse of `rows`."""
        return [value for row in rows for value in (*row, BLOCKED)]


def resolve_layout(board: object, table: Table, folder: Path | None) -> list[list[int]]:
    """The layout that the option `board` names, with numbers that are not in play as holes.

    board: a key of BOARDS, the path of a layout file relative to `folder`, or a layout as a mapping.
    Raises OptionError for anything else. Rule: CITB 8.3.
    """
    layout = _find_layout(board, folder)
    rows = [[number if number <= table.numbers else 0 for number in row] for row in layout.rows()]
    _check_rows(layout.rows(), table)
    while not any(row[-1] for row in rows):
        rows = [row[:-1] for row in rows]
    return rows


def _find_layout(board: object, folder: Path | None) -> Layout:
    if isinstance(board, str) and board in BOARDS:
        return BOARDS[board]
    if isinstance(board, str) and folder is not None:
        return _read_layout(folder / board)
    if not isinstance(board, Mapping):
        raise OptionError("board", f"expected white, purple or the path of a layout file, got {board!r}")
    try:
        return msgspec.convert(dict(board), Layout)
    except msgspec.ValidationError as error:
        raise OptionError("board", f"not a layout: {error}") from None


def _read_layout(path: Path) -> Layout:
    try:
        return msgspec.toml.decode(path.read_text("utf-8"), type=Layout)
    except OSError as error:
        raise OptionError(
            "board", f"expected white, purple or a layout file, cannot read {str(path)!r}: {error.strerror}"
        ) from None
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise OptionError("board", f"not a layout file, {str(path)!r}: {error}".replace("\n", " ")) from None


def _check_rows(rows: list[list[int]], table: Table) -> None:
    in_play = range(1, table.numbers + 1)
    for color, row in zip(COLORS, rows, strict=True):
        if len(row) != len(rows[0]):
            raise OptionError(
                "board", f"every row must be as long as red ({len(rows[0])}), {color} has {len(row)}"
            )
        for number in in_play:
            times = row.count(number)
            if times != 1:
                raise OptionError(
                    "board",
                    f"{color} must have each of 1 to {table.numbers} once, it has {number} {times} times",
                )
