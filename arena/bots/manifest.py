"""What a bot is to the arena: a folder with a `bot.toml` beside its sources."""

import hashlib
import os
import shutil
import sys
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from arena.errors import InputError
from tournaments.typed_toml import Name, SpecError, convert, read_toml

__all__ = ["Bot", "Manifest", "fill_in", "find_bot", "load_bot"]

Text = Annotated[str, Meta(pattern=r"\A[^\0]*\Z", description="a text without zeros")]
Argv = Annotated[list[Text], Meta(min_length=1, description="a command as a list of words")]
Variable = Annotated[str, Meta(pattern=r"\A[^=\0]+\Z", description="the name of a variable")]
CACHES = {"__pycache__"}
BUILT = {"node_modules", "target", "build"}
"""What a build makes; without one, these are sources like any other."""
SAMPLE_BOTS = Path(__file__).parents[2] / "sample_bots" / "python"
_PASSED_OVER = {"__pycache__", "node_modules", "target", "build", "logs", "runs"}


class Manifest(Struct, forbid_unknown_fields=True, frozen=True):
    """bot.toml.  run, build: argv, `{python}` is the arena's interpreter.  env: added to a clean environment."""

    name: Name
    run: Argv
    games: Annotated[list[Name], Meta(min_length=1, description="a list of names of games")]
    build: Annotated[list[Argv], Meta(description="a list of commands, each a list of words")] = []
    env: Annotated[dict[Variable, Text], Meta(description="a table of texts")] = {}


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

    def files(self) -> dict[str, str]:
        """SHA-256 of every file that makes the bot what it is, by path: all but hidden ones and caches."""
        paths = sorted(path for path in self.folder.rglob("*") if self._is_source(path))
        return {
            str(path.relative_to(self.folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in paths
        }

    def digest(self) -> str:
        """Names the content of the folder: equal digests, equal programs. 64 hex digits."""
        return hashlib.sha256(msgspec.json.encode(self.files())).hexdigest()

    def _is_source(self, path: Path) -> bool:
        parts = path.relative_to(self.folder).parts
        passed_over = CACHES | BUILT if self.manifest.build else CACHES
        return path.is_file() and not any(part.startswith(".") or part in passed_over for part in parts)


def find_bot(text: str) -> Bot:
    """The bot in the folder `text`, or the sample bot of that name. Raises InputError."""
    for folder in (Path(text), SAMPLE_BOTS / text):
        if os.path.isdir(folder):  # unlike Path.is_dir it says no to any text
            return load_bot(folder)
    known = ", ".join(sorted(path.parent.name for path in SAMPLE_BOTS.glob("*/bot.toml")))
    raise InputError(f"{text}: expected a bot's folder or the name of a sample bot ({known})")


def load_bot(folder: Path, name: str | None = None) -> Bot:
    """The bot in `folder`, under its own name or `name`. Raises InputError in one line."""
    path = folder / "bot.toml"
    if not path.exists():
        raise InputError(f"{path}: no such file; a bot is a folder with a bot.toml in it")
    try:
        manifest = convert(path, read_toml(path), Manifest)
    except SpecError as error:
        raise InputError(str(error)) from None
    return Bot(name or manifest.name, folder.resolve(), manifest)


def fill_in(argv: list[str]) -> list[str]:
    """A manifest's argv with its placeholders replaced."""
    return [word.replace("{python}", sys.executable) for word in argv]
