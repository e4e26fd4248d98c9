"""A series: one table, one block of deals, fresh processes.

The unit of process life: bots are started for a series, play its games one after another, and are
stopped. A spec holds all that is needed, and nothing of other series, so that it can be played
anywhere.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial

import msgspec
import trio

from referee.bot import Bot, Verdict, Watchdog
from referee.bot.limits import DEFAULT_LIMITS, Limits
from referee.bot.spawn import Launch
from referee.bot.stream import Tail
from referee.bot.wire import Trace
from referee.games.game import find_game
from referee.program import ProgramError
from referee.protocol import Reason, TimeControl
from referee.record.lines import Heard, NoteLine, with_notes
from referee.record.result import GameResult
from referee.sandbox import Mode, Sandbox, sandbox_of
from referee.table import Deal, Setting, Table

GIVE_UP_AFTER = 3
"""Games in a row lost to ``startup`` or ``timeout``, after which a bot is not started again."""


class SeriesSpec(msgspec.Struct, frozen=True):
    """What to play: the setting, the games in their order, and how to start each bot by name.

    ``limits`` hold for each bot. ``isolation`` is what ``find_isolation`` found.
    """

    setting: Setting
    deals: Sequence[Deal]
    bots: dict[str, Launch]
    limits: Limits = DEFAULT_LIMITS
    isolation: Mode = "off"


class SeriesResult(msgspec.Struct, frozen=True):
    """What was played: the results and records of the games, and each bot's standard error.

    ``isolation`` is how the bots were kept apart.
    """

    games: list[GameResult]
    records: list[bytes]
    stderr: dict[str, bytes]
    isolation: Mode = "off"


class Contender:
    """A bot from its start on: the process that plays now, and what became of those before."""

    def __init__(
        self,
        launch: Launch,
        watchdog: Watchdog,
        trace: Trace | None,
        limits: Limits,
        sandbox: Sandbox | None,
    ) -> None:
        self.launch = launch
        self.watchdog = watchdog
        self.trace = trace
        self.limits = limits
        self.sandbox = sandbox
        self.stderr = Tail(limits.stderr_kb * 1024 // 2)
        self.lost_in_a_row = 0
        self.bot = self._new_bot()

    def _new_bot(self) -> Bot:
        return Bot(self.launch, self.watchdog, self.stderr, self.trace, self.limits, self.sandbox)

    async def restart(self, nursery: trio.Nursery, startup_ms: int) -> None:
        """Have a new process for the next game, where the one that is there plays no more."""
        await self.bot.stop(0)
        self.bot = self._new_bot()
        if self.lost_in_a_row < GIVE_UP_AFTER:
            await self.bot.start(nursery, startup_ms)
        else:
            detail = f"not started again: {GIVE_UP_AFTER} games in a row were lost so"
            self.bot.verdict = Verdict(Reason.STARTUP, detail)

    def ending(self) -> str | None:
        """Say how a process ended that should play on; None while there is nothing to say."""
        return None if self.bot.verdict is not None else self.bot.has_ended()

    def departure(self, grace_ms: int) -> str | None:
        """Say how the process left when the series was over; None for one that left properly."""
        if self.bot.verdict is not None or self.bot.left == "ended with exit code 0":
            return None
        if self.bot.left is None and grace_ms > 0:
            return f"did not end within {grace_ms} ms and was killed"
        return self.bot.left


async def play_series(
    spec: SeriesSpec,
    watchdog: Watchdog,
    trace: Callable[[str, str, bytes], None] | None = None,
    heard: Heard | None = None,
) -> SeriesResult:
    """Start the bots, play the games, stop the bots; whatever happens, none is left.

    ``watchdog.run`` must be running. ``trace`` hears every line that goes either way, after the
    bot's name and the way; ``heard`` is told each line of the records. Raises SandboxError where
    the isolation does not work on this machine, and ShortageError where the machine can start no
    processes for a minute.
    """
    time = spec.setting.time
    game = find_game(spec.setting.game)
    sandbox = sandbox_of(spec.isolation)
    players = {
        name: Contender(launch, watchdog, trace and partial(trace, name), spec.limits, sandbox)
        for name, launch in spec.bots.items()
    }
    result = SeriesResult([], [], {}, spec.isolation)
    grace_ms = 0
    async with trio.open_nursery() as nursery:
        seated: list[Contender] = []
        try:
            for deal in spec.deals:
                _note_endings(result, [player.ending() for player in seated])
                seated = [players[player.bot] for player in deal.players]
                if watchdog.now() >= watchdog.turn_ends:
                    await watchdog.share()
                if lost := [player for player in seated if not player.bot.is_alive]:
                    await _side_by_side(partial(p.restart, nursery, time.startup_ms) for p in lost)
                table = Table(game, spec.setting, deal, [p.bot for p in seated], watchdog, heard)
                try:
                    outcome, record = await table.play(nursery)
                except Exception as error:
                    so_far = table.record.so_far.decode()
                    error.add_note(f"In deal {deal.deal}. Its record so far:\n{so_far}")
                    raise
                result.games.append(outcome)
                result.records.append(record)
                for seat, player in enumerate(seated):
                    is_lost = table.forfeit_reason(seat) in (Reason.STARTUP, Reason.TIMEOUT)
                    player.lost_in_a_row = player.lost_in_a_row + 1 if is_lost else 0
            grace_ms = time.grace_ms
        finally:
            # A run that is interrupted gives no grace, not even one that had begun.
            await _side_by_side(
                partial(player.bot.stop, grace_ms, say_bye=True) for player in players.values()
            )
    _note_endings(result, [player.departure(grace_ms) for player in seated])
    for name, player in players.items():
        result.stderr[name] = player.stderr.kept()
    return result


def _note_endings(result: SeriesResult, endings: Sequence[str | None]) -> None:
    """Note in the last game's record whose process ended after it, if that is not there yet."""
    notes = [
        NoteLine(seat, f"the process {ending} after the game")
        for seat, ending in enumerate(endings)
        if ending is not None and ending.encode() not in result.records[-1]
    ]
    if notes:
        result.records[-1] = with_notes(result.records[-1], notes)


