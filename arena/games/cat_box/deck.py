"""The 48 cards of a deck, and the files they come from (CATBOX 2)."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct

from arena.games.base import OptionError
from protocol.cat_box import Cat

__all__ = ["CARDS", "STANDARD", "Deck", "DeckCard", "DeckFile", "read_deck", "resolve_deck"]

CARDS = 48
STANDARD = "standard"
STANDARD_FILE = Path(__file__).with_name("deck.toml")

Shown = Literal["black", "pink", "purple", "blue", "yellow", "empty"]
Side = Annotated[list[Shown], Meta(min_length=4, max_length=4)]


class FileCard(Struct, forbid_unknown_fields=True, frozen=True):
    """A card as it stands in a file. front, back: left to right, top to bottom."""

    id: Annotated[int, Meta(ge=1, le=CARDS)]
    front: Side
    back: Side


class DeckFile(Struct, forbid_unknown_fields=True, frozen=True):
    """A whole deck as it stands in a file, or in a record's options."""

    cards: list[FileCard]


class DeckCard(NamedTuple):
    """The two sides of a card, as quadrants of the wire."""

    front: tuple[Cat | None, ...]
    back: tuple[Cat | None, ...]


Deck = tuple[DeckCard, ...]


def resolve_deck(option: object, folder: Path | None) -> tuple[Deck, Any]:
    """The deck that the option `deck` names, and the option as it stands in a record.

    option: `standard`, the path of a deck file relative to `folder`, or a deck as a mapping.
    Raises OptionError for anything else. Rule: CATBOX 2.2.
    """
    if option == STANDARD:
        return _standard(), STANDARD
    file = _find_deck(option, folder)
    return _deck(file), msgspec.to_builtins(file)


@cache
def _standard() -> Deck:
    return _deck(read_deck(STANDARD_FILE))


def _find_deck(option: object, folder: Path | None) -> DeckFile:
    if isinstance(option, str) and folder is not None:
        return read_deck(folder / option)
    if not isinstance(option, Mapping):
        raise OptionError("deck", f"expected {STANDARD} or the path of a deck file, got {option!r}")
    try:
        file = msgspec.convert(dict(option), DeckFile)
    except msgspec.ValidationError as error:
        raise OptionError("deck", f"not a deck: {error}") from None
    _check_cards(file, "not a deck")
    return file


def read_deck(path: Path) -> DeckFile:
    """Raises OptionError with one line that names the file and the place in it."""
    try:
        file = msgspec.toml.decode(path.read_text("utf-8"), type=DeckFile)
    except OSError as error:
        raise OptionError(
            "deck", f"expected {STANDARD} or a deck file, cannot read {str(path)!r}: {error.strerror}"
        ) from None
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise OptionError("deck", f"not a deck file, {str(path)!r}: {error}".replace("\n", " ")) from None
    _check_cards(file, f"not a deck file, {str(path)!r}")
    return file


def _check_cards(file: DeckFile, where: str) -> None:
    if len(file.cards) != CARDS:
        raise OptionError("deck", f"{where}: expected {CARDS} cards, got {len(file.cards)} - at `$.cards`")
    first: dict[int, int] = {}
    for index, card in enumerate(file.cards):
        if card.id in first:
            raise OptionError(
                "deck",
                f"{where}: id {card.id} is also at `$.cards[{first[card.id]}]` - at `$.cards[{index}].id`",
            )
        first[card.id] = index


def _deck(file: DeckFile) -> Deck:
    return tuple(DeckCard(_quadrants(card.front), _quadrants(card.back)) for card in file.cards)


def _quadrants(side: list[Shown]) -> tuple[Cat | None, ...]:
    return tuple(None if shown == "empty" else shown for shown in side)
