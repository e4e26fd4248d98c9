"""(c) Rules alone: random play in process, beside other people's libraries driven from Python."""

import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from statistics import median
from time import perf_counter

from referee.cards import shuffle_of
from referee.games.game import Choice, Game, find_game, games
from tests.benchmarks.report import Report, Target, pinned

LIBRARIES = {"open_spiel": "OpenSpiel's oh_hell", "rlcard": "RLCard's uno"}
MOST_OF_OPEN_SPIEL = 1.5
LEAST_OF_RLCARD = 10
MOST_OF_OH_HELL = 2


def random_game(game: Game, seats: int, seed: bytes, rng: random.Random) -> int:
    """Play a game at random, with the events that follow; return how many decisions it had."""
    state = game.start(seats, game.rules({}, seats), shuffle_of(seed))
    decisions = 0
    while state.decisions:
        choices = {}
        for seat, decision in state.decisions.items():
            if decision.min == 1:
                choices[seat] = Choice([rng.choice(decision.options)])
            else:
                choices[seat] = Choice(rng.sample(list(decision.options), decision.min))
        decisions += len(choices)
        state.apply(choices)
    return decisions


def us_a_decision(game: Game, seats: int, count: int) -> float:
    """Return the least disturbed of some games, each from the deal to its end."""
    rng = random.Random(0)
    figures = []
    for number in range(count):
        began = perf_counter()
        decisions = random_game(game, seats, sha256(bytes([number])).digest(), rng)
        figures.append((perf_counter() - began) / decisions * 1e6)
    return min(figures)


def other_us(python: str, library: str, count: int) -> float | None:
    """Return what a library needs for a decision; None where it is not installed."""
    script = str(Path(__file__).with_name("other_rules.py"))
    play = subprocess.run(
        [python, script, library, str(count)], capture_output=True, text=True, check=False
    )
    return None if play.returncode else min(map(float, play.stdout.split()))


def run(*, quick: bool = False, python: str = sys.executable) -> Report:
    """Measure every game at its smallest, typical and largest table; ``python`` has the others."""
    count, rounds = (2, 1) if quick else (20, 5)
    tables = [
        (game, seats)
        for game in games().values()
        for seats in sorted({game.seats[0], game.typical_seats, game.seats[-1]})
    ]
    found: dict[tuple[str, int], list[float]] = {(game.name, s): [] for game, s in tables}
    others: dict[str, list[float | None]] = {name: [] for name in LIBRARIES}
    with pinned():
        for _ in range(rounds):
            for game, seats in tables:
                found[game.name, seats].append(us_a_decision(game, seats, count))
            for name, figures in others.items():
                figures.append(other_us(python, name, count))
    return _report({key: median(each) for key, each in found.items()}, others, python)


def _report(
    us: dict[tuple[str, int], float], others: Mapping[str, Sequence[float | None]], python: str
) -> Report:
    report = Report(
        part="c",
        title="rules alone: random play in process",
        columns=["game", "seats", "us a decision", "decisions a second", "of Oh Hell's time"],
    )
    oh_hell = us["oh_hell", find_game("oh_hell").typical_seats]
    for (name, seats), each in us.items():
        report.rows.append([name, seats, each, round(1e6 / each), each / oh_hell])
    slowest = max(each for (name, _), each in us.items() if name != "oh_hell")
    report.targets.append(
        Target("slowest table, times Oh Hell's", slowest / oh_hell, MOST_OF_OH_HELL)
    )
    medians = {}
    for name, figures in others.items():
        if there := [figure for figure in figures if figure is not None]:
            medians[name] = each = median(there)
            report.rows.append([LIBRARIES[name], 4, each, round(1e6 / each), each / oh_hell])
        else:
            report.notes.append(f"{LIBRARIES[name]} left out: {python} cannot import {name}")
    if "open_spiel" in medians:
        share = oh_hell / medians["open_spiel"]
        report.targets.append(Target("Oh Hell, times OpenSpiel's", share, MOST_OF_OPEN_SPIEL))
    if "rlcard" in medians:
        times = medians["rlcard"] / oh_hell
        report.targets.append(
            Target("Oh Hell, times as fast as uno", times, LEAST_OF_RLCARD, at_least=True)
        )
    return report
