"""Building a bot from its sources: once, on a copy of its own, isolated, without network.

What is built is a bot like any other, a folder with a command. It is kept by the hash of its
sources and of the command that built it, so that nothing is built twice: builds are seldom the same
to the byte, and a bot's version is the hash of what was built.
"""

import hashlib
import os
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

import trio

from referee.bot import Watchdog
from referee.bot.limits import Limits
from referee.bot.meter import Meter
from referee.bot.process import environment_of
from referee.bot.spawn import Child, Launch, spawn
from referee.bot.stream import Stream, Tail
from referee.program import Program, ProgramError, fingerprint
from referee.protocol import printable
from referee.sandbox import Isolation, Sandbox, sandbox_of

BUILD_S = 300
"""How long a build may take."""
LIMITS = Limits(memory_mb=4096, processes=512, file_mb=1024, cpu_factor=64)
"""What a build may use: more than a bot, since compilers are heavy."""

_LAST_LINES = 20


def build(program: Program, folder: Path, isolation: Isolation) -> Program:
    """Return the bot that this one's ``build`` makes, kept in ``folder``; itself without one.

    What was built before is returned as it is. Its sources stay with it; files of the name
    ``__pycache__`` and the like do not (``program.LEFT_OUT``). Raises ProgramError for a build that
    fails, with the end of what it said.
    """
    if not program.build:
        return program
    program.check()
    kept = folder / _key(program)
    if not kept.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".") as aside:
            sources = program.copy_to(Path(aside) / "sources")
            _let_everybody_write(sources.folder)
            argv = sources.builder.argv
            launch = Launch(argv, str(sources.folder), program.env, writable=True)
            ended, said = trio.run(partial(_run, launch, sandbox_of(isolation.mode)))
            if ended:
                words = "\n".join(printable(line, 300) for line in said.splitlines()[-_LAST_LINES:])
                raise ProgramError(f"{program.path}: its build {ended}\n{words}".rstrip())
            # Copied once more: what is kept is ours, whoever built it, and has no foreign links.
            built = Program(sources.folder, program.command).copy_to(Path(aside) / "built")
            built.path.rename(kept)
    return replace(program, path=kept, build=())


def _key(program: Program) -> str:
    """Return the hash of all that a build depends on, as far as it is the bot's."""
    env = (f"{name}={value}" for name, value in program.env.items())
    said = "\0".join([fingerprint(program.path), *program.build, "", *env])
    return hashlib.sha256(os.fsencode(said)).hexdigest()


async def _run(launch: Launch, sandbox: Sandbox | None) -> tuple[str, str]:
    """Run a build; return how it failed, nothing where it did not, and the end of what it said."""
    watchdog = Watchdog()
    half_bytes = LIMITS.stderr_kb * 1024 // 2
    said, errors = Tail(half_bytes), Tail(half_bytes)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(watchdog.run)
        try:
            child = await spawn(launch, environment_of(launch.env), LIMITS, sandbox, watchdog)
        except OSError as error:
            raise ProgramError(f"{launch.argv[0]}: {error.strerror}") from None
        os.close(child.pipes.to_bot)
        streams = Stream(child.pipes.from_bot, said), Stream(child.pipes.from_stderr, errors)
        try:
            failure = await _ending(child, streams, watchdog)
        finally:
            with trio.CancelScope(shield=True):
                await child.end()
            for stream in streams:
                stream.read()
            os.close(child.pipes.from_bot)
            child.close()
        nursery.cancel_scope.cancel()
    # Errors last, where they are looked for; the order in which the two came is not known.
    return failure, said.end() + errors.end()


async def _ending(child: Child, streams: Iterable[Stream], watchdog: Watchdog) -> str:
    """Wait for a build to end; say how it failed, nothing where it did not."""
    meter = Meter(child.tree, LIMITS, BUILD_S * 1000, watchdog)
    passed: list[str] = []

    def look() -> None:
        if (limit := meter.look()) is not None:
            passed.append(limit)
            child.tree.kill()

    watchdog.looks.append(look)
    with trio.move_on_after(BUILD_S):
        async with trio.open_nursery() as nursery:
            for stream in streams:
                nursery.start_soon(stream.drain)
            await trio.lowlevel.wait_readable(child.pidfd)
            nursery.cancel_scope.cancel()
    watchdog.looks.remove(look)
    if passed:
        return f"was ended for passing a limit ({passed[0]})"
    match child.exit_code:
        case None:
            return f"takes more than {BUILD_S} s"
        case 0:
            return ""
        case code:
            return f"ended with exit code {code}"


def _let_everybody_write(folder: Path) -> None:
    """Let a build write wherever it likes, as the user that it runs as."""
    for within, _, files in os.walk(folder):
        Path(within).chmod(0o777)
        for file in (Path(within) / name for name in files):
            if not file.is_symlink():
                file.chmod(file.stat().st_mode | 0o666)
