"""`arena regress` with small real bots."""

import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from conftest import write_bot
from test_revision import git

from arena.cli import exit_status
from arena.store import Store

PLAYERS = Path(__file__).parent / "bots" / "players.py"
DEADLINE_S = 50

Arena = Callable[..., tuple[int, str, str]]


def write_player(folder: Path, style: str) -> Path:
    """A bot's folder whose program is one style of tests/bots/players.py."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.toml").write_text(
        f'name = "player"\nrun = ["{{python}}", {json.dumps(str(PLAYERS))}]\n'
        f'games = ["cat_in_the_box"]\n[env]\nSTYLE = "{style}"\n'
    )
    return folder


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the bots `careful`, `copy` of it, `crippled` and `once_in_200`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    styles = {"careful": "careful", "copy": "careful", "crippled": "crippled", "once_in_200": "OnceIn200"}
    for name, style in styles.items():
        write_player(tmp_path / name, style)
    return tmp_path


@pytest.fixture
def arena(place: Path, capsys: pytest.CaptureFixture[str]) -> Arena:
    """Runs a command in this process: exit status, stdout, stderr."""

    def run(*arguments: str) -> tuple[int, str, str]:
        status = exit_status(arguments)
        return status, *capsys.readouterr()

    return run


def against(candidate: str, baseline: str, *more: str) -> list[str]:
    options = ["--candidate", candidate, "--baseline", baseline, "--seats", "2", "--concurrency", "8"]
    return ["regress", *options, *more]


def gates(file: str) -> dict[str, ElementTree.Element | None]:
    """Of a JUnit file, by name: what says that the test case is not passed."""
    root = ElementTree.parse(file).getroot()
    assert root is not None
    return {
        case.attrib["name"]: next((element for element in case if element.tag != "system-out"), None)
        for case in root.iter("testcase")
    }


def test_a_copy_passes_as_no_functional_change(arena: Arena) -> None:
    arguments = against("copy", "careful", "--max-games", "64", "--junit", "j.xml", "--format", "json")
    status, out, _ = arena(*arguments)
    report = json.loads(out)
    assert (status, report["verdict"], report["cause"]) == (0, "passed", "same_moves")
    assert (report["games"], report["mean"], report["llr"]) == (64, 0.5, None)
    assert report["times"]["candidate"]["decisions"] == report["times"]["baseline"]["decisions"] > 1000
    assert "no functional change" in report["gates"][0]["text"]
    assert gates("j.xml") == {"strength": None, "reliability": None, "time": None}


def test_a_better_bot_passes_the_test_for_a_gain(arena: Arena) -> None:
    status, out, err = arena(
        *against("careful", "crippled", "--test", "gain", "--seed", "4", "--junit", "j.xml")
    )
    assert status == 0, err
    assert "nElo +20 accepted against +0" in out
    assert out.endswith("passed: careful against crippled, cat_in_the_box, 2 seats\n")
    assert gates("j.xml") == {"strength": None, "reliability": None, "time": None}


def test_a_crippled_copy_fails(arena: Arena) -> None:
    hypotheses = ("--elo0", "-60", "--elo1", "0", "--seed", "4")
    status, out, _ = arena(*against("crippled", "careful", *hypotheses, "--junit", "j.xml"))
    assert status == 1
    assert "nElo -60 accepted against +0" in out
    failures = gates("j.xml")
    assert failures["strength"] is not None
    assert failures["strength"].tag == "failure"
    assert (failures["reliability"], failures["time"]) == (None, None)


def test_a_copy_that_crashes_once_in_200_games_fails_with_its_game_and_output_named(arena: Arena) -> None:
    arguments = against("once_in_200", "careful", "--seed", "55", "--junit", "j.xml", "--format", "json")
    status, out, _ = arena(*arguments)
    report = json.loads(out)
    assert (status, report["cause"]) == (1, "faults")
    assert 64 < report["games"] < 600
    (fault,) = report["faults"]
    assert (fault["bot"], fault["reason"], fault["is_new"]) == ("candidate", "crash", True)
    assert "out of luck" in Path(fault["log"]).read_text()
    program, *replay = shlex.split(fault["replay"])
    status, replayed, _ = arena(*replay)
    assert (program, status) == ("arena", 0)
    assert f"seat {fault['seat']} forfeits, crash" in replayed
    failures = gates("j.xml")
    assert failures["reliability"] is not None
    assert fault["replay"] in (failures["reliability"].text or "")
    assert failures["strength"] is not None
    assert failures["strength"].tag == "skipped"


def test_too_few_games_are_inconclusive(arena: Arena) -> None:
    arguments = against("crippled", "careful", "--max-games", "9", "--junit", "j.xml", "--format", "json")
    status, out, _ = arena(*arguments)
    report = json.loads(out)
    assert (status, report["verdict"], report["cause"], report["games"]) == (2, "inconclusive", None, 8)
    strength = gates("j.xml")["strength"]
    assert strength is not None
    assert strength.tag == "error"


def test_a_bot_that_stops_answering_fails_the_time_gate(arena: Arena, place: Path) -> None:
    write_bot(place / "hangs", "hangs")
    Path("ci.toml").write_text(
        'candidate = "hangs"\nbaseline = "careful"\nseats = 2\n[clock]\nmove_ms = 300\nbank_ms = 0\n'
    )
    status, _, _ = arena("regress", "ci.toml", "--junit", "j.xml")
    assert status == 1
    failures = gates("j.xml")
    assert failures["time"] is not None
    assert "timeout" in (failures["time"].text or "")
    assert failures["reliability"] is None


def test_the_baseline_can_be_a_git_revision_of_the_candidate(arena: Arena, place: Path) -> None:
    git(place, "init", "--quiet")
    git(place, "add", "crippled")
    git(place, "commit", "--quiet", "-m", "before")
    git(place, "tag", "before")
    write_player(place / "crippled", "careful")
    more = ("--max-games", "64", "--format", "json")
    changed = json.loads(arena(*against("crippled", "git:before", *more))[1])
    assert changed["cause"] != "same_moves"
    assert changed["mean"] > 0.5
    same = json.loads(arena(*against("crippled", "git:before:crippled", "--max-games", "4", *more[2:]))[1])
    assert same["run"] == changed["run"]
    assert arena(*against("crippled", "git:before:copy"))[0] == 3
    status, _, err = arena(*against("crippled", "git:after"))
    assert (status, err) == (3, f"error: git:after: {place} has no revision 'after'\n")


def test_the_verdict_does_not_depend_on_concurrency(arena: Arena) -> None:
    reports = []
    for concurrency in ("1", "7"):
        more = ("--elo0", "-300", "--elo1", "-100", "--run", concurrency, "--concurrency", concurrency)
        status, out, _ = arena(*against("once_in_200", "crippled", *more, "--format", "json"))
        report = json.loads(out)
        del report["times"], report["run"], report["gates"][2]
        reports.append((status, report))
    assert reports[0] == reports[1]
    assert reports[0][1]["cause"] == "strength"


def stored(run: Path) -> int:
    """Games of a run that may not have begun."""
    if not (run / "games.db").exists() or not (run / "games.db").stat().st_size:
        return 0
    with Store.open(run) as store:
        return len(store.positions())


def test_a_killed_test_goes_on_and_ends_as_an_undisturbed_one(arena: Arena, place: Path) -> None:
    arguments = against("crippled", "careful", "--max-games", "60", "--format", "json")
    _, out, _ = arena(*arguments, "--run", "whole")
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", *arguments, "--run", "killed"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline_s = time.monotonic() + DEADLINE_S
    while stored(place / "killed") < 20:
        assert time.monotonic() < deadline_s
        assert process.poll() is None
        os.sched_yield()
    process.kill()
    process.wait(DEADLINE_S)
    assert 20 <= stored(place / "killed") < 60
    _, again, _ = arena(*arguments, "--run", "killed")
    whole, resumed = json.loads(out), json.loads(again)
    for report in (whole, resumed):
        del report["times"], report["run"], report["gates"][2]
    assert resumed == whole
    assert arena("export", "killed")[1] == arena("export", "whole")[1]


def test_candidate_and_baseline_meet_the_same_field_in_turn(arena: Arena) -> None:
    field = ("--field", "random", "--field", "crippled", "--max-games", "6", "--run", "field")
    status, out, _ = arena(
        *("regress", "--candidate", "copy", "--baseline", "careful", *field, "--format", "json")
    )
    report = json.loads(out)
    assert (status, report["seats"], report["games"], report["mean"]) == (2, 3, 6, 0.5)
    tables = [json.loads(line)["seats"] for line in arena("export", "field")[1].splitlines()]
    assert tables == [
        table
        for candidate, baseline in (
            (["candidate", "random", "player"], ["baseline", "random", "player"]),
            (["player", "candidate", "random"], ["player", "baseline", "random"]),
            (["random", "player", "candidate"], ["random", "player", "baseline"]),
        )
        for table in (candidate, baseline)
    ]


def test_a_file_says_it_all_with_paths_from_where_it_lies_and_options_win(arena: Arena, place: Path) -> None:
    (place / "ci").mkdir()
    (place / "ci" / "test.toml").write_text(
        'candidate = "../copy"\nbaseline = "random"\nseats = 3\ntest = "smoke"\nmax_games = 2000\nseed = 7\n'
    )
    more = ("--max-games", "4", "--seats", "2", "--elo0", "-1", "--elo1", "1", "--format", "json")
    status, out, _ = arena("regress", "ci/test.toml", *more)
    report: dict[str, Any] = json.loads(out)
    assert status == 2
    assert (report["candidate"], report["baseline"]) == ("ci/../copy", "random")
    assert (report["seats"], report["seed"], report["elo0"], report["max_games"]) == (2, "7", -1, 4)


BAD = {
    "a bad option": (["--seats", "6"], "--seats: expected a whole number from 2 to 5, got 6"),
    "a bad game option": (["--option", "board=pink"], "--option board: "),
    "no equals sign": (["--option", "board"], "--option: expected KEY=VALUE, got 'board'"),
    "an unknown game": (["--game", "chess"], "--game: expected one of cat_in_the_box"),
    "hypotheses the wrong way": (["--elo0", "1", "--elo1", "0"], "expected elo0 below elo1, got 1 and 0"),
    "no such bot": (["--candidate", "nobody"], "nobody: expected a bot's folder or the name of a sample bot"),
    "a field of strangers with one name": (
        ["--seats", "3", "--max-games", "6", "--field", "copy", "--field", "crippled"],
        "--field: two different bots are named player",
    ),
    "no repository": (["--baseline", "git:main"], "git:main: "),
    "no such file": (["none.toml"], "none.toml: expected a readable TOML file: No such file"),
    "no such folder": (["--junit", "none/j.xml"], "cannot write none/j.xml: there is no folder none"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_with_exit_status_3_and_nothing_is_written(
    case: str, arena: Arena, monkeypatch: pytest.MonkeyPatch, place: Path
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(place))
    arguments, said = BAD[case]
    status, out, err = arena(*against("copy", "careful", "--max-games", "2", *arguments))
    assert (status, out, err.count("\n")) == (3, "", 1), err
    assert err.startswith(f"error: {said}")
    assert not (place / "runs").exists()


def test_a_bad_file_is_told_by_its_keys_and_a_missing_option_by_its_own_name(arena: Arena) -> None:
    Path("ci.toml").write_text('candidate = "copy"\nseats = 9\n')
    status, _, err = arena("regress", "ci.toml", "--baseline", "careful")
    assert (status, err) == (3, "error: ci.toml: seats: expected a whole number from 2 to 5, got 9\n")
    status, _, err = arena("regress", "--candidate", "copy", "--seats", "2")
    assert status == 3
    assert err.startswith("error: --baseline: missing, expected a bot's folder")


def test_a_run_of_other_bots_or_hypotheses_is_refused(arena: Arena, place: Path) -> None:
    arguments = against("copy", "careful", "--max-games", "4", "--run", "run")
    assert arena(*arguments)[0] == 2
    status, _, err = arena(*arguments, "--elo0", "-1", "--elo1", "1")
    assert status == 3
    assert "hypotheses.elo0: was -20" in err
    write_player(place / "copy", "crippled")
    status, _, err = arena(*arguments)
    assert status == 3
    assert "changed since the run began: bot.toml of bot candidate" in err
    status, _, err = arena("leaderboard", "run")
    assert (status, err.count("\n")) == (3, 1)


def test_github_gets_a_summary_and_annotations(
    arena: Arena, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(place / "step.md"))
    (place / "step.md").write_text("before\n")
    arguments = against("copy", "careful", "--max-games", "4", "--summary", "s.md", "--format", "json")
    _, out, err = arena(*arguments)
    json.loads(out)
    assert (place / "step.md").read_text() == "before\n" + (place / "s.md").read_text()
    assert "| strength | inconclusive |" in (place / "s.md").read_text()
    assert "::warning title=arena regress%3A strength inconclusive::" in err
    assert "::notice title=arena regress%3A time passed::" in err
