"""The outcome of a match."""

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from referee.match import Match
from referee.series import SeriesResult


def match_json(match: Match, result: SeriesResult) -> dict[str, Any]:
    """Return a match as the document of ``match --json``."""
    return {
        "game": match.game.name,
        "isolation": match.isolation.mode,
        "secret": match.secret.hex(),
        "games": [
            {
                "seats": game.bots,
                "scores": game.scores,
                "ranks": game.ranks,
                "forfeited": game.forfeited,
                "capped": game.capped,
                "faults": [
                    {"seat": fault.seat, "reason": fault.reason, "detail": fault.detail}
                    for fault in game.faults
                ],
            }
            for game in result.games
        ],
    }


def match_page(match: Match, result: SeriesResult) -> RenderableType:
    """Return a match as people read it: a line a game, its faults, the secret of its deals."""
    table = Table(title=f"{match.game.title}, {len(match.names)} seats", title_justify="left")
    table.add_column("deal", justify="right")
    for seat, name in enumerate(match.names):
        table.add_column(f"{seat} {name}", justify="right")
    faults = []
    for game in result.games:
        cells = [
            f"{score} ({'forfeit' if seat in game.forfeited else f'{rank}.'})"
            for seat, (score, rank) in enumerate(zip(game.scores, game.ranks, strict=True))
        ]
        table.add_row(str(game.deal), *cells)
        faults += [
            Text(f"deal {game.deal}, {game.bots[fault.seat]}: {fault.reason}: {fault.detail}")
            for fault in game.faults
        ]
    return Group(table, *faults, Text(f"deals from the secret {match.secret.hex()}"))
