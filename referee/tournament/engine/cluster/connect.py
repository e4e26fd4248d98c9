"""From ``run.scheduler`` to a client of dask.distributed that has workers."""

import asyncio
import logging
import os
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from distributed import Client

from referee.tournament.engine.cluster import here
from referee.tournament.engine.errors import EngineError

CONNECT_S = 10
WORKERS_S = 60
"""How long a scheduler may have no worker."""


def check_scheduler(scheduler: str) -> None:
    """Raise EngineError where it can be seen without asking it that this will not do."""
    kind, _, rest = scheduler.partition(":")
    if kind == "slurm":
        from referee.tournament.engine.cluster.slurm import read_jobs  # noqa: PLC0415 see there

        read_jobs(Path(rest))


def connection_to(scheduler: str) -> AbstractAsyncContextManager[Client]:
    """Return, to be entered in asyncio, a client of the scheduler that this names.

    ``local:N`` and ``slurm:FILE`` start workers of their own, which end with it. To be called in
    the main thread; entering it raises EngineError.
    """
    _silence()
    kind, _, rest = scheduler.partition(":")
    match kind:
        case "local":
            return _local(int(rest))
        case "slurm":
            from referee.tournament.engine.cluster.slurm import jobs_of  # noqa: PLC0415 see there

            return jobs_of(Path(rest))
        case _:
            return _remote(scheduler)


@asynccontextmanager
async def _remote(address: str) -> AsyncIterator[Client]:
    try:
        client = await Client(address, asynchronous=True, timeout=CONNECT_S, set_as_default=False)
    except OSError as error:
        raise EngineError(
            f"run.scheduler: no scheduler answers at {address} ({error}); "
            f"start one there with: dask scheduler"
        ) from None
    async with client:
        try:
            await client.wait_for_workers(1, timeout=WORKERS_S)
        except TimeoutError:
            raise EngineError(
                f"run.scheduler: {address} has had no worker for {WORKERS_S} s; start some with: "
                f"dask worker {address} --nthreads 1 --nworkers N"
            ) from None
        yield client


@asynccontextmanager
async def _local(workers: int) -> AsyncIterator[Client]:
    with tempfile.TemporaryDirectory(
        prefix="referee-workers-", ignore_cleanup_errors=True
    ) as folder:
        process = await asyncio.create_subprocess_exec(
            *(*here.COMMAND, str(workers), folder),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            start_new_session=True,
        )
        assert process.stdin is not None  # noqa: S101 it was asked for
        assert process.stdout is not None  # noqa: S101 so was this
        try:
            address = (await process.stdout.readline()).decode().strip()
            if not address:
                raise EngineError(
                    f"run.scheduler: {workers} workers cannot be started here; try fewer"
                )
            async with Client(address, asynchronous=True, set_as_default=False) as client:
                await client.wait_for_workers(workers)
                yield client
        finally:
            process.stdin.close()
            await process.wait()


def _silence() -> None:
    """Keep the libraries from telling what goes wrong: we do, in one line."""
    for name in logging.root.manager.loggerDict:
        if name.partition(".")[0] in ("asyncio", "distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
