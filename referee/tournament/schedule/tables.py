"""Who meets: every possible table, numbered without being listed."""

from collections.abc import Iterator
from itertools import combinations
from math import comb

import msgspec


class Table(msgspec.Struct, frozen=True):
    """The bots that meet, by their places in the entry from 0, and where their seating begins."""

    bots: tuple[int, ...]
    start: int


class RoundRobin:
    """Every possible table once, in lexicographic order of its bots."""

    def __init__(self, bots: int, seats: int) -> None:
        self.bots = bots
        self.seats = seats
        self.count = comb(bots, seats)

    def __iter__(self) -> Iterator[Table]:
        """Go through the tables one by one."""
        return (self._table(chosen) for chosen in combinations(range(self.bots), self.seats))

    def __getitem__(self, index: int) -> Table:
        """Return the table of this place, from 0, in time that does not depend on the place."""
        if not 0 <= index < self.count:
            raise IndexError(index)
        chosen: list[int] = []
        bot = 0
        while len(chosen) < self.seats:
            with_bot = comb(self.bots - bot - 1, self.seats - len(chosen) - 1)
            if index < with_bot:
                chosen.append(bot)
            else:
                index -= with_bot
            bot += 1
        return self._table(tuple(chosen))

    def _table(self, chosen: tuple[int, ...]) -> Table:
        """Seat a table so that no bot is favoured over all of them.

        Think of all bots in a circle. Tables that are turns of one another get the same seating,
        turned with them, so that every bot takes every part in it once: the first bot of a table
        is the one that the gaps to the next bots pick, whatever the bots' own numbers. A table
        that is its own turn leaves several to pick from.
        """
        gaps = [
            (after - bot) % self.bots or self.bots
            for bot, after in zip(chosen, (*chosen[1:], chosen[0]), strict=True)
        ]
        turned = [gaps[first:] + gaps[:first] for first in range(self.seats)]
        least = min(turned)
        # The weights were found by trial: they spread the tables' starts well, for many numbers
        # of bots and seats, where the deals are too few for a whole cycle of seatings.
        start = sum((3 + 2 * i) * i * i * gap for i, gap in enumerate(least))
        firsts = [first for first in range(self.seats) if turned[first] == least]
        first = firsts[start % len(firsts)]
        return Table(chosen[first:] + chosen[:first], start)
