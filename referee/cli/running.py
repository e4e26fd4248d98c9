"""What the commands that play a run share: play what is missing, and say how that goes."""

# ruff: noqa: PLC0415 heavy modules are imported where they are used

from typing import TYPE_CHECKING

from referee.cli.app import DONE, INTERRUPTED, NO, print_error

if TYPE_CHECKING:
    from rich.console import Console

    from referee.tournament.estimate import Estimate
    from referee.tournament.results import Standings
    from referee.tournament.runner import Ending
    from referee.tournament.schedule import Schedule, Shard
    from referee.tournament.store import Store


def play_on(
    store: "Store",
    plan: "Schedule",
    size: "Estimate",
    say: "Console",
    *,
    force: bool,
    shard: "Shard | None" = None,
) -> "Ending":
    """Play what a run, or a shard of it, has not stored yet; nothing of one that has ended.

    Its folder must be held.
    """
    from referee.show.comparison import news_of
    from referee.show.live import watch
    from referee.show.schedule import size_line
    from referee.tournament.judge import Hearing
    from referee.tournament.results import count_stored
    from referee.tournament.runner import Ending, play
    from referee.tournament.schedule import WHOLE

    if store.is_finished:
        return Ending(interrupted=False, aborted=[])
    for damage in store.set_damaged_aside():
        say.print(f"set aside, to be played again: {damage}")
    say.print(size_line(size))
    say.print(f"commitment to the deals: {store.commitment}")
    hearing = Hearing(store.config, store.games)
    part = shard or WHOLE
    tally, played = count_stored(store)
    if not part.is_whole:
        played = part.games(plan, store.has)
    shown = None if store.config.compare else tally  # a comparison's news say it all
    with watch(say, part.games(plan), played, news_of(hearing), shown) as watcher:
        ending = play(store, plan, watcher, force=force, enough=hearing.is_over, shard=part)
        if not ending.interrupted:
            watcher.news = ()  # they stand in the page that follows
    return ending


def end(store: "Store", ending: "Ending") -> tuple[int, "Standings | None"]:
    """End a run that has been played to its end; return the exit code so far, and the standings.

    There are none for one that was interrupted. A shard leaves the whole open.
    """
    from referee.tournament.results import publish, standings_of

    if ending.interrupted:
        how, also = "interrupted", ""
        if ending.gone:
            how, also = ending.gone, ", also with another run.engine"
        print_error(f"{how}; the same command goes on from here{also}")
        return INTERRUPTED, None
    standings = standings_of(store)
    if standings.complete and not store.is_finished:
        publish(store, standings)
    if ending.aborted:
        series = ", ".join(ending.aborted)
        print_error(f"series not played: {series}; see {store.folder}/aborted-*.txt")
        return NO, standings
    return DONE, standings