async def try_bots(
    launches: Mapping[str, Launch],
    time: TimeControl,
    watchdog: Watchdog,
    *,
    at_once: int,
    limits: Limits = DEFAULT_LIMITS,
    isolation: Mode = "off",
) -> dict[str, str]:
    """Start every bot once, as for a series; say what is wrong with those that fail.

    At most ``at_once`` run at a time; ``watchdog.run`` must be running.
    """
    failures: dict[str, str] = {}
    sandbox = sandbox_of(isolation)
    limiter = trio.CapacityLimiter(at_once)

    async def try_bot(name: str, launch: Launch) -> None:
        async with limiter, trio.open_nursery() as nursery:
            stderr = Tail(32 * 1024)
            bot = Bot(launch, watchdog, stderr, None, limits, sandbox)
            try:
                await bot.start(nursery, time.startup_ms)
            finally:
                await bot.stop(time.grace_ms, say_bye=True)
            if bot.verdict is not None:
                failures[name] = "\n".join(filter(None, (bot.verdict.detail, stderr.end())))

    await _side_by_side(partial(try_bot, name, launch) for name, launch in launches.items())
    return {name: failures[name] for name in launches if name in failures}


def check_start(failures: Mapping[str, str]) -> None:
    """Raise ProgramError that names the bots that ``try_bots`` found wanting."""
    if failures:
        words = "".join(f"\n{name}: {words}" for name, words in failures.items())
        raise ProgramError(
            f"not started: {', '.join(failures)} (--force plays on, with forfeits){words}"
        )


async def _side_by_side(calls: Iterable[Callable[[], Awaitable[None]]]) -> None:
    async with trio.open_nursery() as nursery:
        for call in calls:
            nursery.start_soon(call)
