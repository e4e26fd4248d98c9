"""A machine that is short of something is waited for; that is never a bot's loss."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio

from referee.bot import Bot, Watchdog
from referee.bot import process as process_module
from referee.bot.spawn import Launch, ShortageError
from referee.bot.stream import Tail
from referee.bot.tree import children
from referee.sandbox import Sandbox, find_isolation, sandbox_of

READY = 'print(\'{"type":"ready"}\', flush=True); input(); input()'
GOOD = Launch([sys.executable, "-c", READY], "/")


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_module, "RETRY_S", 0.01)
    monkeypatch.setattr(process_module, "PATIENCE_S", 0.5)


async def start(launch: Launch, sandbox: Sandbox | None = None) -> Bot:
    """Start a bot and stop it again; no descriptor and no child may be left."""
    before = descriptors()
    watchdog = Watchdog()
    bot = Bot(launch, watchdog, Tail(1024), sandbox=sandbox)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(watchdog.run)
        try:
            await bot.start(nursery, 5000)
        finally:
            await bot.stop(0)
            nursery.cancel_scope.cancel()
    assert descriptors() == before
    assert watchdog.looks == []
    assert children(os.getpid()) == []  # no zombie either
    return bot


def descriptors() -> list[str]:
    return sorted(path.name for path in Path("/proc/self/fd").iterdir())


def failing_first(times: int, code: int, real: Callable[..., Any]) -> Callable[..., Any]:
    """Return a call that fails so often with this error before it does what it should."""
    left = iter(range(times))

    def call(*arguments: Any, **named: Any) -> Any:
        if next(left, None) is not None:
            raise OSError(code, os.strerror(code))
        return real(*arguments, **named)

    return call


@pytest.mark.parametrize("code", [errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE])
@pytest.mark.parametrize(
    ("module", "name"), [(subprocess, "Popen"), (os, "pidfd_open"), (os, "pipe")]
)
async def test_a_shortage_is_waited_for(
    code: int, module: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = getattr(module, name)
    monkeypatch.setattr(module, name, failing_first(3, code, real))
    bot = await start(GOOD)
    assert bot.verdict is None
    assert bot.ready is not None


@pytest.mark.parametrize("name", ["pidfd_open", "pipe"])
async def test_a_shortage_under_isolation_leaves_nothing(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if find_isolation("auto").mode == "off":
        pytest.skip(find_isolation("auto").warning)
    monkeypatch.setattr(os, name, failing_first(3, errno.EMFILE, getattr(os, name)))
    assert (await start(GOOD, sandbox_of("bwrap"))).verdict is None


async def test_a_shortage_without_end_is_the_machines_and_no_verdict(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(subprocess, "Popen", failing_first(10_000, errno.EAGAIN, print))
    with pytest.raises(BaseExceptionGroup) as caught:
        await start(GOOD)
    (error,) = caught.value.exceptions
    assert isinstance(error, ShortageError)
    assert "Resource temporarily unavailable" in str(error)


async def test_a_program_that_is_not_there_is_not_waited_for() -> None:
    bot = await start(Launch(["/nothing/here"], "/"))
    assert bot.verdict is not None
    assert "No such file" in bot.verdict.detail


@pytest.mark.parametrize(
    "script",
    [
        "echo 'bwrap: no room' >&2; exit 1",
        # The first process is there, then the mounts fail.
        """sleep 60 & echo "{ \\"child-pid\\": $! }" >&$4; read -N 1 go <&$6; kill $!
        echo 'bwrap: no room' >&2; exit 1""",
    ],
    ids=["before it begins", "before the bot runs"],
)
async def test_a_sandbox_that_fails_is_no_bots_fault_and_is_tried_again(
    script: str, tmp_path: Path
) -> None:
    tries = tmp_path / "tries"
    bwrap = tmp_path / "bwrap"
    bwrap.write_text(f"#!/bin/bash\necho >> {tries}\n{script}\n")
    bwrap.chmod(0o755)
    with pytest.raises(BaseExceptionGroup) as caught:
        await start(GOOD, Sandbox(str(bwrap)))
    (error,) = caught.value.exceptions
    assert isinstance(error, ShortageError)
    assert "no room" in str(error)
    assert len(tries.read_text()) > 2


async def test_a_start_that_is_broken_off_leaves_nothing_in_a_session_of_its_own(
    tmp_path: Path,
) -> None:
    began = trio.Path(tmp_path / "began")
    bwrap = tmp_path / "bwrap"
    bwrap.write_text(f"#!/bin/bash\nsetsid sh -c ': > {began}; exec sleep 60' &\nwait\n")
    bwrap.chmod(0o755)
    with trio.fail_after(10):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(start, GOOD, Sandbox(str(bwrap)))
            while not await began.exists():  # noqa: ASYNC110 nothing tells of a file
                await trio.sleep(0.01)
            nursery.cancel_scope.cancel()
    assert children(os.getpid()) == []
