"""The application: its commands, and what becomes of errors."""

# ruff: noqa: PLC0415 heavy modules are imported where they are used

import io
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

from cyclopts import App, CycloptsError, Parameter

from referee import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cyclopts import Token
    from rich.console import Console

DONE, NO, BAD_USAGE, INTERRUPTED = 0, 1, 2, 130
"""The exit codes."""

app = App(
    name="referee",
    help="A referee and tournament runner for bots that play card games of hidden information.",
    version=__version__,
    help_format="plaintext",
    result_action="return_value",
    suppress_keyboard_interrupt=False,  # main says what that means
)

Flag = Annotated[bool, Parameter(negative="")]
"""An option that is there or not."""


def _named(_: object, tokens: "Sequence[Token]") -> Path:
    (token,) = tokens
    if not token.value:
        raise ValueError("'' is empty, and names no file or folder")
    return Path(token.value)


Named = Annotated[Path, Parameter(converter=_named)]
"""A file or a folder. The empty text, which a Path takes for ``.``, is refused."""


def main() -> None:
    """Run the command line and exit with its code."""
    _prepare_streams()
    try:
        from referee.cli import (  # noqa: F401 they register their commands
            author,
            compare,
            look,
            play,
            share,
        )

        code = app(sys.argv[1:], exit_on_error=False, print_error=False)
        sys.stdout.flush()
    except CycloptsError as error:
        print_error(" ".join(str(error).split()))
        code = BAD_USAGE
    except BrokenPipeError:
        _sink(sys.stdout)  # nobody reads on (`| head -1`): end quietly
        code = DONE
    except (KeyboardInterrupt, BaseExceptionGroup) as error:
        if isinstance(error, BaseExceptionGroup) and not error.subgroup(KeyboardInterrupt):
            raise
        print_error("interrupted")
        code = INTERRUPTED
    except OSError as error:
        # A file or a folder that was named cannot be read or written.
        where = f"{error.filename}: " if error.filename is not None else ""
        print_error(f"{where}{error.strerror}")
        code = BAD_USAGE
    except Exception as error:
        if (code := _code_of(error)) is None:
            raise
        print_error(str(error))
    if code == INTERRUPTED:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # once is enough, to end tidily
    sys.exit(code)


def _prepare_streams() -> None:
    """Have three standard streams that can be written to, whatever this process was given."""
    for fd in range(3):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest free: what is opened later is not it
    sys.stdout = sys.stdout or os.fdopen(1, "w")
    sys.stderr = sys.stderr or os.fdopen(2, "w")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a locale without card suits is no error


def _sink(stream: IO[str]) -> None:
    """Let a stream that nobody reads any more, and Python's own last flush, find a sink."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _code_of(error: Exception) -> int | None:
    """Return the exit code of an error that is the user's to mend, in one clear line; else None."""
    from referee.bot.limits import DescriptorsError
    from referee.games.game import RulesError
    from referee.program import ProgramError
    from referee.sandbox import SandboxError
    from referee.tournament.config import ConfigError
    from referee.tournament.engine import EngineError
    from referee.tournament.runner import StoppedError
    from referee.tournament.store import RunError

    if isinstance(error, StoppedError):
        return NO
    users = RulesError | ProgramError | SandboxError | ConfigError | RunError
    machines = DescriptorsError | EngineError
    return BAD_USAGE if isinstance(error, users | machines) else None


def console(*, stderr: bool = False) -> "Console":
    """Return the terminal, or the pipe or file, that standard output (or error) is."""
    from rich.console import Console

    class Patient(Console):
        """A console that goes on without readers: what is being done is worth more."""

        def on_broken_pipe(self) -> None:
            _sink(self.file)

    return Patient(highlight=False, markup=False, emoji=False, stderr=stderr)


def print_error(line: str) -> None:
    """Say on standard error what is wrong."""
    with suppress(OSError):  # nobody may be there to read it
        sys.stderr.write(f"referee: {line}\n")
        sys.stderr.flush()


def print_json(data: object) -> None:
    """Print one JSON document."""
    import msgspec

    sys.stdout.write(msgspec.json.format(msgspec.json.encode(data)).decode() + "\n")


def warn_if_unfinished(is_finished: bool) -> None:  # noqa: FBT001 one thing to say
    """Say on standard error that a run's hands are still to be played."""
    if not is_finished:
        print_error("the run is not finished: this shows hands still to be played elsewhere")
