"""Tables with a hostile bot, played end to end; whatever it does, the rest must be in order."""

import gc
import itertools
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Self

import msgspec
import trio
from msgspec.structs import replace

from referee.bot import Watchdog
from referee.bot.limits import Limits
from referee.bot.spawn import Launch
from referee.games.game import find_game
from referee.protocol import Reason, TimeControl
from referee.record.lines import Player
from referee.record.result import GameResult
from referee.record.verify import verify_record
from referee.sandbox import Mode
from referee.series import SeriesResult, SeriesSpec, play_series
from referee.table import Deal, Setting
from tests.tournament.engine.left import none_left

FOLDER = Path(__file__).parent
TIME = TimeControl(startup_ms=5000, move_ms=700, bank_ms=0, grace_ms=100)
PATIENT = replace(TIME, move_ms=10_000)
SMALL = Limits(memory_mb=128, processes=32, file_mb=4, stderr_kb=64, cpu_factor=50)
RULES: dict[str, dict[str, Any]] = {
    "pitch": {"max_hands": 1},
    "cancellation_hearts": {"max_hands": 1},
    "oh_hell": {"bidding": "simultaneous"},
}
"""Short games, and such as ask several seats at once."""
_marks = (f"referee-test-{os.getpid()}-{number}" for number in itertools.count())


class Played:
    """What came of a series; the hostile bot has seat 0."""

    def __init__(self, result: SeriesResult) -> None:
        self.result = result

    @property
    def game(self) -> GameResult:
        """The first game."""
        return self.result.games[0]

    def faults(self, game: int = 0) -> list[tuple[Reason, str]]:
        """Return the hostile bot's faults in a game."""
        return [(f.reason, f.detail) for f in self.result.games[game].faults if f.seat == 0]

    @property
    def verdict(self) -> Reason | None:
        """The reason of the hostile bot's one fault in the first game, if it has one."""
        reasons = [reason for reason, _ in self.faults()]
        assert len(reasons) <= 1
        return reasons[0] if reasons else None

    @property
    def detail(self) -> str:
        """What is said of that fault."""
        ((_, detail),) = self.faults()
        return detail

    def lines(self, kind: str, game: int = 0) -> list[dict[str, Any]]:
        """Return the hostile bot's lines of this type in a game's record."""
        lines = [json.loads(line) for line in self.result.records[game].splitlines()]
        return [line for line in lines if line["type"] == kind and line["seat"] == 0]

    def note(self, game: int = 0) -> str:
        """Return the first note that the hostile bot made."""
        notes: list[str] = [c["note"] for c in self.lines("choice", game) if "note" in c]
        return notes[0]

    def remarks(self) -> list[str]:
        """Return what the record of the first game notes of the hostile bot."""
        return [line["detail"] for line in self.lines("note")]


def hostile(way: str, *places: str) -> Launch:
    """Return how to start a bot that misbehaves in this way."""
    return Launch([sys.executable, "./hostile.py", way, next(_marks), *places], str(FOLDER))


def play(
    bot: Launch,
    isolation: Mode,
    *,
    games: int = 1,
    limits: Limits = SMALL,
    clock: TimeControl = TIME,
    game: str = "pitch",
    seats: int = 2,
    honest: str = "Honest",
    beside: Callable[[], Awaitable[None]] = trio.lowlevel.checkpoint,
    trace: Callable[[str, str, bytes], None] | None = None,
) -> Played:
    """Play games between a hostile bot and honest ones.

    ``beside`` is run meanwhile; ``trace`` hears every line, after the bot's name and the way. The
    honest ones must be without a fault and every record whole; of the hostile one's processes
    nothing may be left, nor a zombie or a descriptor of the referee's.
    """
    bots = {"hostile": bot} | {f"honest-{seat}": hostile(honest) for seat in range(1, seats)}
    rules = RULES.get(game, {})
    full_rules = msgspec.to_builtins(find_game(game).rules(rules, seats))
    setting = Setting(game, full_rules, clock, 1, names_shown=False, series="0-1-0-1")
    players = [Player(name, "sha256:0") for name in bots]
    deals = [Deal(n, f"{n:064x}", players, [n] * seats) for n in range(1, games + 1)]
    spec = SeriesSpec(setting, deals, bots, limits, isolation)
    before = descriptors()
    result = trio.run(_play, spec, beside, trace)
    assert descriptors() == before
    assert_all_gone(bot.argv)
    for record in result.records:
        assert verify_record(record.splitlines()) is None
    assert len(result.games) == games
    assert not [fault for each in result.games for fault in each.faults if fault.seat != 0]
    return Played(result)


async def _play(
    spec: SeriesSpec,
    beside: Callable[[], Awaitable[None]],
    trace: Callable[[str, str, bytes], None] | None,
) -> SeriesResult:
    watchdog = Watchdog()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(beside)
        nursery.start_soon(watchdog.run)
        result = await play_series(spec, watchdog, trace)
        nursery.cancel_scope.cancel()
    return result


def descriptors() -> list[str]:
    return sorted(path.name for path in Path("/proc/self/fd").iterdir())


def assert_all_gone(argv: Sequence[str]) -> None:
    """Of this bot's processes none lives, and this process has no child, not even a zombie."""
    mark = next((word for word in argv if word.startswith("referee-test-")), None)
    assert mark is None or processes_with(mark) == []
    assert none_left(within_s=0)  # no child, no zombie


def processes_with(mark: str) -> list[int]:
    """List the processes of the machine that have this word in their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark.encode() in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


class Peak:
    """How much the referee's own memory rose at most while something was done, in MiB."""

    def __enter__(self) -> Self:
        gc.collect()
        Path("/proc/self/clear_refs").write_text("5")  # forget the peak that there was
        self._before = self._kib("VmRSS")
        self._began = time.monotonic()
        return self

    def __exit__(self, *_: object) -> None:
        self.mib = (self._kib("VmHWM") - self._before) / 1024
        self.seconds = time.monotonic() - self._began

    @staticmethod
    def _kib(name: str) -> int:
        status = Path("/proc/self/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith(name))
