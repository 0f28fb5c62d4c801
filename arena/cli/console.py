"""Rich's console, as the commands use it."""

from typing import IO

from rich.console import Console

__all__ = ["make_console"]


class _Console(Console):
    """Rich would end the process when its reader goes away; here that is an error like any other."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def make_console(file: IO[str] | None = None) -> Console:
    """A console that prints text as it is: nothing in it is taken for markup. file: else stdout."""
    return _Console(file=file, highlight=False, markup=False, soft_wrap=file is not None)
