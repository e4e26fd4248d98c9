"""How a run goes on: calm and live on a terminal, a plain line now and then elsewhere."""

import select
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import IO, Self

from rich.console import Console, Group, RenderableType
from rich.control import Control
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.segment import SegmentLines
from rich.table import Table
from rich.text import Text

from referee.record.result import GameResult
from referee.show.standings import rows_table
from referee.tournament.prepare import format_s
from referee.tournament.schedule import Series
from referee.tournament.standings import Row, Tally

PLAIN_EVERY_S = 10
REDRAWS_A_SECOND = 2
FAULTS_SHOWN = 5
TABLES_SHOWN = 4
WIDE = 140
"""From this width on what is being played stands beside the standings, not below."""
TABLE_WIDTH = 80
COUNT_EVERY_S = 2.0
MOST_COUNTING = 0.005
"""The share of the time that counting the standings may take."""


News = Callable[[], Sequence[str]]
"""What is to be said besides, in lines; it is asked whenever a series has been played."""


def watch(
    console: Console, games: int, played: int, news: News = tuple, tally: Tally | None = None
) -> "PlainWatcher":
    """Return what shows a run of so many games, some already played, in a ``with`` block.

    With a ``tally`` of what has been played already a terminal shows the standings as they stand.
    """
    if console.is_terminal and not console.is_dumb_terminal:
        return LiveWatcher(console, games, played, news, tally)
    return PlainWatcher(console, games, played, news)


def _takes_a_line(file: IO[str]) -> bool:
    """Whether a line can be written without a wait."""
    try:
        return bool(select.select([], [file], [], 0)[1])
    except ValueError:  # no file of the system's
        return True


class PlainWatcher:
    """Writes a line every ten seconds and at the end: for pipes, files and logs."""

    def __init__(self, console: Console, games: int, played: int, news: News = tuple) -> None:
        self.console = console
        self.games = games
        self.played = played
        self.faults: deque[str] = deque(maxlen=FAULTS_SHOWN)
        """The last ones; a run of a million games may have as many."""
        self.fault_count = 0
        self.playing: dict[str, Series] = {}
        self.news = news()
        self._news = news
        self._at_start = played
        self._began = time.monotonic()
        self._said = self._began

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._say()

    def began(self, series: Series) -> None:
        """Take note that a series is being played."""
        self.playing[series.id] = series

    def ended(self, series: Series, games: Sequence[GameResult]) -> None:
        """Take note that a series has been played and stored."""
        self.playing.pop(series.id, None)
        self.played += len(games)
        for number, game in enumerate(games, series.first_game):
            for fault in game.faults:
                bot = game.bots[fault.seat]
                self._add_fault(f"game {number:06}: {bot}: {fault.reason}: {fault.detail}")
        self.news = self._news()
        self._tick()

    def aborted(self, series: Series, reason: str) -> None:
        """Take note that a series could not be played, by a bug; the run goes on."""
        self.playing.pop(series.id, None)
        self._add_fault(f"series {series.id} aborted: {reason}")

    def remarked(self, words: str) -> None:
        """Say something of where the run is played."""
        self.console.print(words, markup=False)

    def _add_fault(self, fault: str) -> None:
        self.fault_count += 1
        self.faults.append(fault)

    def _tick(self) -> None:
        if time.monotonic() - self._said >= PLAIN_EVERY_S:
            self._say()

    def _say(self) -> None:
        self._said = time.monotonic()
        faults = f", {self.fault_count} faults" if self.faults else ""
        left = (
            f", {format_s(self.seconds_left)} left"
            if self._at_start < self.played < self.games
            else ""
        )
        line = f"{self.played:,} of {self.games:,} games{left}{faults}"
        # The games must not wait for who looks on: a full pipe, a full disk.
        with suppress(OSError):
            if _takes_a_line(self.console.file):
                self.console.print("\n".join([line, *self.news]), markup=False)

    @property
    def games_a_second(self) -> float:
        """How quickly games have been played so far."""
        return (self.played - self._at_start) / max(0.001, time.monotonic() - self._began)

    @property
    def seconds_left(self) -> float:
        """How long the rest will take at that speed."""
        return (self.games - self.played) / max(0.001, self.games_a_second)


