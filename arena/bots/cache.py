"""Folders that are made once and kept in the user's cache directory."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from arena.errors import InputError

__all__ = ["cached"]


def cached(kind: str, name: str, make: Callable[[Path], None]) -> Path:
    """The folder of this name, made by `make` unless it is there; it appears whole or not at all.

    name: tells the content. make: is given a path at which nothing is yet.
    """
    folder = _cache() / kind / name
    if not folder.exists():
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot use the cache folder {folder.parent}: {error.strerror}") from None
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".making-") as scratch:
            unfinished = Path(scratch, "folder")
            make(unfinished)
            _publish(unfinished, folder)
    return folder


def _publish(finished: Path, folder: Path) -> None:
    """Move it into place; where another arena was faster, its equal folder stays."""
    try:
        finished.rename(folder)
    except OSError:
        if not folder.exists():
            raise


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "cat-arena")
