"""When a tournament is clear enough to stop: ``until`` of the config, at its ``level``."""

import math
import re
from collections.abc import Iterable, Sequence
from itertools import combinations, permutations

import msgspec

from referee.tournament.anytime.sequence import Bettor
from referee.tournament.standings.pairs import differences
from referee.tournament.standings.points import Unit


class Until(msgspec.Struct, frozen=True):
    """What must be clear: the first ``top`` bots are apart from the rest; None: all are apart."""

    top: int | None


def parse_until(text: str) -> Until:
    """Read "winner", "top:K" or "separated"; raises ValueError, one line, for anything else."""
    if text == "winner":
        return Until(1)
    if text == "separated":
        return Until(None)
    if top := re.fullmatch(r"top:([1-9]\d{0,5})", text):
        return Until(int(top[1]))
    raise ValueError(f'{text!r} is not "winner", "top:K" (K from 1) or "separated"')


class Clear:
    """Watches the differences of each two bots, unit by unit, until the question is settled.

    For each ordered two somebody bets, at even points, that the first is the better one; the two
    are apart when that bettor has grown ``tests / (1 - level)``-fold. ``tests`` counts the bets
    of which one must be won wrongly for a wrong claim, so that a wrong claim is ever made, at any
    look, with probability ``1 - level`` at most:

    - top K of n: a wrong set has one bot in it that belongs out and lacks one that belongs in,
      and those two were claimed apart: K (n - K) bets. A right set may still be claimed apart
      where the last in and the first out are equal: one more.
    - separated: a wrong order has two that are neighbours in the true order the wrong way round,
      and equal neighbours are wrong either way: at most 2 (n - 1) bets.

    A claim rests on games between the two: what is asked of bots that never meet stays open.
    Raises ValueError for a top that is not smaller than the field.
    """

    def __init__(self, bots: Sequence[str], until: Until, level: float) -> None:
        self._bots = sorted(bots)
        self._top = until.top
        if until.top is None:
            tests = 2 * (len(bots) - 1)
        elif until.top < len(bots):
            tests = until.top * (len(bots) - until.top) + 1
        else:
            raise ValueError(f"a top of {until.top} is all of {len(bots)} bots")
        self._log_target = math.log(tests / (1 - level))
        self._bettors = {pair: Bettor(0) for pair in permutations(self._bots, 2)}

    def add(self, *entries: Sequence[Unit]) -> None:
        """Take the units that came in next, of each entry of a tournament.

        A (table, deal) is one observation for each two bots, the mean of its games; those in which
        one of the two forfeited do not count. Of several entries each counts the same, however
        many units it has, as it does in standings; what two bots did is not counted while they
        have not met in all.
        """
        met = [_observed(units) for units in entries]
        for bot, versus in combinations(self._bots, 2):
            observed = [pairs.get((bot, versus), []) for pairs in met]
            fewest = min(map(len, observed))
            for of_entry in observed if fewest else ():
                for by in of_entry:
                    self._bettors[bot, versus].add(by, fewest / len(of_entry))
                    self._bettors[versus, bot].add(-by, fewest / len(of_entry))

    @property
    def is_clear(self) -> bool:
        """Whether the question is settled."""
        apart = {pair for pair, bettor in self._bettors.items() if self._has_won(bettor)}
        below = {bot: sum((bot, other) in apart for other in self._bots) for bot in self._bots}
        order = sorted(self._bots, key=below.__getitem__, reverse=True)
        return all(
            (order[i], order[j]) in apart
            for i, j in combinations(range(len(order)), 2)
            if self._top is None or i < self._top <= j
        )

    def _has_won(self, bettor: Bettor) -> bool:
        return bettor.log_capital >= self._log_target


def _observed(units: Iterable[Unit]) -> dict[tuple[str, str], list[float]]:
    """Return how much each bot was ahead of each other, by their names in order: a value a unit."""
    found: dict[tuple[str, str], list[float]] = {}
    for unit in units:
        for pair, each in differences(unit).items():
            found.setdefault(pair, []).append(math.fsum(each) / len(each))
    return found
