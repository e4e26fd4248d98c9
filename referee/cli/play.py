"""The commands that start bots: tournament, schedule (which only counts), match."""

# ruff: noqa: PLC0415 heavy modules are imported where they are used

from contextlib import nullcontext
from typing import Annotated, Literal

from cyclopts import Parameter, validators
from msgspec.structs import replace

from referee.cli.app import (
    BAD_USAGE,
    DONE,
    Flag,
    Named,
    app,
    console,
    print_error,
    print_json,
)
from referee.cli.running import end, play_on


@app.command
def tournament(
    config: Named,
    /,
    *,
    out: Named | None = None,
    fresh: Flag = False,
    force: Flag = False,
    concurrency: Annotated[int | None, Parameter(validator=validators.Number(gte=1))] = None,
    prepare: Named | None = None,
    shard: str | None = None,
    json: Flag = False,
) -> int:
    """Play a tournament, or go on with one that was interrupted, and show the standings.

    Parameters
    ----------
    config
        The tournament's TOML file, or a run's folder.
    out
        The run's folder; by default beside the config, by its name.
    fresh
        Start anew, and keep the old folder beside it.
    force
        Play more than 20,000 games, or with bots that do not start.
    concurrency
        Tables at a time, in place of the config's.
    prepare
        Make the run in this folder, with its secret and the bots' copies, and play nothing.
    shard
        Play a part of the run only: K/N is every N-th block from the K-th on, see merge.
    json
        Print the standings as one JSON document, and everything else on standard error.
    """
    from referee.show.standings import standings_page
    from referee.tournament.config import load_config
    from referee.tournament.engine import check_engine
    from referee.tournament.prepare import (
        check_size,
        find_config,
        find_or_make,
        hold,
        remarks_on,
        shard_of,
        size_of,
    )

    if prepare and (out or shard):
        print_error("--prepare only makes a run's folder: not with --out or --shard")
        return BAD_USAGE
    part = shard_of(shard)
    file, folder = find_config(config)
    loaded = load_config(file)
    if concurrency is not None:
        loaded = replace(loaded, run=replace(loaded.run, concurrency=concurrency))
    plan, size = size_of(loaded)
    if not force:
        check_size(loaded, plan, size)
    if prepare is None:
        check_engine(loaded)
    say = console(stderr=json)
    for remark in remarks_on(loaded):
        print_error(remark)
    folder = prepare or out or folder
    with hold(folder, fresh=fresh):
        store = find_or_make(loaded, folder)
        if prepare is not None:
            say.print(f"commitment to the deals: {store.commitment}")
            return DONE
        ending = play_on(store, plan, size, say, force=force, shard=part)
        code, standings = end(store, ending)
    if standings is None:
        return code
    if json:
        print_json(standings)
    else:
        say.print(standings_page(standings))
    return code


@app.command
def merge(*folders: Named, out: Named, json: Flag = False) -> int:
    """Unite a run that was played in parts (tournament --shard), and show the standings.

    Parameters
    ----------
    folders
        The copies of the run's folder. What several of them have is compared, and counts once.
    out
        The new folder for the whole run.
    json
        Print the standings as one JSON document, and everything else on standard error.
    """
    from referee.show.standings import standings_page
    from referee.tournament.merge import merge as unite
    from referee.tournament.results import publish, standings_of
    from referee.tournament.store import open_run

    say = console(stderr=json)
    merged = unite(folders, out)
    for damage in merged.damaged:
        print_error(f"left out: {damage}")
    say.print(f"{merged.series} series, {merged.twice} of them in more than one folder")
    store = open_run(out)
    standings = standings_of(store)
    if standings.complete:
        publish(store, standings)
    if json:
        print_json(standings)
    else:
        say.print(standings_page(standings))
    return DONE


@app.command
def schedule(config: Named, /, *, json: Flag = False) -> int:
    """Say what a config would play, how balanced and how long; start nothing.

    Parameters
    ----------
    config
        The tournament's TOML file.
    json
        Print one JSON document.
    """
    from referee.show.schedule import schedule_page
    from referee.tournament.config import load_config
    from referee.tournament.prepare import size_of

    loaded = load_config(config)
    plan, size = size_of(loaded)
    if json:
        print_json({"estimate": size, "entries": plan.counts, "balance": plan.balance()})
    else:
        console().print(schedule_page(loaded, plan, size))
    return DONE


@app.command
def match(
    game: str,
    /,
    *bots: Named,
    deals: Annotated[int, Parameter(validator=validators.Number(gte=1))] = 1,
    seed: str | None = None,
    rules: Annotated[tuple[str, ...], Parameter(consume_multiple=False, negative="")] = (),
    move_ms: Annotated[int, Parameter(validator=validators.Number(gte=0))] = 100,
    bank_ms: Annotated[int, Parameter(validator=validators.Number(gte=0))] = 20_000,
    sandbox: Literal["auto", "required", "off"] = "auto",
    force: Flag = False,
    out: Named | None = None,
    trace: Named | None = None,
    watch: Flag = False,
    json: Flag = False,
) -> int:
    """Play one table at once, the bots in the seats given.

    Parameters
    ----------
    game
        The game, such as oh_hell.
    bots
        A bot for every seat, from seat 0; `human` is a person at this terminal.
    deals
        How many games, each with a deal of its own.
    seed
        Text that makes the deals known; without it a secret is drawn, and shown at the end.
    rules
        An option of the game as KEY=VALUE, such as --rules hook=true; may be repeated.
    move_ms
        Free time an answer, in milliseconds.
    bank_ms
        Reserve a game, in milliseconds.
    sandbox
        Keep the bots apart: auto where that works here, required or not at all, or off.
    force
        Play on with bots that do not start.
    out
        Write the records to this new file, one after another.
    trace
        Write every line that goes either way to this new file: milliseconds, bot, > or <, line.
    watch
        Tell the games while they are played, every hand open.
    json
        Print one JSON document.
    """
    from referee.match import make_match
    from referee.match import play as play_match
    from referee.protocol import TimeControl
    from referee.show.match import match_json, match_page

    time = TimeControl(move_ms=move_ms, bank_ms=bank_ms)
    wanted = make_match(
        game, bots, options=rules, time=time, deals=deals, seed=seed, sandbox=sandbox
    )
    if watch and wanted.has_person:
        print_error("--watch shows every hand: not with a person at the table")
        return BAD_USAGE
    for remark in wanted.remarks:
        print_error(remark)
    with (
        nullcontext() if out is None else out.open("xb") as records,
        nullcontext() if trace is None else trace.open("x", encoding="utf-8") as lines,
    ):
        heard = None
        if watch:
            from referee.show.replay import Watch

            heard = Watch(console(stderr=json))
        result = play_match(wanted, force=force, trace=lines, heard=heard)
        if records is not None:
            records.write(b"".join(result.records))
    if json:
        print_json(match_json(wanted, result))
    else:
        console().print(match_page(wanted, result))
    return DONE
