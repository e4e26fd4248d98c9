"""Limits that are laid on a bot's process, and looks at what it uses."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

import pytest
import trio
import trio.testing

from referee.bot import Bot, Watchdog
from referee.bot.limits import Limits
from referee.bot.meter import Meter
from referee.bot.spawn import Launch
from referee.bot.stream import Tail
from referee.bot.tree import Member, Tree, children, processor_clock
from referee.protocol import Reason
from referee.sandbox import Mode, find_isolation, sandbox_of

LIMITS = Limits(memory_mb=100, processes=10, file_mb=3)
FACTS = """
import json, os, resource
names = [name for name in dir(resource) if name.startswith("RLIMIT_")]
facts = {name: resource.getrlimit(getattr(resource, name)) for name in names}
facts["oom"] = int(open("/proc/self/oom_score_adj").read())
print(json.dumps({"type": "ready", "name": json.dumps(facts)}), flush=True)
input(); input()
"""
MEMORY = "held = bytearray(300 << 20)\nimport time; time.sleep(60)"
MIB = 1024 * 1024


async def start(code: str, mode: Mode = "off", limits: Limits = LIMITS) -> Bot:
    """Start a bot that runs this code, and stop it."""
    watchdog = Watchdog(trio.current_time)
    launch = Launch([sys.executable, "-c", code], "/")
    bot = Bot(launch, watchdog, Tail(4096), limits=limits, sandbox=sandbox_of(mode))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(watchdog.run)
        await bot.start(nursery, 5000)
        await bot.stop(0)
        nursery.cancel_scope.cancel()
    assert children(os.getpid()) == []
    return bot


@pytest.mark.parametrize("mode", ["off", "bwrap"])
async def test_a_bot_starts_with_its_limits_soft_and_hard(mode: Mode) -> None:
    if mode == "bwrap" and find_isolation("auto").mode == "off":
        pytest.skip(find_isolation("auto").warning)
    bot = await start(FACTS, mode)
    assert bot.ready is not None
    facts = json.loads(bot.ready.name or "")
    assert facts["RLIMIT_CORE"] == [0, 0]
    assert facts["RLIMIT_FSIZE"] == [3 * MIB, 3 * MIB]
    assert facts["RLIMIT_NOFILE"] == [1024, 1024]
    assert facts["oom"] == 1000
    own_user = 10 + (os.geteuid() != 0)
    assert (facts["RLIMIT_NPROC"] == [own_user, own_user]) == (mode == "bwrap")


async def test_a_limit_that_is_passed_before_ready_is_a_limit_and_no_failed_start() -> None:
    bot = await start(MEMORY)
    assert bot.verdict is not None
    assert bot.verdict.reason is Reason.LIMIT
    assert "MiB resident; limits.memory_mb = 100 allowed" in bot.verdict.detail


class FakeTree(Tree):
    """A tree that has what a test says."""

    def __init__(self) -> None:
        self.now: list[Member] = [Member(1, 1, 0.0, 0)]
        self.said: list[str] = []

    def members(self) -> list[Member]:
        return self.now

    def stop(self) -> None:
        self.said.append("stop")

    def go_on(self) -> None:
        self.said.append("go on")


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> dict[int, float]:
    """Return the processes' clocks; a test sets them."""
    clocks = {1: 0.0}

    def clock_gettime(clock: int) -> float:
        for pid, time_s in clocks.items():
            if clock == processor_clock(pid):
                return time_s
        raise ProcessLookupError

    monkeypatch.setattr("referee.bot.meter.clock_gettime", clock_gettime)
    return clocks


MakeMeter = Callable[..., tuple[Meter, FakeTree]]


@pytest.fixture
async def make_meter(autojump_clock: trio.testing.MockClock) -> MakeMeter:
    assert autojump_clock is not None

    def make(limits: Limits = LIMITS, startup_ms: int = 1000) -> tuple[Meter, FakeTree]:
        tree = FakeTree()
        return Meter(tree, limits, startup_ms, Watchdog(trio.current_time)), tree

    return make


