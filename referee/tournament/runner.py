"""Plays a run's series: bounded concurrency, what is stored already left alone.

The unit of work is a block: its rotations share their deals, so they are played one after another;
different blocks are played side by side.
"""

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

import msgspec
import trio

from referee.bot import Watchdog
from referee.bot.limits import reserve_descriptors
from referee.chunk import Failure, Outcome
from referee.program import ProgramError
from referee.record.result import GameResult
from referee.series import SeriesResult, check_start, try_bots
from referee.tournament.engine import (
    Engine,
    EngineError,
    EngineGoneError,
    open_engine,
)
from referee.tournament.pace import Pace
from referee.tournament.schedule import (
    WHOLE,
    Block,
    Schedule,
    Series,
    Shard,
)
from referee.tournament.sizing import concurrency_of
from referee.tournament.specs import isolation_of, launch_of, spec_of
from referee.tournament.store import Store, write_whole


class Watcher(Protocol):
    """What wants to know how a run goes on. Calls must be quick and must not raise."""

    def began(self, series: Series) -> None:
        """Take note that a series is being played."""

    def ended(self, series: Series, games: Sequence[GameResult]) -> None:
        """Take note that a series has been played and stored."""

    def aborted(self, series: Series, reason: str) -> None:
        """Take note that a series could not be played, by a bug; the run goes on."""

    def remarked(self, words: str) -> None:
        """Take note of what should be said of where the run is played."""


class Ending(msgspec.Struct, frozen=True):
    """How playing ended: ``interrupted`` by a signal, or with some series ``aborted``.

    ``gone``: it was interrupted because its engine went away, which is said here.
    """

    interrupted: bool
    aborted: list[str]
    gone: str = ""


class StoppedError(Exception):
    """The run cannot be stored any further: one line that says why."""


def never() -> bool:
    """Say that a run is to be played to its end."""
    return False


def play(
    store: Store,
    schedule: Schedule,
    watcher: Watcher,
    *,
    force: bool,
    enough: Callable[[], bool] = never,
    shard: Shard = WHOLE,
) -> Ending:
    """Play every series of the shard that is not stored yet.

    ``enough`` is asked before anything is started and whenever a block has ended, its series
    stored; once it says so, nothing more begins, what is at play is broken off, and the run has
    ended well. So that a run ends at the same block whatever was in flight, the answer must be a
    function of what is stored, looked at in the schedule's order; blocks beyond may be there.

    SIGINT, SIGTERM and SIGHUP stop all bots and leave a run that can be resumed; so does a folder
    that cannot be written to (StoppedError). Before the first game every bot is started once;
    raises ProgramError that names those which fail, unless ``force`` plays on with forfeits.
    Raises DescriptorsError where it may not open enough files, and EngineError where the engine
    cannot be had; one that goes away later interrupts the run.
    """
    config = store.config
    reserve_descriptors(concurrency_of(config) * max(entry.seats for entry in config.games))
    if enough():
        return Ending(interrupted=False, aborted=[])
    return trio.run(_Runner(store, schedule, watcher, enough, shard).run, force)


