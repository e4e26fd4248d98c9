"""From a config to a run that can be played: made, or found and resumed."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

import msgspec

from referee import __version__
from referee.build import build
from referee.games.game import find_game
from referee.sandbox import find_isolation
from referee.tournament.config import Config, changed_keys
from referee.tournament.estimate import Estimate, estimate
from referee.tournament.schedule import WHOLE, Schedule, Shard, propose_rounds
from referee.tournament.sizing import (
    concurrency_of,
    cores,
    entries_of,
    memory_mb,
    schedule_of,
    table_mb,
)
from referee.tournament.store import RunError, Store, create, is_run, lock, open_run, own_copies

MOST_GAMES = 20_000
"""More games than this are played only when asked for by ``--force``."""

BUILDS = "builds"
"""The folder beside runs where what was built for them is kept."""


def find_config(path: Path) -> tuple[Path, Path]:
    """Return a tournament's config file, and where its run is kept when nothing else is said.

    That is beside the config, by its name. The path may be a run's folder, which has its config.
    """
    if is_run(path):
        return path / "run.toml", path
    return path, path.resolve().with_suffix("")


def shard_of(text: str | None) -> Shard:
    """Return the part of a schedule that ``K/N`` names, or all of it; raises RunError."""
    try:
        return WHOLE if text is None else Shard.parse(text)
    except ValueError as error:
        raise RunError(f"--shard {error}") from None


def size_of(config: Config) -> tuple[Schedule, Estimate]:
    """Return the schedule of a config and how much it is."""
    schedule = schedule_of(config)
    return schedule, estimate(config, schedule, concurrency_of(config))


def remarks_on(config: Config) -> list[str]:
    """Return what should be said once of a config though it can be played here.

    Raises RunError for a bot that is not there, and SandboxError where the bots must be kept apart
    and that does not work.
    """
    for bot in config.bots:
        if not Path(bot.path).exists():
            raise RunError(f"[[bots]] {bot.name}: path: {bot.path}: no such file or folder")
    warning = find_isolation(config.limits.sandbox).warning
    games = [find_game(entry.game).remarks(entry.rules) for entry in config.games]
    bots = [bot.program.remarks() for bot in config.bots]
    own = [warning] if warning else []
    own += _late_looks(config)
    return list(dict.fromkeys(chain(own, _crowding(config), *games, *bots)))


def _late_looks(config: Config) -> list[str]:
    """Say where a run that may end early is looked at once only, when it ends anyway."""
    block = config.tournament.block
    most = max(entry.deals for entry in config.games)
    if config.tournament.until is None or most > block:
        return []
    return [f"tournament.until is looked at once, at the end: all {most} deals are in one block"]


def _crowding(config: Config) -> list[str]:
    """Say what more tables at a time than ``"auto"`` would take put at risk."""
    asked, tables = _tables_here(config)
    remarks = []
    if tables > cores():
        remarks.append(
            f"{asked} is above the {cores()} cores there are: bots that think "
            f"at the same time wait for one another while their clocks run, and may time out"
        )
    needed_mb = tables * table_mb(config)
    if tables > 1 and needed_mb > 0.8 * memory_mb():
        remarks.append(
            f"{asked}: {tables} tables x {table_mb(config):,} MiB "
            f"(seats x limits.memory_mb) = {needed_mb:,} MiB may be used, "
            f"and there are {memory_mb():,.0f}: bots may be ended for want of memory"
        )
    return remarks


def _tables_here(config: Config) -> tuple[str, int]:
    """Return what asks for tables on this machine, and how many at a time."""
    scheduler = config.run.scheduler or ""
    if config.run.engine != "dask":
        tables = concurrency_of(config)
        return f"run.concurrency = {tables}", tables
    kind, _, workers = scheduler.partition(":")
    return f"run.scheduler = {scheduler}", int(workers) if kind == "local" else 0


def check_size(config: Config, schedule: Schedule, size: Estimate) -> None:
    """Refuse what is more than ``MOST_GAMES``; raises RunError that says what to do."""
    if schedule.games <= MOST_GAMES:
        return
    tournament = config.tournament
    rounds = propose_rounds(entries_of(config), tournament.seating, tournament.block, MOST_GAMES)
    instead = f"tournament.rounds = {rounds}, " if rounds else "fewer deals or bots, "
    raise RunError(
        f"{config.tournament.name}: {schedule.games:,} games, some {format_s(size.expected_s)}, "
        f"are more than {MOST_GAMES:,}: {instead}or --force to play them all"
    )


@contextmanager
def hold(folder: Path, *, fresh: bool = False) -> Iterator[None]:
    """Keep every other referee away from a run's folder while something is done there.

    ``fresh`` puts a run that is there aside. Raises RunError where the folder is something else,
    or another referee has it.
    """
    if fresh:
        set_aside(folder)
    with lock(folder):
        yield


def find_or_make(config: Config, folder: Path) -> Store:
    """Open the run in this folder for this config, or make it; ``hold`` the folder meanwhile.

    Bots with a ``build`` are built first, where that was not done before, and kept beside the run.
    Copies of bots that are missing or damaged are made again, and a run that has ended goes on
    where series of it have been lost. Raises RunError where the run there
    is of another config, naming the keys that differ, or was begun by another referee, whose games
    might have gone otherwise.
    """
    config = _with_builds(config, folder.resolve().parent / BUILDS)
    if not is_run(folder):
        return create(folder, config)
    store = open_run(folder)
    wanted = own_copies(config, folder)
    if keys := changed_keys(store.config, wanted):
        raise RunError(
            f"{folder}: holds a run of another config: {', '.join(keys)} differ; "
            f"play it with its own, choose another folder with --out, or --fresh to start anew"
        )
    if store.made_by != __version__ and not store.is_finished:
        raise RunError(
            f"{folder}: was begun by referee {store.made_by}, this is {__version__}; "
            f"go on with that one, or --fresh to start anew"
        )
    store.mend()
    store.check_commitment()
    if store.is_finished and store.has_lost_games:
        store.reopen()
    for bot in config.bots:
        bot.program.copy_to(folder / "bots")
    tournament = msgspec.structs.replace(store.config.tournament, name=config.tournament.name)
    limits = msgspec.structs.replace(store.config.limits, stderr_kb=config.limits.stderr_kb)
    store.config = msgspec.structs.replace(
        store.config, tournament=tournament, run=config.run, limits=limits
    )
    return store


def _with_builds(config: Config, folder: Path) -> Config:
    """Return the config with what was built in the place of the bots that have a ``build``."""
    if not any(bot.build for bot in config.bots):
        return config
    isolation = find_isolation(config.limits.sandbox)
    bots = []
    for bot in config.bots:
        built = build(bot.program, folder, isolation)
        bots.append(msgspec.structs.replace(bot, path=str(built.path), build=None))
    return msgspec.structs.replace(config, bots=tuple(bots))


def set_aside(folder: Path) -> None:
    """Rename a folder that holds a run to the first free of ``folder.1``, ``folder.2``...

    Raises RunError where the run is being played.
    """
    if not is_run(folder):
        return
    number = 1
    while (aside := folder.with_name(f"{folder.name}.{number}")).exists():
        number += 1
    with lock(folder):
        folder.rename(aside)


def format_s(seconds: float) -> str:
    """Return a time as people say it."""
    for unit, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} seconds" if seconds >= 2 else "a second"
