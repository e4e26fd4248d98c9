"""(e) Scaling: 1, 2 and 4 tables at once, beside bare busy loops. Not pinned, of course."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from referee.bot.spawn import Launch
from tests.benchmarks.bots import RANDOM, first_bot
from tests.benchmarks.report import Report, Target, medians, seconds

TABLES = (1, 2, 4)
LEAST_SHARE = 0.85
"""Of the speed-up of two bare busy loops: what two worker processes reach."""
BUSY = [sys.executable, "-c", "for _ in range(20_000_000): pass"]
ENGINES = ("local", "processes")


def _busy_s(loops: int) -> float:
    def run() -> None:
        with ExitStack() as stack:
            for _ in range(loops):
                stack.enter_context(subprocess.Popen(BUSY))

    return seconds(run)


def _config(folder: Path, launch: Launch, engine: str, deals: int) -> Path:
    """Write a tournament of Pitch for 4 bots at 2 seats: 6 tables, two games a deal."""
    bots = "".join(
        f"[[bots]]\nname = 'bot {number}'\npath = '{launch.folder}/{launch.argv[-1]}'\n"
        for number in range(4)
    )
    path = folder / f"{engine}.toml"
    path.write_text(
        f"""
        [tournament]
        seed = "scaling"
        block = {deals}
        [limits]
        sandbox = "off"
        [run]
        engine = "{engine}"
        [[games]]
        game = "pitch"
        seats = 2
        deals = {deals}
        {bots}
        """,
        encoding="utf-8",
    )
    return path


def _tournament_s(config: Path, tables: int) -> float:
    """Play a tournament by its command, its start-up included."""
    argv = [sys.executable, "-m", "referee", "tournament", str(config)]
    options = ["--fresh", "--force", "--concurrency", str(tables), "--json"]
    with tempfile.TemporaryDirectory(prefix="referee-benchmark-") as out:
        words = [*argv, *options, "--out", f"{out}/run"]
        return seconds(lambda: subprocess.run(words, check=True, capture_output=True))


def run(*, quick: bool = False) -> Report:
    """Measure whole tournaments with bots in C where there is a compiler."""
    rounds, deals = (1, 1) if quick else (3, 60)
    report = Report(
        part="e",
        title=f"{12 * deals:,} games of pitch at 2 seats, by tables at once",
        columns=["engine", "tables", "s", "speed-up"],
    )
    with first_bot() as first, tempfile.TemporaryDirectory(prefix="referee-benchmark-") as name:
        subjects = dict[str, Callable[[], float]]()
        for tables in TABLES[:1] if quick else TABLES:
            subjects[f"busy {tables}"] = partial(_busy_s, tables)
            for engine in ENGINES[:1] if quick else ENGINES:
                config = _config(Path(name), first or RANDOM, engine, deals)
                subjects[f"{engine} {tables}"] = partial(_tournament_s, config, tables)
        found = medians(rounds, **subjects)
    speed_ups = {}
    for key, each_s in found.items():
        engine, number = key.split()
        work = int(number) if engine == "busy" else 1
        speed_ups[key] = work * found[f"{engine} 1"] / each_s
        report.rows.append([engine, int(number), each_s, speed_ups[key]])
    report.notes.append(f"this process may use {len(os.sched_getaffinity(0))} cores")
    if "busy 2" in speed_ups:
        share = speed_ups["processes 2"] / speed_ups["busy 2"]
        report.targets.append(
            Target(
                "two processes, of the speed-up of busy loops", share, LEAST_SHARE, at_least=True
            )
        )
    return report
