"""The subject: series as the referee plays them, timed game by game."""

import secrets
from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any, Literal

import msgspec
import trio

from referee.bot import Watchdog
from referee.bot.limits import Limits
from referee.bot.spawn import Launch
from referee.games.game import Game
from referee.record.lines import Player
from referee.sandbox import Mode
from referee.series import SeriesResult, SeriesSpec, play_series
from referee.table import Deal, Setting
from tests.benchmarks.control import TIME


class Timed(list[Deal]):
    """Deals that note when each is drawn: a game lasts from one draw to the next."""

    def __iter__(self) -> Iterator[Deal]:
        self.drawn = []
        for deal in super().__iter__():
            self.drawn.append(perf_counter())
            yield deal
        self.drawn.append(perf_counter())

    @property
    def seconds(self) -> list[float]:
        """How long each game took."""
        return [end - begin for begin, end in zip(self.drawn, self.drawn[1:], strict=False)]


def spec_of(
    game: Game,
    seats: int,
    launch: Launch,
    seeds: Sequence[bytes],
    *,
    ponder: Literal["measure", "stop"] = "measure",
    isolation: Mode = "off",
    rules: dict[str, Any] | None = None,
) -> SeriesSpec:
    """Return a series of one bot against itself in every seat."""
    names = [f"bot {seat}" for seat in range(seats)]
    players = [Player(name, "") for name in names]
    setting = Setting(
        game=game.name,
        rules=msgspec.to_builtins(game.rules(rules or {}, seats)),
        time=TIME,
        strikes=1,
        names_shown=False,
        series="0-1-0-1",
    )
    deals = Timed(
        Deal(number, seed.hex(), players, [secrets.randbits(53) for _ in names])
        for number, seed in enumerate(seeds, 1)
    )
    limits = Limits(ponder=ponder)
    return SeriesSpec(setting, deals, dict.fromkeys(names, launch), limits, isolation)


def play(*specs: SeriesSpec) -> list[SeriesResult]:
    """Play series side by side."""
    return trio.run(_play, specs)


async def _play(specs: Sequence[SeriesSpec]) -> list[SeriesResult]:
    watchdog = Watchdog()
    results = []

    async def play_one(spec: SeriesSpec) -> None:
        results.append(await play_series(spec, watchdog))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(watchdog.run)
        async with trio.open_nursery() as tables:
            for spec in specs:
                tables.start_soon(play_one, spec)
        nursery.cancel_scope.cancel()
    return results


def faultless(results: Sequence[SeriesResult]) -> bool:
    """Whether no bot was at fault: what is timed is play, not the referee playing alone."""
    return not any(game.faults for result in results for game in result.games)
