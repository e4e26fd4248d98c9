"""Starting a program in a sandbox of bubblewrap's.

It sees: ``/usr``, the interpreter that runs the referee with its packages, its own folder as
``/bot``, all read-only; a ``/tmp`` and a ``/dev/shm`` of its own, of bounded size; its own
processes; no network. Nothing else of the machine is there. It has no privileges and gets none.

Started by root, the program becomes an unprivileged user of its own before anything of it runs;
inside the sandbox, since the interpreter may lie where only root may enter.
"""

import ctypes
import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from referee.sandbox.seccomp import seccomp_filter

BOT_FOLDER = "/bot"
"""Where a program's own folder is in the sandbox, and where it starts."""

_NAMESPACES = ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts")
_SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SETTINGS = ("alternatives", "ld.so.cache", "localtime", "java-*-openjdk")
"""What programs in ``/usr`` need of ``/etc``; Debian's Java does not start without its own."""
_PR_SET_CHILD_SUBREAPER = 36
_USERS = range(61184, 65520)
"""The range that systemd, too, keeps for users that exist only while a program runs."""


START = b"\n"
"""What stands on a program's standard input before all else; the program itself never sees it."""

# A referee may be killed before the bubblewrap that it starts has asked to die with it: the program
# would run alone, but then its input is closed. What is left of such a kill, if it falls between
# bubblewrap's fork and its first word, is half a bubblewrap that waits, and no program.
_GATE = ("sh", "-c", 'read -r go && exec "$@"', "sh")


def _users_from(start: int) -> Iterator[int]:
    """Go through the users for ever, from one that depends on the process that does.

    What a user may have of processes is counted over the machine, so other referees and workers,
    whose processes' numbers are near, had better be with others.
    """
    first = start * 2681 % len(_USERS)  # far apart: the golden ratio of the range
    return itertools.cycle([*_USERS[first:], *_USERS[:first]])


_users = _users_from(os.getpid())


class Started(NamedTuple):
    """A sandbox that is about to run its program.

    On ``status_fd`` bubblewrap writes a line of JSON with ``child-pid``, the namespace's first
    process, and at the end one with ``exit-code`` if the program ran. Nothing is started there
    until something is written to ``go_fd``, and not the program until ``START`` is written to its
    standard input. Whoever has this closes both descriptors.
    """

    process: subprocess.Popen[bytes]
    status_fd: int
    go_fd: int


class Sandbox:
    """Starts programs by this bubblewrap."""

    def __init__(self, bwrap: str) -> None:
        self.bwrap = bwrap
        self._is_root = os.geteuid() == 0
        self._machine = list(self._machine_options())
        self._filter = seccomp_filter()

    def start(
        self,
        argv: Sequence[str],
        folder: str,
        env: Mapping[str, str],
        *,
        tmp_bytes: int,
        streams: tuple[int, int, int],
        writable: bool = False,
    ) -> Started:
        """Start a program in its folder with exactly this environment; raises OSError.

        ``tmp_bytes`` is the size of ``/tmp``, and of ``/dev/shm``; ``streams`` are the
        descriptors that become its standard input, output and error. A ``writable`` folder can be
        written to as far as its modes allow.
        """
        with ExitStack() as ours, ExitStack() as theirs:
            status_fd, their_status = open_pipe(ours, theirs)
            # Open for reading too: a bubblewrap that is killed by a pipe without readers, its
            # referee being dead, leaves a child that waits for ever.
            kept_status = os.open(f"/proc/self/fd/{their_status}", os.O_RDWR | os.O_CLOEXEC)
            theirs.callback(os.close, kept_status)
            their_go, go_fd = open_pipe(theirs, ours)
            options = self._options(argv[0], folder, env, tmp_bytes, writable=writable)
            # By descriptor: a command line can be read by everybody, as root also the bot.
            passed = {
                "--args": _readable(theirs, b"\0".join(map(os.fsencode, options))),
                "--json-status-fd": kept_status,
                "--block-fd": their_go,
            }
            if self._filter:
                passed["--seccomp"] = _readable(theirs, self._filter)
            words = [word for option, fd in passed.items() for word in (option, str(fd))]
            process = subprocess.Popen(
                [self.bwrap, *words, "--", *self._command(argv, env)],
                stdin=streams[0],
                stdout=streams[1],
                stderr=streams[2],
                bufsize=0,
                cwd="/",
                env={},
                pass_fds=tuple(passed.values()),
                start_new_session=True,
            )
            ours.pop_all()
            return Started(process, status_fd, go_fd)

    def _command(self, argv: Sequence[str], env: Mapping[str, str]) -> list[str]:
        """Return the words that drop what rights are left, and start the program.

        The environment is set last: nothing in it (LD_PRELOAD) may touch what still has rights.
        And it is not bubblewrap that starts the program, so that its failures are its own.
        """
        variables = (f"{name}={value}" for name, value in env.items())
        program = ["env", "-i", *variables, *argv]
        if not self._is_root:
            return [*_GATE, *program]
        user = next(_users)
        return [
            *_GATE,
            "setpriv",
            f"--reuid={user}",
            f"--regid={user}",
            "--clear-groups",
            "--no-new-privs",
            "--bounding-set=-all",
            "--inh-caps=-all",
            *program,
        ]

    def _options(
        self,
        program: str,
        folder: str,
        env: Mapping[str, str],
        tmp_bytes: int,
        *,
        writable: bool = False,
    ) -> Iterator[str]:
        # First: what is bound may itself lie under /tmp, and must not be covered.
        yield from _sized("/tmp", tmp_bytes)  # noqa: S108 the sandbox's own
        yield from self._machine
        yield from _bound(_program_paths(program, env.get("PATH", os.defpath)))
        bind = "--bind" if writable else "--ro-bind"
        yield from (bind, str(Path(folder).absolute()), BOT_FOLDER)
        yield from ("--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev")
        yield from _sized("/dev/shm", tmp_bytes)  # noqa: S108 the sandbox's own
        yield from ("--remount-ro", "/", "--chdir", BOT_FOLDER)
        yield from ("--setenv", "PATH", "/usr/bin:/bin")

    def _machine_options(self) -> Iterator[str]:
        """Yield what is the same for all programs."""
        yield from (*_NAMESPACES, "--unshare-cgroup-try", "--new-session", "--die-with-parent")
        if not self._is_root:
            yield from ("--unshare-user", "--disable-userns")
        yield from ("--ro-bind", "/usr", "/usr")
        for path in map(Path, _SYSTEM):
            if path.is_symlink():
                yield from ("--symlink", str(path.readlink()), str(path))
            elif path.is_dir():
                yield from ("--ro-bind", str(path), str(path))
        yield from _bound(path for name in _SETTINGS for path in Path("/etc").glob(name))
        yield from _bound(_python_paths())


