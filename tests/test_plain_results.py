"""Reading plain results: the same arrays from every form, in little memory, and the wrong line named."""

import io
import tracemalloc

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_results import results

from arena import plain_results
from arena.errors import InputError
from arena.plain_results import read_results
from tournaments.results import Collector, Result, Results


def read(*files: bytes) -> Results:
    collector = Collector()
    for number, content in enumerate(files):
        read_results(io.BytesIO(content), f"file{number}", collector)
    return collector.results()


def as_json(game: Result) -> bytes:
    return msgspec.json.encode(game)


def as_record(game: Result) -> bytes:
    """As much of an exported game as matters, with more around it."""
    return msgspec.json.encode(
        {
            "record": 1,
            "id": "x",
            "seats": game.players,
            "deal_number": game.deal,
            "deal": {"rounds": []},
            "moves": [{"seat": 0, "move": {"type": "bid", "tricks": 1}}],
            "outcome": {
                "status": "finished",
                "ranks": game.ranks,
                "scores": game.scores,
                "forfeits": [{"seat": seat, "reason": "crash", "detail": ""} for seat in game.forfeits],
            },
        }
    )


def as_csv(game: Result) -> bytes:
    lists = (game.players, game.ranks, game.scores or (), [f"{seat}:timeout" for seat in game.forfeits])
    return ",".join(
        [f"id{game.deal}", str(game.deal), *(" ".join(map(str, cells)) for cells in lists)]
    ).encode()


HEADER = b"id,deal,players,ranks,scores,forfeits"


def assert_same(one: Results, other: Results) -> None:
    assert one.names == other.names
    assert one.deals.tolist() == other.deals.tolist()
    for left, right in zip(one.tables, other.tables, strict=True):
        for field in left.__struct_fields__:
            assert getattr(left, field).tobytes() == getattr(right, field).tobytes()


@settings(deadline=None, max_examples=40)
@given(st.lists(results(), min_size=1, max_size=12))
def test_every_form_gives_the_arrays_of_the_results(games: list[Result]) -> None:
    expected = Results.collect(games)
    assert_same(read(b"\n".join(map(as_json, games))), expected)
    assert_same(read(b"\r\n".join(map(as_record, games)) + b"\r\n"), expected)
    assert_same(read(b"\n".join([HEADER, *map(as_csv, games)])), expected)
    assert_same(read(b"\xef\xbb\xbf\n" + b"\r\n".join([HEADER, *map(as_csv, games), b""])), expected)
    mixed = [write(game) for game, write in zip(games, [as_json, as_record] * 6, strict=False)]
    assert_same(read(*mixed), expected)


