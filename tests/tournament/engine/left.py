"""What descends from this process, for the tests that none of it is left."""

import os
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from pathlib import Path

import trio

from referee.bot.tree import children

BOTS_DIE_S = 1.0
"""Within so long after a worker's end, or its coordinator's, none of its bots may be alive."""

DEAF_BOT = """
import json, signal, sys
for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
while True:
    message = json.loads(sys.stdin.readline() or '{"type": ""}')
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "turn":
        decision = message["decision"]
        choose = decision["options"][: decision["min"]]
        print(json.dumps({"id": message["id"], "choose": choose}), flush=True)
"""
"""It reads on when there is no more to read, and ignores all signals that can be ignored."""


def descendants(pid: int) -> Iterator[int]:
    """Go through a process's children, their children, and so on."""
    for child in children(pid):
        yield child
        yield from descendants(child)


def command_of(pid: int) -> bytes:
    """Return the command line of a process; nothing for one that has ended."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def none_left(within_s: float) -> bool:
    """Whether this process has no descendants, at the latest after so long.

    The one that Python's multiprocessing keeps until this process ends does not count.
    """
    deadline = time.monotonic() + within_s
    while any(b"resource_tracker" not in command_of(pid) for pid in descendants(os.getpid())):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def all_end(within_s: float) -> bool:
    """Whether what has become this process's child has ended, after so long at the latest.

    It is reaped: its own parent has ended.
    """
    deadline = time.monotonic() + within_s
    while not none_left(0):
        for pid in descendants(os.getpid()):
            if command_of(pid) == b"":
                with suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def dead_after_s(pids: Collection[int], within_s: float) -> float:
    """Return after how long none of these processes was alive; at least ``within_s`` if one is."""
    began = time.monotonic()
    while any(map(command_of, pids)) and time.monotonic() - began < within_s:
        time.sleep(0.01)
    return time.monotonic() - began


async def until(condition: Callable[[], bool], within_s: float = 10) -> None:
    """Wait until this holds; raises trio.TooSlowError."""
    with trio.fail_after(within_s):
        while not condition():  # noqa: ASYNC110 nothing tells of other processes' children
            await trio.sleep(0.005)
