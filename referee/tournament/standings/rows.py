"""A row a bot: points with their interval, and all that is counted."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from referee.protocol import Reason
from referee.record.result import Times
from referee.tournament.standings.means import Interval, mean_of_means, mean_within
from referee.tournament.standings.points import Bots, Scored, Unit, bots_of
from referee.tournament.standings.ratings import Rating


class TimeUse(msgspec.Struct, frozen=True):
    """How long a bot's answers took, in milliseconds.

    ``cpu_asked`` and ``cpu_unasked`` are the processor time that its processes used in all: while
    a question to it was open, and the rest.
    """

    mean: float
    p99: float
    max: float
    decisions: int
    timeouts: int
    cpu_asked: float
    cpu_unasked: float


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A bot's standing.

    ``points`` is 0 to 1 a game, and ``interval`` by t over units, within tables where each has
    two or more: the points are those against the opponents that the schedule gave.
    ``points_without_forfeits`` is the mean of the games in which nobody forfeited, null where an
    entry has none. ``wins`` shares a shared first; a forfeiter has not won. ``rating`` is null
    for a bot that forfeited every game.
    """

    rank: int
    bot: str
    points: float
    interval: Interval
    points_without_forfeits: float | None
    games: int
    games_without_forfeits: int
    wins: float
    mean_rank: float
    mean_score: float
    rating: float | None
    rating_interval: Interval
    forfeits: int
    capped: int
    faults: dict[str, int]
    time_ms: TimeUse


class Seen:
    """What was seen of a bot in an entry."""

    def __init__(self) -> None:
        self.points: dict[Bots, list[float]] = defaultdict(list)
        """Its mean in each unit, table by table."""
        self.points_without_forfeits: list[float] = []
        """The same over games in which nobody forfeited, for the units that have any."""
        self.wins = 0.0
        self.games = self.games_without_forfeits = self.forfeits = self.capped = 0
        self.ranks = self.scores = 0
        self.faults = dict.fromkeys(map(str, Reason), 0)
        self.times = Times()
        self.cpu_asked_ms = self.cpu_unasked_ms = 0.0

    def add(self, table: Bots, unit: Sequence[tuple[Scored, int]]) -> None:
        """Count the games of a unit at a table, each with the bot's seat in it."""
        won = [played.points[seat] for played, seat in unit]
        self.points[table].append(_mean(won))
        clean = [played.points[seat] for played, seat in unit if not played.game.forfeited]
        if clean:
            self.points_without_forfeits.append(_mean(clean))
        self.games += len(unit)
        self.games_without_forfeits += len(clean)
        for (game, _), seat in unit:
            self.ranks += game.ranks[seat]
            self.scores += game.scores[seat]
            self.capped += game.capped
            for fault in game.faults:
                self.faults[fault.reason] += fault.seat == seat
            self.times.merge(game.times[seat])
            if game.cpu:
                self.cpu_asked_ms += game.cpu[seat].asked_ms
                self.cpu_unasked_ms += game.cpu[seat].unasked_ms
            if seat in game.forfeited:
                self.forfeits += 1
            elif game.ranks[seat] == 1:
                self.wins += 1 / game.ranks.count(1)


def seen_in(units: Iterable[Unit]) -> dict[str, Seen]:
    """Return what was seen of each bot in the units of an entry."""
    found: dict[str, Seen] = defaultdict(Seen)
    for unit in units:
        see(found, unit)
    return found


def see(found: dict[str, Seen], unit: Unit) -> None:
    """Add a unit to what was seen of each bot; ``found`` makes those that it has not."""
    seats: dict[str, list[tuple[Scored, int]]] = defaultdict(list)
    for played in unit:
        for seat, bot in enumerate(played.game.bots):
            seats[bot].append((played, seat))
    for bot, games in seats.items():
        found[bot].add(bots_of(unit), games)


def rows_of(entries: Sequence[Mapping[str, Seen]], ratings: Mapping[str, Rating]) -> list[Row]:
    """Return the rows of the bots that played in every one of some entries, best first.

    Means over several entries are unweighted means of the entries' means; counts are sums.
    """
    bots = set.intersection(*(set(entry) for entry in entries)) if entries else set()
    rows = [_row(bot, [entry[bot] for entry in entries], ratings.get(bot)) for bot in bots]
    rows.sort(key=lambda row: (-_comparable(row), row.bot))
    return [
        msgspec.structs.replace(
            row, rank=1 + sum(_comparable(other) > _comparable(row) for other in rows)
        )
        for row in rows
    ]


def _comparable(row: Row) -> float:
    """Return points without the last digits: equal ones may come by sums that round differently."""
    return round(row.points, 12)


def _row(bot: str, entries: Sequence[Seen], rating: Rating | None) -> Row:
    points = mean_of_means(mean_within(seen.points.values()) for seen in entries)
    clean = [seen.points_without_forfeits for seen in entries]
    faults = {str(reason): sum(seen.faults[reason] for seen in entries) for reason in Reason}
    return Row(
        rank=0,
        bot=bot,
        points=points.mean,
        interval=points.interval,
        points_without_forfeits=_mean(list(map(_mean, clean))) if all(clean) else None,
        games=sum(seen.games for seen in entries),
        games_without_forfeits=sum(seen.games_without_forfeits for seen in entries),
        wins=sum(seen.wins for seen in entries),
        mean_rank=_mean([seen.ranks / seen.games for seen in entries]),
        mean_score=_mean([seen.scores / seen.games for seen in entries]),
        rating=rating.rating if rating else None,
        rating_interval=rating.interval if rating else None,
        forfeits=sum(seen.forfeits for seen in entries),
        capped=sum(seen.capped for seen in entries),
        faults=faults,
        time_ms=_time_use(entries),
    )


def _time_use(entries: Sequence[Seen]) -> TimeUse:
    times = Times()
    for seen in entries:
        times.merge(seen.times)
    return TimeUse(
        mean=round(times.total_ms / max(1, times.decisions), 3),
        p99=round(times.quantile_ms(0.99), 3),
        max=round(times.max_ms, 3),
        decisions=times.decisions,
        timeouts=sum(seen.faults[Reason.TIMEOUT] for seen in entries),
        cpu_asked=round(sum(seen.cpu_asked_ms for seen in entries), 1),
        cpu_unasked=round(sum(seen.cpu_unasked_ms for seen in entries), 1),
    )


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
