"""(b) Games a second for each game, with the smallest Python bot, and where their time goes."""

import tempfile
from functools import partial
from hashlib import sha256
from pathlib import Path
from statistics import median

from referee.games.game import Game, find_game, games
from referee.tournament import store
from tests.benchmarks import subject
from tests.benchmarks.bots import RANDOM
from tests.benchmarks.parts import PARTS, Parts
from tests.benchmarks.report import Report, medians, pinned, seconds


def _seeds(count: int) -> list[bytes]:
    return [sha256(bytes([number])).digest() for number in range(count)]


def _game_s(game: Game, seats: int, count: int) -> float:
    """Return what a game takes, the bots' start left out: the least of some."""
    spec = subject.spec_of(game, seats, RANDOM, _seeds(count + 1))
    assert subject.faultless(subject.play(spec))
    assert isinstance(spec.deals, subject.Timed)
    return min(spec.deals.seconds[1:])


def _profile(game: Game, seats: int, count: int) -> tuple[int, dict[str, float]]:
    """Return the questions of a game, and of some games the microseconds a question, by part."""
    parts = Parts()
    spec = subject.spec_of(game, seats, RANDOM, _seeds(count + 1))
    with parts.watching(game, seats):
        (result,) = subject.play(spec)
    with tempfile.TemporaryDirectory(prefix="referee-benchmark-") as folder:
        encode = store._encode
        parts.seconds["store"] = seconds(
            lambda: store.write_whole(
                Path(folder) / "series", encode("1-1-0-1", result.games, result.records, "off")
            )
        )
    assert isinstance(spec.deals, subject.Timed)
    asked = [sum(times.decisions for times in played.times) for played in result.games]
    shares = {part: parts.seconds[part] / sum(asked) * 1e6 for part in PARTS}
    # The first game's time includes the bots' start.
    whole_us = sum(spec.deals.seconds[1:]) / sum(asked[1:]) * 1e6 + shares["store"]
    shares["rest"] = whole_us - sum(shares.values())
    return asked[-1], shares


def run(*, quick: bool = False) -> Report:
    """Measure every game at its smallest and its largest table, pinned to one core."""
    rounds, count = (1, 1) if quick else (3, 3)
    report = Report(
        part="b",
        title="games a second, and microseconds a question by part (the timing's own included)",
        columns=["game", "seats", "games a second", "questions", *PARTS, "rest"],
    )
    with pinned():
        for game in [find_game("pitch")] if quick else games().values():
            for seats in [game.seats[0]] if quick else [game.seats[0], game.seats[-1]]:
                game_s = medians(rounds, s=partial(_game_s, game, seats, count))["s"]
                profiles = [_profile(game, seats, count) for _ in range(rounds)]
                asked = profiles[0][0]
                shares = {
                    part: median(shares[part] for _, shares in profiles)
                    for part in (*PARTS, "rest")
                }
                report.rows.append([game.name, seats, 1 / game_s, asked, *shares.values()])
    return report
