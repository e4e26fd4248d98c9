"""A question to one bot alone: the short way, nearly always gone, and all that leads off it.

What comes of an answer is ``test_ask``'s; here it must be the same after either way. The clock
stands still unless somebody waits, so that every question follows at once on the one before.
"""

import os
import select
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from unittest.mock import patch

import pytest
import trio
import trio.testing

from referee.bot import Question, Watchdog, ask
from referee.bot import watchdog as watchdogs
from referee.bot.meter import Meter
from referee.bot.stream import Stream, Tail
from referee.protocol import Answer, Clock, Reason
from tests.bot.scripted import Peer, ScriptedBot

FIRST = b'{"id":6,"choose":["7H"]}\n'
OURS = b'{"id":7,"choose":["7H"]}\n'
KIB = 1024

asking = sys.modules[Question.__module__]
""" ``referee.bot.ask``, whose name in the package is its function's."""


class Seen:
    """A question after it was settled, and whether it went the long way."""

    def __init__(self, question: Question, long_ways: int) -> None:
        self.answer = question.answer
        self.reason = question.verdict and question.verdict.reason
        self.late = question.late
        self.elapsed_ms = question.elapsed_ms
        self.is_behind = question.is_behind
        self.words = bytes(question.words)
        self.went_long = long_ways > 0
        self.heard = b""


Prepare = Callable[[ScriptedBot], None]
Script = Callable[[Peer], Awaitable[None]]


async def nothing(_peer: Peer) -> None:
    """Do nothing while the bot is waited for."""


def far_tick() -> Watchdog:
    """Return a watchdog that leaves whoever waits in the kernel there: for what has come already.

    The clock may stand still, but the tick is the machine's, and ends the short way.
    """
    with patch.object(watchdogs, "ALONE_MS", 3_600_000):
        return Watchdog(trio.current_time)


@contextmanager
def long_ways() -> Iterator[list[int]]:
    """Count the questions that go the long way."""
    ways = []
    put = Question._put

    def counted(question: Question, message: bytes, time: Clock, now: float) -> None:
        ways.append(question.number)
        put(question, message, time, now)

    with patch.object(Question, "_put", counted):
        yield ways


def exchanged(
    prepare: Prepare,
    script: Script = nothing,
    *,
    message: bytes = b"?\n",
    aside: int | None = None,
    meter: Meter | None = None,
    is_there: bool = False,
) -> Seen:
    """Have question 6 answered, prepare the bot, and put question 7 to it.

    ``is_there``: all that matters lies in the pipe by then, so that no tick is needed.
    """

    async def main() -> Seen:
        watchdog = far_tick() if is_there else Watchdog(trio.current_time)
        bot = ScriptedBot(watchdog)
        stream = None if aside is None else Stream(aside, Tail(KIB))
        bot.question = Question(bot.wire, watchdog, stream, meter)
        question = bot.question
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(watchdog.run)
                await watchdog.share()
                question.number = 6
                bot.peer.say(FIRST)
                assert question.exchange(b"?\n", Clock(100, 400))
                question.number = 7
                prepare(bot)
                nursery.start_soon(script, bot.peer)
                with long_ways() as ways:
                    if not question.exchange(message, Clock(100, 400)):
                        await ask([question], watchdog)
                nursery.cancel_scope.cancel()
            seen = Seen(question, len(ways))
            if bot.peer.read_fd >= 0 and select.select([bot.peer.read_fd], [], [], 0)[0]:
                seen.heard = os.read(bot.peer.read_fd, 64 * KIB)
        finally:
            bot.close()
        assert question.is_settled
        return seen

    return trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0))


def said(data: bytes) -> Prepare:
    """Have this lie in the bot's pipe when it is asked."""
    return lambda bot: bot.peer.say(data)


