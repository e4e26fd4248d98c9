"""The engine "dask": the same results whatever dies, bots that travel once, nothing left."""

import os
import shutil
import signal
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import trio
from rich.console import Console

from referee.archive import pack
from referee.record.result import GameResult
from referee.series import SeriesSpec
from referee.tournament.runner import Ending
from referee.tournament.schedule import Series
from referee.tournament.sizing import schedule_of
from referee.tournament.specs import spec_of
from referee.tournament.store import create
from tests.tournament.engine.left import (
    BOTS_DIE_S,
    DEAF_BOT,
    command_of,
    dead_after_s,
    descendants,
    none_left,
)
from tests.tournament.played import (
    BOTS,
    FOUR_BOTS,
    SHORT,
    Quiet,
    config_of,
    play_run,
    play_watched,
    records_of,
)

pytest.importorskip("distributed", reason="the extra cluster is not installed")

from referee.tournament.engine.cluster import coordinator, open_cluster

CLUSTER = '[run]\nengine = "dask"\nscheduler = "local:2"\n'


@pytest.fixture(autouse=True)
def nothing_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """See to it that after each test there is no process, and no folder of workers."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield
    assert none_left(5)
    assert {path.name for path in tmp_path.iterdir()} <= {
        "config.toml",
        "run",
        "bots",
        "heavy",
        "heavier",
    }


class Meddler(Quiet, ABC):
    """A watcher that does something once, when so many series have been stored."""

    def __init__(self, after: int) -> None:
        super().__init__(Console(quiet=True), 1, 0)
        self.after = after

    def ended(self, series: Series, games: Sequence[GameResult]) -> None:
        super().ended(series, games)
        self.after -= 1
        if self.after == 0:
            self.meddle()

    @abstractmethod
    def meddle(self) -> None:
        """Do it."""


def workers() -> list[int]:
    """Return the worker processes that descend from this one."""
    return [pid for pid in descendants(os.getpid()) if b"spawn_main" in command_of(pid)]


def test_a_cluster_plays_what_one_process_plays(
    played_locally: dict[str, list[list[bytes]]], tmp_path: Path
) -> None:
    store, ending = play_run(config_of(tmp_path, SHORT + CLUSTER), tmp_path / "run")
    assert ending == Ending(interrupted=False, aborted=[])
    assert records_of(store) == played_locally
    assert {store.summary(series).isolation for series in played_locally} == {"bwrap"}


class Killer(Meddler):
    """Kills a worker with its bots at play, and sees after how long they are dead."""

    dead_after_s = 0.0

    def meddle(self) -> None:
        playing = {pid: bots for pid in workers() if (bots := frozenset(descendants(pid)))}
        if not playing:  # all are between two series: at the next one, then
            self.after = 1
            return
        worker, bots = max(playing.items(), key=lambda found: len(found[1]))
        os.kill(worker, signal.SIGKILL)
        self.dead_after_s = dead_after_s(bots, BOTS_DIE_S)


def test_a_killed_worker_loses_only_what_it_was_playing(
    played_locally: dict[str, list[list[bytes]]], tmp_path: Path
) -> None:
    """And none of its bots is alive a second later."""
    watcher = Killer(after=3)
    store, ending = play_watched(tmp_path, SHORT + CLUSTER, watcher)
    assert 0 < watcher.dead_after_s < BOTS_DIE_S
    assert ending == Ending(interrupted=False, aborted=[])
    assert records_of(store) == played_locally
    assert watcher.played == 36


def test_bots_that_ignore_signals_and_the_end_of_their_input_die_with_their_worker(
    tmp_path: Path,
) -> None:
    class KillerOnly(Killer):
        def meddle(self) -> None:
            super().meddle()
            if self.dead_after_s:
                os.kill(os.getpid(), signal.SIGINT)

    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "deaf.py").write_text(DEAF_BOT)
    bots = "".join(
        f'[[bots]]\nname = "deaf {number}"\npath = "bots/deaf.py"\n' for number in range(4)
    )
    watcher = KillerOnly(after=1)
    _, ending = play_watched(tmp_path, SHORT.replace(FOUR_BOTS, bots) + CLUSTER, watcher)
    assert ending.interrupted
    assert 0 < watcher.dead_after_s < BOTS_DIE_S


HEAVY = """
[tournament]
seed = "heavy"
block = 1
[[games]]
game = "pitch"
seats = 2
deals = 4
rules = { target = 3 }
[[bots]]
name = "heavy"
path = "heavy"
command = "python random_bot.py"
[[bots]]
name = "heavier"
path = "heavier"
command = "python random_bot.py"
[run]
engine = "dask"
scheduler = "local:2"
"""


def heavy_blocks(folder: Path) -> list[list[SeriesSpec]]:
    """Return four blocks of two series between two bots of 5 MB each."""
    for name in ("heavy", "heavier"):
        (folder / name).mkdir()
        shutil.copy(BOTS / "random_bot.py", folder / name)
        (folder / name / "weights").write_bytes(os.urandom(5_000_000))
    store = create(folder / "run", config_of(folder, HEAVY))
    blocks = schedule_of(store.config).blocks()
    return [[spec_of(store, series) for series in block.series()] for block in blocks]


async def test_a_bot_travels_once_a_worker_and_again_where_its_copy_is_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two bots of 5 MB, two workers: four times, and once more for the one that was damaged."""
    sent: list[str] = []

    def noted(folder: Path) -> bytes:
        sent.append(folder.name)
        return pack(folder)

    monkeypatch.setattr(coordinator, "pack", noted)
    blocks = heavy_blocks(tmp_path)
    async with open_cluster("local:2", "auto", None) as engine:

        async def play_all() -> None:
            async with trio.open_nursery() as nursery:
                for block in blocks:
                    nursery.start_soon(engine.play, block)

        await play_all()
        await play_all()
        assert len(sent) == 4
        damaged = damage_a_copy()
        await play_all()
        await play_all()
        assert sent[4:] == [damaged]


def damage_a_copy() -> str:
    """Damage a bot in the cache of a worker; return its version."""
    (copy, *_) = Path(tempfile.gettempdir()).glob("referee-workers-*/*/*/referee-bots/*")
    (copy / "weights").chmod(0o644)
    (copy / "weights").write_bytes(b"damaged")
    return copy.name
