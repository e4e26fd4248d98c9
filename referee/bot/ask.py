"""Questions to bots: put them, wait for all of them at once, judge what comes back.

Lines are judged in the order in which they came, and a question has one fault: its first cause
(PROTOCOL.md, section 3).
"""

import select
from collections.abc import Callable, Sequence

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


class Question:
    """One question to one bot: a message out, an answer or a fault back.

    ``behind``: the bot still owes the answer to a question that timed out, so this one's clock
    starts when that answer comes, or after ``move_ms``. ``meter`` is told when the question is
    put, and when it is settled or withdrawn.
    """

    is_settled = False
    """Whether the answer or the verdict is there."""
    answer: Answer | None = None
    verdict: Verdict | None = None
    late = 0
    """How many answers to earlier questions came."""
    ended: float
    """When its pipe was last read, by the watchdog's clock."""
    _passed_lines = 0
    _passed_bytes = 0

    def __init__(
        self,
        wire: Wire,
        number: int,
        message: bytes,
        time: Clock,
        *,
        behind: bool = False,
        meter: Meter | None = None,
    ) -> None:
        self.wire = wire
        self.number = number
        self.message = message
        self.time = time
        self.behind = behind
        self._meter = meter

    @property
    def deadline(self) -> float:
        """When the time for the answer is over, by the watchdog's clock."""
        return self._began + (self.time.move_ms + self.time.bank_ms) / 1000

    @property
    def elapsed_ms(self) -> float:
        """How long the bot took, from the question written to the answer read."""
        return max(0.0, self.ended - self._began) * 1000

    def put(self, now: float) -> None:
        """Write the question."""
        if self._meter is not None:
            self._meter.begin(now)
        self._is_written = self.wire.write(self.message)
        self._start_clock(now)

    def _start_clock(self, now: float) -> None:
        self._began = self.ended = now
        if self.behind:
            self._began += self.time.move_ms / 1000

    def withdraw(self, now: float) -> None:
        """Wait for the answer no longer."""
        if self._meter is not None:
            self._meter.end(now)

    def look(self, now: float) -> None:
        """Write what is still to be written, read what has come, and judge it."""
        wire = self.wire
        if not self._is_written:
            wire.flush()
            self._is_written = wire.is_flushed
            if self._is_written:
                self._start_clock(now)
        wire.read()
        self.ended = now
        for line in wire.lines():
            self._judge(line, now)
            if self.is_settled:
                break
        else:
            self._judge_stream(wire)
        if self.is_settled:
            self.withdraw(now)

    def _judge_stream(self, wire: Wire) -> None:
        """Judge what is no line, once all lines are."""
        if len(wire.unfinished) > MAX_LINE_BYTES or wire.skipped_bytes > MAX_PASSED_BYTES:
            self._oversize(wire.unfinished)
            wire.skip_line()
        elif wire.closed_out or wire.closed_in:
            stream = "output" if wire.closed_out else "input"
            cut = wire.unfinished
            ending = f" after an unfinished line: {printable(cut)}" if cut else ""
            self._rule(Reason.CRASH, f"the bot closed its standard {stream}{ending}")

    def time_out(self) -> None:
        """Rule that no answer came in time."""
        waited = f"no answer within {self.time.move_ms + self.time.bank_ms} ms"
        cut = self.wire.unfinished
        detail = f"{waited}; what came of a line: {printable(cut)}" if cut else waited
        if not self.wire.is_flushed:
            detail = f"{waited}: the bot does not read its standard input"
        self._rule(Reason.TIMEOUT, detail)

    def _judge(self, line: bytes, now: float) -> None:
        if len(line) > MAX_LINE_BYTES:
            self._oversize(line)
            return
        if line.isspace() or not line:
            self._pass_over(line)
            return
        try:
            answer = decode_answer(line)
        except MalformedError as error:
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
            if self.behind and answer.id == self.number - 1:
                self.behind = False
                self._began = min(now, self._began)
            self._pass_over(line)

    def _rule(self, reason: Reason, detail: str) -> None:
        self.verdict = Verdict(reason, detail)
        self.is_settled = True

    def _pass_over(self, line: bytes) -> None:
        self._passed_lines += 1
        self._passed_bytes += len(line) + 1
        if self._passed_lines > MAX_PASSED_LINES or self._passed_bytes > MAX_PASSED_BYTES:
            self._rule(
                Reason.OVERSIZE,
                f"{self._passed_lines} lines ({self._passed_bytes} bytes) that answer nothing, "
                f"the last: {printable(line)}",
            )

    def _oversize(self, line: bytes) -> None:
        self._rule(
            Reason.OVERSIZE, f"a line of more than {MAX_LINE_BYTES} bytes: {printable(line)}"
        )


async def ask(
    questions: Sequence[Question],
    watchdog: Watchdog,
    settles: Callable[[Answer], bool] | None = None,
) -> None:
    """Wait until every question has its answer or its verdict.

    The questions have been put. ``settles`` names the answers after which the others are no
    longer waited for; those stay unsettled. No task and no cancel scope is made, and the answers
    of quick bots may be there without any wait: this is a checkpoint now and then only.
    """
    now = watchdog.now()
    waiting = []
    for question in questions:
        question.look(now)
        if not question.is_settled:
            waiting.append(question)
    if waiting:
        await _wait(waiting, questions, watchdog, settles)
    if now >= watchdog.turn_ends:
        await watchdog.share()


async def _wait(
    waiting: list[Question],
    questions: Sequence[Question],
    watchdog: Watchdog,
    settles: Callable[[Answer], bool] | None,
) -> None:
    if len(questions) == 1 and waiting[0].wire.is_flushed:
        (question,) = waiting
        while not question.is_settled:
            await watchdog.readable(question.wire.from_bot, question.deadline)
            _look_or_time_out(question, watchdog)
    else:
        await _wait_for_many(waiting, questions, watchdog, settles)


def _look_or_time_out(question: Question, watchdog: Watchdog) -> None:
    now = watchdog.now()
    question.look(watchdog.came)
    if now >= question.deadline and not question.is_settled:
        question.ended = now
        question.time_out()
        question.withdraw(now)


async def _wait_for_many(
    waiting: list[Question],
    questions: Sequence[Question],
    watchdog: Watchdog,
    settles: Callable[[Answer], bool] | None,
) -> None:
    def are_settled() -> bool:
        return settles is not None and any(q.answer and settles(q.answer) for q in questions)

    readers = {question.wire.from_bot: question for question in waiting}
    writers = {q.wire.to_bot: q for q in waiting if not q.wire.is_flushed}
    with select.epoll() as epoll:
        for fd in readers:
            epoll.register(fd, select.EPOLLIN)
        for fd in writers:
            epoll.register(fd, select.EPOLLOUT)
        while waiting and not are_settled():
            await watchdog.readable(epoll.fileno(), min(each.deadline for each in waiting))
            now = watchdog.now()
            ready = {readers.get(fd) or writers[fd] for fd, _ in epoll.poll(0)}
            for question in list(waiting):
                if question not in ready and now < question.deadline:
                    continue
                _look_or_time_out(question, watchdog)
                wire = question.wire
                if wire.to_bot in writers and (wire.is_flushed or question.is_settled):
                    del writers[wire.to_bot]
                    epoll.unregister(wire.to_bot)
                if question.is_settled:
                    epoll.unregister(wire.from_bot)
                    waiting.remove(question)
    for question in waiting:
        question.withdraw(watchdog.now())
