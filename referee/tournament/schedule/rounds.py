"""Who meets when ``rounds`` are played: bots that have met least, seated where they sat least.

A round is ``floor(bots / seats)`` disjoint tables; who has played most sits out. Whole cycles in
which all meet equally often come first, where there is room for one and one is found. Every other
round is drawn from those drawn before, so going through them takes memory in the square of the
number of bots, however many rounds there are.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, islice
from math import gcd
from random import Random

from referee.tournament.schedule.cycles import Round, cycle, cycle_length, opening_round
from referee.tournament.schedule.seating import Seating, period, places, rotations
from referee.tournament.schedule.tables import Table

EXCHANGES = 100
"""How many exchanges are tried to improve a round, a bot."""
HEAT = 1.2
"""How much worse an exchange may make a round at first; no more at all at the end."""
SEATS_FIRST = 16
"""How much more an even number of games in each seat counts than even left neighbours."""


def equal_rounds(bots: int, seats: int, rounds: int) -> int:
    """Return the number of rounds nearest to ``rounds`` in which all bots play equally often.

    That is a multiple of ``bots / gcd(bots, bots mod seats)``, at least one; of two that are as
    near, the smaller.
    """
    unit = bots // gcd(bots, bots % seats)
    return max(1, -(-(2 * rounds - unit) // (2 * unit))) * unit


class Rounds:
    """The tables of ``equal_rounds`` rounds, one round after another.

    How far apart the meetings of two bots are was measured for every field of up to 40 bots and
    up to 40 drawn rounds: 3 tables at most with 2 to 4 seats, else fewer than the seats. After
    whole cycles they are equal.
    The seats of a bot are exactly even but for one game a deal, where they are 2 apart at most for
    4 seats.
    """

    def __init__(self, bots: int, seats: int, rounds: int, seating: Seating, deals: int) -> None:
        self.bots = bots
        self.seats = seats
        self.seating: Seating = seating
        self.deals = deals
        self.rounds = equal_rounds(bots, seats, rounds)
        self.count = self.rounds * (bots // seats)

    def __iter__(self) -> Iterator[Table]:
        """Go through the tables one by one."""
        sittings = _Sittings(self.bots, self.seats, self.seating, self.deals)
        for tables in self._draw():
            for group in tables:
                yield Table(sittings.seat(group), 0)

    def __getitem__(self, index: int) -> Table:
        """Return the table of this place, from 0, in time that grows with the place."""
        for table in islice(self, index, None):
            return table
        raise IndexError(index)

    def _draw(self) -> Iterator[Round]:
        """Go through the rounds: whole cycles, then what is left, drawn one by one."""
        cycles, left = divmod(self.rounds, cycle_length(self.bots, self.seats))
        if cycles and not opening_round(self.bots, self.seats):
            cycles, left = 0, self.rounds
        for _ in range(cycles):
            yield from cycle(self.bots, self.seats)
        meetings = _Meetings(self.bots, self.seats)
        yield from map(meetings.draw, range(left))


class _Meetings:
    """How often each two bots have met and each has played, and what is the best next round."""

    def __init__(self, bots: int, seats: int) -> None:
        self.met = [[0] * bots for _ in range(bots)]
        self.played = [0] * bots
        self.seats = seats
        self.tables = bots // seats

    def draw(self, number: int) -> Round:
        """Draw a round and count it: its tables.

        Bots are exchanged between two tables, or with one that sits out and has played as often,
        where that does not add to the meetings so far of those who meet; at first also where it
        adds a few, so that the search is not caught by the first round that no single exchange
        improves. Numbers are drawn by ``random()`` alone, which Python keeps the same from
        version to version.
        """
        random = Random(number).random  # noqa: S311 the same schedule everywhere, no secret
        bots = len(self.met)
        order = sorted(range(bots), key=lambda bot: (self.played[bot], random()))
        groups = [order[at : at + self.seats] for at in range(0, bots, self.seats)]
        cost = sum(self._cost(group) for group in groups[: self.tables])
        fewest = min(min(row[:bot]) for bot, row in enumerate(self.met) if bot)
        least = fewest * self.tables * self.seats * (self.seats - 1) // 2
        best, kept = cost, [group.copy() for group in groups]
        tries = EXCHANGES * bots
        for left in range(tries, 0, -1):
            if best == least:
                break
            one, other = int(random() * len(groups)), int(random() * len(groups))
            at, to = int(random() * len(groups[one])), int(random() * len(groups[other]))
            change = self._change(groups, one, at, other, to)
            if change is not None and (change <= 0 or change < HEAT * left / tries * random()):
                groups[one][at], groups[other][to] = groups[other][to], groups[one][at]
                cost += change
                if cost < best:
                    best, kept = cost, [group.copy() for group in groups]
        drawn = kept[: self.tables]
        self._count(drawn)
        return drawn

    def _cost(self, group: list[int]) -> int:
        """Return how often those who would meet at a table have met so far."""
        return sum(self.met[bot][other] for bot in group for other in group) // 2

    def _change(
        self, groups: list[list[int]], one: int, at: int, other: int, to: int
    ) -> int | None:
        """Return what an exchange adds to the cost of a round; None where it may not be."""
        if one == other:
            return None
        leaver, comer = groups[one][at], groups[other][to]
        if self.tables in {one, other} and self.played[leaver] != self.played[comer]:
            return None
        change = 0
        if one < self.tables:
            change += self._replace(groups[one], leaver, comer)
        if other < self.tables:
            change += self._replace(groups[other], comer, leaver)
        return change

    def _replace(self, group: list[int], leaver: int, comer: int) -> int:
        """Return how many more meetings so far a table has with one bot in another's stead."""
        gone, come = self.met[leaver], self.met[comer]
        return sum([come[bot] - gone[bot] for bot in group]) - come[leaver]

    def _count(self, drawn: Iterable[list[int]]) -> None:
        for group in drawn:
            for bot in group:
                self.played[bot] += 1
                row = self.met[bot]
                for other in group:
                    row[other] += bot != other


