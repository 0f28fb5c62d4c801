"""`arena run` as a process of its own: what it writes, what it survives, what it refuses."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from arena.bots.manifest import SAMPLE_BOTS
from tests.conftest import WriteSpec

DEADLINE_S = 150


class Runs:
    """`arena run` in an empty folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()

    def start(self, *arguments: str | Path) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-m", "arena", *map(str, arguments)],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def arena(self, *arguments: str | Path) -> tuple[int, str, str]:
        process = self.start(*arguments)
        out, err = process.communicate(timeout=DEADLINE_S)
        return process.returncode, out, err

    def export(self, run: str) -> bytes:
        status, out, err = self.arena("export", run)
        assert status == 0, err
        return out.encode()

    def stored(self, run: str) -> int:
        database = self.folder / run / "games.db"
        return self.export(run).count(b"\n") if database.exists() and database.stat().st_size else 0


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(tmp_path / "work")


def test_a_run_ends_with_a_leaderboard_of_every_bot_and_game(runs: Runs, write_spec: WriteSpec) -> None:
    status, out, err = runs.arena("run", write_spec("well", "well_many", "well", deals=2))
    assert status == 0, err
    rows = [line.split() for line in out.splitlines()[2:]]
    assert sorted(row[1] for row in rows) == ["a", "b", "c"]
    assert {row[5] for row in rows} == {"6"}
    assert "6 of 6 games" in err


def test_exports_are_the_same_bytes_at_any_concurrency(runs: Runs, write_spec: WriteSpec) -> None:
    spec = write_spec("well_many", "well", "illegal_many", "crashes_on_some_deals", seats=3, deals=2)
    exports = []
    for concurrency in (1, 2, 7):
        run = f"at{concurrency}"
        status, _, err = runs.arena("run", spec, "--run", run, "--concurrency", str(concurrency))
        assert status == 0, err
        exports.append(runs.export(run))
    assert exports[0].count(b"\n") == 24
    assert b'"crash"' in exports[0]
    assert exports[0] == exports[1] == exports[2]


def test_a_killed_run_goes_on_and_ends_as_an_undisturbed_one(runs: Runs, write_spec: WriteSpec) -> None:
    spec = write_spec("well", "well_many", "well", deals=20)
    assert runs.arena("run", spec, "--run", "whole")[0] == 0
    for games in (5, 20, 40):
        process = runs.start("run", spec, "--run", "killed")
        deadline_s = time.monotonic() + DEADLINE_S
        while runs.stored("killed") < games:
            assert time.monotonic() < deadline_s
            assert process.poll() is None, process.communicate()
        process.kill()
        process.communicate(timeout=DEADLINE_S)
    status, _, err = runs.arena("run", spec, "--run", "killed")
    assert status == 0, err
    stored_before = re.search(r"\((\d+) stored\)", err)
    assert stored_before is not None
    assert 40 <= int(stored_before[1]) < 60
    assert runs.export("killed") == runs.export("whole")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_stopped_run_leaves_no_process_and_goes_on_later(
    runs: Runs, write_spec: WriteSpec, number: signal.Signals
) -> None:
    spec = write_spec("leaves_children", "well_many", "ignores_term", deals=200, clock="move_ms = 60000")
    process = runs.start("run", spec, "--run", "stopped")
    bots = _wait_for_children(process, 3)
    process.send_signal(number)
    _, err = process.communicate(timeout=DEADLINE_S)
    assert process.returncode == 130
    assert "the same command goes on" in err
    assert not [bot for bot in bots if bot.is_running() and bot.status() != psutil.STATUS_ZOMBIE]


def test_a_killed_arena_takes_its_bots_with_it(runs: Runs, write_spec: WriteSpec) -> None:
    spec = write_spec("well", "hangs", "never_connects", clock="move_ms = 60000\nstartup_ms = 60000")
    process = runs.start("run", spec, "--run", "killed")
    bots = _wait_for_children(process, 3)
    process.kill()
    process.communicate(timeout=DEADLINE_S)
    _, alive = psutil.wait_procs(bots, timeout=10)
    assert not alive


def test_a_forfeit_is_told_with_bot_game_turn_what_was_expected_and_the_bots_last_lines(
    runs: Runs, write_spec: WriteSpec
) -> None:
    status, _, err = runs.arena("run", write_spec("well", "illegal", "crashes", concurrency=1))
    assert status == 0
    assert re.search(
        r"^forfeit: b in game 0/0/a\+b\+c, seat 1: illegal_move: turn \d+: got discard 1; expected ",
        err,
        re.M,
    )
    assert re.search(
        r"^forfeit: c in game 0/0/a\+b\+c, seat 2: crash: the process ended, exit status 1", err, re.M
    )
    assert re.search(r"^  \| RuntimeError: this bot is broken$", err, re.M)
    assert re.search(r"^  its output: runs/test/logs/c/\d+\.log$", err, re.M)


