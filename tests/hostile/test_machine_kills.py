"""Machines that fail, points 1 to 3, 7 and 8: signals to the referee, and to bots from outside.

After each the same command ends in the results of a run to which nothing happened.
"""

import os
import random
import signal
import time
from pathlib import Path
from typing import Any

import pytest
import trio

from referee.bot.tree import children
from referee.protocol import Reason
from referee.sandbox import Mode, find_isolation
from tests import needs
from tests.hostile.machines import TRIALS, Machine
from tests.hostile.tables import PATIENT, hostile, play, processes_with

Results = dict[str, Any]


def kill_and_go_on(machine: Machine, trial: int, uninterrupted: Results) -> None:
    """Kill the referee at a random moment; play on: nothing is lost, nothing played twice."""
    rng = random.Random(trial)
    with machine.playing() as referee:
        # Any time from its start on, and before, in and between any two series.
        stored = rng.randrange(12)
        machine.wait_for_series(stored)
        time.sleep(rng.uniform(0, 0.2 if stored else 0.8))
        referee.kill()
    before = {path: path.stat().st_mtime_ns for path in machine.series}
    machine.play()
    assert machine.results() == uninterrupted
    assert before == {path: path.stat().st_mtime_ns for path in before}


@pytest.mark.parametrize("trial", range(TRIALS))
def test_c1_a_referee_killed_at_any_moment(
    trial: int, machine: Machine, uninterrupted: Results
) -> None:
    kill_and_go_on(machine, trial, uninterrupted)


@needs.isolation
@pytest.mark.parametrize("trial", range(TRIALS))
def test_c2_a_referee_killed_while_its_bots_have_daemons_that_ignore_the_end(
    trial: int, tmp_path: Path, uninterrupted: Results
) -> None:
    machine = Machine(tmp_path, ["Daemon", "Slow"])
    kill_and_go_on(machine, 100 + trial, uninterrupted)


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


def test_c7_a_referee_that_is_stopped_for_longer_than_a_bot_may_think(
    machine: Machine, uninterrupted: Results
) -> None:
    with machine.playing() as referee:
        machine.wait_for_series(3)
        os.kill(referee.pid, signal.SIGSTOP)
        time.sleep(1.5)
        os.kill(referee.pid, signal.SIGCONT)
    assert referee.returncode == 0
    assert machine.results() == uninterrupted


SIGNALS = {
    "SIGINT": [signal.SIGINT],
    "SIGINT twice": [signal.SIGINT, signal.SIGINT],
    "SIGTERM": [signal.SIGTERM],
    "SIGHUP": [signal.SIGHUP],
}


@pytest.mark.parametrize("signals", SIGNALS.values(), ids=SIGNALS)
def test_c8_a_signal_stops_all_bots_at_once_and_the_same_command_goes_on(
    signals: list[signal.Signals], machine: Machine, uninterrupted: Results
) -> None:
    with machine.playing(start_new_session=True) as referee:
        machine.wait_for_series(2)
        sent = time.monotonic()
        for number in signals:
            os.killpg(referee.pid, number)
            time.sleep(0.01)
        said, _ = referee.communicate(timeout=20)
    assert time.monotonic() - sent < 2
    assert referee.returncode == 130
    assert "referee: interrupted" in said
    assert "Traceback" not in said
    assert 2 <= len(machine.series) < 12
    assert not list((machine.run / "series").glob("*.new"))
    machine.play()
    assert machine.results() == uninterrupted
