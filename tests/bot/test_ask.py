"""One question, one verdict: what is written to the pipe, and the first cause that counts."""

import os
from collections.abc import Sequence
from typing import Any

import pytest
import trio

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


async def put_to(
    scripts: Sequence[Script], *, behind: bool = False, padding: int = 0
) -> list[Question]:
    """Put question 7 to bots, each with its script; 100 ms are free, 400 in the bank."""
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
            await ask(questions, watchdog)
            nursery.cancel_scope.cancel()
    finally:
        for bot in bots:
            bot.close()
    return questions


async def asked(*steps: Step, **more: Any) -> Question:
    """Put question 7 to one bot that does so."""
    (question,) = await put_to([writes(*steps)], **more)
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
@pytest.mark.usefixtures("autojump_clock")
async def test_an_answer_counts(name: str) -> None:
    question = await asked(*TAKEN[name])
    assert question.verdict is None
    assert question.answer == Answer(7, ["7H"])
