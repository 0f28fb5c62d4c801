"""Tests of bots with pytest: the fixture `arena_match` and the marker `arena`.

    def test_my_bot(arena_match):
        result = arena_match("bots/mine", "random", "random", deals=10)
        assert not result.faults
        assert result.placements["mine"] > 0.6

    @pytest.mark.arena("bots/mine", against=["random", "random"], deals=10, min_placement=0.6)
    def test_my_bot_beats_random(): ...

    @pytest.mark.arena("bots/mine", baseline="git:main", seats=3, test="smoke")
    def test_my_bot_is_no_worse_than_on_main(): ...

pytest loads this file in every project where the arena is installed, so nothing of it is imported before a test asks.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from arena.match import ArenaMatch

__all__ = ["arena_match"]

_MARKER = (
    "arena(bot, against=[…], no_faults=True, min_placement=None, **match) or arena(bot, baseline=…, **regress): "
    "before the test's own body, play games with a bot and fail unless it does well enough."
)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", _MARKER)


@pytest.fixture
def arena_match(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> "ArenaMatch":
    """Plays games between bots: `arena_match(bot, bot, …, deals=1)`, `arena_match.regress(candidate, baseline)`.

    A bot is a folder relative to pytest's rootdir, or the name of a sample bot.
    """
    from arena.match import ArenaMatch

    return ArenaMatch(request.config.rootpath, tmp_path_factory.mktemp("arena"))


def pytest_itemcollected(item: pytest.Item) -> None:
    if isinstance(item, pytest.Function) and item.get_closest_marker("arena"):
        item.fixturenames.append("arena_match")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> None:
    for marker in pyfuncitem.iter_markers("arena"):
        check = _no_regression if "baseline" in marker.kwargs else _well_played
        if problem := _problem(check, pyfuncitem.funcargs["arena_match"], marker):
            pytest.fail(problem, pytrace=False)


def _problem(check: Any, match: Any, marker: pytest.Mark) -> str:
    """What is wrong, empty if nothing is."""
    from arena.errors import InputError

    try:
        return str(check(match, *marker.args, **marker.kwargs))
    except InputError as error:
        return f"arena: {error}"


def _well_played(
    match: "ArenaMatch",
    bot: str,
    *,
    against: Sequence[str],
    no_faults: bool = True,
    min_placement: float | None = None,
    **options: Any,
) -> str:
    result = match(bot, *against, **options)
    name = result.bots[0]
    faults = [str(fault) for fault in result.faults if fault.bot == name and no_faults]
    placement = result.placements[name]
    if min_placement is not None and placement < min_placement:
        faults.append(f"{name}: expected a mean placement of at least {min_placement:g}, got {placement:.3f}")
    return "\n".join(faults)


def _no_regression(match: "ArenaMatch", bot: str, *, baseline: str, **keys: Any) -> str:
    report = match.regress(bot, baseline, **keys)
    if report.verdict == "passed":
        return ""
    lines = [report.headline, *(f"{gate.name} {gate.verdict}: {gate.text}" for gate in report.gates)]
    return "\n".join(lines + [line for gate in report.gates for fault in gate.faults for line in fault.lines])