class LiveWatcher(PlainWatcher):
    """Draws how a run goes on a terminal, a few times a second.

    Progress, the standings as they stand, the tables in play and the last faults.
    """

    def __init__(
        self, console: Console, games: int, played: int, news: News, tally: Tally | None
    ) -> None:
        super().__init__(console, games, played, news)
        self._tally = tally
        self._rows: list[Row] = tally.rows() if tally else []
        self._count_at = 0.0
        self._size = console.size
        self._drawn: tuple[object, RenderableType] = None, ""
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TaskProgressColumn(),
            TimeRemainingColumn(),
            console=console,
        )
        self._task = self._progress.add_task("games", total=games, completed=played)
        self._live = Live(
            get_renderable=self._draw, console=console, refresh_per_second=REDRAWS_A_SECOND
        )

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def ended(self, series: Series, games: Sequence[GameResult]) -> None:
        """Take note that a series has been played and stored."""
        if self._tally is not None:
            self._tally.add(series.entry, series.table, games)
            self._count()
        super().ended(series, games)

    def _count(self) -> None:
        """Count the standings anew, now and then: the run must not wait for who looks on."""
        began = time.monotonic()
        if self._tally is not None and began >= self._count_at:
            self._rows = self._tally.rows()
            took = time.monotonic() - began
            self._count_at = began + max(COUNT_EVERY_S, took / MOST_COUNTING)

    def _tick(self) -> None:
        pass

    def _draw(self) -> RenderableType:
        """Return the picture. Called by rich's own thread: reads what the run's thread writes."""
        size = self.console.size
        if size != self._size:
            # What stands there was wrapped for another width: drawn over, its rests would stay.
            self._size = size
            self.console.control(Control.home(), Control.clear())
        self._progress.update(self._task, completed=self.played)
        head = f"{self.games_a_second:.1f} games a second"
        if self.faults:
            head += f", {self.fault_count} faults"
        beside = [*self._tables(), *(Text(fault, style="red") for fault in self.faults)]
        news = _lines(Text(line) for line in (*self.news, head))
        if not self._rows:
            return Group(self._progress, news, _lines(beside))
        if size.width >= WIDE:
            grid = Table.grid(padding=(0, 3), expand=False)
            grid.add_row(self._standings(size.height - 4, size.width), _lines(beside))
            return Group(self._progress, news, grid)
        rows = size.height - len(beside) - len(self.news) - 6
        return Group(self._progress, news, self._standings(rows, size.width), _lines(beside))

    def _standings(self, most: int, width: int) -> RenderableType:
        """Return the first rows of the standings, as many as there is room for."""
        shown = self._rows[: max(1, most)]
        left = len(self._rows) - len(shown)
        title = f"so far{f', {left} more below' if left else ''}"
        # A table is most of the cost of a picture, and stays the same for many.
        state = self._rows, len(shown), width
        if state != self._drawn[0]:
            table = rows_table(title, shown, brief=width < 80)
            options = self.console.options.update(width=min(width, TABLE_WIDTH))
            lines = self.console.render_lines(table, options, pad=False)
            self._drawn = state, SegmentLines(lines, new_lines=True)
        return self._drawn[1]

    def _tables(self) -> list[Text]:
        """Return a line for each of the tables in play, as many as there is room for."""
        playing = sorted(self.playing.copy().values(), key=lambda series: series.first_game)
        lines = [
            Text(f"playing {series.id}: {', '.join(series.seatings[0])}")
            for series in playing[:TABLES_SHOWN]
        ]
        if len(playing) > TABLES_SHOWN:
            lines.append(Text(f"and {len(playing) - TABLES_SHOWN} tables more"))
        return lines


def _lines(texts: Iterable[Text]) -> Group:
    """Return texts of one row each, cut where they do not fit."""
    group = list(texts)
    for text in group:
        text.no_wrap, text.overflow = True, "ellipsis"
    return Group(*group)
