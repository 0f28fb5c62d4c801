"""Every rule of CITB 8: the boards, and layout files with their errors."""

from pathlib import Path
from random import Random

import msgspec
import pytest
from citb_positions import code

from arena.games import OptionError
from arena.games.cat_in_the_box import CatInTheBox
from arena.games.cat_in_the_box.scoring import largest_group
from protocol.cat_in_the_box import BLOCKED, EMPTY

PLAIN = "red = [1,2,3,4,5,6]\nblue = [1,2,3,4,5,6]\nyellow = [1,2,3,4,5,6]\n"


def layout(seats: int, board: object) -> list[list[int]]:
    game = CatInTheBox(seats, {"board": board})
    return game.observe(game.start(game.deal(Random(1))), 0).layout


def layout_file(folder: Path, text: str) -> str:
    path = folder / "board.toml"
    path.write_text(text)
    return str(path)


def group(game: CatInTheBox, cells: str) -> int:
    placed = game.board.blank.copy()
    for words in cells.split(", "):
        placed[game.board.position[code(words)]] = 0
    return largest_group(game.board, placed, 0)


@pytest.mark.parametrize(("seats", "numbers"), [(2, 5), (3, 6), (4, 8), (5, 9)])
def test_citb_8_1_white_has_the_numbers_in_play_in_order_and_is_the_default(seats: int, numbers: int) -> None:
    assert layout(seats, "white") == [list(range(1, numbers + 1))] * 4
    assert CatInTheBox(seats, {}).options == {"board": "white"}


@pytest.mark.parametrize(
    ("seats", "rows"),
    [
        (3, ["123456", "231564", "312645", "123456"]),
        (4, ["123456780", "231564807", "312645078", "123456780"]),
        (5, ["123456789", "231564897", "312645978", "123456789"]),
    ],
)
def test_citb_8_2_purple_turns_each_research_card_once_more_in_each_row(seats: int, rows: list[str]) -> None:
    assert layout(seats, "purple") == [[int(number) for number in row] for row in rows]
    assert CatInTheBox(seats, {"board": "purple"}).options == {"board": "purple"}


def test_citb_8_2_neighbours_on_purple_are_positions() -> None:
    game = CatInTheBox(3, {"board": "purple"})
    assert group(game, "1 red, 2 blue, 3 yellow, 1 green") == 4
    assert group(game, "3 blue, 1 blue, 5 blue") == 3
    assert group(game, "1 blue, 2 blue") == 1


def test_citb_8_3_a_layout_file_gives_any_board(tmp_path: Path) -> None:
    path = layout_file(tmp_path, PLAIN + "green = [6,5,4,3,2,1]")
    assert layout(3, path) == [[1, 2, 3, 4, 5, 6]] * 3 + [[6, 5, 4, 3, 2, 1]]


def test_citb_8_3_the_options_hold_the_layout_itself_and_take_it_back(tmp_path: Path) -> None:
    path = layout_file(tmp_path, PLAIN + "green = [6,5,4,3,2,1]")
    options = CatInTheBox(3, {"board": path}).options
    assert list(options["board"]) == ["red", "blue", "yellow", "green"]
    again = msgspec.json.decode(msgspec.json.encode(options))
    assert CatInTheBox(3, again).options == options
    assert layout(3, again["board"]) == layout(3, path)


def test_citb_8_3_the_layout_in_the_rules_page_can_be_played() -> None:
    page = (Path(__file__).parent.parent / "arena/games/cat_in_the_box/RULES.md").read_text()
    example = msgspec.toml.decode(page.split("```toml")[1].split("```")[0])
    assert layout(3, example)[3] == [0, 6, 5, 4, 3, 2, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (PLAIN, "green"),
        (PLAIN + "green = [1,2,3,4,5,6]\nbrown = [1]", "brown"),
        (PLAIN + "green = 'all'", "array"),
        (PLAIN + "green = [1,2,3,4,5,true]", "int"),
        (PLAIN + "green = [1,2,3,4,5,6.0]", "int"),
        (PLAIN + "green = [1,2,3,4,5,10]", "<= 9"),
        (PLAIN + "green = [1,2,3,4,5,-1]", ">= 0"),
        (PLAIN + "green = [1,2,3,4,5,0]", "green must have each of 1 to 6 once, it has 6 0 times"),
        (PLAIN + "green = [1,2,3,4,6,6]", "green must have each of 1 to 6 once, it has 5 0 times"),
        (PLAIN + "green = [1,2,3,4,5,6,1]", "as long as red"),
        (PLAIN + "green = [1,2,3,4,5,6", "not a layout file"),
        (PLAIN + f"green = {[0] * 100}", "<= 18"),
        ("", "red"),
    ],
)
def test_citb_8_3_a_bad_layout_file_is_an_error_of_one_line(tmp_path: Path, text: str, message: str) -> None:
    path = layout_file(tmp_path, text)
    with pytest.raises(OptionError) as caught:
        CatInTheBox(3, {"board": path})
    assert caught.value.key == "board"
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "board",
    ["purpel", "no/such/file.toml", "", ".", "nul\0", 5, None, ["white"], {}, {"red": [1]}, {1: 2}, True],
)
def test_citb_8_3_anything_else_is_no_board(board: object) -> None:
    with pytest.raises(OptionError) as caught:
        CatInTheBox(3, {"board": board})
    assert caught.value.key == "board"
    assert "\n" not in str(caught.value)


def test_citb_8_3_a_file_that_is_not_text_is_no_board(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(OptionError, match="not a layout file"):
        CatInTheBox(3, {"board": str(path)})


@pytest.mark.parametrize("board", ["purple", "some.toml", {"red": [1, 2, 3, 4, 5]}])
def test_citb_8_4_two_players_play_on_white_only(board: object) -> None:
    with pytest.raises(OptionError, match="2 players play on the white board only") as caught:
        CatInTheBox(2, {"board": board})
    assert caught.value.key == "board"


def test_citb_8_5_a_number_not_in_play_leaves_a_hole_that_parts_groups() -> None:
    rows = {color: [1, 2, 9, 3, 4, 5, 6, 7] for color in ("red", "blue", "yellow", "green")}
    game = CatInTheBox(3, {"board": rows})
    assert game.options["board"]["red"] == [1, 2, 0, 3, 4, 5, 6]
    assert game.board.rows(game.board.blank)[0] == [EMPTY, EMPTY, BLOCKED, EMPTY, EMPTY, EMPTY, EMPTY]
    assert group(game, "1 red, 2 red, 3 red") == 2


def test_an_unknown_option_names_the_ones_there_are() -> None:
    with pytest.raises(OptionError, match="the options of cat_in_the_box are: board") as caught:
        CatInTheBox(3, {"bord": "white"})
    assert caught.value.key == "bord"
