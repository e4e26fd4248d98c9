"""How a run goes on: calm and live on a terminal, a plain line now and then elsewhere."""

import select
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from referee.record.result import GameResult
from referee.tournament.prepare import format_s
from referee.tournament.schedule import Series

PLAIN_EVERY_S = 10
REDRAWS_A_SECOND = 4
FAULTS_SHOWN = 5


News = Callable[[], Sequence[str]]
"""What is to be said besides, in lines; it is asked whenever a series has been played."""


def watch(console: Console, games: int, played: int, news: News = tuple) -> "PlainWatcher":
    """Return what shows a run of so many games, some already played, in a ``with`` block."""
    draws = console.is_terminal and not console.is_dumb_terminal
    return (LiveWatcher if draws else PlainWatcher)(console, games, played, news)


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
        self.faults: list[str] = []
        self.playing: set[str] = set()
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
        self.playing.add(series.id)

    def ended(self, series: Series, games: Sequence[GameResult]) -> None:
        """Take note that a series has been played and stored."""
        self.playing.discard(series.id)
        self.played += len(games)
        for number, game in enumerate(games, series.first_game):
            for fault in game.faults:
                bot = game.bots[fault.seat]
                self.faults.append(f"game {number:06}: {bot}: {fault.reason}: {fault.detail}")
        self.news = self._news()
        self._tick()

    def aborted(self, series: Series, reason: str) -> None:
        """Take note that a series could not be played, by a bug; the run goes on."""
        self.playing.discard(series.id)
        self.faults.append(f"series {series.id} aborted: {reason}")

    def remarked(self, words: str) -> None:
        """Say something of where the run is played."""
        self.console.print(words, markup=False)

    def _tick(self) -> None:
        if time.monotonic() - self._said >= PLAIN_EVERY_S:
            self._say()

    def _say(self) -> None:
        self._said = time.monotonic()
        faults = f", {len(self.faults)} faults" if self.faults else ""
        left = f", {format_s(self.seconds_left)} left" if self.played < self.games else ""
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
    """Draws progress and the last faults on a terminal, a few times a second."""

    def __init__(self, console: Console, games: int, played: int, news: News = tuple) -> None:
        super().__init__(console, games, played, news)
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

    def _tick(self) -> None:
        pass

    def _draw(self) -> RenderableType:
        self._progress.update(self._task, completed=self.played)
        tables = ", ".join(sorted(self.playing))
        lines = [*self.news, f"{self.games_a_second:.1f} games a second; series {tables}"]
        lines += self.faults[-FAULTS_SHOWN:]
        texts = [Text(line, no_wrap=True, overflow="ellipsis") for line in lines]
        return Group(self._progress, *texts)
