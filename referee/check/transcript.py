"""Everything that went over the wire of the bot that is checked, in one stage of the course."""

from collections.abc import Callable

import msgspec

from referee.check.evidence import decode_json
from referee.games.game import Decision
from referee.protocol import Reason

TO_BOT, FROM_BOT = ">", "<"


class Said(msgspec.Struct, frozen=True):
    """One line: which way it went, and the line without its end."""

    way: str
    line: bytes


class Message(msgspec.Struct, frozen=True):
    """A message to the bot, as far as a course looks into it; also what a fault was."""

    type: str
    id: int | None = None
    decision: Decision | None = None
    reason: Reason | None = None
    detail: str = ""
    strikes: int = 0


decode_message = msgspec.json.Decoder(Message).decode


class Transcript:
    """Hears every line. ``listener`` is called with each message just before it is written.

    ``unanswered`` are the questions of games before whose answers may still come: it takes them on.
    """

    def __init__(
        self, unanswered: set[int], listener: Callable[[Message], None] | None = None
    ) -> None:
        self.lines: list[Said] = []
        self.decisions: dict[int, Decision] = {}
        """What was asked, by the question's number."""
        self.faults: list[tuple[int, Message]] = []
        """The faults the bot was told of, each after its place among the lines."""
        self.unasked: list[int] = []
        """The places of answers to no question that was open or whose answer was still to come."""
        self.unanswered = unanswered
        self._listener = listener

    def hear(self, way: str, line: bytes) -> None:
        """Take a line."""
        line = line.rstrip()
        self.lines.append(Said(way, line))
        if way == FROM_BOT:
            self._take_answer(line)
            return
        if not line:
            return
        message = decode_message(line)
        if message.type == "hello":
            self.unanswered.clear()  # another process, another count
        if message.id is not None and message.decision is not None:
            self.decisions[message.id] = message.decision
            self.unanswered.add(message.id)
        if message.reason is not None:
            self.faults.append((len(self.lines) - 1, message))
        if self._listener is not None:
            self._listener(message)

    def _take_answer(self, line: bytes) -> None:
        answer = decode_json(line)
        if not isinstance(answer, dict) or not isinstance(answer.get("id"), int):
            return
        if answer["id"] in self.unanswered:
            self.unanswered.remove(answer["id"])
        else:
            self.unasked.append(len(self.lines) - 1)

    def last_sent(self, before: int) -> int:
        """Return the place of the last line to the bot before this place, 0 if there is none."""
        places = (place for place in range(before) if self.lines[place].way == TO_BOT)
        return max(places, default=0)

    def came(self, since: int, before: int | None = None) -> list[bytes]:
        """Return the bot's lines from one place on, up to another or all."""
        return [said.line for said in self.lines[since:before] if said.way == FROM_BOT]

    def before(self, place: int) -> str:
        """Name the last message to the bot before this place, if it needs no answer."""
        said = self.lines[self.last_sent(place)].line if place else b""
        kind = decode_message(said).type if said else ""
        return kind if kind in ("start", "fault") else ""

    def came_at_the_end(self) -> bool:
        """Whether the bot was silent from its first fault's question on, until nothing more came.

        After the last line to it its input was closed, and only then did it speak.
        """
        if not self.faults:
            return False
        first, _ = self.faults[0]
        last = self.last_sent(len(self.lines))
        return not self.came(self.last_sent(first), last) and bool(self.came(last))