def test_repeated_forfeits_are_counted_not_listed(runs: Runs, write_spec: WriteSpec) -> None:
    _, _, err = runs.arena("run", write_spec("well", "illegal", deals=5))
    assert len(re.findall(r"^forfeit: b ", err, re.M)) == 3
    assert "b forfeited 10 games" in err


def test_bots_play_the_same_games_in_json_and_in_messagepack(runs: Runs, tmp_path: Path) -> None:
    exports = []
    for encoding in ("msgpack", "json"):
        folder = tmp_path / encoding
        folder.mkdir()
        bots = []
        for name in ("a", "b", "c"):
            bot = folder / name
            bot.mkdir()
            for file in ("bot.py", "bot.toml"):
                (bot / file).write_text((SAMPLE_BOTS / "random" / file).read_text())
            with (bot / "bot.toml").open("a") as manifest:
                manifest.write(f'[env]\nARENA_ENCODING = "{encoding}"\n')
            bots.append(f'[[bots]]\npath = "{name}"\nname = "{name}"\n')
        spec = folder / "spec.toml"
        spec.write_text('game = "cat_in_the_box"\nseats = 3\ndeals = 2\nseed = 5\n' + "".join(bots))
        status, _, err = runs.arena("run", spec, "--run", encoding)
        assert status == 0, err
        exports.append(runs.export(encoding))
    assert exports[0] == exports[1]
    assert exports[0].count(b"\n") == 12


def test_a_complete_run_plays_nothing_again(runs: Runs, write_spec: WriteSpec) -> None:
    spec = write_spec("well", "well")
    runs.arena("run", spec)
    before = runs.export("test")
    status, out, err = runs.arena("run", spec)
    assert status == 0
    assert "(2 stored)" in err
    assert "Elo" in out
    assert runs.export("test") == before


def test_more_deals_add_games_to_a_run(runs: Runs, write_spec: WriteSpec) -> None:
    spec = write_spec("well", "well", deals=2)
    runs.arena("run", spec)
    before = runs.export("test")
    spec.write_text(spec.read_text().replace("deals = 2", "deals = 5"))
    assert runs.arena("run", spec)[0] == 0
    after = runs.export("test")
    assert after.startswith(before)
    assert after.count(b"\n") == 10


def test_fewer_deals_than_are_stored_are_refused(runs: Runs, write_spec: WriteSpec) -> None:
    spec = write_spec("well", "well", deals=3)
    runs.arena("run", spec)
    spec.write_text(spec.read_text().replace("deals = 3", "deals = 2"))
    status, _, err = runs.arena("run", spec)
    assert status == 3
    assert "deals" in err
    assert runs.export("test").count(b"\n") == 6


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('seed = "test"', 'seed = "other"', "seed"),
        ('seating = "rotations"', 'seating = "balanced"', "seating"),
        ("move_ms = 30000", "move_ms = 5", "clock.move_ms"),
        ("[clock]", '[options]\nboard = "purple"\n[clock]', "options"),
    ],
)
def test_a_run_of_another_spec_is_refused_and_keeps_its_games(
    runs: Runs, write_spec: WriteSpec, old: str, new: str, said: str
) -> None:
    spec = write_spec("well", "well", "well")
    runs.arena("run", spec)
    before = runs.export("test")
    spec.write_text(spec.read_text().replace(old, new))
    status, _, err = runs.arena("run", spec)
    assert (status, err.count("\n")) == (3, 1)
    assert said in err
    assert runs.export("test") == before


def test_a_bot_that_has_changed_since_the_run_began_is_refused(runs: Runs, write_spec: WriteSpec) -> None:
    spec = write_spec("well", "well", deals=2)
    runs.arena("run", spec)
    with (spec.parent / "b" / "bot.toml").open("a") as manifest:
        manifest.write('IDEA = "new"')
    status, _, err = runs.arena("run", spec)
    assert status == 3
    assert "bot.toml of bot b" in err
    assert "--run" in err


def test_a_bot_may_write_files_of_its_own_into_its_folder(runs: Runs, write_spec: WriteSpec) -> None:
    spec = write_spec("well", "well", deals=2)
    runs.arena("run", spec)
    (spec.parent / "b" / "memory.txt").write_text("I met a")
    assert runs.arena("run", spec)[0] == 0


