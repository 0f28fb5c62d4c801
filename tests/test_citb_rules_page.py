"""RULES.md and the tests keep step."""

import re
from pathlib import Path

TESTS = Path(__file__).parent
PACKAGE = TESTS.parent / "arena/games/cat_in_the_box"
RULES = set(re.findall(r"^\*\*(\d+\.\d+)\*\*", (PACKAGE / "RULES.md").read_text(), re.MULTILINE))


def test_every_numbered_rule_has_a_test_bearing_its_number() -> None:
    names = "\n".join(path.read_text() for path in TESTS.glob("test_citb_*.py"))
    tested = {f"{section}.{rule}" for section, rule in re.findall(r"def test_citb_(\d+)_(\d+)_", names)}
    assert len(RULES) > 30
    assert tested == RULES


def test_every_rule_that_the_code_cites_exists() -> None:
    for path in PACKAGE.glob("*.py"):
        for citation in re.findall(r"CITB ([\d., to]*\d)", path.read_text()):
            for number in re.findall(r"\d+\.\d+", citation):
                assert number in RULES, f"{path.name} cites CITB {number}"
