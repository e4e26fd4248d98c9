"""From ``run.scheduler`` to a client of dask.distributed that has workers."""

import logging
import sys
import warnings
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import dask
from distributed import Client, LocalCluster

from referee.tournament.engine.cluster.scratch import open_scratch
from referee.tournament.engine.errors import EngineError

CONNECT_S = 10
WORKERS_S = 60
"""How long a scheduler may have no worker."""

SETTINGS = {
    # Workers are not handed more than they play: who dies has lost that only.
    "distributed.scheduler.worker-saturation": 1.0,
    "distributed.scheduler.allowed-failures": 2,
    # One process that plays needs no more than it has; a bot's memory is limited by itself.
    "distributed.worker.memory.terminate": False,
    "distributed.worker.memory.pause": False,
}


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
    with open_scratch() as folder, dask.config.set({"temporary-directory": folder}):
        cluster = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=0,
            local_directory=folder,
            env={"TMPDIR": folder},
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False},
            silence_logs=logging.CRITICAL,
            asynchronous=True,
        )
        try:
            await cluster
        except (RuntimeError, OSError) as error:
            await cluster.close()
            raise EngineError(
                f"run.scheduler: {workers} workers cannot be started here ({error})"
            ) from None
        async with cluster, Client(cluster, asynchronous=True, set_as_default=False) as client:
            await client.wait_for_workers(workers)
            yield client


def _silence() -> None:
    """Keep the libraries from telling what goes wrong: we do, in one line."""
    warnings.filterwarnings("ignore", module="distributed")
    # For the process of multiprocessing's that outlives a coordinator which is killed.
    sys.warnoptions.append("ignore:resource_tracker:UserWarning")
    for name in logging.root.manager.loggerDict:
        if name.partition(".")[0] in ("asyncio", "distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
