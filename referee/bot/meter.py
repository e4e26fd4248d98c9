"""What a bot's process tree uses, watched: memory, processes, and processor time by whose turn."""

import math
from time import clock_gettime

from referee.bot.limits import MIB, Limits
from referee.bot.tree import Tree, processor_clock
from referee.bot.watchdog import Watchdog

RESOLUTION_MS = 1
"""Shorter pauses between two questions are not told from the questions."""


class Meter:
    """Watches a tree against its limits, and attends its questions.

    ``asked_s`` and ``unasked_s`` are the processor time used while a question to the bot was open,
    and the rest. The time of processes that lived only between two looks is known too late to tell;
    it counts as asked where there was a question between these looks. (It is not known at all of
    those for which nobody waited.) A pause of less than ``RESOLUTION_MS`` counts with the question
    after it: a quick bot's clocks are read once a question.
    """

    def __init__(self, tree: Tree, limits: Limits, startup_ms: int, watchdog: Watchdog) -> None:
        self.tree = tree
        self.limits = limits
        self.asked_s = 0.0
        self.unasked_s = 0.0
        self._stops = limits.ponder == "stop"
        self._startup_s = startup_ms / 1000
        self._watchdog = watchdog
        self._clocks = {processor_clock(member.pid): 0.0 for member in tree.members()}
        self._opened: float | None = None
        self._closed = -math.inf
        """When the last question was settled or withdrawn."""
        self._open_s = 0.0
        self._was_asked = False
        self.resident_bytes = 0

    def begin(self, now: float) -> None:
        """Take note that a question is about to be put; a stopped bot goes on."""
        if now - self._closed > RESOLUTION_MS / 1000:
            self.unasked_s += self._used_s()
        self._opened = now
        self._was_asked = True
        if self._stops:
            self.tree.go_on()

    def end(self, now: float) -> None:
        """Take note that the question is settled or withdrawn; under ``ponder = "stop"``, stop."""
        if self._opened is None:
            return
        if self._stops:
            self.tree.stop()
        self.asked_s += self._used_s()
        self._open_s += now - self._opened
        self._opened = None
        self._closed = now

    def rest(self) -> None:
        """Take note that the bot is ready; under ``ponder = "stop"``, stop it till it is asked."""
        self.look()
        if self._stops:
            self.tree.stop()

    def count(self) -> None:
        """Add what the known processes used since the last count to whose turn it was."""
        self._add(self._used_s(), asked=self._opened is not None)

    def _used_s(self) -> float:
        """Return what the known processes used since the last call."""
        used_s = 0.0
        clocks, ended = self._clocks, []
        for clock, before_s in clocks.items():
            try:
                clocks[clock] = now_s = clock_gettime(clock)
            except OSError:
                ended.append(clock)
            else:
                used_s += now_s - before_s
        for clock in ended:
            del clocks[clock]
        return used_s

    def finish(self) -> None:
        """Count for the last time: the processes are about to end."""
        self.count()
        self._clocks.clear()

    def _add(self, used_s: float, *, asked: bool) -> None:
        if asked:
            self.asked_s += used_s
        else:
            self.unasked_s += used_s

    def look(self) -> str | None:
        """Look at the tree: say what limit it has passed, None if it keeps to all of them."""
        self.count()
        members = self.tree.members()
        # What others used, and those that are new: as far as somebody waited for them.
        told_s = sum(member.cpu_s for member in members)
        untold_s = told_s - self.asked_s - self.unasked_s
        for member in members:
            self._clocks.setdefault(processor_clock(member.pid), member.cpu_s)
        self._add(max(0.0, untold_s), asked=self._was_asked)
        self._was_asked = self._opened is not None
        self.resident_bytes = sum(member.resident_bytes for member in members)
        largest = max((member.resident_bytes for member in members), default=0)
        threads = sum(member.threads for member in members)
        if threads > self.limits.processes:
            return f"processes: {threads} processes and threads; {self._allowed('processes')}"
        if largest > self.limits.memory_mb * MIB:
            return self.too_heavy(largest)
        return self._too_busy()

    def _too_busy(self) -> str | None:
        open_s = self._open_s
        if self._opened is not None:
            open_s += self._watchdog.now() - self._opened
        used_s = self.asked_s + self.unasked_s
        allowed_s = self._startup_s + self.limits.cpu_factor * open_s
        if used_s <= allowed_s:
            return None
        return (
            f"processor time: {used_s:.1f} s; {self._allowed('cpu_factor')}: {allowed_s:.1f} s, "
            f"that is startup_ms and {self.limits.cpu_factor:g} times the {open_s:.1f} s "
            f"for which its questions were open"
        )

    @property
    def may_be_too_heavy(self) -> bool:
        """Whether all together are over the limit, if nothing that they hold is shared."""
        return self.resident_bytes > self.limits.memory_mb * MIB

    def too_heavy(self, found_bytes: int) -> str | None:
        """Say that the limit of memory is passed, if this is over it."""
        if found_bytes <= self.limits.memory_mb * MIB:
            return None
        return f"memory: {found_bytes / MIB:.0f} MiB resident; {self._allowed('memory_mb')}"

    def _allowed(self, key: str) -> str:
        return f"limits.{key} = {getattr(self.limits, key):g} allowed"
