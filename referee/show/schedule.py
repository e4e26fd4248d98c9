"""What a config would play: how much, how balanced, how long."""

from rich.console import Group, RenderableType
from rich.text import Text

from referee.show.standings import plain_table
from referee.tournament.config import Config
from referee.tournament.estimate import Estimate
from referee.tournament.prepare import format_s
from referee.tournament.schedule import Schedule, Spread


def size_line(size: Estimate) -> str:
    """Return how much a run is in one line."""
    most = "at most " if size.at_most else ""
    return (
        f"{most}{size.games:,} games in {size.series:,} series, "
        f"about {size.questions:,} questions: about {format_s(size.expected_s)} "
        f"with quick bots, {format_s(size.worst_s)} at worst"
    )


def schedule_page(config: Config, schedule: Schedule, size: Estimate) -> RenderableType:
    """Return the entries with their counts, and the smallest and largest of what is balanced."""
    counted = plain_table(
        config.tournament.name, ["game"], ["seats", "bots", "tables", "deals", "series", "games"]
    )
    balanced = plain_table(
        "games of a bot", ["game"], ["in all", "in a seat", "beside another", "that to its left"]
    )
    for of, balance in zip(schedule.counts, schedule.balance(), strict=True):
        numbers = (of.seats, of.bots, of.tables, of.deals, of.series, of.games)
        counted.add_row(of.game, *(f"{number:,}" for number in numbers))
        if balance is not None:
            spreads = (balance.games, balance.seats, balance.meetings, balance.left)
            balanced.add_row(of.game, *map(_range, spreads))
    return Group(counted, *[balanced] * bool(balanced.rows), Text(size_line(size)))


def _range(spread: Spread | None) -> str:
    if spread is None:
        return "not counted"
    if spread.smallest == spread.largest:
        return f"{spread.smallest:,}"
    return f"{spread.smallest:,} to {spread.largest:,}"
