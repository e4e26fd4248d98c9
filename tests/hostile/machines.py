"""Runs of the command line on machines that fail: begun, hurt, begun again, and compared."""

import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from pathlib import Path
from typing import Any

from referee.bot.tree import children
from referee.record.lines import split
from referee.tournament.store import open_run
from tests.cli.commands import referee
from tests.hostile.tables import FOLDER, processes_with
from tests.tournament.played import without_times

TRIALS = int(os.environ.get("REFEREE_TRIALS", "2"))
"""How often what strikes at a random moment is tried."""
PATIENCE_S = 60
QUICK = ("Honest", "Honest")
"""Two bots that answer at once; what they play is what the usual two play."""
COMMAND = (sys.executable, "-m", "referee")

_TIMES = re.compile(r"time_ms|run|name")
_marks = (f"referee-test-run-{os.getpid()}-{number}" for number in itertools.count())


class Machine:
    """A tournament in a folder, of series of one game each, on two tables at a time.

    All the bots' processes have ``mark`` in their command lines. The usual two bots play 12
    series; one takes 20 ms an answer, so that there is something to interrupt.
    """

    def __init__(
        self,
        folder: Path,
        ways: Sequence[str] = ("Honest", "Slow"),
        *,
        deals: int = 6,
        places: Sequence[str] = (),
        more: str = "",
    ) -> None:
        self.folder = folder
        self.run = folder / "run"
        self.mark = next(_marks)
        bots = "".join(
            f'[[bots]]\nname = "bot {number}"\npath = "{FOLDER}/hostile.py"\n'
            f'command = "python hostile.py {" ".join([way, self.mark, *places])}"\n'
            for number, way in enumerate(ways, 1)
        )
        concurrency = "" if "[run]" in more else "[run]\nconcurrency = 2\n"
        (folder / "config.toml").write_text(
            f"""
[tournament]
seed = "machine"
block = 1
[[games]]
game = "pitch"
seats = 2
deals = {deals}
rules = {{ max_hands = 1 }}
[time]
move_ms = 1000
bank_ms = 0
{bots}{concurrency}{more}""",
            encoding="utf-8",
        )

    def copied(self, folder: Path) -> "Machine":
        """Return the tournament as it is, in another folder."""
        shutil.copytree(self.folder, folder, dirs_exist_ok=True)
        other = copy(self)
        other.folder, other.run = folder, folder / "run"
        return other

    @property
    def series(self) -> list[Path]:
        """The files of the series that are stored."""
        return sorted((self.run / "series").glob("*.jsonl.zst"))

    def words(self, *more: str, first: str = "") -> list[str]:
        """Return the command that plays the run, or goes on with it.

        ``first`` are lines of Python that the referee's process runs first: a machine's failures.
        """
        script = [sys.executable, "-c", f"{first}\nfrom referee.cli import main\nmain()"]
        command = script if first else COMMAND
        return [*command, "tournament", "config.toml", "--out", "run", *more]

    def play(
        self, *more: str, code: int = 0, first: str = "", **options: Any
    ) -> subprocess.CompletedProcess[str]:
        """Play the run to its end, or as far as this goes; it must end with this exit code.

        In this process, but for what is to hurt a process of its own: ``first``, ``options``.
        """
        words = self.words(*more, first=first)
        done = self._run(words, code, **options) if first or options else self._call(words, code)
        self.assert_none_left()
        return done

    def referee(self, *words: str, **options: Any) -> subprocess.CompletedProcess[str]:
        """Run another command, in the folder; it must end well."""
        words = (*COMMAND, *words)
        return self._run(words, 0, **options) if options else self._call(words, 0)

    def _call(self, words: Sequence[str], code: int) -> subprocess.CompletedProcess[str]:
        out, error = referee(*words[len(COMMAND) :], cwd=self.folder, code=code)
        return subprocess.CompletedProcess(words, code, out, error)

    def _run(
        self, words: Sequence[str], code: int, **options: Any
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            words,
            cwd=self.folder,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE_S,
            check=False,
            **options,
        )
        assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
        assert "Traceback" not in done.stdout + done.stderr, (done.stdout, done.stderr)
        return done

    @contextmanager
    def playing(self, *more: str, **options: Any) -> Iterator["subprocess.Popen[str]"]:
        """Have the run played beside what is done here; it has ended at the end."""
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        with subprocess.Popen(self.words(*more), cwd=self.folder, **streams | options) as process:
            try:
                yield process
                process.communicate(timeout=PATIENCE_S)
            finally:
                process.kill()
        self.assert_none_left()

    def wait_for_series(self, count: int) -> None:
        """Wait until so many series are stored."""
        assert wait_for(lambda: len(self.series) >= count, PATIENCE_S)

    def assert_none_left(self) -> None:
        """Check that a second later no process of a bot is left, nor a zombie of ours."""
        if not wait_for(lambda: not processes_with(self.mark), 1):
            left = processes_with(self.mark)
            assert all(map(is_bubblewrap_that_waits, left)), left
            for pid in left:
                os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):  # a killed referee's: this process adopts orphans too
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass

    def results(self) -> dict[str, Any]:
        """Return all that two plays of the run must have in common: standings, every record."""
        return results_of(self.run)


def results_of(folder: Path) -> dict[str, Any]:
    """Return the results of a run that has ended, without times."""
    store = open_run(folder)
    summaries = {summary.id: summary for summary in store.summaries()}
    records = {
        series: [without_times(b"\n".join(record)) for record in split(store.records(series))]
        for series in summaries
    }
    results = json.loads((folder / "results.json").read_text())
    return {"records": records, "results": _without_times(results)}


def _without_times(data: Any) -> Any:
    match data:
        case dict():
            kept = {key: each for key, each in data.items() if not _TIMES.fullmatch(key)}
            return {key: _without_times(each) for key, each in kept.items()}
        case list():
            return [_without_times(each) for each in data]
    return data


def is_bubblewrap_that_waits(pid: int) -> bool:
    """Whether a process is half a bubblewrap that will never start anything.

    Killed in the fraction of a millisecond between its fork and its first word, the one half
    leaves the other waiting for that word for ever. No bot runs in it, and we cannot end it.
    """
    words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    return words[0].endswith(b"bwrap") and not children(pid)


def wait_for(condition: Callable[[], bool], within_s: float) -> bool:
    """Wait until something holds; say whether it does."""
    end = time.monotonic() + within_s
    while not (held := condition()) and time.monotonic() < end:
        time.sleep(0.01)
    return held
