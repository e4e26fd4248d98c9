"""Workers that are jobs of SLURM, by dask-jobqueue. Import it in the main thread only."""

import shutil
import signal
import tempfile
import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import dask
from distributed import Client

from referee.tournament.engine.errors import EngineError

_WHAT_IT_IS = "it may be a file like tournaments/slurm/jobs.toml of the organiser's guide"

_before = signal.getsignal(signal.SIGINT)
from dask_jobqueue import SLURMCluster  # noqa: E402 it takes Ctrl-C for itself, as it is imported

signal.signal(signal.SIGINT, _before)


def read_jobs(file: Path) -> tuple[int, dict[str, Any]]:
    """Return how many jobs a TOML file asks for, and what each is like; raises EngineError.

    Its keys are those of dask-jobqueue's ``SLURMCluster``, and ``jobs``, how many.
    """
    try:
        settings = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise _refused(file, f"{error.strerror}; {_WHAT_IT_IS}") from None
    except ValueError as error:
        raise _refused(file, f"not TOML: {error}") from None
    jobs = settings.pop("jobs", 1)
    if type(jobs) is not int or jobs < 1:
        raise _refused(file, f"jobs: found {jobs!r}; it may be a whole number from 1 on")
    if shutil.which("sbatch") is None:
        raise EngineError(
            "run.scheduler: there is no sbatch here; start this where jobs of SLURM are submitted"
        )
    # A thread a worker: as many workers as processors, unless it is said otherwise.
    return jobs, {"processes": settings.get("cores"), **settings}


@asynccontextmanager
async def jobs_of(file: Path) -> AsyncIterator[Client]:
    """Have the jobs that a file describes; they may wait in the queue as long as they must.

    Raises EngineError.
    """
    jobs, settings = read_jobs(file)
    own = {"dashboard": False, "dashboard_address": ":0", **settings.pop("scheduler_options", {})}
    with (
        tempfile.TemporaryDirectory(prefix="referee-scheduler-") as folder,
        dask.config.set({"temporary-directory": folder}),
    ):
        try:
            cluster = await SLURMCluster(asynchronous=True, scheduler_options=own, **settings)
        except (TypeError, ValueError, RuntimeError, OSError) as error:
            raise _refused(file, _line(error)) from None
        async with cluster, Client(cluster, asynchronous=True, set_as_default=False) as client:
            cluster.scale(jobs=jobs)
            try:
                await cluster  # until all are submitted
            except RuntimeError as error:
                raise _refused(file, _line(error.__cause__ or error)) from None
            await client.wait_for_workers(1)
            yield client


def _refused(file: Path, why: str) -> EngineError:
    return EngineError(f"run.scheduler: {file}: {why}")


def _line(error: BaseException) -> str:
    """Return what helps of an error: sbatch's own words, or the first sentence."""
    sentences, _, from_sbatch = str(error).partition("stderr:")
    return " ".join((from_sbatch or sentences.partition(". ")[0]).split())
