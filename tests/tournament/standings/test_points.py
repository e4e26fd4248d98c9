"""Points of a game, and the units that games are put into."""

from collections.abc import Sequence
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.game import ranks as rank
from referee.tournament.standings import Played
from referee.tournament.standings.points import points, units_by_entry
from tests.tournament.standings.simulated import game, played_deal

BOTS = ("a", "b", "c", "d", "e", "f")


@pytest.mark.parametrize(
    ("ranks", "forfeited", "won"),
    [
        ([1, 2, 3, 4], [], [1, 2 / 3, 1 / 3, 0]),
        ([1, 2], [], [1, 0]),
        ([1, 2, 2, 4], [], [1, 0.5, 0.5, 0]),
        ([1, 1, 1, 1], [], [0.5, 0.5, 0.5, 0.5]),
        ([1, 3, 1, 3], [], [5 / 6, 1 / 6, 5 / 6, 1 / 6]),
        ([1, 2, 3, 4], [3], [1, 0.5, 0, 0]),
        ([2, 1, 4, 3], [2, 3], [0, 1, 0, 0]),
        ([1, 2, 3, 4], [1, 2, 3], [1, 0, 0, 0]),
        ([1, 2, 2, 2], [0, 1, 2, 3], [0, 0, 0, 0]),
    ],
)
def test_points_are_even_steps_from_1_to_0_among_those_who_stayed(
    ranks: list[int], forfeited: list[int], won: list[float]
) -> None:
    assert points(game(BOTS[: len(ranks)], ranks, forfeited=forfeited)) == pytest.approx(won)


@given(st.lists(st.integers(0, 3), min_size=2, max_size=6), st.data())
def test_nobody_gains_by_the_forfeit_of_one_who_is_last(
    scores: list[int], data: st.DataObject
) -> None:
    """A forfeiter is ranked below all others: had it played on and come last, it were the same."""
    loser = data.draw(st.integers(0, len(scores) - 1))
    scores[loser] = -1
    bots = BOTS[: len(scores)]
    stayed = points(game(bots, rank(scores)))
    forfeited = points(game(bots, rank(scores), forfeited=[loser]))
    assert forfeited[loser] == 0
    for before, after in zip(stayed, forfeited, strict=True):
        assert after <= before


@given(st.lists(st.integers(0, 3), min_size=2, max_size=6))
def test_the_points_of_a_game_without_forfeits_are_half_a_point_a_seat(scores: list[int]) -> None:
    assert sum(points(game(BOTS[: len(scores)], rank(scores)))) == pytest.approx(len(scores) / 2)


def test_a_unit_has_all_rotations_of_a_deal_at_a_table() -> None:
    rng = Random(1)
    strengths = dict.fromkeys(BOTS, 0.0)
    results = [
        Played(entry, table, each)
        for entry in (1, 2)
        for table in (1, 2)
        for deal in (1, 2, 3)
        for each in played_deal(BOTS[:3], strengths, deal, rng)
    ]
    rng.shuffle(results)
    units = units_by_entry(results)
    assert list(units) == [1, 2]
    assert [len(unit) for unit in units[1]] == [3] * 6
    assert [{each.game.deal for each in unit} for unit in units[2]] == [{1}, {2}, {3}] * 2


def _encoded(results: Sequence[Played]) -> bytes:
    units = units_by_entry(results)
    return msgspec.json.encode([(entry, unit) for entry, each in units.items() for unit in each])


@given(st.permutations(range(12)))
def test_units_come_in_one_order_whatever_the_order_of_the_results(order: list[int]) -> None:
    rng = Random(2)
    results = [
        Played(entry, 1, each)
        for entry in (1, 2)
        for deal in (1, 2)
        for each in played_deal(BOTS[:3], dict.fromkeys(BOTS, 0.0), deal, rng)
    ]
    assert _encoded([results[i] for i in order]) == _encoded(results)
