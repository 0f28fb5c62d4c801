"""How commands name a run."""

from pathlib import Path

from arena.errors import InputError

__all__ = ["RUNS", "run_folder"]

RUNS = Path("runs")
"""Where runs lie that are named without a folder."""


def run_folder(run: str) -> Path:
    """The folder `run`, or the run of that name in RUNS. Raises InputError, naming the runs there are."""
    for folder in (Path(run), RUNS / run):
        if folder.exists():
            return folder
    known = ", ".join(sorted(path.parent.name for path in RUNS.glob("*/games.db")))
    raise InputError(f"there is no run {run}; {RUNS}/ has {known or 'none'}")
