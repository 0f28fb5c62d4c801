"""Commands, their output and exit statuses; nothing here plays a game."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

import click
import msgspec
import pytest
from played import random_record

from arena import __version__, cli
from arena.cli import COMMANDS, Command, exit_status
from arena.cli.tables import Column, printable, render
from arena.errors import ArenaError, InputError, StorageError
from arena.store import Store, StoredGame

GAMES = 40
SEATS = 3


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with the run `small`."""
    monkeypatch.chdir(tmp_path)
    with Store.create_or_open(tmp_path / "runs" / "small", {"name": "small"}, {}) as store:
        store.add(map(stored_game, range(GAMES)))
    return tmp_path


@lru_cache
def stored_game(position: int) -> StoredGame:
    record = random_record(SEATS, position, {1} if position == 3 else ())
    outcome = record["outcome"]
    return StoredGame(
        key=record["id"],
        position=position,
        deal_number=position,
        players=record["seats"],
        ranks=outcome["ranks"],
        scores=outcome["scores"],
        forfeits=[(forfeit["seat"], forfeit["reason"]) for forfeit in outcome["forfeits"]],
        record=msgspec.json.encode(record),
        move_ms=[0.5] * len(record["moves"]),
    )


def arena_process(*arguments: str, stdout: int = subprocess.PIPE) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", "from arena.cli import main; main()", *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)},
    )


Arena = Callable[..., tuple[int, str, str]]


@pytest.fixture
def arena(capsysbinary: pytest.CaptureFixture[bytes]) -> Arena:
    """Runs a command in this process: exit status, stdout, stderr."""

    def run(*arguments: str) -> tuple[int, str, str]:
        status = exit_status(arguments)
        out, err = capsysbinary.readouterr()
        return status, out.decode(), err.decode()

    return run


