"""Reading a config and checking what types alone cannot say."""

import os
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from referee.games.game import RulesError, find_game, games
from referee.program import ProgramError, split_command
from referee.protocol import printable
from referee.tournament.config import strict
from referee.tournament.config.names import folded, name_objection
from referee.tournament.config.sections import BotEntry, Config, GameEntry, Running, Tournament
from referee.tournament.config.strict import Key, Problem, did_you_mean, format_key, found


class ConfigError(Exception):
    """A config cannot be used: one line with the file, the key, what was found, what may be."""


def load_config(path: Path) -> Config:
    """Read a config, or a run's ``run.toml``; raises ConfigError.

    What comes back is resolved: a name, absolute paths of bots (as written, from the config's
    folder: a link stays a link), commands as words, the full rules of each entry. Bots' files are
    not looked at.
    """
    return parse_config(read_config(path), path)


def read_config(path: Path) -> str:
    """Read a config's text; raises ConfigError."""
    with _errors_of(path):
        return _read(path)


def parse_config(text: str, path: Path, *, may_lack_bots: bool = False) -> Config:
    """Return what ``load_config`` does of a file with this text; raises ConfigError.

    ``may_lack_bots`` is for who is about to enter one: the entries' seats may outnumber the bots.
    """
    with _errors_of(path):
        data = _parse_toml(text)
    return resolve_config(data, path, may_lack_bots=may_lack_bots)


def resolve_config(data: dict[str, Any], path: Path, *, may_lack_bots: bool = False) -> Config:
    """Return what ``parse_config`` does of a text with these tables."""
    with _errors_of(path):
        config = strict.decode(data, Config)
        loaded = replace(
            config,
            tournament=replace(config.tournament, name=_tournament_name(config, path)),
            games=_checked_entries(config),
            bots=_checked_bots(config, path.parent.resolve()),
            time=_checked_time(config),
            run=_checked_run(config, path.parent.resolve()),
        )
        if not may_lack_bots:
            _check_bots_suffice(loaded)
            _check_until(config)
            _check_compare(config)
        return loaded


@contextmanager
def _errors_of(path: Path) -> Iterator[None]:
    try:
        yield
    except Problem as problem:
        where = [printable(str(path)), format_key(problem.key), str(problem)]
        raise ConfigError(": ".join(filter(None, where))) from None


def _read(path: Path) -> str:
    if path.is_dir():
        raise Problem((), "a folder, not a config file")
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise Problem((), "no such file") from None
    except OSError as error:
        raise Problem((), f"cannot be read: {error.strerror}") from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise Problem((), f"not UTF-8 (at line {line})") from None


def _parse_toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise Problem((), "not TOML: nested too deeply") from None
    except ValueError as error:
        raise Problem((), f"not TOML: {printable(str(error))}") from None


def _tournament_name(config: Config, path: Path) -> str:
    name = config.tournament.name or path.stem
    if not name.isprintable():
        raise Problem(
            ("tournament", "name"),
            f"found {found(name)}; it may be text of 1 to 255 characters, all of them printable",
        )
    return name


def _checked_time(config: Config) -> Any:
    if config.time.move_ms + config.time.bank_ms == 0:
        raise Problem(
            ("time", "move_ms"),
            "found 0, and bank_ms is 0 too: no answer could be in time; "
            "one of the two may be 1 or more",
        )
    return config.time


def _checked_run(config: Config, folder: Path) -> Running:
    run = config.run
    if run.engine == "dask" and run.scheduler is None:
        raise Problem(
            ("run", "scheduler"),
            'missing; for engine = "dask" it may be an address such as "tcp://10.0.0.7:8786", '
            '"local:N" or "slurm:FILE"',
        )
    if run.pin and run.engine != "processes":
        raise Problem(
            ("run", "pin"),
            f'found true, but engine = "{run.engine}"; only worker processes can be pinned: '
            'engine = "processes"',
        )
    kind, _, file = (run.scheduler or "").partition(":")
    return replace(run, scheduler=f"slurm:{folder / file}") if kind == "slurm" else run


def _check_until(config: Config) -> None:
    """Refuse an end that these bots cannot have, or entries that do not go on side by side."""
    at: Key = ("tournament", "until")
    until = config.tournament.until
    if until is None:
        return
    if len({entry.deals for entry in config.games}) > 1:
        raise Problem(
            at, f"found {found(until)}; it may be given where all [[games]] have as many deals"
        )
    bots = len(config.bots_everywhere)
    if bots < 2:
        raise Problem(at, f"found {found(until)}, but no two bots play all [[games]]")
    if until.startswith("top:") and int(until.removeprefix("top:")) >= bots:
        raise Problem(at, f"found {found(until)}; of {bots} bots it may be up to top:{bots - 1}")


