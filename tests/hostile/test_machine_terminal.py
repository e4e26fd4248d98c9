"""Machines that fail, points 14 to 16: locales, pipes and terminals.

The run goes on whoever looks at it, and ends in the results of one that nobody looked at.
"""

import fcntl
import os
import re
import subprocess
from typing import Any

import pytest

from tests.hostile.machines import Machine, wait_for
from tests.hostile.terminals import on_terminal

Results = dict[str, Any]

LOCALES = {
    "C": {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    "ascii": {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    "latin-1": {"PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"},
    "none such": {"LC_ALL": "xx_YY.klingon", "LANG": "nothing"},
}


@pytest.mark.parametrize("locale", LOCALES.values(), ids=LOCALES)
def test_c14_locales(locale: dict[str, str], quick: Machine, undisturbed: Results) -> None:
    done = quick.play(env={**os.environ, **locale})
    assert "bot 1" in done.stdout
    assert quick.results() == undisturbed


def in_shell(quick: Machine, redirections: str, **options: Any) -> "subprocess.Popen[bytes]":
    """Start the run from a shell, its output redirected."""
    script = f'"$@" {redirections}'
    words = ["bash", "-c", f"set -o pipefail; {script}", "bash", *quick.words()]
    return subprocess.Popen(words, cwd=quick.folder, **options)


ENDS = {
    "a reader that leaves": "| head -1",
    "a reader that leaves, for both": "2>&1 | head -1",
    "no standard error": "2>&-",
    "no standard output": ">&-",
    "nothing at all": "<&- >&- 2>&-",
    "an error output that is full": "2>/dev/full",
}


@pytest.mark.parametrize("redirections", ENDS.values(), ids=ENDS)
def test_c15_closed_and_broken_ends(
    redirections: str, quick: Machine, undisturbed: Results
) -> None:
    process = in_shell(quick, redirections, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    shown, said = process.communicate(timeout=60)
    assert process.returncode == 0, said
    assert b"Traceback" not in said + shown
    quick.assert_none_left()
    assert quick.results() == undisturbed


def test_c15_full_disk_behind_standard_output(quick: Machine, undisturbed: Results) -> None:
    process = in_shell(quick, ">/dev/full", stderr=subprocess.PIPE)
    _, said = process.communicate(timeout=60)
    assert said.splitlines()[-1] == b"referee: No space left on device"
    assert process.returncode == 2
    quick.play()
    assert quick.results() == undisturbed


def test_c15_full_pipe_that_nobody_reads(quick: Machine, undisturbed: Results) -> None:
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    # Something is said of every series: a line that waited for a reader would stop the run.
    words = quick.words(first="import referee.show.live as l; l.PLAIN_EVERY_S = 0")
    process = subprocess.Popen(words, cwd=quick.folder, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    results = quick.run / "results.json"
    assert wait_for(results.exists, 60)
    with os.fdopen(reading, "rb") as pipe:
        shown = pipe.read()
    _, said = process.communicate(timeout=60)
    assert process.returncode == 0, said
    assert b"bot 1" in shown
    quick.assert_none_left()
    assert quick.results() == undisturbed


TERMINALS = {
    "no terminal's name": {"TERM": ""},
    "dumb": {"TERM": "dumb"},
    "without colours": {"NO_COLOR": "1"},
}
ESCAPE = re.compile(rb"\x1b")


@pytest.mark.parametrize("env", TERMINALS.values(), ids=TERMINALS)
def test_c16_terminals_that_can_little(
    env: dict[str, str], quick: Machine, undisturbed: Results
) -> None:
    shown, code = on_terminal(quick.words(), quick.folder, env=env)
    assert code == 0, shown
    assert b"2 of 2 games" in shown or b"2/2" in shown
    if env.get("TERM") == "dumb":
        assert not ESCAPE.search(shown)
    assert b"Traceback" not in shown
    assert quick.results() == undisturbed


def test_c16_narrow_and_resized(machine: Machine, uninterrupted: Results) -> None:
    shown, code = on_terminal(machine.words(), machine.folder, columns=[40, 100, 20, 3, 40])
    assert code == 0, shown
    assert b"Traceback" not in shown
    assert machine.results() == uninterrupted