def test_help_names_every_command_and_imports_nothing_slow() -> None:
    script = (
        "import sys; from arena.cli import exit_status; assert exit_status(['--help']) == 0;"
        "slow = {'numpy', 'scipy', 'zmq', 'rich', 'msgspec', 'sqlite3', 'tabulate'};"
        "print(sorted(slow & set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert out.endswith("[]\n")
    assert all(f"\n  {name} " in out for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_can_be_imported_and_has_a_help(name: str, arena: Arena) -> None:
    status, out, _ = arena(name, "--help")
    assert status == 0
    assert f"arena {name}" in out


def test_version(arena: Arena) -> None:
    assert arena("--version") == (0, f"arena, version {__version__}\n", "")


def test_arena_alone_shows_what_there_is(arena: Arena) -> None:
    status, out, err = arena()
    assert (status, err) == (0, "")
    assert all(name in out for name in COMMANDS)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["dance"], "No such command 'dance'. (see arena --help)"),
        (["leaderboard"], "Missing argument 'RUN'. (see arena leaderboard --help)"),
        (["games", "--format", "x"], "Invalid value for '--format': 'x' is not one of"),
        (["leaderboard", "other"], "there is no run other; runs/ has small"),
        (["leaderboard", "small", "--anchor", "nobody"], "expected one of bot0, bot1, bot2 as the anchor"),
        (["leaderboard", "small", "--prior", "-1"], "expected a prior of 0"),
        (["export", "small", "--timings", "--format", "csv"], "--timings is for --format jsonl"),
        (["export", "small", "-o", "missing/file"], "cannot write missing/file: No such file or directory"),
        (["verify", "missing"], "there is no run missing"),
    ],
)
def test_wrong_usage_and_wrong_input_are_one_line_and_exit_3(
    arguments: Sequence[str], said: str, place: Path, arena: Arena
) -> None:
    status, out, err = arena(*arguments)
    assert (status, out) == (3, "")
    assert err.startswith(f"error: {said}")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (InputError("bad file"), 3, "error: bad file\n"),
        (StorageError("disk full"), 4, "error: disk full\n"),
        (KeyboardInterrupt(), 130, ""),
        (click.Abort(), 130, ""),
    ],
)
def test_every_kind_of_error_has_its_exit_status(
    error: BaseException, status: int, said: str, arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_with(error, monkeypatch)
    assert arena("fail") == (status, "", said)


@pytest.mark.parametrize("error", [ArenaError("impossible"), ZeroDivisionError("impossible")])
def test_the_arenas_own_fault_shows_a_traceback_and_asks_for_a_report(
    error: Exception, arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_with(error, monkeypatch)
    status, _, err = arena("fail")
    assert status == 4
    assert err.startswith("Traceback ")
    assert err.endswith(f"error: {cli.ISSUES_ARE_WELCOME}\n")


def fail_with(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def fail() -> None:
        raise error

    monkeypatch.setitem(sys.modules, "failing", type(sys)("failing"))
    monkeypatch.setattr(sys.modules["failing"], "fail", fail, raising=False)
    monkeypatch.setitem(COMMANDS, "fail", Command("failing:fail", "Fail."))


def test_exit_statuses_reach_the_shell(place: Path) -> None:
    assert arena_process("games").returncode == 0
    refused = arena_process("leaderboard", "other")
    assert (refused.returncode, refused.stdout) == (3, "")
    assert refused.stderr == "error: there is no run other; runs/ has small\n"


def test_a_reader_that_goes_away_ends_an_export_quietly(place: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = arena_process("export", "small", stdout=writing)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (141, "")


def test_a_full_disk_under_stdout_is_one_line(place: Path) -> None:
    with Path("/dev/full").open("w") as full:
        ended = arena_process("export", "small", stdout=full.fileno())
    assert ended.returncode == 3
    assert ended.stderr == "error: cannot write the output: No space left on device\n"


def test_an_export_holds_the_records_in_order(place: Path, arena: Arena) -> None:
    status, out, _ = arena("export", "small")
    assert status == 0
    assert out.encode().splitlines() == [stored_game(position).record for position in range(GAMES)]
    assert arena("export", "runs/small", "-o", "games.jsonl") == (0, "", "")
    assert Path("games.jsonl").read_text() == out


def test_an_export_with_timings_differs_by_them_alone(place: Path, arena: Arena) -> None:
    _, plain, _ = arena("export", "small")
    _, timed, _ = arena("export", "small", "--timings")
    assert timed.replace(',"ms":0.5', "") == plain != timed


def test_an_export_as_csv_has_a_line_for_each_game(place: Path, arena: Arena) -> None:
    _, out, _ = arena("export", "small", "--format", "csv")
    header, *lines = out.splitlines()
    assert header == "id,deal,players,ranks,scores,forfeits"
    assert len(lines) == GAMES
    assert lines[3].startswith("random-3-3,3,bot0 bot1 bot2,")
    assert lines[3].endswith(",1:timeout")


def test_a_leaderboard_has_a_row_for_each_bot(place: Path, arena: Arena) -> None:
    status, out, _ = arena("leaderboard", "small", "--format", "json")
    assert status == 0
    rows = json.loads(out)
    assert {row["bot"] for row in rows} == {"bot0", "bot1", "bot2"}
    assert {row["games"] for row in rows} == {GAMES}
    assert [row["faults"] for row in rows if row["bot"] == "bot1"] == [1]


def test_a_leaderboard_names_groups_only_to_people_who_need_them(place: Path, arena: Arena) -> None:
    assert "group" not in arena("leaderboard", "small")[1]
    assert "group" in arena("leaderboard", "small", "--format", "csv")[1].splitlines()[0]


def test_a_run_verifies(place: Path, arena: Arena) -> None:
    assert arena("verify", "small") == (0, f"{GAMES} games verified\n", "")


def test_an_export_verifies(place: Path, arena: Arena) -> None:
    arena("export", "small", "--timings", "-o", "games.jsonl")
    assert arena("verify", "games.jsonl") == (0, f"{GAMES} games verified\n", "")


def test_a_wrong_record_fails_the_verification_and_is_named(place: Path, arena: Arena) -> None:
    wrong = random_record(SEATS, 0)
    wrong["outcome"]["scores"][0] += 1
    lines = [wrong, random_record(SEATS, 1)]
    Path("games.jsonl").write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    status, out, _ = arena("verify", "games.jsonl")
    assert status == 1
    assert out.startswith("game random-3-0: scores: recorded [")
    assert out.endswith("1 games verified, 1 wrong\n")


def test_an_unreadable_line_is_named_by_its_number(place: Path, arena: Arena) -> None:
    Path("games.jsonl").write_bytes(stored_game(0).record + b"\n{oops\n")
    status, out, err = arena("verify", "games.jsonl")
    assert (status, out) == (3, "")
    assert err.startswith("error: games.jsonl: line 2: not a record: ")


def test_no_games_are_not_verified_games(place: Path, arena: Arena) -> None:
    Path("empty").touch()
    assert arena("verify", "empty") == (3, "", "error: empty holds no games\n")


def test_a_run_named_by_a_folder_is_preferred(place: Path, arena: Arena) -> None:
    (place / "small").mkdir()
    assert arena("verify", "small") == (3, "", "error: small holds no run\n")


def test_games_tells_seats_and_options(arena: Arena) -> None:
    assert arena("games", "--format", "csv")[1].startswith("name,seats,options,values\ncat_in_the_box,")
    assert json.loads(arena("games", "--format", "json")[1])[0] == {
        "name": "cat_in_the_box",
        "seats": [2, 3, 4, 5],
        "options": {"board": "white"},
        "values": {"board": "white, purple or a layout file"},
    }


def test_schema_is_the_protocols(arena: Arena) -> None:
    from protocol.json_schema import messages_schema

    assert json.loads(arena("schema")[1]) == messages_schema()


COLUMNS = (Column("bot", "bot"), Column("± 95%", "error", ".1f"))
ROWS = ({"bot": "a|b", "error": 1.25}, {"bot": "c\x1b[2J\u202e", "error": None})


@pytest.mark.parametrize(
    ("format_", "text"),
    [
        (
            "table",
            "bot               ± 95%\n"
            "--------------  -------\n"
            "a|b                 1.2\n"
            "c\\x1b[2J\\u202e        -",
        ),
        (
            "markdown",
            "| bot            |   ± 95% |\n"
            "|:---------------|--------:|\n"
            "| a\\|b           |     1.2 |\n"
            "| c\\x1b[2J\\u202e |       - |",
        ),
        ("csv", "bot,error\na|b,1.25\nc\\x1b[2J\\u202e,"),
        (
            "json",
            '[\n  {\n    "bot": "a|b",\n    "error": 1.25\n  },\n'
            '  {\n    "bot": "c\\u001b[2J\\u202e",\n    "error": null\n  }\n]',
        ),
    ],
)
def test_tables_show_every_value_and_nothing_that_steers_a_terminal(format_: str, text: str) -> None:
    assert render(COLUMNS, ROWS, format_) == text


@pytest.mark.parametrize("format_", ["table", "markdown", "csv"])
def test_a_table_without_rows_has_its_titles(format_: str) -> None:
    assert "bot" in render(COLUMNS, (), format_)


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("plain ±θ 猫", "plain ±θ 猫"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("two\nlines\r", "two\\nlines\\r"),
        ("\x9b2J\u2028\ud800", "\\x9b2J\\u2028\\ud800"),
    ],
)
def test_printable_escapes_what_steers_a_terminal(text: str, safe: str) -> None:
    assert printable(text) == safe