def _check_compare(config: Config) -> None:
    """Refuse a comparison that is not one game, two bots to compare and others to fill a table."""
    if config.compare is None:
        return
    if len(config.games) > 1:
        raise Problem(("compare",), "it may be given where there is one [[games]]")
    (entry,) = config.games
    bots = config.bots_of(entry)
    if len(bots) != entry.seats + 1 or len(bots) != len(config.bots):
        raise Problem(
            ("games", 0, "seats"),
            f"found {entry.seats} for {len(bots)} bots; a comparison has one more bot than seats: "
            f"the two to compare, then those that play against both",
        )
    plain = Tournament()
    for key in ("rounds", "until"):
        if getattr(config.tournament, key) != getattr(plain, key):
            raise Problem(("tournament", key), "a comparison has its own; leave it out")


def _checked_entries(config: Config) -> tuple[GameEntry, ...]:
    if not config.games:
        raise Problem(("games",), "missing; at least one [[games]] says what is played")
    return tuple(_checked_entry(config, place) for place in range(len(config.games)))


def _checked_entry(config: Config, place: int) -> GameEntry:
    at: Key = ("games", place)
    entry = config.games[place]
    if entry.game not in games():
        near = did_you_mean(entry.game, games())
        raise Problem((*at, "game"), f"found {found(entry.game)}, which is no game{near}")
    game = find_game(entry.game)
    if entry.seats not in game.seats:
        raise Problem(
            (*at, "seats"),
            f"found {entry.seats}; for {game.name} it may be a whole number "
            f"from {game.seats[0]} to {game.seats[-1]}",
        )
    if not isinstance(entry.rules, dict):
        raise Problem((*at, "rules"), f"found {found(entry.rules)}; it may be a table")
    try:
        # Decoded here for its words; the game itself decides.
        strict.decode(entry.rules, game.rules_type, (*at, "rules"))
        rules = game.rules(entry.rules, entry.seats)
    except RulesError as error:
        raise Problem((*at, "rules"), printable(str(error), 1000)) from None
    return replace(entry, rules=rules)


def _check_bots_suffice(config: Config) -> None:
    for place, entry in enumerate(config.games):
        playing = len(config.bots_of(entry))
        if playing < entry.seats:
            raise Problem(
                ("games", place, "seats"),
                f"found {entry.seats}, but "
                f"{playing} {'bot plays' if playing == 1 else 'bots play'} this entry; enter more, "
                f"or one bot twice: two [[bots]] with the same path and two names",
            )


def _checked_bots(config: Config, folder: Path) -> tuple[BotEntry, ...]:
    places: dict[str, int] = {}
    for place, bot in enumerate(config.bots):
        at: Key = ("bots", place, "name")
        if objection := name_objection(bot.name):
            raise Problem(at, f"found {found(bot.name)}; {objection}")
        other = places.setdefault(folded(bot.name), place)
        if other != place:
            raise Problem(
                at,
                f"found {found(bot.name)}, but [[bots]] {other + 1} is "
                f"{found(config.bots[other].name)}; names differ in more than case",
            )
    return tuple(_checked_bot(config, place, folder) for place in range(len(config.bots)))


def _checked_bot(config: Config, place: int, folder: Path) -> BotEntry:
    at: Key = ("bots", place)
    bot = config.bots[place]
    entered = list(dict.fromkeys(entry.game for entry in config.games))
    for game in bot.games or ():
        if game not in entered:
            near = did_you_mean(game, entered)
            raise Problem((*at, "games"), f"found {found(game)}, which no [[games]] has{near}")
    for name, value in bot.env.items():
        if not name or "=" in name or "\0" in name + value:
            raise Problem(
                (*at, "env", name),
                "an environment has names that are not empty and have no =, and no NUL anywhere",
            )
    command = _checked_words((*at, "command"), bot.command)
    build = _checked_words((*at, "build"), bot.build)
    # As text, not by the file system: a link to a bot keeps its own name.
    path = os.path.normpath(folder / bot.path)
    return replace(bot, path=path, command=command, build=build)


def _checked_words(at: Key, command: str | tuple[str, ...] | None) -> tuple[str, ...] | None:
    if command is None:
        return None
    try:
        words = split_command(command) if isinstance(command, str) else command
    except ProgramError as error:
        raise Problem(at, printable(str(error), 1000)) from None
    if not words or not words[0] or "\0" in "".join(words):
        raise Problem(at, "it may be words of which the first is the program, without NUL")
    return words
