"""Progress of long work, on a terminal only."""

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

__all__ = ["progress"]

T = TypeVar("T")


def progress(items: Iterable[T], what: str, total: int | None) -> Iterator[T]:
    """The items, counted on stderr as they pass if that is a terminal. total: None if nobody knows."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(items, what, total=total, console=Console(stderr=True), transient=True)
