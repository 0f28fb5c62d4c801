"""Determinised search: deals itself the hidden cards, plays the round to its end, and takes what paid best.

A world is a state of the rules package that agrees with everything this seat has seen, the hidden cards dealt at
random (`determinize`). Every candidate is tried in the same worlds, so that a lucky deal helps all of them alike.
A playout follows a cheap policy to the end of the round; it is worth this seat's points, less the mean of the
others'. Discard and bid follow the policy too: so far from the end, a few playouts tell nothing.

The budget is about two dozen playouts a play. To make the most of them, only the plays that look best beforehand
(`outlook`) are searched, after each pass only the better half goes on, and the outlook counts in the verdict. The
budget is a number of playouts, not a time, so that a game depends on nothing but `rng_seed` and the deal; the clock
only stops a search that would cost the game.
"""

from random import Random
from time import monotonic

from arena.games.cat_in_the_box import CatInTheBox
from arena.games.cat_in_the_box.moves import (
    BID,
    CARD,
    COLOR,
    DISCARD,
    NUMBER_MASKS,
    PLAYS,
    ROW_MASKS,
    STRENGTH,
)
from arena.games.cat_in_the_box.state import State
from protocol.cat_in_the_box import Observation, RoundScore
from protocol.client import run
from protocol.messages import GameStart, Move, Turn

PASSES = 3
PLAYOUTS = 8  # of one pass, shared by its candidates
CANDIDATES = 4
CLOCK_SHARE = 1 / 3  # of the time for a decision: the search stops there

# Weights, found by trial. OUTLOOK is in points for one open cell; the rest are in open cells.
OUTLOOK = 4.0
TAKEN = 1.7  # how much unseen copies of a number spoil its cells
STRANDED = 20.0  # one card too many that finds no cell: more than any room
WIN = 0.3  # a trick that the bid asks for
STRENGTH_STEP = 0.05  # one step of strength, in a playout
NOISE = 0.5  # in a playout, so that it does not always go the same way
BREAK_SUIT = 0.1  # how often a playout declares another color although it could follow
HIGH_CARD = 0.8  # in tricks: what a card of the highest third is good for

EARLIER = RoundScore(0, [], [], [], [], None)  # what earlier rounds brought does not matter here


