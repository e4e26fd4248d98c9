"""From ``run.scheduler`` to a client of dask.distributed that has workers."""

import logging
import tempfile
import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import dask
from dask_jobqueue import SLURMCluster
from distributed import Client, LocalCluster

from referee.tournament.engine.errors import EngineError

CONNECT_S = 10
WORKERS_S = 60
"""How long a scheduler may have no worker."""

_SETTINGS = {
    # Workers are not handed more than they play: who dies has lost that only.
    "distributed.scheduler.worker-saturation": 1.0,
    "distributed.scheduler.allowed-failures": 2,
    # One process that plays needs no more than it has; a bot's memory is limited by itself.
    "distributed.worker.memory.terminate": False,
    "distributed.worker.memory.pause": False,
}


@asynccontextmanager
async def connected(scheduler: str) -> AsyncIterator[Client]:
    """Have a client of the scheduler that this names; raises EngineError.

    ``local:N`` and ``slurm:FILE`` start workers of their own, which end with this.
    """
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what goes wrong, we say
    kind, _, rest = scheduler.partition(":")
    with dask.config.set(_SETTINGS):
        match kind:
            case "local":
                connection = _local(int(rest))
            case "slurm":
                connection = _slurm(Path(rest))
            case _:
                connection = _remote(scheduler)
        async with connection as client:
            yield client


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
    with tempfile.TemporaryDirectory(prefix="referee-workers-") as folder:
        async with (
            LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                memory_limit=0,
                local_directory=folder,
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
                asynchronous=True,
            ) as cluster,
            Client(cluster, asynchronous=True, set_as_default=False) as client,
        ):
            await client.wait_for_workers(workers)
            yield client


@asynccontextmanager
async def _slurm(file: Path) -> AsyncIterator[Client]:
    """Have jobs of SLURM, which may wait in its queue as long as they must."""
    settings = _settings(file)
    jobs = settings.pop("jobs", 1)
    # A thread a worker: as many workers as processors, unless it is said otherwise.
    settings = {"processes": settings.get("cores"), **settings}
    try:
        cluster = await SLURMCluster(asynchronous=True, **settings)
    except (TypeError, ValueError) as error:
        raise EngineError(f"run.scheduler: {file}: {error}") from None
    async with cluster, Client(cluster, asynchronous=True, set_as_default=False) as client:
        cluster.scale(jobs=jobs)
        await client.wait_for_workers(1)
        yield client


def _settings(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise EngineError(f"run.scheduler: {file}: {error}") from None
