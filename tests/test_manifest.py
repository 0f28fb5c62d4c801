"""A bot is a folder with a bot.toml."""

from pathlib import Path

import pytest

from arena.bots.manifest import find_bot, load_bot
from arena.errors import InputError

MANIFEST = 'name = "mine"\nrun = ["{python}", "bot.py"]\ngames = ["cat_in_the_box"]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.toml").write_text(MANIFEST)
    (folder / "bot.py").write_text("print('hello')")
    return folder


def test_a_spec_may_rename_a_bot(folder: Path) -> None:
    assert load_bot(folder).name == "mine"
    assert load_bot(folder, "yours").name == "yours"


def test_a_bot_is_found_by_its_folder_or_as_a_sample_bot(folder: Path) -> None:
    assert find_bot(str(folder)).name == "mine"
    assert find_bot("random").name == "random"


def test_an_unknown_bot_is_refused_with_the_names_of_the_sample_bots() -> None:
    with pytest.raises(InputError, match=r"nobody: expected a bot's folder or .*random"):
        find_bot("nobody")


@pytest.mark.parametrize("change", ["content", "new file", "renamed file"])
def test_the_digest_tells_different_programs_apart(folder: Path, change: str) -> None:
    before = load_bot(folder).digest()
    if change == "content":
        (folder / "bot.py").write_text("print('bye')")
    elif change == "new file":
        (folder / "weights.txt").write_text("1 2 3")
    else:
        (folder / "bot.py").rename(folder / "boot.py")
    assert load_bot(folder).digest() != before


def test_the_digest_passes_over_caches_and_hidden_files(folder: Path) -> None:
    before = load_bot(folder).digest()
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "bot.pyc").write_bytes(b"\0")
    (folder / ".swap").write_text("x")
    assert load_bot(folder).digest() == before


def test_products_of_a_build_are_no_sources_but_without_a_build_they_are(folder: Path) -> None:
    (folder / "target").mkdir()
    (folder / "target" / "bot").write_text("x")
    assert "target/bot" in load_bot(folder).files()
    (folder / "bot.toml").write_text(MANIFEST + 'build = [["make"]]\n')
    assert "target/bot" not in load_bot(folder).files()


def test_equal_folders_have_equal_digests_wherever_they_are(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    for file in ("bot.toml", "bot.py"):
        (copy / file).write_bytes((folder / file).read_bytes())
    assert load_bot(copy).digest() == load_bot(folder).digest()


@pytest.mark.parametrize("program", ["./bot.py", "no-such-program", "/nowhere/bot"])
def test_a_program_that_cannot_be_executed_is_named(folder: Path, program: str) -> None:
    (folder / "bot.toml").write_text(MANIFEST.replace("{python}", program))
    with pytest.raises(InputError, match=rf"bot.toml: run: no executable program '{program}'"):
        load_bot(folder).check_program()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff\xfe", "expected UTF-8"),
        (b"name = ", "bot.toml: "),
        (MANIFEST.replace('["cat_in_the_box"]', "[]").encode(), "games: "),
        (MANIFEST.replace('"mine"', '"my bot"').encode(), "name: "),
        ((MANIFEST + "color = 3").encode(), "color"),
    ],
)
def test_a_bad_manifest_is_one_line_that_names_the_file_and_the_key(
    folder: Path, content: bytes, said: str
) -> None:
    (folder / "bot.toml").write_bytes(content)
    with pytest.raises(InputError, match=said) as error:
        load_bot(folder)
    assert str(folder / "bot.toml") in str(error.value)
    assert "\n" not in str(error.value)
