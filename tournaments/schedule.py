"""Which games are played, in which order.

Deal-major: every line-up plays a deal under every seating before the next deal begins. So the same deals
serve all line-ups, a run that is stopped early is balanced up to one deal, and more deals only add games at
the end.
Fixtures are computed when they are asked for; a schedule of a million games takes no memory.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from typing import overload

from msgspec import Struct

from tournaments.seating import SEATINGS
from tournaments.spec import Spec, SpecError, check_names

__all__ = ["Fixture", "Schedule", "schedule"]

MAX_GAMES = 1_000_000_000
LineUp = tuple[int, ...]


class Fixture(Struct, frozen=True):
    """A game to be played.

    key: `deal/seating/a+b+c`, its identity whatever the order of play, the line-up in the spec's order.
    position: place in the schedule, from 0.  deal_number: from 0.  seats: bot names by seat.
    luck: names the randomness of bots and referee where fixtures share it; None is the fixture's own.
    """

    key: str
    position: int
    deal_number: int
    seats: tuple[str, ...]
    luck: str | None = None


def schedule(spec: Spec, names: Sequence[str]) -> "Schedule":
    """Every fixture of a tournament.

    names: the bots' final names, in the spec's order. Raises SpecError where `check_names` does, and for more than
    MAX_GAMES.
    """
    check_names(spec, names)
    challenger = None if spec.challenger is None else names.index(spec.challenger)
    planned = Schedule(names, spec.seats, spec.deals, spec.seating, challenger)
    games = planned.games_per_deal * spec.deals
    if games > MAX_GAMES:
        raise SpecError(spec.file, "deals", f"expected at most {MAX_GAMES} games in all, got {games}")
    return planned


class Schedule(Sequence[Fixture]):
    """All fixtures by position.

    challenger: index of a bot that sits at every table (a gauntlet), or None (a round robin over line-ups).
    """

    def __init__(
        self, names: Sequence[str], seats: int, deals: int, seating: str, challenger: int | None = None
    ) -> None:
        self._names = tuple(names)
        self._deals = deals
        self._seatings = SEATINGS[seating](seats)
        self._challenger = challenger
        self._drawn_from = tuple(i for i in range(len(names)) if i != challenger)
        self._drawn = seats if challenger is None else seats - 1
        self._line_ups = comb(len(self._drawn_from), self._drawn)

    @property
    def games_per_deal(self) -> int:
        return self._line_ups * len(self._seatings)

    def __len__(self) -> int:
        return self._deals * self.games_per_deal

    @overload
    def __getitem__(self, index: int) -> Fixture: ...
    @overload
    def __getitem__(self, index: slice) -> list[Fixture]: ...
    def __getitem__(self, index: int | slice) -> Fixture | list[Fixture]:
        if isinstance(index, slice):
            return [self[i] for i in range(len(self))[index]]
        position = range(len(self))[index]
        deal_number, rest = divmod(position, self.games_per_deal)
        line_up, seating = divmod(rest, len(self._seatings))
        drawn = _combination(len(self._drawn_from), self._drawn, line_up)
        return self._fixture(position, deal_number, seating, drawn)

    def __iter__(self) -> Iterator[Fixture]:
        position = 0
        for deal_number in range(self._deals):
            for drawn in combinations(range(len(self._drawn_from)), self._drawn):
                for seating in range(len(self._seatings)):
                    yield self._fixture(position, deal_number, seating, drawn)
                    position += 1

    def _fixture(self, position: int, deal_number: int, seating: int, drawn: LineUp) -> Fixture:
        bots = [self._drawn_from[i] for i in drawn]
        if self._challenger is not None:
            bots = sorted([*bots, self._challenger])
        line_up = [self._names[bot] for bot in bots]
        seats = dict(zip(self._seatings[seating], line_up, strict=True))
        key = f"{deal_number}/{seating}/{'+'.join(line_up)}"
        return Fixture(key, position, deal_number, tuple(seats[seat] for seat in range(len(seats))))


def _combination(n: int, k: int, index: int) -> LineUp:
    """What `list(combinations(range(n), k))[index]` is, without the list.

    Lexicographic unranking: of the combinations that are left, comb(n - 1 - item, k - 1) have `item` next.
    """
    chosen: list[int] = []
    for item in range(n):
        if len(chosen) == k:
            break
        with_item = comb(n - 1 - item, k - 1 - len(chosen))
        if index < with_item:
            chosen.append(item)
        else:
            index -= with_item
    return tuple(chosen)
