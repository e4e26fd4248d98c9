"""The engine that a config asks for."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from referee.bot import Watchdog
from referee.tournament.config import Config
from referee.tournament.engine.engine import Engine
from referee.tournament.engine.errors import EngineError
from referee.tournament.engine.local import Local
from referee.tournament.engine.processes import open_processes


def check_engine(config: Config) -> None:
    """Raise EngineError where it can be seen at once that an engine cannot be had from here."""
    if config.run.engine != "dask":
        return
    try:
        from referee.tournament.engine.cluster import check_scheduler  # noqa: PLC0415 an extra

        check_scheduler(config.run.scheduler or "")
    except ImportError as error:
        raise EngineError(
            f'run.engine: "dask" needs the extra cluster ({error}): '
            f"pip install 'referee[cluster]'"
        ) from None


@asynccontextmanager
async def open_engine(config: Config, tables: int, watchdog: Watchdog) -> AsyncIterator[Engine]:
    """Have the engine of ``[run]``: so many tables at a time on this machine, or others.

    ``watchdog.run`` must be running. Raises EngineError.
    """
    match config.run.engine:
        case "local":
            yield Local(tables, watchdog)
        case "processes":
            async with open_processes(tables, pin=config.run.pin) as processes:
                yield processes
        case "dask":
            check_engine(config)
            from referee.tournament.engine.cluster import open_cluster  # noqa: PLC0415 an extra

            most = None if config.run.concurrency == "auto" else tables
            wanted = config.limits.sandbox
            async with open_cluster(config.run.scheduler or "", wanted, most) as cluster:
                yield cluster
