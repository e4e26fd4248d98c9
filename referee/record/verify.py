"""Checking a record with nothing but itself.

The deal is dealt again from its seed, every choice is checked against the rules and applied, and
every event and the result are recomputed (PROTOCOL.md, section 5). A record written by others may
have its keys in another order, white space between them and keys of its own; what a record says
is compared, and its hash is of the bytes that stand there.

What cannot be recomputed is taken as it stands: names, versions, times, notes, a fault's reason.
"""

import hashlib
from collections.abc import Sequence
from typing import NoReturn

import msgspec

from referee.cards import shuffle_of
from referee.games.game import Choice, Decision, Game, RulesError, State, Told, find_game
from referee.protocol import Reason, printable
from referee.record.lines import (
    FORMAT,
    ChoiceLine,
    EncodedEventLine,
    FaultLine,
    Header,
    Line,
    NoteLine,
    ResultLine,
    decode,
    encode,
    encode_event,
    final_ranks,
)


class Problem(msgspec.Struct, frozen=True):
    """The first line of a record, counted from 1, that does not hold, and why not."""

    line: int
    detail: str


class _Wrong(Exception):  # noqa: N818 what is wrong with the record, not with us
    pass


def verify_record(lines: Sequence[bytes]) -> Problem | None:
    """Return the first thing in a record that does not hold; None where everything does.

    The lines are those of one record, without their ends. Nothing that stands in them raises.
    """
    verifier = _Verifier(lines)
    try:
        verifier.verify()
    except _Wrong as wrong:
        return Problem(verifier.number, printable(str(wrong), MOST_SAID))
    return None


MOST_SAID = 500
"""How many characters of what does not hold are said."""


class _Dated(msgspec.Struct):
    """The part of a header that says how to read the rest."""

    format: int


