"""Points of a game, and means of points with their intervals.

The unit of luck is the (table, deal): all rotations of a deal at a table share their cards, so a
bot's mean within a unit is one observation.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from referee.record.result import GameResult
from referee.tournament.standings.student import t_cdf, t_quantile

LEVEL = 0.95


def points(game: GameResult) -> list[float]:
    """Return each seat's points, 0 to 1.

    Among the seats that did not forfeit 1 for the first, 0 for the last, evenly between, ties
    averaged, a lone one 1; a forfeiter 0. So nobody gains by another's forfeit.
    """
    stayed = [seat for seat in range(len(game.bots)) if seat not in game.forfeited]
    won = [0.0] * len(game.bots)
    for seat in stayed:
        if len(stayed) == 1:
            won[seat] = 1.0
            continue
        others = [game.ranks[other] for other in stayed if other != seat]
        beaten = sum(rank > game.ranks[seat] for rank in others)
        tied = sum(rank == game.ranks[seat] for rank in others)
        won[seat] = (beaten + tied / 2) / len(others)
    return won


class Mean(NamedTuple):
    """A mean, the variance of that mean and its degrees of freedom (0: not to be had)."""

    mean: float
    variance: float
    dof: float

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval; None where one observation is all there is."""
        if self.dof <= 0:
            return None
        half = t_quantile((1 + LEVEL) / 2, self.dof) * math.sqrt(self.variance)
        return self.mean - half, self.mean + half

    @property
    def positive(self) -> float | None:
        """The probability that the true mean is above zero."""
        if self.dof <= 0:
            return None
        if self.variance == 0:
            return 0.5 + math.copysign(0.5, self.mean) if self.mean else 0.5
        return t_cdf(self.mean / math.sqrt(self.variance), self.dof)


def mean_of(units: Sequence[float]) -> Mean:
    """Return the mean of some units' values."""
    n = len(units)
    mean = math.fsum(units) / n
    if n == 1:
        return Mean(mean, 0.0, 0)
    variance = math.fsum((value - mean) ** 2 for value in units) / (n - 1) / n
    return Mean(mean, variance, n - 1)


def mean_of_means(means: Iterable[Mean]) -> Mean:
    """Return the unweighted mean of independent means (Welch and Satterthwaite)."""
    parts = list(means)
    if len(parts) == 1:
        return parts[0]
    k = len(parts)
    mean = math.fsum(part.mean for part in parts) / k
    if any(part.dof <= 0 for part in parts):
        return Mean(mean, 0.0, 0)
    variance = math.fsum(part.variance for part in parts) / k**2
    below = math.fsum((part.variance / k**2) ** 2 / part.dof for part in parts)
    dof = variance**2 / below if below else math.fsum(part.dof for part in parts)
    return Mean(mean, variance, dof)
