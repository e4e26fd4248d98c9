"""Means of independent units with their intervals."""

import math
from collections.abc import Iterable, Sequence
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
    n = len(units)
    mean = math.fsum(units) / n
    if n == 1:
        return Mean(mean, 0.0, 0)
    variance = math.fsum((value - mean) ** 2 for value in units) / (n - 1) / n
    if max(units) == min(units):
        variance = _variance_of_equals(n, max(mean - lowest, 1 - mean))
    return Mean(mean, variance, n - 1)


def _variance_of_equals(n: int, reach: float) -> float:
    """Return the variance that stands for ``n`` units that all came out the same.

    They show no spread, which does not make them certain: with a share ``q`` of other outcomes
    they would all be the same with probability ``(1 - q) ** n``, which is 2.5 % or more up to
    some ``q`` (Clopper and Pearson 1934), and such others lie up to ``reach`` away. This variance
    makes the interval by t that wide.
    """
    tail = (1 - LEVEL) / 2
    others = 1 - tail ** (1 / n)
    return float((others * reach / t_quantile(1 - tail, n - 1)) ** 2)


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
