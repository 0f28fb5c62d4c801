"""Time as it is charged to bots."""

import pytest

from arena.clock import MAX_STEP_S, Allowance, SteadyClock


class FakeTime:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def test_time_passes_as_on_the_wall_while_the_clock_is_read_often() -> None:
    time = FakeTime()
    clock = SteadyClock(time)
    began_s = clock.now_s()
    for _ in range(100):
        time.now_s += 0.05
        clock.now_s()
    assert clock.now_s() - began_s == pytest.approx(5.0)


def test_a_pause_of_the_arena_counts_for_no_more_than_one_step() -> None:
    time = FakeTime()
    clock = SteadyClock(time)
    began_s = clock.now_s()
    time.now_s += 3600
    assert clock.now_s() - began_s == pytest.approx(MAX_STEP_S)
    time.now_s += 0.01
    assert clock.now_s() - began_s == pytest.approx(MAX_STEP_S + 0.01)


def test_a_decision_within_move_ms_leaves_the_bank_alone() -> None:
    allowance = Allowance(move_ms=100, bank_ms=50)
    allowance.charge(100)
    assert allowance.limit_ms() == 150


def test_a_longer_decision_spends_the_bank() -> None:
    allowance = Allowance(move_ms=100, bank_ms=50)
    allowance.charge(130)
    assert allowance.limit_ms() == 120
    allowance.charge(120)
    assert allowance.limit_ms() == 100
