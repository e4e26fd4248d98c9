"""Entering a bot in a config: its copy is kept, the file is changed whole or not at all.

Comments, order and everything else in the config stay as they are.
"""

import fcntl
import os
import shlex
import stat
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import tomlkit

from referee.check import Report, check_bot
from referee.games.game import find_game
from referee.program import Program, ProgramError, fingerprint, split_command
from referee.sandbox import find_isolation
from referee.tournament.config import (
    BotEntry,
    Config,
    ConfigError,
    folded,
    name_objection,
    parse_config,
    read_config,
)
from referee.tournament.store import write_whole

SUBMISSIONS = "submissions"
"""The folder beside a config in which the bots' copies are kept, each by its hash."""


class Submission(msgspec.Struct, frozen=True):
    """A bot that is to be entered: under which name, what is written there, and in whose place."""

    config: Path
    program: Program
    name: str
    path: str
    command: str
    build: str
    version: str
    replaced: BotEntry | None

    @property
    def is_known(self) -> bool:
        """Whether this very version stands under this name already."""
        old = self.replaced
        if old is None or Path(old.path) != (self.config.parent / self.path).resolve():
            return False
        known = old.program
        return (known.command, known.build) == (self.program.command, self.program.build)


def prepare_submission(
    bot: Path, config: Path, *, name: str = "", command: str = "", build: str = ""
) -> Submission:
    """Check everything that can be checked without starting the bot; nothing is written.

    ``name`` is by default that of the bot's file. ``command`` and ``build`` are by default those of
    an earlier version where that had a build, or where the bot is a folder. Raises ConfigError,
    ProgramError.
    """
    loaded = parse_config(read_config(config), config, may_lack_bots=True)
    _check_writable(config)
    given, name = name, name or bot.resolve().stem
    if objection := name_objection(name):
        raise ProgramError(f"{name}: {objection}; give it another name with --name")
    replaced = _namesake(loaded, name)
    if replaced is not None and not given and _is_another(Path(replaced.path), bot):
        raise ProgramError(
            f"{bot}: the name {name} is taken by {replaced.path}; --name {name} puts this bot in "
            f"its place, another --name enters it beside"
        )
    if replaced is not None and not (command or build) and (bot.is_dir() or replaced.build):
        command = shlex.join(replaced.program.command)
        build = shlex.join(replaced.program.build)
    program = Program(bot, split_command(command), split_command(build))
    program.check()
    version = fingerprint(bot)
    kept = Path(SUBMISSIONS, version.removeprefix("sha256:"))
    path = kept if bot.is_dir() else kept / bot.name
    return Submission(config, program, name, str(path), command, build, version, replaced)


def check_submission(submission: Submission) -> Report:
    """Send the bot through the course of the config's games, with its time and its limits."""
    config = parse_config(read_config(submission.config), submission.config, may_lack_bots=True)
    games = dict.fromkeys(entry.game for entry in config.games)
    return check_bot(
        submission.program,
        [find_game(game) for game in games],
        find_isolation(config.limits.sandbox),
        config.time,
        config.limits.of_a_bot,
    )


def enter(submission: Submission) -> None:
    """Keep the bot's copy and enter it in the config.

    An earlier version's copy stays. Raises ProgramError for a bot that was changed since it was
    prepared, ConfigError for a config that was changed so that the bot no longer fits, OSError.
    """
    config = submission.config
    folder = config.parent / SUBMISSIONS
    with _one_at_a_time(config.parent):
        copy = submission.program.copy_to(folder)
        if folder / submission.version.removeprefix("sha256:") not in (copy.path, copy.path.parent):
            raise ProgramError(f"{submission.program.path}: changed while it was checked")
        text = with_entry(read_config(config), submission)
        parse_config(text, config, may_lack_bots=True)
        write_whole(config, text.encode(), mode=stat.S_IMODE(config.stat().st_mode))


def with_entry(text: str, submission: Submission) -> str:
    """Return a config's text with the bot entered: in its earlier version's place, or last."""
    document = tomlkit.parse(text)
    bots = document.get("bots")
    old = next((each for each in bots or () if each.get("name") == submission.name), None)
    if old is not None:
        _fill(old, submission)
        return tomlkit.dumps(document)
    if isinstance(bots, tomlkit.items.Array):
        entry: Any = tomlkit.inline_table()
        _fill(entry, submission)
        bots.append(entry)
        return tomlkit.dumps(document)
    entry = tomlkit.table()
    _fill(entry, submission)
    entries = tomlkit.aot()
    entries.append(entry)
    gap = "\n" if text.endswith("\n") or not text else "\n\n"
    longer = text + gap + tomlkit.dumps({"bots": entries})
    if tomlkit.dumps(tomlkit.parse(longer)) == longer:
        return longer
    # Other sections follow the bots; apart from those, the next edit would draw it to them.
    entry.add(tomlkit.nl())
    document["bots"].append(entry)
    return tomlkit.dumps(document)


def _fill(entry: MutableMapping[str, Any], submission: Submission) -> None:
    entry["name"] = submission.name
    entry["path"] = submission.path
    for key, words in (("command", submission.command), ("build", submission.build)):
        if words:
            entry[key] = words
        elif key in entry:
            del entry[key]


def _namesake(config: Config, name: str) -> BotEntry | None:
    """Return the bot that has this name; raises ProgramError where one has nearly the same."""
    for bot in config.bots:
        if bot.name == name:
            return bot
        if folded(bot.name) == folded(name):
            raise ProgramError(
                f"{name}: the name is taken by {bot.name}, and names differ in more than case: "
                f"--name {bot.name} puts this bot in its place, another --name enters it beside"
            )
    return None


def _is_another(old: Path, bot: Path) -> bool:
    """Whether files of other names are meant to be another bot; a kept folder has lost its name."""
    return not bot.is_dir() if old.parent.name == SUBMISSIONS else old.name != bot.name


def _check_writable(config: Path) -> None:
    """Raise ConfigError for a file that cannot be put in the place of the old one."""
    if config.is_symlink():
        raise ConfigError(f"{config}: a link; name the file itself, {config.resolve()}")
    if not config.stat().st_mode & stat.S_IWUSR or not os.access(config, os.W_OK):
        raise ConfigError(f"{config}: read-only, so nothing can be entered")
    if not os.access(config.resolve().parent, os.W_OK):
        raise ConfigError(f"{config}: its folder is read-only, so nothing can be entered")


@contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    """Hold off every other who is about to enter a bot in a config here."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)
