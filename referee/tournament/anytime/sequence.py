"""A confidence sequence for the mean of values from -1 to 1: an interval at every moment.

Somebody bets that the mean is above ``m``: from each value ``x`` a share ``s`` of the capital wins
or loses by the factor ``1 + s (x - m) / (1 + m)``, which is never negative. If the mean is ``m``
or below, no way of betting makes money, and capital ever grows ``1 / a``-fold with probability
``a`` at most (Ville 1939). So the lower bound is the smallest ``m`` at which the bettor has not
yet grown ``1 / a``-fold, and the upper bound is that of the values with their signs changed.
That is the betting confidence sequence of Waudby-Smith and Ramdas, "Estimating means of bounded
random variables by betting" (JRSS B 2024, arXiv 2010.09686).

The bettor splits the capital evenly over a few shares, each of which is kept throughout (a mixture
in the manner of Cover's universal portfolio, as in Ryu and Bhatt, arXiv 2207.12382). One of them
is near the best share whatever the spread and the size of the effect; capital depends on the
values alone, not on their order; it falls as ``m`` grows, so the bounds are found by bisection.
The values may also have different means (tables of different opponents): for each share the
expected growth is the product of ``1 + s (mean_i - m) / (1 + m)``, at most 1 when the average of
those means is at most ``m``, so the interval is one for the average of the means so far.
"""

import math
from collections import Counter
from collections.abc import Mapping

SHARES = (0.9, 0.3, 0.1, 0.03)
"""What is staked. Nine tenths is for large effects; three hundredths still finds small ones."""


class Bettor:
    """Somebody who bets that the mean is above ``mean``, which is above -1."""

    def __init__(self, mean: float) -> None:
        self._mean = mean
        self._stakes = [share / (1 + mean) for share in SHARES]
        self._logs = [0.0] * len(SHARES)

    def add(self, value: float, times: float = 1) -> None:
        """Bet on a value that was seen so many times.

        Less than once is fair too: a power below 1 of a factor whose mean is 1 at most has itself a
        mean of 1 at most; and in averages of means the value then counts so much less.
        """
        gain = value - self._mean
        for i, stake in enumerate(self._stakes):
            self._logs[i] += times * math.log1p(stake * gain)

    @property
    def log_capital(self) -> float:
        """The logarithm of the capital, which was 1."""
        most = max(self._logs)
        parts = sum([math.exp(log - most) for log in self._logs])
        return most + math.log(parts / len(SHARES))


class Sequence:
    """A confidence sequence: values come one by one, and ``bounds`` hold for all moments at once.

    ``alpha`` is the probability that either bound is ever wrong; half of it is each bound's.
    """

    def __init__(self, alpha: float) -> None:
        self._log_target = math.log(2 / alpha)
        self._seen: Counter[float] = Counter()
        self._sum = 0.0
        self.count = 0

    def add(self, value: float) -> None:
        """Take a value, -1 to 1; raises ValueError for any other."""
        if not -1 <= value <= 1:
            raise ValueError(f"a value of {value} is not from -1 to 1")
        # Rounded, values that sums of thirds brought apart by their last digits are one.
        self._seen[round(value, 9)] += 1
        self._sum += value
        self.count += 1

    @property
    def mean(self) -> float:
        """The mean of the values so far; 0 before the first."""
        return self._sum / max(1, self.count)

    @property
    def bounds(self) -> tuple[float, float]:
        """The interval after the values so far."""
        below = _lower_bound(self._seen, self._log_target)
        above = _lower_bound({-value: n for value, n in self._seen.items()}, self._log_target)
        return below, -above


def _lower_bound(seen: Mapping[float, int], log_target: float) -> float:
    """Return the smallest mean against which nobody has made so much, to a millionth."""
    low, high = -1.0, 1.0
    while high - low > 1e-6:
        middle = (low + high) / 2
        bettor = Bettor(middle)
        for value, times in seen.items():
            bettor.add(value, times)
        if bettor.log_capital >= log_target:
            low = middle
        else:
            high = middle
    return low