_decode_dated = msgspec.json.Decoder(_Dated).decode
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class _Verifier:
    """Reads a record line by line beside a game that is played again."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        self.lines = lines
        self.number = 0
        """The line that is being looked at, from 1."""
        self.decisions = 0
        self.step = 0
        self.strikes: dict[int, int] = {}
        self.forfeits: dict[int, int] = {}
        self.asked: dict[int, int] = {}
        self.bank_ms: dict[int, int] = {}

    def verify(self) -> None:
        self.header = self._header()
        self.game, state = self._start(self.header)
        self._startup_faults()
        self._events(state.opening)
        while state.decisions:
            self.step += 1
            self._events(state.apply(self._choices(state)))
        self._result(state)

    def _wrong(self, detail: str) -> NoReturn:
        raise _Wrong(detail)

    def _next_bytes(self, wanted: str) -> bytes:
        self.number += 1
        if self.number > len(self.lines):
            self._wrong(f"the record ends where {wanted} should stand")
        return self.lines[self.number - 1]

    def _next(self, wanted: str) -> Line:
        """Go to the next line that is no note, and return it."""
        return self._past_notes(self._decode(self._next_bytes(wanted)), wanted)

    def _past_notes(self, line: Line, wanted: str) -> Line:
        while isinstance(line, NoteLine):
            self._check_seat(line.seat)
            line = self._decode(self._next_bytes(wanted))
        return line

    def _decode(self, data: bytes) -> Line:
        try:
            return decode(data)
        except _UNREADABLE as error:
            self._wrong(f"not a line of a record: {error}")

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < len(self.header.seats):
            self._wrong(f"there is no seat {seat}")

    def _header(self) -> Header:
        data = self._next_bytes("the header")
        try:
            found = _decode_dated(data).format
        except _UNREADABLE:
            found = FORMAT  # whatever is wrong is said below
        if found != FORMAT:
            age = "newer" if found > FORMAT else "older"
            self._wrong(f"format {found} is {age} than format {FORMAT}, which this referee reads")
        line = self._decode(data)
        if not isinstance(line, Header):
            self._wrong("a record begins with its header, type game")
        if line.strikes < 1:
            self._wrong(f"strikes is at least 1, not {line.strikes}")
        return line

    def _start(self, header: Header) -> tuple[Game, State]:
        seats = len(header.seats)
        try:
            game = find_game(header.game)
            rules = game.rules(header.rules, seats)
        except RulesError as error:
            self._wrong(str(error))
        if msgspec.to_builtins(rules) != header.rules:
            self._wrong("the rules do not name every option with its value")
        try:
            seed = bytes.fromhex(header.seed)
        except ValueError:
            seed = b""
        if len(seed) != 32 or header.seed != seed.hex():
            self._wrong(f"a deal seed is 64 lower-case hex digits, not {header.seed!r}")
        return game, game.start(seats, rules, shuffle_of(seed))

    def _events(self, told: Sequence[Told]) -> None:
        """Check that the next lines are these events."""
        for to, event in told:
            wanted = encode(EncodedEventLine(to, msgspec.Raw(encode_event(event))))
            found = self._next_bytes("an event")
            if found == wanted:
                continue  # nearly always: nothing is decoded
            line = self._past_notes(self._decode(found), "an event")
            if not _says_the_same(line, decode(wanted)):
                self._wrong(f"should be {wanted.decode()}")

    def _startup_faults(self) -> None:
        """Check the faults before the first event: bots that could not be started."""
        while isinstance(line := self._coming(), FaultLine | NoteLine):
            self.number += 1
            self._check_seat(line.seat)
            if isinstance(line, FaultLine):
                if line.reason is not Reason.STARTUP or line.id is not None:
                    self._wrong("before the first decision a fault is startup and has no id")
                self._strike(line)

    def _coming(self) -> Line | None:
        """Return the next line, without going there, if it can be read."""
        try:
            return decode(self.lines[self.number])
        except (IndexError, *_UNREADABLE):
            return None

    def _strike(self, fault: FaultLine) -> None:
        seat = fault.seat
        if seat in self.forfeits:
            self._wrong(f"seat {seat} has forfeited already")
        strikes = self.strikes[seat] = self.strikes.get(seat, 0) + 1
        if fault.strikes != strikes:
            self._wrong(f"seat {seat} has {strikes} strikes, not {fault.strikes}")
        forfeit = fault.reason.ends_the_game or strikes >= self.header.strikes
        if fault.forfeit != forfeit:
            self._wrong(f"forfeit should be {str(forfeit).lower()}")
        if forfeit:
            self.forfeits[seat] = self.step

    def _choices(self, state: State) -> dict[int, Choice]:
        """Read the choices of the seats that must decide.

        They stand in the state's order; where one choice settles the decision, in the order of
        the record and no further than that choice.
        """
        choices: dict[int, Choice] = {}
        left = dict(state.decisions)
        while left:
            first = next(iter(left))
            line = self._next(f"a choice of seat {first}")
            if not isinstance(line, ChoiceLine | FaultLine):
                self._wrong(f"should be a choice of seat {first}")
            if line.seat not in left or (state.settled_by is None and line.seat != first):
                self._wrong(f"seat {first} is to choose here, not seat {line.seat}")
            seat, decision = line.seat, left.pop(line.seat)
            fault = None
            if isinstance(line, FaultLine):
                fault = line
                self._check_fault(fault, decision)
                line = self._next(f"the referee's choice for seat {seat}")
            if not isinstance(line, ChoiceLine) or line.seat != seat:
                self._wrong(f"should be a choice of seat {seat}")
            self._check_choice(line, decision, fault)
            choices[seat] = Choice(line.choose, line.claim)
            self.decisions += 1
            if state.settled_by is not None and line.choose == [state.settled_by]:
                break
        return choices

    def _check_fault(self, fault: FaultLine, decision: Decision) -> None:
        if decision.is_forced:
            self._wrong(f"seat {fault.seat} is not asked here: it has no choice")
        if fault.id is None or fault.reason is Reason.STARTUP:
            self._wrong("a fault of an answer has the question's id, and is not startup")
        self._strike(fault)

    def _check_choice(self, line: ChoiceLine, decision: Decision, fault: FaultLine | None) -> None:
        if line.kind != decision.kind:
            self._wrong(f"seat {line.seat} must {decision.kind}, not {line.kind}")
        if objection := decision.objection(line.choose):
            self._wrong(objection)
        by = self._maker(decision, line.seat, fault)
        if line.by != by:
            self._wrong(f"this choice is made by {by}, not by {line.by}")
        if by == "bot":
            self._check_claim(line)
        elif list(line.choose) != decision.default:
            self._wrong(f"the referee's choice would be {decision.default}")
        elif line.claim is not None or line.note is not None:
            self._wrong("only a bot's own choice has a claim or a note")
        if by == "bot" or fault is not None:
            self._check_question(line, fault)
        elif line.id is not None or line.bank_ms is not None or line.ms != 0:
            self._wrong(f"seat {line.seat} is not asked here: no id, no bank_ms, and 0 ms")

    def _maker(self, decision: Decision, seat: int, fault: FaultLine | None) -> str:
        """Return who chooses for a seat."""
        if fault is not None:
            return "referee"
        if decision.is_forced:
            return "forced"
        return "referee" if seat in self.forfeits else "bot"

    def _check_claim(self, line: ChoiceLine) -> None:
        if line.claim is not None and line.claim not in self.game.claims.get(line.kind, ()):
            self._wrong(f"{line.claim!r} cannot be claimed here")

    def _check_question(self, line: ChoiceLine, fault: FaultLine | None) -> None:
        """Check the number and the times of a choice that a bot was asked for."""
        seat = line.seat
        if line.id is None or line.bank_ms is None or line.ms < 0:
            self._wrong("a choice that was asked for has an id, a bank_ms and the ms it took")
        if fault is not None and line.id != fault.id:
            self._wrong(f"the fault was in question {fault.id}, not {line.id}")
        if line.id <= self.asked.get(seat, 0):
            self._wrong(f"seat {seat} has been asked question {self.asked.get(seat, 0)} already")
        self.asked[seat] = line.id
        most = self.bank_ms.get(seat, self.header.time.bank_ms)
        if fault is not None and fault.reason is Reason.TIMEOUT:
            most = 0
        if not 0 <= line.bank_ms <= most:
            self._wrong(f"seat {seat} has a bank of at most {most} ms, not {line.bank_ms}")
        self.bank_ms[seat] = line.bank_ms

    def _result(self, state: State) -> None:
        outcome = state.outcome
        line = self._next("the result")
        if not isinstance(line, ResultLine) or outcome is None:
            self._wrong("should be the result: the game is over")
        before = b"".join(data + b"\n" for data in self.lines[: self.number - 1])
        right = ResultLine(
            scores=outcome.scores,
            ranks=final_ranks(outcome.ranks, self.forfeits),
            forfeited=sorted(self.forfeits),
            decisions=self.decisions,
            sha256=hashlib.sha256(before).hexdigest(),
            capped=outcome.capped,
        )
        if line != right:
            self._wrong(f"should be {encode(right).decode()}")
        if self.number < len(self.lines):
            self.number += 1
            self._wrong("a record ends with its result")


_encode_sorted = msgspec.json.Encoder(order="deterministic").encode


def _says_the_same(line: Line, other: Line) -> bool:
    """Whether two lines are the same JSON values, in whatever order; 1, 1.0 and true differ."""
    return _encode_sorted(line) == _encode_sorted(other)
