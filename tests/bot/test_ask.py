"""One question, one verdict: what is written to the pipe, and the first cause that counts."""

import os
from collections.abc import Callable, Sequence
from copy import copy
from functools import partial
from typing import Any

import pytest
import trio
import trio.testing

from referee.bot import Question, Watchdog, ask
from referee.protocol import Answer, Clock, Reason
from tests.bot.scripted import Peer, Script, ScriptedBot

LIMIT_MS = 500
OURS = b'{"id":7,"choose":["7H"]}\n'
LATE = b'{"id":6,"choose":["7H"]}\n'
TOO_HIGH = b'{"id":8,"choose":["7H"]}\n'
KIB = 1024
HANG_UP = "hang up"
CLOSE_INPUT = "close input"

Step = bytes | float | str


def writes(*steps: Step) -> Script:
    """Do so, one step after another: write bytes, sleep for seconds, hang up, close the input."""

    async def script(peer: Peer) -> None:
        os.set_blocking(peer.write_fd, False)
        for step in steps:
            if isinstance(step, float):
                await trio.sleep(step)
            elif step == HANG_UP:
                peer.hang_up()
            elif step == CLOSE_INPUT:
                peer.stop_listening()
            elif isinstance(step, bytes):
                await _write(peer, step)

    return script


async def _write(peer: Peer, data: bytes) -> None:
    while data:
        await trio.lowlevel.wait_writable(peer.write_fd)
        data = data[os.write(peer.write_fd, data) :]


def put_to(scripts: Sequence[Script], **how: Any) -> list[Question]:
    """Put question 7 to bots, each with its script, under a clock that jumps: see ``_put_to``."""
    clock = trio.testing.MockClock(autojump_threshold=0)
    return trio.run(partial(_put_to, scripts, **how), clock=clock)


async def _put_to(
    scripts: Sequence[Script],
    *,
    behind: bool = False,
    padding: int = 0,
    settles: Callable[[Answer], bool] | None = None,
) -> list[Question]:
    """100 ms are free, 400 in the bank; ``padding`` makes the question as long as that."""
    watchdog = Watchdog(trio.current_time)
    bots = [ScriptedBot(watchdog) for _ in scripts]
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watchdog.run)
            message = b'{"id":7}' + b" " * padding + b"\n"
            questions = [bot.question for bot in bots]
            for question in questions:
                question.number, question.is_behind = 7, behind
                question.put(message, Clock(100, 400))
            for bot, script in zip(bots, scripts, strict=True):
                nursery.start_soon(script, bot.peer)
            await ask(questions, watchdog, settles)
            nursery.cancel_scope.cancel()
    finally:
        for bot in bots:
            bot.close()
    return questions


def asked(*steps: Step, **how: Any) -> Question:
    """Put question 7 to one bot that does so."""
    (question,) = put_to([writes(*steps)], **how)
    return question


TAKEN: dict[str, tuple[Step, ...]] = {
    "at once": (OURS,),
    "just before the deadline": (0.495, OURS),
    "in the tick in which the deadline is noticed": (LIMIT_MS / 1000, OURS),
    "byte by byte": tuple(x for byte in OURS for x in (bytes([byte]), 0.001)),
    "with a carriage return": (OURS[:-1] + b"\r\n",),
    "after a byte-order mark": (b"\xef\xbb\xbf" + OURS,),
    "after blank lines": (b"\n \t\r\n\n" + OURS,),
    "after a late answer": (LATE + OURS,),
    "after as many lines as are passed over": (b"\n" * 1000 + OURS,),
    "after nearly 1 MiB of late answers": (LATE[:-1] + b" " * 1000 + b"\n",) * 1000 + (OURS,),
    "in a line of the largest size": (b" " * (64 * KIB + 1 - len(OURS)) + OURS,),
    "twice: the first counts": (OURS + OURS.replace(b"7H", b"8H"),),
    "with another's seat in it: the pipe says who speaks": (b'{"seat":3,' + OURS[1:],),
    "then a traceback": (OURS + b"Traceback (most recent call last):\n",),
    "then an answer to a question that was not asked": (OURS + TOO_HIGH,),
    "then half a line": (OURS + b"half",),
    "then a flood": (OURS, b"x" * 200 * KIB),
    "then it hangs up": (OURS, HANG_UP),
    "then it closes its input": (OURS, CLOSE_INPUT),
}


