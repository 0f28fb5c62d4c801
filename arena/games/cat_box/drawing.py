"""The table in a terminal: the area from above with its coordinates, the seats, the cards a person can play.

Everything is also said in letters and words, so that it can be read without color: a letter for each cat, a dot
for an empty box, and `!` beside a quadrant with a cat box token on it.
"""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from protocol.cat_box import Cat, Observation, PlacedCard, Quadrants

__all__ = ["draw"]

LETTERS: dict[Cat | None, str] = {
    "black": "K",
    "pink": "P",
    "purple": "V",
    "blue": "B",
    "yellow": "Y",
    None: ".",
}
STYLES: dict[Cat | None, Style] = {
    "black": Style(color="bright_white", bgcolor="grey23", bold=True),
    "pink": Style(color="black", bgcolor="hot_pink", bold=True),
    "purple": Style(color="bright_white", bgcolor="purple4", bold=True),
    "blue": Style(color="black", bgcolor="deep_sky_blue1", bold=True),
    "yellow": Style(color="black", bgcolor="bright_yellow", bold=True),
    None: Style(color="black", bgcolor="tan"),
}
OFFSETS = ((0, 0), (1, 0), (0, 1), (1, 1))
CELL = 3
"""Columns of a cell: room for a coordinate with its sign."""
DECISIONS = {
    "turn": "a card, or a token before it",
    "place": "a card",
    "token": "a token, or the turn's end",
    "over": "game over",
}


def draw(observations: Sequence[Observation]) -> RenderableType:
    """The table as the seats of `observations` see it together, for a terminal."""
    table = observations[0]
    return Group(
        _heading(table),
        *_area(table),
        _legend(),
        _seats(table, observations),
        *([] if table.decision == "over" else [_cards(observations)]),
        _uncovered(table),
    )


def _heading(table: Observation) -> Text:
    over = table.decision == "over"
    turn = "" if over else f"seat {table.active} to move: "
    start = f"Seat {table.start_seat} started, {table.pile} cards in the pile"
    return Text(f"{start}, {turn}{DECISIONS[table.decision]}", style="bold")


def _area(table: Observation) -> Iterator[Text]:
    """One line for each y, with a line of x above and below."""
    seen = _seen_from_above(table)
    shields = {(shield.x, shield.y) for shield in table.shields}
    xs, ys = sorted({x for x, _ in seen}), sorted({y for _, y in seen})
    # One more on each side: a card can lie beyond the edge.
    columns = range(xs[0] - 1, xs[-1] + 2)
    ruler = Text("y\\x".rjust(CELL + 1) + "".join(f"{x:^{CELL}}" for x in columns), style="dim")
    yield ruler
    for y in range(ys[0] - 1, ys[-1] + 2):
        line = Text(f"{y:{CELL + 1}}", style="dim")
        for x in columns:
            line.append_text(_cell(seen, shields, x, y))
        yield line
    yield ruler


def _seen_from_above(table: Observation) -> dict[tuple[int, int], Cat | None]:
    seen: dict[tuple[int, int], Cat | None] = {}
    for placed in table.table:
        for (dx, dy), shown in zip(OFFSETS, _face_up(table, placed), strict=True):
            seen[placed.x + dx, placed.y + dy] = shown
    return seen


def _face_up(table: Observation, placed: PlacedCard) -> Quadrants:
    """The side that lies up; a secret side is known to all once it was played."""
    card = table.cards[placed.card]
    return card.public if placed.side == "public" or card.secret is None else card.secret


def _cell(seen: dict[tuple[int, int], Cat | None], shields: set[tuple[int, int]], x: int, y: int) -> Text:
    if (x, y) not in seen:
        return Text(" " * CELL)
    shown = seen[x, y]
    mark = "!" if (x, y) in shields else " "
    return Text(f"{LETTERS[shown]:>{CELL - 1}}{mark}", style=STYLES[shown])


def _legend() -> Text:
    parts = [
        Text.assemble((f" {letter} ", STYLES[shown]), f" {shown or 'empty box'}")
        for shown, letter in LETTERS.items()
    ]
    return Text("  ").join(parts)


def _seats(table: Observation, observations: Sequence[Observation]) -> Table:
    grid = Table("seat", "identity", "tokens left", "", box=None, padding=(0, 1))
    identities = {observation.seat: observation.identity for observation in observations}
    for seat in range(table.seats):
        remarks = [
            *(["you"] if len(observations) == 1 and seat == table.seat else []),
            *(["to move"] if seat == table.active and table.decision != "over" else []),
        ]
        tokens = " ".join(table.tokens[seat]) or "none"
        grid.add_row(str(seat), identities.get(seat, "?"), tokens, ", ".join(remarks))
    return grid


def _cards(observations: Sequence[Observation]) -> Table:
    """Hands, the cards under dried fish, and the pile's top, with both sides where somebody looks at them."""
    table = observations[0]
    grid = Table("card", "where", "public", "secret", box=None, padding=(0, 1))
    for seat in range(table.seats):
        for number in table.hands[seat]:
            _add_card(grid, number, f"hand of seat {seat}", observations)
        fish = table.fish[seat]
        if fish is not None:
            _add_card(grid, fish, f"dried fish of seat {seat}", observations)
    if table.pile:
        _add_card(grid, len(table.cards) - 1, "top of the pile", observations)
    return grid


def _add_card(grid: Table, number: int, where: str, observations: Sequence[Observation]) -> None:
    secrets = [observation.cards[number].secret for observation in observations]
    secret = next((side for side in secrets if side is not None), None)
    public = observations[0].cards[number].public
    grid.add_row(str(number), where, _side(public), Text("?") if secret is None else _side(secret))


def _side(quadrants: Quadrants) -> Text:
    """Upper row, then lower row."""
    shown = [Text(f" {LETTERS[quadrant]} ", style=STYLES[quadrant]) for quadrant in quadrants]
    return Text.assemble(shown[0], shown[1], "\n", shown[2], shown[3])


def _uncovered(table: Observation) -> Text:
    """What a toy mouse can take."""
    cards = [f"{placed.card} at {placed.x} {placed.y}" for placed in table.table if not any(placed.covered)]
    return Text(f"Uncovered cards: {', '.join(sorted(cards, key=lambda card: int(card.split()[0])))}")
