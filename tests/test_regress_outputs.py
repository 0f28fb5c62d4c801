"""Reports as JUnit, Markdown and annotations, from a made-up report."""

from xml.etree import ElementTree

import pytest

from arena.cli.regress_outputs import annotations, junit, summary
from arena.regression_report import Gate, Report, ReportedFault, Times

FAULT = ReportedFault(
    key="3/1/candidate",
    position=7,
    seat=1,
    bot="candidate",
    reason="crash",
    detail="bad \x1b[31m <b>&\n::error::``` 100%",
    is_new=True,
    replay="arena replay runs/x 3/1/candidate",
    log="runs/x/logs/candidate/1.log",
)


def report(strength: str, reliability: str = "passed") -> Report:
    faults = (FAULT,) if reliability == "failed" else ()
    return Report(
        verdict="failed" if "failed" in (strength, reliability) else "inconclusive",
        cause=None,
        candidate="bots/my_bot*",
        baseline="git:main",
        field=[],
        game="cat_in_the_box",
        options={},
        seats=2,
        seed="s\x00",
        elo0=-20,
        elo1=0,
        alpha=0.05,
        beta=0.05,
        max_games=100,
        blocks=4,
        games=8,
        mean=0.5,
        nelo=None,
        nelo_pm95=None,
        llr=None,
        lower=-2.9,
        upper=2.9,
        run="runs/x",
        gates=[
            Gate("strength", strength, "LLR 1 in [-3, 3] | x"),  # type: ignore[arg-type]
            Gate("reliability", reliability, "faults", faults),  # type: ignore[arg-type]
            Gate("time", "passed", "median 1 ms"),
        ],
        faults=list(faults),
        times={"candidate": Times(0, None, None, None)},
    )


@pytest.mark.parametrize(
    ("strength", "reliability", "tags", "counts"),
    [
        ("passed", "passed", [None, None, None], ("0", "0", "0")),
        ("failed", "passed", ["failure", None, None], ("1", "0", "0")),
        ("inconclusive", "passed", ["error", None, None], ("0", "1", "0")),
        ("undecided", "failed", ["skipped", "failure", None], ("1", "0", "1")),
    ],
)
def test_junit_has_a_case_for_each_gate_and_counts_that_fit(
    strength: str, reliability: str, tags: list[str | None], counts: tuple[str, str, str]
) -> None:
    root = ElementTree.fromstring(junit(report(strength, reliability)))
    (suite,) = root
    assert (root.tag, suite.tag) == ("testsuites", "testsuite")
    for element in (root, suite):
        assert element.get("tests") == "3"
        assert tuple(element.get(key) for key in ("failures", "errors", "skipped")) == counts
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases] == ["strength", "reliability", "time"]
    assert all(case.get("classname") for case in cases)
    bad = [[child.tag for child in case if child.tag != "system-out"] for case in cases]
    assert bad == [[tag] if tag else [] for tag in tags]
    assert [child.tag for child in suite] == ["properties"] + ["testcase"] * 3


def test_junit_is_well_formed_whatever_a_bot_said_and_names_replay_and_output() -> None:
    document = junit(report("undecided", "failed"))
    failure = ElementTree.fromstring(document).find(".//failure")
    assert failure is not None
    assert failure.get("type") == "reliability"
    assert FAULT.replay in (failure.text or "")
    assert FAULT.log in (failure.text or "")
    assert "\\x1b[31m <b>&\\n::error::" in (failure.text or "")


def test_the_summary_shows_what_bots_said_as_text() -> None:
    lines = summary(report("undecided", "failed")).splitlines()
    assert (
        lines[0] == r"### arena regress: failed: bots/my\_bot\* against git:main, cat\_in\_the\_box, 2 seats"
    )
    assert r"| strength | undecided | LLR 1 in \[-3, 3\] \| x |" in lines
    block = lines[lines.index("```text") + 1 : lines.index("```")]
    assert FAULT.replay in "\n".join(block)
    assert lines.count("```") == 1


def test_annotations_are_one_line_each_and_a_bot_can_add_none() -> None:
    lines = list(annotations(report("inconclusive", "failed")))
    assert [line.split(" ")[0] for line in lines] == ["::warning", "::error", "::notice"]
    assert all("\n" not in line for line in lines)
    assert lines[1].startswith(
        "::error title=arena regress%3A reliability failed::faults%0Acandidate, seat 1"
    )
    assert lines[1].count("%0A") == 3
    assert "100%25" in lines[1]
