"""A bot's process: started with pipes in a session of its own, stopped for good."""

import math
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path

import trio

from referee import __version__
from referee.bot.ask import MAX_PASSED_LINES, Question, Verdict
from referee.bot.limits import DEFAULT_LIMITS, Limits
from referee.bot.meter import Meter
from referee.bot.spawn import Child, Launch, ShortageError, spawn
from referee.bot.stream import Stream, Tail
from referee.bot.watchdog import Watchdog
from referee.bot.wire import Trace, TracedWire, Wire
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
from referee.sandbox import Sandbox

PATIENCE_S = 60
"""How long a machine that cannot start processes is waited for."""
RETRY_S = 0.25
_WEIGH_AGAIN_S = 0.05

_HELLO = encode(Hello([PROTOCOL], __version__))
_BYE = encode(Bye())


class Bot:
    """A bot's process, from its start to its end.

    ``start`` never raises for what the bot does: ``verdict`` says what went wrong, and ``overrun``
    which limit was passed; what passes one is killed at once. With a verdict it plays no more.
    """

    def __init__(
        self,
        launch: Launch,
        watchdog: Watchdog,
        stderr: Tail,
        trace: Trace | None = None,
        limits: Limits = DEFAULT_LIMITS,
        sandbox: Sandbox | None = None,
    ) -> None:
        self.launch = launch
        self.watchdog = watchdog
        self.stderr = stderr
        self.trace = trace
        self.limits = limits
        self.sandbox = sandbox if launch.isolated else None
        self.verdict: Verdict | None = None
        self.overrun: Verdict | None = None
        self.ready: Ready | None = None
        self.meter: Meter | None = None
        """What its process uses; None before there is one."""
        self.left: str | None = None
        """How it ended by itself within the grace of ``stop``; None for one that was killed."""
        self._child: Child | None = None
        self._aside: Stream | None = None
        self._is_stopping = False

    def listen_to(self, wire: Wire) -> None:
        """Speak with it over this wire."""
        self.wire = wire
        self.question = Question(wire, self.watchdog, self._aside, self.meter)

    async def start(self, nursery: trio.Nursery, startup_ms: int) -> None:
        """Start the process and wait for its ``ready``; sets ``verdict`` where that fails.

        The nursery runs the task that empties its standard error until it is stopped. What the
        machine is short of is waited for, ``PATIENCE_S`` long; then ShortageError is raised.
        """
        deadline = self.watchdog.now() + PATIENCE_S
        while True:
            try:
                return await self._start(nursery, startup_ms)
            except ShortageError:
                if self.watchdog.now() >= deadline:
                    raise
            await trio.sleep(RETRY_S)

    async def _start(self, nursery: trio.Nursery, startup_ms: int) -> None:
        env = environment_of(self.launch.env)
        try:
            child = await spawn(self.launch, env, self.limits, self.sandbox, self.watchdog)
        except OSError as error:
            self._fail(f"{self.launch.argv[0]}: {error.strerror}")
            return
        self._child = child
        self.meter = Meter(child.tree, self.limits, startup_ms, self.watchdog)
        self._aside = Stream(child.pipes.from_stderr, self.stderr)
        ends = child.pipes.to_bot, child.pipes.from_bot
        self.listen_to(Wire(*ends) if self.trace is None else TracedWire(*ends, self.trace))
        self._nursery = nursery
        self._draining = trio.CancelScope()
        self._drained = trio.Event()
        self._is_weighed = False
        self._stopped = trio.Event()
        nursery.start_soon(self._drain, self._aside)
        self.watchdog.looks.append(self._look)
        await self._shake_hands(startup_ms)
        if self.verdict is not None and child.exit_code is not None and child.never_ran():
            said = self.stderr.end()
            await self.stop(0)
            self._child = self._aside = self.verdict = None
            self._is_stopping = False
            raise ShortageError(f"no process can be started: {said}")
        self.meter.rest()

    async def _shake_hands(self, startup_ms: int) -> None:
        self.wire.write(_HELLO)
        deadline = self.watchdog.now() + startup_ms / 1000
        blank_lines = 0
        while True:
            in_time = await self.watchdog.readable(self.wire.from_bot, deadline)
            line = self.wire.read()
            while line is not None and not line.strip():
                blank_lines += 1
                if blank_lines > MAX_PASSED_LINES:
                    return self._fail(f"{blank_lines} blank lines before it was ready")
                line = self.wire.next_line()
            if line is not None:
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
        self.verdict = self.overrun or Verdict(Reason.STARTUP, detail)

    def _look(self) -> None:
        """Look at what its processes use, and end them where that is too much."""
        assert self.meter is not None  # noqa: S101 it is looked at while it runs
        if (passed := self.meter.look()) is not None:
            self._pass_limit(passed)
        elif self.meter.may_be_too_heavy and not self._is_weighed:
            self._is_weighed = True
            self._nursery.start_soon(self._weigh, self.meter)

    async def _weigh(self, meter: Meter) -> None:
        """Find out what the processes hold together; in a thread, since it may take a while.

        Twice: while one after another comes to share something, it counts too much.
        """
        passed: str | None = None
        for _ in range(2):
            found_bytes = await trio.to_thread.run_sync(meter.tree.proportional_bytes)
            if (passed := meter.too_heavy(found_bytes)) is None:
                break
            await trio.sleep(_WEIGH_AGAIN_S)
        self._is_weighed = False
        if passed is not None:
            self._pass_limit(passed)

    def _pass_limit(self, detail: str) -> None:
        if self.overrun is None and self._child is not None:
            self.overrun = Verdict(Reason.LIMIT, detail)
            self._child.tree.kill()

    @property
    def is_alive(self) -> bool:
        """Whether the process is there to play on: without a verdict against it."""
        if self._child is None or self._is_stopping or self.verdict is not None:
            return False
        return self.has_ended() is None

    def has_ended(self) -> str | None:
        """Say how the process ended; None while it lives."""
        assert self._child is not None  # noqa: S101 it has been started
        code = self._child.exit_code
        if code is None:
            return None
        if code == -signal.SIGXFSZ and self.overrun is None:
            detail = f"file size: a larger one; limits.file_mb = {self.limits.file_mb} allowed"
            self.overrun = Verdict(Reason.LIMIT, detail)
        if self.overrun is not None:
            return f"was ended for passing a limit ({self.overrun.detail})"
        if code >= 0:
            return f"ended with exit code {code}"
        return f"was ended by signal {-code} ({signal.strsignal(-code)})"

    async def _exited(self, within_ms: float = math.inf) -> None:
        """Wait for the process to end, no longer than this; the watchdog need not be running."""
        assert self._child is not None  # noqa: S101 it has been started
        with trio.move_on_after(within_ms / 1000):
            await trio.lowlevel.wait_readable(self._child.pidfd)

    async def ending(self) -> str:
        """Say how the process ended, waiting a moment for one that is about to."""
        await self._exited(within_ms=200)
        return self.has_ended() or "lives on"

    async def cause_of(self, verdict: Verdict) -> Verdict:
        """Return what stands behind a verdict: how the process ended, or a limit that ended it."""
        if verdict.reason is Reason.CRASH:
            detail = f"{verdict.detail}; the process {await self.ending()}"
            return self.overrun or Verdict(Reason.CRASH, detail)
        if verdict.reason is Reason.TIMEOUT and (ended := self.has_ended()) is not None:
            # What it started holds its output open, so that nothing else told of the end.
            detail = f"{verdict.detail}; the process {ended}"
            return self.overrun or Verdict(Reason.CRASH, detail)
        return verdict

    async def _drain(self, aside: Stream) -> None:
        try:
            with self._draining:
                await aside.drain()
        finally:
            self._drained.set()

    def last_words(self) -> str:
        """Return the end of its standard error, with what still lies in the pipe."""
        if self._aside is not None and not self._is_stopping:
            self._aside.read()
        return self.stderr.end()

    async def stop(self, grace_ms: int, *, say_bye: bool = False) -> None:
        """End the process: its input closes, and after ``grace_ms`` it is killed; then reap it.

        Does nothing for a bot that never started, and waits for a stop that is under way.
        Cancellation skips the grace.
        """
        if self._child is None or self._aside is None:
            return
        if self._is_stopping:
            await self._stopped.wait()
            return
        self._is_stopping = True
        try:
            self._child.tree.go_on()
            if say_bye:
                self.wire.write(_BYE)
            self.wire.close_in()
            await self._exited(within_ms=grace_ms)
            self.left = self.has_ended()
        finally:
            with trio.CancelScope(shield=True):
                await self._end(self._child, self._aside)

    async def _end(self, child: Child, aside: Stream) -> None:
        self.watchdog.looks.remove(self._look)
        if self.meter is not None:
            self.meter.finish()
        await child.end()
        self._draining.cancel()
        await self._drained.wait()  # nobody waits on a descriptor that is closed below
        aside.read()
        self.wire.close()
        child.close()
        self._stopped.set()


def environment_of(extra: Mapping[str, str]) -> dict[str, str]:
    """Return a bot's environment, made from nothing."""
    return {
        # "env python3" in a script is what "python3" in a command is: this Python.
        "PATH": f"{Path(sys.executable).parent}:{os.environ.get('PATH', os.defpath)}",
        "HOME": "/tmp",  # noqa: S108 under isolation it is the bot's own
        "LANG": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",
        **extra,
    }
