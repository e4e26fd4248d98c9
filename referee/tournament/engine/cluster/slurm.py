"""Workers that are jobs of SLURM, by dask-jobqueue. Import it in the main thread only."""

import signal
import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from distributed import Client

from referee.tournament.engine.errors import EngineError

_before = signal.getsignal(signal.SIGINT)
from dask_jobqueue import SLURMCluster  # noqa: E402 it takes Ctrl-C for itself, as it is imported

signal.signal(signal.SIGINT, _before)


@asynccontextmanager
async def jobs_of(file: Path) -> AsyncIterator[Client]:
    """Have the jobs that a TOML file describes; they may wait in the queue as long as they must.

    Its keys are those of dask-jobqueue's ``SLURMCluster``, and ``jobs``, how many. Raises
    EngineError.
    """
    settings = _settings(file)
    jobs = settings.pop("jobs", 1)
    # A thread a worker: as many workers as processors, unless it is said otherwise.
    settings = {"processes": settings.get("cores"), **settings}
    try:
        cluster = await SLURMCluster(asynchronous=True, **settings)
    except (TypeError, ValueError, RuntimeError, OSError) as error:
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
