"""The schedule of a comparison: the same deals and opponents, with the one bot and with the other.

An entry's first two bots are the arms. Each has a table, 1 and 2, at which it sits with all the
others; both tables play the same deals in the same seatings, and the seeds of the bots' own choices
are those of table 1 at both. So what differs between the two is the one bot alone.
"""

from collections.abc import Iterator

import msgspec

from referee.tournament.schedule.balance import Balance
from referee.tournament.schedule.plan import Block, Counts, Entry, Schedule, Series
from referee.tournament.schedule.seating import Seating


class ArmSeries(Series, frozen=True):
    """A series of either arm."""

    @property
    def place(self) -> tuple[int, int, int]:
        """That of the first arm's series, so that the opponents' seeds are the same in both."""
        return self.entry, 1, self.rotation


class ArmsBlock(Block, frozen=True):
    """Consecutive deals in all rotations of both arms: a unit, for they share their deals.

    ``bots`` are those of the first arm, ``others`` those of the second.
    """

    others: tuple[str, ...]

    @property
    def games(self) -> int:
        """How many games the block has."""
        return 2 * super().games

    def series(self) -> Iterator[Series]:
        """Go through the first arm's rotations, then through the second's."""
        first_game = self.first_game
        for table, bots in enumerate((self.bots, self.others), 1):
            for rotation in range(self.rotations):
                series = msgspec.structs.replace(self, bots=bots).rotation(rotation)
                fields = msgspec.structs.asdict(series)
                yield ArmSeries(**fields | {"table": table, "first_game": first_game})
                first_game += len(self.deals)


class Arms(Schedule):
    """All deals of a comparison, block after block, each whole in both arms.

    The entry has one bot more than seats: the two arms, then the opponents of both.
    """

    def __init__(self, entry: Entry, seating: Seating, block: int) -> None:
        self._new, self._old, *opponents = entry.bots
        arm = msgspec.structs.replace(entry, bots=(self._new, *opponents))
        super().__init__([arm], seating, None, block)
        self.games *= 2

    @property
    def counts(self) -> list[Counts]:
        """How much both arms play together."""
        (arm,) = super().counts
        both = {"bots": arm.bots + 1, "series": 2 * arm.series, "games": 2 * arm.games}
        return [msgspec.structs.replace(arm, tables=2, **both)]

    def balance(self, most_tables: int = 50_000) -> list[Balance | None]:  # noqa: ARG002 as there
        """Return None: the arms are not to be even with their opponents, but with one another."""
        return [None]

    def blocks(self) -> Iterator[Block]:
        """Go through all blocks in their order, in constant memory."""
        for block in super().blocks():
            fields = msgspec.structs.asdict(block)
            fields["first_game"] = 2 * (block.first_game - 1) + 1
            others = tuple(self._old if bot == self._new else bot for bot in block.bots)
            yield ArmsBlock(**fields, others=others)

    def series_of(self, game: int) -> Series:
        """Return the series that a game belongs to, by the game's place in the schedule from 1.

        Raises IndexError where there is no such game.
        """
        for series in self.series():
            if 0 <= game - series.first_game < len(series.deals):
                return series
        raise IndexError(f"there is no game {game}: the schedule has {self.games}")
