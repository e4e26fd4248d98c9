"""The schedule: entries, blocks, series and games, numbered from 1 and found by their numbers.

Games are in the order of block, entry, table, rotation, deal: every table of every entry has played
its first block before any begins its second, so a run that is stopped has all in balance.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from referee.tournament.schedule.balance import Balance, balance_of
from referee.tournament.schedule.rounds import Rounds
from referee.tournament.schedule.seating import Seating, places, rotations
from referee.tournament.schedule.tables import RoundRobin, Table


class Entry(msgspec.Struct, frozen=True):
    """One ``[[games]]`` of a config: a game, how it is played, and the names of those who play."""

    game: str
    seats: int
    deals: int
    bots: tuple[str, ...]


class Series(msgspec.Struct, frozen=True):
    """One table, one rotation, one block of deals: the unit of process life and of resumption.

    Entry, table and block are counted from 1, the rotation from 0. ``first_game`` is the place in
    the schedule, from 1, of the first game; the others follow it in the order of ``deals``.
    ``seatings`` has for each deal the bot in each seat.
    """

    entry: int
    table: int
    rotation: int
    block: int
    first_game: int
    deals: tuple[int, ...]
    seatings: tuple[tuple[str, ...], ...]

    @property
    def id(self) -> str:
        """The series as records name it (PROTOCOL.md section 4)."""
        return f"{self.entry}-{self.table}-{self.rotation}-{self.block}"

    @property
    def place(self) -> tuple[int, int, int]:
        """What bots' seeds depend on besides deal and seat: entry, table and rotation."""
        return self.entry, self.table, self.rotation


class Block(msgspec.Struct, frozen=True):
    """Consecutive deals of a table in all rotations.

    Its series share their deals: they are never played at the same time. Different blocks may be.
    ``deals`` are the numbers of the deals, ``first_deal`` is the first one's place in the table,
    from 0, and ``start`` where the table's cycle of seatings begins.
    """

    entry: int
    table: int
    block: int
    first_game: int
    bots: tuple[str, ...]
    deals: tuple[int, ...]
    seating: Seating
    start: int
    first_deal: int

    @property
    def rotations(self) -> int:
        """How many series the block has."""
        return rotations(self.seating, len(self.bots))

    @property
    def games(self) -> int:
        """How many games the block has."""
        return len(self.deals) * self.rotations

    def series(self) -> Iterator[Series]:
        """Go through the block's series, one a rotation."""
        return map(self.rotation, range(self.rotations))

    def rotation(self, rotation: int) -> Series:
        """Return the series of this rotation, from 0."""
        return Series(
            entry=self.entry,
            table=self.table,
            rotation=rotation,
            block=self.block,
            first_game=self.first_game + rotation * len(self.deals),
            deals=self.deals,
            seatings=tuple(self._seats(at, rotation) for at in range(len(self.deals))),
        )

    def _seats(self, at: int, rotation: int) -> tuple[str, ...]:
        deal = self.first_deal + at
        held = places(self.seating, len(self.bots), self.start, deal, rotation)
        return tuple(self.bots[bot] for bot in held)


class Counts(msgspec.Struct, frozen=True):
    """How much an entry plays; exact, however large. ``deals`` are those of a table."""

    game: str
    seats: int
    bots: int
    deals: int
    tables: int
    blocks: int
    series: int
    games: int


class Schedule:
    """All games of a tournament, in their order.

    ``rounds`` is None for every possible table; otherwise it is met with the nearest number that
    lets all bots of an entry play equally often. ``block`` is the number of deals in a series.
    Raises ValueError for an entry with fewer bots than seats.
    """

    def __init__(
        self, entries: Iterable[Entry], seating: Seating, rounds: int | None, block: int
    ) -> None:
        self._entries: list[_EntryPlan] = []
        deals: Counter[tuple[str, int]] = Counter()
        for number, entry in enumerate(entries, 1):
            kind = entry.game, entry.seats
            plan = _EntryPlan(
                entry=entry,
                number=number,
                seating=seating,
                rounds=rounds,
                block=block,
                deals_before=deals[kind],
            )
            self._entries.append(plan)
            deals[kind] += plan.tables.count * entry.deals
        self.games = sum(plan.counts.games for plan in self._entries)

    @property
    def counts(self) -> list[Counts]:
        """How much each entry plays, without going through it."""
        return [entry.counts for entry in self._entries]

    def balance(self, most_tables: int = 100_000) -> list[Balance | None]:
        """Measure how even each entry is, going through those of no more tables than that."""
        return [
            balance_of(
                plan.tables, len(plan.entry.bots), plan.seating, plan.entry.deals, most_tables
            )
            for plan in self._entries
        ]

    def blocks(self) -> Iterator[Block]:
        """Go through all blocks in their order, in constant memory."""
        first_game = 1
        for block in range(self._blocks):
            for entry in self._entries:
                yield from entry.blocks(block, first_game)
                first_game += entry.games_in(block)

    def series(self) -> Iterator[Series]:
        """Go through all series in their order, in constant memory."""
        for block in self.blocks():
            yield from block.series()

    def series_of(self, game: int) -> Series:
        """Return the series that a game belongs to, by the game's place in the schedule from 1.

        Raises IndexError where there is no such game.
        """
        if not 1 <= game <= self.games:
            raise IndexError(f"there is no game {game}: the schedule has {self.games}")
        block = bisect_right(range(self._blocks), game - 1, key=self._games_before) - 1
        first_game = self._games_before(block) + 1
        for entry in self._entries:
            games = entry.games_in(block)
            if game < first_game + games:
                break
            first_game += games
        return entry.series_of(game, block, first_game)

    @property
    def _blocks(self) -> int:
        return max((entry.counts.blocks for entry in self._entries), default=0)

    def _games_before(self, block: int) -> int:
        """Return how many games all entries have before this block (from 0)."""
        return sum(entry.games_before(block) for entry in self._entries)


