"""What stands behind the standings: ratings, forfeits, the crosstable, seats, odd company."""

from collections.abc import Iterator, Sequence

from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from referee.show.standings import (
    entry_titles,
    interval,
    pairs_table,
    plain_table,
    standings_page,
)
from referee.tournament.results import Progress, Standings
from referee.tournament.standings import AtSeat, Crosstable, Row, Together


def details_page(standings: Standings) -> RenderableType:
    """Return the first screen and, after it, everything else that is known of a run."""
    parts = [standings_page(standings)]
    if len(standings.entries) > 1:
        parts.append(_progress_table(standings.entries))
    if standings.standings:
        parts.append(_strength_table(f"{standings.name}: ratings", standings.standings))
        parts.append(_conduct_table(f"{standings.name}: conduct", standings.standings))
    if len(standings.by_entry) > 1:
        titles = entry_titles(standings.by_entry)
        for title, entry in zip(titles, standings.by_entry, strict=True):
            parts.append(_strength_table(f"{title}: ratings", entry.standings))
    if standings.pairs:
        parts.append(_Crosstable(standings.crosstable))
        parts.append(pairs_table("one against another, the clearest first", standings.pairs))
    if standings.seats:
        parts.append(_seats_table(standings.seats))
    parts.append(_company(standings.worth_a_look))
    return Group(*(Padding(part, (0, 0, 1, 0)) for part in parts))


def _progress_table(entries: Sequence[Progress]) -> Table:
    table = plain_table("games", ["entry", "game"], ["counted", "planned", "in blocks not whole"])
    for entry in entries:
        counts = (entry.games, entry.games_planned, entry.provisional)
        table.add_row(str(entry.entry), entry.game, *(f"{count:,}" for count in counts))
    return table


def _strength_table(title: str, rows: Sequence[Row]) -> Table:
    """Show ratings, and points with and without the games in which somebody forfeited."""
    headings = ("rating", "95 %", "points", "without forfeits", "games")
    table = plain_table(title, ["bot"], headings)
    for row in rows:
        clean = row.points_without_forfeits
        table.add_row(
            Text(row.bot, style="bold"),
            "none" if row.rating is None else f"{row.rating:.0f}",
            "none" if row.rating_interval is None else interval(row.rating_interval, 0),
            f"{row.points:.3f}",
            "none" if clean is None else f"{clean:.3f}",
            f"{row.games_without_forfeits:,} of {row.games:,}",
        )
    return table


def _conduct_table(title: str, rows: Sequence[Row]) -> Table:
    headings = ("forfeits", "capped", "ms", "99 %", "at most", "answers", "faults")
    table = plain_table(title, ["bot"], headings[:-1])
    table.add_column(headings[-1], overflow="fold")
    for row in rows:
        faults = (f"{count} {reason}" for reason, count in row.faults.items() if count)
        times = (row.time_ms.mean, row.time_ms.p99, row.time_ms.max)
        table.add_row(
            Text(row.bot, style="bold"),
            f"{row.forfeits:,}",
            f"{row.capped:,}",
            *(f"{ms:,.2f}" for ms in times),
            f"{row.time_ms.decisions:,}",
            ", ".join(faults) or "none",
        )
    return table


class _Crosstable:
    """In what share of the games that both finished each bot came in before each other.

    A tie is half. Where the bots' columns do not fit beside their names, the rest follows below.
    """

    CELL = 4

    def __init__(self, crosstable: Crosstable) -> None:
        self.crosstable = crosstable

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        bots = self.crosstable.bots
        longest = max(map(len, bots))
        columns = max(1, (options.max_width - self.CELL - longest - 1) // self.CELL)
        for first in range(0, len(bots), columns):
            yield self._part(range(first, min(first + columns, len(bots))))

    def _part(self, columns: range) -> Table:
        title = "crosstable, %"
        table = plain_table(title, ["", "bot"], [str(column + 1) for column in columns])
        for number, (bot, row) in enumerate(
            zip(self.crosstable.bots, self.crosstable.ahead, strict=True), 1
        ):
            shares = (row[column] for column in columns)
            cells = ("·" if share is None else f"{100 * share:.0f}" for share in shares)
            table.add_row(Text(str(number), justify="right"), Text(bot, style="bold"), *cells)
        return table


def _seats_table(seats: Sequence[AtSeat]) -> Table:
    title = "points by seat; 0.5 is fair"
    table = plain_table(title, ["game"], ["seats", "seat", "points", "95 %", "games"])
    for line in seats:
        table.add_row(
            line.game,
            str(line.seats),
            str(line.seat),
            f"{line.points:.3f}",
            interval(line.interval),
            f"{line.games:,}",
        )
    return table


def _company(found: Sequence[Together]) -> RenderableType:
    """Name those that play oddly well together: points a game above what ratings promise."""
    if not found:
        return Text("worth a look: nobody; no two bots play oddly well together")
    title = "worth a look, which is no proof"
    table = plain_table(title, ["game", "bot", "with"], ["beside", "elsewhere", "chance"])
    for each in found:
        table.add_row(
            each.game,
            Text(each.bot),
            Text(each.versus),
            f"{each.beside:+.3f}",
            f"{each.elsewhere:+.3f}",
            f"{each.chance:.2g}",
        )
    return table
