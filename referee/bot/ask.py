"""Questions to bots: put them, wait for all of them at once, judge what comes back.

Lines are judged in the order in which they came, and a question has one fault: its first cause
(PROTOCOL.md, section 3).
"""

import math
import os
import select
from collections.abc import Callable, Collection

import msgspec

from referee.bot.meter import RESOLUTION_S, Meter
from referee.bot.stream import Stream
from referee.bot.watchdog import Watchdog
from referee.bot.wire import READ_BYTES, Wire
from referee.protocol import (
    MAX_LINE_BYTES,
    Answer,
    Clock,
    MalformedError,
    Reason,
    decode_answer,
    printable,
)

MAX_PASSED_LINES = 1_000
MAX_PASSED_BYTES = 1024 * 1024


class Verdict(msgspec.Struct, frozen=True):
    """What a bot did wrong: the reason, and one sentence with what came instead."""

    reason: Reason
    detail: str


class Question:
    """What a bot was asked last: a message out, an answer or a fault back.

    There is one of these for each bot, put again and again. ``meter`` is told when it is put, and
    when it is settled or withdrawn; ``aside`` is the bot's standard error. What is public is of the
    last question once that is settled, but for ``began`` and ``time``, which the short way leaves.
    """

    __slots__ = (
        "_aside",
        "_its_answer",
        "_meter",
        "_quick_until",
        "answer",
        "began",
        "elapsed_ms",
        "ended",
        "incoming",
        "is_behind",
        "is_settled",
        "is_written",
        "late",
        "number",
        "passed_bytes",
        "passed_lines",
        "time",
        "verdict",
        "watchdog",
        "wire",
        "words",
    )

    def __init__(
        self,
        wire: Wire,
        watchdog: Watchdog,
        aside: Stream | None = None,
        meter: Meter | None = None,
    ) -> None:
        self.wire = wire
        self.watchdog = watchdog
        self._aside = aside
        self.words = bytearray() if aside is None else aside.fresh
        """What the bot said on its standard error since this was last cleared, or 1 KiB of it."""
        self._meter = meter
        self._quick_until = -math.inf
        """Until when the next question's begin is of no interest to the meter."""
        self.number = 0
        self.time = Clock(0, 0)
        self.is_behind = False
        """Whether the bot owes the answer to the question before, which timed out or was withdrawn:
        this one's clock starts when that answer comes, or after ``move_ms``."""
        self.is_written = False
        """Whether the bot has all of it, or can no longer get it."""
        self.is_settled = True
        """Whether the answer or the verdict is there."""
        self.answer: Answer | None = None
        self.verdict: Verdict | None = None
        self.late = 0
        """How many answers to earlier questions came, in all."""
        self.began = 0.0
        """When its clock started, by the watchdog's clock; it may be to come."""
        self.ended = 0.0
        """When what its pipe held last came, or its time was over, by the watchdog's clock."""
        self.elapsed_ms = 0.0
        """How long the bot took, from the question written to the answer read, once it is
        settled."""
        self.passed_lines = 0
        self.passed_bytes = 0
        self.incoming = select.poll()
        """What is waited for in the kernel: its answer, its standard error, the next tick."""
        self.incoming.register(wire.from_bot, select.POLLIN)
        self.incoming.register(watchdog.tick.fd, select.POLLIN)
        if aside is not None:
            self.incoming.register(aside.fd, select.POLLIN)
        self._its_answer = [(wire.from_bot, select.POLLIN)]
        """What ``incoming`` finds where nothing came but its answer."""

    @property
    def deadline(self) -> float:
        """When the time for the answer is over, by the watchdog's clock."""
        return self.began + (self.time.move_ms + self.time.bank_ms) / 1000

    def put(self, message: bytes, time: Clock) -> None:
        """Write the next question, whose ``number`` is set; judge what is known of its answer."""
        self._put(message, time, self.watchdog.now())

    def _put(self, message: bytes, time: Clock, now: float) -> None:
        self.time = time
        self._start_clock(now)
        self.is_settled = False
        self.answer = self.verdict = None
        self.passed_lines = self.passed_bytes = 0
        if self._meter is not None:
            self._meter.begin(now, paused_s=now - self.ended)
        self.is_written = self.wire.write(message)
        if self.wire.lines or self.wire.closed_in:
            self.look(self.watchdog.looked, self.watchdog.looked)

    def exchange(self, message: bytes, time: Clock) -> bool:
        """Put the next question, to this bot alone, and wait where that costs least.

        False: ``ask`` must wait on. What nearly always happens is written out here, since most of
        what a question costs is the Python between one write and the next: the bot was asked just
        before, the pipe takes all of it at once, and one line answers. Else it goes on as ``put``.
        """
        wire, watchdog = self.wire, self.watchdog
        began = watchdog.now()
        sent = 0
        if began < self._quick_until and began < watchdog.alone_until and wire.is_clear:
            try:
                sent = os.write(wire.to_bot, message)
            except OSError:
                sent = 0  # it will be met again
            if sent == len(message) and self.incoming.poll() == self._its_answer:
                try:
                    data = os.read(wire.from_bot, READ_BYTES)
                except OSError:
                    data = b""  # taken back: a bot may open its own pipe for reading
                ended = watchdog.now()
                answer = _lone_answer(data, self.number)
                if answer is not None:
                    self.answer, self.verdict, self.ended = answer, None, ended
                    elapsed_s = ended - began
                    self.elapsed_ms = elapsed_s * 1000
                    self._quick_until = ended + RESOLUTION_S
                    if self._meter is not None:
                        self._meter.took(elapsed_s, ended)
                    return ended < watchdog.turn_ends
                wire.take_in(data)
        self._put(message[sent:], time, began)
        return self._is_answered_soon()

    def _is_answered_soon(self) -> bool:
        watchdog = self.watchdog
        has_heard = False
        while not self.is_settled:
            if not (self.is_written and (came := watchdog.soon(self.incoming))):
                return False
            for fd, _ in came:  # the answer first
                if fd == self.wire.from_bot:
                    self.look(watchdog.came, watchdog.looked)
                elif has_heard:  # a flood is for ``Stream.drain``
                    return False
                elif self._aside is not None:
                    has_heard = True
                    if not self._aside.read():
                        self.incoming.unregister(fd)
        return watchdog.looked < watchdog.turn_ends

    def _start_clock(self, now: float) -> None:
        self.began = now + self.time.move_ms / 1000 if self.is_behind else now

    def withdraw(self, now: float) -> None:
        """Wait for the answer no longer; the bot owes it."""
        self.ended = now
        self.is_behind = True
        self._end(now)

    def _end(self, now: float) -> None:
        if self._meter is not None:
            self._meter.end(now)
        is_stopped = self._meter is not None and self._meter.stops
        self._quick_until = -math.inf if is_stopped or self.is_behind else now + RESOLUTION_S

    def look(self, came: float, now: float) -> None:
        """Write what is still to be written, read what has come until ``now``, and judge it.

        ``came`` is when it came.
        """
        wire = self.wire
        if not self.is_written:
            self._write_on(now)
        self.ended = came
        line = wire.read()
        while line is not None and not self._is_settled_by(line):
            line = wire.next_line()
        if line is None:
            self._judge_stream(wire, now)
        if self.is_settled:
            self.elapsed_ms = max(0.0, self.ended - self.began) * 1000
            self._end(now)

    def look_aside(self) -> None:
        """Read what lies on the bot's standard error: it was said before the answer, or with it."""
        if self._aside is not None:
            self._aside.look()

    def _write_on(self, now: float) -> None:
        self.is_written = self.wire.flush()
        if self.is_written:
            self._start_clock(now)

    def _judge_stream(self, wire: Wire, now: float) -> None:
        """Judge what is no line, once all lines are; at last, whether the time is up."""
        if len(wire.unfinished) > MAX_LINE_BYTES or wire.skipped_bytes > MAX_PASSED_BYTES:
            self._oversize(wire.unfinished)
            wire.skip_line()
        elif wire.closed_out or wire.closed_in:
            stream = "output" if wire.closed_out else "input"
            cut = wire.unfinished
            ending = f" after an unfinished line: {printable(cut)}" if cut else ""
            self._rule(Reason.CRASH, f"the bot closed its standard {stream}{ending}")
        elif now >= self.deadline:
            self.ended = now
            self._time_out()

    def _time_out(self) -> None:
        waited = f"no answer within {self.time.move_ms + self.time.bank_ms} ms"
        cut = self.wire.unfinished
        detail = f"{waited}; what came of a line: {printable(cut)}" if cut else waited
        if not self.is_written:
            detail = f"{waited}: the bot does not read its standard input"
        self._rule(Reason.TIMEOUT, detail)

    def _is_settled_by(self, line: bytes) -> bool:
        """Judge a line."""
        if len(line) > MAX_LINE_BYTES:
            self._oversize(line)
            return True
        try:
            answer = decode_answer(line)
        except MalformedError as error:
            if line.strip():
                expected = f"{error}; standard output belongs to the protocol"
                self._rule(Reason.MALFORMED, f"{expected}, this came: {printable(line)}")
            else:
                self._pass_over(line)
            return self.is_settled
        if answer.id == self.number:
            self.answer = answer
            self.is_settled = True
            self.is_behind = False
        elif answer.id > self.number:
            self._rule(
                Reason.MALFORMED,
                f"id {answer.id} has not been asked yet, {self.number} is open: {printable(line)}",
            )
        else:
            self.late += 1
            if self.is_behind and answer.id == self.number - 1:
                self.is_behind = False
                written = self.began - self.time.move_ms / 1000
                self.began = min(max(written, self.ended), self.began)
            self._pass_over(line)
        return self.is_settled

    def _rule(self, reason: Reason, detail: str) -> None:
        self.verdict = Verdict(reason, detail)
        self.is_settled = True
        self.is_behind = reason is Reason.TIMEOUT

    def _pass_over(self, line: bytes) -> None:
        self.passed_lines += 1
        self.passed_bytes += len(line) + 1
        if self.passed_lines > MAX_PASSED_LINES or self.passed_bytes > MAX_PASSED_BYTES:
            self._rule(
                Reason.OVERSIZE,
                f"{self.passed_lines} lines ({self.passed_bytes} bytes) that answer nothing, "
                f"the last: {printable(line)}",
            )

    def _oversize(self, line: bytes) -> None:
        self._rule(
            Reason.OVERSIZE, f"a line of more than {MAX_LINE_BYTES} bytes: {printable(line)}"
        )


