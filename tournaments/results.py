"""What games came to: one result as a value, and many as arrays."""

from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import isfinite

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

__all__ = ["Floats", "Ints", "Result", "Results", "Table", "placement_scores"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Result(Struct, frozen=True):
    """One game. Everything is by seat.

    deal: games of one deal number share their cards.  players: bot names.  ranks: 1 the best, ties as 1, 2,
    2, 4. scores: points, if the game has any.  forfeits: seats that were at fault. Raises ValueError for
    what cannot be a result.
    """

    deal: int
    players: tuple[str, ...]
    ranks: tuple[int, ...]
    scores: tuple[float, ...] | None = None
    forfeits: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        seats = len(self.players)
        if seats < 2:
            raise ValueError(f"expected at least 2 players, got {seats}")
        if len(set(self.players)) < seats:
            raise ValueError(f"expected different players, got {', '.join(self.players)}")
        if len(self.ranks) != seats or not _are_ranks(self.ranks):
            raise ValueError(f"expected {seats} ranks like 1, 2, 2, 4, got {list(self.ranks)}")
        if self.scores is not None and not (len(self.scores) == seats and all(map(isfinite, self.scores))):
            raise ValueError(f"expected {seats} finite scores, got {list(self.scores)}")
        if not set(self.forfeits) <= set(range(seats)):
            raise ValueError(f"expected forfeits by seats 0 to {seats - 1}, got {list(self.forfeits)}")


@lru_cache(maxsize=4096)
def _are_ranks(ranks: tuple[int, ...]) -> bool:
    """Whether everyone's rank is one more than the number of players ahead."""
    return all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)


def placement_scores(ranks: Sequence[int]) -> list[float]:
    """(Opponents beaten + half of those tied) / (n - 1), by seat: 0 to 1, half of the seats in sum."""
    scores: list[float] = _placements(np.array([ranks], dtype=np.int64))[0].tolist()
    return scores


def _placements(ranks: Ints) -> Floats:
    """Placement scores for ranks of shape (games, seats)."""
    mine, theirs = ranks[:, :, None], ranks[:, None, :]
    ahead = (mine < theirs).sum(axis=2)
    tied = (mine == theirs).sum(axis=2) - 1
    placements: Floats = (ahead + tied / 2) / (ranks.shape[1] - 1)
    return placements


class Table(Struct, frozen=True):
    """All games of one table size, a row each, in an order that depends on nothing but the games.

    deals: (games,), index into `Results.deals`. The others are (games, seats); players: index into
    `Results.names`; points: NaN where a game has none.
    """

    deals: Ints
    players: Ints
    ranks: Ints
    placements: Floats
    points: Floats
    faults: NDArray[np.bool_]

    @property
    def seats(self) -> int:
        return int(self.players.shape[1])


class Results(Struct, frozen=True):
    """Many results as arrays. names, deals: all there are, ascending.  tables: by size, ascending.

    The same results give the same arrays in whatever order they come, and so the same sums to the last bit.
    """

    names: tuple[str, ...]
    deals: Ints
    tables: tuple[Table, ...]

    @classmethod
    def collect(cls, results: Iterable[Result]) -> "Results":
        numbers: dict[str, int] = {}
        columns: dict[int, _Columns] = {}
        for result in results:
            seats = len(result.players)
            if seats not in columns:
                columns[seats] = _Columns(seats)
            columns[seats].append(result, numbers)
        names = sorted(numbers)
        index = np.empty(len(names), dtype=np.int64)
        index[[numbers[name] for name in names]] = np.arange(len(names))
        deals = np.unique(
            np.concatenate([_ints(c.deals) for c in columns.values()] or [np.empty(0, np.int64)])
        )
        tables = tuple(columns[seats].table(index, deals) for seats in sorted(columns))
        return cls(tuple(names), deals, tables)


class _Columns:
    """The games of one table size while they are gathered, in flat arrays."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._no_points = (float("nan"),) * seats
        self._no_faults = (0,) * seats
        self.deals = array("q")
        self._players = array("q")
        self._ranks = array("q")
        self._points = array("d")
        self._faults = array("b")

    def append(self, result: Result, numbers: dict[str, int]) -> None:
        """numbers: of bots in order of first sight; new ones are added."""
        self.deals.append(result.deal)
        self._players.extend([numbers.setdefault(name, len(numbers)) for name in result.players])
        self._ranks.extend(result.ranks)
        self._points.extend(self._no_points if result.scores is None else result.scores)
        self._faults.extend(
            [seat in result.forfeits for seat in range(self._seats)] if result.forfeits else self._no_faults
        )

    def table(self, index: Ints, deals: Ints) -> Table:
        """index: final number of each bot by its first one."""
        rows = (-1, self._seats)
        own_deals = np.searchsorted(deals, _ints(self.deals))
        players = index[_ints(self._players)].reshape(rows)
        ranks = _ints(self._ranks).reshape(rows)
        points = np.frombuffer(self._points, dtype=np.float64).reshape(rows)
        faults = np.frombuffer(self._faults, dtype=np.int8).reshape(rows) != 0
        order = np.lexsort((*faults.T, *points.T, *ranks.T, *players.T, own_deals))
        ranks = ranks[order]
        return Table(
            own_deals[order], players[order], ranks, _placements(ranks), points[order], faults[order]
        )


def _ints(numbers: "array[int]") -> Ints:
    return np.frombuffer(numbers, dtype=np.int64)
