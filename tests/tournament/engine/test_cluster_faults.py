"""What goes wrong with a cluster: tasks that kill, schedulers that go, machines that do not fit."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from rich.console import Console

from referee.record.result import GameResult
from referee.tournament.schedule import Series
from tests.tournament.engine.left import none_left
from tests.tournament.played import SHORT, Quiet, config_of, play_run, play_watched

pytest.importorskip("distributed", reason="the extra cluster is not installed")

from referee.tournament.engine.cluster import remote
from tests.tournament.engine import stub

CLUSTER = '[run]\nengine = "dask"\nscheduler = "local:2"\n'


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    yield
    assert none_left(1)


def test_a_series_that_kills_its_workers_is_aborted_and_all_others_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "play", stub.kill_if_poisoned)
    store, ending = play_run(config_of(tmp_path, SHORT + CLUSTER), tmp_path / "run")
    assert ending.aborted == [stub.POISON]
    assert not ending.interrupted
    trace = (store.folder / f"aborted-{stub.POISON}.txt").read_text()
    assert "KilledWorker" in trace
    stored = {path.name.removesuffix(".jsonl.zst") for path in (store.folder / "series").iterdir()}
    assert len(stored) == 23
    assert stub.POISON not in stored


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
