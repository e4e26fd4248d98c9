"""Plays a run's series: bounded concurrency, what is stored already left alone.

The unit of work is a block: its rotations share their deals, so they are played one after another;
different blocks are played side by side.
"""

import os
import signal
import traceback
from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec
import trio

from referee.bot import Watchdog
from referee.bot.process import Launch
from referee.cards import bot_seed, deal_seed
from referee.record.lines import Player
from referee.record.result import GameResult
from referee.series import SeriesResult, SeriesSpec, play_series
from referee.table import Deal, Setting
from referee.tournament.config import Config
from referee.tournament.schedule import Block, Entry, Schedule, Series
from referee.tournament.store import Store, write_whole


class Watcher(Protocol):
    """What wants to know how a run goes on. Calls must be quick and must not raise."""

    def began(self, series: Series) -> None:
        """Take note that a series is being played."""

    def ended(self, series: Series, games: Sequence[GameResult]) -> None:
        """Take note that a series has been played and stored."""

    def aborted(self, series: Series, reason: str) -> None:
        """Take note that a series could not be played, by a bug; the run goes on."""


class Ending(msgspec.Struct, frozen=True):
    """How playing ended: ``interrupted`` by a signal, or with some series ``aborted``."""

    interrupted: bool
    aborted: list[str]


def entries_of(config: Config) -> list[Entry]:
    """Return what the schedule needs to know of a config's entries."""
    return [
        Entry(
            game=entry.game,
            seats=entry.seats,
            deals=entry.deals,
            bots=tuple(bot.name for bot in config.bots_of(entry)),
        )
        for entry in config.games
    ]


def schedule_of(config: Config) -> Schedule:
    """Return the schedule that a config asks for."""
    tournament = config.tournament
    return Schedule(entries_of(config), tournament.seating, tournament.rounds, tournament.block)


def concurrency_of(config: Config) -> int:
    """Return how many tables are played at a time."""
    concurrency = config.run.concurrency
    if concurrency != "auto":
        return concurrency
    cores = len(os.sched_getaffinity(0))
    seats = max(entry.seats for entry in config.games)
    memory_mb = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**20
    return max(1, min(cores, int(0.8 * memory_mb / (seats * config.limits.memory_mb))))


def launch_of(store: Store, name: str) -> Launch:
    """Return how to start the run's own copy of a bot."""
    bot = next(bot for bot in store.config.bots if bot.name == name)
    program = bot.program
    return Launch(program.argv, str(program.folder), bot.env)


def spec_of(store: Store, series: Series) -> SeriesSpec:
    """Return all that is needed to play a series: its own seeds, and no secret."""
    config = store.config
    entry = config.games[series.entry - 1]
    setting = Setting(
        game=entry.game,
        rules=msgspec.to_builtins(entry.rules),
        time=config.time,
        strikes=config.faults.strikes,
        names_shown=config.tournament.names == "shown",
        series=series.id,
    )
    deals = [
        Deal(
            deal=deal,
            seed=deal_seed(store.secret, entry.game, entry.seats, deal).hex(),
            players=[Player(bot, store.versions[bot]) for bot in seating],
            bot_seeds=[
                bot_seed(store.secret, series.entry, series.table, series.rotation, deal, seat)
                for seat in range(entry.seats)
            ],
        )
        for deal, seating in zip(series.deals, series.seatings, strict=True)
    ]
    bots = {name: launch_of(store, name) for name in series.seatings[0]}
    return SeriesSpec(setting, deals, bots, config.limits.stderr_kb)


async def play(store: Store, schedule: Schedule, concurrency: int, watcher: Watcher) -> Ending:
    """Play every series that is not stored yet.

    SIGINT, SIGTERM and SIGHUP stop all bots and leave a run that can be resumed.
    """
    aborted: list[str] = []
    interrupted = False
    blocks = schedule.blocks()
    watchdog = Watchdog()

    async def work(blocks: Iterator[Block]) -> None:
        for block in blocks:
            for series in block.series():
                if not store.has(series.id):
                    await play_one(series)

    async def play_one(series: Series) -> None:
        watcher.began(series)
        try:
            result = await play_series(spec_of(store, series), watchdog)
        except Exception as error:  # noqa: BLE001 a bug in one table must not end the run
            aborted.append(series.id)
            write_whole(store.folder / f"aborted-{series.id}.txt", _trace(error))
            watcher.aborted(series, f"{type(error).__name__}: {error}")
            return
        _keep(store, series, result)
        watcher.ended(series, result.games)

    async def listen(nursery: trio.Nursery) -> None:
        nonlocal interrupted
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM, signal.SIGHUP) as signals:
            async for _ in signals:
                interrupted = True
                nursery.cancel_scope.cancel()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(watchdog.run)
        async with trio.open_nursery() as working:
            nursery.start_soon(listen, nursery)
            for _ in range(concurrency):
                working.start_soon(work, blocks)
        nursery.cancel_scope.cancel()
    return Ending(interrupted, aborted)


def _keep(store: Store, series: Series, result: SeriesResult) -> None:
    for bot, stderr in result.stderr.items():
        if stderr:
            store.save_stderr(series.id, bot, stderr)
    store.save(series.id, result.games, result.records)


def _trace(error: BaseException) -> bytes:
    return "".join(traceback.format_exception(error)).encode(errors="replace")
