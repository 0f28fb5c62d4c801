"""A game's loop driven by what its seats reply."""

from random import Random

from arena.games import GAMES
from arena.referee import Decision, Fault, Request, play_game
from arena.table import AbsentSeat, Table


class ReadySeat:
    """Replies before `ask` returns."""

    is_ready = True

    def __init__(self, table: Table, seat: int) -> None:
        self.table, self.seat, self.ends = table, seat, []

    def start(self) -> None:
        pass

    def ask(self, request: Request, /) -> None:
        self.table.deliver(self.seat, Decision(request.legal[0]))

    def end(self, *ending: object) -> None:
        self.ends.append(ending)


class SilentSeat(ReadySeat):
    """Never replies by itself."""

    def ask(self, request: Request, /) -> None:
        self.request = request


def new_table(seats: int = 3) -> Table:
    game = GAMES["cat_in_the_box"](seats, {})
    return Table(play_game(game, game.deal(Random(1)), Random(1)))


def test_seats_that_reply_at_once_play_a_whole_game_without_nesting() -> None:
    table = new_table()
    seats = [ReadySeat(table, seat) for seat in range(3)]
    table.start(seats)
    assert table.played is not None
    assert [seat.ends for seat in seats] == [
        [("finished", table.played.outcome.scores, table.played.outcome.ranks)]
    ] * 3


def test_a_batch_goes_on_when_its_last_reply_is_there_in_any_order() -> None:
    table = new_table()
    seats = [SilentSeat(table, seat) for seat in range(3)]
    table.start(seats)
    for seat in (2, 0, 1):
        assert seats[seat].request.turn == seat
        table.deliver(seat, Decision(seats[seat].request.legal[0]))
    assert sum(seat.request.turn == 3 for seat in seats) == 1


def test_a_void_game_is_told_to_every_seat_once_and_hears_no_more() -> None:
    table = new_table()
    seats = [SilentSeat(table, seat) for seat in range(3)]
    table.start(seats)
    table.void()
    table.void()
    table.deliver(0, Decision(seats[0].request.legal[0]))
    assert table.is_void
    assert table.played is None
    assert [seat.ends for seat in seats] == [[("void", [], [])]] * 3


def test_an_absent_seat_forfeits_at_its_first_turn() -> None:
    table = new_table()
    fault = Fault("startup_failure", "no such program")
    table.start([ReadySeat(table, 0), AbsentSeat(table, 1, fault), ReadySeat(table, 2)])
    assert table.played is not None
    (forfeit,) = table.played.outcome.forfeits
    assert (forfeit.seat, forfeit.reason, forfeit.detail) == (1, "startup_failure", "no such program")