class _Sittings:
    """How often each bot has held each seat and has had each other to its left.

    Only what a table's deals leave uneven is counted: those beyond whole cycles of its seating.
    """

    def __init__(self, bots: int, seats: int, seating: Seating, deals: int) -> None:
        self.held = [[0] * seats for _ in range(bots)]
        self.left = [[0] * bots for _ in range(bots)]
        self.seats_of: Counter[tuple[int, int]] = Counter()
        self.lefts_of: Counter[tuple[int, int]] = Counter()
        for deal in range(deals % period(seating, seats)):
            for rotation in range(rotations(seating, seats)):
                row = places(seating, seats, 0, deal, rotation)
                self.lefts_of.update(zip(row, row[1:] + row[:1], strict=True))
                if seating == "once":  # Else every bot has every seat.
                    self.seats_of.update(zip(row, range(seats), strict=True))

    def seat(self, group: Iterable[int]) -> tuple[int, ...]:
        """Put the bots of a table into an order, and count it.

        Two bots change places as long as that lessens how often they have sat so.
        """
        order = sorted(group)
        best = self._cost(order)
        better = best > 0
        while better:
            better = False
            for one, other in combinations(range(len(order)), 2):
                order[one], order[other] = order[other], order[one]
                cost = self._cost(order)
                if cost < best:
                    best, better = cost, True
                else:
                    order[one], order[other] = order[other], order[one]
        for (place, seat), times in self.seats_of.items():
            self.held[order[place]][seat] += times
        for (place, left), times in self.lefts_of.items():
            self.left[order[place]][order[left]] += times
        return tuple(order)

    def _cost(self, order: list[int]) -> int:
        held, left = self.held, self.left
        seats = sum([held[order[at]][seat] * n for (at, seat), n in self.seats_of.items()])
        lefts = sum([left[order[at]][order[to]] * n for (at, to), n in self.lefts_of.items()])
        return SEATS_FIRST * seats + lefts
