"""The games and their options, as tables."""

from collections.abc import Iterable

import msgspec
from rich.console import Group
from rich.table import Table
from rich.text import Text

from referee.games.game import Game


def games_table(games: Iterable[Game]) -> Table:
    """Return the list of games."""
    table = Table(title="Games", title_justify="left")
    for heading in ("game", "title", "seats", "typical", "options"):
        table.add_column(heading)
    for game in games:
        table.add_row(
            game.name,
            game.title,
            _seats(game),
            str(game.typical_seats),
            ", ".join(game.rules_type.__struct_fields__),
        )
    return table


def game_page(game: Game) -> Group:
    """Return one game's seats, decisions, events and options."""
    table = Table("option", "default", "values", "meaning")
    values = game.values()
    _, components = msgspec.json.schema_components([game.rules_type])
    properties = components[game.rules_type.__name__]["properties"]
    for name, schema in properties.items():
        default = msgspec.json.encode(schema.get("default")).decode()
        table.add_row(name, default, values[name], schema.get("description", ""))
    return Group(
        Text(f"{game.title} ({game.name}), {_seats(game)} seats"),
        Text(f"decisions: {', '.join(game.kinds)}"),
        Text(
            f"events: {', '.join(str(event.__struct_config__.tag) for event in game.event_types)}"
        ),
        table,
    )


def _seats(game: Game) -> str:
    return f"{game.seats[0]} to {game.seats[-1]}"
