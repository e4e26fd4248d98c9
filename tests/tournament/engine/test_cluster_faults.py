"""What goes wrong with a cluster: tasks that kill, schedulers that go, machines that do not fit."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import msgspec
import pytest
import trio
from rich.console import Console

from referee.record.result import GameResult
from referee.series import SeriesSpec
from referee.tournament.engine import EngineError
from referee.tournament.results import standings_of
from referee.tournament.runner import Ending
from referee.tournament.schedule import Series
from referee.tournament.sizing import schedule_of
from referee.tournament.specs import spec_of
from referee.tournament.store import create
from tests.tournament.engine.left import (
    BOTS_DIE_S,
    command_of,
    dead_after_s,
    descendants,
    none_left,
)
from tests.tournament.played import SHORT, Quiet, config_of, play_run, play_watched, records_of

pytest.importorskip("distributed", reason="the extra cluster is not installed")

from referee.tournament.engine.cluster import (
    connect,
    coordinator,
    here,
    open_cluster,
    remote,
    report,
)
from tests.tournament.engine import stub

CLUSTER = '[run]\nengine = "dask"\nscheduler = "local:2"\n'


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    yield
    assert none_left(5)


def test_a_series_that_kills_its_workers_is_aborted_and_no_bots_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All others are played; its whole block does not count. No worker is missing for long."""
    monkeypatch.setenv("DASK_DISTRIBUTED__DEPLOY__LOST_WORKER_TIMEOUT", "100ms")  # not heeded
    monkeypatch.setattr(remote, "play", stub.kill_if_poisoned)
    store, ending = play_run(config_of(tmp_path, SHORT + CLUSTER), tmp_path / "run")
    assert ending.aborted == [stub.POISON]
    assert not ending.interrupted
    trace = (store.folder / f"aborted-{stub.POISON}.txt").read_text()
    assert "KilledWorker" in trace
    stored = {path.name.removesuffix(".jsonl.zst") for path in (store.folder / "series").iterdir()}
    assert len(stored) == 23
    assert stub.POISON not in stored
    standings = standings_of(store)
    assert standings.games == 36 - 6
    assert not any(row.forfeits or any(row.faults.values()) for row in standings.standings)


