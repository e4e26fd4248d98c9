"""The standings as tables: the first screen. What is behind it is in ``details``."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from referee.show.comparison import verdict_line, words
from referee.tournament.judge import Until
from referee.tournament.results import Standings
from referee.tournament.standings import EntryTable, Pair, Row

PAIRS_SHOWN = 15
NAMES_SHOWN = 8

_PLAIN: Any = {"box": SIMPLE_HEAD, "padding": (0, 1, 0, 0), "pad_edge": False, "show_edge": False}


def standings_page(standings: Standings) -> RenderableType:
    """Return the standings as people read them: overall, by entry, and the closest pairs."""
    parts: list[RenderableType] = [Text(line) for line in remarks(standings)]
    if standings.standings:
        parts.append(rows_table(standings.name, standings.standings))
    if len(standings.by_entry) > 1:
        titles = entry_titles(standings.by_entry)
        for title, entry in zip(titles, standings.by_entry, strict=True):
            parts.append(rows_table(title, entry.standings))
    if standings.pairs:
        closest = sorted(standings.pairs, key=lambda pair: pair.difference)[:PAIRS_SHOWN]
        parts.append(pairs_table("one against another, the closest first", closest))
    return Group(*parts)


def entry_titles(entries: Sequence[EntryTable]) -> list[str]:
    """Return what entries are called: by their games, and by seats where a game comes twice."""
    games = [entry.game for entry in entries]
    return [
        entry.game if games.count(entry.game) == 1 else f"{entry.game}, {entry.seats} seats"
        for entry in entries
    ]


def remarks(standings: Standings) -> Iterator[str]:
    """Say what these standings are of, and what they are without."""
    held = "off" not in standings.isolation.split(", ")
    warning = "" if held else " - bots could see and disturb each other and this machine"
    yield f"isolation: {standings.isolation}{warning}"
    if standings.seeded:
        yield "seeded: deals predictable"
    yield from _end(standings)
    if standings.provisional:
        yield f"not counted: {standings.provisional:,} games of blocks that are not whole yet"
    for game in dict.fromkeys(each.game for each in standings.missing):
        without = [each.bot for each in standings.missing if each.game == game]
        yield f"no game of {game} yet: {_names(without)}"
    ranked = {row.bot for row in standings.standings}
    somewhere = {row.bot: None for entry in standings.by_entry for row in entry.standings}
    if apart := [bot for bot in somewhere if bot not in ranked]:
        yield f"in the tables of single games only: {_names(apart)}"
    for row in standings.standings:
        if row.forfeits == row.games:
            yield f"forfeited every game: {row.bot}"
    if any(row.interval is None for row in standings.standings):
        yield "no interval: one deal at one table is a single observation; play more deals"
    if standings.worth_a_look:
        yield "worth a look: bots that play oddly well together, in the details"


def _end(standings: Standings) -> Iterator[str]:
    """Say how far a run is, or why it ended."""
    early = standings.until or standings.compared
    if not standings.complete:
        most = "at most " if early else ""
        yield f"so far: {standings.games:,} of {most}{standings.games_planned:,} games"
    elif early:
        yield f"ended after {standings.games:,} of at most {standings.games_planned:,} games"
    if standings.until:
        yield _until(standings.until)
    if standings.compared:
        yield from (verdict_line(standings.compared), *words(standings.compared))


def _until(until: Until) -> str:
    """Say whether it is clear what a run was to be played until."""
    what = {"winner": "who is first", "separated": "the whole order"}.get(until.asked)
    what = what or f"who are the first {until.asked.removeprefix('top:')}"
    return f"{'clear' if until.clear else 'not clear'} at level {until.level:g}: {what}"


def _names(bots: Sequence[str]) -> str:
    more = f" and {len(bots) - NAMES_SHOWN} more" if len(bots) > NAMES_SHOWN else ""
    return ", ".join(bots[:NAMES_SHOWN]) + more


def plain_table(title: str, names: Sequence[str], figures: Sequence[str]) -> Table:
    """Return a table that fits 80 columns: names on the left, which may wrap, figures behind."""
    table = Table(title=Text(title, style="table.title"), title_justify="left", **_PLAIN)
    for heading in names:
        table.add_column(heading, overflow="fold")
    for heading in figures:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def rows_table(title: str, rows: Sequence[Row], *, brief: bool = False) -> Table:
    """Return a line for each bot, best first; it takes 80 columns, 40 where it is ``brief``."""
    headings = ["points", "95 %", "games", "wins", "rank", "score", "faults", "capped", "ms"]
    if brief:
        headings = ["points", "95 %", "faults"]
    table = plain_table(title, ["", "bot"], headings)
    for row in rows:
        faults = sum(row.faults.values())
        figures: dict[str, str | Text] = {
            "points": f"{row.points:.3f}",
            "95 %": interval(row.interval),
            "games": f"{row.games:,}",
            "wins": f"{row.wins:.1f}".removesuffix(".0"),
            "rank": f"{row.mean_rank:.2f}",
            "score": f"{row.mean_score:.1f}",
            "faults": Text(str(faults), style="red" if faults else ""),
            "capped": f"{row.capped / row.games:.0%}",
            "ms": f"{row.time_ms.mean:.2f}",
        }
        place = Text(str(row.rank), justify="right")
        name = Text(row.bot, style="bold")
        table.add_row(place, name, *(figures[heading] for heading in headings))
    return table


def pairs_table(title: str, pairs: Sequence[Pair]) -> Table:
    """Return a line for each pair: by how much one is better, and how sure it is."""
    table = plain_table(title, ["bot", "better than"], ["by", "95 %", "sure", "games"])
    for pair in pairs:
        table.add_row(
            Text(pair.bot),
            Text(pair.versus),
            f"{pair.difference:.3f}",
            interval(pair.interval),
            _sure(pair.better),
            f"{pair.games:,}",
        )
    return table


def _sure(better: float | None) -> str:
    """Return a probability; nothing is shown as certain."""
    if better is None:
        return "?"
    return f"{better:.1%}" if better < 0.9995 else "> 99.9%"


def interval(bounds: tuple[float, float] | None, digits: int = 3) -> str:
    """Return an interval as what lies to both sides of its middle."""
    return "one deal" if bounds is None else f"± {(bounds[1] - bounds[0]) / 2:.{digits}f}"
