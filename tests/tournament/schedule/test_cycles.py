"""Cycles in which all bots meet equally often."""

from collections import Counter
from itertools import combinations

import pytest

from referee.tournament.schedule.cycles import cycle, cycle_length, opening_round

FOUND = [
    *((bots, 2) for bots in range(3, 41)),
    *((bots, 3) for bots in (4, 7, 9, 12, 13, 15, 16, 18, 19, 21, 24)),
    *((bots, 4) for bots in (5, 7, 8, 12, 13, 16, 17, 20, 21, 24)),
    *((bots, 6) for bots in (7, 11, 12, 13, 16, 19)),
    *((seats + 1, seats) for seats in range(2, 12)),
]


@pytest.mark.parametrize(("bots", "seats"), FOUND)
def test_in_a_cycle_all_play_and_all_meet_equally_often(bots: int, seats: int) -> None:
    rounds = list(cycle(bots, seats))
    assert len(rounds) == cycle_length(bots, seats)
    played: Counter[int] = Counter()
    met: Counter[tuple[int, int]] = Counter()
    for tables in rounds:
        sitting = [bot for table in tables for bot in table]
        assert len(sitting) == len(set(sitting)) == bots // seats * seats
        assert all(len(table) == seats for table in tables)
        played.update(sitting)
        for table in tables:
            met.update(combinations(sorted(table), 2))
    assert set(played) == set(range(bots))
    assert set(met) == set(combinations(range(bots), 2))
    assert len(set(played.values())) == len(set(met.values())) == 1


def test_with_two_seats_a_cycle_is_every_pair_once() -> None:
    pairs = [frozenset(table) for tables in cycle(8, 2) for table in tables]
    assert len(pairs) == len(set(pairs)) == 28


@pytest.mark.parametrize(("bots", "seats"), [(10, 4), (40, 6)])
def test_there_is_no_even_cycle_where_meetings_cannot_be_shared_out(bots: int, seats: int) -> None:
    assert opening_round(bots, seats) == []
    assert list(cycle(bots, seats)) == []
