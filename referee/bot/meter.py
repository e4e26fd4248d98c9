"""What a bot's process tree uses, watched: memory, processes, and processor time by whose turn."""

from time import clock_gettime

from referee.bot.limits import MIB, Limits
from referee.bot.tree import Tree, processor_clock
from referee.bot.watchdog import Watchdog

RESOLUTION_S = 0.001
"""Shorter pauses between two questions are not told from the questions."""
_COUNT_S = 0.005
"""How long the clocks of a bot that is asked again and again are left unread."""


class Meter:
    """Watches a tree against its limits, and attends its questions.

    ``asked_s`` and ``unasked_s`` are the processor time used while a question to the bot was open,
    and the rest. The clocks are read before a question after a pause of more than ``RESOLUTION_S``,
    after a question of more than that, and else now and then. So a shorter pause counts with the
    questions around it; and where a pause follows short questions, what was used since the clocks
    were read counts as theirs as far as they lasted. The time of processes that lived only between
    two looks is known too late to tell; it counts as asked where there was a question between these
    looks. (It is not known at all of those for which nobody waited.)
    """

    __slots__ = (
        "_clocks",
        "_count_at",
        "_counted_open_s",
        "_looked_open_s",
        "_open_s",
        "_opened",
        "_startup_s",
        "_watchdog",
        "asked_s",
        "limits",
        "resident_bytes",
        "stops",
        "tree",
        "unasked_s",
    )

    def __init__(self, tree: Tree, limits: Limits, startup_ms: int, watchdog: Watchdog) -> None:
        self.tree = tree
        self.limits = limits
        self.asked_s = 0.0
        self.unasked_s = 0.0
        self.stops = limits.ponder == "stop"
        self._startup_s = startup_ms / 1000
        self._watchdog = watchdog
        self._clocks = {processor_clock(member.pid): 0.0 for member in tree.members()}
        self._opened: float | None = None
        self._open_s = 0.0
        """How long questions were open, but for the one that still is."""
        self._count_at = 0.0
        """When the clocks of a bot that is asked again and again must be read."""
        self._counted_open_s = 0.0
        """How long questions had been open then."""
        self._looked_open_s = 0.0
        self.resident_bytes = 0

    def begin(self, now: float, paused_s: float) -> None:
        """Take note that a question is about to be put, after a pause; a stopped bot goes on."""
        if paused_s > RESOLUTION_S:
            self._count(now, asked=False)
        self._opened = now
        if self.stops:
            self.tree.go_on()

    def end(self, now: float) -> None:
        """Take note that the question is settled or withdrawn; under ``ponder = "stop"``, stop."""
        if self._opened is None:
            return
        if self.stops:
            self.tree.stop()
        opened, self._opened = self._opened, None
        self.took(now - opened, now)

    def took(self, elapsed_s: float, now: float) -> None:
        """Take note of a question at its end; of one after a short pause only that."""
        self._open_s += elapsed_s
        if elapsed_s > RESOLUTION_S or now > self._count_at:
            self._count(now, asked=True)

    def rest(self) -> None:
        """Take note that the bot is ready; under ``ponder = "stop"``, stop it till it is asked."""
        self.look()
        if self.stops:
            self.tree.stop()

    def count(self) -> None:
        """Add what the known processes used since the last count to whose turn it was."""
        self._count(self._watchdog.now(), asked=self._opened is not None)

    def _count(self, now: float, *, asked: bool) -> None:
        open_s = self._open_until(now)
        used_s = self._used_s()
        asked_s = used_s if asked else min(used_s, open_s - self._counted_open_s)
        self.asked_s += asked_s
        self.unasked_s += used_s - asked_s
        self._counted_open_s = open_s
        self._count_at = now + _COUNT_S

    def _open_until(self, now: float) -> float:
        return self._open_s if self._opened is None else self._open_s + now - self._opened

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

    def look(self) -> str | None:
        """Look at the tree: say what limit it has passed, None if it keeps to all of them."""
        now = self._watchdog.now()
        self._count(now, asked=self._opened is not None)
        open_s = self._open_until(now)
        members = self.tree.members()
        # What others used, and those that are new: as far as somebody waited for them.
        told_s = sum(member.cpu_s for member in members)
        untold_s = told_s - self.asked_s - self.unasked_s
        for member in members:
            self._clocks.setdefault(processor_clock(member.pid), member.cpu_s)
        if untold_s > 0:
            if open_s > self._looked_open_s:
                self.asked_s += untold_s
            else:
                self.unasked_s += untold_s
        self._looked_open_s = open_s
        self.resident_bytes = sum(member.resident_bytes for member in members)
        largest = max((member.resident_bytes for member in members), default=0)
        threads = sum(member.threads for member in members)
        if threads > self.limits.processes:
            return f"processes: {threads} processes and threads; {self._allowed('processes')}"
        if largest > self.limits.memory_mb * MIB:
            return self.too_heavy(largest)
        return self._too_busy()

    def _too_busy(self) -> str | None:
        open_s = self._open_until(self._watchdog.now())
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
