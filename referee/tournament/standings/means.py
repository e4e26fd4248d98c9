"""Means of independent units with their intervals."""

import math
from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from referee.tournament.standings.student import t_cdf, t_quantile

LEVEL = 0.95

Interval = tuple[float, float] | None
"""A 95 % interval; None where it cannot be had."""


class Mean(NamedTuple):
    """A mean, the variance of that mean and its degrees of freedom (0: not to be had)."""

    mean: float
    variance: float
    dof: float

    @property
    def interval(self) -> Interval:
        """The 95 % interval by t; None where one unit is all there is."""
        if self.dof <= 0:
            return None
        half = t_quantile((1 + LEVEL) / 2, self.dof) * math.sqrt(self.variance)
        return self.mean - half, self.mean + half

    @property
    def positive(self) -> float | None:
        """The probability that the true mean is above zero, by the t posterior (a flat prior)."""
        if self.dof <= 0:
            return None
        return t_cdf(self.mean / math.sqrt(self.variance), self.dof)

    def __neg__(self) -> "Mean":
        return Mean(-self.mean, self.variance, self.dof)


def mean_of(units: Sequence[float], lowest: float = 0.0) -> Mean:
    """Return the mean of some units' values, at least one, each from ``lowest`` to 1."""
    return mean_within([units], lowest)


def mean_within(tables: Collection[Sequence[float]], lowest: float = 0.0) -> Mean:
    """Return the mean of the units of several tables, of which only the deals count as luck.

    Who else sat at a table moves all its units alike. That is no luck where the tables are the
    schedule's: the spread is taken within them, and pooled. Where a table has a single unit that
    cannot be done, and all units count as those of one table: the interval is wider than it need
    be then, never narrower.
    """
    if min(map(len, tables)) == 1:
        tables = [list(chain.from_iterable(tables))]
    n = sum(map(len, tables))
    mean = math.fsum(chain.from_iterable(tables)) / n
    dof = n - len(tables)
    if dof == 0:
        return Mean(mean, 0.0, 0)
    if all(max(units) == min(units) for units in tables):
        return Mean(mean, _variance_of_equals(n, dof, max(mean - lowest, 1 - mean)), dof)
    squares = math.fsum(
        (value - centre) ** 2
        for units in tables
        for centre in [math.fsum(units) / len(units)]
        for value in units
    )
    return Mean(mean, squares / dof / n, dof)


def _variance_of_equals(n: int, dof: int, reach: float) -> float:
    """Return the variance that stands for ``n`` units that came out the same, table by table.

    They show no spread, which does not make them certain: with a share ``q`` of other outcomes
    they would all be the same with probability ``(1 - q) ** n``, which is 2.5 % or more up to
    some ``q`` (Clopper and Pearson 1934), and such others lie up to ``reach`` away. This variance
    makes the interval by t that wide.
    """
    tail = (1 - LEVEL) / 2
    others = 1 - tail ** (1 / n)
    return float((others * reach / t_quantile(1 - tail, dof)) ** 2)


def mean_of_means(means: Iterable[Mean]) -> Mean:
    """Return the unweighted mean of independent means, its freedom by Welch and Satterthwaite."""
    parts = list(means)
    if len(parts) == 1:
        return parts[0]
    k = len(parts)
    mean = math.fsum(part.mean for part in parts) / k
    if any(part.dof <= 0 for part in parts):
        return Mean(mean, 0.0, 0)
    variance = math.fsum(part.variance for part in parts) / k**2
    below = math.fsum((part.variance / k**2) ** 2 / part.dof for part in parts)
    return Mean(mean, variance, variance**2 / below)
