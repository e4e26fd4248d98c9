"""(g) A schedule of 1,000 bots at 4 seats: its first series, counting it, and what it holds."""

import tracemalloc
from functools import partial
from itertools import islice

from referee.tournament.schedule import Entry, Schedule
from tests.benchmarks.report import Report, Target, medians, pinned, seconds

BOTS, SEATS, DEALS = 1000, 4, 10
FIRST_MS = 50
MOST_GROWTH_MB = 1
"""What the memory may grow by, from the first tenth of the way to its end."""


def _schedule(rounds: int | None) -> Schedule:
    entry = Entry("pitch", SEATS, DEALS, tuple(f"bot {number}" for number in range(BOTS)))
    return Schedule([entry], "rotate", rounds, 5)


def _first(rounds: int | None) -> None:
    next(iter(_schedule(rounds).series()))


def _count(rounds: int | None) -> int:
    return _schedule(rounds).games


def _growth_mb(rounds: int | None, series: int) -> float:
    """Return how much more memory is held after so many series than after a tenth of them."""
    tracemalloc.start()
    try:
        left = iter(_schedule(rounds).series())
        held = []
        for part in (series // 10, series - series // 10):
            for _ in islice(left, part):
                pass
            held.append(tracemalloc.get_traced_memory()[0])
        return (held[1] - held[0]) / 2**20
    finally:
        tracemalloc.stop()


def run(*, quick: bool = False) -> Report:
    """Measure every possible table, and a tournament of 100 rounds."""
    series = 500 if quick else 20_000
    report = Report(
        part="g",
        title=f"the schedule of {BOTS:,} bots at {SEATS} seats",
        columns=["tables", "games", "first series, ms", "counting, ms", "growth, MB"],
    )
    with pinned():
        for name, rounds in (("every one", None), ("100 rounds", 100)):
            found = medians(
                1 if quick else 9,
                first=partial(seconds, partial(_first, rounds)),
                count=partial(seconds, partial(_count, rounds)),
            )
            first_ms, count_ms = found["first"] * 1000, found["count"] * 1000
            growth_mb = _growth_mb(rounds, series)
            report.rows.append([name, _count(rounds), first_ms, count_ms, growth_mb])
            report.targets.append(Target(f"{name}: first series, ms", first_ms, FIRST_MS))
            report.targets.append(
                Target(f"{name}: growth over {series:,} series, MB", growth_mb, MOST_GROWTH_MB)
            )
    return report
