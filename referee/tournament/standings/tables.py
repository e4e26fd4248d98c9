"""Standings: rows, pairs and what is worth knowing beside them, overall and by game.

A function of the results alone: the order in which they came changes nothing.
"""

from collections.abc import Iterable, Sequence
from functools import cache

import msgspec

from referee.tournament.schedule import Entry
from referee.tournament.standings.integrity import (
    AtSeat,
    Together,
    seat_advantage,
    worth_a_look,
)
from referee.tournament.standings.pairs import Crosstable, Pair, crosstable, meetings_of, pairs_of
from referee.tournament.standings.points import Played, Unit, units_by_entry
from referee.tournament.standings.ratings import ratings
from referee.tournament.standings.rows import Row, rows_of, seen_in


class Missing(msgspec.Struct, frozen=True):
    """A bot that has no result yet in an entry (from 1) that it is to play."""

    bot: str
    entry: int
    game: str


class EntryTable(msgspec.Struct, frozen=True):
    """The rows of an entry (from 1) that has results; ``deals`` are its units of luck."""

    entry: int
    game: str
    seats: int
    deals: int
    standings: list[Row]


class Tables(msgspec.Struct, frozen=True):
    """The standings of some results.

    ``by_game`` puts entries of one game together, ``by_entry`` keeps them apart.
    """

    standings: list[Row]
    by_game: dict[str, list[Row]]
    by_entry: list[EntryTable]
    pairs: list[Pair]
    pairs_by_game: dict[str, list[Pair]]
    crosstable: Crosstable
    seats: list[AtSeat]
    worth_a_look: list[Together]
    missing: list[Missing]


def tables(results: Iterable[Played], entries: Sequence[Entry]) -> Tables:
    """Return the standings of some results of these entries, which are numbered from 1.

    Overall a bot's figures are unweighted means over the entries that have results, for the bots
    that have results in all of those; ratings are those of all games together.
    """
    units = units_by_entry(results)
    seen = {number: seen_in(each) for number, each in units.items()}
    meetings = {number: meetings_of(each) for number, each in units.items()}
    numbers: dict[str, list[int]] = {}
    for number in units:
        numbers.setdefault(entries[number - 1].game, []).append(number)
    by_game = {game: _joined(units, of_game) for game, of_game in numbers.items()}
    rated = {game: ratings(each) for game, each in by_game.items()}

    @cache  # entries are often one a game, or one at all
    def rows(*of: int) -> list[Row]:
        known = [rated[game] for game, of_game in numbers.items() if of_game == [*of]]
        rating = known[0] if known else ratings(_joined(units, of))
        return rows_of([seen[number] for number in of], rating)

    standings = rows(*units)
    pairs = pairs_of(list(meetings.values()))
    return Tables(
        standings=standings,
        by_game={game: rows(*of_game) for game, of_game in numbers.items()},
        by_entry=[
            EntryTable(
                entry=number,
                game=entries[number - 1].game,
                seats=entries[number - 1].seats,
                deals=len(units[number]),
                standings=rows(number),
            )
            for number in units
        ],
        pairs=pairs,
        pairs_by_game={
            game: pairs_of([meetings[number] for number in of_game])
            for game, of_game in numbers.items()
        },
        crosstable=crosstable([row.bot for row in standings], pairs),
        seats=_seats(units, entries),
        worth_a_look=worth_a_look(by_game, rated),
        missing=[
            Missing(bot, number, entry.game)
            for number, entry in enumerate(entries, 1)
            for bot in entry.bots
            if bot not in seen.get(number, {})
        ],
    )


def _joined(units: dict[int, list[Unit]], numbers: Iterable[int]) -> list[Unit]:
    return [unit for number in numbers for unit in units[number]]


def _seats(units: dict[int, list[Unit]], entries: Sequence[Entry]) -> list[AtSeat]:
    kinds: dict[tuple[str, int], list[Unit]] = {}
    for number, each in units.items():
        entry = entries[number - 1]
        kinds.setdefault((entry.game, entry.seats), []).extend(each)
    return [line for (game, _), each in kinds.items() for line in seat_advantage(game, each)]
