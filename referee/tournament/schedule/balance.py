"""How even a schedule is: the smallest and the largest of each count.

What follows from the construction is computed; only what is left uneven is counted, by going
through the tables.
"""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import permutations, product
from math import comb

import msgspec

from referee.tournament.schedule.rounds import Rounds
from referee.tournament.schedule.seating import Seating, period, places, rotations
from referee.tournament.schedule.tables import RoundRobin

Pairs = Counter[tuple[int, int]]
Counts = list[tuple[int, int, int]]


class Spread(msgspec.Struct, frozen=True):
    """The smallest and the largest of some counts of games."""

    smallest: int
    largest: int


class Balance(msgspec.Struct, frozen=True):
    """How even an entry is, all in games.

    ``games`` of a bot; ``seats``: of a bot in a seat; ``meetings``: of two bots; ``left``: of a bot
    with a certain other to its left. None where there are too many tables to count it.
    """

    games: Spread
    seats: Spread | None
    meetings: Spread | None
    left: Spread | None


def balance_of(
    tables: RoundRobin | Rounds, bots: int, seating: Seating, deals: int, most_tables: int
) -> Balance:
    """Measure how even the tables of an entry are, going through no more than ``most_tables``.

    Whole cycles of a seating are even; the games of the deals beyond them are counted.
    """
    seats = tables.seats
    a_deal = rotations(seating, seats)
    beyond = deals % period(seating, seats)
    whole = (deals - beyond) * a_deal
    its_tables = tables.count * seats // bots  # of every bot: all play equally often
    few = tables.count <= most_tables
    met = _met(tables, bots) if few or isinstance(tables, RoundRobin) else None
    counted = _beyond(tables, seating, beyond) if few else None
    held, left = counted or (None, None)
    if not beyond:
        held = left = Pairs()
    elif seating != "once":
        # Every deal has every bot in every seat.
        held = Pairs(dict.fromkeys(product(range(bots), range(seats)), beyond * its_tables))
    seats_held = seats_left = None
    if held is not None:
        even = whole // seats * its_tables
        seats_held = _spread(even + held[bot, seat] for bot in range(bots) for seat in range(seats))
    if met is not None and left is not None:
        even = whole // (seats - 1)
        seats_left = _spread(even * n + left[pair] for pair, n in met.items())
    return Balance(
        games=_spread([deals * a_deal * its_tables]),
        seats=seats_held,
        meetings=_spread(deals * a_deal * n for n in met.values()) if met else None,
        left=seats_left,
    )


def _met(tables: RoundRobin | Rounds, bots: int) -> Pairs:
    """Return at how many tables each two bots meet, both ways round."""
    pairs = list(permutations(range(bots), 2))
    if isinstance(tables, RoundRobin):
        return Pairs(dict.fromkeys(pairs, comb(bots - 2, tables.seats - 2)))
    met = Pairs(dict.fromkeys(pairs, 0))
    for table in tables:
        met.update(permutations(table.bots, 2))
    return met


def _beyond(tables: RoundRobin | Rounds, seating: Seating, deals: int) -> tuple[Pairs, Pairs]:
    """Return the games of so many deals of each table by (bot, seat) and (bot, bot to its left)."""
    held, left = Pairs(), Pairs()
    if deals:
        seats = tables.seats
        whole_cycles = 2 * seats * (seats - 1)  # starts so far apart are the same
        for table in tables:
            bots = table.bots
            in_seat, to_left = _of_table(seating, seats, deals, table.start % whole_cycles)
            for place, seat, games in in_seat:
                held[bots[place], seat] += games
            for place, other, games in to_left:
                left[bots[place], bots[other]] += games
    return held, left


@cache
def _of_table(seating: Seating, seats: int, deals: int, start: int) -> tuple[Counts, Counts]:
    """Return the games of a table by place and seat, and by place and the place to its left."""
    in_seat, to_left = Pairs(), Pairs()
    for deal in range(deals):
        for rotation in range(rotations(seating, seats)):
            row = places(seating, seats, start, deal, rotation)
            to_left.update(zip(row, row[1:] + row[:1], strict=True))
            if seating == "once":
                in_seat.update(zip(row, range(seats), strict=True))
    return _listed(in_seat), _listed(to_left)


def _listed(pairs: Pairs) -> Counts:
    return [(one, other, games) for (one, other), games in pairs.items()]


def _spread(counts: Iterable[int]) -> Spread:
    found = list(counts)
    return Spread(min(found), max(found))
