"""What is seen of a run while it goes on: calm, in any width, and without cost to the run."""

import io
import time
from typing import Any

import pytest
from rich.console import Console

from referee.protocol import Reason
from referee.show import live
from referee.show.live import LiveWatcher, PlainWatcher, watch
from referee.tournament.schedule import Entry, Schedule
from referee.tournament.standings import Tally
from tests.tournament.standings.simulated import game

BOTS = ("bold", "careful", "greedy", "random")
SCHEDULE = Schedule([Entry("oh_hell", 4, 20, BOTS)], "rotate", None, 5)


def screen(width: int, height: int = 24) -> Console:
    return Console(
        file=io.StringIO(),
        force_terminal=True,
        width=width,
        height=height,
        _environ={"TERM": "xterm"},
        highlight=False,
    )


def play(watcher: LiveWatcher, most: int, *, faulty: bool = False) -> None:
    """Play the first series of the schedule, a second each, the last of them not to its end."""
    series = list(SCHEDULE.series())[:most]
    for each in series[:-1]:
        watcher.began(each)
        watcher._count_at = 0.0
        faults = [(3, Reason.TIMEOUT)] if faulty else []
        games = [game(each.seatings[0], [1, 2, 3, 4], deal=d, faults=faults) for d in each.deals]
        watcher.ended(each, games)
    watcher.began(series[-1])


def live_watch(console: Console, games: int, tally: Tally) -> LiveWatcher:
    watcher = watch(console, games, 0, tally=tally)
    assert isinstance(watcher, LiveWatcher)
    return watcher


def picture(console: Console, watcher: LiveWatcher) -> str:
    plain = Console(file=io.StringIO(), width=console.width, height=console.height)
    plain.print(watcher._draw())
    assert isinstance(plain.file, io.StringIO)
    return plain.file.getvalue()


@pytest.mark.parametrize("width", [40, 60, 80, 120, 140, 200])
def test_every_row_fits_and_says_what_goes_on(width: int) -> None:
    console = screen(width)
    watcher = live_watch(console, SCHEDULE.games, Tally([4]))
    play(watcher, 9, faulty=True)
    shown = picture(console, watcher)
    rows = shown.splitlines()
    assert max(map(len, rows)) <= width
    assert len(rows) <= 24
    assert "so far" in shown
    assert "playing 1-1-0-3" in shown
    assert "timeout" in shown or width < 60
    for bot in BOTS:
        assert sum(bot in row for row in rows) >= 1
    if width >= 80:
        assert "40/80" in shown
        assert "± " in shown


def test_a_large_field_is_cut_to_the_terminals_height() -> None:
    bots = tuple(f"bot {n:02}" for n in range(40))
    schedule = Schedule([Entry("oh_hell", 4, 5, bots)], "once", 30, 5)
    console = screen(80, height=24)
    watcher = live_watch(console, schedule.games, Tally([1]))
    for each in schedule.series():
        watcher._count_at = 0.0
        deals = zip(each.deals, each.seatings, strict=True)
        watcher.ended(each, [game(seats, [1, 2, 3, 4], deal=deal) for deal, seats in deals])
    rows = picture(console, watcher).splitlines()
    assert len(rows) <= 24
    assert "more below" in "".join(rows)


def test_what_stood_there_is_wiped_when_the_terminal_changes_its_size() -> None:
    console = screen(80)
    watcher = live_watch(console, 80, Tally([4]))
    watcher._draw()
    assert isinstance(console.file, io.StringIO)
    assert "\x1b[2J" not in console.file.getvalue()
    console.size = (60, 20)
    watcher._draw()
    assert "\x1b[2J" in console.file.getvalue()


def test_it_is_drawn_at_most_8_times_a_second() -> None:
    assert live.REDRAWS_A_SECOND <= 8


class Clock:
    """A clock that the tally winds on: each count of the standings takes a second."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


def test_counting_the_standings_takes_at_most_a_hundredth_of_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock()
    counts = 0

    class SlowTally(Tally):
        def rows(self) -> Any:
            nonlocal counts
            counts += 1
            clock.now += 1
            return []

    monkeypatch.setattr(time, "monotonic", clock.monotonic)
    watcher = live_watch(screen(80), 80, SlowTally([4]))
    series = next(SCHEDULE.series())
    while clock.now < 1000:
        clock.now += 0.1
        watcher.ended(series, [])
    assert 5 <= counts <= 12


def test_without_a_terminal_it_is_a_plain_line_every_ten_seconds_and_one_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock()
    monkeypatch.setattr(time, "monotonic", clock.monotonic)
    pipe = Console(file=io.StringIO(), width=80)
    with watch(pipe, SCHEDULE.games, 0) as watcher:
        assert type(watcher) is PlainWatcher
        for series in SCHEDULE.series():
            clock.now += 2
            watcher.ended(series, [game(BOTS, [1, 2, 3, 4])] * len(series.deals))
    assert isinstance(pipe.file, io.StringIO)
    lines = pipe.file.getvalue().splitlines()
    assert len(lines) == 4
    assert lines[0] == "25 of 80 games, 22 seconds left"
    assert lines[-1] == "80 of 80 games"
    assert "\x1b" not in pipe.file.getvalue()