def propose_rounds(
    entries: Sequence[Entry], seating: Seating, block: int, games: int
) -> int | None:
    """Return the most rounds that make no more than this many games; None where one round does."""
    if Schedule(entries, seating, 1, block).games > games:
        return None
    too_many = bisect_right(
        range(1, games + 2),
        games,
        key=lambda rounds: Schedule(entries, seating, rounds, block).games,
    )
    return range(1, games + 2)[too_many - 1]


def _tables(entry: Entry, seating: Seating, rounds: int | None) -> RoundRobin | Rounds:
    bots = len(entry.bots)
    if rounds is None:
        return RoundRobin(bots, entry.seats)
    return Rounds(bots, entry.seats, rounds, seating, entry.deals)


class _EntryPlan:
    """One entry's part of the schedule.

    ``deals_before`` counts the deals of the same game and seats that earlier entries have. Blocks
    are counted from 0 here.
    """

    def __init__(
        self,
        *,
        entry: Entry,
        number: int,
        seating: Seating,
        rounds: int | None,
        block: int,
        deals_before: int,
    ) -> None:
        if len(entry.bots) < entry.seats:
            raise ValueError(f"entry {number} has {len(entry.bots)} bots for {entry.seats} seats")
        self.entry = entry
        self.number = number
        self.seating: Seating = seating
        self.block = block
        self.deals_before = deals_before
        self.tables = _tables(entry, seating, rounds)
        self.rotations = rotations(seating, entry.seats)
        blocks = -(-entry.deals // block)
        self.counts = Counts(
            game=entry.game,
            seats=entry.seats,
            bots=len(entry.bots),
            deals=entry.deals,
            tables=self.tables.count,
            blocks=blocks,
            series=self.tables.count * blocks * self.rotations,
            games=self.tables.count * entry.deals * self.rotations,
        )

    def games_before(self, block: int) -> int:
        """Return how many games all tables have before this block."""
        return min(block * self.block, self.entry.deals) * self.tables.count * self.rotations

    def games_in(self, block: int) -> int:
        """Return how many games all tables have in this block; 0 in one that is not there."""
        return self._deals(block) * self.tables.count * self.rotations

    def blocks(self, block: int, first_game: int) -> Iterator[Block]:
        """Go through this block of all tables; its games are numbered from ``first_game`` on."""
        if self._deals(block):
            for index, table in enumerate(self.tables):
                yield self._block(block, index, table, first_game)

    def series_of(self, game: int, block: int, first_game: int) -> Series:
        """Return the series of a game in this block, whose games are numbered likewise."""
        deals = self._deals(block)
        index, at = divmod(game - first_game, deals * self.rotations)
        return self._block(block, index, self.tables[index], first_game).rotation(at // deals)

    def _deals(self, block: int) -> int:
        """Return how many deals a block has: the last may be shorter."""
        return max(0, min(self.block, self.entry.deals - block * self.block))

    def _block(self, block: int, index: int, table: Table, first_game: int) -> Block:
        """Return this block of the table with this place (from 0)."""
        deals = self._deals(block)
        played = block * self.block
        first_deal = self.deals_before + index * self.entry.deals + played + 1
        return Block(
            entry=self.number,
            table=index + 1,
            block=block + 1,
            first_game=first_game + deals * index * self.rotations,
            bots=tuple(self.entry.bots[bot] for bot in table.bots),
            deals=tuple(range(first_deal, first_deal + deals)),
            seating=self.seating,
            start=table.start,
            first_deal=played,
        )
