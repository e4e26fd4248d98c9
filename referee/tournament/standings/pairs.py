"""Two bots beside each other: paired differences, and the crosstable."""

import math
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

import msgspec

from referee.tournament.standings.means import Interval, mean_of, mean_of_means
from referee.tournament.standings.points import Unit


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """How much better a bot is than another, over the units in which both played.

    ``difference`` is in points a game, ``better`` the probability that the first is the better
    one, ``ahead`` the share of games in which it came in before the other, ties counting half.
    Games in which one of the two forfeited are left out.
    """

    bot: str
    versus: str
    difference: float
    interval: Interval
    better: float | None
    games: int
    ahead: float


class Crosstable(msgspec.Struct, frozen=True):
    """``ahead[i][j]``: in which share of their games bot i came in before bot j; null if none."""

    bots: list[str]
    ahead: list[list[float | None]]


class Meetings:
    """What two bots, the first before the second by name, did in an entry."""

    def __init__(self) -> None:
        self.differences: list[float] = []
        """One a unit."""
        self.ahead = 0.0
        self.games = 0


def differences(unit: Unit) -> dict[tuple[str, str], list[float]]:
    """Return for each two bots of a unit, named in order, the first's points ahead, a game each.

    Games in which one of the two forfeited are left out.
    """
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    for game, won in unit:
        stayed = [
            (bot, won[seat]) for seat, bot in enumerate(game.bots) if seat not in game.forfeited
        ]
        for (bot, one), (versus, other) in combinations(sorted(stayed), 2):
            found[bot, versus].append(one - other)
    return found


def meetings_of(units: Sequence[Unit]) -> dict[tuple[str, str], Meetings]:
    """Return the meetings of each two bots in an entry, by their names in order."""
    found: dict[tuple[str, str], Meetings] = defaultdict(Meetings)
    for unit in units:
        for pair, each in differences(unit).items():
            meetings = found[pair]
            meetings.differences.append(math.fsum(each) / len(each))
            meetings.games += len(each)
            meetings.ahead += sum([(by > 0) + (by == 0) / 2 for by in each])
    return found


def pairs_of(entries: Sequence[Mapping[tuple[str, str], Meetings]]) -> list[Pair]:
    """Return a line for each two bots that met, the clearest first.

    Over several entries a difference is the unweighted mean over those in which they met.
    """
    names = {pair for entry in entries for pair in entry}
    pairs = [
        _pair(bot, versus, [entry[bot, versus] for entry in entries if (bot, versus) in entry])
        for bot, versus in names
    ]
    return sorted(pairs, key=lambda pair: (-pair.difference, pair.bot, pair.versus))


def _pair(bot: str, versus: str, entries: Sequence[Meetings]) -> Pair:
    mean = mean_of_means(mean_of(entry.differences, lowest=-1) for entry in entries)
    games = sum(entry.games for entry in entries)
    ahead = sum(entry.ahead for entry in entries) / games
    if mean.mean < 0:
        bot, versus, mean, ahead = versus, bot, -mean, 1 - ahead
    return Pair(
        bot=bot,
        versus=versus,
        difference=mean.mean,
        interval=mean.interval,
        better=mean.positive,
        games=games,
        ahead=ahead,
    )


def crosstable(bots: Sequence[str], pairs: Collection[Pair]) -> Crosstable:
    """Arrange the pairs of these bots as a table, in their order."""
    ahead = {(pair.bot, pair.versus): pair.ahead for pair in pairs}
    ahead |= {(pair.versus, pair.bot): 1 - pair.ahead for pair in pairs}
    return Crosstable(list(bots), [[ahead.get((bot, other)) for other in bots] for bot in bots])
