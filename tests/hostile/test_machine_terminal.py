"""Machines that fail, points 14 to 16: locales, pipes and terminals.

The run goes on whoever looks at it, and ends in the results of one that nobody looked at.
"""

import fcntl
import os
import re
import signal
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
def test_c14_locales(locale: dict[str, str], machine: Machine, uninterrupted: Results) -> None:
    done = machine.play(env={**os.environ, **locale})
    assert "bot 1" in done.stdout
    assert machine.results() == uninterrupted


def in_shell(machine: Machine, redirections: str, **options: Any) -> "subprocess.Popen[bytes]":
    """Start the run from a shell, its output redirected."""
    script = f'"$@" {redirections}'
    words = ["bash", "-c", f"set -o pipefail; {script}", "bash", *machine.words()]
    return subprocess.Popen(words, cwd=machine.folder, **options)


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
    redirections: str, machine: Machine, uninterrupted: Results
) -> None:
    process = in_shell(machine, redirections, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    shown, said = process.communicate(timeout=60)
    assert process.returncode == 0, said
    assert b"Traceback" not in said + shown
    machine.assert_none_left()
    assert machine.results() == uninterrupted


def test_c15_full_disk_behind_standard_output(machine: Machine, uninterrupted: Results) -> None:
    process = in_shell(machine, ">/dev/full", stderr=subprocess.PIPE)
    _, said = process.communicate(timeout=60)
    assert said == b"referee: No space left on device\n"
    assert process.returncode == 2
    machine.play()
    assert machine.results() == uninterrupted


def test_c15_full_pipe_that_nobody_reads(machine: Machine, uninterrupted: Results) -> None:
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    # Something is said of every series: a line that waited for a reader would stop the run.
    words = machine.words(first="import referee.show.live as l; l.PLAIN_EVERY_S = 0")
    process = subprocess.Popen(words, cwd=machine.folder, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    results = machine.run / "results.json"
    assert wait_for(results.exists, 60)
    with os.fdopen(reading, "rb") as pipe:
        shown = pipe.read()
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (0, b"")
    assert b"bot 1" in shown
    machine.assert_none_left()
    assert machine.results() == uninterrupted


TERMINALS = {
    "no terminal's name": {"TERM": ""},
    "dumb": {"TERM": "dumb"},
    "without colours": {"NO_COLOR": "1"},
}
ESCAPE = re.compile(rb"\x1b")


@pytest.mark.parametrize("env", TERMINALS.values(), ids=TERMINALS)
def test_c16_terminals_that_can_little(
    env: dict[str, str], machine: Machine, uninterrupted: Results
) -> None:
    shown, code = on_terminal(machine.words(), machine.folder, env=env)
    assert code == 0, shown
    assert b"12 of 12 games" in shown or b"12/12" in shown
    if env.get("TERM") == "dumb":
        assert not ESCAPE.search(shown)
    assert b"Traceback" not in shown
    assert machine.results() == uninterrupted


def test_c16_narrow_and_resized(machine: Machine, uninterrupted: Results) -> None:
    shown, code = on_terminal(machine.words(), machine.folder, columns=[40, 100, 20, 3, 40])
    assert code == 0, shown
    assert b"Traceback" not in shown
    assert machine.results() == uninterrupted


def test_c16_a_terminal_that_goes_away(machine: Machine, uninterrupted: Results) -> None:
    words = ["bash", "-c", 'kill -HUP $$ & exec "$@"', "bash", *machine.words()]
    shown, code = on_terminal(words, machine.folder)
    assert code in (130, -signal.SIGHUP), shown
    machine.play()
    assert machine.results() == uninterrupted
