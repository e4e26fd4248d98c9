"""Processes that somebody else kills: the referee's, a bot's, those of its sandbox."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
import trio

from referee.bot.tree import children
from referee.protocol import Reason
from referee.sandbox import Mode, find_isolation
from tests.hostile.tables import PATIENT, hostile, play, processes_with

ROOT = Path(__file__).parents[2]


def command_of(pid: int) -> list[bytes]:
    return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")


def tree_of(mark: str, mode: Mode) -> dict[str, int]:
    """Return the processes of a bot that answers late, by what they are."""
    if mode == "off":
        return {"bot": next(pid for pid in children(os.getpid()) if pid in processes_with(mark))}
    (outer,) = (pid for pid in children(os.getpid()) if mark.encode() in command_of(pid))
    (first,) = children(outer)
    (bot,) = children(first)
    return {"outer": outer, "first": first, "bot": bot}


VICTIMS: list[tuple[Mode, str]] = [
    ("off", "bot"),
    ("bwrap", "bot"),
    ("bwrap", "first"),
    ("bwrap", "outer"),
]


@pytest.mark.parametrize(("mode", "victim"), VICTIMS)
def test_c3_a_bot_that_is_killed_from_outside_has_crashed(mode: Mode, victim: str) -> None:
    if mode != "off" and find_isolation("auto").mode == "off":
        pytest.skip(find_isolation("auto").warning)
    bot = hostile("Silent")

    async def kill() -> None:
        await trio.sleep(0.4)
        os.kill(tree_of(bot.argv[3], mode)[victim], signal.SIGKILL)

    played = play(bot, mode, clock=PATIENT, beside=kill)
    assert played.verdict is Reason.CRASH
    assert "was ended by signal 9 (Killed)" in played.detail


PLAY = """
import sys
from tests.hostile.tables import PATIENT, play
from referee.bot.spawn import Launch
play(Launch(sys.argv[1:], "tests/hostile"), "bwrap", clock=PATIENT)
"""


def wait_for(condition: Callable[[], bool], within_s: float) -> bool:
    end = time.monotonic() + within_s
    while not (held := condition()) and time.monotonic() < end:
        time.sleep(0.01)
    return held


@pytest.mark.parametrize("way", ["Silent", "SilentDaemon"])
def test_c2_no_isolated_bot_outlives_a_referee_that_is_killed(way: str) -> None:
    if find_isolation("auto").mode == "off":
        pytest.skip(find_isolation("auto").warning)
    bot = hostile(way)
    mark = bot.argv[3]
    with subprocess.Popen([sys.executable, "-c", PLAY, *bot.argv], cwd=ROOT) as referee:

        def are_there() -> bool:
            return len(processes_with(mark)) >= (5 if way == "SilentDaemon" else 4)

        try:
            assert wait_for(are_there, 10)
        finally:
            referee.kill()
    assert wait_for(lambda: processes_with(mark) == [], 1)
    with suppress(ChildProcessError):  # they have become this process's, who adopts orphans too
        while True:
            os.waitpid(-1, 0)
