"""What the pages say of a run that its standings do not: games one by one, seats, times."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from referee.record.result import Times
from referee.tournament.schedule import Series
from referee.tournament.standings import AtSeat, Pair, Played
from referee.tournament.standings.means import mean_within
from referee.tournament.standings.points import Bots, points


class BotFigures:
    """What was seen of a bot."""

    def __init__(self) -> None:
        self.times = Times()
        self.games: list[int] = []
        """The places in the schedule of the games that it played."""
        self._points: dict[tuple[str, int, int], _ByTable] = defaultdict(_by_table)
        """By game, number of seats, and seat."""

    def add(self, number: int, game: str, played: Played, seat: int, won: float) -> None:
        """Count a game."""
        self.games.append(number)
        self.times.merge(played.game.times[seat])
        by_table = self._points[game, len(played.game.bots), seat]
        table = played.entry, frozenset(played.game.bots)
        by_table[table][played.game.deal].append(won)

    def by_seat(self) -> list[AtSeat]:
        """Return its points at each seat."""
        found = []
        for (game, seats, seat), by_table in sorted(self._points.items()):
            tables = [
                [sum(won) / len(won) for won in deals.values()] for deals in by_table.values()
            ]
            mean = mean_within(tables)
            games = sum(len(won) for deals in by_table.values() for won in deals.values())
            line = AtSeat(
                game=game,
                seats=seats,
                seat=seat,
                points=mean.mean,
                interval=mean.interval,
                games=games,
            )
            found.append(line)
        return found


_ByTable = dict[tuple[int, Bots], dict[int, list[float]]]
"""A bot's points by entry and table, and there by deal."""


def _by_table() -> _ByTable:
    return defaultdict(lambda: defaultdict(list))


def figures_of(
    series: Iterable[tuple[Series, list[Played]]], games: Sequence[str]
) -> dict[str, BotFigures]:
    """Return what was seen of each bot; ``games`` has the game of each entry."""
    found: dict[str, BotFigures] = defaultdict(BotFigures)
    for each, results in series:
        for number, played in enumerate(results, each.first_game):
            won = points(played.game)
            for seat, bot in enumerate(played.game.bots):
                found[bot].add(number, games[played.entry - 1], played, seat, won[seat])
    return found


def against(bot: str, pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs of a bot as it sees them, the weakest of the others first."""
    found = [pair for pair in pairs if pair.bot == bot]
    found += [_turned(pair) for pair in pairs if pair.versus == bot]
    return sorted(found, key=lambda pair: (-pair.difference, pair.versus))


def _turned(pair: Pair) -> Pair:
    return Pair(
        bot=pair.versus,
        versus=pair.bot,
        difference=-pair.difference,
        interval=pair.interval and (-pair.interval[1], -pair.interval[0]),
        better=None if pair.better is None else 1 - pair.better,
        games=pair.games,
        ahead=1 - pair.ahead,
    )


def game_rows(
    all_series: Iterable[Series],
    played: dict[str, list[Played]],
    bots: Sequence[str],
) -> list[list[Any]]:
    """Return a row for each game of the schedule, for the page's list.

    Number, entry, table, deal, rotation, the bots by seat (as places in ``bots``); where it was
    played also scores, ranks, the seats that forfeited, how many faults and decisions.
    """
    place = {bot: at for at, bot in enumerate(bots)}
    rows: list[list[Any]] = []
    for series in all_series:
        results = played.get(series.id)
        for at, (deal, seats) in enumerate(zip(series.deals, series.seatings, strict=True)):
            row: list[Any] = [
                series.first_game + at,
                series.entry,
                series.table,
                deal,
                series.rotation,
                [place[bot] for bot in seats],
            ]
            if results:
                game = results[at].game
                row += [game.scores, game.ranks, game.forfeited, len(game.faults), game.decisions]
            rows.append(row)
    return rows