def test_one_line_that_answers_is_taken_on_the_short_way() -> None:
    for line in (OURS, OURS[:-1] + b"\r\n", b'{"id":7,"choose":["7H"],"note":"n"}\n'):
        seen = exchanged(said(line), is_there=True)
        assert not seen.went_long
        assert (seen.answer and seen.answer.choose, seen.reason) == (["7H"], None)
        assert seen.elapsed_ms == 0


@pytest.mark.parametrize(
    ("data", "late"),
    [
        (FIRST + OURS, 1),
        (b"\n \n" + OURS, 0),
        (OURS + OURS, 0),
        (OURS + b"more", 0),
        (b"\n" * 1000 + OURS, 0),
    ],
)
def test_more_than_one_line_is_judged_line_by_line(data: bytes, late: int) -> None:
    seen = exchanged(said(data))
    assert seen.went_long
    assert (seen.answer, seen.late) == (Answer(7, ["7H"]), late)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"thanks\n", Reason.MALFORMED),
        (b'{"id":8,"choose":["7H"]}\n', Reason.MALFORMED),
        (b'{"id":7,\n"choose":["7H"]}\n', Reason.MALFORMED),
        (b'{"id":7,"choose":["\xff"]}\n', Reason.MALFORMED),
        (b"\n" * 1001 + OURS, Reason.OVERSIZE),
        (FIRST, Reason.TIMEOUT),
        (OURS[:-1], Reason.TIMEOUT),
    ],
)
def test_what_is_no_answer_is_judged_once(data: bytes, reason: Reason) -> None:
    seen = exchanged(said(data))
    assert seen.went_long
    assert (seen.answer, seen.reason, seen.late) == (None, reason, int(data == FIRST))
    assert seen.is_behind == (reason is Reason.TIMEOUT)


def test_the_rest_of_a_line_is_waited_for() -> None:
    async def later(peer: Peer) -> None:
        await trio.sleep(0.05)
        peer.say(OURS[10:])

    seen = exchanged(said(OURS[:10]), later)
    assert seen.answer == Answer(7, ["7H"])
    assert seen.elapsed_ms == pytest.approx(50)


def test_an_answer_that_takes_its_time_is_waited_for() -> None:
    async def later(peer: Peer) -> None:
        await trio.sleep(0.3)
        peer.say(OURS)

    seen = exchanged(said(b""), later)
    assert seen.answer == Answer(7, ["7H"])
    assert seen.elapsed_ms == pytest.approx(300)


def test_a_stream_that_is_closed_is_a_crash() -> None:
    def cut_off(bot: ScriptedBot) -> None:
        bot.peer.say(OURS[:-1])
        bot.peer.hang_up()

    ways: list[Prepare] = [
        lambda bot: bot.peer.hang_up(),
        lambda bot: bot.peer.stop_listening(),
        cut_off,
    ]
    for close in ways:
        assert exchanged(close).reason is Reason.CRASH


def test_a_question_that_the_pipe_does_not_take_at_once_is_written_on() -> None:
    heard = bytearray()

    async def reads_it(peer: Peer) -> None:
        os.set_blocking(peer.read_fd, False)
        while not heard.endswith(message):
            await trio.lowlevel.wait_readable(peer.read_fd)
            heard.extend(os.read(peer.read_fd, 64 * KIB))
        peer.say(OURS)

    message = os.urandom(200 * KIB - 1) + b"\n"
    seen = exchanged(said(b""), reads_it, message=message)
    assert seen.answer == Answer(7, ["7H"])


def test_who_still_owes_an_answer_goes_the_long_way() -> None:
    def owing(bot: ScriptedBot) -> None:
        bot.question.number = 6
        bot.question.put(b"?\n", Clock(0, 0))
        bot.question.look(0, trio.current_time() + 1)
        bot.question.number = 7
        bot.peer.say(FIRST + OURS)

    seen = exchanged(owing)
    assert seen.went_long
    assert (seen.answer, seen.late) == (Answer(7, ["7H"]), 1)


