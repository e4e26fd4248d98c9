"""Deadlines for waiting on descriptors, without a cancel scope or a timer for each wait.

One task looks at the clock every ``TICK_MS`` and wakes whoever waits past its deadline. A deadline
is therefore noticed up to a tick late: in the bot's favour, since what lies in the pipe when the
deadline is noticed is in time (PROTOCOL.md, section 2).
"""

import itertools
import math
import select
import time
from collections.abc import Callable

import trio

TICK_MS = 10
LOOK_TICKS = 10
"""After how many ticks each of the ``looks`` has its turn again."""
STALL_MS = 50
_STALL_S = STALL_MS / 1000
TURN_MS = 1
"""How long a task that waits for bots may keep the thread from others that do; from those that
do not, ``TICK_MS``."""

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

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.looks: list[Look] = []
        """What is to be called every 100 ms, quick and without errors; spread over the ticks."""
        self._deadlines: dict[int, float] = {}
        self._clock = clock
        self._seen = self._clock()
        self._stalled = 0.0
        self._io = _Looks(self._clock)
        self.looked = self._seen
        """When ``now`` was last asked for, and what it said."""
        self.came = self._seen
        """When what was waited for last came: before ``looked``, if it had to wait its turn."""
        self.turn_ends = self._seen
        """When whoever waits for bots should let all other tasks have their turn: ``share``."""

    def now(self) -> float:
        """Return the time in seconds, the referee's own stalls left out."""
        seen = self._clock()
        if seen - self._seen > _STALL_S:
            self._stalled += seen - self._seen
        self._seen = seen
        self.looked = looked = seen - self._stalled
        return looked

    async def run(self) -> None:
        """Wake, for ever, those whose deadline has passed, and have a look at what is watched."""
        trio.lowlevel.add_instrument(self._io)
        try:
            for tick in itertools.count():
                await trio.sleep(TICK_MS / 1000)
                self._tick(tick)
        finally:
            trio.lowlevel.remove_instrument(self._io)

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
        self.turn_ends = self.now() + (TURN_MS if self._deadlines else TICK_MS) / 1000

    def is_soon(self, incoming: select.poll) -> bool:
        """Wait in the kernel, where that costs least, for what comes within ``TURN_MS``.

        False at once where others wait here too, or it is their turn: then ``readable`` is the way.
        """
        if self._deadlines or self.looked >= self.turn_ends or not incoming.poll(TURN_MS):
            return False
        self.came = self.now()
        return True

    async def readable(self, fd: int, deadline: float) -> bool:
        """Wait until the descriptor can be read; False when ``now`` has reached the deadline."""
        self._deadlines[fd] = deadline
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
