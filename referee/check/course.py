"""Playing the course: a bot's process through all stages, and what is reported of it."""

import math
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import monotonic, sleep

import msgspec
import trio

from referee.bot import Watchdog
from referee.bot.limits import DEFAULT_LIMITS, MIB, Limits
from referee.bot.spawn import Launch
from referee.build import build
from referee.cards import seed_secret
from referee.check.candidate import Candidate
from referee.check.evidence import Evidence
from referee.check.report import Measured, Report, Step
from referee.check.situations import SITUATIONS, situations
from referee.check.stages import Stage, stages
from referee.check.stand_in import StandIn
from referee.check.suspects import FORFEITED, LEFT_EARLY, NOT_ASKED, STAYS_ON, advise
from referee.check.transcript import Message, Transcript
from referee.games.game import Game
from referee.program import Program, ProgramError, fingerprint
from referee.protocol import Reason, TimeControl, printable
from referee.record.lines import Player
from referee.record.result import Times
from referee.sandbox import Isolation, Mode, sandbox_of
from referee.table import Deal, Setting, Table

TIME = TimeControl(startup_ms=10_000, move_ms=1_000, bank_ms=4_000, grace_ms=500)
"""Generous for who thinks, and short for who hangs."""
STRIKES = 3
"""So many faults of one game are heard of."""
LOST_STAGES = 2
"""After so many games in a row that were lost to the clock, the others are not played."""

_SECRET = seed_secret("check")
_SERIES = "0-1-0-1"
_CUT = 240
_HELD_MS = 1_000
_STOPPING_S = 1
_OF_A_LATE_REPLY = ("wrong id", "timeout", "no flush")
"""The suspects that a late reply brings out; others show how a fault message was taken."""


def check_bot(
    program: Program,
    games: Sequence[Game],
    isolation: Isolation,
    time: TimeControl = TIME,
    limits: Limits = DEFAULT_LIMITS,
) -> Report:
    """Send a bot through the course of these games; whatever it does, it is a step of the report.

    The same bot gets the same deals and stand-ins every time. Raises ProgramError where there is no
    bot to check, and SandboxError where the isolation does not work on this machine.
    """
    if not program.path.exists():
        program.check()
    try:
        program.check()
        with tempfile.TemporaryDirectory(prefix="referee-check-") as folder:
            built = build(program, Path(folder) / "builds", isolation)
            copy = built.copy_to(Path(folder) / "bots")
            course = _Course(copy, program.remarks(), time, limits, isolation.mode)
            trio.run(partial(course.run, games))
            return course.report(program, isolation)
    except ProgramError as error:
        step = Step("files", ok=False, detail=str(error))
        return Report(
            bot=str(program.path),
            ok=False,
            steps=[step],
            measured=None,
            isolation=isolation.mode,
            remarks=[],
        )


