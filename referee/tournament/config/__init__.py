"""The config: a tournament's TOML file as strict, typed, frozen structs.

``sections`` has the keys with their defaults and ranges, ``strict`` says in one line what is wrong
with a value, ``names`` says what a bot may be called, ``load`` reads and checks a file, and
``resolved`` writes the config that a run was started with and compares it with another. The
invariant: what has been loaded can be played as far as the config alone can tell; bots' files are
not looked at.
"""

from referee.tournament.config.load import (
    ConfigError,
    load_config,
    parse_config,
    read_config,
    resolve_config,
)
from referee.tournament.config.names import folded, name_objection
from referee.tournament.config.resolved import changed_keys, encode_config
from referee.tournament.config.sections import (
    BotEntry,
    Compare,
    Config,
    Faults,
    GameEntry,
    Limits,
    Running,
    Tournament,
)

__all__ = [
    "BotEntry",
    "Compare",
    "Config",
    "ConfigError",
    "Faults",
    "GameEntry",
    "Limits",
    "Running",
    "Tournament",
    "changed_keys",
    "encode_config",
    "folded",
    "load_config",
    "name_objection",
    "parse_config",
    "read_config",
    "resolve_config",
]
