"""The standings as they stand while a run goes on: quick to add to, quick to read."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from referee.record.result import GameResult
from referee.tournament.standings.points import Scored, points
from referee.tournament.standings.rows import Row, Seen, rows_of, see


class Tally:
    """Counts results as they come; only whole units, in which every bot had the same cards.

    ``games_a_unit`` gives for each entry, from 1, how many games a (table, deal) has.
    """

    def __init__(self, games_a_unit: Iterable[int]) -> None:
        self._games_a_unit = list(games_a_unit)
        self._open: dict[tuple[int, int, int], list[Scored]] = defaultdict(list)
        self._seen: list[dict[str, Seen]] = [defaultdict(Seen) for _ in self._games_a_unit]

    def add(self, entry: int, table: int, games: Sequence[GameResult]) -> None:
        """Count the games of a series."""
        for game in games:
            place = entry, table, game.deal
            unit = self._open[place]
            unit.append(Scored(game, points(game)))
            if len(unit) == self._games_a_unit[entry - 1]:
                see(self._seen[entry - 1], self._open.pop(place))

    def rows(self) -> list[Row]:
        """Return the rows of what is whole, best first, without ratings."""
        return rows_of([seen for seen in self._seen if seen], {})
