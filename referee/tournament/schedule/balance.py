"""How even a schedule is: the smallest and the largest of each count, by going through it."""

from collections import Counter
from functools import cache
from itertools import product
from math import factorial

import msgspec

from referee.tournament.schedule.seating import Seating, period, places, rotations
from referee.tournament.schedule.tables import Tables

Pairs = Counter[tuple[int, int]]


class Spread(msgspec.Struct, frozen=True):
    """The smallest and the largest of some counts of games."""

    smallest: int
    largest: int


class Balance(msgspec.Struct, frozen=True):
    """How even an entry is, all in games.

    ``games`` of a bot; ``seats``: of a bot in a seat; ``meetings``: of two bots; ``left``: of a bot
    with a certain other to its left.
    """

    games: Spread
    seats: Spread
    meetings: Spread
    left: Spread


def balance_of(tables: Tables, bots: int, seats: int, seating: Seating, deals: int) -> Balance:
    """Measure how even the tables of an entry are, in time that grows with their number."""
    games_a_table = deals * rotations(seating, seats)
    games, held, met, left = Counter[int](), Pairs(), Pairs(), Pairs()
    whole_cycles = 2 * seats * (seats - 1)  # of any seating: starts so far apart are the same
    for table in tables:
        in_seat, to_left = _table_counts(seating, seats, deals, table.start % whole_cycles)
        for place, bot in enumerate(table.bots):
            games[bot] += games_a_table
            for seat in range(seats):
                held[bot, seat] += in_seat[place, seat]
            for other_place, other in enumerate(table.bots):
                if other != bot:
                    met[bot, other] += games_a_table
                    left[bot, other] += to_left[place, other_place]
    every_bot = range(bots)
    pairs = [(bot, other) for bot in every_bot for other in every_bot if bot != other]
    return Balance(
        games=_spread([games[bot] for bot in every_bot]),
        seats=_spread([held[bot, seat] for bot in every_bot for seat in range(seats)]),
        meetings=_spread([met[pair] for pair in pairs]),
        left=_spread([left[pair] for pair in pairs]),
    )


@cache
def _table_counts(seating: Seating, seats: int, deals: int, start: int) -> tuple[Pairs, Pairs]:
    """Return the games of a table by (place, seat) and by (place, place to its left)."""
    in_seat, to_left = Pairs(), Pairs()
    cycle = period(seating, seats)
    for deal in range(cycle):
        times = deals // cycle + (deal < deals % cycle)
        if seating == "all":
            for place, other in product(range(seats), repeat=2):
                in_seat[place, other] = times * factorial(seats - 1)
                to_left[place, other] = times * factorial(seats) // (seats - 1)
            continue
        for rotation in range(rotations(seating, seats)):
            row = places(seating, seats, start, deal, rotation)
            for seat, place in enumerate(row):
                in_seat[place, seat] += times
                to_left[place, row[(seat + 1) % seats]] += times
    return in_seat, to_left


def _spread(counts: list[int]) -> Spread:
    return Spread(min(counts), max(counts))
