"""Paired differences and the crosstable."""

import pytest

from referee.tournament.standings import Played
from referee.tournament.standings.pairs import crosstable, meetings_of, pairs_of
from referee.tournament.standings.points import Unit, units_by_entry
from tests.tournament.standings.simulated import game


def units(*games: tuple[int, str, list[int], list[int]]) -> list[Unit]:
    """Return the units of some games, each a deal, the bots by seat, ranks and who forfeited."""
    results = [
        Played(1, 1, game(bots, ranks, deal=deal, forfeited=forfeited))
        for deal, bots, ranks, forfeited in games
    ]
    return units_by_entry(results)[1]


TWO_DEALS = units(
    (1, "abc", [1, 2, 3], []),
    (1, "bca", [1, 2, 2], []),
    (2, "abc", [1, 3, 2], []),
)


def test_a_difference_is_the_mean_over_units_of_the_mean_over_rotations() -> None:
    """A less b: deal 1 has 0.5 and 0.25 - 1, deal 2 has 1: the mean of -0.125 and 1."""
    (pair,) = (
        pair for pair in pairs_of([meetings_of(TWO_DEALS)]) if {pair.bot, pair.versus} == {*"ab"}
    )
    assert (pair.bot, pair.versus) == ("a", "b")
    assert pair.difference == pytest.approx((-0.125 + 1) / 2)
    assert pair.games == 3
    assert pair.ahead == pytest.approx(2 / 3)


def test_a_tie_is_half_ahead() -> None:
    (pair,) = (
        pair for pair in pairs_of([meetings_of(TWO_DEALS)]) if {pair.bot, pair.versus} == {*"ac"}
    )
    assert pair.ahead == pytest.approx(2.5 / 3)


def test_the_better_one_is_named_first_and_the_clearest_pair_stands_first() -> None:
    pairs = pairs_of([meetings_of(TWO_DEALS)])
    assert all(pair.difference >= 0 for pair in pairs)
    assert [pair.difference for pair in pairs] == sorted(
        (pair.difference for pair in pairs), reverse=True
    )


def test_games_in_which_one_of_the_two_forfeited_are_left_out_of_that_pair_only() -> None:
    forfeits = units(
        (1, "abc", [1, 2, 3], []), (2, "abc", [1, 2, 3], [2]), (3, "abc", [1, 2, 3], [1, 2])
    )
    games = {(pair.bot, pair.versus): pair.games for pair in pairs_of([meetings_of(forfeits)])}
    assert games == {("a", "b"): 2, ("a", "c"): 1, ("b", "c"): 1}


def test_two_bots_with_nothing_but_forfeits_between_them_are_no_pair() -> None:
    assert pairs_of([meetings_of(units((1, "ab", [1, 2], [1])))]) == []


def test_one_unit_has_a_difference_but_no_interval_and_no_probability() -> None:
    (pair,) = pairs_of([meetings_of(units((1, "ab", [1, 2], [])))])
    assert (pair.difference, pair.interval, pair.better) == (1, None, None)


def test_over_entries_a_difference_is_the_mean_of_those_in_which_the_two_met() -> None:
    first = meetings_of(units((1, "ab", [1, 2], []), (2, "ab", [1, 2], [])))
    second = meetings_of(units((1, "ab", [1, 1], []), (2, "bc", [1, 2], [])))
    pairs = {(pair.bot, pair.versus): pair for pair in pairs_of([first, second])}
    assert pairs["a", "b"].difference == pytest.approx(0.5)
    assert pairs["a", "b"].games == 3
    assert pairs["b", "c"].difference == 1


def test_a_crosstable_has_both_sides_of_each_pair_and_nothing_on_the_diagonal() -> None:
    pairs = pairs_of([meetings_of(TWO_DEALS)])
    table = crosstable(["a", "b", "c", "d"], pairs)
    ahead = {
        (one, other): table.ahead[i][j]
        for i, one in enumerate(table.bots)
        for j, other in enumerate(table.bots)
    }
    assert ahead["a", "a"] is None
    assert ahead["a", "d"] is None
    assert ahead["a", "b"] == pytest.approx(2 / 3)
    assert ahead["b", "a"] == pytest.approx(1 / 3)
    assert ahead["c", "a"] == pytest.approx(0.5 / 3)