class Sampler:
    def __init__(self, start: GameStart) -> None:
        self.game = CatInTheBox(start.seats, start.options)
        self.rng = Random(start.rng_seed)

    def choose(self, turn: Turn) -> Move:
        stop_s = monotonic() + turn.time_ms / 1000 * CLOCK_SHARE
        if len(turn.legal) == 1:
            return turn.legal[0]
        if turn.observation.phase == "play":
            move = self.search(turn.observation, [self.game.decode_move(move) for move in turn.legal], stop_s)
        else:
            move = self.policy(self.world(turn.observation), turn.seat)
        return self.game.encode_move(move)

    def search(self, seen: Observation, plays: list[int], stop_s: float) -> int:
        """The most promising play. stop_s: on the monotonic clock."""
        world = self.world(seen)
        prior = {play: OUTLOOK * self.outlook(world, seen.seat, play) for play in plays}
        plays = sorted(plays, key=prior.__getitem__, reverse=True)[:CANDIDATES]
        points = dict.fromkeys(plays, 0.0)
        worlds = 0
        for _ in range(PASSES):
            for _ in range(PLAYOUTS // len(plays)):
                world = self.world(seen)
                worlds += 1
                for play in plays:
                    points[play] += self.playout(self.after(world, seen.seat, play), seen.seat)
            plays.sort(key=lambda play: points[play] / worlds + prior[play], reverse=True)
            if monotonic() > stop_s:
                break
            plays = plays[: max(2, len(plays) // 2)]
        return plays[0]

    def world(self, seen: Observation) -> State:
        """A state that this seat could be in, but in the game's last round: so the game ends with it."""
        state = self.game.determinize(seen, self.rng)
        state.rounds = [EARLIER] * (self.game.seats - 1)
        return state

    def after(self, world: State, seat: int, play: int) -> State:
        state = world.copy()
        self.game.apply(state, seat, play)
        return state

    def outlook(self, world: State, seat: int, play: int) -> float:
        """A play's value without search: the room it leaves, and the trick if it may win it."""
        led = world.led if world.trick else COLOR[play]
        strength = STRENGTH[led][play]
        value = room(self.after(world, seat, play), seat)
        if strength <= (world.strongest if world.trick else 0):
            return value
        stronger = sum(STRENGTH[led][cell] > strength for cell in range(36) if world.empty >> cell & 1)
        is_last = len(world.trick) == self.game.seats - 1
        return value + wish(world, seat) * WIN * (1 if is_last else max(0, 1 - stronger / 8))

    def playout(self, state: State, seat: int) -> float:
        """Play to the end of the round: this seat's points, less the mean of the others'."""
        while state.to_move:
            mover = state.to_move[0]
            self.game.apply(state, mover, self.policy(state, mover))
        scores = state.rounds[-1].scores
        return scores[seat] - (sum(scores) - scores[seat]) / (len(scores) - 1)

    def policy(self, state: State, seat: int) -> int:
        """A sensible move at once: the most frequent number goes, the bid is what high cards are good for."""
        hand = state.hands[seat]
        if state.phase == "discard":
            return DISCARD - 1 + max(hand, key=hand.count)
        if state.phase == "bid":
            tricks = HIGH_CARD * sum(3 * card > 2 * self.game.table.numbers for card in hand)
            return min(self.game.legal_moves(state, seat), key=lambda move: abs(move - BID - tricks))
        return self.play(state, seat)

    def play(self, state: State, seat: int) -> int:
        """Follow suit, give up as little room as possible, and win or duck as the bid asks for."""
        plays, strongest = self.game.legal_moves(state, seat), 0
        cells = state.empty & state.open[seat]
        if state.trick:
            row, strongest = ROW_MASKS[state.led], state.strongest
            follow = state.legal & row
            if follow and (follow == state.legal or self.rng.random() > BREAK_SUIT):
                plays = PLAYS[state.led][follow >> 9 * state.led & 511]
            else:
                cells &= ~row
        step = STRENGTH_STEP * wish(state, seat)
        hand, random = state.hands[seat], self.rng.random
        best, best_value = plays[0], -1000.0
        for play in plays:
            card = CARD[play]
            strength = STRENGTH[state.led if state.trick else COLOR[play]][play]
            copies, free = hand.count(card), (cells & NUMBER_MASKS[card]).bit_count()
            empty = (state.empty & NUMBER_MASKS[card]).bit_count()
            kept = WORTH[copies - 1][empty - 1][free - 1] if copies > 1 and free else 0.0
            value = step * (strength - 15 if strength > strongest else -card)
            value += kept - WORTH[copies][empty][free] + NOISE * random()
            if value > best_value:
                best, best_value = play, value
        return best


def wish(state: State, seat: int) -> int:
    """1 while the seat wants tricks, else -1."""
    return 1 if state.tricks_won[seat] < (state.bids[seat] or 4) else -1


def worth(copies: int, empty: int, free: int) -> float:
    """What the cells of one number are worth to a hand with some copies of it.

    empty: its empty cells.  free: those in colors open to the hand. Of five copies at four cells, one more is out
    than there are empty cells; so `empty + 1 - copies` of them are unseen and may take a cell first.
    """
    unseen = max(0, empty + 1 - copies)
    return free * (1 - TAKEN * unseen / (empty + unseen)) if free else 0.0


WORTH = [
    [[worth(copies, empty, free) for free in range(empty + 1)] for empty in range(5)] for copies in range(6)
]


def room(state: State, seat: int) -> float:
    """What the open cells are worth to the hand, and a heavy charge for cards that will find none."""
    hand = state.hands[seat]
    cells = state.empty & state.open[seat]
    total, stranded = 0.0, 0
    for card in set(hand):
        copies, free = hand.count(card), (cells & NUMBER_MASKS[card]).bit_count()
        total += WORTH[copies][(state.empty & NUMBER_MASKS[card]).bit_count()][free]
        stranded += max(0, copies - free)
    return total - STRANDED * max(0, stranded - 1)


run(Sampler, name="sampler", games=["cat_in_the_box"])