async def test_time_counts_for_whose_turn_it_was(
    make_meter: MakeMeter, clocks: dict[int, float]
) -> None:
    meter, _ = make_meter()
    clocks[1] = 0.5
    meter.begin(10, paused_s=1)
    clocks[1] = 0.7
    meter.end(10.5)
    clocks[1] = 1.7
    meter.finish()
    assert meter.asked_s == pytest.approx(0.2)
    assert meter.unasked_s == pytest.approx(1.5)


@pytest.mark.parametrize(("pause_ms", "unasked_s"), [(0.9, 0.0), (1.1, 0.3)])
async def test_a_pause_of_less_than_a_millisecond_counts_with_the_next_question(
    pause_ms: float, unasked_s: float, make_meter: MakeMeter, clocks: dict[int, float]
) -> None:
    meter, _ = make_meter()
    meter.begin(10, paused_s=1)
    meter.end(11)
    clocks[1] = 0.3
    meter.begin(11 + pause_ms / 1000, paused_s=pause_ms / 1000)
    clocks[1] = 0.5
    meter.end(12)
    assert meter.unasked_s == pytest.approx(unasked_s)
    assert meter.asked_s == pytest.approx(0.5 - unasked_s)


async def test_what_short_questions_used_is_told_from_the_pause_after_them(
    make_meter: MakeMeter, clocks: dict[int, float]
) -> None:
    """Its clocks were read 1 ms before: it may have used 0.4 ms of the 3 in its questions."""
    meter, _ = make_meter()
    meter.begin(10, paused_s=1)
    meter.end(10.002)
    for _ in range(2):
        meter.took(0.0002, 10.003)
    clocks[1] = 0.003
    meter.begin(10.006, paused_s=0.003)
    meter.end(10.006)
    assert meter.asked_s == pytest.approx(0.0004)
    assert meter.unasked_s == pytest.approx(0.0026)


async def test_the_clocks_of_a_quick_bot_are_read_now_and_then(
    make_meter: MakeMeter, clocks: dict[int, float]
) -> None:
    meter, _ = make_meter()
    meter.begin(10, paused_s=1)
    meter.end(10.002)
    clocks[1] = 0.001
    meter.took(0.0002, 10.003)
    assert meter.asked_s == 0
    meter.took(0.0002, 10.008)
    assert meter.asked_s == pytest.approx(0.001)
    clocks[1] = 0.003
    meter.took(0.002, 10.009)
    assert meter.asked_s == pytest.approx(0.003)


async def test_the_time_of_children_that_have_ended_is_found_by_the_next_look(
    make_meter: MakeMeter, clocks: dict[int, float]
) -> None:
    meter, tree = make_meter()
    clocks[1] = 0.1
    tree.now = [Member(1, 1, 0.6, 0)]  # 0.5 s by children that it has waited for
    meter.look()
    assert meter.asked_s == 0
    assert meter.unasked_s == pytest.approx(0.6)
    meter.begin(0, paused_s=1)
    meter.end(1)
    tree.now = [Member(1, 1, 0.9, 0)]
    meter.look()
    assert meter.asked_s == pytest.approx(0.3)
    meter.look()
    assert meter.asked_s + meter.unasked_s == pytest.approx(0.9)


async def test_one_that_ends_takes_no_other_ones_time_along(
    make_meter: MakeMeter, clocks: dict[int, float]
) -> None:
    meter, tree = make_meter()
    tree.now = [Member(1, 1, 0.0, 0), Member(2, 1, 0.0, 0)]
    clocks[2] = 0.0
    meter.look()
    meter.begin(10, paused_s=1)
    del clocks[1]
    clocks[2] = 0.4
    meter.end(11)
    assert meter.asked_s == pytest.approx(0.4)
    assert meter.unasked_s == 0


async def test_a_process_that_is_new_is_counted_once(
    make_meter: MakeMeter, clocks: dict[int, float]
) -> None:
    meter, tree = make_meter()
    tree.now = [Member(1, 1, 0.0, 0), Member(2, 1, 0.2, 0)]
    clocks[2] = 0.2
    meter.look()
    clocks[2] = 0.3
    tree.now = [Member(1, 1, 0.0, 0), Member(2, 1, 0.3, 0)]
    meter.look()
    assert meter.unasked_s == pytest.approx(0.3)


