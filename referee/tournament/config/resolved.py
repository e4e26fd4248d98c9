"""The config that a run was started with: written as ``run.toml``, compared on a resume."""

import os
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec

from referee.tournament.config.sections import Config
from referee.tournament.config.strict import Key, format_key

RESUMABLE = ("run", "tournament.name", "limits.stderr_kb")
"""What a resume may change: how it is worked off, what it is called, what is kept."""

_ABSENT = object()


def encode_config(config: Config, folder: Path) -> bytes:
    """Return a loaded config as TOML for a file in this folder; read back, it is equal.

    Every key has its value, so that a later version's defaults change nothing. Paths of bots are
    relative to the folder, so that it may move together with them.
    """
    import tomlkit  # noqa: PLC0415 20 ms that only who writes a config should pay

    data = _builtins(config)
    for bot in data["bots"]:
        bot["path"] = os.path.relpath(bot["path"], folder.resolve())
    return tomlkit.dumps({section: value for section, value in data.items() if value}).encode()


def changed_keys(old: Config, new: Config) -> list[str]:
    """Name the keys, as users know them, that differ and that a resume may not change.

    An entry or a bot that only one of the two has is named whole.
    """
    keys = (format_key(key) for key in _differences(_builtins(old), _builtins(new), ()))
    return [key for key in keys if key not in RESUMABLE and key.split(".")[0] not in RESUMABLE]


def _builtins(config: Config) -> dict[str, Any]:
    """Return the config as TOML has it: tables, lists, and no key without a value."""
    data: dict[str, Any] = _without_none(msgspec.to_builtins(config))
    return data


def _without_none(value: Any) -> Any:
    match value:
        case dict():
            return {name: _without_none(each) for name, each in value.items() if each is not None}
        case list() | tuple():
            return [_without_none(each) for each in value]
        case _:
            return value


def _differences(old: Any, new: Any, at: Key) -> Iterator[Key]:
    match old, new:
        case dict(), dict():
            for name in old | new:
                yield from _differences(old.get(name, _ABSENT), new.get(name, _ABSENT), (*at, name))
        case list(), list() if any(isinstance(each, dict) for each in old + new):
            for place, (one, other) in enumerate(zip_longest(old, new, fillvalue=_ABSENT)):
                yield from _differences(one, other, (*at, place))
        case _ if old != new:
            yield at
