"""What a seat knows, and which hidden cards could lie behind it (CITB 9).

`observe` is the only place where hidden cards are taken out.

`determinize` draws the hidden cards uniformly among those that fit what the seat has seen. Besides the cards
seen, two facts narrow them: a seat that led red before red was broken had no other play with any card in its
hand, and a seat that is to play has a legal play, else the round would be over.
"""

from collections import Counter
from functools import partial
from random import Random

from arena.games.cat_in_the_box.board import ResearchBoard
from arena.games.cat_in_the_box.deal import redeal_round
from arena.games.cat_in_the_box.moves import (
    NUMBER_MASKS,
    OPEN_COLORS,
    ROW_MASKS,
    STRENGTH,
    blocked_cells,
    decode_move,
    hand_mask,
)
from arena.games.cat_in_the_box.state import State, legal_lead
from arena.games.cat_in_the_box.table import COPIES, TABLES
from protocol.cat_in_the_box import COLORS, EMPTY, Observation, Play, TrickPlay

__all__ = ["determinize", "observe", "seats_to_move"]


def observe(board: ResearchBoard, state: State, seat: int) -> Observation:
    """What the seat may know. Lists that still grow are copied, the rest is shared. Rule: CITB 9.1."""
    return Observation(
        phase=state.phase,
        seat=seat,
        seats=len(state.hands),
        round=state.round,
        start_seat=state.start_seat,
        hand=state.hands[seat].copy(),
        discard=state.discards[seat],
        layout=board.layout,
        board=board.rows(state.board),
        open_colors=[OPEN_COLORS[rows] for rows in state.open],
        bids=state.bids.copy(),
        tricks_won=state.tricks_won.copy(),
        trick=state.trick.copy(),
        tricks=state.tricks.copy(),
        revealed=state.revealed,
        rounds=state.rounds.copy(),
    )


def determinize(board: ResearchBoard, observation: Observation, rng: Random) -> State:
    """A random state that gives `observation` to its seat. The cards of later rounds are dealt anew."""
    state = _known_state(board, observation)
    unseen = _unseen_cards(observation)
    sizes = _hand_sizes(observation)
    forced = _forced_red_lead(board, observation)
    table = TABLES[observation.seats]
    # Most searches stop at the round's end, so the rounds after it are dealt only when they begin.
    state.deal_of_round = partial(redeal_round, table, observation.seats, rng.getrandbits(64))
    while True:
        _draw_hidden(state, observation, unseen.copy(), sizes, forced, rng)
        state.held = [hand_mask(hand) for hand in state.hands]
        if state.phase != "play" or not state.to_move:
            return state
        state.legal = _legal_plays(board, state, state.to_move[0])
        if state.legal:
            return state


def _all_plays(observation: Observation) -> list[TrickPlay]:
    return [play for trick in observation.tricks for play in trick.plays] + observation.trick


def _unseen_cards(observation: Observation) -> list[int]:
    """Cards of this round that the seat has not seen."""
    seen = Counter(observation.hand + observation.revealed)
    seen.update(play.card for play in _all_plays(observation))
    if observation.discard is not None:
        seen[observation.discard] += 1
    numbers = TABLES[observation.seats].numbers
    return [card for card in range(1, numbers + 1) for _ in range(COPIES - seen[card])]


def _hand_sizes(observation: Observation) -> list[int]:
    dealt = TABLES[observation.seats].dealt
    sizes = [dealt if observation.phase == "discard" else dealt - 1] * observation.seats
    for play in _all_plays(observation):
        sizes[play.seat] -= 1
    return sizes


def _forced_red_lead(board: ResearchBoard, observation: Observation) -> tuple[int, set[int]] | None:
    """The seat that led red before it was broken, and the numbers its hand did not hold then, if one did so.

    Rule: CITB 4.3.
    """
    empty = board.cells & ~blocked_cells(observation.revealed)
    open_rows = [board.cells] * observation.seats
    for plays in [trick.plays for trick in observation.tricks] + [observation.trick]:
        led = ROW_MASKS[COLORS.index(plays[0].color)] if plays else 0
        if led == ROW_MASKS[0]:
            playable = empty & open_rows[plays[0].seat] & ~led
            return plays[0].seat, {card for card in range(1, 10) if NUMBER_MASKS[card] & playable}
        for play in plays:
            if play.color == COLORS[0]:
                return None
            cell = 1 << decode_move(Play(play.card, play.color))
            empty &= ~cell
            if not cell & led:
                open_rows[play.seat] &= ~led
    return None


def _known_state(board: ResearchBoard, observation: Observation) -> State:
    """The state without other seats' cards: their hands are empty, and nothing is legal yet."""
    state = State.__new__(State)
    state.phase = observation.phase
    state.round = observation.round
    state.start_seat = observation.start_seat
    state.board = board.flat(observation.board)
    state.empty = sum(
        1 << cell
        for cell, position in enumerate(board.position)
        if position >= 0 and state.board[position] == EMPTY
    )
    state.open = [
        sum(ROW_MASKS[COLORS.index(color)] for color in colors) for colors in observation.open_colors
    ]
    state.bids = observation.bids.copy()
    state.tricks_won = observation.tricks_won.copy()
    state.trick = observation.trick.copy()
    state.tricks = observation.tricks.copy()
    state.rounds = observation.rounds.copy()
    state.revealed = observation.revealed
    state.to_move = seats_to_move(observation)
    state.legal = 0
    state.led = state.strongest = state.winner = 0
    if state.trick:
        state.led = COLORS.index(state.trick[0].color)
        strengths = STRENGTH[state.led]
        state.strongest, state.winner = max(
            (strengths[decode_move(Play(play.card, play.color))], play.seat) for play in state.trick
        )
    return state


def seats_to_move(observation: Observation) -> tuple[int, ...]:
    """The seats that decide now, as far as the seat knows: other seats' discards count as not yet made."""
    seats = range(observation.seats)
    if len(observation.rounds) == observation.seats:
        return ()
    if observation.phase == "discard":
        return tuple(seat for seat in seats if seat != observation.seat or observation.discard is None)
    if observation.phase == "bid":
        made = sum(bid is not None for bid in observation.bids)
        return ((observation.start_seat + made) % observation.seats,)
    if observation.trick:
        return ((observation.trick[-1].seat + 1) % observation.seats,)
    return (observation.tricks[-1].winner if observation.tricks else observation.start_seat,)


def _draw_hidden(
    state: State,
    observation: Observation,
    unseen: list[int],
    sizes: list[int],
    forced: tuple[int, set[int]] | None,
    rng: Random,
) -> None:
    """Draw hands and discards of the other seats from `unseen`, which is used up."""
    own, seats = observation.seat, observation.seats
    hands: dict[int, list[int]] = {own: observation.hand.copy()}
    if forced and forced[0] != own:
        leader, lacking = forced
        hands[leader] = sorted(rng.sample([card for card in unseen if card not in lacking], sizes[leader]))
        for card in hands[leader]:
            unseen.remove(card)
    rng.shuffle(unseen)
    for seat in range(seats):
        if seat not in hands:
            hands[seat] = sorted(unseen.pop() for _ in range(sizes[seat]))
    state.hands = [hands[seat] for seat in range(seats)]
    discarded = observation.phase != "discard"
    state.discards = [
        observation.discard if seat == own else unseen.pop() if discarded else None for seat in range(seats)
    ]


def _legal_plays(board: ResearchBoard, state: State, seat: int) -> int:
    if state.trick:
        return state.empty & state.open[seat] & state.held[seat]
    return legal_lead(state, seat, board.cells)
