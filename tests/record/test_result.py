"""How long answers took: counted in buckets, merged, and asked for quantiles."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.record.result import Times

SOME_MS = st.lists(st.floats(0, 1e7), min_size=1)


def times(*some_ms: float) -> Times:
    return Times.of(some_ms)


def test_no_answers_took_no_time() -> None:
    assert Times().quantile_ms(0.99) == 0.0


def test_two_seats_times_are_not_mixed_up() -> None:
    one, other = times(5), Times()
    assert (one.decisions, other.decisions, other.buckets) == (1, 0, {})


@given(SOME_MS, st.sampled_from([0.01, 0.5, 0.9, 0.99, 1.0]))
def test_a_quantile_is_right_to_a_tenth(some_ms: list[float], share: float) -> None:
    found = times(*some_ms).quantile_ms(share)
    within = sum(ms <= found + 1e-9 for ms in some_ms)
    assert within >= share * len(some_ms) - 1e-9
    below = found / Times.GROWTH - 1e-9
    shorter = sum(max(ms, Times.SMALLEST_MS) < below for ms in some_ms)
    assert shorter < share * len(some_ms) + 1e-9


@given(SOME_MS, SOME_MS)
def test_merged_times_are_those_of_all_answers(some_ms: list[float], more_ms: list[float]) -> None:
    merged = times(*some_ms)
    merged.merge(times(*more_ms))
    together = times(*some_ms, *more_ms)
    assert merged.buckets == together.buckets
    assert (merged.decisions, merged.max_ms) == (together.decisions, together.max_ms)
    assert merged.total_ms == pytest.approx(together.total_ms)


def test_the_longest_time_is_exact() -> None:
    assert times(1, 123.4, 2).max_ms == 123.4
    assert times(1, 123.4, 2).quantile_ms(1) == 123.4
