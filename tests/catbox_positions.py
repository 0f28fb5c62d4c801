"""Tables of Cat Box for tests, from cards in letters, and moves in words.

A side is four letters, left to right and top to bottom: K black, P pink, V purple, B blue, Y yellow, and a dot
for an empty box. A card is its public side, a slash, its secret side.
"""

from collections.abc import Iterable, Sequence

from arena.games.cat_box import CatBox
from arena.games.cat_box.deal import Deal, DealtCard
from arena.games.cat_box.face import cell_at, face_of
from arena.games.cat_box.state import State
from protocol.cat_box import CATS, IDENTITIES, TOKENS, Cat, Identity

LETTERS: dict[str, Cat | None] = {**dict(zip("KPVBY", CATS, strict=True)), ".": None}
PLAIN = "KPVB/BVPK"
"""A card without an empty box."""
BOXED = "KPV./.VPK"
"""A card with an empty box."""


def side(letters: str) -> list[Cat | None]:
    return [LETTERS[letter] for letter in letters]


def dealt(cards: Iterable[str]) -> list[DealtCard]:
    sides = [card.split("/") for card in cards]
    return [DealtCard(number, side(public), side(secret)) for number, (public, secret) in enumerate(sides)]


def start(
    game: CatBox,
    cards: str,
    *,
    identities: Sequence[Identity] = IDENTITIES,
    first: int = 0,
    tokens: str | None = None,
) -> State:
    """A game that has just begun.

    cards: in draw order, the hands first, from the first player on, then the card on the table, then the pile.
    tokens: those that every seat still has, by name; else all that the game gives.
    """
    state = game.start(Deal(first, list(identities[: game.seats]), [], dealt(cards.split())))
    if tokens is not None:
        state.tokens = [
            sum(1 << TOKENS.index(name) for name in TOKENS if name in tokens.split())
        ] * game.seats
    return state


def lay(state: State, card: int, letters: str, x: int, y: int) -> None:
    """Put a card that shows these letters on the table, whatever the rules say. card: 50 to 63, none of the deal."""
    state.area.place(card, face_of(side(letters)), "public", cell_at(x, y))


def legal(game: CatBox, state: State) -> list[str]:
    """The legal moves in words."""
    (seat,) = game.to_move(state)
    return [game.describe(move) for move in game.legal_moves(state, seat)]


def kinds(game: CatBox, state: State) -> set[str]:
    """The first words of the legal moves."""
    return {words.split()[0] for words in legal(game, state)}


def spots(game: CatBox, state: State, words: str) -> set[tuple[int, int]]:
    """Where a legal move that begins with `words` puts something."""
    found = [move.split() for move in legal(game, state) if move.startswith(f"{words} ")]
    return {(int(move[-2]), int(move[-1])) for move in found}


def make(game: CatBox, state: State, *moves: str) -> None:
    """Make moves in words, each by the seat to move."""
    for words in moves:
        (seat,) = game.to_move(state)
        choices = {game.describe(move): move for move in game.legal_moves(state, seat)}
        assert words in choices, f"seat {seat} cannot {words}: {sorted(choices)}"
        game.apply(state, seat, choices[words])