@pytest.mark.parametrize("name", TAKEN)
def test_an_answer_counts(name: str) -> None:
    question = asked(*TAKEN[name])
    assert question.verdict is None
    assert question.answer == Answer(7, ["7H"])


FAULTS: dict[str, tuple[tuple[Step, ...], Reason, str]] = {
    # Row 1: silence, and too late.
    "says nothing": ((), Reason.TIMEOUT, "no answer within 500 ms"),
    "answers too late": ((0.53, OURS), Reason.TIMEOUT, "no answer within 500 ms"),
    # Row 2: the deadline is an answer's, never a read's.
    "says half a line": ((OURS[:10],), Reason.TIMEOUT, 'what came of a line: {"id":7,"c'),
    "trickles": ((0.05, b"{") * 20, Reason.TIMEOUT, "what came of a line: {{{"),
    "trickles blank lines": ((0.05, b"\n") * 20, Reason.TIMEOUT, "no answer within 500 ms"),
    "trickles late answers": ((0.05, LATE) * 20, Reason.TIMEOUT, "no answer within 500 ms"),
    # Rows 3, 4, 17, 18: the end of a stream.
    "hangs up": ((HANG_UP,), Reason.CRASH, "closed its standard output"),
    "hangs up after half a line": ((OURS[:-1], HANG_UP), Reason.CRASH, '"choose":["7H"]}'),
    "hangs up after a late answer": ((LATE, HANG_UP), Reason.CRASH, "closed its standard output"),
    # Row 5: too much.
    "writes a line a byte too long": (
        (b" " * (64 * KIB + 1 - len(OURS)) + b" " + OURS,),
        Reason.OVERSIZE,
        "a line of more than 65536 bytes",
    ),
    "writes without end": ((b"x" * KIB * KIB,), Reason.OVERSIZE, "xxx... ("),
    "writes a blank line too many": ((b"\n" * 1001 + OURS,), Reason.OVERSIZE, "1001 lines"),
    "writes a late answer too many": ((LATE * 1001 + OURS,), Reason.OVERSIZE, "1001 lines"),
    "writes more than 1 MiB of late answers": (
        (LATE[:-1] + b" " * 9000 + b"\n",) * 120 + (OURS,),
        Reason.OVERSIZE,
        "bytes) that answer nothing",
    ),
    # Rows 7, 9, 10, 12: what is no answer.
    "says what it thinks": ((b"thinking\n", OURS), Reason.MALFORMED, "this came: thinking"),
    "says control codes": ((b"\x1b[2J\n",), Reason.MALFORMED, r"this came: \x1b[2J"),
    "is not UTF-8": ((b"\xff\n",), Reason.MALFORMED, "not UTF-8"),
    "has no id": ((b'{"choose":["7H"]}\n',), Reason.MALFORMED, "`id`"),
    "answers what was not asked": ((TOO_HIGH, OURS), Reason.MALFORMED, "id 8 has not been asked"),
    "marks a later line": ((b"\n\xef\xbb\xbf" + OURS,), Reason.MALFORMED, "not a JSON object"),
    # The first cause counts.
    "says a traceback and hangs up": (
        (b"Traceback (most recent call last):\n", HANG_UP),
        Reason.MALFORMED,
        "standard output belongs to the protocol, this came: Traceback",
    ),
    "says a traceback and floods": ((b"Trace\n" + b"x" * 90 * KIB,), Reason.MALFORMED, "Trace"),
    "floods and hangs up": ((b"x" * 90 * KIB, HANG_UP), Reason.OVERSIZE, "xxx"),
    "floods and says what it thinks": (
        (b"x" * 90 * KIB + b"\nthinking\n",),
        Reason.OVERSIZE,
        "xxx",
    ),
    "hangs up, too late": ((0.53, HANG_UP), Reason.TIMEOUT, "no answer within 500 ms"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_bot_is_at_fault_that(name: str) -> None:
    steps, reason, words = FAULTS[name]
    question = asked(*steps)
    assert question.answer is None
    assert question.verdict is not None
    assert question.verdict.reason is reason
    assert words in question.verdict.detail
    assert len(question.verdict.detail) < 500
    if reason is Reason.TIMEOUT:
        assert LIMIT_MS <= question.elapsed_ms <= LIMIT_MS + 20
    else:
        assert question.elapsed_ms < 100


def in_ms(question: Question) -> int:
    """Return how long the answer took, to the nearest 10 ms."""
    return 10 * round(question.elapsed_ms / 10)


def test_the_time_runs_from_the_question_to_the_newline() -> None:
    assert in_ms(asked(0.2, OURS[:-1], 0.1, OURS[-1:])) == 300


def test_late_answers_are_counted() -> None:
    assert asked(LATE * 3 + b"\n" + OURS).late == 3


def test_with_a_late_answer_owed_the_clock_starts_when_that_comes() -> None:
    question = asked(0.05, LATE, 0.48, OURS, behind=True)
    assert question.answer is not None
    assert in_ms(question) == 480


def test_with_a_late_answer_owed_the_clock_starts_after_move_ms_at_the_latest() -> None:
    question = asked(0.3, LATE, 0.1, OURS, behind=True)
    assert in_ms(question) == 300
    overdue = asked(0.65, OURS, behind=True)
    assert overdue.verdict is not None
    assert in_ms(overdue) in (500, 510)


def test_an_older_late_answer_starts_no_clock() -> None:
    older = LATE.replace(b"6", b"5")
    assert in_ms(asked(older, 0.2, OURS, behind=True)) == 100


def test_a_bot_that_never_reads_is_timed_out_on_the_write() -> None:
    question = asked(padding=200 * KIB)
    assert question.verdict is not None
    assert question.verdict.reason is Reason.TIMEOUT
    assert "does not read its standard input" in question.verdict.detail


def test_the_clock_runs_once_the_question_is_written_whole() -> None:
    async def slow_reader(peer: Peer) -> None:
        await trio.sleep(0.4)
        while not peer.heard:
            await peer.read()
        await trio.sleep(0.4)
        peer.say(OURS)

    (question,) = put_to([slow_reader], padding=200 * KIB)
    assert question.answer is not None
    assert in_ms(question) == 400


def test_a_bot_that_closes_its_input_before_it_has_read_all_has_crashed() -> None:
    question = asked(0.1, CLOSE_INPUT, padding=200 * KIB)
    assert question.verdict is not None
    assert question.verdict.reason is Reason.CRASH
    assert "closed its standard input" in question.verdict.detail
    assert question.elapsed_ms <= 110


def test_one_among_several_is_judged_as_one_alone() -> None:
    for steps, reason, words in FAULTS.values():
        question, other = put_to([writes(*steps), writes(0.45, OURS)])
        assert question.verdict is not None
        assert question.verdict.reason is reason
        assert words in question.verdict.detail
        assert in_ms(other) == 450


def test_each_of_several_is_charged_its_own_time_only() -> None:
    delays = [0.3, 0.02, 0.47, 0.3, 0.6]
    questions = put_to([writes(delay, OURS) for delay in delays])
    assert [in_ms(question) for question in questions[:4]] == [300, 20, 470, 300]
    assert [question.answer is not None for question in questions] == [True] * 4 + [False]
    assert questions[4].verdict is not None
    assert questions[4].verdict.reason is Reason.TIMEOUT


def test_one_that_floods_costs_the_others_nothing() -> None:
    questions = put_to([writes(b"x" * KIB * KIB), writes(0.2, OURS)])
    assert questions[0].verdict is not None
    assert questions[0].verdict.reason is Reason.OVERSIZE
    assert in_ms(questions[1]) == 200


def test_an_answer_that_settles_ends_the_wait_and_leaves_the_others_open() -> None:
    doubt, trust = OURS.replace(b'"7H"', b"true"), OURS.replace(b'"7H"', b"false")
    scripts = [writes(0.3, trust), writes(0.2, doubt), writes(0.1, trust), writes(0.1, b"thi")]
    questions = put_to(scripts, settles=lambda answer: answer.choose == [True])
    assert [question.is_settled for question in questions] == [False, True, True, False]
    assert questions[2].ended < questions[1].ended


def put_in_turn(*steps: Step, padding: int = 0) -> list[Question]:
    """Put question 7, and 100 ms after its end question 8, to one bot that does so.

    Returns what the question was after either.
    """

    async def both() -> list[Question]:
        watchdog = Watchdog(trio.current_time)
        bot = ScriptedBot(watchdog)
        questions = []
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(watchdog.run)
                nursery.start_soon(writes(*steps), bot.peer)
                for number in (7, 8):
                    bot.question.number = number
                    bot.question.put(b" " * padding + b"\n", Clock(100, 400))
                    await ask([bot.question], watchdog)
                    questions.append(copy(bot.question))
                    await trio.sleep(0.1)
                nursery.cancel_scope.cancel()
        finally:
            bot.close()
        return questions

    return trio.run(both, clock=trio.testing.MockClock(autojump_threshold=0))


def test_an_answer_sent_blind_counts_at_once() -> None:
    for steps in ((OURS + TOO_HIGH,), (OURS, TOO_HIGH), (OURS, 0.05, TOO_HIGH)):
        _, blind = put_in_turn(*steps)
        assert blind.answer == Answer(8, ["7H"])
        assert in_ms(blind) == 0


def test_a_second_answer_to_a_question_is_late_for_the_next() -> None:
    _, following = put_in_turn(OURS + OURS, 0.05, OURS, 0.1, TOO_HIGH)
    assert following.answer is not None
    assert following.late == 2


def test_what_is_said_unasked_is_judged_at_the_next_question() -> None:
    _, following = put_in_turn(OURS, 0.05, b"thanks\n", 0.1, TOO_HIGH)
    assert following.verdict is not None
    assert following.verdict.reason is Reason.MALFORMED
    assert "this came: thanks" in following.verdict.detail


def test_a_line_that_is_too_long_is_one_fault() -> None:
    first, following = put_in_turn(b"x" * 300 * KIB + b"\n", 0.05, TOO_HIGH)
    assert first.verdict is not None
    assert first.verdict.reason is Reason.OVERSIZE
    assert following.answer is not None


def test_a_line_without_end_is_a_fault_of_every_question() -> None:
    for question in put_in_turn(b"x" * 1300 * KIB):
        assert question.verdict is not None
        assert question.verdict.reason is Reason.OVERSIZE


@pytest.mark.parametrize("step", [HANG_UP, CLOSE_INPUT])
def test_a_stream_that_was_closed_between_questions_is_a_crash_at_once(step: str) -> None:
    _, following = put_in_turn(OURS, 0.05, step)
    assert following.verdict is not None
    assert following.verdict.reason is Reason.CRASH
    assert in_ms(following) == 0


def test_an_answer_before_the_whole_question_is_written_counts() -> None:
    first, following = put_in_turn(OURS, 0.05, TOO_HIGH, padding=200 * KIB)
    assert first.answer is not None
    assert following.answer is not None
