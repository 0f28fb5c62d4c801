"""Each game's RULES.md and its tests keep step."""

import re
from pathlib import Path

import pytest

from arena.games import GAMES

TESTS = Path(__file__).parent
NAMES = {"cat_in_the_box": "citb", "cat_box": "catbox"}
"""By game: what its tests are called, and in capitals what its code cites."""


def package(game: str) -> Path:
    return TESTS.parent / "arena/games" / game


def rules(game: str) -> set[str]:
    page = (package(game) / "RULES.md").read_text()
    return set(re.findall(r"^\*\*(\d+\.\d+)\*\*", page, re.MULTILINE))


def test_every_game_has_a_page() -> None:
    assert NAMES.keys() == GAMES.keys()
    assert all(len(rules(game)) > 30 for game in NAMES)


@pytest.mark.parametrize("game", NAMES)
def test_every_numbered_rule_has_a_test_bearing_its_number(game: str) -> None:
    names = "\n".join(path.read_text() for path in TESTS.glob(f"test_{NAMES[game]}_*.py"))
    tested = re.findall(rf"def test_{NAMES[game]}_(\d+)_(\d+)_", names)
    assert {f"{section}.{rule}" for section, rule in tested} == rules(game)


@pytest.mark.parametrize("game", NAMES)
def test_every_rule_that_the_code_cites_exists(game: str) -> None:
    for path in package(game).glob("*.py"):
        for citation in re.findall(rf"{NAMES[game].upper()} ([\d., to]*\d)", path.read_text()):
            for number in re.findall(r"\d+\.\d+", citation):
                assert number in rules(game), f"{path.name} cites {NAMES[game].upper()} {number}"
