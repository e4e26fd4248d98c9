"""The JSON Schema of the protocol, from the structs that speak it."""

from typing import Any

import msgspec

from referee import protocol
from referee.games.game import games
from referee.protocol import Answer, Bye, End, Fault, Hello, Ready, Start, Turn

_TO_BOT = (Hello, Start, Turn, Fault, End, Bye)
_FROM_BOT = (Ready, Answer)


def protocol_schema() -> dict[str, Any]:
    """Return one JSON Schema document.

    ``to_bot`` and ``from_bot`` are the messages either way; ``games`` has for each game its rules,
    events and view by reference. Names of a game's own structs are made unique by the game.
    """
    _, messages = msgspec.json.schema_components(
        [*_TO_BOT, *_FROM_BOT], ref_template="#/$defs/{name}"
    )
    defs = dict(messages)
    by_game: dict[str, Any] = {}
    for name, game in games().items():
        types = [game.rules_type, game.view_type, *game.event_types]
        template = f"#/$defs/{name}.{{name}}"
        refs, components = msgspec.json.schema_components(types, ref_template=template)
        defs |= {f"{name}.{key}": value for key, value in components.items()}
        rules, view, *events = refs
        by_game[name] = {"rules": rules, "view": view, "event": {"anyOf": events}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "referee protocol",
        "version": protocol.PROTOCOL,
        "to_bot": {"anyOf": [_ref(message) for message in _TO_BOT]},
        "from_bot": {"anyOf": [_ref(message) for message in _FROM_BOT]},
        "games": by_game,
        "$defs": defs,
    }


def _ref(message: type[msgspec.Struct]) -> dict[str, str]:
    return {"$ref": f"#/$defs/{message.__name__}"}
