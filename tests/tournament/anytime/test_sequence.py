"""The confidence sequence: right at every moment at once, and as narrow as it says."""

import math
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.tournament.anytime.sequence import SHARES, Bettor, Sequence

ALPHA = 0.05
RUNS = 1000
VALUES = st.lists(st.integers(-24, 24).map(lambda k: k / 24), min_size=1, max_size=40)

Draw = Callable[[Random], float]


def rounded(mean: float, spread: float) -> Draw:
    """Return values as a deal's are: parts of 24, about normal."""
    return lambda rng: max(-1, min(1, round(24 * rng.gauss(mean, spread)) / 24))


def rare_and_large(rng: Random) -> float:
    """Return mostly a little loss, now and then all: the mean is 0."""
    return 1.0 if rng.random() < 0.1 else -1 / 9


def test_the_capital_after_one_value_is_the_mean_of_what_the_shares_make() -> None:
    """At mean 0 the factor is 1 + s x; at mean 0.5 it is 1 + s (x - 0.5) / 1.5."""
    for mean, value in ((0.0, 0.5), (0.5, -1.0)):
        bettor = Bettor(mean)
        bettor.add(value)
        factors = [1 + share * (value - mean) / (1 + mean) for share in SHARES]
        assert bettor.log_capital == pytest.approx(math.log(sum(factors) / len(factors)))


def test_before_the_first_value_the_capital_is_1_and_the_interval_is_everything() -> None:
    assert Bettor(0).log_capital == 0
    assert Sequence(ALPHA).bounds == (-1, 1)


@given(VALUES, st.integers(-20, 20).map(lambda k: k / 24))
def test_a_value_several_times_is_the_same_as_one_after_another(
    values: list[float], mean: float
) -> None:
    one_by_one, at_once = Bettor(mean), Bettor(mean)
    for value in values:
        one_by_one.add(value)
    for value in set(values):
        at_once.add(value, values.count(value))
    assert at_once.log_capital == pytest.approx(one_by_one.log_capital, abs=1e-9)


@given(VALUES)
def test_the_interval_has_the_mean_in_it_and_the_target_at_its_bounds(values: list[float]) -> None:
    sequence = Sequence(ALPHA)
    for value in values:
        sequence.add(value)
    low, high = sequence.bounds
    assert low <= sequence.mean <= high
    for bound, sign in ((low, 1), (high, -1)):
        if -1 < bound < 1:
            bettor = Bettor(sign * bound + 1e-6)
            for value in values:
                bettor.add(sign * value)
            assert bettor.log_capital <= math.log(2 / ALPHA)


@given(VALUES)
def test_the_interval_of_the_values_with_their_signs_changed_is_the_mirror_image(
    values: list[float],
) -> None:
    one, other = Sequence(ALPHA), Sequence(ALPHA)
    for value in values:
        one.add(value)
        other.add(-value)
    assert other.bounds == pytest.approx((-one.bounds[1], -one.bounds[0]), abs=1e-5)


@given(VALUES)
def test_the_interval_does_not_depend_on_the_order_of_the_values(values: list[float]) -> None:
    one, other = Sequence(ALPHA), Sequence(ALPHA)
    for value in values:
        one.add(value)
    for value in sorted(values):
        other.add(value)
    assert one.bounds == pytest.approx(other.bounds, abs=1e-5)


@pytest.mark.parametrize("value", [-1.01, 1.01, math.nan, math.inf])
def test_a_value_out_of_range_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="from -1 to 1"):
        Sequence(ALPHA).add(value)


@pytest.mark.parametrize(
    ("draw", "mean"),
    [
        (rounded(0, 0.25), 0),
        (rounded(0, 0.1), 0),
        (rare_and_large, 0),
        (lambda rng: rng.choice((-1.0, 1.0)), 0),
        (lambda rng: float(rng.random() < 0.8), 0.8),
    ],
)
def test_the_truth_is_ever_left_out_in_no_more_than_alpha_of_the_runs(
    draw: Draw, mean: float
) -> None:
    """Looked at after each of 200 values, in 1,000 runs.

    A bound has passed the truth when the bettor at the truth has grown 2 / alpha-fold.
    """
    rng = Random(1)
    wrong = 0
    for _ in range(RUNS):
        above, below = Bettor(mean), Bettor(-mean)
        for _ in range(200):
            value = draw(rng)
            above.add(value)
            below.add(-value)
            if max(above.log_capital, below.log_capital) >= math.log(2 / ALPHA):
                wrong += 1
                break
    assert wrong <= ALPHA * RUNS


def test_values_whose_means_differ_are_covered_as_to_their_average() -> None:
    """Tables of different opponents, half of them at 0.3 and half at -0.3, in turn."""
    rng = Random(2)
    draws = rounded(-0.3, 0.15), rounded(0.3, 0.15)
    wrong = 0
    for _ in range(RUNS):
        above = Bettor(0)
        for i in range(200):
            above.add(draws[i % 2](rng))
            if i % 2 and above.log_capital >= math.log(1 / ALPHA):
                wrong += 1
                break
    assert wrong <= ALPHA * RUNS


@pytest.mark.parametrize(
    ("spread", "values", "width"), [(0.25, 100, 0.171), (0.25, 1000, 0.052), (0.1, 100, 0.117)]
)
def test_the_interval_narrows(spread: float, values: int, width: float) -> None:
    """Mean widths of ten runs; a t interval, good for one look only, has 0.10, 0.03 and 0.04."""
    widths = []
    for seed in range(10):
        rng = Random(seed)
        sequence = Sequence(ALPHA)
        draw = rounded(0.05, spread)
        for _ in range(values):
            sequence.add(draw(rng))
        low, high = sequence.bounds
        widths.append(high - low)
    assert sum(widths) / 10 == pytest.approx(width, rel=0.02)
