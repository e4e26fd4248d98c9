"""Every possible table."""

from collections import Counter
from itertools import combinations, product
from math import comb, gcd

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.tournament.schedule.tables import RoundRobin


@pytest.mark.parametrize(("bots", "seats"), [(4, 4), (5, 2), (7, 4), (9, 3), (12, 6), (12, 11)])
def test_every_possible_table_comes_once_in_lexicographic_order(bots: int, seats: int) -> None:
    tables = RoundRobin(bots, seats)
    found = [tuple(sorted(table.bots)) for table in tables]
    assert found == list(combinations(range(bots), seats))
    assert tables.count == len(found)


@given(st.data())
def test_a_table_is_found_by_its_place_as_it_comes(data: st.DataObject) -> None:
    seats = data.draw(st.integers(2, 6))
    bots = data.draw(st.integers(seats, 11))
    tables = RoundRobin(bots, seats)
    assert [tables[i] for i in range(tables.count)] == list(tables)


@given(st.integers(2, 11), st.integers(0, 1000), st.data())
def test_a_place_far_on_is_found_at_once(seats: int, more: int, data: st.DataObject) -> None:
    bots = seats + more
    tables = RoundRobin(bots, seats)
    index = data.draw(st.integers(0, tables.count - 1))
    chosen = sorted(tables[index].bots)
    # The rank of a combination, counted from the end.
    after = sum(comb(bots - 1 - bot, seats - at) for at, bot in enumerate(chosen))
    assert tables.count - 1 - after == index


@pytest.mark.parametrize("index", [-1, 35])
def test_a_place_beyond_the_tables_is_an_index_error(index: int) -> None:
    with pytest.raises(IndexError):
        RoundRobin(7, 4)[index]


@pytest.mark.parametrize(
    ("bots", "seats"), [(b, s) for b, s in product(range(2, 14), range(2, 12)) if b >= s]
)
def test_tables_are_ordered_so_that_each_bot_is_at_each_place_as_often(
    bots: int, seats: int
) -> None:
    """But for tables that are their own turn: each kind of them leaves one table of difference."""
    counts: Counter[tuple[int, int]] = Counter()
    own_turns = set()
    for table in RoundRobin(bots, seats):
        counts.update(zip(table.bots, range(seats), strict=True))
        turns = [frozenset((bot + turn) % bots for bot in table.bots) for turn in range(bots)]
        if len(set(turns)) < bots:
            own_turns.add(frozenset(turns))
    found = [counts[bot, place] for bot in range(bots) for place in range(seats)]
    assert max(found) - min(found) <= len(own_turns)
    assert not own_turns or gcd(bots, seats) > 1
