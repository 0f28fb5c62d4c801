"""Every rule of CATBOX 8."""

import pytest
from catbox_positions import PLAIN, lay, start

from arena.games.cat_box import CatBox
from arena.games.cat_box.area import Area
from arena.games.cat_box.face import BOX, cell_at
from arena.games.cat_box.scoring import SeatScore, group_sizes, ranks, score_identity
from arena.games.cat_box.state import State
from protocol.cat_box import CATS, IDENTITIES, Cat, Identity

LETTERS: dict[str, int] = {**{letter: layer for layer, letter in enumerate("KPVBY")}, ".": BOX}


def area(picture: str) -> Area:
    """An area that shows these lines, a space where nothing lies."""
    drawn = Area()
    for y, line in enumerate(picture.split("|")):
        for x, letter in enumerate(line):
            if letter != " ":
                drawn.layers[LETTERS[letter]] |= 1 << cell_at(x, y)
                drawn.occupied |= 1 << cell_at(x, y)
    return drawn


def points(identity: Identity, visible: int, bonus: int, tokens: int = 0) -> SeatScore:
    return SeatScore(identity, visible, bonus, tokens)


def test_catbox_8_1_a_cat_scores_its_visible_quadrants() -> None:
    assert score_identity(area("KP|PV| K|VK"), "black")[0] == 3
    assert score_identity(area("KP|PV"), "yellow") == (0, 0)


def test_catbox_8_1_a_covered_quadrant_scores_nothing() -> None:
    game = CatBox(2, {})
    state = start(game, " ".join([PLAIN] * 5))
    assert score_identity(state.area, "blue")[0] == 1
    lay(state, 50, "YYYY", 1, 1)
    assert score_identity(state.area, "blue")[0] == 0


@pytest.mark.parametrize(
    ("picture", "largest"),
    [("KK|KP", 3), ("KP|PK", 1), ("KPKK|KPPK|KPPP", 3), ("K K|KKK|K K", 7), ("P", 0)],
)
def test_catbox_8_2_a_cat_scores_its_largest_group(picture: str, largest: int) -> None:
    assert score_identity(area(picture), "black")[1] == largest


@pytest.mark.parametrize(
    ("picture", "sizes"),
    [("KK", [2]), ("K|K", [2]), ("K |K|PK", [1, 2]), ("KPPK", [1, 1]), ("K K", [1, 1]), ("KK|PK|KK", [5])],
)
def test_catbox_8_3_a_group_is_joined_left_right_up_and_down(picture: str, sizes: list[int]) -> None:
    assert sorted(group_sizes(area(picture).layers[0])) == sizes


def test_catbox_8_3_rows_do_not_run_on_at_the_edges_a_game_can_reach() -> None:
    ends = 1 << cell_at(53, 0) | 1 << cell_at(-53, 1)
    assert group_sizes(ends) == [1, 1]


def test_catbox_8_4_the_chihuahua_scores_empty_boxes_and_groups_of_exactly_three_of_every_color() -> None:
    shown = area("KKK.|PP.P|VVVV|BYYY|BB..")
    assert score_identity(shown, "chihuahua") == (4, 2 * 3)
    assert score_identity(area("...|KKKK|PPVV"), "chihuahua") == (3, 0), "boxes are no cats"


def test_the_rulebooks_example_adds_up_as_its_text_says() -> None:
    visible_and_bonus = {"black": (4, 2), "pink": (7, 4), "purple": (6, 2), "blue": (6, 3), "yellow": (6, 3)}
    shown = area("KK K K||PPPP PP P||VV VV VV||BBB BB B||YYY YY Y||........")
    found = {cat: score_identity(shown, cat) for cat in CATS}
    assert found == visible_and_bonus
    assert score_identity(shown, "chihuahua") == (8, 4)


def test_catbox_8_5_each_unused_token_scores_one() -> None:
    game = CatBox(2, {"rules": "advanced"})
    state: State = start(game, "KKKK/KKKK " * 4 + "YYYY/YYYY", identities=("yellow", "black"))
    assert game.scores(state) == [4 + 4 + 5, 0 + 0 + 5]
    state.tokens = [0b00101, 0]
    assert game.scores(state) == [4 + 4 + 2, 0]
    assert game.details(state) == {
        "seats": [
            {"identity": "yellow", "visible": 4, "bonus": 4, "tokens": 2},
            {"identity": "black", "visible": 0, "bonus": 0, "tokens": 0},
        ]
    }


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([points("black", 5, 2), points("pink", 4, 2)], [1, 2]),
        ([points("black", 5, 2), points("pink", 4, 3)], [2, 1]),
        ([points("black", 5, 2), points("pink", 5, 2)], [1, 1]),
        ([points("black", 4, 4), points("chihuahua", 8, 0)], [2, 1]),
        ([points("black", 5, 2, 1), points("pink", 5, 2), points("blue", 5, 3)], [2, 3, 1]),
        (
            [points("black", 3, 3), points("pink", 3, 3), points("blue", 1, 1), points("chihuahua", 4, 2)],
            [2, 2, 4, 1],
        ),
    ],
)
def test_catbox_8_6_ties_go_to_the_chihuahua_then_to_the_larger_group(
    scores: list[SeatScore], expected: list[int]
) -> None:
    assert ranks(scores) == expected


def test_identities_are_in_the_order_of_the_layers() -> None:
    cats: tuple[Cat, ...] = CATS
    assert (*cats, "chihuahua") == IDENTITIES
    assert IDENTITIES.index("chihuahua") == BOX
