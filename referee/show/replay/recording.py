"""A record as it is shown: its lines read, whatever is wrong with them, and cut into steps."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec

from referee.games.game import Game, RulesError, find_game, union_of
from referee.record.lines import (
    ChoiceLine,
    EventLine,
    FaultLine,
    Header,
    Line,
    NoteLine,
    ResultLine,
    decode,
)

DRAWN = frozenset({"cancellation_hearts", "pitch", "oh_hell", "i_doubt_it"})
"""The games whose events have words and a picture here; other games' are listed as they stand."""


class Unreadable(msgspec.Struct, frozen=True):
    """A line that cannot be shown, and why."""

    detail: str


class Recording(msgspec.Struct, frozen=True):
    """A record to be shown.

    A step is what is seen at once: the choices that were made together with what led and what
    followed from them, a new hand, or the result. The first is all before the first choice.
    """

    lines: list[Line | Unreadable]
    steps: list[range]
    """The places of each step's lines; there is one at least."""

    @property
    def header(self) -> Header | None:
        """The record's first line, if it is one."""
        first = self.lines[0] if self.lines else None
        return first if isinstance(first, Header) else None

    @property
    def names(self) -> list[str]:
        """The bots' names by seat; none where there is no header."""
        return [player.bot for player in self.header.seats] if self.header else []

    @property
    def is_drawn(self) -> bool:
        """Whether it is of a game that has a picture."""
        return self.header is not None and self.header.game in DRAWN

    def lines_of(self, step: int) -> list[Line | Unreadable]:
        """Return the lines of a step."""
        places = self.steps[step]
        return self.lines[places.start : places.stop]


def read(record: Iterable[bytes]) -> Recording:
    """Read the lines of a record; nothing that stands in them raises."""
    lines: list[Line | Unreadable] = []
    game: Game | None = None
    for number, data in enumerate(record, 1):
        try:
            line = decode(data)
            if isinstance(line, Header):
                game = _game(line)
            elif isinstance(line, EventLine) and game is not None and game.name in DRAWN:
                # From here on an event's values are of the types that its game declares.
                msgspec.convert(line.event, _events_of(game))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            lines.append(Unreadable(f"line {number} of the record is damaged: {error}"))
        else:
            lines.append(line)
    return Recording(lines, _steps(lines))


def _game(header: Header) -> Game | None:
    try:
        return find_game(header.game)
    except RulesError:
        return None


@cache
def _events_of(game: Game) -> Any:
    return union_of(game.event_types)


def _steps(lines: Sequence[Line | Unreadable]) -> list[range]:
    starts = [0]
    together: tuple[str, set[int]] | None = None
    """The kind and the seats of choices without an event since."""
    ahead: int | None = None
    """Where the faults and notes begin that stand before the next choice."""
    is_opening = True

    def begin(place: int) -> None:
        if place > starts[-1]:
            starts.append(place)

    for place, line in enumerate(lines):
        match line:
            case ChoiceLine():
                if together is None or together[0] != line.kind or line.seat in together[1]:
                    begin(place if ahead is None else ahead)
                    together = line.kind, set()
                together[1].add(line.seat)
                is_opening, ahead = False, None
            case FaultLine() | NoteLine():
                ahead = place if ahead is None else ahead
            case ResultLine():
                begin(place if ahead is None else ahead)
            case _:
                together = ahead = None
                if _is_hand(line) and not is_opening:
                    begin(place)
    return [range(*step) for step in pairwise([*starts, len(lines)])]


def _is_hand(line: Line | Unreadable) -> bool:
    return isinstance(line, EventLine) and line.event.get("event") == "hand"
