"""A comparison of two bots as a run: its config, its folder, what is said of it beforehand."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from referee.games.game import RulesError, find_game
from referee.match import parse_option
from referee.program import Program, fingerprint
from referee.tournament.config import (
    Config,
    Running,
    folded,
    name_objection,
    resolve_config,
)

_STEM_CHARACTERS = 24
"""As much of a file's name as leaves room for what tells bots of one name apart."""


def compare_config(
    new: Path,
    old: Path,
    against: Sequence[Path],
    *,
    game: str,
    options: Sequence[str],
    max_deals: int,
    sections: Mapping[str, Mapping[str, object]],
) -> Config:
    """Return the config that compares two bots at a table with the others.

    ``options`` are texts such as ``hook=true``; ``sections`` have what is given of ``[compare]``,
    ``[tournament]`` and the rest. Raises RulesError, ProgramError, ConfigError.
    """
    paths = [new, old, *against]
    for path in paths:
        Program(path).check()
    seats = 1 + len(against)
    rules = dict(map(parse_option, options))
    found = find_game(game)
    if seats not in found.seats:
        least, most = found.seats[0] - 1, found.seats[-1] - 1
        raise RulesError(
            f"--against names {len(against)}, and {game} is for {found.seats[0]} to "
            f"{found.seats[-1]} seats, one of them for {new.name} and {old.name} in turn: name "
            f"{least} to {most} bots"
        )
    found.rules(rules, seats)  # says what is wrong as one knows it here
    names = _names(paths)
    name = f"{names[0]} against {names[1]}: {game}, {seats} seats"
    bots = [
        {"name": name, "path": str(path.absolute())}
        for name, path in zip(names, paths, strict=True)
    ]
    data: dict[str, Any] = {
        **sections,
        "tournament": {**sections["tournament"], "name": name},
        "games": [{"game": game, "seats": seats, "deals": max_deals, "rules": rules}],
        "bots": bots,
    }
    return resolve_config(data, Path("compare"))


def compare_folder(config: Config) -> Path:
    """Return where a comparison's run is kept when nothing else is said: in ``comparisons/`` here.

    The name ends with a digest of all that is compared, the bots' files included: the same
    command goes on with its run, and after a change of a bot it begins another.
    """
    bots = tuple(
        msgspec.structs.replace(bot, path=fingerprint(Path(bot.path))) for bot in config.bots
    )
    compared = msgspec.structs.replace(config, bots=bots, run=Running())
    digest = hashlib.sha256(msgspec.json.encode(compared)).hexdigest()[:8]
    new, old = (bot.name for bot in config.bots[:2])
    return Path("comparisons") / f"{new}-{old}-{config.games[0].game}-{digest}"


def is_same(config: Config) -> bool:
    """Whether the two bots that are compared are the same to the byte, whatever their names."""
    new, old = (Path(bot.path) for bot in config.bots[:2])
    if new.is_file() and old.is_file():
        return new.read_bytes() == old.read_bytes()
    return fingerprint(new) == fingerprint(old)


def _names(paths: Sequence[Path]) -> list[str]:
    """Name bots by their files: the first two by their parts where that is one name."""
    stems = [_stem(path) for path in paths]
    if folded(stems[0]) == folded(stems[1]):
        stems[:2] = f"{stems[0]}-new", f"{stems[1]}-old"
    names: list[str] = []
    for stem in stems:
        name, number = stem, 1
        while folded(name) in map(folded, names):
            number += 1
            name = f"{stem}-{number}"
        names.append(name)
    return names


def _stem(path: Path) -> str:
    """Return a file's name without its suffix, as a bot may be called."""
    stem = re.sub(r"[^\w.-]", "_", path.resolve().stem)[:_STEM_CHARACTERS]
    return "bot" if name_objection(stem) else stem
