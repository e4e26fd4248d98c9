"""The wire: the messages between referee and bot (PROTOCOL.md, sections 1 to 3).

Messages to a bot are encoded by ``encode``; what a bot sends is decoded by ``decode_ready`` and
``decode_answer``, the one place that turns every kind of bad input into ``MalformedError``.
"""

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from itertools import accumulate
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from referee.games.game import Decision, View

PROTOCOL = 1
MAX_LINE_BYTES = 64 * 1024
MAX_NESTING = 32
MAX_NOTE_BYTES = 1024
BOM = b"\xef\xbb\xbf"


class Reason(StrEnum):
    """Why an answer was not accepted (PROTOCOL.md, section 3)."""

    STARTUP = "startup"
    TIMEOUT = "timeout"
    MALFORMED = "malformed"
    ILLEGAL = "illegal"
    OVERSIZE = "oversize"
    CRASH = "crash"
    LIMIT = "limit"

    @property
    def ends_the_game(self) -> bool:
        """Whether the bot forfeits at once, whatever strikes it has left."""
        return self in (Reason.STARTUP, Reason.CRASH, Reason.LIMIT)


class TimeControl(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How long a bot may take; all in milliseconds."""

    startup_ms: Annotated[int, Meta(ge=1, le=600_000, description="for the start")] = 10_000
    move_ms: Annotated[int, Meta(ge=0, le=86_400_000, description="free time an answer")] = 100
    bank_ms: Annotated[int, Meta(ge=0, le=86_400_000, description="reserve a game")] = 20_000
    grace_ms: Annotated[int, Meta(ge=0, le=60_000, description="time to leave")] = 500


class Clock(msgspec.Struct, frozen=True, gc=False):
    """A seat's time in milliseconds: free for this answer, and what is left of its bank."""

    move_ms: int
    bank_ms: int


class _Message(msgspec.Struct, gc=False, tag_field="type", tag=str.lower):
    pass


class Hello(_Message):
    """Once, after the start; the bot answers ``Ready``."""

    protocols: list[int]
    referee: str


class Start(_Message):
    """A game begins; no answer. ``names`` is null where names are hidden."""

    game: str
    rules: Any
    seats: int
    seat: int
    names: Sequence[str] | None
    seed: int
    time: Clock


class Turn(_Message):
    """The bot must decide; it answers ``Answer``."""

    id: int
    events: Sequence[msgspec.Raw]
    view: View
    decision: Decision
    time: Clock


class Fault(_Message):
    """The last answer was not accepted; no answer."""

    id: int
    reason: Reason
    detail: str
    strikes: int
    forfeit: bool


class End(_Message, omit_defaults=True):
    """A game is over; no answer."""

    events: Sequence[msgspec.Raw]
    scores: list[int]
    ranks: list[int]
    forfeited: list[int]
    capped: bool = False


class Bye(_Message):
    """The last message; the bot exits."""


class Ready(msgspec.Struct, frozen=True):
    """A bot's answer to ``hello``. Null for an optional text means that it is absent."""

    type: Literal["ready"]
    protocol: int = PROTOCOL
    name: str | None = None
    version: str | None = None
    author: str | None = None


class Answer(msgspec.Struct, frozen=True, gc=False):
    """A bot's answer to ``turn``. ``choose`` and ``claim`` are judged against the decision.

    A ``claim`` or ``note`` of null means that it is absent.
    """

    id: int
    choose: list[Any]
    claim: Any = None
    note: str | None = None


_FromBot = TypeVar("_FromBot", Ready, Answer)


class MalformedError(Exception):
    """A line from a bot is not what the protocol allows; the text says why."""


_encode = msgspec.json.Encoder().encode


def encode(message: _Message) -> bytes:
    """Return a message to a bot as its line, the newline included."""
    return _encode(message) + b"\n"


def _decoder(message: type[_FromBot]) -> Callable[[bytes], _FromBot]:
    """Return the function that decodes a line to such a message, or raises MalformedError."""
    decode_json = msgspec.json.Decoder(message).decode

    def decode(line: bytes) -> _FromBot:
        try:
            if not line.isascii():
                line.decode()
            # msgspec bounds nesting only by Python's own stack.
            if len(line) > 2 * MAX_NESTING and _nesting(line) > MAX_NESTING:
                raise MalformedError(f"nested deeper than {MAX_NESTING}")
            return decode_json(line)
        except UnicodeDecodeError as error:
            raise MalformedError(f"not UTF-8 (byte {error.start})") from None
        except msgspec.ValidationError as error:
            raise MalformedError(str(error)) from None
        except msgspec.DecodeError as error:
            raise MalformedError(f"not a JSON object: {error}") from None

    return decode


decode_answer = _decoder(Answer)
"""Decode an answer to ``turn``; raises MalformedError."""
_decode_ready = _decoder(Ready)


def decode_ready(line: bytes) -> Ready:
    """Decode the answer to ``hello``; raises MalformedError."""
    ready = _decode_ready(line)
    if ready.protocol != PROTOCOL:
        raise MalformedError(f"protocol {ready.protocol} was not offered; this is {PROTOCOL}")
    return ready


# A string without its end reaches to the end of the line: no line takes more than one pass.
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?')
_NO_BRACKETS = bytes(set(range(256)) - set(b"[{]}"))
_STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


def _nesting(line: bytes) -> int:
    if line.count(b"[") + line.count(b"{") <= MAX_NESTING:
        return 0
    brackets = _STRING.sub(b"", line).translate(None, _NO_BRACKETS)
    return max(accumulate(map(_STEPS.__getitem__, brackets)), default=0)


def printable(data: bytes | str, most: int = 200) -> str:
    """Return what a bot wrote as harmless text: its first ``most`` characters, controls escaped."""
    text = data.decode(errors="backslashreplace") if isinstance(data, bytes) else data
    cut = text[:most]
    shown = cut if cut.isprintable() else "".join(map(_printable, cut))
    return shown if len(text) <= most else f"{shown}... ({len(text)} characters)"


def _printable(char: str) -> str:
    return char if char.isprintable() else char.encode("unicode_escape").decode()


def kept_note(note: str | None) -> str | None:
    """Return the part of a bot's note that is kept: its first 1 KiB of UTF-8."""
    if note is None or len(note) * 4 <= MAX_NOTE_BYTES:
        return note
    return note.encode()[:MAX_NOTE_BYTES].decode(errors="ignore")
