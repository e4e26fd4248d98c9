"""How much a run is: games, questions, the time expected and the time at worst.

Questions are counted by playing a few games at random in process, so that any game can be asked.
"""

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

import msgspec

from referee.cards import shuffle_of
from referee.games.game import Choice, State, find_game
from referee.tournament.config import Config
from referee.tournament.schedule import Schedule

QUESTION_MS = 0.25
"""What a question to a quick Python bot takes, all included, on an ordinary machine."""
START_MS = 40
"""What the start of a Python bot takes."""
SAMPLES = 4


class Estimate(msgspec.Struct, frozen=True):
    """How much a run is; ``expected_s`` for quick bots, ``worst_s`` if all use all their time.

    With ``at_most`` it may end before, when what is asked is clear.
    """

    games: int
    series: int
    questions: int
    expected_s: float
    worst_s: float
    at_most: bool


def estimate(config: Config, schedule: Schedule, tables: int) -> Estimate:
    """Return how much a run is when this many tables are played at a time."""
    questions = expected_ms = worst_ms = 0.0
    time = config.time
    for entry, counts in zip(config.games, schedule.counts, strict=True):
        asked = _questions(entry.game, entry.seats, entry.rules)
        questions += counts.games * asked
        expected_ms += counts.games * asked * QUESTION_MS
        expected_ms += counts.series * entry.seats * START_MS
        worst_ms += counts.games * (asked * time.move_ms + entry.seats * time.bank_ms)
        worst_ms += counts.series * (time.startup_ms + time.grace_ms)
    return Estimate(
        games=schedule.games,
        series=sum(counts.series for counts in schedule.counts),
        questions=round(questions),
        expected_s=expected_ms / 1000 / tables,
        worst_s=worst_ms / 1000 / tables,
        at_most=config.may_end_early,
    )


def _questions(game: str, seats: int, rules: object) -> float:
    """Return about how many questions a game has, from a few played at random."""
    asked: Counter[int] = Counter()
    for sample in range(SAMPLES):
        # A bug in a game ends the series that it is met in, and this count; not the run.
        with suppress(Exception):
            for state in _random_game(game, seats, rules, sample):
                asked[sample] += sum(not each.is_forced for each in state.decisions.values())
    return asked.total() / SAMPLES


def _random_game(game: str, seats: int, rules: object, sample: int) -> Iterator[State]:
    """Play a game at random; go through its states in which something is to be decided."""
    rng = random.Random(sample)  # noqa: S311 an estimate
    state = find_game(game).start(seats, rules, shuffle_of(sample.to_bytes(32, "big")))
    while state.decisions:
        yield state
        choices = {}
        for seat, decision in state.decisions.items():
            options = rng.sample(list(decision.options), decision.min)
            # Doubters at random would stretch some games: yes-or-no is mostly no.
            if set(options) <= {False, True} and rng.random() < 0.8:
                options = decision.default
            choices[seat] = Choice(options)
        state.apply(choices)
