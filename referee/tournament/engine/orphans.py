"""What a worker process leaves behind when it is killed: bots that are now this process's children.

That they become so is ``sandbox.adopt_orphans``; isolated ones have died with their worker.
"""

import os
import signal
from collections.abc import Collection
from contextlib import suppress

import trio

from referee.bot.tree import children

_END_S = 10


async def end_orphans(known: Collection[int] = ()) -> None:
    """Have no such children of this process any more; those that are ``known`` are spared."""
    with trio.move_on_after(_END_S):
        while kill_orphans(known):  # noqa: ASYNC110 nothing tells of others' children
            await trio.sleep(0.002)


def kill_orphans(known: Collection[int] = ()) -> bool:
    """Kill, and reap where they have ended, all children with a session of their own, as bots have.

    Returns whether there were any.
    """
    orphans = [pid for pid in children(os.getpid()) if _is_orphan(pid, known)]
    for pid in orphans:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
    return bool(orphans)


def _is_orphan(pid: int, known: Collection[int]) -> bool:
    with suppress(ProcessLookupError):
        return pid not in known and os.getsid(pid) != os.getsid(0)
    return False
