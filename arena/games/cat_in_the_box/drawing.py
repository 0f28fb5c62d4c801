"""The table in a terminal: board, seats, trick, hands and earlier rounds.

Everything is also said in letters and words, so that it can be read without color: a seat's letter stands on
its tokens, `#` marks a blocked cell, and a hole is empty.
"""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from arena.games.cat_in_the_box import scoring
from arena.games.cat_in_the_box.observation import seats_to_move
from arena.games.cat_in_the_box.table import TABLES
from protocol.cat_in_the_box import BLOCKED, COLORS, EMPTY, Color, Observation, RoundScore, TrickPlay

__all__ = ["draw"]

ROW_STYLES: dict[Color, Style] = {
    "red": Style(color="bright_red"),
    "blue": Style(color="bright_blue"),
    "yellow": Style(color="bright_yellow"),
    "green": Style(color="bright_green"),
}
SEAT_LETTERS = "ABCDE"
SEAT_STYLES = (
    Style(color="black", bgcolor="bright_magenta", bold=True),
    Style(color="black", bgcolor="bright_cyan", bold=True),
    Style(color="black", bgcolor="bright_white", bold=True),
    Style(color="black", bgcolor="dark_orange", bold=True),
    Style(color="bright_white", bgcolor="purple4", bold=True),
)


def draw(observations: Sequence[Observation]) -> RenderableType:
    """The table as the seats of `observations` see it together, for a terminal."""
    table = observations[0]
    you = table.seat if len(observations) == 1 else None
    return Group(
        _heading(table),
        _research_board(table),
        _seats(table, you),
        *_tricks(table),
        *(_hand(observation) for observation in observations),
        *_earlier_rounds(table),
    )


def _heading(table: Observation) -> Text:
    over = len(table.rounds) == table.seats
    phase = "game over" if over else table.phase
    start = f"seat {table.start_seat} started" if over else f"seat {table.start_seat} starts"
    revealed = f", revealed {_cards(table.revealed)}" if table.revealed else ""
    return Text(f"Round {table.round + 1} of {table.seats}, {start}, {phase}{revealed}", style="bold")


def _research_board(table: Observation) -> Table:
    grid = Table(show_header=False, show_lines=True, padding=0)
    for color, numbers, owners in zip(COLORS, table.layout, table.board, strict=True):
        label = Text(f" {color:6} ", style=ROW_STYLES[color] + Style(reverse=True))
        cells = [_cell(color, *cell) for cell in zip(numbers, owners, strict=True)]
        grid.add_row(label, *cells)
    return grid


def _cell(color: Color, number: int, owner: int) -> Text:
    if not number:
        return Text("    ")
    if owner == EMPTY:
        return Text(f" {number}  ", style=ROW_STYLES[color])
    if owner == BLOCKED:
        return Text(f" {number}# ", style="dim")
    return Text(f" {number}{SEAT_LETTERS[owner]} ", style=SEAT_STYLES[owner])


def _seat(seat: int) -> Text:
    return Text(f" {SEAT_LETTERS[seat]} ", style=SEAT_STYLES[seat])


def _seats(table: Observation, you: int | None) -> Table:
    grid = Table("", "seat", "bid", "tricks", "may declare", "total", "", box=None, padding=(0, 1))
    totals = scoring.totals(table.rounds, table.seats)
    deciding = () if table.phase == "discard" else seats_to_move(table)
    for seat in range(table.seats):
        bid = table.bids[seat]
        remarks = [
            *(["you"] if seat == you else []),
            *(["to move"] if seat in deciding else []),
        ]
        grid.add_row(
            _seat(seat),
            str(seat),
            "-" if bid is None else str(bid),
            str(table.tricks_won[seat]),
            _open_colors(table.open_colors[seat]),
            str(totals[seat]),
            ", ".join(remarks),
        )
    return grid


def _open_colors(colors: Sequence[Color]) -> Text:
    """The colors in fixed columns, a dash where one is lost."""
    parts = [
        Text(color, ROW_STYLES[color]) if color in colors else Text("-".ljust(len(color))) for color in COLORS
    ]
    return Text(" ").join(parts)


def _tricks(table: Observation) -> Iterator[Text]:
    if table.tricks:
        last = table.tricks[-1]
        yield Text.assemble(
            f"Trick {len(table.tricks)}: ", _plays(last.plays), ", won by ", _seat(last.winner)
        )
    if table.trick:
        number, most = len(table.tricks) + 1, TABLES[table.seats].tricks
        yield Text.assemble(f"Trick {number} of {most}, {table.trick[0].color} led: ", _plays(table.trick))


def _plays(plays: Sequence[TrickPlay]) -> Text:
    return Text(", ").join(
        Text.assemble(_seat(play.seat), " ", (f"{play.card} {play.color}", ROW_STYLES[play.color]))
        for play in plays
    )


def _hand(observation: Observation) -> Text:
    discard = "" if observation.discard is None else f", discard {observation.discard}"
    return Text.assemble("Hand of ", _seat(observation.seat), f": {_cards(observation.hand)}{discard}")


def _cards(cards: Sequence[int]) -> str:
    return " ".join(map(str, cards)) or "none"


def _earlier_rounds(table: Observation) -> Iterator[RenderableType]:
    if not table.rounds:
        return
    yield Text("Earlier rounds: points (tricks won/bid +bonus)")
    grid = Table(box=None, padding=(0, 1))
    grid.add_column("round")
    for seat in range(table.seats):
        grid.add_column(_seat(seat))
    for number, scored in enumerate(table.rounds, 1):
        grid.add_row(str(number), *(_points(scored, seat) for seat in range(table.seats)))
    yield grid


def _points(scored: RoundScore, seat: int) -> str:
    """`7 (2/2 +5)`, `1 (1/3)`, or `-3 (paradox)`; the bid is left out with two players."""
    points, bid, bonus = scored.scores[seat], scored.bids[seat], scored.bonus[seat]
    if seat == scored.paradox:
        return f"{points} (paradox)"
    tricks = str(scored.tricks[seat]) if bid is None else f"{scored.tricks[seat]}/{bid}"
    return f"{points} ({tricks} +{bonus})" if bonus else f"{points} ({tricks})"
