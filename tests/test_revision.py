"""A bot's folder taken out of a git revision."""

import os
import subprocess
from pathlib import Path

import pytest

from arena.bots.revision import checked_out
from arena.errors import InputError


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]
    command = ["git", "-C", str(folder), *identity, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two commits on main, the first tagged v1; the bot in `bots/mine` says its version."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = tmp_path / "repository"
    bot = root / "bots" / "mine"
    bot.mkdir(parents=True)
    git(root, "init", "--quiet")
    (root / ".gitattributes").write_text("kept.txt export-ignore\n")
    for version in ("v1", "v2"):
        (bot / "version.txt").write_text(version)
        (bot / "kept.txt").write_text("kept")
        (bot / "run.sh").write_text("#!/bin/sh\n")
        (bot / "run.sh").chmod(0o755)
        git(root, "add", ".")
        git(root, "commit", "--quiet", "-m", version)
        git(root, "tag", version)
    (bot / "version.txt").write_text("not committed")
    return root


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("git:v1", "v1"),
        ("git:main", "v2"),
        ("git:HEAD~1", "v1"),
        ("git:v1:bots/mine", "v1"),
        ("git:v1:bots/mine/", "v1"),
    ],
)
def test_the_folder_is_as_it_was_in_the_revision(repository: Path, text: str, version: str) -> None:
    folder = checked_out(text, repository / "bots" / "mine")
    assert (folder / "version.txt").read_text() == version
    assert (folder / "kept.txt").exists()
    assert os.access(folder / "run.sh", os.X_OK)
    assert (repository / "bots" / "mine" / "version.txt").read_text() == "not committed"
    assert git(repository, "status", "--porcelain") == "M bots/mine/version.txt"


def test_a_path_leads_from_the_root_of_the_repository(repository: Path) -> None:
    folder = checked_out("git:v1:bots", repository / "bots" / "mine")
    assert (folder / "mine" / "version.txt").read_text() == "v1"


def test_the_root_itself_can_be_the_bot(repository: Path) -> None:
    assert (checked_out("git:v1", repository) / "bots" / "mine" / "version.txt").read_text() == "v1"


def test_equal_folders_of_different_revisions_are_one(repository: Path) -> None:
    (repository / "README").write_text("more")
    git(repository, "add", "README")
    git(repository, "commit", "--quiet", "-m", "elsewhere")
    bot = repository / "bots" / "mine"
    assert checked_out("git:HEAD", bot) == checked_out("git:v2", bot) != checked_out("git:v1", bot)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("git:nowhere", "git:nowhere: .* has no revision 'nowhere'"),
        ("git:", "git:: .* has no revision ''"),
        ("git:--all", "git:--all: .* has no revision '--all'"),
        ("git:v1:bots/other", "git:v1:bots/other: revision [0-9a-f]{12} has no folder 'bots/other'"),
        ("git:v1:bots/mine/version.txt", "has no folder 'bots/mine/version.txt'"),
        ("git:v1:../x", "has no folder '../x'"),
    ],
)
def test_what_is_not_there_is_told_in_one_line(repository: Path, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        checked_out(text, repository / "bots" / "mine")
    assert "\n" not in str(caught.value)


def test_a_shallow_clone_is_named_as_the_reason(repository: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", "--depth=1", repository.as_uri(), str(clone))
    with pytest.raises(InputError, match="'v1'; the clone is shallow: fetch the revision first"):
        checked_out("git:v1", clone / "bots" / "mine")


def test_a_folder_outside_of_any_repository_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    with pytest.raises(InputError, match=f"{tmp_path} is in no git repository that can be read: ") as caught:
        checked_out("git:main", tmp_path)
    assert "\n" not in str(caught.value)


def test_without_git_it_is_told_so(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError, match="git:v1: cannot run git: No such file"):
        checked_out("git:v1", repository)
