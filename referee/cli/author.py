"""The commands for who writes bots: the games, the protocol's schema."""

# ruff: noqa: PLC0415 heavy modules are imported where they are used

from referee.cli.app import DONE, app, console, print_json


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
def schema() -> int:
    """Print the JSON Schema of the protocol: every message, every game's events and view."""
    from referee.schema import protocol_schema

    print_json(protocol_schema())
    return DONE
