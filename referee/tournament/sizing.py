"""What a config comes to: its schedule, and how much of it this machine plays at a time."""

import os

from referee.tournament.config import Config
from referee.tournament.schedule import Arms, Entry, Schedule


def entries_of(config: Config) -> list[Entry]:
    """Return what the schedule needs to know of a config's entries."""
    return [
        Entry(
            game=entry.game,
            seats=entry.seats,
            deals=entry.deals,
            bots=tuple(bot.name for bot in config.bots_of(entry)),
        )
        for entry in config.games
    ]


def schedule_of(config: Config) -> Schedule:
    """Return the schedule that a config asks for."""
    tournament = config.tournament
    if config.compare is not None:
        (entry,) = entries_of(config)
        return Arms(entry, tournament.seating, tournament.block)
    return Schedule(entries_of(config), tournament.seating, tournament.rounds, tournament.block)


def concurrency_of(config: Config) -> int:
    """Return how many tables are played at a time."""
    concurrency = config.run.concurrency
    if concurrency != "auto":
        return concurrency
    return max(1, min(cores(), int(0.8 * memory_mb() / table_mb(config))))


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0))


def memory_mb() -> float:
    """Return how much memory the machine has, in MiB."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**20


def table_mb(config: Config) -> int:
    """Return the memory that the bots of a largest table may use together, in MiB."""
    return max(entry.seats for entry in config.games) * config.limits.memory_mb
