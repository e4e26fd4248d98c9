"""The commands of ``referee`` as a user types them, run in this process.

A process of its own would first take a fifth of a second to import what is here already. What needs
one (a terminal, signals, closed pipes, a start) is tried with real ones: in ``test_cli.py`` and in
``tests/hostile/``.
"""

import io
import os
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

import pytest

from referee.cli import main
from tests.tournament.played import BOTS

RANDOM, GREEDY = str(BOTS / "random_bot.py"), str(BOTS / "greedy_bot.py")


def referee(*words: str | Path, cwd: Path | None = None, code: int = 0) -> tuple[str, str]:
    """Run a command; return what it said on standard output and standard error.

    Without a terminal, 80 columns wide; it must end with this exit code, and not by an exception.
    """
    out, error = io.StringIO(), io.StringIO()
    with (
        chdir(cwd or Path.cwd()),
        patch.object(sys, "argv", ["referee", *map(str, words)]),
        patch.dict(os.environ, COLUMNS="80"),
        redirect_stdout(out),
        redirect_stderr(error),
        pytest.raises(SystemExit) as ended,
    ):
        main()
    assert ended.value.code == code, (ended.value.code, out.getvalue(), error.getvalue())
    return out.getvalue(), error.getvalue()
