"""Chunks are cut by how long series have taken, and get smaller towards the end."""

from collections import deque

import pytest

from referee.tournament.pace import Pace
from referee.tournament.schedule import Entry, Schedule


@pytest.fixture
def schedule() -> Schedule:
    """Two entries of 20 series each: ten tables of two in two rotations."""
    bots = tuple("abcde")
    return Schedule([Entry("pitch", 2, 5, bots), Entry("oh_hell", 2, 5, bots)], "rotate", None, 5)


def test_before_anything_is_known_a_chunk_is_a_series(schedule: Schedule) -> None:
    pace = Pace(schedule, shards=1, chunk_s=30)
    waiting = deque(schedule.series())
    assert [series.id for series in pace.cut(waiting, 2)] == ["1-1-0-1"]
    assert waiting[0].id == "1-1-1-1"


def test_a_chunk_is_worth_what_was_asked_for_in_the_series_own_order(schedule: Schedule) -> None:
    pace = Pace(schedule, shards=1, chunk_s=30)
    for seconds in (9, 11):
        pace.played(1, seconds)
    assert pace.seconds(1) == 10
    pace.played(2, 10)
    chunk = pace.cut(deque(schedule.series()), 2)
    assert [series.id for series in chunk] == ["1-1-0-1", "1-1-1-1", "1-2-0-1"]


def test_an_engine_without_a_border_is_given_one_series_at_a_time(schedule: Schedule) -> None:
    pace = Pace(schedule, shards=1, chunk_s=0)
    pace.played(1, 0.001)
    assert len(pace.cut(deque(schedule.series()), 2)) == 1


def test_the_last_chunks_are_small_so_that_all_end_together(schedule: Schedule) -> None:
    pace = Pace(schedule, shards=1, chunk_s=30)
    pace.played(1, 10)
    pace.played(2, 10)
    for series in list(schedule.series())[:32]:
        pace.passed(series.entry)
    # 8 series of 10 s are left for 2 at once: half of a fair share of them is 20 s.
    assert pace.target_s(2) == 20
    assert len(pace.cut(deque(schedule.series()), 2)) == 2
