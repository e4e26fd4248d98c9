"""Deadlines within a tick, and a clock that leaves out the referee's own stalls."""

import os
import select
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import pytest
import trio
import trio.testing

from referee.bot import Watchdog
from referee.bot import watchdog as watchdogs
from referee.bot.watchdog import ALONE_MS, STALL_MS, TICK_MS, TURN_MS


def with_watchdog(body: Callable[[Watchdog], Awaitable[None]]) -> None:
    """Run this beside a watchdog, under a clock that jumps."""

    async def main() -> None:
        watchdog = Watchdog(trio.current_time)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watchdog.run)
            await body(watchdog)
            nursery.cancel_scope.cancel()

    trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0))


@contextmanager
def pipe() -> Iterator[tuple[int, int]]:
    """Return the ends of a pipe."""
    read_fd, write_fd = os.pipe()
    try:
        yield read_fd, write_fd
    finally:
        os.close(read_fd)
        os.close(write_fd)


def test_a_deadline_is_noticed_within_a_tick_and_never_early() -> None:
    async def body(watchdog: Watchdog) -> None:
        with pipe() as (read_fd, _):
            for limit in (0.0, 0.003, 0.25, 10.0):
                deadline = watchdog.now() + limit
                assert not await watchdog.readable(read_fd, deadline)
                assert 0 <= watchdog.now() - deadline <= 2 * TICK_MS / 1000

    with_watchdog(body)


def test_what_comes_in_time_ends_the_wait_at_once() -> None:
    async def body(watchdog: Watchdog) -> None:
        with pipe() as (read_fd, write_fd):
            began = watchdog.now()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(write_after, 0.1234, write_fd)
                assert await watchdog.readable(read_fd, began + 1)
            assert watchdog.now() - began == pytest.approx(0.1234, abs=1e-6)

    with_watchdog(body)


async def write_after(seconds: float, fd: int) -> None:
    """Write a byte, later."""
    await trio.sleep(seconds)
    os.write(fd, b"x")


def test_a_descriptor_can_be_waited_for_again_after_its_deadline() -> None:
    async def body(watchdog: Watchdog) -> None:
        with pipe() as (read_fd, write_fd):
            assert not await watchdog.readable(read_fd, watchdog.now() + 0.1)
            os.write(write_fd, b"x")
            assert await watchdog.readable(read_fd, watchdog.now() + 0.1)
            assert os.read(read_fd, 10) == b"x"
            await trio.sleep(1)  # an old deadline wakes nobody
            assert not await watchdog.readable(read_fd, watchdog.now() + 0.1)

    with_watchdog(body)


def test_each_wait_has_its_own_deadline() -> None:
    ended: list[tuple[float, bool]] = []

    async def wait(watchdog: Watchdog, limit: float) -> None:
        with pipe() as (read_fd, _):
            began = watchdog.now()
            came = await watchdog.readable(read_fd, began + limit)
            ended.append((round(watchdog.now() - began, 1), came))

    async def body(watchdog: Watchdog) -> None:
        async with trio.open_nursery() as nursery:
            for limit in (0.5, 0.1, 0.3):
                nursery.start_soon(wait, watchdog, limit)

    with_watchdog(body)
    assert ended == [(0.1, False), (0.3, False), (0.5, False)]


def test_a_cancelled_wait_leaves_nothing_behind() -> None:
    async def body(watchdog: Watchdog) -> None:
        with pipe() as (read_fd, _):
            with trio.move_on_after(0.05):
                await watchdog.readable(read_fd, watchdog.now() + 0.2)
            assert not await watchdog.readable(read_fd, watchdog.now() + 1)
            assert trio.current_time() == pytest.approx(1.05, abs=0.03)

    with_watchdog(body)


async def test_a_stall_of_the_referee_is_left_out(mock_clock: trio.testing.MockClock) -> None:
    watchdog = Watchdog(trio.current_time)
    mock_clock.jump(STALL_MS / 1000)
    assert watchdog.now() == pytest.approx(STALL_MS / 1000)  # as long as that is no stall
    mock_clock.jump(3600)
    assert watchdog.now() == pytest.approx(STALL_MS / 1000)
    mock_clock.jump(0.04)
    assert watchdog.now() == pytest.approx(STALL_MS / 1000 + 0.04)


async def test_a_stall_takes_no_bots_time(mock_clock: trio.testing.MockClock) -> None:
    watchdog = Watchdog(trio.current_time)
    came: list[bool] = []

    async def wait(fd: int) -> None:
        came.append(await watchdog.readable(fd, watchdog.now() + 0.1))

    with pipe() as (read_fd, _):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watchdog.run)
            nursery.start_soon(wait, read_fd)
            for _ in range(2):
                await trio.testing.wait_all_tasks_blocked()
                mock_clock.jump(3600)  # suspended for an hour, twice
            ticks = 0
            while not came:
                mock_clock.jump(0.011)
                await trio.testing.wait_all_tasks_blocked()
                ticks += 1
            assert came == [False]
            assert ticks in range(9, 13)
            nursery.cancel_scope.cancel()


