"""Plackett-Luce ratings on the Elo scale.

A game's ranking is seen as drawn place by place: each next place goes to one of those left with a
probability in proportion to strength (Plackett 1975, Luce 1959). The strengths are those of
maximum likelihood, so the order of games does not count. A tie counts as every order of the tied,
each with an equal share. A drawn game of each bot against one of strength 1 is the weak prior that
keeps the rating of who won or lost everything finite.

The interval is that of the infinitesimal jackknife over units (the sandwich estimator with units
as clusters; White 1982, Liang and Zeger 1986): rotations of a deal share their luck, so the
model's own information would promise too much or too little.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from referee.tournament.standings.means import LEVEL, Interval
from referee.tournament.standings.points import Unit
from referee.tournament.standings.student import t_quantile

CENTRE = 1500.0
"""The mean rating of the bots that are rated together."""
ELO = 400 / math.log(10)
"""Elo points for a strength that is larger by a factor of e."""
PRIOR_GAMES = 1.0

Ranking = tuple[tuple[str, ...], ...]
"""Bots by place, best first; those in one place are tied."""


class Rating(NamedTuple):
    """A bot's rating; no interval for one unit, nor where a bot was never, or always, behind."""

    rating: float
    interval: Interval


def ratings(units: Sequence[Unit]) -> dict[str, Rating]:
    """Return the rating of every bot that was ranked with another; forfeiters are left out."""
    rankings = [_rankings(unit) for unit in units]
    counted = Counter(ranking for unit in rankings for ranking in unit)
    bots = sorted({bot for ranking in counted for place in ranking for bot in place})
    if not bots:
        return {}
    fit = _Fit(bots, counted)
    mean = math.fsum(fit.logs) / len(bots)
    half = _half_widths(fit, rankings, _bounded(counted))
    found = {}
    for bot, log in zip(bots, fit.logs, strict=True):
        rating = CENTRE + ELO * (log - mean)
        interval = (rating - half[bot], rating + half[bot]) if bot in half else None
        found[bot] = Rating(rating, interval)
    return found


def expected_points(bot: float, others: Iterable[float]) -> float:
    """Return the points a game that these ratings promise a bot against others.

    Under Plackett-Luce each of two is ahead in proportion to strength whoever else plays.
    """
    ahead = [1 / (1 + math.exp((other - bot) / ELO)) for other in others]
    return math.fsum(ahead) / len(ahead)


def _rankings(unit: Unit) -> list[Ranking]:
    found = []
    for game, _ in unit:
        places: dict[int, list[str]] = defaultdict(list)
        for seat, bot in enumerate(game.bots):
            if seat not in game.forfeited:
                places[game.ranks[seat]].append(bot)
        ranking = tuple(tuple(sorted(places[rank])) for rank in sorted(places))
        if sum(map(len, ranking)) > 1:
            found.append(ranking)
    return found


def _bounded(counted: Mapping[Ranking, int]) -> set[str]:
    """Return the bots that were both ahead of and behind another, or tied, at some time."""
    ahead: set[str] = set()
    behind: set[str] = set()
    for ranking in counted:
        for at, place in enumerate(ranking):
            if len(place) > 1 or at < len(ranking) - 1:
                ahead.update(place)
            if len(place) > 1 or at > 0:
                behind.update(place)
    return ahead & behind


@lru_cache(maxsize=65536)
def _draws(ranking: Ranking) -> tuple[tuple[tuple[str, ...], float], ...]:
    """Return the sets from which the places of a ranking were drawn, each with its weight.

    A place with several tied draws from every subset of them, and all that come behind: those of
    one size share a weight of 1, as they would over all orders of the tied.
    """
    draws = []
    behind: tuple[str, ...] = ()
    for place in reversed(ranking):
        for size in range(1, len(place) + 1):
            weight = 1 / math.comb(len(place), size)
            draws += [(left + behind, weight) for left in combinations(place, size)]
        behind = place + behind
    return tuple(draws)


