"""What can go wrong besides a bot's fault: the person's input, or the arena itself."""

__all__ = ["ArenaError", "InputError", "StorageError"]


class InputError(Exception):
    """What a person gave cannot be used: a file, a folder, an option. One line that says what and why."""


class ArenaError(Exception):
    """The arena's own fault, never a bot's: it stops the run and becomes no result."""


class StorageError(ArenaError):
    """A run's store cannot keep or give back a game: disk full, file damaged, or a game stored twice."""
