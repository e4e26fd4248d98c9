"""The commands that write a run out for others: report and export."""

# ruff: noqa: PLC0415 heavy modules are imported where they are used

from referee.cli.app import DONE, Flag, Named, app, print_error, warn_if_unfinished


@app.command
def report(run: Named, /, *, out: Named | None = None) -> int:
    """Write a run as pages to look at in a browser, without a server: open its index.html.

    An unfinished run's report has what its standings count, and shows no hand that is still to
    be played.

    Parameters
    ----------
    run
        The run's folder.
    out
        The folder to write, by default `report` in the run's folder; an older report there is
        replaced.
    """
    from referee.show.report import write_report
    from referee.tournament.sizing import schedule_of
    from referee.tournament.store import open_run

    store = open_run(run)
    folder = out or run / "report"
    games = write_report(store, folder)
    if not store.is_finished:
        planned = schedule_of(store.config).games
        print_error(f"the run is not finished: the report has {games} of {planned} games")
    print_error(f"a report of {games} games written to {folder / 'index.html'}")
    return DONE


@app.command
def export(run: Named, /, *, out: Named | None = None, csv: Flag = False) -> int:
    """Write a run's records, a file a game, named by its place in the schedule.

    Parameters
    ----------
    run
        The run's folder.
    out
        A new folder for the files; by default `records` in the run's folder, with --csv `csv`.
    csv
        Write games.csv and standings.csv instead, for a spreadsheet or a notebook.
    """
    from referee.tournament.results import export_records
    from referee.tournament.spreadsheet import export_sheets
    from referee.tournament.store import open_run

    store = open_run(run)
    if csv:
        folder = out or run / "csv"
        games = export_sheets(store, folder)
        print_error(f"{games} games and the standings written to {folder}")
        return DONE
    warn_if_unfinished(store.is_finished)
    folder = out or run / "records"
    written = export_records(store, folder)
    print_error(f"{written} records written to {folder}")
    return DONE
