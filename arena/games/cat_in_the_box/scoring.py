"""Points of a round and the standing of the seats (CITB 6 and 7)."""

from collections.abc import Sequence

from arena.games.cat_in_the_box.board import ResearchBoard
from protocol.cat_in_the_box import RoundScore

__all__ = ["MOST_TRICKS_FOR_BONUS", "largest_group", "ranks", "score_round", "totals"]

MOST_TRICKS_FOR_BONUS = 4
"""With two players, in place of a bid. Rule: CITB 6.4."""


def largest_group(board: ResearchBoard, placed: Sequence[int], seat: int) -> int:
    """Size of the seat's largest orthogonally connected group of tokens, 0 without a token.

    placed: by position, whose token lies there. Rule: CITB 6.3.
    """
    tokens = sum([1 << position for position, owner in enumerate(placed) if owner == seat])
    largest = 0
    while tokens:
        group, grown = 0, tokens & -tokens
        while group != grown:
            group = grown
            grown |= (group << 1 | group >> 1 | group << board.stride | group >> board.stride) & tokens
        tokens ^= group
        largest = max(largest, group.bit_count())
    return largest


def score_round(
    board: ResearchBoard,
    placed: Sequence[int],
    start_seat: int,
    bids: Sequence[int | None],
    tricks_won: Sequence[int],
    paradox: int | None,
) -> RoundScore:
    """The points of a finished round. Rule: CITB 6."""

    def bonus(seat: int) -> int:
        bid, won = bids[seat], tricks_won[seat]
        met = won <= MOST_TRICKS_FOR_BONUS if bid is None else won == bid
        return largest_group(board, placed, seat) if met and seat != paradox else 0

    bonuses = [bonus(seat) for seat in range(len(tricks_won))]
    scores = [-won if seat == paradox else won + bonuses[seat] for seat, won in enumerate(tricks_won)]
    return RoundScore(start_seat, scores, list(tricks_won), list(bids), bonuses, paradox)


def totals(rounds: Sequence[RoundScore], seats: int) -> list[int]:
    """Points of all rounds so far, by seat."""
    return [sum(scored.scores[seat] for scored in rounds) for seat in range(seats)]


def ranks(rounds: Sequence[RoundScore], seats: int) -> list[int]:
    """Standing by total, then by the last round's score; equal seats share a rank. Rule: CITB 7."""
    last = rounds[-1].scores if rounds else [0] * seats
    standing = list(zip(totals(rounds, seats), last, strict=True))
    return [1 + sum(other > own for other in standing) for own in standing]
