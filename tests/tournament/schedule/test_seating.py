"""The seatings of one table."""

from collections import Counter
from itertools import permutations

import pytest

from referee.tournament.schedule.seating import (
    Seating,
    nth_permutation,
    period,
    places,
    rotations,
)

SEATS = range(2, 12)


def unevenness(counts: Counter[tuple[int, int]], keys: list[tuple[int, int]]) -> int:
    return max(counts[key] for key in keys) - min(counts[key] for key in keys)


def prefixes(seating: Seating, seats: int, deals: int) -> list[tuple[int, int]]:
    """Return, after each deal, how far apart the counts of seats and of left neighbours are."""
    bots = range(seats)
    in_seat: Counter[tuple[int, int]] = Counter()
    to_left: Counter[tuple[int, int]] = Counter()
    found = []
    for deal in range(deals):
        for rotation in range(rotations(seating, seats)):
            row = places(seating, seats, 0, deal, rotation)
            assert sorted(row) == list(bots)
            in_seat.update(zip(row, bots, strict=True))
            to_left.update(zip(row, row[1:] + row[:1], strict=True))
        found.append(
            (
                unevenness(in_seat, [(bot, seat) for bot in bots for seat in bots]),
                unevenness(to_left, list(permutations(bots, 2))),
            )
        )
    return found


@pytest.mark.parametrize("seats", SEATS)
def test_in_rotations_each_bot_has_each_seat_equally_often_after_every_deal(seats: int) -> None:
    assert all(seat == 0 for seat, _ in prefixes("rotate", seats, 2 * period("rotate", seats)))


@pytest.mark.parametrize("seats", SEATS)
def test_in_rotations_left_neighbours_differ_by_one_deal_or_by_two_where_seats_are_even(
    seats: int,
) -> None:
    cycle = period("rotate", seats)
    assert cycle == (seats - 1 if seats % 2 else 2 * (seats - 1))
    found = [left for _, left in prefixes("rotate", seats, 2 * cycle)]
    games_a_deal = seats
    assert max(found) <= games_a_deal * (1 if seats % 2 else 2)
    assert found[cycle - 1] == found[-1] == 0


@pytest.mark.parametrize("seats", SEATS)
def test_a_square_is_even_in_seats_and_all_but_even_in_left_neighbours_after_every_deal(
    seats: int,
) -> None:
    """Left neighbours: by one game where seats are even, by three where they are odd."""
    cycle = period("square", seats)
    assert cycle == seats - 1
    found = prefixes("square", seats, 2 * cycle)
    assert all(seat == 0 for seat, _ in found)
    assert max(left for _, left in found) <= (3 if seats % 2 else 1)
    assert found[cycle - 1] == found[-1] == (0, 0)


@pytest.mark.parametrize("seats", SEATS)
def test_once_gives_each_bot_each_seat_equally_often_and_never_two_games_apart(seats: int) -> None:
    found = [seat for seat, _ in prefixes("once", seats, 2 * period("once", seats))]
    assert max(found) == 1
    assert all(seat == 0 for seat in found[seats - 1 :: seats])


@pytest.mark.parametrize("seats", SEATS)
def test_once_has_left_neighbours_differ_by_two_games_or_by_three_where_seats_are_odd(
    seats: int,
) -> None:
    cycle = period("once", seats)
    found = [left for _, left in prefixes("once", seats, 2 * cycle)]
    assert max(found) <= (3 if seats % 2 else 2)
    assert max(found[2 * seats - 1 :: 2 * seats]) <= 1
    assert found[cycle - 1] == found[-1] == 0


@pytest.mark.parametrize("seating", ["square", "rotate", "once"])
@pytest.mark.parametrize("start", [1, 7, 12345])
@pytest.mark.parametrize("seats", SEATS)
def test_a_whole_cycle_is_even_wherever_it_starts(seating: Seating, start: int, seats: int) -> None:
    to_left: Counter[tuple[int, int]] = Counter()
    in_seat: Counter[tuple[int, int]] = Counter()
    for deal in range(period(seating, seats)):
        for rotation in range(rotations(seating, seats)):
            row = places(seating, seats, start, deal, rotation)
            to_left.update(zip(row, row[1:] + row[:1], strict=True))
            in_seat.update(zip(row, range(seats), strict=True))
    assert len(to_left) == seats * (seats - 1)
    assert len(set(to_left.values())) == 1
    assert len(in_seat) == seats * seats
    assert len(set(in_seat.values())) == 1


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_all_plays_every_order_once_in_lexicographic_order(seats: int) -> None:
    found = [places("all", seats, 0, 0, i) for i in range(rotations("all", seats))]
    assert found == list(permutations(range(seats)))


def test_the_last_of_all_orders_is_found_without_the_others() -> None:
    assert nth_permutation(11, 39_916_799) == tuple(range(10, -1, -1))


def test_a_rotation_moves_every_bot_one_seat_on_round_the_same_order() -> None:
    first = places("rotate", 5, 0, 3, 0)
    assert [places("rotate", 5, 0, 3, r) for r in range(5)] == [
        tuple(first[(seat + r) % 5] for seat in range(5)) for r in range(5)
    ]
