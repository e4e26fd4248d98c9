"""The intervals hold what they promise: 95 % of them cover the truth.

A pool of units of each table is played by simulated bots (all rotations, a deal's luck shared by
them). A tournament draws its units from the pools, so the pools' own figure is exactly the truth.
"""

from collections import defaultdict
from collections.abc import Callable, Collection
from functools import cache
from itertools import combinations
from random import Random
from typing import NamedTuple

import pytest

from referee.tournament.standings.means import Interval, mean_of, mean_within
from referee.tournament.standings.pairs import meetings_of
from referee.tournament.standings.points import Unit
from referee.tournament.standings.ratings import ratings
from referee.tournament.standings.rows import seen_in
from tests.tournament.standings.simulated import played_units

NAMES = "abcdefghijkl"
POOL = 840
"""Units of all tables of a field together."""
TOURNAMENTS = 500
"""So many that a share is right to some 0.5 %, a quarter of what it may be off."""

Pools = list[dict[int, list[float]]]
"""For each bot, or each two, the values of the units of the tables at which it sat, by table."""

ONE_TABLE = [(seats, seats, units) for seats in (4, 6, 11) for units in (8, 20, 100)]
ALL_TABLES = [(5, 4, 2), (6, 4, 2), (6, 4, 10), (7, 6, 2), (8, 6, 4), (12, 11, 2)]
"""Bots, seats and the deals of every possible table: here a bot has 8 to 100 units."""


class Field(NamedTuple):
    """The units of every table, each bot's points in them, and each pair's differences."""

    units: list[list[Unit]]
    points: Pools
    differences: Pools


@cache
def field(bots: int, seats: int) -> Field:
    names = NAMES[:bots]
    strengths = {bot: 1.5 * i / seats for i, bot in enumerate(names)}
    rng = Random(bots)
    tables = list(combinations(names, seats))
    pools = [played_units(table, strengths, POOL // len(tables), rng) for table in tables]
    points: dict[str, dict[int, list[float]]] = defaultdict(dict)
    differences: dict[tuple[str, str], dict[int, list[float]]] = defaultdict(dict)
    for number, units in enumerate(pools):
        for bot, seen in seen_in(units).items():
            (points[bot][number],) = seen.points.values()
        for pair, meetings in meetings_of(units).items():
            differences[pair][number] = meetings.differences
    return Field(pools, list(points.values()), list(differences.values()))


def coverage(
    pools: Pools, deals: int, interval: Callable[[Collection[list[float]]], Interval]
) -> float:
    """Return the share of intervals, over many tournaments, that cover the pools' mean."""
    rng = Random(deals)
    tables = {number: len(pool) for each in pools for number, pool in each.items()}
    truths = [sum(map(sum, each.values())) / sum(map(len, each.values())) for each in pools]
    covered = 0
    for _ in range(TOURNAMENTS):
        drawn = {number: rng.choices(range(size), k=deals) for number, size in tables.items()}
        for each, truth in zip(pools, truths, strict=True):
            found = interval(
                [[pool[unit] for unit in drawn[number]] for number, pool in each.items()]
            )
            assert found is not None
            covered += found[0] <= truth <= found[1]
    return covered / TOURNAMENTS / len(pools)


@pytest.mark.parametrize(("bots", "seats", "deals"), ONE_TABLE + ALL_TABLES)
def test_95_percent_of_the_intervals_of_points_cover_the_truth(
    bots: int, seats: int, deals: int
) -> None:
    share = coverage(field(bots, seats).points, deals, lambda tables: mean_within(tables).interval)
    assert 0.93 <= share <= 0.97


@pytest.mark.parametrize(("bots", "seats", "deals"), ONE_TABLE + ALL_TABLES)
def test_95_percent_of_the_intervals_of_differences_cover_the_truth(
    bots: int, seats: int, deals: int
) -> None:
    """For the first few pairs; two at a table have the same opponents, so tables do not matter."""
    share = coverage(
        field(bots, seats).differences[:8],
        deals,
        lambda tables: mean_of([value for units in tables for value in units], -1).interval,
    )
    assert 0.93 <= share <= 0.97


def test_tables_taken_for_luck_would_promise_too_little() -> None:
    """Why the spread of points is taken within tables: 97 % and more would be covered."""
    share = coverage(
        field(6, 4).points,
        10,
        lambda tables: mean_of([value for units in tables for value in units]).interval,
    )
    assert share > 0.965


@pytest.mark.parametrize(
    ("bots", "seats", "deals"), [(4, 4, 8), (4, 4, 20), (4, 4, 100), (6, 6, 8), (6, 4, 2)]
)
def test_95_percent_of_the_intervals_of_ratings_cover_the_truth(
    bots: int, seats: int, deals: int
) -> None:
    """Over 400 tournaments; the truth is the rating by all units."""
    rng = Random(deals)
    tables = field(bots, seats).units
    truth = ratings([unit for units in tables for unit in units])
    covered = []
    for _ in range(400):
        found = ratings([unit for units in tables for unit in rng.choices(units, k=deals)])
        for bot, (_, interval) in found.items():
            if interval is not None:
                covered.append(interval[0] <= truth[bot].rating <= interval[1])
    assert len(covered) > 390 * bots
    assert 0.93 <= sum(covered) / len(covered) <= 0.97


def test_games_taken_for_units_would_promise_too_much_or_too_little() -> None:
    """Why the unit is the (table, deal): rotations taken for independent miss the 95 %."""
    (units,) = field(4, 4).units
    games = [
        [[played.points[played.game.bots.index(bot)] for played in unit] for unit in units]
        for bot in NAMES[:4]
    ]
    rng = Random(1)
    covered = 0
    for _ in range(TOURNAMENTS):
        drawn = rng.choices(range(POOL), k=20)
        for each in games:
            interval = mean_of([value for unit in drawn for value in each[unit]]).interval
            assert interval is not None
            covered += interval[0] <= sum(map(sum, each)) / POOL / 4 <= interval[1]
    assert not 0.93 <= covered / TOURNAMENTS / 4 <= 0.97
