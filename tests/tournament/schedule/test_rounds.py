"""Rounds: disjoint tables, equal plays, even meetings."""

from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.tournament.schedule.rounds import Rounds, equal_rounds
from referee.tournament.schedule.seating import Seating, places


def tables(bots: int, seats: int, rounds: int, seating: Seating = "rotate") -> list[set[int]]:
    return [set(table.bots) for table in Rounds(bots, seats, rounds, seating, 10)]


def meetings_apart(bots: int, seats: int, rounds: int) -> int:
    """Return how far apart the meetings of two bots are after so many rounds."""
    met = Counter[tuple[int, int]]()
    for table in tables(bots, seats, rounds):
        met.update(combinations(sorted(table), 2))
    found = [met[pair] for pair in combinations(range(bots), 2)]
    return max(found) - min(found)


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 11), st.integers(0, 29), st.integers(1, 30))
def test_all_bots_play_equally_often_and_never_twice_in_a_round(
    seats: int, more: int, rounds: int
) -> None:
    bots = min(seats + more, 40)
    drawn = Rounds(bots, seats, rounds, "rotate", 10)
    a_round = bots // seats
    played: Counter[int] = Counter()
    found = [table.bots for table in drawn]
    assert len(found) == drawn.count == drawn.rounds * a_round
    for at in range(0, len(found), a_round):
        sitting = [bot for bots_of in found[at : at + a_round] for bot in bots_of]
        assert len(set(sitting)) == len(sitting) == a_round * seats
        played.update(sitting)
        assert max(played.values()) - min(played[bot] for bot in range(bots)) <= 1
    assert len(set(played.values())) == 1


@pytest.mark.parametrize(
    ("bots", "seats", "asked", "played"),
    [
        (12, 4, 1, 1),
        (12, 4, 100_000, 100_000),
        (7, 4, 1, 7),
        (7, 4, 10, 7),
        (7, 4, 11, 14),
        (6, 4, 4, 3),
        (10, 4, 7, 5),
        (10, 4, 8, 10),
        (40, 6, 15, 10),
    ],
)
def test_rounds_are_the_nearest_number_that_makes_plays_equal(
    bots: int, seats: int, asked: int, played: int
) -> None:
    assert equal_rounds(bots, seats, asked) == played


@given(st.integers(2, 11), st.integers(0, 50), st.integers(1, 100_000))
def test_no_number_of_equal_plays_is_nearer_than_the_one_taken(
    seats: int, more: int, asked: int
) -> None:
    bots = seats + more
    taken = equal_rounds(bots, seats, asked)

    def is_equal(rounds: int) -> bool:
        return rounds > 0 and rounds * (bots // seats * seats) % bots == 0

    assert is_equal(taken)
    nearer = range(asked - abs(taken - asked) + 1, asked + abs(taken - asked))
    assert not any(is_equal(rounds) for rounds in nearer)


@pytest.mark.parametrize(
    ("bots", "seats", "rounds", "most_apart"),
    [
        (5, 4, 5, 0),
        (7, 4, 7, 0),
        (7, 4, 21, 0),
        (12, 4, 10, 2),
        (12, 4, 11, 0),
        (12, 4, 20, 2),
        (40, 4, 7, 1),
        (40, 4, 13, 2),
        (40, 4, 20, 1),
        (7, 6, 7, 0),
        (12, 6, 10, 1),
        (12, 6, 11, 0),
        (40, 6, 10, 3),
        (40, 6, 20, 3),
    ],
)
def test_two_bots_meet_as_evenly_as_stated(
    bots: int, seats: int, rounds: int, most_apart: int
) -> None:
    assert meetings_apart(bots, seats, rounds) <= most_apart


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 11), st.integers(0, 38), st.integers(1, 20))
def test_two_bots_meetings_are_three_tables_apart_at_most_or_fewer_than_the_seats(
    seats: int, more: int, rounds: int
) -> None:
    bots = min(seats + more, 40)
    assert meetings_apart(bots, seats, rounds) <= max(3, seats - 1)


def test_rounds_are_the_same_each_time_and_go_on_from_fewer() -> None:
    assert tables(13, 4, 26) == tables(13, 4, 26)
    assert tables(13, 4, 26)[:39] == tables(13, 4, 13)
    assert tables(12, 4, 10)[:9] == tables(12, 4, 3)


@pytest.mark.parametrize("seating", ["square", "rotate", "all", "once"])
def test_the_bots_of_a_table_do_not_depend_on_the_seating(seating: Seating) -> None:
    assert tables(13, 4, 13, seating) == tables(13, 4, 13)


def test_a_table_is_found_by_its_place() -> None:
    drawn = Rounds(13, 4, 13, "once", 7)
    assert [drawn[i] for i in range(drawn.count)] == list(drawn)
    with pytest.raises(IndexError):
        drawn[drawn.count]


@pytest.mark.parametrize(("bots", "deals"), [*product((4, 5, 7, 12, 22), (1, 2, 3, 5, 10))])
def test_with_one_game_a_deal_each_bot_has_each_seat_but_two_games_more_or_less(
    bots: int, deals: int
) -> None:
    held: Counter[tuple[int, int]] = Counter()
    for table in Rounds(bots, 4, 20, "once", deals):
        for deal in range(deals):
            row = places("once", 4, table.start, deal, 0)
            held.update((table.bots[place], seat) for seat, place in enumerate(row))
    found = [held[bot, seat] for bot in range(bots) for seat in range(4)]
    assert max(found) - min(found) <= 2
