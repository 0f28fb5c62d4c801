"""Counts the numbers it has not seen, and weighs every play: its room, the trick, its groups.

- room: the cells its hand could still use after the play. A cell whose number others hold counts less, for they may
  take it first. Declaring another color than the led one costs a whole row of cells. Two cards left that find no cell
  are a paradox, so this counts before everything else.
- the trick: the chance to win it, from how many unseen cards could still beat the play, times what it is worth. A
  trick that the bid asks for brings the bonus nearer, the first one too many loses it, others are a point each.
- the group: how much the play adds to the largest group of tokens, while the bid can still be met.
"""

from collections import Counter

from protocol.cat_in_the_box import COLORS, EMPTY, Bid, Discard, Observation, Play
from protocol.client import run
from protocol.messages import Move, Turn

COPIES = 5

# Weights in cells of room, found by trial.
STRANDED = 20.0
TRICK = 0.3
GROUP = 0.15

HIGH_CARD = 0.8
"""Tricks that a card among the highest third of the numbers is good for."""
MOST_TRICKS = 4
"""With two players nobody bids, and up to four tricks earn the bonus."""


def choose(turn: Turn) -> Move:
    table = Table(turn.observation)
    return max(turn.legal, key=table.value)


class Table:
    """What one observation says, counted once for all moves.

    place: by color and number, its row and column on the board.  empty: the colors and numbers still to be had.
    mine: places of own tokens.  unseen: by number, the copies in other hands and discards.
    """

    def __init__(self, seen: Observation) -> None:
        self.seen = seen
        self.place = {
            (color, number): (row, column)
            for row, color in enumerate(COLORS)
            for column, number in enumerate(seen.layout[row])
            if number
        }
        owner = {cell: seen.board[row][column] for cell, (row, column) in self.place.items()}
        self.empty = {cell for cell in owner if owner[cell] == EMPTY}
        self.mine = {self.place[cell] for cell in owner if owner[cell] == seen.seat}
        self.group = largest_group(self.mine)
        plays = [play for trick in seen.tricks for play in trick.plays] + seen.trick
        known = Counter(seen.hand + seen.revealed + [play.card for play in plays] + [seen.discard or 0])
        self.unseen = {number: COPIES - known[number] for _, number in self.place}
        bid = seen.bids[seen.seat]
        self.missing = (MOST_TRICKS if bid is None else bid) - seen.tricks_won[seen.seat]

    def value(self, move: Move) -> float:
        match move:
            case Discard(card):
                return self.seen.hand.count(card) - card / 10
            case Bid(tricks):
                high = sum(3 * card > 2 * max(self.unseen) for card in self.seen.hand)
                return -abs(tricks - HIGH_CARD * high)
            case Play():
                trick = self.stake() * self.win_chance(move)
                return self.room(move) + TRICK * trick + GROUP * self.growth(move)

    def led(self, play: Play) -> str:
        return self.seen.trick[0].color if self.seen.trick else play.color

    def room(self, play: Play) -> float:
        """Cells the hand could still use after `play`, less what others may take and what is stranded."""
        led = self.led(play)
        colors = {c for c in self.seen.open_colors[self.seen.seat] if c != led or play.color == led}
        empty = self.empty - {(play.color, play.card)}
        hand = Counter(self.seen.hand)
        hand[play.card] -= 1
        room, stranded = 0.0, 0
        for card in +hand:
            cells = [color for color in COLORS if (color, card) in empty]
            free = sum(color in colors for color in cells)
            stranded += max(0, hand[card] - free)
            if free:
                room += free * len(cells) / (len(cells) + self.unseen[card])
        return room - STRANDED * max(0, stranded - 1)

    def stake(self) -> float:
        """Points that winning this trick is worth, in the long run."""
        tricks_left = len(self.seen.hand) - 1
        if self.missing < 0 or self.missing > tricks_left:
            return 1.0
        return 1 + self.group / self.missing if self.missing else -float(self.group)

    def win_chance(self, play: Play) -> float:
        """The chance that nobody behind holds a card that beats `play`."""
        seen, led = self.seen, self.led(play)
        own = strength(play.card, play.color, led)
        if any(strength(other.card, other.color, led) > own for other in seen.trick):
            return 0.0
        pool = sum(self.unseen.values())
        chance = 1.0
        for step in range(1, seen.seats - len(seen.trick)):
            colors = seen.open_colors[(seen.seat + step) % seen.seats]
            beaters = {n for c, n in self.empty if c in colors and strength(n, c, led) > own}
            chance *= (1 - sum(self.unseen[n] for n in beaters) / pool) ** len(seen.hand)
        return chance

    def growth(self, play: Play) -> int:
        """Tokens that `play` adds to the largest group, while that can earn a bonus."""
        if self.missing < 0:
            return 0
        return largest_group(self.mine | {self.place[play.color, play.card]}) - self.group


def strength(card: int, color: str, led: str) -> int:
    """The highest wins the trick; 0 never does."""
    if color == "red":
        return 20 + card
    return 10 + card if color == led else 0


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
