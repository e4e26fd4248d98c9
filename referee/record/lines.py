"""The lines of a game's record, and how they are written (PROTOCOL.md, section 5)."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from referee.games.game import Event, ranks
from referee.protocol import Reason, TimeControl

FORMAT = 1


class Player(msgspec.Struct, frozen=True):
    """Who sat in a seat: the bot's name and its version, a hash of its files."""

    bot: str
    version: str


class _Line(msgspec.Struct, frozen=True, gc=False, tag_field="type"):
    pass


class Header(_Line, frozen=True, tag="game"):
    """The first line. ``seed`` is the deal seed in hex, ``started`` ISO 8601 in UTC."""

    format: int
    referee: str
    game: str
    rules: dict[str, Any]
    deal: int
    seed: str
    series: str
    seats: list[Player]
    time: TimeControl
    strikes: int
    started: str


class EventLine(_Line, frozen=True, tag="event"):
    """An event; ``to`` is null for all, else the seats that learn it."""

    to: Sequence[int] | None
    event: dict[str, Any]


class EncodedEventLine(_Line, frozen=True, tag="event"):
    """An event that is JSON already, to be written: it is encoded once for the record and seats."""

    to: Sequence[int] | None
    event: msgspec.Raw


class ChoiceLine(_Line, frozen=True, gc=False, tag="choice", omit_defaults=True):
    """A choice; ``ms`` is the time taken. ``id`` and ``bank_ms`` stand where it was asked."""

    seat: int
    kind: str
    choose: Sequence[Any]
    by: str
    ms: float
    id: int | None = None
    bank_ms: int | None = None
    claim: str | None = None
    note: str | None = None


class FaultLine(_Line, frozen=True, tag="fault", omit_defaults=True):
    """A fault, before the choice that the referee makes in the bot's stead."""

    seat: int
    reason: Reason
    detail: str
    strikes: int
    forfeit: bool
    id: int | None = None


class NoteLine(_Line, frozen=True, tag="note"):
    """What is worth knowing and no fault."""

    seat: int
    detail: str


class ResultLine(_Line, frozen=True, tag="result", omit_defaults=True):
    """The last line; ``sha256`` is of all bytes of the record before it."""

    scores: list[int]
    ranks: list[int]
    forfeited: list[int]
    decisions: int
    sha256: str
    capped: bool = False


Line = Header | EventLine | ChoiceLine | FaultLine | NoteLine | ResultLine

encode = msgspec.json.Encoder().encode
_encode_lines = msgspec.json.Encoder().encode_lines
decode = msgspec.json.Decoder(Line).decode


Heard = Callable[[bytes], None]
"""Hears a record's lines as they are written."""


class _HeardLines(list[_Line]):
    """Lines of which each is told, as JSON, when it is added."""

    def __init__(self, heard: Heard) -> None:
        self._heard = heard

    def append(self, line: _Line) -> None:
        super().append(line)
        self._heard(encode(line))


class Writer:
    """Collects one game's record, and encodes it when the game is over: all lines in one go.

    ``heard`` is told each line when it is written.
    """

    __slots__ = ("_lines", "add")

    def __init__(self, header: Header, heard: Heard | None = None) -> None:
        self._lines: list[_Line] = [] if heard is None else _HeardLines(heard)
        self.add = self._lines.append
        """Adds a line; without a step of Python's own."""
        self.add(header)

    @property
    def decisions(self) -> int:
        """How many choices have been noted."""
        return list(map(type, self._lines)).count(ChoiceLine)

    @property
    def so_far(self) -> bytes:
        """The lines that have been written."""
        return _encode_lines(self._lines)

    def finish(
        self, scores: list[int], ranks: list[int], forfeited: list[int], *, capped: bool
    ) -> bytes:
        """Return the whole record, closed by its result."""
        body = self.so_far
        digest = hashlib.sha256(body).hexdigest()
        result = ResultLine(scores, ranks, forfeited, self.decisions, digest, capped)
        self.add(result)
        return body + encode(result) + b"\n"


def with_notes(record: bytes, notes: Sequence[NoteLine]) -> bytes:
    """Return a whole record with remarks on what came after its end: its hash covers them too."""
    *lines, last = record.splitlines(keepends=True)
    body = b"".join(lines + [encode(note) + b"\n" for note in notes])
    result = decode(last)
    assert isinstance(result, ResultLine)  # noqa: S101 it is whole
    result = msgspec.structs.replace(result, sha256=hashlib.sha256(body).hexdigest())
    return body + encode(result) + b"\n"


encode_event: Callable[[Event], bytes] = encode
"""Return an event as JSON."""


def final_ranks(ranks_of_cards: Sequence[int], forfeits: Mapping[int, int]) -> list[int]:
    """Return the ranks with the forfeiters below all others (PROTOCOL.md, section 3).

    ``forfeits`` gives for a seat the number of the decision in which it forfeited (0: it could
    not be started): the later one ranks better.
    """
    if not forfeits:
        return list(ranks_of_cards)
    merits = [
        (0, forfeits[seat]) if seat in forfeits else (1, -rank)
        for seat, rank in enumerate(ranks_of_cards)
    ]
    return ranks(merits)


def split(data: bytes) -> Iterator[list[bytes]]:
    """Split a file of records, one after another, into each one's lines (without their ends).

    Only a newline ends a line: whatever else stands there is a byte of the record, and counts in
    its hash. What stands before the first header is given as a record that has none.
    """
    record: list[bytes] = []
    for line in data.removesuffix(b"\n").split(b"\n") if data else ():
        if record and _is_header(line):
            yield record
            record = []
        record.append(line)
    if record:
        yield record


class _Tag(msgspec.Struct):
    type: object


_decode_tag = msgspec.json.Decoder(_Tag).decode


def _is_header(line: bytes) -> bool:
    if b'"game"' not in line:  # nearly all lines, without decoding them
        return False
    try:
        return _decode_tag(line).type == "game"
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
