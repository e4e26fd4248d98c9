"""What is known of a failing point of a check, and what can be advised."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from referee.protocol import BOM, Reason

Buffer = Literal["", "input", "output"]


class Evidence(msgspec.Struct, frozen=True):
    """What is known of a failing point.

    ``sent`` is what the bot was sent last, ``came`` are its lines from then on up to the one that
    was the fault, ``earlier`` those before them, ``later`` those after. ``before`` names what had
    been sent just before, where that is a message that needs no answer. ``owed`` are the questions
    whose answers may still come late. ``games`` is how many its process had finished before.
    ``at_end`` says that its answers came only when its input had been closed, and ``buffer`` what
    held it up, where that was found out. ``remarks`` are the program's own.
    """

    reason: Reason
    detail: str
    sent: bytes = b""
    came: Sequence[bytes] = ()
    earlier: Sequence[bytes] = ()
    later: Sequence[bytes] = ()
    before: str = ""
    owed: Sequence[int] = ()
    games: int = 0
    at_end: bool = False
    buffer: Buffer = ""
    stderr: str = ""
    remarks: Sequence[str] = ()

    @property
    def line(self) -> bytes:
        """The line that was the fault, if any was."""
        return self.came[-1] if self.came else b""

    @property
    def message(self) -> Any:
        """That line as JSON; None where it is none."""
        return decode_json(self.line)

    @property
    def question(self) -> dict[str, Any]:
        """What was sent last."""
        sent = decode_json(self.sent)
        return sent if isinstance(sent, dict) else {}


class Advice(msgspec.Struct, frozen=True):
    """Who it was, the rule that was broken (and where it stands), and what to do."""

    suspect: str
    rule: str
    words: str


def decode_json(line: bytes) -> Any:
    """Return what a line says as JSON, None where it is none."""
    try:
        return msgspec.json.decode(line.removeprefix(BOM))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
