"""Every rule of CATBOX 2: the shipped deck, a table's own, and what is wrong with others."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from arena.cli import exit_status
from arena.games import OptionError
from arena.games.cat_box import CatBox
from protocol.cat_box import CATS

SHIPPED = Path(__file__).parent.parent / "arena/games/cat_box/deck.toml"
Change = Callable[[list[dict[str, Any]]], object]


def shipped_cards() -> list[dict[str, Any]]:
    cards: list[dict[str, Any]] = msgspec.toml.decode(SHIPPED.read_bytes())["cards"]
    return cards


def write_deck(folder: Path, change: Change) -> Path:
    """The shipped deck with a change, as a file."""
    cards = shipped_cards()
    change(cards)
    path = folder / "own.toml"
    entries = [
        ", ".join(f"{key} = {msgspec.json.encode(value).decode()}" for key, value in card.items())
        for card in cards
    ]
    path.write_text("cards = [\n" + "".join(f"    {{ {entry} }},\n" for entry in entries) + "]\n")
    return path


def test_catbox_2_1_the_shipped_deck_has_48_cards_with_the_same_animals_on_both_sides() -> None:
    deck = CatBox(3, {}).deck
    assert len(deck) == 48
    assert all(Counter(card.front) == Counter(card.back) for card in deck)
    assert all(card.front != card.back for card in deck)


@pytest.mark.parametrize("side", ["front", "back"])
def test_catbox_2_1_each_side_of_the_shipped_deck_is_balanced(side: str) -> None:
    shown = [getattr(card, side) for card in CatBox(3, {}).deck]
    assert Counter(quadrants.count(None) for quadrants in shown) == {1: 32, 0: 16}
    colors = Counter(quadrant for quadrants in shown for quadrant in quadrants)
    assert {cat: colors[cat] for cat in CATS} == dict.fromkeys(CATS, 32)


def test_catbox_2_1_no_side_of_the_shipped_deck_tells_what_is_behind_it() -> None:
    backs: dict[object, set[object]] = {}
    for front, back in CatBox(3, {}).deck:
        backs.setdefault(front, set()).add(back)
        backs.setdefault(back, set()).add(front)
    assert {len(behind) for behind in backs.values()} == {2}


def test_catbox_2_2_a_deck_file_replaces_the_deck_and_a_record_keeps_it(tmp_path: Path) -> None:
    def all_black(cards: list[dict[str, Any]]) -> None:
        for card in cards:
            card["front"] = ["black"] * 4

    game = CatBox(3, {"deck": "own.toml"}, write_deck(tmp_path, all_black).parent)
    assert {card.front for card in game.deck} == {("black",) * 4}
    again = CatBox(3, msgspec.json.decode(msgspec.json.encode(game.options)))
    assert again.deck == game.deck
    assert again.options == game.options
    again.check_deal(game.deal(Random(1)))
    with pytest.raises(ValueError, match=r"deal\.pile\[\d+\] is more often"):
        CatBox(3, {}).check_deal(game.deal(Random(1)))


def test_catbox_2_3_numbers_are_places_in_the_draw_order_and_tell_nothing_of_the_sides() -> None:
    deals = [CatBox(3, {"rules": "advanced"}).deal(Random(seed)) for seed in range(40)]
    assert all([card.card for card in deal.pile] == list(range(48)) for deal in deals)
    assert len({(tuple(deal.pile[0].public), tuple(deal.pile[0].secret)) for deal in deals}) > 15


def three_quadrants(cards: list[dict[str, Any]]) -> None:
    cards[6]["back"].pop()


def unknown_color(cards: list[dict[str, Any]]) -> None:
    cards[3]["front"][2] = "mauve"


def duplicate_id(cards: list[dict[str, Any]]) -> None:
    cards[9]["id"] = cards[2]["id"]


def unknown_key(cards: list[dict[str, Any]]) -> None:
    cards[0]["token"] = "cat_paw"


FAULTS: list[tuple[Change, str]] = [
    (three_quadrants, r"length >= 4 - at `\$\.cards\[6\]\.back`"),
    (unknown_color, r"'mauve' - at `\$\.cards\[3\]\.front\[2\]`"),
    (list.pop, r"expected 48 cards, got 47 - at `\$\.cards`"),
    (duplicate_id, r"id 3 is also at `\$\.cards\[2\]` - at `\$\.cards\[9\]\.id`"),
    (unknown_key, r"unknown field `token` - at `\$\.cards\[0\]`"),
]


@pytest.mark.parametrize(("change", "text"), FAULTS)
def test_a_wrong_deck_file_is_refused_in_one_line_that_names_the_place(
    change: Change, text: str, tmp_path: Path
) -> None:
    path = write_deck(tmp_path, change)
    with pytest.raises(OptionError, match=text) as caught:
        CatBox(3, {"deck": path.name}, tmp_path)
    assert caught.value.key == "deck"
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("deck", "text"),
    [
        ("no_such.toml", "cannot read .*no_such.toml"),
        (7, "expected standard or the path of a deck file, got 7"),
        ({"cards": []}, r"expected 48 cards, got 0"),
        ({"kards": []}, "not a deck: "),
    ],
)
def test_what_is_no_deck_is_refused(deck: object, text: str, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=text):
        CatBox(3, {"deck": deck}, tmp_path)


def test_a_deck_file_that_is_no_toml_is_refused(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text("cards = [")
    with pytest.raises(OptionError, match="not a deck file"):
        CatBox(3, {"deck": "own.toml"}, tmp_path)


@pytest.mark.parametrize("rules", ["expert", 1, None])
def test_rules_are_basic_or_advanced(rules: object) -> None:
    with pytest.raises(OptionError, match="expected basic or advanced") as caught:
        CatBox(3, {"rules": rules})
    assert caught.value.key == "rules"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--option", "deck=own.toml"], r"--option deck: not a deck file, 'own\.toml': expected 48 cards"),
        (["--option", "rules=expert"], "--option rules: expected basic or advanced, got 'expert'"),
        (["random"] * 4, "BOT: cat_box is for 2 to 5 players, not 6"),
    ],
)
def test_the_command_line_says_it_in_one_line_and_exits_with_3(
    arguments: list[str],
    text: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_deck(tmp_path, list.pop)
    monkeypatch.chdir(tmp_path)
    assert exit_status(["play", "--game", "cat_box", "random", "random", *arguments]) == 3
    error = capsys.readouterr().err
    assert re.search(text, error)
    assert len(error.splitlines()) == 1
