"""A bot as it was in a revision of its git repository."""

import io
import subprocess
import tarfile
from pathlib import Path

from arena.bots.cache import cached
from arena.errors import InputError

__all__ = ["GIT", "checked_out"]

GIT = "git:"
"""How a bot begins that is named as git:REF or git:REF:PATH."""


def checked_out(text: str, folder: Path) -> Path:
    """A folder as it was in a revision, taken out of the repository into the user's cache directory.

    text: `git:REF`, or `git:REF:PATH` with a path from the repository's root; else it is `folder`'s own.
    folder: somewhere in the repository. Raises InputError in one line.
    """
    ref, _, path = text.removeprefix(GIT).partition(":")
    root, own_path = _repository(text, folder)
    path = (path or own_path).strip("/")
    commit = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    if not ref or commit is None:
        advice = "; a shallow clone lacks it: fetch it first" if _is_shallow(root) else ""
        raise InputError(f"{text}: {root} has no revision {ref!r}{advice}")
    tree = _git(root, "rev-parse", "--verify", "--quiet", f"{commit}:{path}")
    if tree is None or _git(root, "cat-file", "-t", tree) != "tree":
        raise InputError(f"{text}: revision {commit[:12]} has no folder {path!r}")
    # The tree's own hash: revisions with an equal folder share it, and it is built once.
    return cached("revisions", tree, lambda unfinished: _extract(root, tree, unfinished))


def _repository(text: str, folder: Path) -> tuple[Path, str]:
    """Its root, and the path from there to the folder."""
    try:
        found = subprocess.run(
            ["git", "-C", str(folder), "rev-parse", "--show-toplevel", "--show-prefix"],
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as error:
        raise InputError(f"{text}: cannot run git: {error.strerror}") from None
    if found.returncode:
        said = (found.stderr.strip().splitlines() or ["git failed"])[0]
        raise InputError(f"{text}: {folder} is in no git repository: {said}")
    root, prefix = found.stdout.split("\n")[:2]
    return Path(root), prefix


def _git(root: Path, *arguments: str) -> str | None:
    """What git says, without the last newline; None if it fails."""
    done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, check=False)
    return None if done.returncode else done.stdout.strip()


def _is_shallow(root: Path) -> bool:
    return _git(root, "rev-parse", "--is-shallow-repository") == "true"


def _extract(root: Path, tree: str, folder: Path) -> None:
    archive = subprocess.run(
        ["git", "-C", str(root), "archive", "--format=tar", tree], capture_output=True, check=False
    )
    if archive.returncode:
        raise InputError(f"{root}: git archive failed: {archive.stderr.decode(errors='replace').strip()}")
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as tar:
        tar.extractall(folder, filter="data")
