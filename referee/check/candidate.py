"""The bot that is checked: its process, what it says and takes, and what is known of a fault."""

from collections.abc import Callable, Sequence

import trio

from referee.bot import Bot, Watchdog
from referee.bot.limits import Limits
from referee.bot.spawn import Launch
from referee.check.evidence import Buffer, Evidence
from referee.check.transcript import Message, Transcript
from referee.protocol import Reason, TimeControl
from referee.sandbox import Sandbox
from referee.series import Contender

_BLOCKS_BYTES = 64 * 1024
"""A whole number of the blocks in which programs read, and no more than a pipe holds."""
_TRY_S = 1.0
_LEAVE_OWING = (Reason.TIMEOUT, Reason.MALFORMED, Reason.OVERSIZE)
"""Faults of a question whose answer may be on its way still."""


class Candidate:
    """A bot on its way through a course, a process at a time.

    ``remarks`` are its program's own. ``watchdog.run`` must be running.
    """

    def __init__(
        self,
        launch: Launch,
        remarks: Sequence[str],
        time: TimeControl,
        watchdog: Watchdog,
        limits: Limits,
        sandbox: Sandbox | None,
    ) -> None:
        self.remarks = remarks
        self.time = time
        self.transcript = Transcript(set())
        """Of the stage that is being played."""
        self.starts = 0
        """How many processes it took so far."""
        self.start_ms = 0.0
        """How long the first one took to be ready."""
        self.games = 0
        """How many games its present process has finished."""
        self.lost_in_a_row = 0
        """How many stages in a row were lost to the clock."""
        self.left_early = False
        """Whether a process was found to have left between two games."""
        self.resident_bytes = 0
        """The most memory that was seen."""
        self._watchdog = watchdog
        self._contender = Contender(launch, watchdog, self._hear, limits, sandbox)

    @property
    def bot(self) -> Bot:
        """Its present process."""
        return self._contender.bot

    def _hear(self, way: str, line: bytes) -> None:
        self.transcript.hear(way, line)

    async def prepare(
        self, nursery: trio.Nursery, listener: Callable[[Message], None] | None = None
    ) -> Evidence | None:
        """Have a process for the next stage, whose transcript begins, with this listener.

        Returns what is known where it fails to start.
        """
        self.transcript = Transcript(self.transcript.unanswered, listener)
        before = self.bot
        if self.starts and before.verdict is None and not before.is_alive:
            self.left_early = True
        began = self._watchdog.now()
        if not before.is_alive:
            await self._contender.restart(nursery, self.time.startup_ms)
        if self.bot is not before or not self.starts:
            self.starts += 1
            self.games = 0
            self.start_ms = self.start_ms or (self._watchdog.now() - began) * 1000
        if self.bot.verdict is None:
            return None
        stderr = self.bot.last_words()
        buffer = await self._find_buffer(self.bot)
        return Evidence(
            reason=self.bot.verdict.reason,
            detail=self.bot.verdict.detail,
            sent=b"".join(said.line for said in self.transcript.lines[:1]),
            came=self.transcript.came(0)[:1],
            later=self.transcript.came(0)[1:],
            buffer=buffer,
            # What it says of the second line of an experiment is of no use to its author.
            stderr=stderr if buffer else self.bot.last_words(),
            remarks=self.remarks,
        )

    async def _find_buffer(self, bot: Bot) -> Buffer:
        """Stop a bot that failed to start; find out whether a buffer kept its ready from coming.

        The same hello once more, with blanks that fill whole blocks, lets go on who reads in
        blocks; the end of its input ends a bot, and that writes out what it has not flushed.
        """
        runs = bot.meter is not None and bot.has_ended() is None
        hangs = runs and not bot.wire.unfinished and not self.transcript.came(0)
        if hangs:
            (hello,) = self.transcript.lines
            left_bytes = _BLOCKS_BYTES - len(hello.line) - 2  # the two lines' ends
            bot.wire.write(hello.line.ljust(left_bytes) + b"\n")
            await self._watchdog.readable(bot.wire.from_bot, self._watchdog.now() + _TRY_S)
            has_come = bot.wire.read() is not None or bot.wire.unfinished
            if has_come or bot.wire.closed_out or bot.has_ended() is not None:
                await bot.stop(0)
                return "input"
        await bot.stop(self.time.grace_ms)
        return "output" if hangs and self.transcript.came(0) else ""

    def evidence(self, at: int, fault: Message) -> Evidence:
        """Return what is known of a fault at this place of the transcript."""
        transcript = self.transcript
        asked = transcript.last_sent(at)
        before = transcript.before(asked)
        return Evidence(
            reason=fault.reason or Reason.CRASH,
            detail=fault.detail,
            sent=transcript.lines[asked].line,
            came=transcript.came(asked, at),
            earlier=transcript.came(0, asked),
            later=transcript.came(at),
            before="end or start" if before == "start" and self.games else before,
            owed=[
                earlier.id
                for place, earlier in transcript.faults
                if place < at and earlier.reason in _LEAVE_OWING and earlier.id is not None
            ],
            games=self.games,
            at_end=fault.reason is Reason.TIMEOUT and transcript.came_at_the_end(),
            stderr=self.bot.last_words(),
            remarks=self.remarks,
        )

    def look(self) -> None:
        """Take note of the memory that the bot's processes hold."""
        meter = self.bot.meter
        if meter is not None:
            if self.bot.is_alive:
                meter.look()
            self.resident_bytes = max(self.resident_bytes, meter.resident_bytes)
