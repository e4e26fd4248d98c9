"""How even a schedule is, against a count of every game."""

from collections import Counter
from itertools import permutations, product
from math import gcd

import pytest

from referee.tournament.schedule import Balance, Entry, Schedule, Seating, Spread

NAMES = tuple("abcdefghijklmnopqrstuvwxyz")


def spread(counts: Counter[tuple[object, object]], keys: list[tuple[object, object]]) -> Spread:
    return Spread(min(counts[key] for key in keys), max(counts[key] for key in keys))


def counted(schedule: Schedule, bots: tuple[str, ...], seats: int) -> Balance:
    """Count every seat of every game."""
    games: Counter[tuple[object, object]] = Counter()
    held: Counter[tuple[object, object]] = Counter()
    met: Counter[tuple[object, object]] = Counter()
    left: Counter[tuple[object, object]] = Counter()
    for series in schedule.series():
        for row in series.seatings:
            games.update((bot, None) for bot in row)
            held.update(zip(row, range(seats), strict=True))
            met.update(permutations(row, 2))
            left.update(zip(row, row[1:] + row[:1], strict=True))
    pairs: list[tuple[object, object]] = list(permutations(bots, 2))
    return Balance(
        games=spread(games, [(bot, None) for bot in bots]),
        seats=spread(held, list(product(bots, range(seats)))),
        meetings=spread(met, pairs),
        left=spread(left, pairs),
    )


@pytest.mark.parametrize("seating", ["square", "rotate", "all", "once"])
@pytest.mark.parametrize("rounds", [None, 6])
@pytest.mark.parametrize(
    ("bots", "seats", "deals"), [(2, 2, 3), (5, 4, 7), (6, 3, 10), (7, 4, 1), (8, 4, 2)]
)
def test_balance_is_what_counting_every_game_finds(
    seating: Seating, rounds: int | None, bots: int, seats: int, deals: int
) -> None:
    schedule = Schedule([Entry("pitch", seats, deals, NAMES[:bots])], seating, rounds, 3)
    assert schedule.balance() == [counted(schedule, NAMES[:bots], seats)]


@pytest.mark.parametrize("seats", range(2, 12))
@pytest.mark.parametrize("seating", ["square", "rotate", "all", "once"])
def test_a_round_robin_has_equal_plays_and_meetings_and_even_seats(
    seating: Seating, seats: int
) -> None:
    """Seats are uneven only with one game a deal, in tables that are turns of themselves."""
    for bots, deals in product(range(seats, 13), (1, 3, 10, seats)):
        schedule = Schedule([Entry("pitch", seats, deals, NAMES[:bots])], seating, None, 5)
        (balance,) = schedule.balance()
        assert balance is not None
        assert balance.games.smallest == balance.games.largest
        assert balance.meetings.smallest == balance.meetings.largest
        apart = balance.seats.largest - balance.seats.smallest
        if seating != "once" or gcd(bots, seats) == 1 or deals % seats == 0:
            assert apart == 0
        else:
            assert apart <= 9


@pytest.mark.parametrize(("bots", "seats"), [(5, 4), (7, 4), (12, 4), (20, 4), (7, 6), (12, 6)])
@pytest.mark.parametrize("seating", ["square", "rotate", "all", "once"])
def test_a_round_robin_of_ten_deals_has_left_neighbours_within_a_fifth_of_each_other(
    seating: Seating, bots: int, seats: int
) -> None:
    """Or within three deals, where there are few tables."""
    schedule = Schedule([Entry("pitch", seats, 10, NAMES[:bots])], seating, None, 5)
    (balance,) = schedule.balance()
    assert balance is not None
    mean = schedule.games * seats / (bots * (bots - 1))
    allowed = max(0.2 * mean, 3 * (1 if seating == "once" else seats))
    assert balance.left.largest - balance.left.smallest <= allowed


def test_what_has_too_many_tables_is_not_measured() -> None:
    entries = [Entry("pitch", 4, 1, NAMES[:7]), Entry("pitch", 4, 1, NAMES[:8])]
    measured, beyond = Schedule(entries, "rotate", None, 5).balance(most_tables=35)
    assert measured is not None
    assert beyond is None
