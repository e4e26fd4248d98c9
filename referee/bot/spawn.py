"""Starting a bot's process tree and ending it, with isolation and without.

A machine that cannot start a process now (no memory, no free process or descriptor) is told apart
from a bot that cannot be started: the first is waited for, and is never a bot's fault.
"""

import errno
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from typing import NamedTuple

import msgspec
import trio

from referee.bot.limits import Limits
from referee.bot.tree import Tree, children
from referee.bot.watchdog import Watchdog
from referee.sandbox import START, Sandbox, adopt_orphans, first_process, open_pipe

_SHORT_OF = {errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE}
_SANDBOX_MS = 20_000
_END_S = 10


class ShortageError(Exception):
    """The machine cannot start a process now: try again a little later."""


class Launch(msgspec.Struct, frozen=True):
    """How to start a bot: its words, its working directory and what its environment adds.

    ``isolated`` is False for the one that needs the organiser's terminal: a person's. ``writable``
    lets it write into its folder under isolation too: a build.
    """

    argv: Sequence[str]
    folder: str
    env: Mapping[str, str] = {}
    isolated: bool = True
    writable: bool = False


class Pipes(NamedTuple):
    """Our ends of a bot's standard streams; none of them blocks."""

    to_bot: int
    from_bot: int
    from_stderr: int


class Child:
    """A process tree that has been started. Whoever has it must ``end`` it.

    ``pidfd`` is readable when the process that was started has ended.
    """

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        pidfd: int,
        pipes: Pipes,
        tree: Tree,
        status_fd: int | None,
    ) -> None:
        self.pidfd = pidfd
        self.pipes = pipes
        self.tree = tree
        self._process = process
        self._status_fd = status_fd

    @property
    def exit_code(self) -> int | None:
        """How the process ended: its exit code, negative for a signal; None while it lives."""
        # WNOWAIT: it is reaped only in end(), so that its number stays its own until then.
        how = os.WEXITED | os.WNOHANG | os.WNOWAIT
        ended = os.waitid(os.P_PIDFD, self.pidfd, how)
        if ended is None:
            return None
        if ended.si_code != os.CLD_EXITED:
            return -ended.si_status
        # bubblewrap tells of a signal as shells do.
        if self._status_fd is not None and ended.si_status > 128:
            return 128 - ended.si_status
        return ended.si_status

    def never_ran(self) -> bool:
        """Say of a tree that has ended whether it was the sandbox that failed, before the bot."""
        return self._status_fd is not None and b'"exit-code"' not in os.read(self._status_fd, 4096)

    async def end(self) -> None:
        """Kill all of the tree, see it dead, and reap it. Cancellation is for the caller to bar.

        Without isolation, what cannot be killed within 10 s is given up.
        """
        with trio.move_on_after(_END_S):
            while not self.tree.kill():  # noqa: ASYNC110 nothing tells of somebody else's children
                await trio.sleep(0.002)
        await trio.lowlevel.wait_readable(self.pidfd)
        self._process.wait()
        if self.tree.first_pidfd is not None:
            # That this one has ended proves that all of its namespace has.
            await trio.lowlevel.wait_readable(self.tree.first_pidfd)
            self.tree.reap()

    def close(self) -> None:
        """Close its descriptors, but for the two of the protocol, which the wire closes."""
        for fd in (self.pipes.from_stderr, self.pidfd, self.tree.first_pidfd, self._status_fd):
            if fd is not None:
                os.close(fd)


async def spawn(
    launch: Launch,
    env: Mapping[str, str],
    limits: Limits,
    sandbox: Sandbox | None,
    watchdog: Watchdog,
) -> Child:
    """Start a bot's process in its folder with exactly this environment, and lay its limits on it.

    Raises ShortageError for what the machine is short of, and OSError for a bot that cannot be
    started (in a sandbox that is seen only later: by its exit code). Starts in this thread: a
    parent-death signal is tied to the thread that started the child.
    """
    adopt_orphans()
    try:
        with ExitStack() as undo:
            child = await _spawn(launch, env, limits, sandbox, watchdog, undo)
            undo.pop_all()
            return child
    except OSError as error:
        if sandbox is not None or error.errno in _SHORT_OF:
            raise ShortageError(f"no process can be started: {error.strerror}") from error
        raise


async def _spawn(
    launch: Launch,
    env: Mapping[str, str],
    limits: Limits,
    sandbox: Sandbox | None,
    watchdog: Watchdog,
    undo: ExitStack,
) -> Child:
    """Start it; ``undo`` gets what must be done should it fail."""
    with ExitStack() as theirs:
        their_in, to_bot = open_pipe(theirs, undo)
        from_bot, their_out = open_pipe(undo, theirs)
        from_stderr, their_err = open_pipe(undo, theirs)
        pipes = Pipes(to_bot, from_bot, from_stderr)
        for fd in pipes:
            os.set_blocking(fd, False)
        streams = (their_in, their_out, their_err)
        if sandbox is None:
            process = _start(launch, env, streams)
            undo.callback(_abandon, process)
            tree, status_fd = Tree(process.pid), None
            limits.lay_on(process.pid, isolated=False)
        else:
            process, status_fd, go_fd = sandbox.start(
                launch.argv,
                launch.folder,
                env,
                tmp_bytes=limits.tmp_bytes,
                streams=streams,
                writable=launch.writable,
            )
            undo.callback(_abandon, process)
            undo.callback(os.close, status_fd)
            theirs.callback(os.close, go_fd)
            first = await _first_process(status_fd, from_stderr, watchdog)
            first_pidfd = os.pidfd_open(first)
            undo.callback(os.close, first_pidfd)
            tree = Tree(first, first_pidfd)
            limits.lay_on(first, isolated=True)
            os.write(go_fd, b"1")
            os.write(to_bot, START)
    return Child(process, os.pidfd_open(process.pid), pipes, tree, status_fd)


def _start(
    launch: Launch, env: Mapping[str, str], streams: tuple[int, int, int]
) -> subprocess.Popen[bytes]:
    stdin, stdout, stderr = streams
    return subprocess.Popen(
        launch.argv,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        bufsize=0,
        cwd=launch.folder,
        env=env,
        start_new_session=True,
    )


async def _first_process(status_fd: int, from_stderr: int, watchdog: Watchdog) -> int:
    """Return the number of the namespace's first process; raises OSError where there is none."""
    status = b""
    deadline = watchdog.now() + _SANDBOX_MS / 1000
    while b"\n" not in status:
        if not await watchdog.readable(status_fd, deadline):
            raise TimeoutError(errno.ETIMEDOUT, "bubblewrap does not start")
        data = os.read(status_fd, 4096)
        if not data:
            said = b"bubblewrap does not start"
            with suppress(BlockingIOError):
                said = os.read(from_stderr, 4096).strip() or said
            raise OSError(errno.EAGAIN, said.decode(errors="replace"))
        status += data
    return first_process(status)


def _abandon(process: subprocess.Popen[bytes]) -> None:
    """Kill and reap what was being started, with the child that bubblewrap may leave behind."""
    # What has a session of its own already, as bubblewrap's child has after a moment.
    theirs = children(process.pid)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pid in set(theirs).intersection(children(os.getpid())):  # it has become ours
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    with suppress(ChildProcessError):
        while True:
            os.waitpid(-process.pid, 0)
