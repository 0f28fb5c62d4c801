"""One owner a run: a lock on the run's folder that ends with the process that holds it.

POSIX record locks, not flock: a forked child would keep a flock alive after its parent's death. Their price
is that they do not tell one holder from another inside a process, and that closing any descriptor of the file
gives the lock up; so a process also remembers what it owns.
"""

import fcntl
import os
from pathlib import Path

from arena.errors import InputError

__all__ = ["LOCK_FILE", "Ownership"]

LOCK_FILE = "lock"

_owned: set[Path] = set()


class Ownership:
    """Held from when it is made until `release`.

    Raises InputError if the folder has an owner, OSError if it cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        if self._folder in _owned:
            raise InputError(f"{folder} is in use by process {os.getpid()}")
        self._descriptor = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.lockf(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            owner = os.read(self._descriptor, 32).decode("ascii", "replace").strip()
            os.close(self._descriptor)
            raise InputError(f"{folder} is in use by process {owner or 'unknown'}") from error
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, f"{os.getpid()}\n".encode(), 0)
        _owned.add(self._folder)

    def release(self) -> None:
        _owned.discard(self._folder)
        os.close(self._descriptor)
