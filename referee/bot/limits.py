"""What a bot's process tree may use: the bounds, those that the kernel holds by itself."""

import os
import resource
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

MIB = 1024 * 1024
OPEN_FILES = 1024
OUR_DESCRIPTORS = 32
"""What the referee itself has open: streams, the event loop, the run's files."""
DESCRIPTORS_A_BOT = 10
"""What a bot takes of ours while it is started; most are closed when it has been."""


class DescriptorsError(Exception):
    """This process may not open as many files as it needs: one line that says how many."""


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``[limits]`` of a config, as far as a bot's processes are concerned.

    Memory and file size in MiB, standard error kept a series in KiB; ``processes`` counts threads
    too. The processor time of the tree may be ``cpu_factor`` times the time that its questions
    were open, and the time for its start. Under ``ponder = "stop"`` a bot is stopped while it is
    not asked. A ``/tmp`` and a ``/dev/shm`` of the bot's own are as big as one file may be (at
    most as big as its memory), and do not count as memory.
    """

    memory_mb: Annotated[int, Meta(ge=1, le=1_048_576)] = 1024
    processes: Annotated[int, Meta(ge=1, le=65_536)] = 64
    file_mb: Annotated[int, Meta(ge=0, le=1_048_576)] = 64
    stderr_kb: Annotated[int, Meta(ge=0, le=1_048_576)] = 256
    cpu_factor: Annotated[float, Meta(gt=0, le=1000)] = 2.0
    ponder: Literal["measure", "stop"] = "measure"

    @property
    def tmp_bytes(self) -> int:
        """The size of a bot's own ``/tmp``."""
        return min(self.file_mb, self.memory_mb) * MIB

    def lay_on(self, pid: int, *, isolated: bool) -> None:
        """Have the kernel hold a process, and all that it starts later, to what it can hold.

        Set from outside, since nothing may run in the child before it is the bot. A sandbox waits
        for it; without one the bot has run for some 50 us, and what it started in these goes free.
        Processes are counted by user, so their number can be held only where the bot has a user
        (or a user namespace) to itself. Does nothing for a process that has ended.
        """
        bounds = {
            resource.RLIMIT_CORE: 0,
            resource.RLIMIT_FSIZE: self.file_mb * MIB,
            resource.RLIMIT_NOFILE: OPEN_FILES,
        }
        if isolated:
            # The namespace's first process, bubblewrap's, is counted too, but where it is root's.
            bounds[resource.RLIMIT_NPROC] = self.processes + (os.geteuid() != 0)
        for what, bound in bounds.items():
            lower_limit(pid, what, bound)
        # Should the machine itself run out of memory, bots are the first to go.
        with suppress(OSError):
            Path(f"/proc/{pid}/oom_score_adj").write_text("1000")


DEFAULT_LIMITS = Limits()
"""The limits of a config that says nothing of them."""


def reserve_descriptors(bots: int) -> None:
    """Have this process be allowed the files that it needs for so many bots at a time.

    Raises the soft limit where the hard one is high enough; raises DescriptorsError where not.
    """
    needed = OUR_DESCRIPTORS + DESCRIPTORS_A_BOT * bots
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return
    if hard != resource.RLIM_INFINITY and hard < needed:
        raise DescriptorsError(
            f"this process may have {hard} files open and needs {needed} for {bots} bots "
            f"at a time: raise the hard limit (ulimit -Hn), or play fewer tables at a time"
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


def lower_limit(pid: int, what: int, bound: int) -> None:
    """Set a process's soft and hard limit, where the hard one is not lower already."""
    try:
        _, hard = resource.prlimit(pid, what)
        most = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
        resource.prlimit(pid, what, (most, most))
    except ProcessLookupError:
        pass
