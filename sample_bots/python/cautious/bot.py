"""Keeps its own paradox away, and bids what its hand can do.

Five copies of a number meet four cells, so a hand can get stuck. Before every play this bot counts the cards
that would be left without a cell of their number in a color it may still declare, and takes the play that strands
the fewest. Among equally safe plays it wins the trick while its bid is not reached, and ducks from then on.
"""

from protocol.cat_in_the_box import COLORS, EMPTY, Bid, Discard, Observation, Play
from protocol.client import run
from protocol.messages import Move, Turn


def choose(turn: Turn) -> Move:
    return max(turn.legal, key=lambda move: value(turn.observation, move))


def value(seen: Observation, move: Move) -> tuple[int, ...]:
    """How good a move is: tuples are compared from left to right."""
    match move:
        case Discard(card):
            return (seen.hand.count(card), -card)
        case Bid(tricks):
            return (-abs(tricks - expected_tricks(seen)),)
        case Play():
            return (-stranded(seen, move), room(seen, move), ambition(seen, move))


def expected_tricks(seen: Observation) -> int:
    """A card among the highest third of the numbers is good for half a trick."""
    numbers = max(map(max, seen.layout))
    return sum(3 * card > 2 * numbers for card in seen.hand) // 2


def stranded(seen: Observation, play: Play) -> int:
    """Cards of the hand that would have no cell left after `play`; the last card is never played."""
    hand = seen.hand.copy()
    hand.remove(play.card)
    short = sum(max(0, hand.count(card) - cells_for(seen, card, play)) for card in set(hand))
    return max(0, short - 1)


def room(seen: Observation, play: Play) -> int:
    """Cells that would still be open to the hand after `play`: what keeps it from getting stuck later."""
    hand = seen.hand.copy()
    hand.remove(play.card)
    return sum(cells_for(seen, card, play) for card in set(hand))


def cells_for(seen: Observation, card: int, play: Play) -> int:
    """Empty cells of a number in the colors that stay open to this seat after `play`."""
    led = seen.trick[0].color if seen.trick else play.color
    count = 0
    for color, numbers, row in zip(COLORS, seen.layout, seen.board, strict=True):
        stays_open = color in seen.open_colors[seen.seat] and (color != led or play.color == led)
        taken_now = play == Play(card, color)
        if stays_open and not taken_now and row[numbers.index(card)] == EMPTY:
            count += 1
    return count


def ambition(seen: Observation, play: Play) -> int:
    """The play's strength while tricks are wanted, else its weakness."""
    bid = seen.bids[seen.seat] or 4  # nobody bids with two players: four tricks still earn the bonus
    strength = play.card + (10 if play.color == "red" else 0)
    return strength if seen.tricks_won[seen.seat] < bid else -strength


run(choose, name="cautious", games=["cat_in_the_box"])
