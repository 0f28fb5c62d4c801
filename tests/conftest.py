"""Tournaments of small real bot processes, played in this process."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.bots.pool import Pool
from arena.runner import Runner
from arena.sitting import Finished
from arena.tournament import load_tournament

MISBEHAVE = Path(__file__).parent / "bots" / "misbehave.py"

PATIENT = "startup_ms = 60000\nmove_ms = 30000"
"""A clock that a loaded machine does not run out of."""

WriteSpec = Callable[..., Path]
Play = Callable[..., list[Finished]]


def write_bot(folder: Path, behavior: str) -> Path:
    """A bot's folder whose program is one function of tests/bots/misbehave.py."""
    folder.mkdir(exist_ok=True)
    (folder / "bot.toml").write_text(
        f'name = "{folder.name}"\n'
        f'run = ["{{python}}", {json.dumps(str(MISBEHAVE))}]\n'
        'games = ["cat_in_the_box"]\n'
        f'[env]\nBEHAVIOR = "{behavior}"\n'
    )
    return folder


@pytest.fixture
def write_spec(tmp_path: Path) -> WriteSpec:
    """Writes a spec and its bots, one for each behavior, named `a`, `b`, …; returns the spec's path."""

    def write(*behaviors: str, clock: str = PATIENT, **keys: object) -> Path:
        bots = [write_bot(tmp_path / chr(ord("a") + i), behavior) for i, behavior in enumerate(behaviors)]
        settings = {"name": "test", "game": "cat_in_the_box", "seats": len(bots), "deals": 1, "seed": "test"}
        settings |= {"seating": "rotations", "concurrency": 2} | keys
        lines = [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
        lines += ["[clock]", clock] + [f'[[bots]]\npath = "{bot.name}"' for bot in bots]
        spec = tmp_path / "test.toml"
        spec.write_text("\n".join(lines))
        return spec

    return write


@pytest.fixture
def play(write_spec: WriteSpec, tmp_path: Path) -> Play:
    """Plays a tournament of these behaviors; returns its games in the schedule's order."""

    def play(*behaviors: str, processes_per_bot: int = 1, **keys: object) -> list[Finished]:
        tournament = load_tournament(write_spec(*behaviors, **keys))
        spec = tournament.spec
        pool = Pool(tournament.bots, spec.game, spec.clock.startup_ms, tmp_path / "logs", processes_per_bot)
        games: list[Finished] = []
        with closing(pool):
            Runner(tournament.conditions, pool, spec.concurrency).run(iter(tournament.schedule), games.extend)
        return sorted(games, key=lambda game: game.fixture.position)

    return play
