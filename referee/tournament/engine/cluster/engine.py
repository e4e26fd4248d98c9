"""The engine of a cluster, as the runner sees it: trio's side of the coordinator."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

import dask
import trio

from referee.chunk import Outcome
from referee.sandbox import Wanted, adopt_orphans
from referee.series import SeriesSpec
from referee.tournament.engine.cluster.connect import connection_to
from referee.tournament.engine.cluster.coordinator import Coordinator
from referee.tournament.engine.cluster.loop import Loop, open_loop
from referee.tournament.engine.cluster.settings import SETTINGS
from referee.tournament.engine.orphans import end_orphans


class Cluster:
    """Plays chunks on the workers of a scheduler; made by ``open_cluster``.

    Two chunks are in flight for each worker, so that none waits for the coordinator; ``most`` is
    the limit of all.
    """

    chunk_s = 30.0

    def __init__(self, loop: Loop, most: int | None) -> None:
        self.in_flight = trio.CapacityLimiter(1)
        self.coordinator: Coordinator
        self._loop = loop
        self._most = most
        self._token = trio.lowlevel.current_trio_token()

    @property
    def remarks(self) -> list[str]:
        """In what the workers differ."""
        return self.coordinator.remarks

    async def play(self, specs: Sequence[SeriesSpec]) -> list[Outcome]:
        """Play these series one after another; raises EngineGoneError."""
        return await self._loop.run(self.coordinator.play(list(specs)))

    def workers_found(self, workers: int) -> None:
        """Take note, in any thread, of how many workers there are."""
        tokens = max(1, min(2 * workers, self._most or 2 * workers))
        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(setattr, self.in_flight, "total_tokens", tokens)


@asynccontextmanager
async def open_cluster(scheduler: str, wanted: Wanted, most: int | None) -> AsyncIterator[Cluster]:
    """Have an engine of this scheduler's workers, for at most so many tables at a time.

    Raises EngineError. At the end no worker plays anything of the run, and nothing is left of those
    that were killed.
    """
    adopt_orphans()
    try:
        with dask.config.set(SETTINGS), open_loop() as loop:
            engine = Cluster(loop, most)
            async with loop.entered(connection_to(scheduler)) as client:
                engine.coordinator = Coordinator(client, wanted, engine.workers_found)
                await loop.run(engine.coordinator.begin())
                try:
                    yield engine
                finally:
                    with trio.CancelScope(shield=True):
                        await loop.run(engine.coordinator.end())
    finally:
        with trio.CancelScope(shield=True):
            await end_orphans()
