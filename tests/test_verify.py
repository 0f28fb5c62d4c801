"""A right record passes; whatever is changed in it is found and named."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from played import random_record

from arena.errors import InputError
from arena.games import GAMES
from arena.verify import MismatchError, verify

SEAT_COUNTS = (2, 3, 4, 5)


def check(record: dict[str, Any]) -> None:
    verify(msgspec.json.encode(record))


@pytest.mark.parametrize("seats", SEAT_COUNTS)
@pytest.mark.parametrize("seed", range(10))
def test_random_games_verify(seats: int, seed: int) -> None:
    check(random_record(seats, seed))


@pytest.mark.parametrize("seats", SEAT_COUNTS)
@pytest.mark.parametrize("rules", ["basic", "advanced"])
def test_random_games_of_cat_box_verify(seats: int, rules: str) -> None:
    game = GAMES["cat_box"](seats, {"rules": rules})
    check(random_record(seats, 1, game=game))
    check(random_record(seats, 2, stopped_after=20, game=game))
    if seats > 2:
        check(random_record(seats, 3, {1}, game=game))


def test_a_move_of_many_that_is_not_legal_is_named_in_a_short_line() -> None:
    record = random_record(3, 1, game=GAMES["cat_box"](3, {"rules": "advanced"}))
    record["moves"][30]["move"] = {"type": "place", "owner": 0, "card": 47, "x": 63, "y": -64}
    with pytest.raises(MismatchError, match=r"recorded place 47 at 63 -64 .* or \d+ more$") as caught:
        check(record)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("substituted", [{0}, {1, 2}, {0, 1, 2}])
def test_games_finished_by_the_referee_verify(seats: int, substituted: set[int]) -> None:
    record = random_record(seats, 1, substituted)
    check(record)
    last = seats - len(substituted) + 1
    assert {record["outcome"]["ranks"][seat] for seat in substituted} == {last}


@pytest.mark.parametrize("seats", SEAT_COUNTS)
@pytest.mark.parametrize("moves", [0, 1, 2, 17])
def test_games_that_a_fault_ended_verify(seats: int, moves: int) -> None:
    record = random_record(seats, 2, stopped_after=moves)
    check(record)
    assert record["outcome"]["status"] == "forfeit"
    assert len(record["moves"]) == moves
    assert sorted(record["outcome"]["ranks"]) == [1] * (seats - 1) + [seats]


def test_notes_and_timings_do_not_matter() -> None:
    record = random_record(3, 0)
    for entry in record["moves"]:
        entry |= {"ms": 1.5, "note": "hm"}
    check(record)


def change_ranks(record: dict[str, Any]) -> None:
    record["outcome"]["ranks"] = record["outcome"]["ranks"][::-1]


def change_score(record: dict[str, Any]) -> None:
    record["outcome"]["scores"][0] += 1


def change_a_round(record: dict[str, Any]) -> None:
    record["outcome"]["rounds"][1]["bonus"][2] += 1


def drop_the_rounds(record: dict[str, Any]) -> None:
    del record["outcome"]["rounds"]


def add_a_figure(record: dict[str, Any]) -> None:
    record["outcome"]["applause"] = 3


def drop_the_last_move(record: dict[str, Any]) -> None:
    record["moves"].pop()


def repeat_the_last_move(record: dict[str, Any]) -> None:
    record["moves"].append(record["moves"][-1])


def swap_seats(record: dict[str, Any]) -> None:
    record["moves"][0], record["moves"][1] = record["moves"][1], record["moves"][0]


def play_twice(record: dict[str, Any]) -> None:
    record["moves"][7]["move"] = record["moves"][6]["move"]


def bid_for_a_discard(record: dict[str, Any]) -> None:
    record["moves"][0]["move"] = {"type": "bid", "tricks": 3}


def bid_what_no_card_shows(record: dict[str, Any]) -> None:
    record["moves"][3]["move"]["tricks"] = 2


def claim_a_referee_move(record: dict[str, Any]) -> None:
    record["moves"][8]["by"] = "referee"


def claim_a_forfeit(record: dict[str, Any]) -> None:
    winner = record["outcome"]["ranks"].index(1)
    record["outcome"]["forfeits"] = [{"seat": winner, "reason": "crash", "detail": ""}]


def forfeit_a_seat_that_is_not_there(record: dict[str, Any]) -> None:
    record["outcome"]["forfeits"] = [{"seat": 3, "reason": "crash", "detail": ""}]


def claim_an_early_end(record: dict[str, Any]) -> None:
    claim_a_forfeit(record)
    record["outcome"] |= {"status": "forfeit", "ranks": [3, 1, 1]}


def claim_an_end_without_a_forfeit(record: dict[str, Any]) -> None:
    record["outcome"]["status"] = "forfeit"


def deal_another_card(record: dict[str, Any]) -> None:
    hand = record["deal"]["rounds"][0]["hands"][0]
    hand[0] = 1 if hand[0] != 1 else 2


def deal_to_another_start_seat(record: dict[str, Any]) -> None:
    record["deal"]["first_player"] = 7


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (change_ranks, r"ranks: recorded \[\d,\d,\d\], derived \[\d,\d,\d\]"),
        (change_score, r"scores: recorded \[.*\], derived \[.*\]"),
        (change_a_round, r"rounds: recorded .*, derived "),
        (drop_the_rounds, r"rounds: recorded null, derived "),
        (add_a_figure, r"applause: recorded 3, derived null"),
        (drop_the_last_move, r"recorded status finished after \d+ moves, derived that the game goes on"),
        (repeat_the_last_move, r"recorded (\d+) moves, derived the end of the game after \d+"),
        (swap_seats, r"move 0: recorded by seat 1, derived that seat 0 is to move"),
        (play_twice, r"move 7: recorded .* by seat \d, derived as legal: "),
        (bid_for_a_discard, r"move 0: recorded bid 3 by seat 0, derived as legal: discard "),
        (bid_what_no_card_shows, r"move 3: recorded bid 2 by seat \d, derived as legal: bid 1, bid 3, bid 4"),
        (claim_a_referee_move, r"move 8: recorded by the referee, but seat \d did not forfeit"),
        (claim_a_forfeit, r"recorded a forfeit of seat \d, derived no decision that it missed"),
        (forfeit_a_seat_that_is_not_there, r"recorded forfeits of seats \[3\], derived"),
        (
            claim_an_early_end,
            r"recorded status forfeit after \d+ moves, derived that it was played to its end",
        ),
        (claim_an_end_without_a_forfeit, r"recorded status forfeit, but no forfeit"),
        (deal_another_card, r"deal"),
        (deal_to_another_start_seat, r"deal\.first_player is 7"),
    ],
)
def test_a_changed_record_is_named_with_what_was_recorded_and_derived(
    change: Callable[[dict[str, Any]], None], found: str
) -> None:
    record = random_record(3, 4)
    change(record)
    with pytest.raises(MismatchError, match=f"^game random-3-4: {found}"):
        check(record)


def test_a_seat_cannot_come_back_after_its_forfeit() -> None:
    record = random_record(3, 1, {1})
    entries = [entry for entry in record["moves"] if entry.get("by") == "referee"]
    del entries[1]["by"]
    with pytest.raises(MismatchError, match="recorded by seat 1 itself, after its forfeit"):
        check(record)


def test_a_game_of_two_is_not_played_on_after_a_forfeit() -> None:
    with pytest.raises(MismatchError, match="a forfeit ends a game of two"):
        check(random_record(2, 1, {1}))


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"record": 2}, "record version 2, expected 1"),
        ({"game": "poker"}, "unknown game 'poker', known are: cat_in_the_box"),
        ({"seats": ["a"]}, "seats: "),
        ({"options": {"board": "green"}}, "board: "),
        ({"options": {"colour": "white"}}, "colour: "),
        ({"deal": {"first_player": 0}}, "not a record: "),
        ({"moves": [{"seat": 0, "move": {"type": "jump"}}]}, "not a record: "),
        ({"outcome": {}}, "not a record: "),
        ({"id": None}, "not a record: "),
    ],
)
def test_what_is_no_record_is_refused(change: dict[str, Any], found: str) -> None:
    with pytest.raises(InputError, match=f"^{found}"):
        check(random_record(3, 0) | change)


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b'"\xff"', b"null", b"[" * 100_000])
def test_a_line_that_is_no_json_map_is_refused(line: bytes) -> None:
    with pytest.raises(InputError, match=r"^not a record: "):
        verify(line)
