"""Questions to bots: put them, wait for all of them at once, judge what comes back.

Lines are judged in the order in which they came, and a question has one fault: its first cause
(PROTOCOL.md, section 3).
"""

import select
from collections.abc import Callable, Collection

import msgspec

from referee.bot.meter import Meter
from referee.bot.watchdog import Watchdog
from referee.bot.wire import Wire
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


class Question(msgspec.Struct, eq=False, gc=False):
    """One question to one bot: a message out, an answer or a fault back.

    ``is_behind``: the bot still owes the answer to a question that timed out, so this one's clock
    starts when that answer comes, or after ``move_ms``. ``meter`` is told when the question is
    put, and when it is settled or withdrawn.
    """

    wire: Wire
    number: int
    message: bytes
    time: Clock
    meter: Meter | None = None
    is_behind: bool = False
    is_written: bool = False
    """Whether the bot has all of it, or can no longer get it."""
    is_settled: bool = False
    """Whether the answer or the verdict is there."""
    answer: Answer | None = None
    verdict: Verdict | None = None
    late: int = 0
    """How many answers to earlier questions came."""
    began: float = 0.0
    """When its clock started, by the watchdog's clock; it may be to come."""
    ended: float = 0.0
    """When what its pipe held last came, by the watchdog's clock."""
    elapsed_ms: float = 0.0
    """How long the bot took, from the question written to the answer read, once it is settled."""
    passed_lines: int = 0
    passed_bytes: int = 0

    @property
    def deadline(self) -> float:
        """When the time for the answer is over, by the watchdog's clock."""
        return self.began + (self.time.move_ms + self.time.bank_ms) / 1000

    def put(self, now: float) -> None:
        """Write the question, and judge what is known already of its answer."""
        if self.meter is not None:
            self.meter.begin(now)
        wire = self.wire
        self.is_written = wire.write(self.message)
        self._start_clock(now)
        if wire.lines or wire.closed_in:
            self.look(now, now)

    def _start_clock(self, now: float) -> None:
        self.began = now
        if self.is_behind:
            self.began += self.time.move_ms / 1000

    def withdraw(self, now: float) -> None:
        """Wait for the answer no longer."""
        if self.meter is not None:
            self.meter.end(now)

    def look(self, came: float, now: float) -> None:
        """Write what is still to be written, read what has come until ``now``, and judge it.

        ``came`` is when it came.
        """
        wire = self.wire
        if not self.is_written:
            self._write_on(now)
        self.ended = came
        line = wire.read()
        while line is not None:
            self._judge(line)
            if self.is_settled:
                break
            line = wire.next_line()
        else:
            self._judge_stream(wire, now)
        if self.is_settled:
            self.elapsed_ms = max(0.0, self.ended - self.began) * 1000
            if self.meter is not None:
                self.meter.end(now)

    def _write_on(self, now: float) -> None:
        self.wire.flush()
        self.is_written = self.wire.is_flushed
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
        if not self.wire.is_flushed:
            detail = f"{waited}: the bot does not read its standard input"
        self._rule(Reason.TIMEOUT, detail)

    def _judge(self, line: bytes) -> None:
        if len(line) > MAX_LINE_BYTES:
            self._oversize(line)
            return
        try:
            answer = decode_answer(line)
        except MalformedError as error:
            if not line.strip():
                self._pass_over(line)
                return
            self._rule(
                Reason.MALFORMED,
                f"{error}; standard output belongs to the protocol, this came: {printable(line)}",
            )
            return
        if answer.id == self.number:
            self.answer = answer
            self.is_settled = True
        elif answer.id > self.number:
            self._rule(
                Reason.MALFORMED,
                f"id {answer.id} has not been asked yet, {self.number} is open: {printable(line)}",
            )
        else:
            self.late += 1
            if self.is_behind and answer.id == self.number - 1:
                self.is_behind = False
                self.began = min(self.ended, self.began)
            self._pass_over(line)

    def _rule(self, reason: Reason, detail: str) -> None:
        self.verdict = Verdict(reason, detail)
        self.is_settled = True

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


def is_answered_soon(questions: Collection[Question], watchdog: Watchdog) -> bool:
    """Wait for the answer to a lone question where that costs least; False: ``ask`` must wait."""
    if len(questions) > 1:
        return False
    (question,) = questions
    while not question.is_settled:
        if not (question.is_written and watchdog.is_soon(question.wire.incoming)):
            return False
        question.look(watchdog.came, watchdog.looked)
    return watchdog.looked < watchdog.turn_ends


async def ask(
    questions: Collection[Question],
    watchdog: Watchdog,
    settles: Callable[[Answer], bool] | None = None,
) -> None:
    """Wait until every question has its answer or its verdict.

    The questions have been put. ``settles`` names the answers after which the others are no
    longer waited for; those stay unsettled. No task and no cancel scope is made; and it is a
    checkpoint only where something must be waited for, or others must have their turn.
    """
    waiting = [question for question in questions if not question.is_settled]
    if len(questions) == 1 and waiting and waiting[0].is_written:
        (question,) = waiting
        while not question.is_settled:
            await watchdog.readable(question.wire.from_bot, question.deadline)
            question.look(watchdog.came, watchdog.looked)
    else:
        await _wait_for_many(waiting, questions, watchdog, settles)
    if watchdog.looked >= watchdog.turn_ends:
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
        for fd, event in events.items():
            any_of_them.register(fd, event)
        if not watchdog.is_soon(any_of_them):
            with select.epoll() as epoll:
                for fd, event in events.items():
                    epoll.register(fd, event)
                await watchdog.readable(epoll.fileno(), min(each.deadline for each in waiting))
        ready = {fd for fd, _ in any_of_them.poll(0)}
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