class _Runner:
    def __init__(
        self,
        store: Store,
        schedule: Schedule,
        watcher: Watcher,
        enough: Callable[[], bool],
        shard: Shard,
    ) -> None:
        self.store = store
        self.watcher = watcher
        self.enough = enough
        self.schedule = schedule
        self.shard = shard
        self.everything = trio.CancelScope()
        self.failures: dict[str, str] = {}
        self.refused: EngineError | None = None
        self.interrupted = False
        self.stopped = ""
        self.gone = ""
        self.aborted: list[str] = []

    async def run(self, force: bool) -> Ending:  # noqa: FBT001 as trio.run passes it
        # Whoever is in a hurry says it twice: signals are heard until all has been ended.
        async with trio.open_nursery() as listening:
            await listening.start(self._listen)
            with self.everything:
                await self._play_with_an_engine(force)
            listening.cancel_scope.cancel()
        if self.refused is not None:
            raise self.refused
        check_start(self.failures)
        if self.stopped:
            raise StoppedError(self.stopped)
        return Ending(self.interrupted, self.aborted, self.gone)

    async def _play_with_an_engine(self, force: bool) -> None:  # noqa: FBT001 see run
        config = self.store.config
        self.watchdog = Watchdog()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.watchdog.run)
            try:
                async with open_engine(config, concurrency_of(config), self.watchdog) as engine:
                    for remark in engine.remarks:
                        self.watcher.remarked(remark)
                    if not force:
                        self.failures = await self._try_bots()
                    if not self.failures:
                        await self._play_all(engine)
            except EngineError as error:
                self.refused = error
            nursery.cancel_scope.cancel()

    async def _listen(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        endings = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        # One that was being ignored stays so: nohup.
        heard = [each for each in endings if signal.getsignal(each) is not signal.SIG_IGN]
        with trio.open_signal_receiver(*heard) as signals:
            task_status.started()
            async for _ in signals:
                self.interrupted = True
                self.everything.cancel()

    async def _try_bots(self) -> dict[str, str]:
        config = self.store.config
        launches = {bot.name: launch_of(self.store, bot.name) for bot in config.bots}
        return await try_bots(
            launches,
            config.time,
            self.watchdog,
            at_once=concurrency_of(config),
            limits=config.limits.of_a_bot,
            isolation=isolation_of(config),
        )

    async def _play_all(self, engine: Engine) -> None:
        self.engine = engine
        self.pace = Pace(self.schedule, self.shard.of, engine.chunk_s)
        blocks = self.shard.blocks(self.schedule)
        async with trio.open_nursery() as playing:
            while True:
                # A batch is made up when it can be played: the later, the better known is the pace.
                token = object()
                await engine.in_flight.acquire_on_behalf_of(token)
                batch = self._batch(blocks)
                if not batch:
                    return
                playing.start_soon(self._play_batch, batch, token, playing.cancel_scope)

    def _batch(self, blocks: Iterator[Block]) -> deque[Series]:
        """Return the series to be played of one block, or of several that make one chunk."""
        batch: deque[Series] = deque()
        worth_s = 0.0
        for block in blocks:
            for series in block.series():
                self.pace.passed(series.entry)
                if not self.store.has(series.id):
                    batch.append(series)
                    worth_s += self.pace.seconds(series.entry)
            if batch and worth_s >= self.pace.target_s(self._at_once):
                break
        return batch

    @property
    def _at_once(self) -> int:
        return int(self.engine.in_flight.total_tokens)

    async def _play_batch(
        self, batch: deque[Series], token: object, all_work: trio.CancelScope
    ) -> None:
        """Play series that nobody else plays, in their order, so that none shares a deal."""
        try:
            while batch:
                await self._play(self.pace.cut(batch, self._at_once))
        finally:
            self.engine.in_flight.release_on_behalf_of(token)
        if self.enough():
            all_work.cancel()

    async def _play(self, chunk: list[Series]) -> None:
        for series in chunk:
            self.watcher.began(series)
        try:
            outcomes = await self._outcomes_of(chunk)
        except EngineGoneError as error:
            self.gone = str(error)
            self.interrupted = True
            self.everything.cancel()
            return
        try:
            self._keep(zip(chunk, outcomes, strict=True))
        except OSError as error:
            self.stopped = (
                f"{error.filename or self.store.folder}: {error.strerror}; "
                f"the same command goes on when that is mended"
            )
            self.everything.cancel()

    async def _outcomes_of(self, chunk: list[Series]) -> list[Outcome]:
        try:
            specs = [spec_of(self.store, series) for series in chunk]
        except ProgramError as error:
            failure = Failure(str(error), str(error))
            return [Outcome(series.id, 0.0, failure=failure) for series in chunk]
        return await self.engine.play(specs)

    def _keep(self, played: Iterable[tuple[Series, Outcome]]) -> None:
        """Store what has been played; the first result of a series counts, no other one does."""
        results: dict[Series, SeriesResult] = {}
        for series, outcome in played:
            if outcome.failure is not None:
                self.aborted.append(series.id)
                write_whole(self._trace_of(series), outcome.failure.trace.encode(errors="replace"))
                self.watcher.aborted(series, outcome.failure.reason)
            elif outcome.result is not None and not self.store.has(series.id):
                self.pace.played(series.entry, outcome.seconds)
                results[series] = outcome.result
        if results:
            self.store.save_all({series.id: result for series, result in results.items()})
        for series, result in results.items():
            for bot, stderr in result.stderr.items():
                if stderr:
                    self.store.save_stderr(series.id, bot, stderr)
            self._trace_of(series).unlink(missing_ok=True)
            self.watcher.ended(series, result.games)

    def _trace_of(self, series: Series) -> Path:
        """Return where it is kept why a series was aborted, until it succeeds."""
        return self.store.folder / f"aborted-{series.id}.txt"
