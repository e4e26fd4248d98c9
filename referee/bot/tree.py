"""A bot's processes, as /proc tells of them: what they use, stopping them, ending them."""

import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import count
from resource import RLIMIT_MSGQUEUE, prlimit
from typing import NamedTuple

from referee.bot.limits import lower_limit

_TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_marks = count(1)


class Member(NamedTuple):
    """A process of a tree: ``cpu_s`` with what its children used that it has waited for."""

    pid: int
    threads: int
    cpu_s: float
    resident_bytes: int


class Tree:
    """The processes of a bot: those that descend from the one that was started.

    ``first`` is that process; under isolation it is the first one of the bot's namespace, which is
    bubblewrap's own and no member. There everything descends from it for ever.

    Without isolation, a process whose parent has ended becomes a child of the referee
    (``sandbox.adopt_orphans``). Such orphans are known by a mark that every process inherits and
    that most do not touch: the limit on POSIX message queues. Best effort, against accidents.
    """

    def __init__(self, first: int, first_pidfd: int | None = None) -> None:
        self.first = first
        self.first_pidfd = first_pidfd
        """A descriptor of the first process, under isolation only."""
        self._mark = next(_marks)
        self._stopped: list[int] = []
        if first_pidfd is None:
            lower_limit(first, RLIMIT_MSGQUEUE, self._mark)

    def members(self) -> list[Member]:
        """List the processes that there are now, those that have ended unnoticed included."""
        if self.first_pidfd is not None:
            return list(_descendants(children(self.first)))
        return list(_descendants([self.first, *self._orphans()]))

    def _orphans(self) -> Iterator[int]:
        for pid in _children(os.getpid(), os.getpid()):  # the first thread is given the orphans
            with suppress(ProcessLookupError, PermissionError):
                if pid != self.first and prlimit(pid, RLIMIT_MSGQUEUE)[1] == self._mark:
                    yield pid

    def proportional_bytes(self) -> int:
        """Return the memory of all, what several share counted once; slow for large ones."""
        return sum(_proportional_bytes(member) for member in self.members())

    def stop(self) -> None:
        """Stop all, those too that are started while others are being stopped."""
        known = set(self._stopped)
        while new := [member.pid for member in self.members() if member.pid not in known]:
            _send(new, signal.SIGSTOP)
            known.update(new)
        self._stopped = list(known)

    def has_stopped(self) -> bool:
        """Whether what ``stop`` stopped stands still: threads run on for a moment."""
        return all(state in b"TtZX" for pid in self._stopped for state in _states(pid))

    def go_on(self) -> None:
        """Let those go on that ``stop`` stopped."""
        _send(self._stopped, signal.SIGCONT)
        self._stopped = []

    def kill(self) -> bool:
        """Kill all; True when none is left but the one that was started.

        Without isolation it must be called again until then: who was just being started may have
        been missed. Orphans that have ended are reaped.
        """
        if self.first_pidfd is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.first_pidfd, signal.SIGKILL)
            return True
        others = [member.pid for member in self.members() if member.pid != self.first]
        _send([self.first, *others], signal.SIGKILL)
        for pid in others:
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        return not others

    def reap(self) -> None:
        """Reap the namespace's first process, which has ended, where bubblewrap has not."""
        if self.first_pidfd is not None:
            with suppress(ChildProcessError):
                os.waitid(os.P_PIDFD, self.first_pidfd, os.WEXITED | os.WNOHANG)


def children(pid: int) -> list[int]:
    """List the children of a process; none for one that has ended."""
    with suppress(OSError):
        threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 three times faster
        return [child for thread in threads for child in _children(pid, thread)]
    return []


def _children(pid: int, thread: int | str) -> list[int]:
    """List the children that a thread has started."""
    with suppress(OSError):
        return [int(child) for child in _read(f"/proc/{pid}/task/{thread}/children").split()]
    return []


def _states(pid: int) -> Iterator[bytes]:
    """Return the state of each thread of a process, a letter of proc(5)."""
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 three times faster
            with suppress(OSError):
                stat = _read(f"/proc/{pid}/task/{thread}/stat")
                yield stat[stat.rindex(b")") + 2 :][:1]


def processor_clock(pid: int) -> int:
    """Return the number of the clock of a process's processor time, without its children's.

    ``time.clock_gettime`` reads it, to the nanosecond; OSError for a process that has ended.
    """
    return ~pid << 3 | 2  # as clock_getcpuclockid makes it


def _descendants(pids: Iterable[int]) -> Iterator[Member]:
    left = list(pids)
    while left:
        pid = left.pop()
        try:
            stat = _read(f"/proc/{pid}/stat")
        except OSError:
            continue
        # The name, in parentheses, may hold anything; the fields behind it are proc(5)'s from 3 on.
        fields = stat[stat.rindex(b")") + 2 :].split()
        threads = int(fields[17])
        yield Member(
            pid,
            threads,
            cpu_s=sum(map(int, fields[11:15])) / _TICKS_A_SECOND,
            resident_bytes=int(fields[21]) * _PAGE_BYTES,
        )
        left += children(pid) if threads > 1 else _children(pid, pid)


def _proportional_bytes(member: Member) -> int:
    with suppress(OSError):
        for line in _read(f"/proc/{member.pid}/smaps_rollup").splitlines():
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    return member.resident_bytes


def _read(path: str) -> bytes:
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(fd, 65536)
    finally:
        os.close(fd)


def _send(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)
