"""Strict decoding of a table into a struct, and one line on what is wrong with it.

What a key may be is read from its type, so the words cannot differ from what is enforced.
"""

import difflib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from referee.protocol import printable

T = TypeVar("T")
Key = tuple[str | int, ...]
"""Where a value stands: names of keys, and places in a list from 0."""


class Problem(Exception):  # noqa: N818 it becomes a ConfigError where the file is known
    """What is wrong with the value of a key."""

    def __init__(self, key: Key, text: str) -> None:
        super().__init__(text)
        self.key = key


def format_key(key: Key) -> str:
    """Return a key as its user knows it: ``tournament.block``, ``[[bots]] 3 games 2``."""
    match key:
        case (str(section), int(place)):
            return f"[[{section}]] {place + 1}"
        case (str(section), int(place), *rest):
            return f"[[{section}]] {place + 1} {_dotted(rest)}"
        case _:
            return _dotted(key)


def _dotted(key: Sequence[str | int]) -> str:
    parts = (f" {part + 1}" if isinstance(part, int) else f".{part}" for part in key)
    return printable("".join(parts).removeprefix("."))


def decode(table: Mapping[str, Any], kind: type[T], at: Key = ()) -> T:
    """Decode a table that stands at a key; raises Problem for the first thing wrong."""
    info = inspect.type_info(kind)
    _check_names(table, info, at)
    try:
        return msgspec.convert(table, kind)
    except msgspec.ValidationError as error:
        raise _explained(str(error), table, info, at) from None


def _check_names(value: Any, info: inspect.Type, at: Key) -> None:
    """Refuse unknown keys and missing ones, at every depth."""
    if isinstance(info, inspect.StructType) and isinstance(value, dict):
        fields = {field.encode_name: field for field in info.fields}
        for name in value:
            if name not in fields:
                raise Problem((*at, name), f"unknown key{did_you_mean(name, fields)}")
        for name, field in fields.items():
            if name in value:
                _check_names(value[name], field.type, (*at, name))
            elif field.required:
                raise Problem((*at, name), f"missing; it may be {_allowed(field.type)}")
    elif isinstance(info, inspect.VarTupleType) and isinstance(value, list):
        for place, item in enumerate(value):
            _check_names(item, info.item_type, (*at, place))


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the end of a sentence on an unknown name: the nearest known one, or all."""
    known = list(known)
    near = difflib.get_close_matches(name.casefold(), known, n=1)
    return f"; did you mean {near[0]}?" if near else f"; known are: {', '.join(known)}"


def found(value: object) -> str:
    """Return a value as it stands in the file, short and harmless."""
    match value:
        case dict():
            return "a table"
        case list():
            return "a list"
        case bool() | str():
            return printable(json.dumps(value, ensure_ascii=False), 60)
        case _:
            return printable(str(value), 60)


def _explained(message: str, value: Any, info: inspect.Type, at: Key) -> Problem:
    """Put the decoder's message (``Expected ... - at `$.games[0].seats```) into words."""
    reason, _, trail = message.rpartition(" - at `$")
    for name, place in re.findall(r"\.(\w+)|\[(\d+)\]", trail):
        if name and (struct := _member(info, inspect.StructType)):
            info = next(field.type for field in struct.fields if field.encode_name == name)
            value, at = value[name], (*at, name)
        elif place and (array := _member(info, inspect.VarTupleType)):
            info = array.item_type
            value, at = value[int(place)], (*at, int(place))
        else:
            break
    if trail.endswith("[...]`") and isinstance(info, inspect.DictType):
        # The decoder does not name the key, so it is looked for: tables here hold texts.
        name = next(name for name, each in value.items() if not isinstance(each, str))
        value, at, info = value[name], (*at, name), info.value_type
    if reason and not reason.startswith(("Expected", "Invalid")):
        return Problem(at, printable(reason))
    return Problem(at, f"found {found(value)}; it may be {_allowed(info)}")


def _member(info: inspect.Type, kind: type[T]) -> T | None:
    """Return the type itself, or the part of a union, that is of this kind."""
    parts = info.types if isinstance(info, inspect.UnionType) else (info,)
    return next((part for part in parts if isinstance(part, kind)), None)


def _allowed(info: inspect.Type) -> str:  # noqa: C901, PLR0911 a row for each kind of type
    """Say what a value of this type may be."""
    match info:
        case inspect.Metadata(extra_json_schema={"examples": examples}):
            return f"text such as {_one_of(examples)}"
        case inspect.Metadata():
            return _allowed(info.type)
        case inspect.UnionType():
            kinds = [each for each in info.types if not isinstance(each, inspect.NoneType)]
            return " or ".join(map(_allowed, kinds))
        case inspect.LiteralType():
            return _one_of(info.values)
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return "a whole number" + _range(info)
        case inspect.FloatType():
            return "a number" + _range(info)
        case inspect.StrType():
            return "text" + _length(info)
        case inspect.VarTupleType(item_type=inspect.StructType()):
            return "a list of tables, each under its own [[ ]]"
        case inspect.VarTupleType():
            some = "one or more" if info.min_length else "any number"
            return f"a list of {some}, each {_allowed(info.item_type)}"
        case inspect.DictType():
            return f"a table, each value {_allowed(info.value_type)}"
        case _:
            return "a table"


def _one_of(values: Iterable[object]) -> str:
    *most, last = (json.dumps(value, ensure_ascii=False) for value in values)
    return f"{', '.join(most)} or {last}" if most else last


def _range(info: inspect.IntType | inspect.FloatType) -> str:
    if info.ge is not None and info.le is not None:
        return f" from {info.ge} to {info.le}"
    bounds = {"above": info.gt, "at least": info.ge, "below": info.lt, "at most": info.le}
    said = [f"{word} {bound:g}" for word, bound in bounds.items() if bound is not None]
    return f" {' and '.join(said)}" if said else ""


def _length(info: inspect.StrType) -> str:
    if info.max_length is not None:
        return f" of {info.min_length or 0} to {info.max_length} characters"
    return ", not empty" if info.min_length else ""
