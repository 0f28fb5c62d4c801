"""A spec made in a test, without a file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tournaments.spec import Bot, Spec


def make_spec(bots: Sequence[str | None], **keys: Any) -> Spec:
    entries = [Bot(Path(f"/bots/{i}"), name) for i, name in enumerate(bots)]
    defaults = {"name": "test", "game": "cat_in_the_box", "seats": 3, "deals": 2, "seed": "s"}
    return Spec(file=Path("test.toml"), bots=entries, **{**defaults, **keys})
