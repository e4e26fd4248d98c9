"""When a run has seen enough: judged block by block in the schedule's order, whatever came first.

So a run ends at the same block at any concurrency, on any engine and after any interruption; what
was in flight beyond that block does not count.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Protocol

import msgspec

from referee.record.result import GameResult
from referee.tournament.anytime import Clear, Comparison, Verdict, parse_until
from referee.tournament.config import Config
from referee.tournament.schedule import Block, rotations
from referee.tournament.sizing import schedule_of
from referee.tournament.standings import Played
from referee.tournament.standings.points import Unit, points, units_by_entry


class Judge(Protocol):
    """Looks at one block after another, in the schedule's order."""

    @property
    def is_over(self) -> bool:
        """Whether no more blocks are needed."""

    def add(self, block: Block, games: Sequence[GameResult]) -> None:
        """Take a block with the games of all its series."""


class Until(msgspec.Struct, frozen=True):
    """What a tournament was to be played until, how sure, and whether that is clear."""

    asked: str
    level: float
    clear: bool


class UntilJudge:
    """Judges a tournament's ``until``.

    It looks when all tables of all entries have played the same block: then no bot has had more
    games than another, or easier tables, and the question is the one that the standings answer.
    With several entries that is the mean over them, for the bots that play them all.
    """

    def __init__(self, config: Config, until: str) -> None:
        counts = schedule_of(config).counts
        self._last = len(counts), counts[-1].tables
        self._asked = until
        self._level = config.tournament.level
        bots = [bot.name for bot in config.bots_everywhere]
        self._clear = Clear(bots, parse_until(until), self._level)
        self._units: dict[int, list[Unit]] = {}
        self.is_over = False

    def add(self, block: Block, games: Sequence[GameResult]) -> None:
        """Take a block: each of its deals is an observation for each two bots that met."""
        played = (Played(block.entry, block.table, game) for game in games)
        self._units.setdefault(block.entry, []).extend(units_by_entry(played)[block.entry])
        if (block.entry, block.table) == self._last:
            self._clear.add(*self._units.values())
            self._units.clear()
            self.is_over = self._clear.is_clear

    @property
    def until(self) -> Until:
        """What is known so far."""
        return Until(self._asked, self._level, self.is_over)


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """How a comparison stands: ``difference`` is NEW's points a game less OLD's.

    ``games`` are those of the ``deals`` that the verdict is from, all rotations of both arms.
    """

    new: str
    old: str
    verdict: Verdict
    difference: float
    interval: tuple[float, float]
    deals: int
    max_deals: int
    games: int
    alpha: float
    margin: float | None


class CompareJudge:
    """Judges a comparison: one observation a deal, until there is a verdict."""

    def __init__(self, config: Config, alpha: float, margin: float | None) -> None:
        (entry,) = config.games
        self._new, self._old = (bot.name for bot in config.bots[:2])
        self._games_a_deal = 2 * rotations(config.tournament.seating, entry.seats)
        self._alpha = alpha
        self._max_deals = entry.deals
        self._comparison = Comparison(alpha, margin, entry.deals)

    @property
    def is_over(self) -> bool:
        """Whether there is a verdict, or all deals are played."""
        return self._comparison.is_over

    def add(self, block: Block, games: Sequence[GameResult]) -> None:
        """Take a block's deals one by one; those after a verdict change nothing."""
        for deal in block.deals:
            if not self.is_over:
                of_deal = [game for game in games if game.deal == deal]
                new, old = _mean(self._new, of_deal), _mean(self._old, of_deal)
                self._comparison.add(new - old)

    @property
    def compared(self) -> Compared:
        """What is known so far."""
        comparison = self._comparison
        return Compared(
            new=self._new,
            old=self._old,
            verdict=comparison.verdict,
            difference=comparison.mean,
            interval=comparison.bounds,
            deals=comparison.deals,
            max_deals=self._max_deals,
            games=comparison.deals * self._games_a_deal,
            alpha=self._alpha,
            margin=comparison.margin,
        )


def _mean(bot: str, games: Iterable[GameResult]) -> float:
    """Return a bot's mean points over those of the games that it played, at least one."""
    won = [points(game)[game.bots.index(bot)] for game in games if bot in game.bots]
    return math.fsum(won) / len(won)


class Hearing:
    """Lays a run's blocks before its judge, as far as they have been played without a gap.

    ``games_of`` returns the results of a series by its id, None where it has not been played.
    """

    def __init__(
        self, config: Config, games_of: Callable[[str], Sequence[GameResult] | None]
    ) -> None:
        self.judge = _judge_of(config)
        self._schedule = schedule_of(config)
        self._games_of = games_of
        self._ahead = self._schedule.blocks()
        self._next = next(self._ahead, None)
        self._heard = 0

    def is_over(self) -> bool:
        """Hear what has come since, and say whether the run has seen enough."""
        if self.judge is None:
            return False
        while not self.judge.is_over and self._next is not None:
            games = self._games(self._next)
            if games is None:
                return False
            self.judge.add(self._next, games)
            self._heard += 1
            self._next = next(self._ahead, None)
        return self.judge.is_over

    def _games(self, block: Block) -> list[GameResult] | None:
        found: list[GameResult] = []
        for series in block.series():
            games = self._games_of(series.id)
            if games is None:
                return None
            found += games
        return found

    def blocks(self) -> Iterator[Block]:
        """Go through the blocks that count: all, or those up to the judge's last."""
        return islice(self._schedule.blocks(), self._heard if self.is_over() else None)


def _judge_of(config: Config) -> UntilJudge | CompareJudge | None:
    if config.compare is not None:
        return CompareJudge(config, config.compare.alpha, config.compare.margin)
    if config.tournament.until is not None:
        return UntilJudge(config, config.tournament.until)
    return None
