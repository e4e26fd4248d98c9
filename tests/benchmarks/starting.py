"""(d) Start and stop of a series, with isolation and without, beside Popen's own time."""

import subprocess
from collections.abc import Callable
from functools import partial
from time import perf_counter

import trio

from referee.bot import Watchdog
from referee.bot.limits import DEFAULT_LIMITS
from referee.bot.process import environment_of
from referee.bot.spawn import Launch, spawn
from referee.games.game import find_game
from referee.sandbox import Mode, find_isolation, sandbox_of
from tests.benchmarks import subject
from tests.benchmarks.bots import RANDOM, first_bot
from tests.benchmarks.report import Report, Target, medians, pinned

MOST_MS = {"off": 1.0, "bwrap": 7.0}
SEATS = 4


def _popen_ms(launch: Launch) -> float:
    """Start a process and see it running, as Popen alone does; return the least of some times."""
    figures = []
    for _ in range(20):
        began = perf_counter()
        process = subprocess.Popen(
            launch.argv,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=launch.folder,
            env=environment_of({}),
            start_new_session=True,
        )
        figures.append((perf_counter() - began) * 1000)
        process.kill()
        process.communicate()
    return min(figures)


def _spawn_ms(launch: Launch, isolation: Mode) -> float:
    """Start a process as the referee does, limits and all; return the least of some times."""

    async def spawn_some() -> float:
        watchdog = Watchdog()
        figures = []
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watchdog.run)
            for _ in range(20):
                began = perf_counter()
                child = await spawn(
                    launch, environment_of({}), DEFAULT_LIMITS, sandbox_of(isolation), watchdog
                )
                figures.append((perf_counter() - began) * 1000)
                await child.end()
                child.close()
            nursery.cancel_scope.cancel()
        return min(figures)

    return trio.run(spawn_some)


def _series_ms(launch: Launch, isolation: Mode) -> float:
    """Play a series of one tiny game from start to stop."""
    spec = subject.spec_of(
        find_game("pitch"),
        SEATS,
        launch,
        [bytes(32)],
        isolation=isolation,
        rules={"max_hands": 1},
    )
    began = perf_counter()
    (result,) = subject.play(spec)
    assert subject.faultless([result])
    return (perf_counter() - began) * 1000


def run(*, quick: bool = False) -> Report:
    """Measure a start, and a series of one tiny game at four seats, pinned to one core."""
    rounds = 1 if quick else 7
    report = Report(
        part="d",
        title="start and stop",
        columns=["bots", "isolation", "a start, ms", "over Popen, ms", f"a series of {SEATS}, ms"],
    )
    isolations: list[Mode] = ["off"]
    if find_isolation("auto").mode != "off":
        isolations.append("bwrap")
    else:
        report.notes.append("no isolation: it does not work on this machine")
    with pinned(), first_bot() as first:
        for language, launch in (("C", first), ("Python", RANDOM)):
            if launch is not None:
                _measure(report, language, launch, isolations, rounds)
    return report


def _measure(
    report: Report, language: str, launch: Launch, isolations: list[Mode], rounds: int
) -> None:
    subjects = dict[str, Callable[[], float]](popen=partial(_popen_ms, launch))
    for mode in isolations:
        subjects[f"{mode} start"] = partial(_spawn_ms, launch, mode)
        subjects[f"{mode} series"] = partial(_series_ms, launch, mode)
    found = medians(rounds, **subjects)
    report.rows.append([language, "(Popen alone)", found["popen"], None, None])
    for mode in isolations:
        over_ms = found[f"{mode} start"] - found["popen"]
        report.rows.append(
            [language, mode, found[f"{mode} start"], over_ms, found[f"{mode} series"]]
        )
        report.targets.append(
            Target(f"{language}, {mode}: a start over Popen's, ms", over_ms, MOST_MS[mode])
        )
