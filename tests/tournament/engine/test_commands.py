"""Engines by the command line: killed, interrupted, and asked for where they are not installed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.sandbox import adopt_orphans
from referee.tournament.store import open_run
from tests.cli.commands import referee
from tests.tournament.engine.left import BOTS_DIE_S, all_end, command_of, dead_after_s, descendants
from tests.tournament.played import SHORT, config_of, records_of

CLUSTER = '[run]\nengine = "dask"\nscheduler = "local:2"\n'
PROCESSES = '[run]\nengine = "processes"\nconcurrency = 2\n'
ENGINES = {
    "processes": PROCESSES,
    "processes, no isolation": f'{PROCESSES}[limits]\nsandbox = "off"\n',
    "dask": CLUSTER,
}
TOURNAMENT = (sys.executable, "-m", "referee", "tournament", "config.toml", "--out", "run")


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """See to it that what a process leaves when it ends becomes this one's, and ends as well."""
    adopt_orphans()
    yield
    assert all_end(within_s=5)


def began(folder: Path, engine: str) -> subprocess.Popen[bytes]:
    """Start a tournament; return when three of its series are stored."""
    if engine == "dask":
        pytest.importorskip("distributed", reason="the extra cluster is not installed")
    config_of(folder, SHORT + ENGINES[engine])
    process = subprocess.Popen(
        TOURNAMENT,
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    series = folder / "run" / "series"
    while not (series.is_dir() and len(list(series.glob("*.zst"))) >= 3):
        assert process.poll() is None
        time.sleep(0.01)
    return process


def bots_of(process: subprocess.Popen[bytes]) -> list[int]:
    """Wait until bots play; return them, with what isolates them."""
    while True:
        assert process.poll() is None
        commands = {pid: command_of(pid) for pid in descendants(process.pid)}
        bots = [pid for pid, words in commands.items() if b"_bot.py" in words or b"bwrap" in words]
        if any(b"_bot.py" in commands[pid] for pid in bots):
            return bots


def words_of(said: bytes) -> list[str]:
    """Return the lines of standard error, but for the one on a machine of a single core."""
    return [line for line in said.decode().splitlines() if "cores there are" not in line]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_killed_coordinator_leaves_nothing_but_a_run_that_the_same_command_ends(
    engine: str, played_locally: dict[str, list[list[bytes]]], tmp_path: Path
) -> None:
    """No bot a second later, and soon no worker, no folder of theirs and no word."""
    process = began(tmp_path, engine)
    bots = bots_of(process)
    process.kill()
    assert dead_after_s(bots, BOTS_DIE_S) < BOTS_DIE_S
    _, said = process.communicate()
    assert all_end(within_s=5)
    assert words_of(said) == []
    assert {path.name for path in tmp_path.iterdir()} == {"config.toml", "run"}
    again = subprocess.run(TOURNAMENT, cwd=tmp_path, capture_output=True, check=False, timeout=60)
    assert again.returncode == 0, again.stderr
    assert records_of(open_run(tmp_path / "run")) == played_locally


@pytest.mark.parametrize(
    ("engine", "how"),
    [("dask", signal.SIGINT), ("dask", signal.SIGTERM), ("processes", signal.SIGINT)],
)
def test_a_signal_ends_all_and_leaves_a_run_that_can_be_resumed(
    engine: str, how: signal.Signals, tmp_path: Path
) -> None:
    """Also one that comes again while all is being ended."""
    process = began(tmp_path, engine)
    process.send_signal(how)
    time.sleep(0.01)
    process.send_signal(how)
    _, said = process.communicate(timeout=10)
    assert process.returncode == 130
    assert words_of(said) == ["referee: interrupted; the same command goes on from here"]
    assert 3 <= len(list((tmp_path / "run" / "series").glob("*.zst"))) < 24
    assert {path.name for path in tmp_path.iterdir()} == {"config.toml", "run"}


WITHOUT = "import sys; sys.modules['distributed'] = None; from referee.cli import main; main()"


def test_a_missing_extra_is_said_with_how_to_install_it(tmp_path: Path) -> None:
    config_of(tmp_path, SHORT + CLUSTER)
    command = [sys.executable, "-c", WITHOUT, *TOURNAMENT[3:]]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=60)
    assert done.returncode == 2
    (line,) = words_of(done.stderr)
    assert line.startswith('referee: run.engine: "dask" needs the extra cluster')
    assert line.endswith("pip install 'referee[cluster]'")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "No such file or directory; it may be a file like tournaments/slurm/jobs.toml"),
        ("jobs = ", "not TOML: Invalid value"),
        ("jobs = 0", "jobs: found 0; it may be a whole number from 1 on"),
    ],
)
def test_what_is_wrong_with_the_file_of_slurms_jobs_is_said_before_a_run_is_made(
    text: str | None, words: str, tmp_path: Path
) -> None:
    pytest.importorskip("dask_jobqueue", reason="the extra cluster is not installed")
    config_of(tmp_path, f'{SHORT}[run]\nengine = "dask"\nscheduler = "slurm:jobs.toml"\n')
    if text is not None:
        (tmp_path / "jobs.toml").write_text(text)
    _, said = referee("tournament", "config.toml", "--out", "run", cwd=tmp_path, code=2)
    (line,) = said.splitlines()
    assert line.startswith(f"referee: run.scheduler: {tmp_path}/jobs.toml: {words}")
    assert not (tmp_path / "run").exists()
