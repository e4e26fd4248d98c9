"""Checking a record with nothing but itself.

The deal is dealt again from its seed, every choice is checked against the rules and applied, and
every event and the result are recomputed (PROTOCOL.md, section 5).
"""

import hashlib
from collections.abc import Iterator, Sequence
from typing import NoReturn

import msgspec

from referee.cards import shuffle_of
from referee.games.game import Choice, Decision, Game, RulesError, State, Told, find_game
from referee.protocol import Reason
from referee.record.lines import (
    FORMAT,
    ChoiceLine,
    EventLine,
    FaultLine,
    Header,
    Line,
    NoteLine,
    ResultLine,
    decode,
    encode,
    encode_event,
    encode_event_line,
    final_ranks,
)


class Problem(msgspec.Struct, frozen=True):
    """The first line of a record, counted from 1, that does not hold, and why not."""

    line: int
    detail: str


class _Wrong(Exception):  # noqa: N818 what is wrong with the record, not with us
    pass


def verify_record(lines: Sequence[bytes]) -> Problem | None:
    """Return the first thing in a record that does not hold; None where everything does."""
    verifier = _Verifier(lines)
    try:
        verifier.verify()
    except _Wrong as wrong:
        return Problem(verifier.number, str(wrong))
    return None


def _try_decode(data: bytes) -> Line | None:
    try:
        return decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


