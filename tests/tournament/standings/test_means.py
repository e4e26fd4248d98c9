"""Means and their intervals, worked by hand."""

import math

import pytest

from referee.tournament.standings.means import Mean, mean_of, mean_of_means, mean_within
from referee.tournament.standings.student import t_quantile


def test_an_interval_is_t_times_the_standard_error() -> None:
    """0.2, 0.4, 0.9: mean 0.5, variance 0.13, standard error sqrt(0.13 / 3), t(2) = 4.3027."""
    mean = mean_of([0.2, 0.4, 0.9])
    half = 4.302652729749461 * math.sqrt(0.13 / 3)
    assert mean.mean == pytest.approx(0.5)
    assert mean.interval == pytest.approx((0.5 - half, 0.5 + half))


def test_one_unit_has_a_mean_but_no_interval_and_no_certainty() -> None:
    mean = mean_of([0.7])
    assert (mean.mean, mean.interval, mean.positive) == (0.7, None, None)


@pytest.mark.parametrize("n", [2, 8, 100])
def test_units_that_are_all_the_same_do_not_make_certain(n: int) -> None:
    """With all points won the lower bound is Clopper and Pearson's, 0.025 ** (1 / n)."""
    interval = mean_of([1.0] * n).interval
    assert interval is not None
    assert interval[0] == pytest.approx(0.025 ** (1 / n))


def test_equal_differences_reach_down_to_minus_1() -> None:
    interval = mean_of([1.0] * 8, lowest=-1).interval
    assert interval is not None
    assert interval[0] == pytest.approx(1 - 2 * (1 - 0.025 ** (1 / 8)))


def test_what_moves_a_whole_table_is_no_luck() -> None:
    """0.2, 0.4 and 0.7, 0.8, 0.9: squares 0.02 + 0.02 about the tables' means, 3 degrees left."""
    mean = mean_within([[0.2, 0.4], [0.7, 0.8, 0.9]])
    assert mean.mean == pytest.approx(0.6)
    assert mean.variance == pytest.approx(0.04 / 3 / 5)
    assert mean.dof == 3


def test_a_table_with_one_unit_makes_all_units_those_of_one_table() -> None:
    assert mean_within([[0.2, 0.4], [0.9]]) == mean_of([0.2, 0.4, 0.9])


def test_tables_of_which_each_came_out_the_same_do_not_make_certain() -> None:
    mean = mean_within([[0.0] * 4, [1.0] * 4])
    half = 0.5 * (1 - 0.025 ** (1 / 8))
    assert mean.interval == pytest.approx((0.5 - half, 0.5 + half))


def test_the_probability_of_a_positive_mean_is_that_of_t() -> None:
    """At the edge of the interval it is 97.5 %, at 0 it is a half."""
    assert Mean(t_quantile(0.975, 9), 1.0, 9).positive == pytest.approx(0.975)
    assert Mean(0.0, 1.0, 9).positive == pytest.approx(0.5)
    assert Mean(-t_quantile(0.975, 9), 1.0, 9).positive == pytest.approx(0.025)


def test_means_of_entries_add_up_by_welch_and_satterthwaite() -> None:
    """Half of each: variances 0.04 (3 degrees) and 0.01 (8) make (0.04 + 0.01) / 4."""
    mean = mean_of_means([Mean(0.6, 0.04, 3), Mean(0.2, 0.01, 8)])
    assert mean.mean == pytest.approx(0.4)
    assert mean.variance == pytest.approx(0.05 / 4)
    assert mean.dof == pytest.approx(0.05**2 / (0.04**2 / 3 + 0.01**2 / 8))


def test_an_entry_with_one_unit_leaves_the_whole_without_an_interval() -> None:
    assert mean_of_means([mean_of([0.5, 0.6]), mean_of([0.4])]).interval is None


def test_one_entry_is_its_own_mean() -> None:
    mean = mean_of([0.1, 0.5])
    assert mean_of_means([mean]) == mean
