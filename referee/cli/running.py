"""What the commands that play a run share: play what is missing, and say how that goes."""

# ruff: noqa: PLC0415 heavy modules are imported where they are used

from typing import TYPE_CHECKING

from referee.cli.app import DONE, INTERRUPTED, NO, print_error

if TYPE_CHECKING:
    from rich.console import Console

    from referee.tournament.results import Standings
    from referee.tournament.runner import Ending
    from referee.tournament.store import Store


def play_on(store: "Store", say: "Console", *, force: bool) -> "Ending":
    """Play what a run has not stored yet, unless it has ended; its folder must be held."""
    from referee.show.comparison import news_of
    from referee.show.live import watch
    from referee.show.schedule import size_line
    from referee.tournament.judge import Hearing
    from referee.tournament.prepare import size_of
    from referee.tournament.results import stored_series
    from referee.tournament.runner import Ending, play

    if store.is_finished:
        return Ending(interrupted=False, aborted=[])
    for damage in store.set_damaged_aside():
        say.print(f"set aside, to be played again: {damage}")
    plan, size = size_of(store.config)
    say.print(size_line(size))
    say.print(f"commitment to the deals: {store.commitment}")
    hearing = Hearing(store.config, store.games)
    played = sum(len(series.deals) for series in stored_series(store))
    with watch(say, plan.games, played, news_of(hearing)) as watcher:
        return play(store, plan, watcher, force=force, enough=hearing.is_over)


def end(store: "Store", ending: "Ending") -> tuple[int, "Standings | None"]:
    """End a run that has been played; return the exit code so far, and the standings.

    There are none for one that was interrupted.
    """
    from referee.tournament.results import publish, standings_of

    if ending.interrupted:
        how = f"{ending.gone}; also with another run.engine, " if ending.gone else "interrupted; "
        print_error(f"{how}the same command goes on from here")
        return INTERRUPTED, None
    standings = standings_of(store)
    if ending.aborted:
        series = ", ".join(ending.aborted)
        print_error(f"series not played: {series}; see {store.folder}/aborted-*.txt")
        return NO, standings
    if not store.is_finished:
        publish(store, standings)
    return DONE, standings
