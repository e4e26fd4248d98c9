"""The engine that a config asks for."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from referee.bot import Watchdog
from referee.tournament.config import Running
from referee.tournament.engine.engine import Engine
from referee.tournament.engine.local import Local
from referee.tournament.engine.processes import open_processes


@asynccontextmanager
async def open_engine(running: Running, tables: int, watchdog: Watchdog) -> AsyncIterator[Engine]:
    """Have an engine that plays so many tables at once on this machine, or what there is elsewhere.

    ``watchdog.run`` must be running.
    """
    match running.engine:
        case "processes":
            async with open_processes(tables) as processes:
                yield processes
        case _:
            yield Local(tables, watchdog)
