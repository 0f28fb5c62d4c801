"""Counts the numbers it has not seen, and weighs every play: the trick, its bid, its groups and its own paradox.

Four things make the value of a play, all in points or nearly so:

- room: the cells that its hand could still use afterwards, each counted only so far as the unseen copies of its
  number leave it free. Declaring another color than the led one costs a whole row of them.
- the trick: the chance to win it, from how many unseen cards could still beat the play, times what it is worth. A trick
  that the bid wants brings the bonus nearer, the first one too many loses it, later ones are a point each.
- the group: how much the largest group of tokens grows, as far as the bid can still be met.
- cards that will find no cell: all but one of them is a paradox, so this counts before everything else.
"""

from collections import Counter

from protocol.cat_in_the_box import COLORS, EMPTY, Bid, Discard, Observation, Play
from protocol.client import run
from protocol.messages import Move, Turn

COPIES = 5
STRANDED = 20.0
ROOM = 1.0
TAKEN = 1.0
TRICK = 0.3
GROUP = 0.15
EAGER = 1.0
BREAK = 0.0
HIGH = 0.8


def choose(turn: Turn) -> Move:
    seen = turn.observation
    match turn.legal[0]:
        case Discard():
            return max(turn.legal, key=lambda move: discard_value(seen, move))
        case Bid():
            return min(turn.legal, key=lambda move: bid_error(seen, move))
        case Play():
            table = Table(seen)
            return max(turn.legal, key=table.value)


def discard_value(seen: Observation, move: Move) -> tuple[int, int]:
    """The most frequent number of the hand: five copies never find five cells."""
    assert isinstance(move, Discard)
    return seen.hand.count(move.card), -move.card


def bid_error(seen: Observation, move: Move) -> float:
    assert isinstance(move, Bid)
    numbers = max(map(max, seen.layout))
    high = sum(3 * card > 2 * numbers for card in seen.hand)
    return abs(move.tricks - HIGH * high)


class Table:
    """What one observation says, counted once for all plays."""

    def __init__(self, seen: Observation) -> None:
        self.seen = seen
        self.cell = {
            (color, number): (row, column)
            for row, color in enumerate(COLORS)
            for column, number in enumerate(seen.layout[row])
            if number
        }
        self.empty = {key for key, (row, column) in self.cell.items() if seen.board[row][column] == EMPTY}
        plays = [play for trick in seen.tricks for play in trick.plays] + seen.trick
        known = Counter(seen.hand + seen.revealed + [play.card for play in plays])
        known[seen.discard or 0] += 1
        self.unseen = {number: COPIES - known[number] for _, number in self.cell}
        self.strongest = max((self.strength(play.card, play.color) for play in seen.trick), default=0)
        self.mine = {
            place for place in self.cell.values() if seen.board[place[0]][place[1]] == seen.seat
        }
        self.group = largest_group(self.mine)

    def value(self, move: Move) -> float:
        assert isinstance(move, Play)
        return self.room(move) + TRICK * self.stake() * self.win_chance(move) + self.growth(move)

    def strength(self, card: int, color: str, led: str | None = None) -> int:
        led = led or self.seen.trick[0].color
        return card + 20 if color == "red" else card + 10 if color == led else 0

    def room(self, play: Play) -> float:
        seen = self.seen
        led = seen.trick[0].color if seen.trick else play.color
        colors = [c for c in seen.open_colors[seen.seat] if c != led or play.color == led]
        hand = Counter(seen.hand)
        hand[play.card] -= 1
        room = 0.0
        stranded = 0
        for card, copies in hand.items():
            if copies:
                empty = {(c, card) for c in COLORS} & self.empty - {(play.color, play.card)}
                free = sum(c in colors for c, _ in empty)
                stranded += max(0, copies - free)
                if free:
                    room += free * (1 - TAKEN * self.unseen[card] / (len(empty) + self.unseen[card]))
        return ROOM * room - STRANDED * max(0, stranded - 1)

    def stake(self) -> float:
        """Points that winning this trick is worth."""
        seen = self.seen
        bid, won = seen.bids[seen.seat], seen.tricks_won[seen.seat]
        missing = (4 if bid is None else bid) - won
        if bid is None:
            return 1 if missing > 0 else -self.group
        tricks_left = len(seen.hand) - 1
        if missing < 0 or missing > tricks_left:
            return 1.0
        return -self.group if missing == 0 else 1 + self.group / missing

    def win_chance(self, play: Play) -> float:
        seen = self.seen
        led = seen.trick[0].color if seen.trick else play.color
        own = self.strength(play.card, play.color, led)
        if own < self.strongest or own < 10:
            return 0.0
        behind = seen.seats - 1 - len(seen.trick)
        pool = sum(self.unseen.values())
        chance = 1.0
        for step in range(1, behind + 1):
            other = (seen.seat + step) % seen.seats
            beaters = {
                number
                for color, number in self.empty
                if color in seen.open_colors[other] and self.strength(number, color, led) > own
            }
            copies = sum(self.unseen[number] for number in beaters)
            holds = 1 - (1 - copies / pool) ** len(seen.hand) if pool else 0.0
            chance *= 1 - EAGER * holds
        return chance

    def growth(self, play: Play) -> float:
        seen = self.seen
        bid = seen.bids[seen.seat]
        won = seen.tricks_won[seen.seat]
        if won > (4 if bid is None else bid):
            return 0.0
        return GROUP * (largest_group(self.mine | {self.cell[play.color, play.card]}) - self.group)


def largest_group(places: set[tuple[int, int]]) -> int:
    """Size of the largest set of places that lie side by side or one above the other."""
    left, largest = set(places), 0
    while left:
        group = [left.pop()]
        for row, column in group:
            beside = {(row, column - 1), (row, column + 1), (row - 1, column), (row + 1, column)} & left
            left -= beside
            group += beside
        largest = max(largest, len(group))
    return largest


run(choose, name="counter", games=["cat_in_the_box"])
