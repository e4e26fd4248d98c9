"""A cycle of rounds in which all bots meet equally often: one round, turned bot by bot.

The bots stand in a circle; where no bot sits out, the last one stands in its middle and keeps its
table. How often two bots meet over all turns then depends on their difference round the circle
alone, so a whole cycle is even if one round has every difference equally often: Kirkman's way with
two seats, a whist tournament's with four.
"""

from collections.abc import Iterator
from functools import cache
from random import Random

EXCHANGES = 8_000
"""How many exchanges are tried to find an opening round: some 30 to 100 ms where there is none."""
HEAT = 5.0
"""How much worse an exchange may make the round at first; no more at all at the end."""

LARGEST_FIELD = 60
"""Up to how many bots a search is tried: so many rounds as a cycle has are seldom asked of more."""

Round = list[list[int]]
"""The tables of a round: the bots of each."""


def cycle_length(bots: int, seats: int) -> int:
    """Return how many rounds a cycle has."""
    return bots if bots % seats else bots - 1


def cycle(bots: int, seats: int) -> Iterator[Round]:
    """Go through the rounds of an even cycle; through none where no opening round is found."""
    opening = opening_round(bots, seats)
    circle = cycle_length(bots, seats)
    for turn in range(circle if opening else 0):
        yield [
            [bot if bot == circle else (bot + turn) % circle for bot in table] for table in opening
        ]


@cache
def opening_round(bots: int, seats: int) -> Round:
    """Return a round that has every difference equally often; an empty one if none is found.

    Two bots are exchanged where that makes the differences more even; at first also where it
    makes them a little less so.
    """
    tables, sit_out = divmod(bots, seats)
    meetings = tables * seats * (seats - 1)
    if bots > LARGEST_FIELD or (sit_out and meetings % (bots - 1)):
        return []
    search = _Search(bots, seats, seats - 1 if not sit_out else meetings // (bots - 1))
    random = Random(0).random  # noqa: S311 the same schedule everywhere, no secret
    for left in range(EXCHANGES, 0, -1):
        if search.unevenness == 0:
            return search.groups[:tables]
        one, other = int(random() * search.circle), int(random() * search.circle)
        before = search.unevenness
        search.exchange(one, other)
        if search.unevenness - before > HEAT * left / EXCHANGES * random():
            search.exchange(one, other)
    return []


class _Search:
    """A round under change, and how uneven its differences are.

    ``excess[d]`` is how much more often than wanted two bots ``d`` apart would meet in a cycle.
    """

    def __init__(self, bots: int, seats: int, wanted: int) -> None:
        self.circle = cycle_length(bots, seats)
        self.tables = bots // seats
        self.groups = [list(range(at, min(at + seats, bots))) for at in range(0, bots, seats)]
        self.group_of = [bot // seats for bot in range(bots)]
        apart = self.circle // 2
        self.excess = [0] + [-wanted] * apart
        self.unevenness = wanted * wanted * apart
        for table in self.groups[: self.tables]:
            for at, bot in enumerate(table):
                self._count(bot, table[:at], 1)

    def exchange(self, one: int, other: int) -> None:
        """Let two bots change tables, or one of them sit out in the other's stead."""
        home, away = self.group_of[one], self.group_of[other]
        if home != away:
            self._replace(home, one, other)
            self._replace(away, other, one)

    def _replace(self, group: int, leaver: int, comer: int) -> None:
        members = self.groups[group]
        members.remove(leaver)
        if group < self.tables:
            self._count(leaver, members, -1)
            self._count(comer, members, 1)
        members.append(comer)
        self.group_of[comer] = group

    def _count(self, bot: int, others: list[int], times: int) -> None:
        for other in others:
            if self.circle not in {bot, other}:
                apart = min(abs(bot - other), self.circle - abs(bot - other))
                # Opposite bots stand so again after half a cycle.
                more = 2 * times if 2 * apart == self.circle else times
                self.unevenness += more * (2 * self.excess[apart] + more)
                self.excess[apart] += more
