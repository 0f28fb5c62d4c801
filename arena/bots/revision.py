"""A bot as it was in a revision of its git repository."""

import os
import subprocess
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
    commit = _object(root, f"{ref}^{{commit}}") if ref else None
    if commit is None:
        is_shallow = _git(root, "rev-parse", "--is-shallow-repository").stdout.strip() == "true"
        advice = "; the clone is shallow: fetch the revision first" if is_shallow else ""
        raise InputError(f"{text}: {root} has no revision {ref!r}{advice}")
    tree = _object(root, f"{commit}:{path}")
    if tree is None or _git(root, "cat-file", "-t", tree).stdout.strip() != "tree":
        raise InputError(f"{text}: revision {commit[:12]} has no folder {path!r}")
    # The tree's own hash: revisions with an equal folder share it, and it is built once.
    return cached("revisions", tree, lambda unfinished: _extract(root, tree, unfinished))


def _repository(text: str, folder: Path) -> tuple[Path, str]:
    """Its root, and the path from there to the folder."""
    try:
        found = _git(folder, "rev-parse", "--show-toplevel", "--show-prefix")
    except OSError as error:
        raise InputError(f"{text}: cannot run git: {error.strerror}") from None
    if found.returncode:
        raise InputError(f"{text}: {folder} is in no git repository that can be read: {_first_line(found)}")
    root, prefix = found.stdout.split("\n")[:2]
    return Path(root), prefix


def _git(folder: Path, *arguments: str, index: Path | None = None) -> "subprocess.CompletedProcess[str]":
    """index: instead of the repository's own."""
    environment = os.environ | ({} if index is None else {"GIT_INDEX_FILE": str(index)})
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def _object(root: Path, name: str) -> str | None:
    """The hash of an object, None if there is none such."""
    return _git(root, "rev-parse", "--verify", "--quiet", name).stdout.strip() or None


def _extract(root: Path, tree: str, folder: Path) -> None:
    """Not by `git archive`: it leaves out or rewrites what .gitattributes marks for exports."""
    folder.mkdir()
    index = folder.with_name("index")
    for command in (["read-tree", tree], ["checkout-index", "--all", f"--prefix={folder}/"]):
        done = _git(root, *command, index=index)
        if done.returncode:
            raise InputError(f"{root}: git {command[0]} failed: {_first_line(done)}")


def _first_line(done: "subprocess.CompletedProcess[str]") -> str:
    return (done.stderr.strip() or f"exit status {done.returncode}").splitlines()[0]