async def test_processor_time_may_be_the_start_and_the_factor_of_the_open_time(
    make_meter: MakeMeter, clocks: dict[int, float]
) -> None:
    meter, _ = make_meter(Limits(cpu_factor=2), startup_ms=1000)
    meter.begin(5, paused_s=1)
    meter.end(7)
    clocks[1] = 4.9
    assert meter.look() is None
    clocks[1] = 5.1
    said = meter.look()
    assert said is not None
    assert said.startswith("processor time: 5.1 s; limits.cpu_factor = 2 allowed: 5.0 s")


async def test_threads_of_all_processes_count_as_processes(
    make_meter: MakeMeter, clocks: dict[int, float]
) -> None:
    meter, tree = make_meter(Limits(processes=10))
    clocks[2] = 0
    tree.now = [Member(1, 4, 0, 0), Member(2, 6, 0, 0)]
    assert meter.look() is None
    tree.now = [Member(1, 5, 0, 0), Member(2, 6, 0, 0)]
    said = "processes: 11 processes and threads; limits.processes = 10 allowed"
    assert meter.look() == said


async def test_memory_of_one_is_a_limit_and_of_many_a_reason_to_weigh(
    make_meter: MakeMeter, clocks: dict[int, float]
) -> None:
    meter, tree = make_meter(Limits(memory_mb=100))
    clocks[2] = 0
    tree.now = [Member(1, 1, 0, 60 * MIB), Member(2, 1, 0, 40 * MIB)]
    assert meter.look() is None
    assert not meter.may_be_too_heavy
    tree.now = [Member(1, 1, 0, 60 * MIB), Member(2, 1, 0, 41 * MIB)]
    assert meter.look() is None
    assert meter.may_be_too_heavy
    assert meter.too_heavy(100 * MIB) is None
    assert meter.too_heavy(101 * MIB) is not None
    tree.now = [Member(1, 1, 0, 101 * MIB)]
    assert meter.look() == "memory: 101 MiB resident; limits.memory_mb = 100 allowed"


@pytest.mark.parametrize(("ponder", "said"), [("measure", []), ("stop", ["stop", "go on", "stop"])])
async def test_only_under_stop_is_a_bot_stopped_while_it_is_not_asked(
    ponder: str, said: list[str], make_meter: MakeMeter, clocks: dict[int, float]
) -> None:
    assert clocks
    meter, tree = make_meter(Limits(ponder="stop" if ponder == "stop" else "measure"))
    meter.rest()
    meter.begin(0, paused_s=1)
    meter.end(1)
    meter.end(2)  # withdrawn, when it has been settled already
    assert tree.said == said


async def test_every_look_has_its_turn_ten_times_a_second(
    autojump_clock: trio.testing.MockClock,
) -> None:
    assert autojump_clock is not None
    watchdog = Watchdog(trio.current_time)
    counts = [0] * 25

    def look(number: int) -> None:
        counts[number] += 1

    watchdog.looks += [partial(look, number) for number in range(25)]
    with trio.move_on_after(2.005):
        await watchdog.run()
    assert counts == [20] * 25


def test_stopped_threads_stand_still_in_the_end() -> None:
    """Some count on for a moment after the signal."""
    lines = ("import threading", "def count():", " while True: pass")
    start = "for _ in range(4): threading.Thread(target=count).start()"
    argv = [sys.executable, "-c", "\n".join((*lines, start))]
    with subprocess.Popen(argv, start_new_session=True) as process:
        try:
            tree = Tree(process.pid)
            wait_until(lambda: tree.members()[0].threads == 5)
            assert tree.has_stopped()  # nothing has been told to
            tree.stop()
            wait_until(tree.has_stopped)
            used_s = tree.members()[0].cpu_s
            time.sleep(0.1)
            assert tree.members()[0].cpu_s == used_s
            tree.go_on()
            wait_until(lambda: tree.members()[0].cpu_s > used_s)
        finally:
            process.kill()


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait for this, ten seconds at most."""
    began = time.monotonic()
    while not holds():
        assert time.monotonic() - began < 10
        time.sleep(0.001)