def first_process(status: bytes) -> int:
    """Return the number of the namespace's first process, by bubblewrap's first line of status."""
    number: int = msgspec.json.decode(status.partition(b"\n")[0])["child-pid"]
    return number


@cache
def adopt_orphans() -> None:
    """Have descendants whose parents have ended become this process's children.

    So that they can be found, and reaped whatever the machine's first process does: a namespace's
    first process outlives the bubblewrap that started it by a moment.
    """
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def open_pipe(reading: ExitStack, writing: ExitStack) -> tuple[int, int]:
    """Return a new pipe's two ends; each stack closes one."""
    read_fd, write_fd = os.pipe()
    reading.callback(os.close, read_fd)
    writing.callback(os.close, write_fd)
    return read_fd, write_fd


def _readable(opened: ExitStack, data: bytes) -> int:
    """Return a descriptor from which this can be read: some kilobytes, so that a pipe holds it."""
    reading, writing = os.pipe()
    opened.callback(os.close, reading)
    try:
        os.write(writing, data)
    finally:
        os.close(writing)
    return reading


def _sized(place: str, size_bytes: int) -> Iterator[str]:
    """Yield the options for a place where everybody may write so much."""
    # At least a page: a size of 0 would be without bounds.
    yield from ("--perms", "1777", "--size", str(max(size_bytes, 4096)), "--tmpfs", place)


def _bound(paths: Iterable[Path]) -> Iterator[str]:
    """Yield the options that make these paths readable where they are, through any folder."""
    for path in paths:
        if path.is_relative_to("/usr"):
            continue
        for parent in reversed(path.parents[:-1]):
            # Some versions would make them for their owner only.
            yield from ("--perms", "0755", "--dir", str(parent))
        yield from ("--ro-bind", str(path), str(path))


def _python_paths() -> list[Path]:
    """List what the referee's own interpreter needs, without the rest of the folders it is in.

    A virtual environment may be a project's own folder, so only its known parts are shown.
    """
    prefixes = (
        Path(sys.prefix),
        Path(sys.base_prefix),
        Path(sys.executable).resolve().parent.parent,
    )
    names = ("bin", "lib", "lib64", "pyvenv.cfg")
    return [
        path
        for prefix in dict.fromkeys(prefixes)
        if prefix != Path("/")
        for path in (prefix / name for name in names)
        if path.exists()
    ]


def _program_paths(program: str, path: str) -> list[Path]:
    """List what a program from elsewhere than ``/usr`` needs: a node in the home folder, say.

    That is its file, or the whole folder above ``bin`` if there is a ``lib`` beside it.
    """
    if "/" in program and not program.startswith("/"):
        return []
    found = shutil.which(program, path=path)
    if found is None or program == sys.executable:
        return []
    prefix = Path(found).parent.parent
    # These hold more than programs.
    is_private = prefix in (Path("/"), Path.home(), Path.home() / ".local")
    if Path(found).parent.name == "bin" and (prefix / "lib").is_dir() and not is_private:
        return [prefix]
    return [Path(found)]
