"""A bot's process: started with pipes in a session of its own, stopped for good."""

import math
import os
import signal
import subprocess
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO

import msgspec
import trio

from referee import __version__
from referee.bot.ask import Verdict
from referee.bot.watchdog import Watchdog
from referee.bot.wire import READ_BYTES, Trace, Wire
from referee.protocol import (
    MAX_LINE_BYTES,
    PROTOCOL,
    Bye,
    Hello,
    MalformedError,
    Ready,
    Reason,
    decode_ready,
    encode,
    printable,
)

_HELLO = encode(Hello([PROTOCOL], __version__))
_BYE = encode(Bye())


class Launch(msgspec.Struct, frozen=True):
    """How to start a bot: its words, its working directory and what its environment adds."""

    argv: Sequence[str]
    folder: str
    env: Mapping[str, str] = {}


class Tail:
    """The head and the tail of a stream, each at most ``half_bytes``; the rest is counted."""

    def __init__(self, half_bytes: int) -> None:
        self._half_bytes = half_bytes
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_bytes = 0
        self._dropped_bytes = 0

    def add(self, data: bytes) -> None:
        """Keep what there is room for."""
        room = self._half_bytes - len(self._head)
        self._head += data[:room]
        if rest := data[room:]:
            self._tail.append(rest)
            self._tail_bytes += len(rest)
            while self._tail_bytes - len(self._tail[0]) >= self._half_bytes:
                dropped = len(self._tail.popleft())
                self._tail_bytes -= dropped
                self._dropped_bytes += dropped

    def kept(self) -> bytes:
        """Return the head and the tail, and between them how much was left out."""
        tail = b"".join(self._tail)
        dropped = self._dropped_bytes + max(0, len(tail) - self._half_bytes)
        gap = b"\n... %d bytes left out ...\n" % dropped if dropped else b""
        return bytes(self._head) + gap + tail[-self._half_bytes :]

    def end(self, most: int = 4096) -> str:
        """Return the last ``most`` bytes as text."""
        return self.kept()[-most:].decode(errors="backslashreplace")