class _Course:
    """The way of one bot through the stages, noted step by step."""

    def __init__(
        self, copy: Program, remarks: Sequence[str], time: TimeControl, limits: Limits, mode: Mode
    ) -> None:
        self.steps: list[Step] = []
        self._copy = copy
        self._remarks = remarks
        self._time = time
        self._limits = limits
        self._sandbox = sandbox_of(mode)
        self._version = fingerprint(copy.path)
        self._games = 0
        self._times = Times()
        self._mastered: Counter[str] = Counter()
        self._failed: Counter[str] = Counter()
        self._suspects: set[str] = set()

    async def run(self, games: Sequence[Game]) -> None:
        """Go through the course; no process is left, whatever happens."""
        self._watchdog = Watchdog()
        launch = Launch(self._copy.argv, str(self._copy.folder), self._copy.env)
        self._candidate = Candidate(
            launch, self._remarks, self._time, self._watchdog, self._limits, self._sandbox
        )
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._watchdog.run)
            try:
                await self._go(nursery, list(stages(games)))
            finally:
                await self._candidate.bot.stop(0)
            nursery.cancel_scope.cancel()

    async def _go(self, nursery: trio.Nursery, course: Sequence[Stage]) -> None:
        if not await self._is_ready("handshake", nursery):
            return
        ready = self._candidate.bot.ready
        name = f" as {printable(ready.name, 80)}" if ready is not None and ready.name else ""
        self._pass("handshake", f"ready{name} after {self._candidate.start_ms:.0f} ms")
        left = list(course)
        while left and self._candidate.lost_in_a_row < LOST_STAGES:
            await self._play(left.pop(0), nursery)
        self._sum_up()
        if self._candidate.lost_in_a_row >= LOST_STAGES:
            names = ", ".join([*(stage.name for stage in left), "late reply", "bye"])
            detail = f"not played after {LOST_STAGES} games lost to the clock: {names}"
            self.steps.append(Step("the rest", ok=False, detail=detail))
            return
        await self._late(course[0], nursery)
        await self._bye(nursery)

    def _pass(self, step: str, detail: str) -> None:
        self.steps.append(Step(step, ok=True, detail=detail))

    async def _is_ready(
        self,
        step: str,
        nursery: trio.Nursery,
        listener: Callable[[Message], None] | None = None,
    ) -> bool:
        """Have a process for the next stage; note as this step what is wrong with its start."""
        evidence = await self._candidate.prepare(nursery, listener)
        if evidence is not None:
            self.steps.append(_failing(step, evidence))
        return evidence is None

    def _table(self, stage: Stage, time: TimeControl) -> Table:
        """Seat the bot among stand-ins."""
        rules = stage.game.rules(stage.options, stage.seats)
        players = [Player(f"stand-in {seat}", "") for seat in range(stage.seats)]
        players[stage.seat] = Player("bot", self._version)
        setting = Setting(
            game=stage.game.name,
            rules=msgspec.to_builtins(rules),
            time=time,
            strikes=STRIKES,
            names_shown=False,
            series=_SERIES,
        )
        deal = Deal.drawn(_SECRET, stage.game.name, 1, players, (0, 1, 0))
        bots = [StandIn(self._watchdog, stage.game, seed) for seed in deal.bot_seeds]
        seated = [*bots[: stage.seat], self._candidate.bot, *bots[stage.seat + 1 :]]
        return Table(stage.game, setting, deal, seated, self._watchdog)

    async def _play(self, stage: Stage, nursery: trio.Nursery) -> None:
        """Play one game; every kind of fault in it is a step of its own."""
        if not await self._is_ready(stage.name, nursery):
            self._candidate.lost_in_a_row += 1
            return
        table = self._table(stage, self._time)
        result, record = await table.play(nursery)
        self._candidate.look()
        if stage.seat in result.forfeited:
            await self._candidate.bot.stop(self._time.grace_ms)
        is_lost = table.forfeit_reason(stage.seat) is Reason.TIMEOUT
        self._candidate.lost_in_a_row = self._candidate.lost_in_a_row + 1 if is_lost else 0
        self._games += 1
        times = result.times[stage.seat]
        self._times.merge(times)
        for situation, mastered in situations(
            record, stage.seat, self._candidate.transcript.decisions
        ):
            (self._mastered if mastered else self._failed)[situation] += 1
        if self._candidate.transcript.faults:
            self._fail_at_table(stage.name)
        elif self._candidate.transcript.unasked:
            self.steps.append(_unasked(stage.name, self._candidate.transcript))
        else:
            self._pass(stage.name, f"{times.decisions} decisions")
        self._candidate.games += 1

    def _fail_at_table(self, step: str) -> None:
        """Note the faults of a game, each kind once."""
        seen: Counter[tuple[Reason, str]] = Counter()
        failed: dict[tuple[Reason, str], Step] = {}
        for at, fault in self._candidate.transcript.faults:
            evidence = self._candidate.evidence(at, fault)
            kind = evidence.reason, advise(evidence).suspect
            seen[kind] += 1
            self._suspects.add(kind[1])
            failed.setdefault(kind, _failing(step, evidence))
        for kind, found in failed.items():
            more = f" (and {seen[kind] - 1} more such)" if seen[kind] > 1 else ""
            self.steps.append(msgspec.structs.replace(found, detail=found.detail + more))

    def _sum_up(self) -> None:
        """Note how the bot did in the special situations of all games."""
        for situation in SITUATIONS:
            mastered, failed = self._mastered[situation], self._failed[situation]
            if failed:
                detail = f"{failed} of {mastered + failed} failed, see above"
                self.steps.append(Step(situation, ok=False, detail=detail))
            elif mastered:
                self._pass(situation, f"{mastered} times")
        if self._candidate.starts > 1:
            cause = LEFT_EARLY if self._candidate.left_early else FORFEITED
            step = Step(
                "several games in one process",
                ok=False,
                detail=f"{self._games} games took {self._candidate.starts} processes",
                rule=cause.rule,
                advice=cause.words,
            )
            self.steps.append(step)
        elif self._games > 1:
            self._pass("several games in one process", f"{self._games} games")

    async def _late(self, stage: Stage, nursery: trio.Nursery) -> None:
        """Hold the bot over its second question until that has timed out, then play on.

        It is stopped as a whole and goes on when it has been told of its fault: its answer comes
        late, and the next question waits behind that.
        """
        held: list[int] = []

        def hold(message: Message) -> None:
            meter = self._candidate.bot.meter
            assert meter is not None  # noqa: S101 it runs
            if message.id is None:
                return
            if (
                message.type == "turn"
                and len(self._candidate.transcript.decisions) == 2
                and not held
            ):
                meter.tree.stop()
                began = monotonic()
                while not meter.tree.has_stopped() and monotonic() - began < _STOPPING_S:
                    sleep(0.0002)  # else a thread of it may still read this question, and answer
                held.append(message.id)
            elif message.type == "fault":
                meter.tree.go_on()

        if not await self._is_ready("late reply", nursery, hold):
            return
        # Who is slow to start is slow to wake.
        slowness_ms = max(3 * self._times.max_ms, self._candidate.start_ms)
        allowed_ms = self._time.move_ms + self._time.bank_ms
        move_ms = math.ceil(max(slowness_ms, min(_HELD_MS, allowed_ms)))
        time = msgspec.structs.replace(self._time, move_ms=move_ms, bank_ms=0)
        await self._table(stage, time).play(nursery)
        if not held:
            return
        # What else goes wrong in this game has gone wrong before.
        after = [
            (at, fault)
            for at, fault in self._candidate.transcript.faults
            if fault.id == held[0] + 1
        ]
        if not after:
            self._pass("fault message", "told of a timeout, it plays on")
            self._pass("late reply", "the answer after a timeout keeps its own id")
            return
        evidence = self._candidate.evidence(*after[0])
        suspect = advise(evidence).suspect
        if suspect in self._suspects:
            return  # it has struck again, and so it is not known how the bot takes a late reply
        is_late = suspect in _OF_A_LATE_REPLY
        self.steps.append(_failing("late reply" if is_late else "fault message", evidence))

    async def _bye(self, nursery: trio.Nursery) -> None:
        """Say good-bye, and see whether the bot leaves by itself."""
        if not await self._is_ready("bye", nursery):
            return
        self._candidate.look()
        bot = self._candidate.bot
        await bot.stop(self._time.grace_ms, say_bye=True)
        if bot.left is None:
            detail = f"still there {self._time.grace_ms} ms after bye, and killed"
            step = Step("bye", ok=False, detail=detail, rule=STAYS_ON.rule, advice=STAYS_ON.words)
            self.steps.append(step)
        else:
            self._pass("bye", f"the process {bot.left}")

    def report(self, program: Program, isolation: Isolation) -> Report:
        """Return what was found."""
        measured = Measured(
            start_ms=round(self._candidate.start_ms, 1),
            decisions=self._times.decisions,
            mean_ms=round(self._times.total_ms / max(1, self._times.decisions), 2),
            max_ms=round(self._times.max_ms, 1),
            memory_mb=round(self._candidate.resident_bytes / MIB, 1),
        )
        remarks = [isolation.warning] if isolation.warning else []
        return Report(
            bot=str(program.path),
            ok=all(step.ok for step in self.steps),
            steps=self.steps,
            measured=measured,
            isolation=isolation.mode,
            remarks=[*remarks, *self._remarks],
        )


def _failing(step: str, evidence: Evidence) -> Step:
    """Return a failing step with what is known and what helps."""
    advice = advise(evidence)
    return Step(
        step,
        ok=False,
        detail=f"{evidence.reason}: {evidence.detail}",
        sent=_cut(evidence.sent),
        came="; ".join(_cut(line) or "(blank)" for line in evidence.came[-3:]) or "nothing",
        rule=advice.rule,
        advice=advice.words,
        stderr=evidence.stderr,
    )


def _unasked(step: str, transcript: Transcript) -> Step:
    """Return a failing step for answers to nothing, with the first of them."""
    first = transcript.unasked[0]
    return Step(
        step,
        ok=False,
        detail=f"{len(transcript.unasked)} answers to no open turn were passed over",
        sent=_cut(transcript.lines[transcript.last_sent(first)].line),
        came=_cut(transcript.lines[first].line),
        rule=NOT_ASKED.rule,
        advice=NOT_ASKED.words,
    )


def _cut(line: bytes) -> str:
    """Return a line as harmless text, its middle left out where it is long."""
    text = printable(line, len(line))
    return text if len(text) <= _CUT else f"{text[: _CUT // 3]} ... {text[-_CUT * 2 // 3 :]}"
