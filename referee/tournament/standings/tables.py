"""Standings: a row a bot, a line for each pair, overall and by game.

A function of the results alone: the order in which they came changes nothing.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import msgspec

from referee.protocol import Reason
from referee.record.result import GameResult, Times
from referee.tournament.standings.points import Mean, mean_of, mean_of_means, points

Interval = tuple[float, float] | None


class Played(msgspec.Struct, frozen=True):
    """A game of a run, and the entry and the table that it belongs to."""

    entry: int
    table: int
    game: GameResult

    @property
    def unit(self) -> tuple[int, int]:
        """What shares its luck, within the entry."""
        return self.table, self.game.deal


class TimeUse(msgspec.Struct, frozen=True):
    """How long a bot's answers took, in milliseconds."""

    mean: float
    p99: float
    max: float
    decisions: int


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A bot's standing. ``points`` and ``interval`` are 0 to 1, ``wins`` shares a shared first."""

    rank: int
    bot: str
    points: float
    interval: Interval
    games: int
    wins: float
    mean_rank: float
    mean_score: float
    forfeits: int
    capped: int
    faults: dict[str, int]
    time_ms: TimeUse


class Pair(msgspec.Struct, frozen=True):
    """Two bots beside each other: the difference in points, and how likely the first is better.

    Games in which one of the two forfeited are left out.
    """

    bot: str
    versus: str
    difference: float
    interval: Interval
    better: float | None
    games: int


class Tables(msgspec.Struct, frozen=True):
    """The standings of some results."""

    standings: list[Row]
    by_game: dict[str, list[Row]]
    pairs: list[Pair]


def tables(results: Sequence[Played], games: Mapping[int, str]) -> Tables:
    """Return the standings; ``games`` has the game of each entry by the entry's number.

    Overall a bot's figures are unweighted means over the entries, for bots that played them all.
    """
    by_game: dict[str, set[int]] = defaultdict(set)
    for entry, game in games.items():
        by_game[game].add(entry)
    return Tables(
        standings=_rows(results, set(games)),
        by_game={game: _rows(results, entries) for game, entries in by_game.items()},
        pairs=_pairs(results),
    )


class _Seen:
    """What was seen of a bot in some entries."""

    def __init__(self) -> None:
        self.points: dict[int, dict[tuple[int, int], list[float]]] = defaultdict(dict)
        self.ranks: dict[int, list[int]] = defaultdict(list)
        self.scores: dict[int, list[int]] = defaultdict(list)
        self.wins = 0.0
        self.games = self.forfeits = self.capped = 0
        self.faults = dict.fromkeys((str(reason) for reason in Reason), 0)
        self.times = Times()

    def add(self, played: Played, seat: int, won: float) -> None:
        game = played.game
        self.points[played.entry].setdefault(played.unit, []).append(won)
        self.ranks[played.entry].append(game.ranks[seat])
        self.scores[played.entry].append(game.scores[seat])
        self.games += 1
        self.capped += game.capped
        self.forfeits += seat in game.forfeited
        if game.ranks[seat] == 1:
            self.wins += 1 / game.ranks.count(1)
        for fault in game.faults:
            self.faults[fault.reason] += fault.seat == seat
        self.times.merge(game.times[seat])

    def row(self, bot: str) -> Row:
        mean = mean_of_means(
            _mean_of_units(self.points[entry].values()) for entry in sorted(self.points)
        )
        times = self.times
        return Row(
            rank=0,
            bot=bot,
            points=mean.mean,
            interval=mean.interval,
            games=self.games,
            wins=self.wins,
            mean_rank=_mean_over(self.ranks),
            mean_score=_mean_over(self.scores),
            forfeits=self.forfeits,
            capped=self.capped,
            faults=self.faults,
            time_ms=TimeUse(
                mean=round(times.total_ms / max(1, times.decisions), 3),
                p99=round(times.quantile_ms(0.99), 3),
                max=round(times.max_ms, 3),
                decisions=times.decisions,
            ),
        )


def _rows(results: Iterable[Played], entries: set[int]) -> list[Row]:
    seen: dict[str, _Seen] = defaultdict(_Seen)
    for played in sorted(results, key=_order):
        if played.entry in entries:
            for seat, won in enumerate(points(played.game)):
                seen[played.game.bots[seat]].add(played, seat, won)
    rows = [each.row(bot) for bot, each in seen.items() if len(each.points) == len(entries)]
    rows.sort(key=lambda row: (-row.points, row.bot))
    return [
        msgspec.structs.replace(row, rank=1 + sum(other.points > row.points for other in rows))
        for row in rows
    ]


def _pairs(results: Iterable[Played]) -> list[Pair]:
    differences: dict[tuple[str, str], dict[int, dict[tuple[int, int], list[float]]]] = {}
    for played in sorted(results, key=_order):
        game = played.game
        won = points(game)
        stayed = [seat for seat in range(len(won)) if seat not in game.forfeited]
        for one, other in combinations(sorted(stayed, key=game.bots.__getitem__), 2):
            entries = differences.setdefault((game.bots[one], game.bots[other]), {})
            units = entries.setdefault(played.entry, {})
            units.setdefault(played.unit, []).append(won[one] - won[other])
    pairs = []
    for (bot, versus), entries in sorted(differences.items()):
        mean = mean_of_means(_mean_of_units(entries[entry].values()) for entry in sorted(entries))
        games = sum(len(unit) for units in entries.values() for unit in units.values())
        if mean.mean >= 0:
            pair = Pair(bot, versus, mean.mean, mean.interval, mean.positive, games)
        else:
            mean = Mean(-mean.mean, mean.variance, mean.dof)
            pair = Pair(versus, bot, mean.mean, mean.interval, mean.positive, games)
        pairs.append(pair)
    return sorted(pairs, key=lambda pair: (-pair.difference, pair.bot, pair.versus))


def _order(played: Played) -> tuple[int, int, int, list[str]]:
    """Return a sorting key: sums are taken in one order, whatever order results came in."""
    return played.entry, played.table, played.game.deal, played.game.bots


def _mean_of_units(units: Iterable[Sequence[float]]) -> Mean:
    return mean_of([math.fsum(unit) / len(unit) for unit in units])


def _mean_over(by_entry: Mapping[int, Sequence[int]]) -> float:
    """Return the unweighted mean over entries of the entries' means."""
    return math.fsum(sum(each) / len(each) for each in by_entry.values()) / len(by_entry)
