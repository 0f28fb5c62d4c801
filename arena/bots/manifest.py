"""What a bot is to the arena: a folder with a `bot.toml` beside its sources."""

import hashlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from arena.errors import InputError
from protocol.messages import Name

__all__ = ["Bot", "Manifest", "fill_in", "find_bot", "load_bot"]

Argv = Annotated[list[str], Meta(min_length=1)]
SAMPLE_BOTS = Path(__file__).parents[2] / "sample_bots" / "python"
_PASSED_OVER = {"__pycache__", "node_modules", "target", "build", "logs", "runs"}


class Manifest(Struct, forbid_unknown_fields=True, frozen=True):
    """bot.toml.  run, build: argv, `{python}` is the arena's interpreter.  env: added to a clean environment."""

    name: Name
    run: Argv
    games: Annotated[list[Name], Meta(min_length=1)]
    build: list[Argv] = []
    env: dict[str, str] = {}


class Bot(Struct, frozen=True):
    """A program that can be seated. name: unique among the bots of one tournament.  folder: where it runs."""

    name: str
    folder: Path
    manifest: Manifest

    @property
    def argv(self) -> list[str]:
        return fill_in(self.manifest.run)

    def check_program(self) -> None:
        """Raises InputError if the program of `run` is not there or cannot be executed."""
        program = self.argv[0]
        if shutil.which(program if "/" not in program else str(self.folder / program)) is None:
            raise InputError(f"{self.folder / 'bot.toml'}: run: no executable program {program!r}")

    def digest(self) -> str:
        """Names the content of the folder: equal digests, equal program. 64 hex digits."""
        total = hashlib.sha256()
        for path in sorted(_sources(self.folder)):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            total.update(f"{path.relative_to(self.folder)}\0{content}\n".encode())
        return total.hexdigest()


def find_bot(text: str) -> Bot:
    """The bot in the folder `text`, or the sample bot of that name. Raises InputError."""
    for folder in (Path(text), SAMPLE_BOTS / text):
        if folder.is_dir():
            return load_bot(folder)
    known = ", ".join(sorted(path.parent.name for path in SAMPLE_BOTS.glob("*/bot.toml")))
    raise InputError(f"{text}: expected a bot's folder or the name of a sample bot ({known})")


def load_bot(folder: Path, name: str | None = None) -> Bot:
    """The bot in `folder`, under its own name or `name`. Raises InputError in one line."""
    path = folder / "bot.toml"
    try:
        manifest = msgspec.toml.decode(path.read_bytes(), type=Manifest)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; a bot is a folder with a bot.toml in it") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8 text") from None
    except msgspec.ValidationError as error:
        raise InputError(f"{path}: {_located(error)}") from None
    except msgspec.DecodeError as error:
        raise InputError(f"{path}: {error}") from None
    return Bot(name or manifest.name, folder.resolve(), manifest)


def _located(error: msgspec.ValidationError) -> str:
    """msgspec's `What - at `$.key`` as `key: what`."""
    what, _, where = str(error).partition(" - at `$.")
    return f"{where.rstrip('`')}: {what}" if where else what


def fill_in(argv: list[str]) -> list[str]:
    """A manifest's argv with its placeholders replaced."""
    return [word.replace("{python}", sys.executable) for word in argv]


def _sources(folder: Path) -> Iterator[Path]:
    """Files that make the bot what it is: not hidden ones, caches and build products."""
    for path in folder.rglob("*"):
        parts = path.relative_to(folder).parts
        hidden = any(part.startswith(".") or part in _PASSED_OVER for part in parts)
        if not hidden and path.is_file():
            yield path
