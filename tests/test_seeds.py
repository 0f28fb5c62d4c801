"""Seeds: everything random from the spec's seed."""

from collections.abc import Callable

import pytest

from tournaments.seeds import bot_seed, deal_rng, referee_rng


def test_known_values_do_not_change() -> None:
    assert deal_rng("quickstart", 0).getrandbits(64) == 7798025549820381458
    assert deal_rng("quickstart", 7).getrandbits(64) == 4213666843998997615
    assert referee_rng("quickstart", "0/0/a+b+c").getrandbits(64) == 12495920924718485377
    assert bot_seed("quickstart", "0/0/a+b+c", 0) == 6163868997952140
    assert bot_seed("quickstart", "0/0/a+b+c", 2) == 1498520865339676


def test_everything_that_a_number_is_for_changes_it() -> None:
    numbers = [deal_rng(seed, deal).getrandbits(256) for seed in ("", "a", "a\0", "b") for deal in range(5)]
    numbers += [referee_rng(seed, key).getrandbits(256) for seed in ("a", "b") for key in ("0", "0/0/a+b")]
    numbers += [
        bot_seed(seed, key, seat) for seed in ("a", "b") for key in ("0", "0/0/a+b") for seat in range(5)
    ]
    assert len(set(numbers)) == len(numbers)


def test_bot_seeds_fit_a_double_exactly() -> None:
    seeds = [bot_seed("x", f"{deal}/0/a+b", seat) for deal in range(200) for seat in range(2)]
    assert all(0 <= seed < 2**53 for seed in seeds)
    assert max(seeds) > 2**52


@pytest.mark.parametrize("draw", [lambda: deal_rng("s", 3).random(), lambda: referee_rng("s", "k").random()])
def test_a_generator_starts_anew_each_time(draw: Callable[[], float]) -> None:
    assert draw() == draw()
