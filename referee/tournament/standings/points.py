"""Points of a game, and the results put into their units.

The unit of luck is the (table, deal): all rotations of a deal at a table share their cards, so a
bot's mean within a unit is one observation.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

import msgspec

from referee.record.result import GameResult


class Played(msgspec.Struct, frozen=True):
    """A game of a run, and the entry and the table that it belongs to, both from 1."""

    entry: int
    table: int
    game: GameResult


class Scored(NamedTuple):
    """A game and each seat's points."""

    game: GameResult
    points: list[float]


Unit = list[Scored]
"""The games of one deal at one table."""

Bots = frozenset[str]
"""The bots of a table: by them, whatever their seats, units belong together."""


def bots_of(unit: Unit) -> Bots:
    """Return the bots that played a unit."""
    return frozenset(unit[0].game.bots)


def points(game: GameResult) -> list[float]:
    """Return each seat's points, 0 to 1.

    Among the seats that did not forfeit 1 for the first, 0 for the last, evenly between, ties
    averaged, a lone one 1; a forfeiter 0. So nobody gains by another's forfeit.
    """
    stayed = [seat for seat in range(len(game.bots)) if seat not in game.forfeited]
    won = [0.0] * len(game.bots)
    if len(stayed) == 1:
        won[stayed[0]] = 1.0
        return won
    # Forfeiters are ranked below all others, so the ranks of those who stayed count only them.
    for seat in stayed:
        rank = game.ranks[seat]
        last = rank + game.ranks.count(rank) - 1
        won[seat] = (len(stayed) - (rank + last) / 2) / (len(stayed) - 1)
    return won


def units_by_entry(results: Iterable[Played]) -> dict[int, list[Unit]]:
    """Put results into their units, entry by entry.

    Everything comes out in one order, whatever the order of the results, so that all sums over
    it are the same to the last bit.
    """
    found: dict[int, list[Unit]] = {}
    ordered = sorted(results, key=lambda played: (*_unit(played), played.game.bots))
    for (entry, *_), games in groupby(ordered, key=_unit):
        unit = [Scored(played.game, points(played.game)) for played in games]
        found.setdefault(entry, []).append(unit)
    return found


def _unit(played: Played) -> tuple[int, int, int]:
    return played.entry, played.table, played.game.deal
