"""`arena regress`: is a changed bot worse, or better, than its baseline?"""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli import INTERRUPTED
from arena.cli.run import stopped_by_signals
from arena.cli.runs import RUNS
from arena.cli.tables import Column, format_option, printable, render
from arena.errors import InputError

if TYPE_CHECKING:
    from arena.regress import RegressionTest
    from arena.regression_report import Report
    from tournaments.typed_toml import SpecError

__all__ = ["regress"]

STATUS = {"passed": 0, "failed": 1, "inconclusive": 2}
_GATES = (Column("gate", "name"), Column("verdict", "verdict"), Column("", "text"))
_BOTS = ("candidate", "baseline", "field")
_HYPOTHESES = ("test", "elo0", "elo1")
_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path), metavar="[FILE.toml]")
@click.option("--candidate", metavar="BOT", help="A bot's folder, or the name of a sample bot.")
@click.option("--baseline", metavar="BOT", help="Likewise, or git:REF[:PATH].")
@click.option("--field", multiple=True, metavar="BOT", help="Play against these; once for each other seat.")
@click.option("--game", help="See `arena games`.  [default: cat_in_the_box]")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="One of the game's options.")
@click.option("--seats", type=int, help="At the table, 2 to 5.")
@click.option(
    "--test",
    type=click.Choice(["regression", "gain", "smoke"]),
    help="Nothing was lost [-20, 0], something was gained [0, 20], nothing is badly broken [-40, 0].",
)
@click.option("--elo0", type=float, help="The hypothesis that fails, in normalized Elo.")
@click.option("--elo1", type=float, help="The hypothesis that passes.")
@click.option("--alpha", type=float, help="P(passed) at elo0.  [default: 0.05]")
@click.option("--beta", type=float, help="P(failed) at elo1.  [default: 0.05]")
@click.option("--max-games", type=int, help="Then it is inconclusive.  [default: by elo0 and elo1]")
@click.option("--seed", help="Other deals.  [default: regress]")
@click.option("--concurrency", type=int, help="Games at once.  [default: the cores]")
@click.option(
    "--run", "folder", type=click.Path(path_type=Path), help="The run's folder.  [default: in runs/]"
)
@click.option("--junit", type=_FILE, metavar="FILE", help="Write a JUnit report.")
@click.option("--summary", type=_FILE, metavar="FILE", help="Write a summary in Markdown.")
@format_option
def regress(
    file: Path | None,
    folder: Path | None,
    junit: Path | None,
    summary: Path | None,
    format_: str,
    **options: Any,
) -> int:
    """Test a candidate against a baseline until it is clear whether it is worse, or better.

    Everything can stand in FILE.toml under the options' names, `max_games` for --max-games; options win. A test that
    was stopped goes on where it was. Exit status: 0 passed, 1 failed, 2 inconclusive.
    """
    from arena.bots.build import build
    from arena.cli.regress_progress import RegressProgress
    from arena.regress import RegressionRun
    from arena.regression_report import report
    from arena.store import Store

    for output in (junit, summary):
        if output is not None and not output.parent.is_dir():
            raise InputError(f"cannot write {output}: there is no folder {output.parent}")
    test = _load(file, {key: value for key, value in options.items() if value not in (None, ())})
    programs = {name: build(bot) for name, bot in test.bots.items()}
    for bot in programs.values():
        bot.check_program()
    with Store.create_or_open(folder or RUNS / test.run_name, test.fingerprint, test.files) as store:
        run = RegressionRun(test, programs, store)
        with RegressProgress(run.regression) as progress, stopped_by_signals(run.stop, progress.say):
            progress.say(_opening_line(test, store.folder, len(store.positions())))
            run.play(test.spec.concurrency, progress.add)
        if not run.regression.is_over:
            return INTERRUPTED
        outcome = report(run)
    _write_outputs(outcome, junit, summary)
    click.echo(_shown(outcome, format_))
    return STATUS[outcome.verdict]


def _load(file: Path | None, given: dict[str, Any]) -> "RegressionTest":
    """The test of the file and the command line, which wins. Raises InputError."""
    from arena.cli.play import key_and_value
    from arena.regress import load_regression
    from tournaments.regression_spec import regression_spec
    from tournaments.typed_toml import SpecError, read_toml

    if "field" in given:
        given["field"] = list(given["field"])
    if "options" in given:
        given["options"] = dict(map(key_and_value, given["options"]))
    try:
        table = {} if file is None else _relative_to(file.parent, read_toml(file))
        if given.keys() & set(_HYPOTHESES):
            table = {key: value for key, value in table.items() if key not in _HYPOTHESES}
        return load_regression(regression_spec(file, table | given))
    except SpecError as error:
        raise _input_error(error, file, given) from None


def _relative_to(folder: Path, table: dict[str, Any]) -> dict[str, Any]:
    """The table with its bots found from the folder where they are there."""

    def found(value: Any) -> Any:
        if isinstance(value, list):
            return [found(item) for item in value]
        return str(folder / value) if isinstance(value, str) and (folder / value).is_dir() else value

    return {key: found(value) if key in _BOTS else value for key, value in table.items()}


def _input_error(error: "SpecError", file: Path | None, given: dict[str, Any]) -> InputError:
    """The error under the name by which the person gave the key."""
    key, _, option = error.key.partition(".")
    key = re.sub(r"\[.*", "", key)
    if not key or not (file is None or key in given):
        return InputError(str(error))
    name = f"--option {option}" if key == "options" else f"--{key.replace('_', '-')}"
    return InputError(f"{name}: {error.message}")


def _opening_line(test: "RegressionTest", folder: Path, stored: int) -> str:
    spec = test.spec
    against = f"{spec.baseline}, in turn with {', '.join(spec.field)}" if spec.field else spec.baseline
    return (
        f"{spec.candidate} against {against}: {spec.game}, {spec.seats} seats, nElo {spec.sprt.elo0:+g} "
        f"against {spec.sprt.elo1:+g}, at most {spec.blocks * spec.design.games} games ({stored} stored), "
        f"{spec.concurrency} at once, in {folder}"
    )


def _shown(report: "Report", format_: str) -> str:
    import msgspec

    if format_ == "json":
        return msgspec.json.format(msgspec.json.encode(report), indent=2).decode()
    gates = [msgspec.structs.asdict(gate) for gate in report.gates]
    table = render(_GATES, gates, format_)
    if format_ != "table":
        return table
    lines = [table]
    for fault in report.faults:
        if fault.is_new:
            lines += map(printable, fault.lines)
    return "\n".join([*lines, report.headline])


def _write_outputs(report: "Report", junit: Path | None, summary: Path | None) -> None:
    """The files that were asked for, and what GitHub Actions shows if it is around."""
    from arena.cli import regress_outputs

    text = regress_outputs.summary(report)
    if junit is not None:
        _write(junit, regress_outputs.junit(report))
    if summary is not None:
        _write(summary, text.encode())
    if step_summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        _write(Path(step_summary), text.encode(), "ab")
    if os.environ.get("GITHUB_ACTIONS") == "true":
        for line in regress_outputs.annotations(report):
            click.echo(line, err=True)  # stdout may be somebody's JSON; the runner reads both


def _write(path: Path, content: bytes, mode: str = "wb") -> None:
    try:
        with path.open(mode) as file:
            file.write(content)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error
