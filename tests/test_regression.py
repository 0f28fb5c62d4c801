"""The judgement of a regression test, from made-up games."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.regression import (
    BASELINE,
    CANDIDATE,
    SAME_GAMES,
    BlockFault,
    BlockGame,
    Regression,
    block_fixtures,
)
from tournaments.sprt import FIRST_LOOK, PRESETS, Design, Sprt

DESIGNS = [Design(seats, field) for seats in (2, 3, 4, 5) for field in (False, True)]


def field_of(design: Design) -> list[str]:
    return [f"other{place}" for place in range(design.seats - 1)] if design.field else []


def play(
    design: Design,
    block: int,
    rng: Random | None = None,
    faults: Sequence[tuple[int, str, str]] = (),
) -> list[BlockGame]:
    """A block. rng: for random ranks and moves, else all games are the same.

    faults: (place of the game in the block, bot, reason).
    """
    games = []
    for index, fixture in enumerate(block_fixtures(design, field_of(design), block)):
        seats = list(range(1, design.seats + 1))
        if rng is not None:
            rng.shuffle(seats)
        ranks = tuple(seats)
        mine = tuple(
            BlockFault(fixture.key, fixture.position, fixture.seats.index(bot), bot, reason, "")
            for place, bot, reason in faults
            if place == index
        )
        transcript = b"same" if rng is None else rng.randbytes(8)
        games.append(BlockGame(block, fixture.position, ranks, mine, transcript, (7,) * design.seats))
    return games


def judged(regression: Regression, games: Sequence[BlockGame]) -> Regression:
    for game in games:
        regression.add(game)
    return regression


@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_a_block_has_candidate_and_baseline_once_in_every_seat_against_the_same_others(
    design: Design,
) -> None:
    fixtures = block_fixtures(design, field_of(design), 7)
    assert [fixture.position for fixture in fixtures] == [7 * design.games + i for i in range(design.games)]
    assert len({fixture.key for fixture in fixtures}) == design.games
    assert {(fixture.deal_number, fixture.luck) for fixture in fixtures} == {(7, "7")}
    seats_of_the_candidate = [f.seats.index(CANDIDATE) for f in fixtures if CANDIDATE in f.seats]
    assert seats_of_the_candidate == list(range(design.seats))
    if not design.field:
        assert {f.seats.count(BASELINE) for f in fixtures} == {design.seats - 1}
        return
    for first, second in zip(fixtures[::2], fixtures[1::2], strict=True):
        swapped = tuple(BASELINE if bot == CANDIDATE else bot for bot in first.seats)
        assert second.seats == swapped
        assert sorted(second.seats) == sorted([BASELINE, *field_of(design)])


def test_the_others_keep_their_order_around_the_table() -> None:
    fixtures = block_fixtures(Design(3, field=True), ["x", "y"], 0)
    assert [fixture.seats for fixture in fixtures[::2]] == [
        (CANDIDATE, "x", "y"),
        ("y", CANDIDATE, "x"),
        ("x", "y", CANDIDATE),
    ]


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(DESIGNS), st.integers(0, 10**6), st.randoms(use_true_random=False), st.booleans())
def test_the_verdict_does_not_depend_on_the_order_in_which_games_end(
    design: Design, seed: int, order: Random, faulty: bool
) -> None:
    rng = Random(seed)
    faults = [(0, CANDIDATE, "crash")] if faulty else []
    games = [game for block in range(50) for game in play(design, block, rng, faults if block == 40 else ())]
    shuffled = games.copy()
    order.shuffle(shuffled)
    one, other = (judged(Regression(Sprt(-300, 0), design, 50), sequence) for sequence in (games, shuffled))
    assert (one.verdict, one.cause, one.games, one.state) == (
        other.verdict,
        other.cause,
        other.games,
        other.state,
    )
    assert (one.faults, one.new_faults) == (other.faults, other.new_faults)


def test_a_block_with_a_missing_game_holds_back_all_later_ones() -> None:
    design = Design(2)
    regression = Regression(PRESETS["regression"], design, 100)
    late, *rest = [game for block in range(5) for game in play(design, block, Random(block))]
    assert judged(regression, rest).games == 0
    assert judged(regression, [late]).games == 10


def test_games_beyond_the_deciding_block_are_not_judged() -> None:
    design = Design(2)
    games = [
        game
        for block in range(5)
        for game in play(design, block, Random(block), [(0, CANDIDATE, "crash")] if block > 0 else [])
    ]
    regression = judged(Regression(PRESETS["regression"], design, 100), games)
    assert (regression.verdict, regression.cause, regression.games) == ("failed", "faults", 4)
    assert [fault.position for fault in regression.new_faults] == [2]


@pytest.mark.parametrize("design", DESIGNS, ids=str)
@pytest.mark.parametrize(
    ("test", "verdict"), [("regression", "passed"), ("smoke", "passed"), ("gain", "failed")]
)
def test_the_same_moves_in_600_games_are_no_change_and_no_gain(
    design: Design, test: str, verdict: str
) -> None:
    regression = Regression(PRESETS[test], design, 10_000)
    block = 0
    while not regression.is_over:
        judged(regression, play(design, block))
        block += 1
    assert (regression.verdict, regression.cause) == (verdict, "same_moves")
    assert SAME_GAMES <= block * design.seats < SAME_GAMES + design.seats
    assert regression.same_decisions == 7 * block * design.seats


@pytest.mark.parametrize(("blocks", "cause"), [(FIRST_LOOK - 1, None), (FIRST_LOOK, "same_moves")])
def test_a_short_test_with_the_same_moves_passes_from_32_blocks_on(blocks: int, cause: str | None) -> None:
    regression = Regression(PRESETS["regression"], Design(2), blocks)
    for block in range(blocks):
        judged(regression, play(Design(2), block))
    assert regression.is_over
    assert regression.cause == cause
    assert regression.verdict == ("passed" if cause else "inconclusive")


def test_one_different_move_anywhere_ends_the_claim_that_nothing_has_changed() -> None:
    design = Design(3)
    regression = Regression(PRESETS["regression"], design, 500)
    for block in range(500):
        judged(regression, play(design, block, Random(1) if block == 20 else None))
    assert regression.same_decisions is None
    assert regression.cause != "same_moves"


def test_in_a_field_only_games_with_the_same_others_are_compared() -> None:
    design = Design(3, field=True)
    games = [
        BlockGame(0, game.position, game.ranks, (), str(game.position // 2).encode(), game.decisions)
        for game in play(design, 0)
    ]
    assert judged(Regression(PRESETS["regression"], design, 100), games).same_decisions == 3 * 7


NEW_FAULTS = {
    "a crash": ([(0, CANDIDATE, "crash")], True),
    "a crash of the baseline": ([(0, BASELINE, "crash")], False),
    "a crash of both": ([(0, BASELINE, "crash"), (1, CANDIDATE, "crash")], False),
    "another kind than the baseline's": ([(0, BASELINE, "crash"), (1, CANDIDATE, "timeout")], True),
    "more than the baseline": (
        [(0, BASELINE, "crash"), (0, CANDIDATE, "crash"), (1, CANDIDATE, "crash")],
        True,
    ),
    "a crash of another bot": ([(0, "other0", "crash")], False),
}


@pytest.mark.parametrize("case", NEW_FAULTS)
def test_the_candidate_fails_with_more_faults_of_a_kind_than_the_baseline(case: str) -> None:
    faults, fails = NEW_FAULTS[case]
    design = Design(2, field=any(bot == "other0" for _, bot, _ in faults))
    regression = judged(Regression(PRESETS["smoke"], design, 100), play(design, 0, Random(0), faults))
    assert (regression.cause == "faults") == fails
    assert regression.verdict == ("failed" if fails else "inconclusive")
    assert bool(regression.new_faults) == fails


def test_an_old_fault_of_the_baseline_excuses_one_of_the_candidate() -> None:
    design = Design(2)
    regression = Regression(PRESETS["smoke"], design, 100)
    judged(regression, play(design, 0, Random(0), [(0, BASELINE, "timeout")]))
    judged(regression, play(design, 1, Random(1), [(0, CANDIDATE, "timeout")]))
    assert not regression.is_over
    judged(regression, play(design, 2, Random(2), [(1, CANDIDATE, "timeout")]))
    assert regression.cause == "faults"
    assert [fault.key for fault in regression.new_faults] == ["2/1/candidate"]


def lopsided(design: Design, block: int, candidate_rank: int) -> list[BlockGame]:
    """The candidate ends every game in one place, the others share the rest; moves differ."""
    games = []
    for game in play(design, block, Random(block)):
        seat = game.position % design.games
        rest = [rank for rank in range(1, design.seats + 1) if rank != candidate_rank]
        ranks = (*rest[:seat], candidate_rank, *rest[seat:])
        games.append(BlockGame(block, game.position, ranks, (), game.transcript, game.decisions))
    return games


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("test", PRESETS)
def test_a_candidate_that_always_wins_passes_and_one_that_always_loses_fails(seats: int, test: str) -> None:
    for rank, verdict in ((1, "passed"), (seats, "failed")):
        regression = Regression(PRESETS[test], Design(seats), 1000)
        for block in range(FIRST_LOOK):
            assert not regression.is_over
            judged(regression, lopsided(Design(seats), block, rank))
        assert (regression.verdict, regression.cause) == (verdict, "strength")


def test_a_slight_lead_without_variance_takes_more_blocks_to_be_certain() -> None:
    regression = Regression(PRESETS["gain"], Design(4), 1000)
    blocks = 0
    while not regression.is_over:
        second_of_four, third = lopsided(Design(4), blocks, 2), lopsided(Design(4), blocks, 3)
        judged(regression, [*second_of_four[:3], third[3]])
        blocks += 1
    assert regression.verdict == "passed"
    mean = (3 * 2 / 3 + 1 / 3) / 4
    assert (0.5 / mean) ** blocks <= 0.05 < (0.5 / mean) ** (blocks - 1) or blocks == FIRST_LOOK
