"""One question, one verdict: what is written to the pipe, and the first cause that counts."""

import os
from collections.abc import Callable, Sequence
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
    watchdog = Watchdog()
    bots = [ScriptedBot(watchdog) for _ in scripts]
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watchdog.run)
            questions = [Question(bot.wire, 7, Clock(100, 400), behind=behind) for bot in bots]
            for question in questions:
                question.put(b'{"id":7}' + b" " * padding + b"\n", watchdog.now())
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
