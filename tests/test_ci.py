"""The action, and every example of docs/ci.md, against the command line as it is."""

import os
import re
import shlex
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from arena.cli.regress import regress
from tournaments.regression_spec import regression_spec

ROOT = Path(__file__).parent.parent
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
DOCUMENT = (ROOT / "docs" / "ci.md").read_text()
STEP = next(step for step in ACTION["runs"]["steps"] if step.get("id") == "regress")
OPTIONS = {option for parameter in regress.params for option in parameter.opts}


def examples(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)


def workflow(index: int) -> Any:
    return yaml.safe_load(examples("yaml")[index])


def test_the_action_uses_the_inputs_it_has_and_no_others() -> None:
    used = set(re.findall(r"\$\{\{ inputs\.([a-z-]+) \}\}", (ROOT / "action.yml").read_text()))
    assert used == set(ACTION["inputs"])
    assert all(given.keys() == {"description", "default"} for given in ACTION["inputs"].values())
    assert set(re.findall(r"\$\{?([A-Z_]+)", STEP["run"])) - {"RUNNER_TEMP", "GITHUB_OUTPUT"} == set(
        STEP["env"]
    )


def test_the_action_and_the_document_name_options_that_exist() -> None:
    assert set(re.findall(r"--[a-z0-9-]+", STEP["run"])) <= OPTIONS
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]+", DOCUMENT)) <= OPTIONS


def run_step(folder: Path, status: int, **inputs: str) -> tuple[int, list[str], str]:
    """The step with a stand-in for `arena`: exit status, arguments, what went to GITHUB_OUTPUT."""
    fake = folder / "arena"
    fake.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{folder}/arguments"\nexit {status}\n')
    fake.chmod(0o755)
    environment = dict.fromkeys(STEP["env"], "") | inputs
    environment |= {"RUNNER_TEMP": str(folder), "GITHUB_OUTPUT": str(folder / "output")}
    environment["PATH"] = f"{folder}{os.pathsep}{os.environ['PATH']}"
    # as GitHub runs `shell: bash`
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", STEP["run"]]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, (folder / "arguments").read_text().splitlines(), (folder / "output").read_text()


def test_the_action_passes_its_inputs_on(tmp_path: Path) -> None:
    inputs = {"CANDIDATE": "my bot", "MAX_GAMES": "90", "ARGUMENTS": "--option 'board=a b' $(false) --seed 3"}
    status, arguments, output = run_step(tmp_path, 0, **inputs)
    expected = ["regress", "--candidate", "my bot", "--max-games", "90", "--run", f"{tmp_path}/arena-regress"]
    expected += [
        "--junit",
        f"{tmp_path}/arena-regress.xml",
        "--option",
        "board=a b",
        "$(false)",
        "--seed",
        "3",
    ]
    assert (status, arguments) == (0, expected)
    assert output == f"junit={tmp_path}/arena-regress.xml\nverdict=passed\n"


@pytest.mark.parametrize(
    ("status", "inconclusive", "ends", "verdict"),
    [
        (0, "fail", 0, "passed"),
        (1, "pass", 1, "failed"),
        (2, "fail", 2, "inconclusive"),
        (2, "pass", 0, "inconclusive"),
        (3, "pass", 3, ""),
    ],
)
def test_the_action_ends_as_the_test_does(
    status: int, inconclusive: str, ends: int, verdict: str, tmp_path: Path
) -> None:
    ended, arguments, output = run_step(tmp_path, status, INCONCLUSIVE=inconclusive)
    assert (ended, output.splitlines()[-1]) == (ends, f"verdict={verdict}")
    assert len(arguments) == 5


def test_the_github_example_gives_the_action_inputs_it_has() -> None:
    (step,) = [step for step in workflow(0)["jobs"]["regression"]["steps"] if "cat-arena" in step["uses"]]
    assert set(step["with"]) <= set(ACTION["inputs"])
    assert all(isinstance(value, str) for value in step["with"].values())
    regress.make_context("regress", shlex.split(step["with"]["arguments"]))


def test_the_gitlab_example_is_a_command_that_can_be_parsed() -> None:
    job = workflow(1)["regression"]
    arena, command, *arguments = shlex.split(job["script"][-1])
    assert (arena, command) == ("arena", "regress")
    parsed = regress.make_context("regress", arguments).params
    assert str(parsed["junit"]) == job["artifacts"]["reports"]["junit"]
    assert str(parsed["summary"]) in job["artifacts"]["paths"]


def test_the_file_in_the_document_is_one() -> None:
    spec = regression_spec(Path("ci.toml"), tomllib.loads(examples("toml")[0]))
    assert (spec.seats, spec.blocks, spec.options) == (3, 4000 // 3, {"board": "white"})


def test_the_python_in_the_document_is_python() -> None:
    for example in examples("python"):
        compile(example, "docs/ci.md", "exec")
