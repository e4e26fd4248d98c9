"""(a) A question, all included, against the bare blocking loop: same bots, same bytes."""

from collections.abc import Callable
from hashlib import sha256
from time import perf_counter
from typing import Literal

from referee.bot.spawn import Launch
from referee.games.game import find_game
from referee.sandbox import find_isolation
from tests.benchmarks import control, subject
from tests.benchmarks.bots import RANDOM, first_bot
from tests.benchmarks.report import Report, Target, medians, pinned

GAME = find_game("oh_hell")
SEATS = 4
SHARES = {"C": 0.75, "Python": 0.60}
"""How much of the control's speed the referee keeps, at least, by the bots' language."""
MOST_US = 35
"""With bots in C: half of what fastchess takes for a move."""
MOST_IN_PROCESS_US = 10


def _seeds(games: int) -> list[bytes]:
    return [sha256(bytes([number])).digest() for number in range(games)]


def _us_a_question(play: Callable[[bytes], int], games: int) -> float:
    """Return a question's microseconds in the least disturbed of some games."""
    figures = []
    for seed in _seeds(games + 1):
        began = perf_counter()
        asked = play(seed)
        figures.append((perf_counter() - began) / asked * 1e6)
    return min(figures[1:])


def _in_process(games: int) -> float:
    return _us_a_question(
        lambda seed: control.play(GAME, [control.InProcess() for _ in range(SEATS)], seed)[0], games
    )


def _control(launch: Launch, games: int) -> float:
    with control.pipes(launch, SEATS) as bots:
        return _us_a_question(lambda seed: control.play(GAME, bots, seed)[0], games)


def _subject(
    launch: Launch,
    games: int,
    ponder: Literal["measure", "stop"] = "measure",
    *,
    isolated: bool = False,
) -> float:
    isolation = find_isolation("auto").mode if isolated else "off"
    spec = subject.spec_of(
        GAME, SEATS, launch, _seeds(games + 1), ponder=ponder, isolation=isolation
    )
    results = subject.play(spec)
    assert subject.faultless(results), results[0].games[0].faults
    assert isinstance(spec.deals, subject.Timed)
    asked = [sum(times.decisions for times in game.times) for game in results[0].games]
    figures = [s / n * 1e6 for s, n in zip(spec.deals.seconds, asked, strict=True)]
    return min(figures[1:])


def run(*, quick: bool = False) -> Report:
    """Measure a question of Oh Hell at four seats, pinned to one core."""
    rounds, games = (1, 1) if quick else (7, 5)
    report = Report(
        part="a",
        title=f"a question of {GAME.name} at {SEATS} seats, all included",
        columns=["bots", "way", "us", "share of control"],
    )
    with pinned(), first_bot() as first:
        bare_us = medians(rounds, us=lambda: _in_process(games))["us"]
        report.rows.append(["none", "in process", bare_us, None])
        report.targets.append(Target("in process, us", bare_us, MOST_IN_PROCESS_US))
        if first is None:
            report.notes.append("no bots in C: there is no compiler here")
        for language, launch in (("C", first), ("Python", RANDOM)):
            if launch is not None:
                _compare(report, language, launch, rounds, games)
    return report


def _compare(report: Report, language: str, launch: Launch, rounds: int, games: int) -> None:
    found = medians(
        rounds,
        control=lambda: _control(launch, games),
        off=lambda: _subject(launch, games),
        stop=lambda: _subject(launch, games, "stop"),
        isolated=lambda: _subject(launch, games, isolated=True),
    )
    ways = {
        "control": "blocking control",
        "off": "referee, sandbox off",
        "stop": "... and ponder = stop",
        "isolated": f"referee, sandbox {find_isolation('auto').mode}",
    }
    for key, way in ways.items():
        report.rows.append([language, way, found[key], found["control"] / found[key]])
    share = found["control"] / found["off"]
    report.targets.append(
        Target(f"share of control, {language}", share, SHARES[language], at_least=True)
    )
    if language == "C":
        report.targets.append(Target("bots in C, us a question", found["off"], MOST_US))
