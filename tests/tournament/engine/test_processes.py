"""Worker processes: the same results as in one process, whatever is killed, and nothing left."""

import os
import signal
import subprocess
import time
from itertools import chain, islice

import pytest
import trio

from referee.bot import Watchdog
from referee.chunk import Outcome, encode_specs
from referee.series import SeriesSpec
from referee.tournament.engine import processes
from referee.tournament.engine.local import Local
from referee.tournament.engine.processes import Processes, open_processes
from referee.tournament.sizing import schedule_of
from referee.tournament.specs import spec_of
from referee.tournament.store import create
from referee.worker import COMMAND
from tests.tournament.engine.left import descendants, none_left, until
from tests.tournament.played import SHORT, config_of, without_times

OFF = f'{SHORT}\n[limits]\nsandbox = "off"\n'


@pytest.fixture(scope="module", params=["bwrap", "off"])
def blocks(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> list[list[SeriesSpec]]:
    """Two blocks of three series each, of a run with isolation and of one without."""
    folder = tmp_path_factory.mktemp("processes")
    store = create(folder / "run", config_of(folder, SHORT if request.param == "bwrap" else OFF))
    two = islice(schedule_of(store.config).blocks(), 2)
    return [[spec_of(store, series) for series in block.series()] for block in two]


def records(outcomes: list[Outcome]) -> list[list[bytes]]:
    assert all(outcome.result for outcome in outcomes), outcomes
    games = chain.from_iterable(outcome.result.records for outcome in outcomes if outcome.result)
    return [without_times(record) for record in games]


async def played_here(specs: list[SeriesSpec]) -> list[list[bytes]]:
    watchdog = Watchdog()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(watchdog.run)
        outcomes = await Local(1, watchdog).play(specs)
        nursery.cancel_scope.cancel()
    return records(outcomes)


async def test_workers_play_side_by_side_what_one_process_plays(
    blocks: list[list[SeriesSpec]],
) -> None:
    found: dict[int, list[list[bytes]]] = {}
    async with open_processes(2) as engine, trio.open_nursery() as nursery:

        async def play(number: int) -> None:
            found[number] = records(await engine.play(blocks[number]))

        nursery.start_soon(play, 0)
        nursery.start_soon(play, 1)
    assert none_left(0)
    assert found == {number: await played_here(block) for number, block in enumerate(blocks)}


async def test_a_pinned_worker_keeps_to_one_core_with_its_bots(
    blocks: list[list[SeriesSpec]],
) -> None:
    seen: list[set[int]] = []

    async def look(engine: Processes) -> None:
        (worker,) = engine.workers
        await until(lambda: len(list(descendants(worker))) >= 3)
        seen.extend(os.sched_getaffinity(pid) for pid in (worker, *descendants(worker)))

    async with open_processes(1, pin=True) as engine, trio.open_nursery() as nursery:
        nursery.start_soon(look, engine)
        found = records(await engine.play(blocks[0]))
        (core,) = seen[0]
        assert seen == [{core}] * len(seen)
    assert none_left(0)
    assert found == await played_here(blocks[0])


async def test_pinned_workers_take_the_cores_in_turn() -> None:
    ours = sorted(os.sched_getaffinity(0))
    async with open_processes(len(ours) + 1, pin=True) as engine:
        cores = [os.sched_getaffinity(worker.pid) for worker in engine._idle]
    assert cores == [{core} for core in [*ours, ours[0]]]


async def test_what_a_killed_worker_was_playing_is_played_again(
    blocks: list[list[SeriesSpec]],
) -> None:
    async with open_processes(1, pin=True) as engine, trio.open_nursery() as nursery:
        before = [os.sched_getaffinity(worker) for worker in engine.workers]
        nursery.start_soon(kill_the_worker_when_it_plays, engine)
        found = records(await engine.play(blocks[0]))
        assert [os.sched_getaffinity(worker) for worker in engine.workers] == before
    assert none_left(0)
    assert found == await played_here(blocks[0])


async def kill_the_worker_when_it_plays(engine: Processes) -> None:
    (worker,) = engine.workers
    await until(lambda: len(list(descendants(worker))) >= 3)
    bots = set(descendants(worker))
    os.kill(worker, signal.SIGKILL)
    await until(lambda: worker not in engine.workers)
    await until(lambda: not bots & set(descendants(os.getpid())), within_s=1)


async def test_a_series_that_kills_its_workers_is_given_up_and_no_bots_fault(
    blocks: list[list[SeriesSpec]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that ends as soon as it begins stands for one that a series kills."""
    monkeypatch.setattr(processes, "COMMAND", ("false",))
    async with open_processes(1) as engine:
        outcomes = await engine.play(blocks[0][:2])
    assert none_left(0)
    assert [outcome.result for outcome in outcomes] == [None, None]
    for outcome in outcomes:
        assert outcome.failure
        assert outcome.failure.reason == "3 worker processes were killed while they played it"


async def test_a_cancelled_engine_leaves_no_bot(blocks: list[list[SeriesSpec]]) -> None:
    with trio.CancelScope() as scope:
        async with open_processes(2) as engine, trio.open_nursery() as nursery:
            nursery.start_soon(engine.play, blocks[0])
            await until(lambda: len(list(descendants(os.getpid()))) >= 5)
            began = trio.current_time()
            scope.cancel()
    assert scope.cancelled_caught
    assert none_left(0)
    assert trio.current_time() - began < 2


def test_a_worker_whose_results_nobody_takes_ends_without_a_word(
    blocks: list[list[SeriesSpec]],
) -> None:
    """As when the referee is killed in the instant in which a chunk has been played."""
    chunk = encode_specs(blocks[0][:1])
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        worker.stdout.close()
        worker.stdin.write(len(chunk).to_bytes(4, "big") + chunk)
        worker.stdin.flush()
        time.sleep(1)  # it plays, and has nobody to tell
        assert worker.poll() is None
        _, said = worker.communicate(timeout=5)
    assert (worker.returncode, said) == (0, b"")
