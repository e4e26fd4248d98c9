"""What a config would play: how much, how balanced, how long."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from referee.tournament.config import Config
from referee.tournament.estimate import Estimate
from referee.tournament.prepare import format_s
from referee.tournament.schedule import Schedule, Spread


def size_line(size: Estimate) -> str:
    """Return how much a run is in one line."""
    most = "at most " if size.at_most else ""
    return (
        f"{most}{size.games:,} games in {size.series:,} series, "
        f"about {size.questions:,} questions: some {format_s(size.expected_s)} "
        f"with quick bots, {format_s(size.worst_s)} at worst"
    )


def schedule_page(config: Config, schedule: Schedule, size: Estimate) -> RenderableType:
    """Return the entries with their counts, and the smallest and largest of what is balanced."""
    table = Table(title=config.tournament.name, title_justify="left")
    for heading in ("game", "seats", "bots", "tables", "deals", "games"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for heading in ("games a bot", "in a seat", "meetings", "to the left"):
        table.add_column(heading, justify="right")
    balances = schedule.balance()
    for entry, counts, balance in zip(config.games, schedule.counts, balances, strict=True):
        bots = len(config.bots_of(entry))
        spreads = (
            ["?"] * 4
            if balance is None
            else [
                _range(spread)
                for spread in (balance.games, balance.seats, balance.meetings, balance.left)
            ]
        )
        table.add_row(
            entry.game,
            *(f"{n:,}" for n in (entry.seats, bots, counts.tables, entry.deals, counts.games)),
            *spreads,
        )
    return Group(table, Text(size_line(size)))


def _range(spread: Spread) -> str:
    if spread.smallest == spread.largest:
        return f"{spread.smallest:,}"
    return f"{spread.smallest:,} to {spread.largest:,}"
