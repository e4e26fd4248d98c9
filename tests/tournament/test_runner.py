"""Runs are played whole, side by side, again after an interruption, and always the same."""

import os
import shutil
from itertools import islice
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from referee import chunk
from referee.bot import Watchdog
from referee.program import ProgramError
from referee.record.lines import split
from referee.series import SeriesResult, SeriesSpec, play_series
from referee.tournament.prepare import find_or_make
from referee.tournament.results import standings_of, stored_series
from referee.tournament.runner import Ending, play
from referee.tournament.sizing import concurrency_of, schedule_of
from referee.tournament.store import Store
from tests.tournament.played import SHORT, Quiet, config_of, play_run, without_times


def records(store: Store) -> dict[str, list[list[bytes]]]:
    return {
        series.id: [without_times(b"\n".join(record)) for record in split(store.records(series.id))]
        for series in stored_series(store)
    }


def with_concurrency(text: str, tables: int) -> str:
    return f"{text}\n[run]\nconcurrency = {tables}\n"


@pytest.fixture
def but_a_table(short_run: Store, tmp_path: Path) -> Path:
    """Return a copy of the short run without what one table played: 9 games in 6 series."""
    folder = Path(shutil.copytree(short_run.folder, tmp_path / "run"))
    for path in (folder / "series").glob("1-2-*"):
        path.unlink()
    return folder


def test_every_series_of_the_schedule_is_stored(short_run: Store) -> None:
    schedule = schedule_of(short_run.config)
    assert [s.id for s in stored_series(short_run)] == [s.id for s in schedule.series()]
    assert sum(len(each) for each in records(short_run).values()) == schedule.games == 36


def test_side_by_side_all_records_are_the_same_and_no_deal_is_played_twice_at_the_same_time(
    short_run: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing: set[tuple[str, str]] = set()
    most = 0

    async def watched(spec: SeriesSpec, watchdog: Watchdog) -> SeriesResult:
        nonlocal most
        _, table, _, block = spec.setting.series.split("-")
        assert (table, block) not in playing
        playing.add((table, block))
        most = max(most, len(playing))
        try:
            return await play_series(spec, watchdog)
        finally:
            playing.remove((table, block))

    monkeypatch.setattr(chunk, "play_series", watched)
    store, _ = play_run(config_of(tmp_path, with_concurrency(SHORT, 4)), tmp_path / "run")
    assert most == 4
    assert records(store) == records(short_run)


def test_what_is_stored_is_not_played_again(short_run: Store, tmp_path: Path) -> None:
    shutil.copytree(short_run.folder, tmp_path / "run")
    kept = sorted((tmp_path / "run" / "series").iterdir())
    before = {path: path.stat().st_mtime_ns for path in kept}
    kept[3].unlink()
    kept[7].unlink()
    store, _ = play_run(config_of(tmp_path), tmp_path / "run")
    after = {path: path.stat().st_mtime_ns for path in kept}
    assert [path for path in kept if before[path] != after[path]] == [kept[3], kept[7]]
    assert records(store) == records(short_run)


def test_a_bot_that_does_not_start_stops_the_run_before_its_first_game(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("raise SystemExit('no dice')")
    text = SHORT + '[[bots]]\nname = "broken"\npath = "broken.py"\n'
    config = config_of(tmp_path, text)
    with pytest.raises(ProgramError, match=r"(?s)not started: broken .*exit code 1.*no dice"):
        play_run(config, tmp_path / "run")
    assert not list((tmp_path / "run" / "series").iterdir())


def test_a_bug_in_one_series_ends_that_series_only(
    short_run: Store, but_a_table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    async def buggy(spec: SeriesSpec, watchdog: Watchdog) -> SeriesResult:
        if spec.setting.series == "1-2-1-1":
            raise ZeroDivisionError("a bug")
        return await play_series(spec, watchdog)

    with monkeypatch.context() as patch:
        patch.setattr(chunk, "play_series", buggy)
        store, ending = play_run(config_of(tmp_path), but_a_table)
    assert ending.aborted == ["1-2-1-1"]
    assert "ZeroDivisionError: a bug" in (store.folder / "aborted-1-2-1-1.txt").read_text()
    # The whole block is left out: the other rotations alone would favour some bots.
    assert standings_of(store).games == 36 - 6
    store, ending = play_run(config_of(tmp_path), but_a_table)
    assert not ending.aborted
    assert not (store.folder / "aborted-1-2-1-1.txt").exists()
    assert records(store) == records(short_run)


def test_the_first_result_of_a_series_is_stored_and_another_one_is_never_counted(
    but_a_table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker may only have seemed lost: its result comes after all, and so does the other."""
    store = find_or_make(config_of(tmp_path, with_concurrency(SHORT, 1)), but_a_table)
    first: dict[str, bytes] = {}

    async def played_twice(spec: SeriesSpec, watchdog: Watchdog) -> SeriesResult:
        if not first:
            result = await play_series(spec, watchdog)
            store.save_all({spec.setting.series: result})
            first[spec.setting.series] = store.records(spec.setting.series)
        return await play_series(spec, watchdog)

    monkeypatch.setattr(chunk, "play_series", played_twice)
    schedule = schedule_of(store.config)
    watcher = Quiet(Console(quiet=True), schedule.games, 0)
    assert not play(store, schedule, watcher, force=False).aborted
    ((series, records),) = first.items()
    assert store.records(series) == records
    assert watcher.played == 9 - len(store.summary(series).games)


def test_a_run_that_has_seen_enough_begins_nothing_more(tmp_path: Path) -> None:
    config = config_of(tmp_path, with_concurrency(SHORT, 1))
    store = find_or_make(config, tmp_path / "run")
    schedule = schedule_of(config)
    first = [series.id for block in islice(schedule.blocks(), 2) for series in block.series()]
    watcher = Quiet(Console(quiet=True), schedule.games, 0)

    def enough() -> bool:
        return all(map(store.has, first))

    for _ in range(2):
        ending = play(store, schedule, watcher, force=False, enough=enough)
        assert ending == Ending(interrupted=False, aborted=[])
        assert [series.id for series in stored_series(store)] == first


def test_concurrency_is_bounded_by_cores_and_memory(tmp_path: Path) -> None:
    config = config_of(tmp_path)
    assert 1 <= concurrency_of(config) <= len(os.sched_getaffinity(0))
    limits = msgspec.structs.replace(config.limits, memory_mb=10**6)
    assert concurrency_of(msgspec.structs.replace(config, limits=limits)) == 1
