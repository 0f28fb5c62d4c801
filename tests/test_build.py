"""Builds run once for each content of a bot's folder, away from its sources."""

import json
from pathlib import Path

import pytest

from arena.bots.build import build
from arena.bots.manifest import Bot, load_bot
from arena.errors import InputError

Argv = list[str]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "cat-arena" / "builds"


def bot_with(folder: Path, *commands: Argv) -> Bot:
    folder.mkdir(exist_ok=True)
    (folder / "bot.toml").write_text(
        f'name = "built"\nrun = ["./bot"]\ngames = ["cat_in_the_box"]\nbuild = {json.dumps(commands)}\n'
    )
    return load_bot(folder)


COUNT = ["sh", "-c", "echo built >> out.txt && cp /bin/true bot"]


def test_a_bot_without_a_build_runs_where_it_is(tmp_path: Path) -> None:
    bot = bot_with(tmp_path / "a")
    assert build(bot) is bot


def test_a_build_leaves_the_sources_alone_and_makes_the_program(tmp_path: Path) -> None:
    bot = bot_with(tmp_path / "a", COUNT)
    built = build(bot)
    built.check_program()
    assert [path.name for path in bot.folder.iterdir()] == ["bot.toml"]
    assert (built.folder / "out.txt").read_text() == "built\n"


def test_an_equal_folder_is_not_built_again_and_a_changed_one_is(tmp_path: Path, cache: Path) -> None:
    bot = bot_with(tmp_path / "a", COUNT)
    assert build(bot).folder == build(bot).folder
    assert (build(bot).folder / "out.txt").read_text() == "built\n"
    (bot.folder / "source.txt").write_text("new")
    build(bot)
    assert len(list(cache.iterdir())) == 2


def test_commands_run_in_order_with_the_arenas_python(tmp_path: Path) -> None:
    bot = bot_with(tmp_path / "a", ["sh", "-c", "echo 1 > n"], ["{python}", "-c", "print(open('n').read())"])
    assert (build(bot).folder / "n").read_text() == "1\n"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["sh", "-c", "echo wrong type in line 3; exit 7"], r"exit status 7\nwrong type in line 3"),
        (["no-such-compiler"], r"build: no-such-compiler: No such file"),
    ],
)
def test_a_failed_build_shows_its_last_lines_and_leaves_nothing(
    tmp_path: Path, cache: Path, command: Argv, said: str
) -> None:
    bot = bot_with(tmp_path / "a", command)
    with pytest.raises(InputError, match=said):
        build(bot)
    assert not list(cache.iterdir())
