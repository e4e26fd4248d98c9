"""Runs that were really played, for the tests that look at runs."""

import re
from pathlib import Path

from rich.console import Console

from referee.record.lines import split
from referee.show.live import PlainWatcher
from referee.tournament.config import Config, load_config
from referee.tournament.judge import Hearing
from referee.tournament.prepare import find_or_make
from referee.tournament.results import stored_series
from referee.tournament.runner import Ending, play
from referee.tournament.schedule import WHOLE, Shard
from referee.tournament.sizing import schedule_of
from referee.tournament.store import Store, lock

BOTS = Path(__file__).parent.parent.parent / "bots"

FOUR_BOTS = f"""
[[bots]]
name = "random"
path = "{BOTS}/random_bot.py"
[[bots]]
name = "greedy"
path = "{BOTS}/greedy_bot.py"
[[bots]]
name = "careful"
path = "{BOTS}/greedy_bot.py"
command = "python greedy_bot.py --style careful"
[[bots]]
name = "bold"
path = "{BOTS}/greedy_bot.py"
command = "python greedy_bot.py --style bold"
"""

SHORT = f"""
[tournament]
seed = "short"
block = 2
[[games]]
game = "pitch"
seats = 3
deals = 3
rules = {{ target = 3 }}
{FOUR_BOTS}
"""
"""36 games of Pitch in 24 series: 4 tables of three, 2 blocks, 3 rotations."""


def config_of(folder: Path, text: str = SHORT) -> Config:
    """Write a config into the folder and load it."""
    path = folder / "config.toml"
    path.write_text(text, encoding="utf-8")
    return load_config(path)


class Quiet(PlainWatcher):
    """A watcher that prints nothing."""

    def _say(self) -> None:
        pass


def play_run(config: Config, folder: Path, shard: Shard = WHOLE) -> tuple[Store, Ending]:
    """Make or resume the run of a config in this folder and play it, or a part of it, on."""
    with lock(folder):
        store = find_or_make(config, folder)
        schedule = schedule_of(store.config)
        store.set_damaged_aside()
        watcher = Quiet(
            Console(quiet=True), shard.games(schedule), shard.games(schedule, store.has)
        )
        enough = Hearing(store.config, store.games).is_over
        return store, play(store, schedule, watcher, force=False, enough=enough, shard=shard)


def play_watched(folder: Path, text: str, watcher: Quiet) -> tuple[Store, Ending]:
    """Make the run of a config with this text, in this folder, and play it under this watcher."""
    config = config_of(folder, text)
    with lock(folder / "run"):
        store = find_or_make(config, folder / "run")
        enough = Hearing(store.config, store.games).is_over
        return store, play(store, schedule_of(config), watcher, force=False, enough=enough)


def records_of(store: Store) -> dict[str, list[list[bytes]]]:
    """Return what is stored, by series, each game's lines without times."""
    return {
        series.id: [without_times(b"\n".join(record)) for record in split(store.records(series.id))]
        for series in stored_series(store)
    }


def without_times(records: bytes) -> list[bytes]:
    """Return a record's lines without what two runs of the same bots may differ in."""
    times = re.compile(rb'"(?:ms|started|sha256|bank_ms)":(?:"[^"]*"|[\d.]+)')
    return [times.sub(b"", line) for line in records.splitlines()]
