"""The leaderboard: what a set of results says about each bot."""

from collections.abc import Iterable
from math import isnan

import numpy as np
from msgspec import Struct

from tournaments.ratings import Anchor, Ratings, rate
from tournaments.results import Floats, Result, Results

__all__ = ["COLUMNS", "Column", "Row", "leaderboard", "leaderboard_rows"]


class Row(Struct, frozen=True):
    """One bot. `COLUMNS` says what each field means. None where results cannot tell."""

    group: int
    rank: int
    bot: str
    elo: float
    elo_pm95: float | None
    los: float | None
    games: int
    placement: float
    points: float | None
    faults: int


class Column(Struct, frozen=True):
    """How a field of Row is shown. format: a format specification; None is shown as `-`."""

    title: str
    key: str
    format: str
    meaning: str


COLUMNS = (
    Column(
        "group",
        "group",
        "d",
        "bots of different groups cannot be compared: no chain of results connects them",
    ),
    Column("#", "rank", "d", "rank by Elo in the group"),
    Column("bot", "bot", "s", "the bot's name"),
    Column(
        "Elo", "elo", "+.0f", "composite Bradley-Terry rating, mean 0 in the group unless the anchor is in it"
    ),
    Column("± 95%", "elo_pm95", ".0f", "half of the interval that holds the Elo with 95 % confidence"),
    Column(
        "LOS", "los", ".1%", "likelihood of superiority: that this bot is stronger than the next one below"
    ),
    Column("games", "games", "d", "games played"),
    Column("placement", "placement", ".3f", "mean share of opponents beaten in a game, ties half"),
    Column("points", "points", ".2f", "mean points a game"),
    Column("faults", "faults", "d", "games forfeited by the bot's own fault"),
)


def leaderboard(results: Iterable[Result], prior: float = 0.5, anchor: Anchor | None = None) -> list[Row]:
    """The leaderboard of results. Their order does not matter, to the last bit. Empty without any.

    prior, anchor, RatingError: as in `rate`.
    """
    collected = Results.collect(results)
    return leaderboard_rows(collected, rate(collected, prior, anchor)) if collected.names else []


def leaderboard_rows(collected: Results, ratings: Ratings) -> list[Row]:
    """Rows by group, Elo and name. ratings: of `collected`."""
    totals = _totals(collected)
    order = _order(ratings)
    numbers = {
        component: i for i, component in enumerate(dict.fromkeys(ratings.components[order].tolist()), 1)
    }
    margins, superiority = ratings.margins95(), ratings.superiority()
    rows: list[Row] = []
    for place, i in enumerate(order):
        group = numbers[int(ratings.components[i])]
        rank = rows[-1].rank + 1 if rows and rows[-1].group == group else 1
        los = _known(superiority[i, order[place + 1]]) if place + 1 < len(order) else None
        rows.append(
            Row(
                group=group,
                rank=rank,
                bot=ratings.names[i],
                elo=float(ratings.elo[i]),
                elo_pm95=_known(margins[i]),
                los=los,
                games=int(totals["games"][i]),
                placement=float(totals["placement"][i] / totals["games"][i]),
                points=_known(totals["points"][i] / totals["games"][i]),
                faults=int(totals["faults"][i]),
            )
        )
    return rows


def _order(ratings: Ratings) -> list[int]:
    """Bots by component, the largest first, then by Elo as far as it means anything, then by name."""
    sizes = np.bincount(ratings.components)[ratings.components]
    elo = ratings.elo.round(6)
    return sorted(
        range(len(ratings.names)),
        key=lambda i: (-sizes[i], ratings.components[i], -elo[i], ratings.names[i]),
    )


def _totals(results: Results) -> dict[str, Floats]:
    """Sums over games by bot; points are NaN for a bot with a game that has none."""
    k = len(results.names)
    totals = {key: np.zeros(k) for key in ("games", "placement", "points", "faults")}
    for table in results.tables:
        players = table.players.ravel()
        ones = np.ones(table.players.shape)
        for key, values in zip(totals, (ones, table.placements, table.points, table.faults), strict=True):
            totals[key] += np.bincount(players, weights=values.ravel(), minlength=k)
    return totals


def _known(value: float) -> float | None:
    """NaN as None."""
    return None if isnan(value) else float(value)
