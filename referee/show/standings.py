"""The standings as tables."""

from collections.abc import Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from referee.tournament.results import Standings
from referee.tournament.standings import Pair, Row

PAIRS_SHOWN = 15

_PLAIN: Any = {"box": SIMPLE_HEAD, "padding": (0, 1, 0, 0), "pad_edge": False, "show_edge": False}
"""Tables that fit 80 columns: a rule under the head and nothing else."""


def standings_page(standings: Standings) -> RenderableType:
    """Return the standings as people read them: overall, by game, and the closest pairs."""
    parts: list[RenderableType] = [Text(line) for line in _remarks(standings)]
    parts.append(_rows_table(standings.name, standings.standings))
    if len(standings.by_game) > 1:
        parts += [_rows_table(game, rows) for game, rows in standings.by_game.items()]
    parts.append(_pairs_table(standings.pairs))
    return Group(*parts)


def _remarks(standings: Standings) -> list[str]:
    lines = [f"isolation: {standings.isolation}"]
    if standings.seeded:
        lines.append("seeded: deals predictable")
    if not standings.complete:
        lines.append(f"so far: {standings.games:,} of {standings.games_planned:,} games")
    return lines


def _rows_table(title: str, rows: Sequence[Row]) -> Table:
    table = Table(title=title, title_justify="left", **_PLAIN)
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("bot", no_wrap=True)
    for heading in ("points", "95 %", "games", "wins", "rank", "score", "faults", "capped", "ms"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        faults = sum(row.faults.values())
        table.add_row(
            str(row.rank),
            Text(row.bot, style="bold"),
            f"{row.points:.3f}",
            _interval(row.interval),
            f"{row.games:,}",
            f"{row.wins:.1f}".removesuffix(".0"),
            f"{row.mean_rank:.2f}",
            f"{row.mean_score:.1f}",
            Text(str(faults), style="red" if faults else ""),
            f"{row.capped / row.games:.0%}",
            f"{row.time_ms.mean:.2f}",
        )
    return table


def _pairs_table(pairs: Sequence[Pair]) -> Table:
    table = Table(
        title="one against another, the closest first",
        title_justify="left",
        **_PLAIN,
    )
    for heading in ("bot", "better than"):
        table.add_column(heading)
    for heading in ("by", "95 %", "sure", "games"):
        table.add_column(heading, justify="right", no_wrap=True)
    for pair in sorted(pairs, key=lambda pair: pair.difference)[:PAIRS_SHOWN]:
        table.add_row(
            Text(pair.bot),
            Text(pair.versus),
            f"{pair.difference:.3f}",
            _interval(pair.interval),
            "?" if pair.better is None else f"{pair.better:.1%}",
            f"{pair.games:,}",
        )
    return table


def _interval(interval: tuple[float, float] | None) -> str:
    return "one deal" if interval is None else f"± {(interval[1] - interval[0]) / 2:.3f}"
