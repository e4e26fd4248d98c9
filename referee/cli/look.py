"""The commands that look at what was played: standings, replay, verify."""

# ruff: noqa: PLC0415 heavy modules are imported where they are used

from referee.cli.app import (
    DONE,
    NO,
    Flag,
    Named,
    app,
    console,
    print_error,
    print_json,
    warn_if_unfinished,
)


@app.command
def standings(run: Named, /, *, details: Flag = False, json: Flag = False) -> int:
    """Show the standings of a run, finished or not.

    Parameters
    ----------
    run
        The run's folder.
    details
        Show more: ratings, points without forfeits, every pair, the crosstable, the seats, and
        which bots play oddly well together.
    json
        Print one JSON document.
    """
    from referee.show.details import details_page
    from referee.show.standings import standings_page
    from referee.tournament.results import standings_of
    from referee.tournament.store import open_run

    table = standings_of(open_run(run))
    if json:
        print_json(table)
    else:
        console().print(details_page(table) if details else standings_page(table))
    return DONE


@app.command
def replay(
    record: Named,
    game: int | None = None,
    /,
    *,
    plain: Flag = False,
    seat: int | None = None,
) -> int:
    """Play a logged game back: step by step on a terminal, whole with --plain or into a pipe.

    Parameters
    ----------
    record
        A record's file, or a run's folder and then the game's number.
    game
        The game's place in the run's schedule, from 1; in a file of several records, which one.
    plain
        Print the whole game.
    seat
        Show only what this seat knew.
    """
    from referee.show.replay import replay_plain, replay_terminal
    from referee.tournament.results import NoRecordError, check_seat, read_record

    try:
        lines, is_public = read_record(record, game)
    except NoRecordError as error:
        print_error(str(error))
        return NO
    if seat is not None:
        check_seat(lines, seat)
    warn_if_unfinished(is_public)
    terminal = console()
    if plain or not terminal.is_terminal:
        replay_plain(lines, terminal, seat)
    else:
        replay_terminal(lines, terminal, seat)
    return DONE


@app.command
def verify(record: Named, /, *, json: Flag = False) -> int:
    """Recompute a record, or a whole run, and name the first thing in each that does not hold.

    Parameters
    ----------
    record
        A record's file, or a run's folder.
    json
        Print one JSON document.
    """
    from referee.tournament.results import verify_all

    verdict = verify_all(record)
    if json:
        print_json(verdict)
    else:
        for problem in verdict.problems:
            print_error(f"{problem.record}: line {problem.line}: {problem.detail}")
        wrong = len(verdict.problems)
        holds = "everything holds" if verdict.ok else f"{wrong} problem{'s' * (wrong > 1)}"
        console().print(f"{verdict.records} records: {holds}")
    return DONE if verdict.ok else NO
