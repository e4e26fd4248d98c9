"""(j) Engines: what a series costs on each, and how many a cluster's coordinator can take in."""

import os
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from rich.console import Console

from referee.record.result import GameResult
from referee.tournament.schedule import Series
from tests.benchmarks.report import Report, Target, medians
from tests.tournament.played import FOUR_BOTS, Quiet, play_watched

LEAST_SERIES_A_SECOND = 500
SERIES = """
[tournament]
seed = "engines"
block = 1
[[games]]
game = "pitch"
seats = 2
rules = {{ target = 3 }}
deals = {deals}
{bots}
[run]
{run}
"""
ENGINES = {
    "local": 'engine = "local"\nconcurrency = 2',
    "processes": 'engine = "processes"\nconcurrency = 2',
    "dask": 'engine = "dask"\nscheduler = "local:2"',
}


HOUR = f"""
[tournament]
seed = "hour"
[[games]]
game = "oh_hell"
seats = 4
deals = {{deals}}
{FOUR_BOTS}
[run]
{{run}}
"""
HOUR_ENGINES = {
    "one table here": "concurrency = 1",
    "a worker": 'engine = "dask"\nscheduler = "local:1"',
    "two workers": 'engine = "dask"\nscheduler = "local:2"',
}


class _Timed(Quiet):
    """A watcher that notes when the first series begins, and when series end."""

    def __init__(self) -> None:
        super().__init__(Console(quiet=True), 1, 0)
        self.first: float | None = None
        self.times: list[float] = []

    def began(self, series: Series) -> None:
        super().began(series)
        self.first = self.first or time.monotonic()

    def ended(self, series: Series, games: Sequence[GameResult]) -> None:
        super().ended(series, games)
        self.times.append(time.monotonic())


def _series_ms(engine: str, deals: int) -> float:
    """Return milliseconds a series, 12 a deal, from the first one stored to the last."""
    text = SERIES.format(deals=deals, bots=FOUR_BOTS, run=ENGINES[engine])
    watcher = _Timed()
    with tempfile.TemporaryDirectory(prefix="referee-benchmark-") as folder:
        play_watched(Path(folder), text, watcher)
    return (watcher.times[-1] - watcher.times[0]) / (len(watcher.times) - 1) * 1000


def _games_an_hour(engine: str, deals: int) -> float:
    """Return how many games of Oh Hell the example bots play an hour; four a deal are played."""
    watcher = _Timed()
    with tempfile.TemporaryDirectory(prefix="referee-benchmark-") as folder:
        play_watched(Path(folder), HOUR.format(deals=deals, run=HOUR_ENGINES[engine]), watcher)
    assert watcher.first is not None
    return 4 * deals / (watcher.times[-1] - watcher.first) * 3600


def _taken_in_ms(deals: int) -> tuple[float, float]:
    """Return milliseconds a simulated series: of the clock, and of this process's processor."""
    from referee.tournament.engine.cluster import remote  # noqa: PLC0415 an extra
    from tests.tournament.engine import stub  # noqa: PLC0415 needs it

    real, remote.play = remote.play, stub.play
    began_s = time.process_time()
    try:
        clock_ms = _series_ms("dask", deals)
    finally:
        remote.play = real
    return clock_ms, (time.process_time() - began_s) / (12 * deals) * 1000


def run(*, quick: bool = False) -> Report:
    """Play short series on every engine, and let a coordinator take in pretended ones."""
    rounds, deals, pretended = (1, 1, 5) if quick else (3, 12, 170)
    report = Report(
        part="j",
        title=f"{12 * deals} series of a short game of pitch on two cores",
        columns=["engine", "ms a series", "more than local, ms"],
    )
    subjects: dict[str, Callable[[], float]] = {
        engine: partial(_series_ms, engine, deals) for engine in ENGINES
    }
    has_cluster = find_spec("distributed") is not None
    if not has_cluster:
        report.notes.append("dask: the extra cluster is not installed")
    if quick or not has_cluster:
        del subjects["dask"]
    found = medians(rounds, **subjects)
    for engine, each_ms in found.items():
        report.rows.append([engine, each_ms, each_ms - found["local"]])
    if has_cluster:
        clock_ms, processor_ms = min(_taken_in_ms(pretended) for _ in range(rounds))
        report.notes.append(
            f"a coordinator takes in {1000 / clock_ms:,.0f} pretended series a second "
            f"({12 * pretended:,}, 20 kB each); its own processor time: {processor_ms:.2f} ms each"
        )
        what = "series a second that a coordinator takes in"
        report.targets.append(Target(what, 1000 / clock_ms, LEAST_SERIES_A_SECOND, at_least=True))
        if not quick:
            hour = {name: partial(_games_an_hour, name, 60) for name in HOUR_ENGINES}
            each = (f"{name} {games:,.0f}" for name, games in medians(1, **hour).items())
            report.notes.append(f"games of Oh Hell at four seats an hour: {', '.join(each)}")
    report.notes.append(f"this process may use {len(os.sched_getaffinity(0))} cores")
    return report
