"""What led to a bot's faults: the question that it had been asked, worked out again.

A record has the events and the choices; the question is what the referee made of them, so the game
is played again up to it. Where that fails (a damaged record, a game that is not installed), the
fault stands without its question.
"""

from collections.abc import Sequence

import msgspec

from referee.cards import shuffle_of
from referee.games.game import Choice, RulesError, State, Told, find_game
from referee.protocol import Clock, Turn, encode, printable
from referee.record.lines import ChoiceLine, FaultLine, Header, NoteLine, encode_event
from referee.show.replay.player import Player
from referee.show.replay.recording import Recording

MOST_SHOWN = 6000
"""How many characters of a question are shown."""
_NOT_TO_BE_HAD = (RulesError, ValueError, KeyError, IndexError, TypeError)
"""How a game takes what a damaged record says."""


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """A fault, and what led to it. ``step`` is where the replay shows it.

    ``question`` is the line that the bot was sent, None for a bot that did not start.
    ``instead`` is what the referee chose, and ``remarks`` what the record notes beside the fault.
    """

    bot: str
    seat: int
    step: int
    reason: str
    detail: str
    strikes: int
    forfeit: bool
    question: str | None
    ms: float | None
    instead: str | None
    remarks: list[str]


def exchanges(recording: Recording) -> list[Exchange]:
    """Return the faults of a record in their order; nothing that stands in it raises."""
    steps = Player(recording).faults
    if not steps:
        return []
    asked = _questions(recording)
    return [
        _exchange(recording, step, fault, asked)
        for step in steps
        for fault in recording.lines_of(step)
        if isinstance(fault, FaultLine) and 0 <= fault.seat < len(recording.names)
    ]


def _exchange(
    recording: Recording, step: int, fault: FaultLine, asked: dict[tuple[int, int], str]
) -> Exchange:
    lines = recording.lines_of(step)
    choice = next(
        (
            line
            for line in lines[lines.index(fault) :]
            if isinstance(line, ChoiceLine) and (line.seat, line.id) == (fault.seat, fault.id)
        ),
        None,
    )
    return Exchange(
        bot=recording.names[fault.seat],
        seat=fault.seat,
        step=step,
        reason=fault.reason,
        detail=printable(fault.detail, 1000),
        strikes=fault.strikes,
        forfeit=fault.forfeit,
        question=asked.get((fault.seat, fault.id or 0)),
        ms=choice.ms if choice else None,
        instead=printable(msgspec.json.encode(choice.choose), 200) if choice else None,
        remarks=[
            printable(line.detail, 1000)
            for line in lines
            if isinstance(line, NoteLine) and line.seat == fault.seat
        ],
    )


def _questions(recording: Recording) -> dict[tuple[int, int], str]:
    """Return the questions that were answered with a fault, by seat and number."""
    header = recording.header
    assert header is not None  # noqa: S101 a seat that has a name has it from the header
    lines = [line for line in recording.lines if isinstance(line, ChoiceLine | FaultLine)]
    found: dict[tuple[int, int], str] = {}
    try:
        replayed = _Replayed(header)
        for line in lines:
            if isinstance(line, FaultLine):
                if line.id is not None:
                    found[line.seat, line.id] = replayed.question(line.seat, line.id)
            else:
                replayed.choose(line)
    except _NOT_TO_BE_HAD:
        pass  # what was found until here stands
    return found


class _Replayed:
    """A game that is played again from its record."""

    def __init__(self, header: Header) -> None:
        seats = len(header.seats)
        game = find_game(header.game)
        rules = game.rules(header.rules, seats)
        self.time = header.time
        self.state: State = game.start(seats, rules, shuffle_of(bytes.fromhex(header.seed)))
        self.untold: list[list[msgspec.Raw]] = [[] for _ in range(seats)]
        self.bank_ms = [header.time.bank_ms] * seats
        self.choices: dict[int, Choice] = {}
        self._tell(self.state.opening)

    def question(self, seat: int, number: int) -> str:
        """Return the line that a seat, which must decide now, was sent."""
        clock = Clock(self.time.move_ms, self.bank_ms[seat])
        decision = self.state.decisions[seat]
        turn = Turn(number, self.untold[seat], self.state.view(seat), decision, clock)
        return printable(encode(turn).removesuffix(b"\n"), MOST_SHOWN)

    def choose(self, line: ChoiceLine) -> None:
        """Take a choice; when all that count are there, the game goes on."""
        decision = self.state.decisions[line.seat]
        if decision.objection(line.choose):
            raise ValueError(line.choose)
        self.choices[line.seat] = Choice(line.choose, line.claim)
        if line.bank_ms is not None:
            self.bank_ms[line.seat] = line.bank_ms
        settled_by = self.state.settled_by
        is_settled = settled_by is not None and list(line.choose) == [settled_by]
        if is_settled or len(self.choices) == len(self.state.decisions):
            for seat, each in self.state.decisions.items():
                if not each.is_forced:  # it was asked, though the question may be withdrawn
                    self.untold[seat] = []
            choices, self.choices = self.choices, {}
            self._tell(self.state.apply(choices))

    def _tell(self, told: Sequence[Told]) -> None:
        for to, event in told:
            data = msgspec.Raw(encode_event(event))
            for seat in range(len(self.untold)) if to is None else to:
                self.untold[seat].append(data)
