"""From a run's series to what an engine plays: self-contained, and without the run's secret."""

from collections.abc import Iterable

import msgspec

from referee.bot.spawn import Launch
from referee.program import ProgramError, fingerprint
from referee.record.lines import Player
from referee.sandbox import Mode, find_isolation
from referee.series import SeriesSpec
from referee.table import Deal, Setting
from referee.tournament.config import Config
from referee.tournament.schedule import Series
from referee.tournament.store import Store


def isolation_of(config: Config) -> Mode:
    """Return how the bots of a run are kept apart here; raises SandboxError where it must be."""
    return find_isolation(config.limits.sandbox).mode


def launch_of(store: Store, name: str) -> Launch:
    """Return how to start the run's own copy of a bot."""
    bot = next(bot for bot in store.config.bots if bot.name == name)
    program = bot.program
    return Launch(program.argv, str(program.folder), bot.env)


def spec_of(store: Store, series: Series) -> SeriesSpec:
    """Return all that is needed to play a series: its own seeds, and no secret."""
    config = store.config
    entry = config.games[series.entry - 1]
    setting = Setting(
        game=entry.game,
        rules=msgspec.to_builtins(entry.rules),
        time=config.time,
        strikes=config.faults.strikes,
        names_shown=config.tournament.names == "shown",
        series=series.id,
    )
    deals = [
        Deal.drawn(
            store.secret,
            entry.game,
            deal,
            [Player(bot, store.versions[bot]) for bot in seating],
            series.place,
        )
        for deal, seating in zip(series.deals, series.seatings, strict=True)
    ]
    bots = {name: launch_of(store, name) for name in series.seatings[0]}
    isolation = isolation_of(config)
    if isolation == "off":
        _check_copies(store, bots)
    return SeriesSpec(setting, deals, bots, config.limits.of_a_bot, isolation)


def _check_copies(store: Store, bots: Iterable[str]) -> None:
    """Raise ProgramError for a bot's copy that a bot has changed: they could, if not isolated."""
    for bot in store.config.bots:
        if bot.name in bots and fingerprint(bot.program.path) != store.versions[bot.name]:
            raise ProgramError(
                f"{bot.name}: its copy in the run has been changed; the same command makes it again"
            )