def test_what_had_to_wait_its_turn_came_when_it_was_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On the real clock: for 30 ms another table has the thread, and the answer lies there."""
    monkeypatch.setattr(watchdogs, "_STALL_S", 60)  # a busy machine may take longer
    written = float("inf")

    async def busy(watchdog: Watchdog, write_fd: int) -> None:
        nonlocal written
        os.write(write_fd, b"x")
        written = watchdog.now()
        time.sleep(0.03)  # noqa: ASYNC251 that is what is under test

    async def main() -> None:
        watchdog = Watchdog(trio.current_time)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watchdog.run)
            with pipe() as (read_fd, write_fd):
                await trio.sleep(0.02)
                nursery.start_soon(busy, watchdog, write_fd)
                assert await watchdog.readable(read_fd, watchdog.now() + 1)
            assert watchdog.now() - written >= 0.03
            assert watchdog.came <= written
            nursery.cancel_scope.cancel()

    trio.run(main)


def test_what_was_waited_for_came_when_the_wait_ended() -> None:
    async def main() -> None:
        watchdog = Watchdog(trio.current_time)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watchdog.run)
            with pipe() as (read_fd, write_fd):
                began = watchdog.now()
                threading.Timer(0.05, os.write, (write_fd, b"x")).start()
                assert await watchdog.readable(read_fd, began + 1)
            assert watchdog.came - began >= 0.05 - TICK_MS / 1000
            nursery.cancel_scope.cancel()

    trio.run(main)


class Other:
    """A task that wants its turns, and counts them."""

    def __init__(self) -> None:
        self.turns = 0

    async def run(self) -> None:
        while True:
            await trio.lowlevel.checkpoint()
            self.turns += 1


async def some_turns() -> None:
    """Let every task have a turn; tasks have theirs in no certain order."""
    for _ in range(3):
        await trio.lowlevel.checkpoint()


def beside_another(body: Callable[[Watchdog, Other, int], Awaitable[None]]) -> None:
    """Run this beside a task that wants turns, with a descriptor that has something to read."""

    async def main() -> None:
        other = Other()
        with pipe() as (read_fd, write_fd):
            os.write(write_fd, b"x")
            async with trio.open_nursery() as nursery:
                nursery.start_soon(other.run)
                watchdog = Watchdog(trio.current_time)
                await watchdog.share()
                await body(watchdog, other, read_fd)
                nursery.cancel_scope.cancel()

    trio.run(main, clock=trio.testing.MockClock())


def waiting_for(watchdog: Watchdog, fd: int) -> select.poll:
    """Return what waits for a descriptor, and for the tick."""
    incoming = select.poll()
    incoming.register(fd, select.POLLIN)
    incoming.register(watchdog.tick.fd, select.POLLIN)
    return incoming


def test_who_waits_alone_takes_what_is_there_without_a_turn_of_the_others() -> None:
    async def body(watchdog: Watchdog, other: Other, fd: int) -> None:
        incoming = waiting_for(watchdog, fd)
        turns = other.turns
        for _ in range(10):
            assert watchdog.soon(incoming) == [(fd, select.POLLIN)]
            assert watchdog.came == watchdog.now()
        assert other.turns == turns

    beside_another(body)


def test_a_tick_that_is_over_does_not_end_a_wait() -> None:
    async def body(watchdog: Watchdog, _other: Other, fd: int) -> None:
        incoming = waiting_for(watchdog, fd)
        for _ in range(10):
            time.sleep(1.5 * ALONE_MS / 1000)  # noqa: ASYNC251 it ticks meanwhile
            assert watchdog.soon(incoming) == [(fd, select.POLLIN)]

    beside_another(body)


def test_what_does_not_come_soon_is_not_waited_for_in_the_kernel() -> None:
    async def body(watchdog: Watchdog, _other: Other, _fd: int) -> None:
        with pipe() as (silent_fd, _):
            began = time.monotonic()
            assert not watchdog.soon(waiting_for(watchdog, silent_fd))
            assert ALONE_MS / 1000 <= time.monotonic() - began < 0.5

    beside_another(body)


def test_where_others_wait_too_nobody_waits_in_the_kernel() -> None:
    async def body(watchdog: Watchdog, _other: Other, fd: int) -> None:
        incoming = waiting_for(watchdog, fd)
        with pipe() as (silent_fd, _):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(watchdog.readable, silent_fd, watchdog.now() + 1)
                await some_turns()
                await watchdog.share()
                assert not watchdog.soon(incoming)
                nursery.cancel_scope.cancel()
            await watchdog.share()
            assert watchdog.soon(incoming)

    beside_another(body)


def test_where_others_wait_too_each_wait_is_a_turn_for_them() -> None:
    async def body(watchdog: Watchdog, other: Other, fd: int) -> None:
        with pipe() as (silent_fd, _):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(watchdog.readable, silent_fd, watchdog.now() + 1)
                await some_turns()
                await watchdog.share()
                turns = other.turns
                for _ in range(3):
                    assert await watchdog.readable(fd, watchdog.now() + 1)
                assert other.turns >= turns + 2
                nursery.cancel_scope.cancel()

    beside_another(body)


@pytest.mark.parametrize(("others_wait", "turn_ms"), [(False, TICK_MS), (True, TURN_MS)])
def test_a_turn_ends_after_a_tick_and_sooner_where_others_wait(
    *, others_wait: bool, turn_ms: int
) -> None:
    async def body(watchdog: Watchdog, _other: Other, _fd: int) -> None:
        with pipe() as (silent_fd, _):
            async with trio.open_nursery() as nursery:
                if others_wait:
                    nursery.start_soon(watchdog.readable, silent_fd, watchdog.now() + 1)
                await some_turns()
                await watchdog.share()
                assert watchdog.turn_ends == pytest.approx(watchdog.now() + turn_ms / 1000)
                nursery.cancel_scope.cancel()

    beside_another(body)