BAD_SPECS = {
    "six seats": ("seats = 3", "seats = 6", r"test\.toml: seats: .*2 to 5.* 6"),
    "two seats on purple": (
        "seats = 3",
        "seats = 2\noptions = {board = 'purple'}",
        r"options\.board.*white",
    ),
    "an unknown key": ("deals = 1", "deals = 1\nrounds = 3", r"rounds: unknown key"),
    "a wrong type": ("deals = 1", 'deals = "many"', r"deals: expected a whole number"),
    "no such game": ('"cat_in_the_box"', '"chess"', r"game: expected one of cat_in_the_box.*chess"),
    "no such option": ("[clock]", "[options]\ncards = 3\n[clock]", r"options\.cards: .*board"),
    "a missing layout file": (
        "[clock]",
        "[options]\nboard = 'my.toml'\n[clock]",
        r"options\.board: .*my\.toml",
    ),
    "a bot twice": ('path = "b"', 'path = "a"', r"bots\[1\]\.name: .*'a' twice"),
    "a missing bot": (
        'path = "b"',
        'path = "nowhere"',
        r"test\.toml: bots\[1\]: .*nowhere/bot\.toml: no such file",
    ),
    "too few bots": ("seats = 3", "seats = 4", r"bots: expected at least 4 bots"),
    "no toml": ("[clock]", "[clock", r"test\.toml: expected TOML"),
}


@pytest.mark.parametrize("case", BAD_SPECS)
def test_a_bad_spec_is_one_line_that_names_file_and_key_and_nothing_is_written(
    runs: Runs, write_spec: WriteSpec, case: str
) -> None:
    old, new, said = BAD_SPECS[case]
    spec = write_spec("well", "well", "well")
    text = spec.read_text()
    assert old in text
    spec.write_text(text.replace(old, new))
    status, out, err = runs.arena("run", spec)
    assert (status, out, err.count("\n")) == (3, "", 1), err
    assert re.search(said, err), err
    assert not list(runs.folder.iterdir())


BAD_MANIFESTS = {
    "an unknown key": ("name", "nmae", r"bot\.toml: nmae: unknown key, expected one of name, run"),
    "a wrong type": ("run = [", "run = 3 #", r"bot\.toml: run: expected a command as a list of words, got 3"),
    "a long number": ("run = [", f"run = {'1' * 5000} #", r"bot\.toml: expected TOML"),
    "deep nesting": ("run = [", f"run = {'[' * 5000}{']' * 5000} #", r"bot\.toml: expected TOML"),
    "another game": ('["cat_in_the_box"]', '["chess"]', r"bots\[0\].*a plays chess"),
    "no program": ("{python}", "no-such-program", r"bot\.toml: run: .*no-such-program"),
    "no toml": ("[env]", "[env", r"bot\.toml: "),
}


@pytest.mark.parametrize("case", BAD_MANIFESTS)
def test_a_bad_manifest_is_one_line_and_nothing_is_written(
    runs: Runs, write_spec: WriteSpec, case: str
) -> None:
    old, new, said = BAD_MANIFESTS[case]
    spec = write_spec("well", "well")
    manifest = spec.parent / "a" / "bot.toml"
    manifest.write_text(manifest.read_text().replace(old, new))
    status, out, err = runs.arena("run", spec)
    assert (status, out, err.count("\n")) == (3, "", 1), err
    assert re.search(said, err), err
    assert not list(runs.folder.iterdir())


@pytest.mark.parametrize("content", ["", "other"])
def test_a_run_folder_that_is_something_else_is_refused_and_left_alone(
    runs: Runs, write_spec: WriteSpec, content: str
) -> None:
    taken = runs.folder / "taken"
    if content:
        taken.mkdir()
        (taken / "mine.txt").write_text(content)
    else:
        taken.write_text("a file")
    status, _, err = runs.arena("run", write_spec("well", "well"), "--run", "taken")
    assert (status, err.count("\n")) == (3, 1), err
    assert [path.read_text() for path in taken.glob("*")] == ([content] if content else [])


def _wait_for_children(process: "subprocess.Popen[str]", count: int) -> list[psutil.Process]:
    arena = psutil.Process(process.pid)
    deadline_s = time.monotonic() + DEADLINE_S
    while len(children := arena.children(recursive=True)) < count:
        assert time.monotonic() < deadline_s
        assert process.poll() is None, process.communicate()
        os.sched_yield()
    return children
