"""The drawings of the pages, as numbers: each is a few marks, drawn as SVG by the templates."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from referee.record.result import Times
from referee.tournament.standings.means import Interval

BUCKETS_A_BAR = 3
"""A bar of times is 1.1 ** 3 wide: a third more."""
DECADES_MS = (0.1, 1.0, 10.0, 100.0, 1_000.0, 10_000.0, 100_000.0)


class Scale(msgspec.Struct, frozen=True):
    """A straight axis from ``low`` to ``high``, ``width`` units of the drawing wide."""

    low: float
    high: float
    width: int = 200

    def at(self, value: float) -> float:
        """Return where a value lies; what is outside lies at the edge."""
        share = (value - self.low) / (self.high - self.low)
        return round(self.width * min(1.0, max(0.0, share)), 1)

    @property
    def ticks(self) -> list[float]:
        """Round values on it, a few."""
        step = 0.1 if self.high - self.low <= 0.5 else 0.25 if self.high - self.low <= 1 else 0.5
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [round(step * number, 2) for number in range(first, last + 1)]


def scale_of(lines: Iterable[Any], mean: str, around: float, lowest: float = 0.0) -> Scale:
    """Return an axis that holds the means of these lines, their intervals and what is around.

    ``mean`` names a line's field; ``around`` is a value to compare with. The axis ends at tenths,
    and within ``lowest`` and 1.
    """
    values = [around]
    for line in lines:
        values += [getattr(line, mean), *(line.interval or ())]
    low = max(lowest, math.floor(min(values) * 10) / 10)
    high = min(1.0, math.ceil(max(values) * 10) / 10)
    return Scale(low, high if high > low else low + 0.1)


class Bar(msgspec.Struct, frozen=True):
    """How many answers took so long; ``x``, ``width``, ``height`` are shares of the drawing."""

    from_ms: float
    to_ms: float
    count: int
    x: float
    width: float
    height: float


class Histogram(msgspec.Struct, frozen=True):
    """A distribution of times over an axis of powers of ten; ``ticks`` are (ms, share)."""

    bars: list[Bar]
    ticks: list[tuple[float, float]]


def histogram_of(times: Times) -> Histogram:
    """Return the distribution of some times; no bars where there are none."""
    counts: dict[int, int] = {}
    for bucket, count in times.buckets.items():
        counts[bucket // BUCKETS_A_BAR] = counts.get(bucket // BUCKETS_A_BAR, 0) + count
    if not counts:
        return Histogram([], [])
    first, last = min(counts) - 1, max(counts) + 2
    most = max(counts.values())

    def share(bar: float) -> float:
        return (bar - first) / (last - first)

    bars = [
        Bar(_ms(bar), _ms(bar + 1), count, share(bar), 1 / (last - first), count / most)
        for bar, count in sorted(counts.items())
    ]
    ticks = [(ms, share(_bar(ms))) for ms in DECADES_MS if first <= _bar(ms) <= last]
    return Histogram(bars, ticks)


def _ms(bar: float) -> float:
    """Return where a bar begins."""
    return float(Times.SMALLEST_MS * Times.GROWTH ** (bar * BUCKETS_A_BAR))


def _bar(ms: float) -> float:
    """Return where a time lies among the bars."""
    return math.log(ms / Times.SMALLEST_MS, Times.GROWTH) / BUCKETS_A_BAR


def heat(ahead: float | None) -> int | None:
    """Return the step of the heat map, 0 to 10, for a share of games."""
    return None if ahead is None else round(ahead * 10)


def half_width(interval: Interval | Sequence[float]) -> float | None:
    """Return how far an interval reaches to each side."""
    return None if interval is None else (interval[1] - interval[0]) / 2
