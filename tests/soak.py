"""5,000 short games in one process: ``python -m tests.soak [GAMES]``; exit code 1 for a leak.

A real run, in a temporary folder: three bots, one of which loses half its games by a fault and is
started anew each time. After every tenth a line of figures; memory must be flat within a tenth
after the first, descriptors and threads as many as then, and no zombie may be left.
"""

import gc
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from referee.bot.tree import children
from referee.record.result import GameResult
from referee.show.live import PlainWatcher
from referee.tournament.config import load_config
from referee.tournament.prepare import find_or_make, hold
from referee.tournament.runner import play
from referee.tournament.schedule import Series
from referee.tournament.sizing import schedule_of

BLOCK = 25
GROWTH = 1.1
BOT = Path(__file__).parent / "hostile" / "hostile.py"
CONFIG = """
[tournament]
seed = "soak"
block = {block}
[[games]]
game = "pitch"
seats = 2
deals = {deals}
rules = {{ max_hands = 1 }}
"""


class Figures(NamedTuple):
    """What this process holds."""

    memory_kib: int
    descriptors: int
    threads: int
    zombies: int

    @classmethod
    def now(cls) -> "Figures":
        """Look at this process."""
        gc.collect()
        status = Path("/proc/self/status").read_text(encoding="ascii")
        memory = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        stats = (
            Path(f"/proc/{pid}/stat") for pid in children(int(Path("/proc/self").readlink().name))
        )
        zombies = sum(
            ") Z " in stat.read_text(encoding="utf-8", errors="replace") for stat in stats
        )
        descriptors = len(list(Path("/proc/self/fd").iterdir()))
        return cls(int(memory.split()[1]), descriptors, threading.active_count(), zombies)


class Watcher(PlainWatcher):
    """Says after every tenth of the games what this process holds."""

    def __init__(self, games: int) -> None:
        super().__init__(Console(quiet=True), games, 0)
        self.figures: list[Figures] = []
        self._every = games // 10
        self._start = time.monotonic()

    def ended(self, series: Series, games: Sequence[GameResult]) -> None:
        """Take note that a series has been played and stored."""
        super().ended(series, games)
        if self.played >= self._every * (len(self.figures) + 1):
            self.figures.append(figures := Figures.now())
            seconds = time.monotonic() - self._start
            sys.stdout.write(f"{self.played:6} games {seconds:6.0f} s  {figures}\n")
            sys.stdout.flush()


def main(games: int = 5000) -> int:
    """Play so many games, or a few more; return the exit code."""
    deals = -(-games // (3 * 2 * BLOCK)) * BLOCK  # three tables of two, both ways round
    config = CONFIG.format(block=BLOCK, deals=deals)
    for number, way in enumerate(("Honest", "Honest", "AnswersEnd"), 1):
        command = f"python {BOT.name} {way}"
        config += f'[[bots]]\nname = "bot {number}"\npath = "{BOT}"\ncommand = "{command}"\n'
    with tempfile.TemporaryDirectory(prefix="referee-soak-") as folder:
        path = Path(folder) / "soak.toml"
        path.write_text(config, encoding="utf-8")
        loaded = load_config(path)
        watcher = Watcher(schedule_of(loaded).games)
        with hold(Path(folder) / "run"):
            store = find_or_make(loaded, Path(folder) / "run")
            play(store, schedule_of(store.config), watcher, force=True)
    last = Figures.now()
    early = watcher.figures[0]
    sys.stdout.write(f"   after the run            {last}\n")
    late = watcher.figures[-1]
    flat = late.memory_kib <= GROWTH * early.memory_kib and last.descriptors <= early.descriptors
    clean = last.zombies == 0 and late.threads <= early.threads
    growth = late.memory_kib / early.memory_kib - 1
    sys.stdout.write(f"memory {growth:+.1%}: {'flat and clean' if flat and clean else 'a leak'}\n")
    return 0 if flat and clean else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
