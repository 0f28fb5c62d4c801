"""The fixture and the marker for tests of bots, in pytest runs of their own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import write_bot
from test_regress import write_player

import arena.match  # noqa: F401 - pytester forgets what a run imported, and numpy cannot be imported twice

pytest_plugins = ["pytester"]

OPTIONS = ("-p", "arena.pytest_plugin", "-p", "no:cacheprovider", "--strict-markers")


@pytest.fixture
def bots(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Path:
    """pytest's rootdir with bots; no plugin is loaded but the arena's, and that only once."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeini("[pytest]\nfilterwarnings = error\n")
    for name in ("careful", "crippled"):
        write_player(pytester.path / "bots" / name, name)
    write_bot(pytester.path / "bots" / "illegal", "illegal")
    return pytester.path


def test_the_fixture_plays_games_and_tells_what_came_of_them(pytester: pytest.Pytester, bots: Path) -> None:
    pytester.makepyfile(
        """
        def test_it(arena_match):
            result = arena_match("bots/careful", "bots/careful", "random", deals=2, seed="s")
            assert result.bots == ["player", "player-2", "random"]
            assert [record.deal_number for record in result.records] == [0, 0, 0, 1, 1, 1]
            assert not result.faults
            assert abs(sum(result.placements.values()) - 1.5) < 1e-9
            assert result.times["random"].decisions > 30
            assert result.times["random"].worst_ms > 0
            again = arena_match("bots/careful", "bots/careful", "random", deals=2, seed="s")
            assert again.placements == result.placements

        def test_faults(arena_match):
            (fault, *_) = arena_match("bots/illegal", "random").faults
            assert (fault.bot, fault.reason) == ("illegal", "illegal_move")
            assert fault.log.exists()
        """
    )
    pytester.runpytest(*OPTIONS).assert_outcomes(passed=2)


def test_the_marker_fails_a_bot_that_does_not_do_well_enough(pytester: pytest.Pytester, bots: Path) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.arena("bots/careful", against=["random"], min_placement=0.0)
        def test_good(): ...

        @pytest.mark.arena("bots/careful", against=["random"], min_placement=1.01)
        def test_weak(): ...

        @pytest.mark.arena("bots/illegal", against=["random"])
        def test_faulty(): ...

        @pytest.mark.arena("bots/illegal", against=["random"], no_faults=False)
        def test_excused(): ...

        @pytest.mark.arena("bots/nobody", against=["random"])
        def test_absent(): ...

        @pytest.mark.arena("bots/careful", against=["random"])
        def test_own_body(tmp_path):
            assert tmp_path is None
        """
    )
    result = pytester.runpytest(*OPTIONS)
    result.assert_outcomes(passed=2, failed=4)
    result.stdout.fnmatch_lines_random(
        [
            "player: expected a mean placement of at least 1.01, got *",
            "illegal, seat 0 of game 0: illegal_move: *",
            "arena: bots/nobody: expected a bot's folder or the name of a sample bot (*",
            "*assert PosixPath(* is None*",
        ]
    )


def test_the_marker_fails_a_regression(pytester: pytest.Pytester, bots: Path) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.arena("bots/careful", baseline="bots/careful", seats=2, max_games=64)
        def test_same(): ...

        @pytest.mark.arena("bots/illegal", baseline="bots/careful", seats=2)
        def test_faulty(): ...

        @pytest.mark.arena("bots/careful", baseline="bots/careful", seats=7)
        def test_impossible(): ...
        """
    )
    result = pytester.runpytest(*OPTIONS)
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines_random(
        [
            "failed: *illegal against *careful, cat_in_the_box, 2 seats",
            "reliability failed: faults in 2 games: candidate 2 illegal_move; baseline none",
            "  see the game: arena replay *",
            "arena: seats: expected a whole number from 2 to 5, got 7",
        ]
    )


def test_whoever_does_not_use_it_pays_nothing_for_it(pytester: pytest.Pytester, bots: Path) -> None:
    pytester.makepyfile(
        """
        import sys

        def test_nothing_is_imported():
            ours = {name for name in sys.modules if name.split(".")[0] in ("arena", "protocol", "tournaments")}
            assert ours == {"arena", "arena.pytest_plugin"}
            assert not {"zmq", "numpy", "msgspec", "rich", "click"} & set(sys.modules)
        """
    )
    root = Path(__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *OPTIONS],
        env=os.environ | {"PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_the_package_registers_it() -> None:
    text = (Path(__file__).parent.parent / "pyproject.toml").read_text()
    assert '[project.entry-points.pytest11]\narena = "arena.pytest_plugin"\n' in text
