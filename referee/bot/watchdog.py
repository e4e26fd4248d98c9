"""Deadlines for waiting on descriptors, without a cancel scope or a timer for each wait.

One task looks at the clock every ``TICK_MS`` and wakes whoever waits past its deadline; who waits
alone does so in the kernel, up to twice ``ALONE_MS``. A deadline is therefore noticed up to some
20 ms late: in the bot's favour, since what lies in the pipe when the deadline is noticed is in time
(PROTOCOL.md, section 2).
"""

import itertools
import math
import select
import time
from collections.abc import Callable

import trio

from referee.bot.ticker import Ticker

TICK_MS = 10
LOOK_TICKS = 10
"""After how many ticks each of the ``looks`` has its turn again."""
STALL_MS = 50
_STALL_S = STALL_MS / 1000
TURN_MS = 1
"""How long a task that waits for bots may keep the thread from others that do; from those that
do not, ``TICK_MS``, and a last wait in the kernel."""

ALONE_MS = 5
"""How long, or up to twice that, who waits alone does so in the kernel, where it costs least."""

AT_ONCE_MS = 0.2
"""Within this the event loop's look for what has come ends if something is there already."""

Look = Callable[[], None]


class _Looks(trio.abc.Instrument):
    """Knows when that came which the event loop has found, where many tables wait their turn.

    If the loop waited for it, it came just then. If it was there already, it came at any time since
    the loop's last look: the earliest, so that a bot never pays for the referee's other tables.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._begun = self._ended = clock()
        self.came = math.inf

    def before_io_wait(self, timeout: float) -> None:  # noqa: ARG002 trio's signature
        self._begun = self._clock()

    def after_io_wait(self, timeout: float) -> None:  # noqa: ARG002 trio's signature
        now = self._clock()
        self.came = now if now - self._begun > AT_ONCE_MS / 1000 else self._ended
        self._ended = now


class Watchdog:
    """A clock that stands still while the referee itself does, and waits within its deadlines.

    ``run`` must be running in some task. When nothing here ran for ``STALL_MS`` (the machine was
    suspended, the process stopped, its core taken), that time is nobody's: ``now`` leaves it out.
    """

    __slots__ = (
        "_clock",
        "_deadlines",
        "_io",
        "_stalled",
        "_ticked",
        "alone_until",
        "came",
        "looked",
        "looks",
        "tick",
        "turn_ends",
    )

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.looks: list[Look] = []
        """What is to be called every 100 ms, quick and without errors; spread over the ticks."""
        self._deadlines: dict[int, float] = {}
        self._clock = clock
        self._stalled = 0.0
        """How much of the clock's time is nobody's."""
        self._io = _Looks(self._clock)
        self.looked = self._clock()
        """When ``now`` was last asked for, and what it said."""
        self.came = self.looked
        """When what was waited for last came: before ``looked``, if it had to wait its turn."""
        self.tick = Ticker(ALONE_MS)
        """Ends a wait in the kernel: it must be waited for beside what is wanted."""
        self._ticked = (self.tick.fd, select.POLLIN)
        self.turn_ends = self.looked
        """When whoever waits for bots should let all other tasks have their turn: ``share``."""
        self.alone_until = self.looked
        """Till when nobody else waits for bots, nor has a turn: the thread may wait for one."""

    def now(self) -> float:
        """Return the time in seconds, the referee's own stalls left out."""
        clock = self._clock
        looked = clock() - self._stalled
        if looked - self.looked > _STALL_S:
            self._stalled += looked - self.looked
        else:
            self.looked = looked
        return self.looked

    async def run(self) -> None:
        """Wake, for ever, those whose deadline has passed, and have a look at what is watched."""
        trio.lowlevel.add_instrument(self._io)
        try:
            for tick in itertools.count():
                await trio.sleep(TICK_MS / 1000)
                self._tick(tick)
        finally:
            trio.lowlevel.remove_instrument(self._io)
            self.tick.close()

    def _tick(self, tick: int) -> None:
        now = self.now()
        for fd, deadline in list(self._deadlines.items()):
            if now >= deadline:
                # Wakes the waiter with ClosedResourceError; the descriptor stays open.
                trio.lowlevel.notify_closing(fd)
        for look in self.looks[tick % LOOK_TICKS :: LOOK_TICKS]:
            look()

    async def share(self) -> None:
        """Let all other tasks have their turn."""
        await trio.lowlevel.checkpoint()
        self._begin_turn()

    def _begin_turn(self) -> None:
        if self._deadlines:
            self.turn_ends, self.alone_until = self.now() + TURN_MS / 1000, -math.inf
        else:
            self.turn_ends = self.alone_until = self.now() + TICK_MS / 1000

    def soon(self, incoming: select.poll) -> list[tuple[int, int]]:
        """Wait in the kernel, where that costs least, for what comes within ``ALONE_MS``.

        Returns what came, as ``poll`` does; nothing came where others wait here too, or it is their
        turn: then ``readable`` is the way. ``tick`` must be among what ``incoming`` waits for.
        """
        if self.looked >= self.alone_until:
            return []
        came = incoming.poll()
        if self._ticked in came:
            came = self._past_tick(incoming, came)
        self.came = self.now()
        return came

    def _past_tick(
        self, incoming: select.poll, came: list[tuple[int, int]]
    ) -> list[tuple[int, int]]:
        """Wait on after a tick, which may be an old one, till the next."""
        self.tick.read()
        came.remove(self._ticked)
        if not came and self._ticked in (came := incoming.poll()):
            self.tick.read()
            came.remove(self._ticked)
        return came

    async def readable(self, fd: int, deadline: float) -> bool:
        """Wait until the descriptor can be read; False when ``now`` has reached the deadline."""
        self._deadlines[fd] = deadline
        self.alone_until = -math.inf
        try:
            await trio.lowlevel.wait_readable(fd)
        except trio.ClosedResourceError:
            self.came = self.now()
            return False
        finally:
            del self._deadlines[fd]
            self._begin_turn()
        self.came = min(self.now(), self._io.came - self._stalled)
        return True
