"""Machines that fail, points 6, 12, 13, 19 and 20: clocks, descriptors, processes, processors."""

import os
import resource
from pathlib import Path
from typing import Any

from tests.hostile.machines import QUICK, Machine, results_of

Results = dict[str, Any]

JUMPING_CLOCK = """
import datetime, itertools, time
days, clock = itertools.cycle([0, 1, -1, 365, -365]), time.time
class Jumping(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return super().now(tz) + datetime.timedelta(days=next(days))
datetime.datetime = Jumping
time.time = lambda: clock() + 86400 * next(days)
"""


def test_c6_wall_clock_jumps(quick: Machine, undisturbed: Results) -> None:
    quick.play(first=JUMPING_CLOCK)
    assert quick.results() == undisturbed


def test_c12_few_descriptors(tmp_path: Path, undisturbed: Results) -> None:
    quick = Machine(tmp_path, QUICK, deals=1, more="[run]\nconcurrency = 4\n")

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))

    done = quick.play(code=2, preexec_fn=bound)
    assert "may have 64 files open and needs" in done.stderr
    assert done.stderr.splitlines()[-1].startswith("referee: this process may have 64 files open")
    quick.play()
    assert quick.results() == undisturbed


def test_c12_a_soft_limit_is_raised(tmp_path: Path, undisturbed: Results) -> None:
    quick = Machine(tmp_path, QUICK, deals=1, more="[run]\nconcurrency = 4\n")

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 4096))

    quick.play(preexec_fn=bound)
    assert quick.results() == undisturbed


# Every third start fails, in one way and then another.
FORK_FAILS = """
import errno, itertools, os, subprocess
import referee.bot.process
referee.bot.process.RETRY_S = 0.01
referee.bot.process.PATIENCE_S = {patience_s}
calls = itertools.count()
class Failing(subprocess.Popen):
    def __init__(self, *words, **options):
        call = next(calls)
        if call > {after} and call % {every} == 0:
            number = [errno.EAGAIN, errno.ENOMEM][call // {every} % 2]
            raise OSError(number, os.strerror(number))
        super().__init__(*words, **options)
subprocess.Popen = Failing
"""


def test_c13_fork_fails_now_and_then(machine: Machine, uninterrupted: Results) -> None:
    machine.play(first=FORK_FAILS.format(patience_s=60, after=0, every=3))
    assert machine.results() == uninterrupted


def test_c13_fork_fails_for_good(machine: Machine, uninterrupted: Results) -> None:
    # After the trials and some series; what cannot be played is named, and is no bot's loss.
    done = machine.play(code=1, first=FORK_FAILS.format(patience_s=0.1, after=12, every=1))
    assert "referee: series not played: 1-1-" in done.stderr
    assert 1 <= len(machine.series) < 12
    assert "no process can be started: Cannot allocate memory" in " ".join(
        path.read_text() for path in machine.run.glob("aborted-*.txt")
    )
    machine.play()
    assert not list(machine.run.glob("aborted-*.txt"))
    assert machine.results() == uninterrupted


def test_c19_a_hog_and_a_spinner_beside_honest_bots(tmp_path: Path) -> None:
    ways = ["Honest", "Slow", "Spins", "SpinsInAChild", "MemoryOfMany"]
    machine = Machine(tmp_path, ways, deals=1, more="[limits]\nmemory_mb = 128\n")
    machine.play()
    rows = {row["bot"]: row for row in results_of(machine.run)["results"]["standings"]}
    assert [rows[f"bot {number}"]["forfeits"] for number in (1, 2)] == [0, 0]
    assert rows["bot 5"]["forfeits"] == rows["bot 5"]["games"]


def test_c20_more_tables_than_cores(tmp_path: Path) -> None:
    tables = 4 * len(os.sched_getaffinity(0))
    machine = Machine(
        tmp_path, more=f"[run]\nconcurrency = {tables}\n[limits]\nmemory_mb = 99999\n"
    )
    done = machine.play()
    assert f"{tables} tables" in done.stderr
    rows = results_of(machine.run)["results"]["standings"]
    assert [row["forfeits"] for row in rows] == [0, 0]