class _Verifier:
    """Reads a record line by line beside a game that is played again."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        self.lines = lines
        self.number = 0
        """The line that is being looked at, from 1."""
        self.hash = hashlib.sha256()
        self.decisions = 0
        self.step = 0
        self.strikes: dict[int, int] = {}
        self.forfeits: dict[int, int] = {}
        self.asked: dict[int, int] = {}

    def verify(self) -> None:
        header = self._header()
        game, state = self._start(header)
        self.limit = header.strikes
        self._startup_faults()
        self._events(state.opening)
        while state.decisions:
            self.step += 1
            self._events(state.apply(self._choices(game, state)))
        self._result(state)

    def _wrong(self, detail: str) -> NoReturn:
        raise _Wrong(detail)

    def _next(self, wanted: str) -> Line:
        """Return the next line that is no note."""
        while True:
            line = self._decode(self._next_bytes(wanted))
            if not isinstance(line, NoteLine):
                return line

    def _next_bytes(self, wanted: str) -> bytes:
        self.number += 1
        if self.number > len(self.lines):
            self._wrong(f"the record ends where {wanted} should stand")
        if self.number > 1:
            self.hash.update(self.lines[self.number - 2] + b"\n")
        return self.lines[self.number - 1]

    def _decode(self, data: bytes) -> Line:
        try:
            return decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self._wrong(f"not a line of a record: {error}")

    def _header(self) -> Header:
        header = self._next("the header")
        if not isinstance(header, Header):
            self._wrong("a record begins with its header, type game")
        if header.format != FORMAT:
            self._wrong(f"format {header.format}; this referee reads {FORMAT}")
        return header

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
            wanted = encode_event_line(to, encode_event(event))
            found = self._next_bytes("an event")
            while found != wanted:
                line = self._decode(found)
                if isinstance(line, NoteLine):
                    found = self._next_bytes("an event")
                elif isinstance(line, EventLine) and line == decode(wanted):
                    break
                else:
                    self._wrong(f"should be {wanted.decode()}")

    def _startup_faults(self) -> None:
        """Check the faults before the first event: bots that could not be started."""
        while self.number < len(self.lines):
            if not isinstance(_try_decode(self.lines[self.number]), FaultLine | NoteLine):
                return
            line = self._decode(self._next_bytes("an event"))
            if isinstance(line, FaultLine):
                if line.reason is not Reason.STARTUP:
                    self._wrong(f"before the first decision a fault is startup, not {line.reason}")
                self._strike(line)

    def _strike(self, fault: FaultLine) -> None:
        seat = fault.seat
        strikes = self.strikes.get(seat, 0) + 1
        self.strikes[seat] = strikes
        if seat in self.forfeits:
            self._wrong(f"seat {seat} has forfeited already")
        if fault.strikes != strikes:
            self._wrong(f"seat {seat} has {strikes} strikes, not {fault.strikes}")
        forfeit = fault.reason.ends_the_game or strikes >= self.limit
        if fault.forfeit != forfeit:
            self._wrong(f"forfeit should be {str(forfeit).lower()}")
        if forfeit:
            self.forfeits[seat] = self.step

    def _choices(self, game: Game, state: State) -> dict[int, Choice]:
        """Read the choices of the seats that must decide, in their order."""
        choices: dict[int, Choice] = {}
        settled_by = state.settled_by
        for seat in self._order(state):
            decision = state.decisions[seat]
            line = self._next(f"a choice of seat {seat}")
            struck = False
            if isinstance(line, FaultLine):
                if line.seat != seat:
                    self._wrong(f"seat {seat} must decide, not {line.seat}")
                self._strike(line)
                struck = True
                line = self._next(f"the referee's choice for seat {seat}")
            if not isinstance(line, ChoiceLine):
                self._wrong(f"should be a choice of seat {seat}")
            self._check(game, decision, line, seat, struck=struck)
            choices[seat] = Choice(line.choose, line.claim)
            self.decisions += 1
            if settled_by is not None and line.choose == [settled_by]:
                break
        return choices

    def _order(self, state: State) -> Iterator[int]:
        """Go through the seats that must decide; in a race in the order of the record."""
        if state.settled_by is None:
            yield from state.decisions
            return
        left = set(state.decisions)
        while left:
            seat = self._seat_to_come()
            if seat not in left:
                self._next_bytes("a choice")
                self._wrong("should be a choice of a seat that has not answered yet")
            left.remove(seat)
            yield seat

    def _seat_to_come(self) -> int | None:
        """Return the seat of the choice or fault that comes next, without going to it."""
        for data in self.lines[self.number :]:
            line = _try_decode(data)
            if isinstance(line, ChoiceLine | FaultLine):
                return line.seat
            if not isinstance(line, NoteLine):
                break
        return None

    def _check(
        self, game: Game, decision: Decision, line: ChoiceLine, seat: int, *, struck: bool
    ) -> None:
        if line.seat != seat or line.kind != decision.kind:
            self._wrong(f"should be a {decision.kind} of seat {seat}")
        if objection := decision.objection(line.choose):
            self._wrong(objection)
        by = self._by(decision, seat, struck=struck)
        if line.by != by:
            self._wrong(f"this choice is made by {by}, not by {line.by}")
        if by != "bot" and (list(line.choose) != decision.default or line.claim is not None):
            self._wrong(f"the referee's choice would be {decision.default}")
        if line.claim is not None and line.claim not in game.claims.get(decision.kind, ()):
            self._wrong(f"{line.claim!r} cannot be claimed here")
        if (line.id is not None) != (by == "bot" or struck):
            self._wrong("an id stands where a seat was asked, and only there")
        if line.id is not None:
            if line.id <= self.asked.get(seat, 0):
                self._wrong(f"seat {seat} has been asked question {line.id} before")
            self.asked[seat] = line.id

    def _by(self, decision: Decision, seat: int, *, struck: bool) -> str:
        if decision.is_forced and not struck:
            return "forced"
        return "referee" if struck or seat in self.forfeits else "bot"

    def _result(self, state: State) -> None:
        outcome = state.outcome
        line = self._next("the result")
        if not isinstance(line, ResultLine) or outcome is None:
            self._wrong("should be the result: the game is over")
        right = ResultLine(
            scores=outcome.scores,
            ranks=final_ranks(outcome.ranks, self.forfeits),
            forfeited=sorted(self.forfeits),
            decisions=self.decisions,
            sha256=self.hash.hexdigest(),
            capped=outcome.capped,
        )
        if line != right:
            self._wrong(f"should be {encode(right).decode()}")
        if self.number < len(self.lines):
            self.number += 1
            self._wrong("a record ends with its result")
