"""A regression test's report as files and lines for CI: JUnit, Markdown, workflow annotations."""

from collections.abc import Iterator
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from arena.cli.tables import printable

if TYPE_CHECKING:
    from arena.regression_report import Gate, Report

__all__ = ["annotations", "junit", "summary"]

_JUNIT_ELEMENT = {"failed": "failure", "inconclusive": "error", "undecided": "skipped"}
"""How a test case says a gate's verdict; passed is nothing. An error is a test that came to no answer."""

_ANNOTATION = {"failed": "error", "inconclusive": "warning", "undecided": "notice", "passed": "notice"}
"""GitHub's workflow command for each verdict."""

_PROPERTIES = (
    *("candidate", "baseline", "game", "seats", "seed", "elo0", "elo1", "alpha", "beta", "max_games"),
    *("blocks", "games", "mean", "nelo", "nelo_pm95", "llr", "lower", "upper", "run"),
)


def junit(report: "Report") -> bytes:
    """A JUnit XML document with one test case for each gate."""
    name = f"arena regress {report.game}, {report.seats} seats"
    root = ElementTree.Element("testsuites")
    suite = ElementTree.SubElement(root, "testsuite", name=name)
    properties = ElementTree.SubElement(suite, "properties")
    for key in _PROPERTIES:
        value = printable(str(getattr(report, key)))
        ElementTree.SubElement(properties, "property", name=key, value=value)
    for gate in report.gates:
        _add_case(suite, f"arena.regress.{report.game}", gate)
    for element in (suite, root):
        element.set("tests", str(len(report.gates)))
        for kind, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            element.set(kind, str(len(suite.findall(f"testcase/{tag}"))))
    ElementTree.indent(root)
    document: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def _add_case(suite: ElementTree.Element, classname: str, gate: "Gate") -> None:
    case = ElementTree.SubElement(suite, "testcase", classname=classname, name=gate.name)
    if tag := _JUNIT_ELEMENT.get(gate.verdict):
        said = ElementTree.SubElement(case, tag, message=printable(gate.text))
        if tag != "skipped":
            said.set("type", gate.name)
        said.text = _fault_lines(gate)
    ElementTree.SubElement(case, "system-out").text = printable(gate.text)


def _fault_lines(gate: "Gate") -> str:
    return "\n".join(printable(line) for fault in gate.faults for line in fault.lines)


def summary(report: "Report") -> str:
    """The report in Markdown, as a section of its own."""
    lines = [f"### arena regress: {_markdown(report.headline)}", "", "| gate | verdict | |", "|---|---|---|"]
    lines += [f"| {gate.name} | {gate.verdict} | {_markdown(gate.text)} |" for gate in report.gates]
    for gate in report.gates:
        if gate.faults:
            lines += ["", "```text", _fault_lines(gate).replace("```", "'''"), "```"]
    hypotheses = (
        f"nElo {report.elo0:+g} against {report.elo1:+g}, alpha {report.alpha:g}, beta {report.beta:g}"
    )
    lines += ["", _markdown(f"{hypotheses}, seed {report.seed}, games in {report.run}"), ""]
    return "\n".join(lines)


def _markdown(text: str) -> str:
    """Text that Markdown leaves as it is."""
    return "".join(f"\\{char}" if char in r"\`*_{}[]<>#|~" else char for char in printable(text))


def annotations(report: "Report") -> Iterator[str]:
    """Workflow commands of GitHub Actions, one a line."""
    for gate in report.gates:
        text = "\n".join(filter(None, [printable(gate.text), _fault_lines(gate)]))
        title = _escaped(f"arena regress: {gate.name} {gate.verdict}").replace(":", "%3A").replace(",", "%2C")
        yield f"::{_ANNOTATION[gate.verdict]} title={title}::{_escaped(text)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