class Bot:
    """A bot's process, from its start to its end.

    ``start`` never raises for what the bot does: ``verdict`` says what went wrong, then or later,
    so that this process plays no more.
    """

    def __init__(
        self, launch: Launch, watchdog: Watchdog, stderr: Tail, trace: Trace | None = None
    ) -> None:
        self.launch = launch
        self.watchdog = watchdog
        self.stderr = stderr
        self.trace = trace
        self.verdict: Verdict | None = None
        self.ready: Ready | None = None
        self.asked = 0
        """The number of the last question."""
        self.is_behind = False
        """Whether it still owes the answer to a question that timed out."""
        self._process: subprocess.Popen[bytes] | None = None
        self._is_stopping = False

    async def start(self, nursery: trio.Nursery, startup_ms: int) -> None:
        """Start the process and wait for its ``ready``; sets ``verdict`` where that fails.

        The nursery runs the task that empties its standard error until it is stopped.
        """
        try:
            # In this thread: a parent-death signal is tied to the thread that started the child.
            process = subprocess.Popen(  # noqa: ASYNC220 it takes a millisecond
                self.launch.argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=self.launch.folder,
                env=_environment(self.launch.env),
                start_new_session=True,
            )
        except OSError as error:
            self._fail(f"{self.launch.argv[0]}: {error.strerror}")
            return
        self._process = process
        to_bot, from_bot, self._from_stderr = (
            _take_over(pipe) for pipe in (process.stdin, process.stdout, process.stderr)
        )
        self.wire = Wire(to_bot, from_bot, self.trace)
        self._pidfd = os.pidfd_open(process.pid)
        self._draining = trio.CancelScope()
        self._drained = trio.Event()
        self._stopped = trio.Event()
        nursery.start_soon(self._drain_stderr)
        await self._shake_hands(startup_ms)

    async def _shake_hands(self, startup_ms: int) -> None:
        self.wire.write(_HELLO)
        deadline = self.watchdog.now() + startup_ms / 1000
        while True:
            in_time = await self.watchdog.readable(self.wire.from_bot, deadline)
            self.wire.read()
            for line in self.wire.lines():
                if not line.strip():
                    continue
                try:
                    self.ready = decode_ready(line)
                except MalformedError as error:
                    self._fail(
                        f"{error}; the first line must be "
                        f'{{"type":"ready"}} and nothing else, this came: {printable(line)}'
                    )
                return None
            if len(self.wire.unfinished) > MAX_LINE_BYTES:
                return self._fail(f"a line of more than {MAX_LINE_BYTES} bytes")
            if self.wire.closed_out:
                return self._fail(f"the process {await self.ending()} before it was ready")
            if not in_time:
                return self._fail(f"not ready within {startup_ms} ms")

    def _fail(self, detail: str) -> None:
        self.verdict = Verdict(Reason.STARTUP, detail)

    @property
    def is_alive(self) -> bool:
        """Whether the process is there to play on: without a verdict against it."""
        if self._process is None or self._is_stopping or self.verdict is not None:
            return False
        return self.has_ended() is None

    def has_ended(self) -> str | None:
        """Say how the process ended; None while it lives."""
        # WNOWAIT: it is reaped only in stop(), so that its number stays its own until then.
        how = os.WEXITED | os.WNOHANG | os.WNOWAIT
        status = os.waitid(os.P_PIDFD, self._pidfd, how)
        if status is None:
            return None
        if status.si_code == os.CLD_EXITED:
            return f"ended with exit code {status.si_status}"
        return f"was ended by signal {status.si_status} ({signal.strsignal(status.si_status)})"

    async def _exited(self, within_ms: float = math.inf) -> None:
        """Wait for the process to end, no longer than this; the watchdog need not be running."""
        with trio.move_on_after(within_ms / 1000):
            await trio.lowlevel.wait_readable(self._pidfd)

    async def ending(self) -> str:
        """Say how the process ended, waiting a moment for one that is about to."""
        await self._exited(within_ms=200)
        return self.has_ended() or "lives on"

    async def _drain_stderr(self) -> None:
        try:
            with self._draining:
                while True:
                    await trio.lowlevel.wait_readable(self._from_stderr)
                    if not self._read_stderr():
                        return
                    # A flood is taken in at a bounded pace, so that it costs the referee little.
                    await trio.sleep(0.002)
        finally:
            self._drained.set()

    def _read_stderr(self) -> bool:
        try:
            data = os.read(self._from_stderr, READ_BYTES)
        except BlockingIOError:
            return True
        self.stderr.add(data)
        return bool(data)

    def last_words(self) -> str:
        """Return the end of its standard error, with what still lies in the pipe."""
        if self._process is not None and not self._is_stopping:
            self._read_stderr()
        return self.stderr.end()

    async def stop(self, grace_ms: int, *, say_bye: bool = False) -> None:
        """End the process: its input closes, and after ``grace_ms`` it is killed; then reap it.

        Does nothing for a bot that never started, and waits for a stop that is under way.
        Cancellation skips the grace.
        """
        if self._process is None:
            return
        if self._is_stopping:
            await self._stopped.wait()
            return
        self._is_stopping = True
        try:
            if say_bye:
                self.wire.write(_BYE)
            self.wire.close_in()
            await self._exited(within_ms=grace_ms)
        finally:
            with trio.CancelScope(shield=True):
                await self._kill(self._process)

    async def _kill(self, process: "subprocess.Popen[bytes]") -> None:
        # Not yet reaped, so its number, and its group's, cannot be anybody else's.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await self._exited()
        process.wait()
        self._draining.cancel()
        await self._drained.wait()  # nobody waits on a descriptor that is closed below
        self._read_stderr()
        self.wire.close()
        os.close(self._from_stderr)
        os.close(self._pidfd)
        self._stopped.set()


def _take_over(pipe: IO[bytes] | None) -> int:
    """Return a non-blocking descriptor of our own for a pipe of Popen's."""
    assert pipe is not None  # noqa: S101 all three were asked for
    with pipe:
        fd = os.dup(pipe.fileno())
    os.set_blocking(fd, False)
    return fd


def _environment(extra: Mapping[str, str]) -> dict[str, str]:
    """Return a bot's environment, made from nothing."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": "/tmp",  # noqa: S108 under isolation it is the bot's own
        "LANG": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",
        **extra,
    }
