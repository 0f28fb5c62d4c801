"""Builds a bot's program, once for each content of its folder."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import msgspec

from arena.bots.cache import cached
from arena.bots.manifest import Bot, fill_in
from arena.errors import InputError

__all__ = ["build"]

BUILD_LIMIT_S = 600
SHOWN_LINES = 15


def build(bot: Bot) -> Bot:
    """The bot in a folder where its `build` commands have run; the bot itself if it has none.

    The build runs in a copy, in the user's cache directory, named by the digest of the sources: these stay clean,
    may be read-only, and an equal folder is not built again. Raises InputError with the end of what a failed
    command printed.
    """
    if not bot.manifest.build:
        return bot

    def make(copy: Path) -> None:
        shutil.copytree(bot.folder, copy, symlinks=True)
        for argv in bot.manifest.build:
            _run(bot, fill_in(argv), copy)

    built = cached("builds", f"{bot.manifest.name}-{bot.digest()[:32]}", make)
    return msgspec.structs.replace(bot, folder=built)


def _run(bot: Bot, argv: list[str], folder: Path) -> None:
    # Into a file, not a pipe: a pipe would be waited for as long as anything that the build leaves running holds it.
    with tempfile.TemporaryFile() as output:
        try:
            done = subprocess.run(
                argv,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=BUILD_LIMIT_S,
                check=False,
            )
        except OSError as error:
            raise InputError(f"{bot.folder / 'bot.toml'}: build: {argv[0]}: {error.strerror}") from None
        except subprocess.TimeoutExpired:
            raise InputError(f"bot {bot.name}: build {argv} did not end within {BUILD_LIMIT_S} s") from None
        if done.returncode:
            output.seek(0)
            lines = output.read().decode("utf-8", "replace").splitlines()[-SHOWN_LINES:]
            failed = f"bot {bot.name}: build {argv} failed, exit status {done.returncode}"
            raise InputError("\n".join([failed, *lines]))
