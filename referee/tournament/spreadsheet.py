"""A run as two tables for a spreadsheet or a notebook: ``games.csv`` and ``standings.csv``.

Both count what the standings count: the games of whole blocks. UTF-8, commas, a line for the
names of the columns; what is not to be had is empty. A text that a spreadsheet would take for a
formula (it begins with = + - @) has an apostrophe before it, as spreadsheets write text.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from referee.protocol import Reason
from referee.tournament.results import Standings, new_folder, standings_of, whole_series
from referee.tournament.schedule import Series
from referee.tournament.standings import Played, Row
from referee.tournament.standings.points import points
from referee.tournament.store import Store

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What begins a formula."""
OVERALL = "overall"

GAMES = (
    "number",
    "game",
    "entry",
    "table",
    "rotation",
    "deal",
    "series",
    "seat",
    "bot",
    "score",
    "rank",
    "points",
    "forfeited",
    "faults",
    "answers",
    "mean_ms",
    "max_ms",
    "capped",
)
"""The columns of ``games.csv``: a line for each seat of each game."""

STANDINGS = (
    "game",
    "rank",
    "bot",
    "points",
    "points_low",
    "points_high",
    "points_without_forfeits",
    "games",
    "games_without_forfeits",
    "wins",
    "mean_rank",
    "mean_score",
    "rating",
    "rating_low",
    "rating_high",
    "forfeits",
    "capped",
    *(f"faults_{reason}" for reason in Reason),
    "answers",
    "mean_ms",
    "p99_ms",
    "max_ms",
)
"""The columns of ``standings.csv``: a line for each bot, overall and in each game."""


def export_sheets(store: Store, folder: Path) -> int:
    """Write both tables into a new folder; return how many games they have. Raises RunError."""
    standings = standings_of(store)
    summaries = {summary.id: summary for summary in store.summaries()}
    names = [entry.game for entry in store.config.games]
    new_folder(folder)
    _write(folder / "games.csv", GAMES, _game_lines(whole_series(store, summaries), names))
    _write(folder / "standings.csv", STANDINGS, _standings_lines(standings))
    return standings.games


def _write(path: Path, columns: Sequence[str], lines: Iterable[Mapping[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([_cell(line[column]) for column in columns] for line in lines)


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return int(value)
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def _game_lines(
    series: Iterable[tuple[Series, list[Played]]], names: Sequence[str]
) -> Iterator[dict[str, object]]:
    for each, results in series:
        for number, played in enumerate(results, each.first_game):
            game = played.game
            won = points(game)
            for seat, bot in enumerate(game.bots):
                times = game.times[seat]
                yield {
                    "number": number,
                    "game": names[played.entry - 1],
                    "entry": played.entry,
                    "table": played.table,
                    "rotation": each.rotation,
                    "deal": game.deal,
                    "series": each.id,
                    "seat": seat,
                    "bot": bot,
                    "score": game.scores[seat],
                    "rank": game.ranks[seat],
                    "points": won[seat],
                    "forfeited": seat in game.forfeited,
                    "faults": sum(fault.seat == seat for fault in game.faults),
                    "answers": times.decisions,
                    "mean_ms": round(times.total_ms / max(1, times.decisions), 3),
                    "max_ms": round(times.max_ms, 3),
                    "capped": game.capped,
                }


def _standings_lines(standings: Standings) -> Iterator[dict[str, object]]:
    scopes = {OVERALL: standings.standings, **standings.by_game}
    for scope, rows in scopes.items():
        for row in rows:
            yield {"game": scope, **_flat(row)}


def _flat(row: Row) -> dict[str, object]:
    """Return a row with its intervals, faults and times as columns of their own."""
    low, high = row.interval or (None, None)
    rating_low, rating_high = row.rating_interval or (None, None)
    time_ms = row.time_ms
    return {
        **msgspec.structs.asdict(row),
        "points_low": low,
        "points_high": high,
        "rating_low": rating_low,
        "rating_high": rating_high,
        **{f"faults_{reason}": count for reason, count in row.faults.items()},
        "answers": time_ms.decisions,
        "mean_ms": time_ms.mean,
        "p99_ms": time_ms.p99,
        "max_ms": time_ms.max,
    }
