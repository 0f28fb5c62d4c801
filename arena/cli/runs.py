"""How commands name a run."""

import os
from pathlib import Path

from arena.errors import InputError

__all__ = ["RUNS", "run_folder"]

RUNS = Path("runs")
"""Where runs lie that are named without a folder."""


def run_folder(run: str) -> Path:
    """The folder `run`, or the run of that name in RUNS. Raises InputError, naming the runs there are."""
    for folder in (Path(run), RUNS / run):
        if os.path.exists(folder):  # unlike Path.exists it says no to any text
            return folder
    known = ", ".join(sorted(path.parent.name for path in RUNS.glob("*/games.db")))
    raise InputError(f"there is no run {run}; {RUNS}/ has {known or 'none'}")