@pytest.mark.parametrize("chunk", [1, 100, 5000])
def test_where_a_file_is_cut_into_chunks_does_not_matter(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    games = [Result(deal, ("a", "b"), (1, 2)) for deal in range(50)]
    monkeypatch.setattr(plain_results, "_CHUNK_BYTES", chunk)
    assert_same(read(b"\n\n".join(map(as_json, games))), Results.collect(games))
    with pytest.raises(InputError, match="file0: line 51: "):
        read(b"\n".join([HEADER, *map(as_csv, games[1:]), b"oops"]))


def test_a_game_without_a_deal_is_a_deal_of_its_own() -> None:
    lines = [b'{"players":["a","b"],"ranks":[1,2]}'] * 3 + [
        b'{"deal":7,"players":["a","b"],"ranks":[1,2]}'
    ] * 2
    collector = Collector()
    assert read_results(io.BytesIO(b"\n".join(lines)), "f", collector) == (5, 3)
    collected = collector.results()
    assert collected.deals.tolist() == [7, 8, 9, 10]
    assert collected.tables[0].deals.tolist() == [0, 0, 1, 2, 3]
    assert_same(read(b"\n".join(lines[::-1])), collected)
    assert_same(
        read(b"ranks,players\n" + b"1 2,a b\n" * 3 + b"\n" + lines[0][:0], lines[3], lines[4]), collected
    )


def test_columns_of_csv_are_found_by_their_titles() -> None:
    assert_same(read(b'ranks, who,players\n"1 2",me,x y\n'), read(b'{"players":["x","y"],"ranks":[1,2]}'))


BAD = {
    "nothing": (b"", "file0 holds no results"),
    "blank lines": (b"\n \n", "file0 holds no results"),
    "a header alone": (HEADER, "file0 holds no results"),
    "neither form": (b"a beat b\n", "line 1: expected JSON, or a CSV header with players and ranks, got a beat b"),
    "broken JSON": (b'\n{"players":["a"\n', "line 2: Input data was truncated"),
    "no object": (b'{"players":["a","b"],"ranks":[1,2]}\n[1]\n', "line 2: Expected `object`, got `array`"),
    "no ranks": (b'{"players":["a","b"]}', "line 1: expected ranks"),
    "no players": (b'{"ranks":[1,2]}', "line 1: expected players and ranks, or a record of arena export"),
    "a bot twice": (b'{"players":["a","a"],"ranks":[1,2]}', "line 1: expected different players, got a, a"),
    "one player": (b'{"players":["a"],"ranks":[1]}', "line 1: expected at least 2 players, got 1"),
    "no ranks of a game": (
        b'{"players":["a","b"],"ranks":[0,1]}', "line 1: expected 2 ranks like 1, 2, 2, 4, got [0, 1]",
    ),
    "too few ranks": (b'{"players":["a","b"],"ranks":[1]}', "line 1: expected 2 ranks like 1, 2, 2, 4, got [1]"),
    "a rank of a half": (b'{"players":["a","b"],"ranks":[1.5,2]}', "line 1: Expected `int`, got `float`"),
    "NaN in JSON": (b'{"players":["a","b"],"ranks":[1,2],"scores":[NaN,1]}', "line 1: JSON is malformed"),
    "NaN in CSV": (b"players,ranks,scores\na b,1 2,nan 1", "line 2: expected 2 finite scores, got [nan, 1.0]"),
    "NaN as a rank": (b"players,ranks\na b,1 nan", "line 2: expected ranks like 1 2 2, got 1 nan"),
    "another seat's fault": (
        b'{"players":["a","b"],"ranks":[1,2],"forfeits":[2]}', "line 1: expected forfeits by seats 0 to 1",
    ),
    "cards as a deal": (b'{"deal":{},"players":["a","b"],"ranks":[1,2]}', "line 1: expected a deal number"),
    "a huge deal": (b'{"deal":9999999999999999999,"players":["a","b"],"ranks":[1,2]}', "a number is too large"),
    "a column too many": (b"players,ranks\na b,1 2,3", "line 2: expected 2 columns, got 3"),
    "an open quote": (b'players,ranks\n"a b,1 2', "line 2: unexpected end of data"),
    "bad text": (b"players,ranks\n\xff b,1 2", "line 2: not UTF-8"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_the_wrong_line_is_named_with_what_is_wrong(case: str) -> None:
    content, message = BAD[case]
    with pytest.raises(InputError) as caught:
        read(content)
    assert message in str(caught.value)
    assert str(caught.value).startswith("file0")
    assert "\n" not in str(caught.value)


def test_reading_needs_little_more_than_the_arrays() -> None:
    """A game of four takes about 150 bytes in arrays; as objects it would take ten times as much."""
    rng = np.random.default_rng(1)

    def peak(games: int) -> int:
        seats = [rng.choice(100, 4, replace=False) for _ in range(games)]
        lines = b"\n".join(
            msgspec.json.encode({"players": [f"bot{i}" for i in line], "ranks": [1, 2, 3, 4]})
            for line in seats
        )
        file, collector = io.BytesIO(lines), Collector()
        tracemalloc.start()
        read_results(file, "f", collector)
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    assert peak(16_000) - peak(8_000) < 200 * 8_000
