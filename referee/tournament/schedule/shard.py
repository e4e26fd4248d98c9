"""Shards: parts of a schedule that can be played by machines that know nothing of each other."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Self

import msgspec

from referee.tournament.schedule.plan import Block, Schedule

MOST_SHARDS = 100_000


class Shard(msgspec.Struct, frozen=True):
    """Every so-many-th block of a schedule, from block ``number``, counted from 1, on.

    Blocks are whole, since their series share deals. The shards of a schedule have nothing in
    common, are all of it together, and are of nearly the same size.
    """

    number: int = 1
    of: int = 1

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``K/N``; raises ValueError."""
        number, slash, of = text.partition("/")
        decimal = slash and number.isdecimal() and of.isdecimal()
        if decimal and 1 <= int(number) <= int(of) <= MOST_SHARDS:
            return cls(int(number), int(of))
        raise ValueError(f"{text!r}: it may be K/N with K from 1 to N, such as 2/4")

    @property
    def is_whole(self) -> bool:
        """Whether this is all of the schedule."""
        return self.of == 1

    def blocks(self, schedule: Schedule) -> Iterator[Block]:
        """Go through this shard's blocks."""
        return islice(schedule.blocks(), self.number - 1, None, self.of)

    def games(self, schedule: Schedule, among: Callable[[str], bool] | None = None) -> int:
        """Count this shard's games, or only those of series whose id is ``among``."""
        if self.is_whole and among is None:
            return schedule.games
        return sum(
            len(series.deals)
            for block in self.blocks(schedule)
            for series in block.series()
            if among is None or among(series.id)
        )


WHOLE = Shard()
