"""What games came to: one result as a value, and many as arrays."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import chain, islice
from math import isfinite
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

__all__ = ["Collector", "Floats", "Ints", "Result", "Results", "Table", "placement_scores"]

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
    behind = np.zeros(ranks.shape, dtype=np.int64)  # twice the opponents beaten, and those tied
    for other in range(ranks.shape[1]):
        behind += 1 + np.sign(ranks[:, other : other + 1] - ranks)
    placements: Floats = (behind - 1) / (2 * ranks.shape[1] - 2)
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
        collector = Collector()
        remaining = iter(results)
        while batch := list(islice(remaining, _BATCH)):
            collector.add(*zip(*map(_fields, batch), strict=True))
        return collector.results()


_BATCH = 10_000
_fields = attrgetter("deal", "players", "ranks", "scores", "forfeits")


class Collector:
    """Gathers games into arrays, many at a time: far faster than one Result each."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._columns: dict[int, list[_Columns]] = {}

    def add(
        self,
        deals: Sequence[int | None],
        players: Sequence[Sequence[str]],
        ranks: Sequence[Sequence[int]],
        scores: Sequence[Sequence[float] | None],
        forfeits: Sequence[Sequence[int]],
    ) -> None:
        """Games as parallel sequences. A game without a deal number is a deal of its own.

        Raises ValueError or OverflowError if one of them is no Result; which one and why, Result tells.
        """
        sizes = np.fromiter(map(len, players), np.int64, len(players))
        for seats in np.unique(sizes).tolist():
            columns: Iterable[Sequence[Any]] = (deals, players, ranks, scores, forfeits)
            if (sizes != seats).any():
                chosen = np.flatnonzero(sizes == seats).tolist()
                columns = ([column[i] for i in chosen] for column in columns)
            self._columns.setdefault(seats, []).append(_columns(seats, self._numbers, *columns))

    def results(self) -> Results:
        names = sorted(self._numbers)
        index = np.empty(len(names), dtype=np.int64)
        index[[self._numbers[name] for name in names]] = np.arange(len(names))
        batches = [batch for seats in sorted(self._columns) for batch in self._columns[seats]]
        deals = np.unique(np.concatenate([b.deals[b.has_deal] for b in batches] or [np.empty(0, np.int64)]))
        tables, numbered = [], len(deals)
        for seats in sorted(self._columns):
            table, own = _table(self._columns[seats], index, deals, numbered)
            tables.append(table)
            numbered += own
        after = deals.max(initial=-1) + 1 + np.arange(numbered - len(deals))
        return Results(tuple(names), np.concatenate([deals, after]), tuple(tables))


class _Columns(NamedTuple):
    """A batch of games of one table size, a row each. deals: any number where `has_deal` is false."""

    deals: Ints
    has_deal: NDArray[np.bool_]
    players: Ints
    ranks: Ints
    points: Floats
    faults: NDArray[np.bool_]


def _columns(
    seats: int,
    numbers: dict[str, int],
    deals: Sequence[int | None],
    players: Sequence[Sequence[str]],
    ranks: Sequence[Sequence[int]],
    scores: Sequence[Sequence[float] | None],
    forfeits: Sequence[Sequence[int]],
) -> _Columns:
    """numbers: of bots in order of first sight; new ones are added."""
    for name in set(chain.from_iterable(players)).difference(numbers):
        numbers[name] = len(numbers)
    who = _rows(seats, players, np.int64, numbers.__getitem__)
    places = _rows(seats, ranks, np.int64)
    if seats < 2 or not _all_different(who) or not _all_ranks(places):
        raise ValueError("expected different players and their ranks")
    unknown = None in deals
    return _Columns(
        np.array([deal or 0 for deal in deals] if unknown else deals, dtype=np.int64),
        np.array([deal is not None for deal in deals]) if unknown else np.ones(len(deals), np.bool_),
        who,
        places,
        _points(seats, scores),
        _faults(seats, forfeits),
    )


def _rows(
    seats: int, lines: Sequence[Sequence[Any]], dtype: Any, convert: Callable[[Any], Any] | None = None
) -> NDArray[Any]:
    """Shape (games, seats)."""
    if set(map(len, lines)) != {seats}:
        raise ValueError(f"expected {seats} values a game")
    values = chain.from_iterable(lines)
    return np.fromiter(map(convert, values) if convert else values, dtype, len(lines) * seats).reshape(
        -1, seats
    )


def _all_different(players: Ints) -> bool:
    return bool((np.diff(np.sort(players, axis=1), axis=1) > 0).all())


def _all_ranks(ranks: Ints) -> bool:
    """Whether each row in order starts at 1, and then repeats a rank or has that of its place."""
    ordered = np.sort(ranks, axis=1)
    fits = (ordered[:, 1:] == ordered[:, :-1]) | (ordered[:, 1:] == np.arange(2, ranks.shape[1] + 1))
    return bool((ordered[:, 0] == 1).all() and fits.all())


def _points(seats: int, scores: Sequence[Sequence[float] | None]) -> Floats:
    if scores.count(None) == len(scores):
        return np.full((len(scores), seats), np.nan)
    none = (float("nan"),) * seats
    points: Floats = _rows(seats, [none if line is None else line for line in scores], np.float64)
    if not np.isfinite(points[[line is not None for line in scores]]).all():
        raise ValueError("expected finite scores")
    return points


def _faults(seats: int, forfeits: Sequence[Sequence[int]]) -> NDArray[np.bool_]:
    faults = np.zeros((len(forfeits), seats), dtype=np.bool_)
    for row in np.flatnonzero([bool(line) for line in forfeits]).tolist():
        if not set(forfeits[row]) <= set(range(seats)):
            raise ValueError("expected forfeits by seats")
        faults[row, list(forfeits[row])] = True
    return faults


def _table(batches: list[_Columns], index: Ints, deals: Ints, numbered: int) -> tuple[Table, int]:
    """The table, and how many of its games are deals of their own, which get numbers from `numbered` on.

    index: final number of each bot by its first one.
    """
    known = np.concatenate([batch.has_deal for batch in batches])
    own_deals = np.concatenate([batch.deals for batch in batches])
    own_deals = np.where(known, np.searchsorted(deals, own_deals), numbered)
    players = index[np.concatenate([batch.players for batch in batches])]
    ranks = np.concatenate([batch.ranks for batch in batches])
    points = np.concatenate([batch.points for batch in batches])
    faults = np.concatenate([batch.faults for batch in batches])
    batches.clear()
    order = _order([own_deals, *players.T, *ranks.T], [*points.T, *faults.T])
    own_deals, lonely = own_deals[order], int((~known).sum())
    own_deals[len(order) - lonely :] += np.arange(lonely)
    ranks = ranks[order]
    return Table(own_deals, players[order], ranks, _placements(ranks), points[order], faults[order]), lonely


def _order(integers: Sequence[Ints], others: Sequence[NDArray[Any]]) -> Ints:
    """Sorts games by their columns. integers: from 0; they are packed into few keys, as each key costs a sort."""
    keys, room = [np.zeros(len(integers[0]), dtype=np.int64)], 1
    for column in integers:
        values = int(column.max(initial=0)) + 1
        if room * values >= 2**62:
            keys, room = [*keys, np.zeros_like(keys[0])], 1
        keys[-1] = keys[-1] * values + column
        room *= values
    telling = [column for column in others if (column != column[:1]).any() and not np.isnan(column).all()]
    order: Ints = np.lexsort((*telling, *keys[::-1]))
    return order
