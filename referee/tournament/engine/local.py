"""The engine that is this process: tables side by side in one thread."""

from collections.abc import Sequence

import trio

from referee.bot import Watchdog
from referee.chunk import Outcome, play_specs
from referee.series import SeriesSpec


class Local:
    """Plays so many tables at once; ``watchdog.run`` must be running."""

    remarks = ()
    chunk_s = 0.0

    def __init__(self, tables: int, watchdog: Watchdog) -> None:
        self.in_flight = trio.CapacityLimiter(tables)
        self._watchdog = watchdog

    async def play(self, specs: Sequence[SeriesSpec]) -> list[Outcome]:
        """Play these series one after another."""
        return await play_specs(specs, self._watchdog)