class _Fit:
    """The strengths of maximum likelihood, as logarithms in ``logs``, by Newton's method."""

    def __init__(self, bots: Sequence[str], counted: Mapping[Ranking, int]) -> None:
        self.bots = bots
        self.at = {bot: i for i, bot in enumerate(bots)}
        self.drawn = [0.0] * len(bots)
        sets: dict[tuple[int, ...], float] = defaultdict(float)
        for ranking, count in sorted(counted.items()):
            for place in ranking:
                for bot in place:
                    self.drawn[self.at[bot]] += count
            for members, weight in _draws(ranking):
                sets[tuple(sorted(map(self.at.__getitem__, members)))] += count * weight
        self.sets = sorted(sets.items())
        self._place([0.0] * len(bots))
        self._climb()

    def _place(self, logs: list[float]) -> None:
        self.logs = logs
        self.strengths = [math.exp(log) for log in logs]

    def shares(self, members: Sequence[int]) -> list[float]:
        """Return the probability with which each member of a set is drawn."""
        strengths = [self.strengths[i] for i in members]
        total = sum(strengths)
        return [strength / total for strength in strengths]

    def _climb(self) -> None:
        likelihood = self._likelihood()
        while True:
            slope, self.inverse = self._slope_and_inverse()
            step = [_dot(row, slope) for row in self.inverse]
            # Each step about squares the error, so the one that gains this little is the last.
            is_last = _dot(step, slope) < 1e-9 * (1 - likelihood)
            likelihood = self._step(step, likelihood)
            if is_last:
                return

    def _step(self, step: list[float], likelihood: float) -> float:
        """Take a step, halved until it does not lead down, and return the likelihood there."""
        before = self.logs
        while True:
            self._place([log + by for log, by in zip(before, step, strict=True)])
            reached = self._likelihood()
            if reached > likelihood or _dot(step, step) < 1e-12:
                return reached
            step = [by / 2 for by in step]

    def _likelihood(self) -> float:
        strengths = self.strengths
        terms = [drawn * log for drawn, log in zip(self.drawn, self.logs, strict=True)]
        for members, count in self.sets:
            terms.append(-count * math.log(sum([strengths[i] for i in members])))
        for log, strength in zip(self.logs, strengths, strict=True):
            terms.append(PRIOR_GAMES * (log / 2 - math.log1p(strength)))
        return math.fsum(terms)

    def _slope_and_inverse(self) -> tuple[list[float], list[list[float]]]:
        """Return the likelihood's first derivatives and the inverse of minus its second."""
        bots = len(self.bots)
        slope = list(self.drawn)
        curve = [[0.0] * bots for _ in range(bots)]
        for members, count in self.sets:
            shares = self.shares(members)
            for i, share in zip(members, shares, strict=True):
                weight = count * share
                slope[i] -= weight
                row = curve[i]
                row[i] += weight
                for j, other in zip(members, shares, strict=True):
                    row[j] -= weight * other
        for i, strength in enumerate(self.strengths):
            ahead = strength / (1 + strength)
            slope[i] += PRIOR_GAMES * (0.5 - ahead)
            curve[i][i] += PRIOR_GAMES * ahead * (1 - ahead)
        return slope, _inverse(curve)


def _half_widths(
    fit: _Fit, rankings: Sequence[Sequence[Ranking]], bounded: set[str]
) -> dict[str, float]:
    """Return half the interval's width for each bot that has one."""
    pull = {ranking: _pull(fit, ranking) for unit in rankings for ranking in unit}
    # What a unit does to each rating, less what it does to their mean.
    mean = [sum(column) / len(fit.bots) for column in zip(*fit.inverse, strict=True)]
    lever = [[a - b for a, b in zip(row, mean, strict=True)] for row in fit.inverse]
    squares = [0.0] * len(fit.bots)
    seen: Counter[str] = Counter()
    units = 0
    for unit in filter(None, rankings):
        units += 1
        score: dict[int, float] = defaultdict(float)
        for ranking in unit:
            for i, by in pull[ranking]:
                score[i] += by
        seen.update(fit.bots[i] for i in score)
        for i, row in enumerate(lever):
            squares[i] += sum([row[j] * by for j, by in score.items()]) ** 2
    return {
        bot: t_quantile((1 + LEVEL) / 2, seen[bot] - 1)
        * ELO
        * math.sqrt(squares[i] * units / (units - 1))
        for i, bot in enumerate(fit.bots)
        if seen[bot] > 1 and bot in bounded
    }


def _pull(fit: _Fit, ranking: Ranking) -> list[tuple[int, float]]:
    """Return the derivatives of a ranking's likelihood, for the bots that are in it."""
    pull: dict[int, float] = {fit.at[bot]: 1.0 for place in ranking for bot in place}
    for members, weight in _draws(ranking):
        at = [fit.at[bot] for bot in members]
        for i, share in zip(at, fit.shares(at), strict=True):
            pull[i] -= weight * share
    return list(pull.items())


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum([a * b for a, b in zip(one, other, strict=True)])


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Invert a symmetric, positive definite matrix by Gauss and Jordan, no pivots needed."""
    n = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(n))] for i, row in enumerate(matrix)]
    for i in range(n):
        scale = 1 / rows[i][i]
        pivot = rows[i] = [value * scale for value in rows[i]]
        for j in range(n):
            if j != i and (by := rows[j][i]):
                rows[j] = [a - by * b for a, b in zip(rows[j], pivot, strict=True)]
    return [row[n:] for row in rows]
