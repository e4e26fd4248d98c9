"""(f) Memory and speed over many games, in series as a run plays them."""

import gc
from hashlib import sha256
from pathlib import Path
from statistics import median

from referee.games.game import find_game
from tests.benchmarks import subject
from tests.benchmarks.bots import RANDOM, first_bot
from tests.benchmarks.report import Report, Target, pinned

GAMES, PARTS, BLOCK = 5000, 10, 50
MOST_DRIFT = 0.10
SEATS = 4


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 2**20


def run(*, quick: bool = False) -> Report:
    """Compare the tenths of 5,000 short games, each by its least disturbed series."""
    games, block = (40, 2) if quick else (GAMES, BLOCK)
    report = Report(
        part="f",
        title=f"{games:,} games of pitch (1 hand) in series of {block}",
        columns=["games", "ms a game", "memory, MB"],
    )
    with pinned(), first_bot() as first:
        for part in range(PARTS):
            figures = []
            for series in range(games // PARTS // block):
                number = part * games + series
                seeds = [sha256(b"%d %d" % (number, game)).digest() for game in range(block)]
                spec = subject.spec_of(
                    find_game("pitch"), SEATS, first or RANDOM, seeds, rules={"max_hands": 1}
                )
                results = subject.play(spec)
                assert subject.faultless(results)
                assert isinstance(spec.deals, subject.Timed)
                figures.append(median(spec.deals.seconds))
            gc.collect()
            played = (part + 1) * games // PARTS
            report.rows.append([played, min(figures) * 1000, _resident_mb()])
    # The first tenth warms up: it is no measure of what follows.
    (_, early_ms, early_mb), (_, late_ms, late_mb) = report.rows[1], report.rows[-1]
    assert isinstance(early_ms, float)
    assert isinstance(late_ms, float)
    assert isinstance(early_mb, float)
    assert isinstance(late_mb, float)
    report.targets = [
        Target(
            "time a game, the last tenth's over the second's", late_ms / early_ms, 1 + MOST_DRIFT
        ),
        Target("memory, the last tenth's over the second's", late_mb / early_mb, 1 + MOST_DRIFT),
    ]
    return report
