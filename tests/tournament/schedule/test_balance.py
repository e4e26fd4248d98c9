"""How even a schedule is, against a count of every game."""

import re
from collections import Counter
from itertools import permutations, product
from math import comb, gcd
from pathlib import Path

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
        assert balance.seats is not None
        assert balance.meetings is not None
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
    assert balance.left is not None
    mean = schedule.games * seats / (bots * (bots - 1))
    allowed = max(0.2 * mean, 3 * (1 if seating == "once" else seats))
    assert balance.left.largest - balance.left.smallest <= allowed


@pytest.mark.parametrize("deals", [1, 3, 10])
@pytest.mark.parametrize("rounds", [5, 20])
@pytest.mark.parametrize(("bots", "seats"), [(7, 4), (12, 4), (40, 4), (9, 6), (12, 3), (9, 7)])
def test_in_rounds_squares_have_left_neighbours_as_even_as_meetings(
    bots: int, seats: int, rounds: int, deals: int
) -> None:
    """Give or take 2 games where seats are even, 5 where they are odd."""
    entry = Entry("pitch", seats, deals, tuple(map(str, range(bots))))
    (balance,) = Schedule([entry], "square", rounds, 5).balance()
    assert balance is not None
    assert balance.left is not None
    assert balance.meetings is not None
    beyond = 5 if seats % 2 else 2
    assert balance.left.smallest >= balance.meetings.smallest / (seats - 1) - beyond
    assert balance.left.largest <= balance.meetings.largest / (seats - 1) + beyond


def test_what_would_take_too_long_to_count_is_left_out_and_the_rest_is_computed() -> None:
    """A round robin's meetings follow from its size; left neighbours where cycles are not whole."""
    entries = [Entry("pitch", 4, 1, NAMES[:7]), Entry("pitch", 4, 1, NAMES[:8])]
    measured, beyond = Schedule(entries, "square", None, 5).balance(most_tables=35)
    assert measured is not None
    assert measured.left is not None
    assert beyond == Balance(Spread(140, 140), Spread(35, 35), Spread(60, 60), None)


def test_whole_cycles_in_a_field_of_any_size_are_known_to_be_even() -> None:
    entry = Entry("pitch", 6, 10, tuple(map(str, range(40))))
    (balance,) = Schedule([entry], "square", None, 5).balance()
    tables = comb(39, 5)
    together = comb(38, 4)
    assert balance == Balance(
        games=Spread(60 * tables, 60 * tables),
        seats=Spread(10 * tables, 10 * tables),
        meetings=Spread(60 * together, 60 * together),
        left=Spread(12 * together, 12 * together),
    )


def test_rounds_of_too_many_tables_have_equal_plays_and_the_rest_is_not_counted() -> None:
    (balance,) = Schedule([Entry("pitch", 4, 3, NAMES[:8])], "once", 14, 5).balance(most_tables=27)
    assert balance == Balance(Spread(42, 42), None, None, None)


def test_the_balance_that_the_organisers_guide_states_is_what_is_measured() -> None:
    guide = (Path(__file__).parents[3] / "tournaments" / "README.md").read_text(encoding="utf-8")
    row = r"^\| (\d+) \| (\d+) \| (every table|\d+) \| (\d+) \| (.*) \|$"
    rows = re.findall(row, guide, re.MULTILINE)
    assert len(rows) == 7

    def stated(spread: Spread | None) -> str:
        assert spread is not None
        least, most = f"{spread.smallest:,}", f"{spread.largest:,}"
        return least if least == most else f"{least} to {most}"

    for bots, seats, rounds, tables, counts in rows:
        entry = Entry("pitch", int(seats), 10, tuple(map(str, range(int(bots)))))
        played = None if rounds == "every table" else int(rounds)
        schedule = Schedule([entry], "square", played, 5)
        (balance,) = schedule.balance()
        assert balance is not None
        assert schedule.counts[0].tables == int(tables)
        spreads = (balance.games, balance.seats, balance.meetings, balance.left)
        assert counts == " | ".join(map(stated, spreads))
