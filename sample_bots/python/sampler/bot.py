"""Determinised search: deals itself the hidden cards, plays the round to its end, and takes what paid best.

One world is a state of the rules package that agrees with everything this seat has seen, the hidden cards dealt at
random (`Game.determinize`). Every candidate move is tried in the same worlds, so that a lucky deal helps all of
them alike. A playout follows a cheap policy to the end of the round and is worth this seat's points less the mean
of the others'.

The budget is a few dozen playouts a decision. Three things make the most of it: moves that leave the hand little
room are dropped before the search, after each pass over the candidates only the better half goes on, and the room
that a move leaves also counts in its value. The budget is a number of playouts, not a time, so that a game depends
on `rng_seed` alone; the clock only stops a search that would cost the game.
"""

from random import Random
from time import monotonic

from arena.games.cat_in_the_box import CatInTheBox
from arena.games.cat_in_the_box.moves import BID, CARD, DISCARD, NUMBER_MASKS, PLAYS, ROW_MASKS, STRENGTH
from arena.games.cat_in_the_box.state import State
from protocol.cat_in_the_box import Observation
from protocol.client import run
from protocol.messages import GameStart, Move, Turn

PASSES = 3
"""Passes over the candidates; the better half of them is searched on."""
PLAYOUTS = 8
"""Playouts of a pass, shared by its candidates."""
CANDIDATES = 6
ROOM_VALUE = 0.6
"""Points that one more open cell is worth, see `room`."""
STRANDED = 20
"""Open cells that make up for one card too many without a cell: more than there are."""
WISH = 0.05
"""Open cells that one step of strength is worth in a playout."""
BREAK_SUIT = 0.1
"""How often a playout declares another color although it could follow."""
CLOCK_SHARE = 1 / 3


class Sampler:
    def __init__(self, start: GameStart) -> None:
        self.game = CatInTheBox(start.seats, start.options)
        self.rng = Random(start.rng_seed)

    def choose(self, turn: Turn) -> Move:
        if len(turn.legal) == 1:
            return turn.legal[0]
        stop_s = monotonic() + turn.time_ms / 1000 * CLOCK_SHARE
        moves = [self.game.decode_move(move) for move in turn.legal]
        return self.game.encode_move(self.search(turn.observation, moves, stop_s))

    def search(self, seen: Observation, moves: list[int], stop_s: float) -> int:
        """The most promising move. stop_s: on the monotonic clock."""
        world = self.world(seen)
        value = {move: ROOM_VALUE * room(self.after(world, seen.seat, move), seen.seat) for move in moves}
        moves = sorted(moves, key=value.__getitem__, reverse=True)[:CANDIDATES]
        total = dict.fromkeys(moves, 0.0)
        worlds = 0
        for _ in range(PASSES):
            for _ in range(max(1, PLAYOUTS // len(moves))):
                world = self.world(seen)
                worlds += 1
                for move in moves:
                    total[move] += self.playout(self.after(world, seen.seat, move), seen.seat)
            moves = sorted(moves, key=lambda move: total[move] / worlds + value[move], reverse=True)
            if monotonic() > stop_s:
                break
            moves = moves[: max(2, (len(moves) + 1) // 2)]
        return moves[0]

    def world(self, seen: Observation) -> State:
        """A state that this seat could be in. Without later rounds the game ends with this one."""
        state = self.game.determinize(seen, self.rng)
        state.later = []
        return state

    def after(self, world: State, seat: int, move: int) -> State:
        state = world.copy()
        self.game.apply(state, seat, move)
        return state

    def playout(self, state: State, seat: int) -> float:
        """Play to the end of the round: this seat's points, less the mean of the others'."""
        while state.to_move:
            mover = state.to_move[0]
            self.game.apply(state, mover, self.policy(state, mover))
        scores = state.rounds[-1].scores
        return scores[seat] - (sum(scores) - scores[seat]) / (len(scores) - 1)

    def policy(self, state: State, seat: int) -> int:
        hand = state.hands[seat]
        if state.phase == "discard":
            return DISCARD - 1 + max(hand, key=hand.count)
        if state.phase == "bid":
            high = sum(3 * card > 2 * self.game.table.numbers for card in hand)
            return min(self.game.legal_moves(state, seat), key=lambda bid: abs(2 * (bid - BID) - high))
        return self.play(state, seat)

    def play(self, state: State, seat: int) -> int:
        """Follow suit, keep the numbers with open cells, and win or duck as the bid asks for."""
        plays = self.game.legal_moves(state, seat)
        cells = state.empty & state.open[seat]
        if state.trick:
            row = ROW_MASKS[state.led]
            follow = state.legal & row
            if follow and (follow == state.legal or self.rng.random() > BREAK_SUIT):
                plays = PLAYS[state.led][follow >> 9 * state.led & 511]
            else:
                cells &= ~row
        wish = WISH if state.tricks_won[seat] < (state.bids[seat] or 4) else -WISH
        hand, random = state.hands[seat], self.rng.random
        strongest = state.strongest if state.trick else 0
        best, best_value = plays[0], -1000.0
        for play in plays:
            card = CARD[play]
            strength = STRENGTH[state.led if state.trick else play // 9][play]
            given_up = 1 if hand.count(card) > 1 else (cells & NUMBER_MASKS[card]).bit_count()
            value = wish * (strength - 15 if strength > strongest else -card) - given_up + random() / 2
            if value > best_value:
                best, best_value = play, value
        return best


def room(state: State, seat: int) -> int:
    """Open cells of the numbers in the hand, and a heavy charge for cards that will find none."""
    hand = state.hands[seat]
    cells = state.empty & state.open[seat]
    open_cells = {card: (cells & NUMBER_MASKS[card]).bit_count() for card in set(hand)}
    stranded = sum(max(0, hand.count(card) - count) for card, count in open_cells.items())
    return sum(open_cells.values()) - STRANDED * max(0, stranded - 1)


run(Sampler, name="sampler", games=["cat_in_the_box"])
