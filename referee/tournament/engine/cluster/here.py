"""A scheduler and its workers on this machine, in a process of their own.

It is started with how many workers there are to be and the folder that is theirs, says the
scheduler's address on standard output, and ends when its standard input does, hence also when its
coordinator is killed: workers, bots and folder end with it. A terminal's Ctrl-C does not reach it,
and what libraries and workers have to say of an end reaches nobody.
"""

import asyncio
import logging
import multiprocessing
import os
import shutil
import sys
from typing import NoReturn

import dask
import trio
from distributed import LocalCluster

from referee.sandbox import adopt_orphans
from referee.tournament.engine.cluster.settings import SETTINGS
from referee.tournament.engine.orphans import end_orphans, kill_orphans

ORPHANS_S = 0.2
"""How often it looks for what a worker that was killed has left."""

COMMAND = (sys.executable, "-P", "-m", __spec__.name)
"""What starts it; ``-P``, so that no file that lies about there is taken for a module."""


async def _serve(workers: int, folder: str) -> NoReturn:
    asyncio.get_running_loop().add_reader(sys.stdin.fileno(), _end, folder)
    # The dashboard is off, but has a port: any that is free.
    async with LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        memory_limit=0,
        local_directory=folder,
        env={"TMPDIR": folder},
        dashboard_address="127.0.0.1:0",
        scheduler_kwargs={"dashboard": False},
        silence_logs=logging.CRITICAL,
        asynchronous=True,
    ) as cluster:
        print(cluster.scheduler_address, flush=True)  # noqa: T201 this is how it says it
        while True:
            await asyncio.sleep(ORPHANS_S)
            kill_orphans()


def _end(folder: str) -> NoReturn:
    """End everything at once: workers own nothing, so nothing is lost, and nothing is asked."""
    workers = multiprocessing.active_children()
    for worker in workers:
        worker.kill()
    for worker in workers:
        worker.join()
    trio.run(end_orphans)
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)


def main() -> None:
    """Be the process."""
    adopt_orphans()
    workers, folder = int(sys.argv[1]), sys.argv[2]
    settings = {
        **SETTINGS,
        "temporary-directory": folder,
        # It starts those again that were killed, however often: none is given up.
        "distributed.deploy.lost-worker-timeout": "1000 days",
    }
    with dask.config.set(settings):
        asyncio.run(_serve(workers, folder))


if __name__ == "__main__":
    main()
