"""What standings know of a game: its result, its faults and how long answers took."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import ClassVar, Self

import msgspec

from referee.protocol import Reason


class Times(msgspec.Struct, gc=False):
    """How long some answers took, mergeable: counts in buckets that grow by a tenth.

    Bucket ``b`` counts the times from ``0.05 * 1.1**b`` ms on, so a quantile is right to a tenth.
    """

    SMALLEST_MS: ClassVar[float] = 0.05
    GROWTH: ClassVar[float] = 1.1

    decisions: int = 0
    total_ms: float = 0.0
    max_ms: float = 0.0
    buckets: dict[int, int] = {}

    @classmethod
    def of(cls, times_ms: Sequence[float]) -> Self:
        """Count these answers' times."""
        long_ms = [ms for ms in times_ms if ms > cls.SMALLEST_MS]
        buckets = Counter(int(math.log(ms / cls.SMALLEST_MS, cls.GROWTH)) for ms in long_ms)
        if len(times_ms) > len(long_ms):
            buckets[0] += len(times_ms) - len(long_ms)
        return cls(len(times_ms), sum(times_ms), max(times_ms, default=0.0), dict(buckets))

    def merge(self, other: "Times") -> None:
        """Count the other's answers too."""
        self.decisions += other.decisions
        self.total_ms += other.total_ms
        self.max_ms = max(self.max_ms, other.max_ms)
        buckets = self.buckets
        for bucket, count in other.buckets.items():
            buckets[bucket] = buckets.get(bucket, 0) + count

    def quantile_ms(self, share: float) -> float:
        """Return the time that this share of the answers stayed within, right to a tenth."""
        left = share * self.decisions
        for bucket in sorted(self.buckets):
            left -= self.buckets[bucket]
            if left <= 0:
                return min(self.max_ms, self.SMALLEST_MS * self.GROWTH ** (bucket + 1))
        return self.max_ms


class Cpu(msgspec.Struct, frozen=True, gc=False):
    """Processor time of a bot's processes: while a question to it was open, and the rest."""

    asked_ms: float = 0.0
    unasked_ms: float = 0.0

    def since(self, before: "Cpu") -> "Cpu":
        """Return what was used after that."""
        return Cpu(
            round(self.asked_ms - before.asked_ms, 1),
            round(self.unasked_ms - before.unasked_ms, 1),
        )


class SeatFault(msgspec.Struct, frozen=True, gc=False):
    """A fault of a seat."""

    seat: int
    reason: Reason
    detail: str


class GameResult(msgspec.Struct, frozen=True, gc=False):
    """What standings know of a game; lists by seat, ``forfeited`` lists seats."""

    deal: int
    bots: list[str]
    scores: list[int]
    ranks: list[int]
    forfeited: list[int]
    capped: bool
    faults: list[SeatFault]
    decisions: int
    times: list[Times]
    cpu: list[Cpu] = []