@pytest.mark.parametrize(("pause_s", "is_alone"), [(0.0, True), (0.01, True), (0.0, False)])
def test_after_a_pause_and_where_others_wait_the_long_way_is_gone(
    pause_s: float,
    is_alone: bool,
) -> None:
    async def main() -> list[int]:
        watchdog = far_tick()
        bot, other = ScriptedBot(watchdog), ScriptedBot(watchdog)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(watchdog.run)
                if not is_alone:
                    nursery.start_soon(watchdog.readable, other.wire.from_bot, 1e9)
                    await trio.testing.wait_all_tasks_blocked()
                await watchdog.share()
                for number in (6, 7):
                    bot.question.number = number
                    bot.peer.say(b'{"id":%d,"choose":["7H"]}\n' % number)
                    with long_ways() as ways:
                        if not bot.question.exchange(b"?\n", Clock(100, 400)):
                            await ask([bot.question], watchdog)
                    assert bot.question.answer
                    await trio.sleep(pause_s)
                nursery.cancel_scope.cancel()
        finally:
            bot.close()
            other.close()
        return ways

    ways = trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0.001))
    assert ways == ([] if is_alone and not pause_s else [7])


def test_a_tick_that_comes_before_the_answer_changes_nothing() -> None:
    def late(bot: ScriptedBot) -> None:
        select.select([bot.question.watchdog.tick.fd], [], [])
        bot.peer.say(OURS)

    seen = exchanged(late)
    assert seen.went_long
    assert seen.answer == Answer(7, ["7H"])
    assert seen.heard == b"?\n?\n"


def test_an_answer_that_the_bot_takes_back_is_waited_for() -> None:
    """It may open its own pipe for reading; the referee must not trip over what is gone."""
    stolen: list[bytes] = []

    def read(fd: int, most: int) -> bytes:
        if not stolen:
            stolen.append(os.read(fd, most))
        return os.read(fd, most)

    async def later(peer: Peer) -> None:
        await trio.sleep(0.05)
        peer.say(OURS)

    with patch.object(asking, "os", SimpleNamespace(read=read, write=os.write)):
        seen = exchanged(said(b"\n"), later)
    assert stolen == [b"\n"]
    assert seen.answer == Answer(7, ["7H"])


class FakeMeter:
    """Notes what it is told."""

    def __init__(self, *, stops: bool) -> None:
        self.stops = stops
        self.told: list[str] = []

    def begin(self, now: float, paused_s: float) -> None:
        assert now >= paused_s >= 0
        self.told.append("begin")

    def end(self, now: float) -> None:
        assert now >= 0
        self.told.append("end")

    def took(self, elapsed_s: float, now: float) -> None:
        assert now >= elapsed_s >= 0
        self.told.append("took")


@pytest.mark.parametrize(
    ("stops", "told"),
    [(False, ["begin", "end", "took"]), (True, ["begin", "end", "begin", "end"])],
)
def test_the_meter_is_told_of_every_question_once(
    stops: bool,
    told: list[str],
) -> None:
    meter = FakeMeter(stops=stops)
    exchanged(said(OURS), meter=meter, is_there=True)  # type: ignore[arg-type]
    assert meter.told == told


def test_what_is_said_aside_is_heard_with_the_answer() -> None:
    from_bot, to_referee = os.pipe()
    os.set_blocking(from_bot, False)
    try:

        def speak(bot: ScriptedBot) -> None:
            os.write(to_referee, b"thinking")
            bot.peer.say(OURS)

        seen = exchanged(speak, aside=from_bot)
        assert (seen.words, seen.answer) == (b"thinking", Answer(7, ["7H"]))
    finally:
        os.close(from_bot)
        os.close(to_referee)


def test_a_closed_standard_error_costs_no_further_look() -> None:
    from_bot, to_referee = os.pipe()
    os.set_blocking(from_bot, False)
    os.close(to_referee)
    try:
        assert not exchanged(said(OURS), aside=from_bot, is_there=True).went_long
    finally:
        os.close(from_bot)