def _lone_answer(data: bytes, number: int) -> Answer | None:
    """Return the answer to this question where it is all that came; None for anything else."""
    if data.find(b"\n") != len(data) - 1:
        return None
    try:
        answer = decode_answer(data)
    except MalformedError:
        return None
    return answer if answer.id == number else None


async def ask(
    questions: Collection[Question],
    watchdog: Watchdog,
    settles: Callable[[Answer], bool] | None = None,
) -> None:
    """Wait until every question has its answer or its verdict.

    The questions have been put. ``settles`` names the answers after which the others are no
    longer waited for; those stay unsettled, and their answers are owed. No task and no cancel scope
    is made; and it is a checkpoint only where something must be waited for, or others must have
    their turn.
    """
    waiting = [question for question in questions if not question.is_settled]
    if len(questions) == 1 and waiting and waiting[0].is_written:
        (question,) = waiting
        while not question.is_settled:
            await watchdog.readable(question.wire.from_bot, question.deadline)
            question.look(watchdog.came, watchdog.looked)
    else:
        await _wait_for_many(waiting, questions, watchdog, settles)
    for question in questions:
        question.look_aside()
    if watchdog.now() >= watchdog.turn_ends:
        await watchdog.share()


async def _wait_for_many(
    waiting: list[Question],
    questions: Collection[Question],
    watchdog: Watchdog,
    settles: Callable[[Answer], bool] | None,
) -> None:
    def are_settled() -> bool:
        return settles is not None and any(q.answer and settles(q.answer) for q in questions)

    while waiting and not are_settled():
        events = _events_of(waiting)
        any_of_them = select.poll()
        any_of_them.register(watchdog.tick.fd, select.POLLIN)
        for fd, event in events.items():
            any_of_them.register(fd, event)
        came = watchdog.soon(any_of_them)
        if not came:
            with select.epoll() as epoll:
                for fd, event in events.items():
                    epoll.register(fd, event)
                await watchdog.readable(epoll.fileno(), min(each.deadline for each in waiting))
            came = any_of_them.poll(0)
        ready = {fd for fd, _ in came}
        for question in waiting:
            wire = question.wire
            if not ready.isdisjoint((wire.from_bot, wire.to_bot)) or (
                watchdog.looked >= question.deadline
            ):
                question.look(watchdog.came, watchdog.looked)
        waiting = [question for question in waiting if not question.is_settled]
    for question in waiting:
        question.withdraw(watchdog.now())


def _events_of(questions: list[Question]) -> dict[int, int]:
    """Return what is waited for at which descriptor: answers, and room for the rest of a question.

    The numbers of these events are the same for ``poll`` and ``epoll``.
    """
    events = {question.wire.from_bot: select.POLLIN for question in questions}
    events.update((q.wire.to_bot, select.POLLOUT) for q in questions if not q.is_written)
    return events
