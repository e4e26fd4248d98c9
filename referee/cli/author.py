"""The commands for who writes bots: new, check, submit; the games, the protocol's schema."""

# ruff: noqa: PLC0415 heavy modules are imported where they are used

from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Parameter

from referee.cli.app import DONE, NO, Flag, Named, app, console, print_error, print_json

if TYPE_CHECKING:
    from referee.scaffold import Scaffold


new = App(name="new", help="Write a bot or a tournament to begin with.", help_format="plaintext")
app.command(new)


@new.command(name="bot")
def new_bot(name: Named, /, *, language: str = "") -> int:
    """Write a bot that plays every game at once, and say what to do next.

    Parameters
    ----------
    name
        The bot's name, or its file's path; the language's suffix is added.
    language
        python, javascript, shell, c, cpp, rust, go or java; by default as the name's suffix says,
        else python.
    """
    from referee import scaffold

    return _say_next(scaffold.new_bot(name, language))


@new.command(name="tournament")
def new_tournament(name: Named, /) -> int:
    """Write a commented config for a tournament, and say what to do next.

    Parameters
    ----------
    name
        The tournament's name, or its file's path; .toml is added.
    """
    from referee import scaffold

    return _say_next(scaffold.new_tournament(name))


def _say_next(written: "Scaffold") -> int:
    lines = [f"{written.file} is written; it needs {written.needs}", "next:"]
    lines += [f"  {command}" for command in written.commands]
    console().print("\n".join(lines), soft_wrap=True)
    return DONE


@app.command
def games(game: str | None = None, /) -> int:
    """List the games, or show one game's seats and options.

    Parameters
    ----------
    game
        The game to show, such as oh_hell.
    """
    from referee.games.game import find_game
    from referee.games.game import games as all_games
    from referee.show.games import game_page, games_table

    console().print(
        games_table(all_games().values()) if game is None else game_page(find_game(game))
    )
    return DONE


@app.command
def check(
    bot: Named,
    /,
    *,
    game: Annotated[tuple[str, ...], Parameter(consume_multiple=False, negative="")] = (),
    command: str = "",
    build: str = "",
    sandbox: Literal["auto", "required", "off"] = "auto",
    json: Flag = False,
) -> int:
    """Play a conformance course with one bot: what is wrong with it, and how to mend it.

    Parameters
    ----------
    bot
        The bot's file or folder.
    game
        A game that it is to play; may be repeated. By default all.
    command
        How to start it, as in a config; a folder needs one.
    build
        How to make it from its sources, as in a config: on a copy, before the command.
    sandbox
        Keep the bot apart: auto where that works here, required or not at all, or off.
    json
        Print one JSON document.
    """
    from referee.check import check_bot
    from referee.games.game import find_game
    from referee.games.game import games as all_games
    from referee.program import Program, split_command
    from referee.sandbox import find_isolation
    from referee.show.check import check_page

    wanted = [find_game(name) for name in game or all_games()]
    program = Program(bot, split_command(command), split_command(build))
    report = check_bot(program, wanted, find_isolation(sandbox))
    if json:
        print_json(report)
    else:
        for remark in report.remarks:
            print_error(remark)
        console().print(check_page(report))
    return DONE if report.ok else NO


@app.command
def submit(
    bot: Named,
    config: Named,
    /,
    *,
    name: str = "",
    command: str = "",
    build: str = "",
    dry_run: Flag = False,
) -> int:
    """Check a bot, keep a copy of it by its hash, and enter it in a config.

    Under a name that is in the config already it takes the old version's place, whose copy is kept.
    A bot that fails the check is not entered.

    Parameters
    ----------
    bot
        The bot's file or folder.
    config
        The tournament's TOML file.
    name
        What it is called in the tournament; by default as its file.
    command
        How to start it, as in a config; a folder needs one.
    build
        How to make it from its sources, as in a config: on a copy, before the command.
    dry_run
        Check it, say what would be entered, and write nothing.
    """
    from referee.show.check import check_page, entry_line
    from referee.tournament.submit import check_submission, enter, prepare_submission

    submission = prepare_submission(bot, config, name=name, command=command, build=build)
    report = check_submission(submission)
    for remark in report.remarks:
        print_error(remark)
    console().print(check_page(report))
    if not report.ok:
        print_error(f"{submission.name}: not entered, since it fails the check")
        return NO
    if not dry_run:
        enter(submission)
    console().print(entry_line(submission, is_dry=dry_run), soft_wrap=True)
    return DONE


@app.command
def schema() -> int:
    """Print the JSON Schema of the protocol: every message, every game's events and view."""
    from referee.schema import protocol_schema

    print_json(protocol_schema())
    return DONE