async def test_what_is_ready_is_taken_and_released_while_a_slow_chunk_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow chunk first, then 23 quick ones."""
    monkeypatch.setattr(remote, "play", stub.dawdle_if_poisoned)
    store = create(tmp_path / "run", config_of(tmp_path, SHORT))
    specs = [
        spec_of(store, series)
        for block in schedule_of(store.config).blocks()
        for series in block.series()
    ]
    specs.sort(key=lambda spec: spec.setting.series != stub.POISON)
    ended: list[tuple[str, int]] = []
    async with open_cluster("local:2", "auto", None) as engine, trio.open_nursery() as nursery:

        async def play(spec: SeriesSpec) -> None:
            await engine.play([spec])
            ended.append((spec.setting.series, len(engine.coordinator._client.futures)))

        for spec in specs:
            nursery.start_soon(play, spec)
    assert len(ended) == 24
    assert ended[-1] == (stub.POISON, 0)
    assert all(held <= 23 - place for place, (_, held) in enumerate(ended))


MANY = SHORT.replace("deals = 3", "deals = 334").replace("block = 2", "block = 2")


class Weighed(Quiet):
    """A watcher that weighs this process."""

    def __init__(self, games: int) -> None:
        super().__init__(Console(quiet=True), games, 0)
        self.resident_mb: list[float] = []

    def ended(self, series: Series, games: Sequence[GameResult]) -> None:
        super().ended(series, games)
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        self.resident_mb.append(pages * os.sysconf("SC_PAGE_SIZE") / 2**20)


def test_the_coordinator_takes_in_many_series_in_flat_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """2,000 stub series, 80 MB of records."""
    monkeypatch.setattr(remote, "play", stub.play)
    watcher = Weighed(4000)
    _, ending = play_watched(tmp_path, MANY + CLUSTER, watcher)
    assert not ending.aborted
    weights = watcher.resident_mb
    assert len(weights) == 2004
    assert max(weights[1000:]) - max(weights[200:1000]) < 8


def start(folder: Path, name: str, *options: str) -> subprocess.Popen[bytes]:
    """Start a scheduler or a worker as their users do, from the command line."""
    words = [sys.executable, "-m", f"distributed.cli.dask_{name}", "--no-dashboard"]
    quiet = subprocess.DEVNULL
    return subprocess.Popen([*words, *options], cwd=folder, stdout=quiet, stderr=quiet)


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Start a scheduler; give its address and its process."""
    file = tmp_path / "scheduler.json"
    options = ("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
    with start(tmp_path, "scheduler", *options) as process:
        while not (file.exists() and file.read_text().endswith("}")):
            time.sleep(0.01)
        yield msgspec.json.decode(file.read_bytes())["address"], process
        process.kill()


@contextmanager
def work_for(scheduler: str, folder: Path, threads: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run a worker of this scheduler's."""
    options = ("--no-nanny", "--local-directory", str(folder / "scratch"))
    with start(folder, "worker", scheduler, "--nthreads", str(threads), *options) as process:
        yield process
        process.kill()


@pytest.fixture
def worker(
    scheduler: tuple[str, subprocess.Popen[bytes]], tmp_path: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a worker of that scheduler."""
    with work_for(scheduler[0], tmp_path, threads=1) as process:
        yield process


class Killer(Quiet):
    """Kills a process when a series has been played."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        super().__init__(Console(quiet=True), 1, 0)
        self.process = process

    def ended(self, series: Series, games: Sequence[GameResult]) -> None:
        super().ended(series, games)
        self.process.kill()


@pytest.mark.usefixtures("worker")
def test_an_engine_that_goes_away_leaves_a_run_that_any_engine_ends(
    played_locally: dict[str, list[list[bytes]]],
    scheduler: tuple[str, subprocess.Popen[bytes]],
    tmp_path: Path,
) -> None:
    address, process = scheduler

    text = SHORT + f'[run]\nengine = "dask"\nscheduler = "{address}"\n'
    store, ending = play_watched(tmp_path, text, Killer(process))
    assert ending.interrupted
    assert ending.gone.startswith("the cluster is gone")
    assert 1 <= len(records_of(store)) < 24
    store, ending = play_run(config_of(tmp_path, SHORT), tmp_path / "run")
    assert not ending.interrupted
    assert records_of(store) == played_locally


def test_a_cluster_that_has_lost_its_last_worker_is_given_up_after_a_while(
    scheduler: tuple[str, subprocess.Popen[bytes]],
    worker: subprocess.Popen[bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(coordinator, "WORKERS_S", 1)

    text = SHORT + f'[run]\nengine = "dask"\nscheduler = "{scheduler[0]}"\n'
    _, ending = play_watched(tmp_path, text, Killer(worker))
    assert ending == Ending(True, [], gone="the cluster is gone (no worker for 1 s)")


def test_an_interruption_stops_what_workers_of_somebody_elses_play(
    scheduler: tuple[str, subprocess.Popen[bytes]],
    worker: subprocess.Popen[bytes],
    tmp_path: Path,
) -> None:
    """A cancelled task does not stop a thread; and the workers are there for the next run."""

    def interrupt() -> None:
        while not any(b"_bot.py" in command_of(pid) for pid in descendants(worker.pid)):
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    interrupter = Thread(target=interrupt)
    interrupter.start()
    long = SHORT.replace("deals = 3", "deals = 1000").replace("block = 2", "block = 1000")
    text = f'{long}[run]\nengine = "dask"\nscheduler = "{scheduler[0]}"\n'
    _, ending = play_watched(tmp_path, text, Quiet(Console(quiet=True), 1, 0))
    interrupter.join()
    assert ending == Ending(interrupted=True, aborted=[])
    assert dead_after_s(list(descendants(worker.pid)), BOTS_DIE_S) < BOTS_DIE_S
    assert worker.poll() is None


def test_what_a_worker_is_told_to_stop_before_it_plays_is_not_played(tmp_path: Path) -> None:
    store = create(tmp_path / "run", config_of(tmp_path, SHORT))
    series = next(schedule_of(store.config).series())
    remote.stop("stopped")
    assert trio.run(remote._play, [spec_of(store, series)], "stopped") == []


def test_a_worker_with_threads_beside_each_other_is_refused(
    scheduler: tuple[str, subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    config = config_of(tmp_path, SHORT + f'[run]\nengine = "dask"\nscheduler = "{scheduler[0]}"\n')
    with (
        work_for(scheduler[0], tmp_path, threads=2),
        pytest.raises(EngineError, match=r"has 2 threads; start it with --nthreads 1"),
    ):
        play_run(config, tmp_path / "run")


def test_no_scheduler_at_the_address_is_said_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connect, "CONNECT_S", 0.3)
    config = config_of(
        tmp_path, SHORT + '[run]\nengine = "dask"\nscheduler = "tcp://127.0.0.1:9"\n'
    )
    with pytest.raises(EngineError, match=r"no scheduler answers at tcp://127.0.0.1:9 .*: dask"):
        play_run(config, tmp_path / "run")


def test_workers_that_cannot_be_started_here_are_said_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(here, "COMMAND", ("false",))
    with pytest.raises(EngineError, match=r"2 workers cannot be started here; try fewer"):
        play_run(config_of(tmp_path, SHORT + CLUSTER), tmp_path / "run")


def test_a_scheduler_without_workers_is_said_with_what_to_do(
    scheduler: tuple[str, subprocess.Popen[bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, _ = scheduler
    monkeypatch.setattr(connect, "WORKERS_S", 0.1)
    config = config_of(tmp_path, SHORT + f'[run]\nengine = "dask"\nscheduler = "{address}"\n')
    with pytest.raises(EngineError, match=rf"has had no worker for 0.1 s; .*dask worker {address}"):
        play_run(config, tmp_path / "run")


@pytest.mark.parametrize(
    ("what", "value", "words"),
    [
        ("__version__", "9.9", r"worker tcp://.* has referee .*, the coordinator 9.9"),
        (
            "platform",
            SimpleNamespace(python_version=lambda: "3.99.1"),
            r"has Python 3.*, the coordinator 3.99.1",
        ),
    ],
)
def test_a_mix_of_versions_is_refused_before_the_first_series(
    what: str, value: object, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, what, value)
    config = config_of(tmp_path, SHORT + CLUSTER)
    with pytest.raises(EngineError, match=words):
        play_run(config, tmp_path / "run")
    assert not list((tmp_path / "run" / "series").iterdir())
