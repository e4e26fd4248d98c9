"""The engine of worker processes on this machine: tables that share neither thread nor lock."""

import os
import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import cycle, islice

import trio

from referee.chunk import Failure, Outcome, decode_outcomes, encode_specs
from referee.sandbox import adopt_orphans
from referee.series import SeriesSpec
from referee.tournament.engine.orphans import end_orphans
from referee.worker import COMMAND, Frames

MOST_DEATHS = 3
"""After so many deaths of the worker that plays it, a series is given up."""
_END_S = 10


class Processes:
    """Plays a table in each of so many worker processes; made by ``open_processes``.

    What a killed worker was playing is played again by a new one. With ``pin`` each keeps to one
    core with its bots: an answer then wakes nobody on another core, but bots of a table that think
    at the same time share it.
    """

    remarks = ()
    chunk_s = 1.0

    def __init__(self, workers: int, *, pin: bool) -> None:
        self.in_flight = trio.CapacityLimiter(workers)
        cores = cycle(sorted(os.sched_getaffinity(0)) if pin else [None])
        self._idle = [_Worker(core) for core in islice(cores, workers)]
        self._all = set(self._idle)

    @property
    def workers(self) -> set[int]:
        """The numbers of the worker processes."""
        return {worker.pid for worker in self._all}

    async def play(self, specs: Sequence[SeriesSpec]) -> list[Outcome]:
        """Play these series one after another."""
        for _ in range(MOST_DEATHS):
            worker = self._idle.pop()
            answer = await worker.play(encode_specs(specs))
            if answer is not None:
                self._idle.append(worker)
                return decode_outcomes(answer)
            await self._bury(worker)
            self._idle.append(_Worker(worker.core))
            self._all.add(self._idle[-1])
        if len(specs) > 1:  # which of them it is, each shows by itself
            return [outcome for spec in specs for outcome in await self.play([spec])]
        reason = f"{MOST_DEATHS} worker processes were killed while they played it"
        return [Outcome(specs[0].setting.series, 0.0, failure=Failure(reason, reason))]

    async def _bury(self, worker: "_Worker") -> None:
        await worker.end()
        self._all.remove(worker)
        await end_orphans(self.workers)

    async def close(self) -> None:
        """End all workers, and with them all bots; cancellation is for the caller to bar."""
        async with trio.open_nursery() as nursery:
            for worker in self._all:
                nursery.start_soon(worker.end)
        await end_orphans()


@asynccontextmanager
async def open_processes(workers: int, *, pin: bool = False) -> AsyncIterator[Processes]:
    """Start so many workers; at the end, however it comes, neither they nor bots are left."""
    adopt_orphans()
    engine = Processes(workers, pin=pin)
    try:
        yield engine
    finally:
        with trio.CancelScope(shield=True):
            await engine.close()


class _Worker:
    def __init__(self, core: int | None) -> None:
        self.core = core
        # A session of its own: Ctrl-C at the terminal is for the referee, which ends its workers.
        self._process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        self.pid = self._process.pid
        if core is not None:
            os.sched_setaffinity(self.pid, {core})  # before it starts a bot, which inherits it
        assert self._process.stdin is not None  # noqa: S101 it was asked for
        assert self._process.stdout is not None  # noqa: S101 so was this
        fds = (os.dup(self._process.stdout.fileno()), os.dup(self._process.stdin.fileno()))
        self._process.stdin.close()
        self._process.stdout.close()
        self._frames = Frames(*fds)

    async def play(self, chunk: bytes) -> bytes | None:
        """Return the outcomes; None where the worker has died."""
        with suppress(trio.BrokenResourceError):
            await self._frames.send(chunk)
            return await self._frames.receive()
        return None

    async def end(self) -> None:
        """Have it stop its bots and end, or kill it after a while; reap it."""
        await self._frames.close()
        pidfd = os.pidfd_open(self.pid)
        try:
            with trio.move_on_after(_END_S):
                await trio.lowlevel.wait_readable(pidfd)
            self._process.kill()
            await trio.lowlevel.wait_readable(pidfd)
        finally:
            os.close(pidfd)
        self._process.wait()
