"""Submitting: a copy by hash, an entry in the config, and nothing else of it changed."""

import threading
from pathlib import Path

import pytest

from referee.program import ProgramError, fingerprint
from referee.scaffold import new_bot
from referee.tournament.config import BotEntry, ConfigError, load_config, parse_config
from referee.tournament.submit import enter, prepare_submission
from tests import needs
from tests.cli.commands import GREEDY, RANDOM, referee

CONFIG = """\
# The autumn contest.
[[games]]   # one game is enough
game = "pitch"
seats = 3

# our own
[[bots]] # the house's
path = "house.py"   # kept here
name = "house"
games = ["pitch"]   # and no other

[run] # on the old machine
concurrency = 1
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "autumn.toml"
    path.write_text(CONFIG, encoding="utf-8")
    return path


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    path = tmp_path / "elsewhere" / "mine.py"
    path.parent.mkdir()
    path.write_text("print(1)\n", encoding="utf-8")
    return path


def submit(bot: Path, config: Path, *, name: str = "", command: str = "") -> None:
    enter(prepare_submission(bot, config, name=name, command=command))


def kept_path(bot: Path) -> str:
    version = fingerprint(bot).removeprefix("sha256:")
    return f"submissions/{version}" + ("" if bot.is_dir() else f"/{bot.name}")


def test_a_new_bot_is_entered_after_the_others_and_nothing_else_changes(
    bot: Path, config: Path
) -> None:
    submit(bot, config)
    entry = f'[[bots]]\nname = "mine"\npath = "{kept_path(bot)}"\n'
    assert config.read_text() == CONFIG.replace("[run]", f"{entry}\n[run]")
    assert (config.parent / kept_path(bot)).read_bytes() == bot.read_bytes()


def test_where_the_bots_stand_last_the_text_is_continued(bot: Path, config: Path) -> None:
    text = CONFIG.partition("\n\n[run]")[0]
    assert not text.endswith("\n")
    config.write_text(text, encoding="utf-8")
    submit(bot, config)
    entry = f'[[bots]]\nname = "mine"\npath = "{kept_path(bot)}"\n'
    assert config.read_text() == f"{text}\n\n{entry}"


def test_bots_in_an_inline_list_are_joined_by_another(bot: Path, config: Path) -> None:
    head = 'bots = [\n  { name = "house", path = "house.py" }, # the house\'s\n]\n'
    config.write_text(head + CONFIG.partition("# our own")[0], encoding="utf-8")
    submit(bot, config)
    assert "# the house's\n" in config.read_text()
    assert [each.name for each in parsed(config)] == ["house", "mine"]


def parsed(config: Path) -> list[BotEntry]:

    return list(parse_config(config.read_text(), config, may_lack_bots=True).bots)


def test_a_new_version_takes_the_place_of_the_old_whose_copy_is_kept(
    bot: Path, config: Path
) -> None:
    submit(bot, config, name="house")
    old = kept_path(bot)
    bot.write_text("print(2)\n", encoding="utf-8")
    submit(bot, config, name="house")
    line = 'path = "house.py"   # kept here'
    assert config.read_text() == CONFIG.replace(line, f'path = "{kept_path(bot)}"   # kept here')
    assert (config.parent / old).read_text() == "print(1)\n"


def test_a_folder_keeps_its_command_from_version_to_version(bot: Path, config: Path) -> None:
    submit(bot.parent, config, command="python mine.py --fast")
    bot.write_text("print(2)\n", encoding="utf-8")
    submit(bot.parent, config)
    entry = (
        f'[[bots]]\nname = "elsewhere"\npath = "{kept_path(bot.parent)}"\n'
        f'command = "python mine.py --fast"\n'
    )
    assert config.read_text() == CONFIG.replace("[run]", f"{entry}\n[run]")


def test_a_name_that_another_bot_has_is_not_taken_over_in_silence(bot: Path, config: Path) -> None:
    house = bot.with_name("house.py")
    house.write_bytes(bot.read_bytes())
    assert prepare_submission(house, config).replaced is not None
    other = bot.with_name("house")
    other.write_bytes(b"#!/bin/sh\n")
    other.chmod(0o755)
    with pytest.raises(ProgramError, match=r"the name house is taken by .*house.py; --name house"):
        prepare_submission(other, config)
    with pytest.raises(ProgramError, match=r"HOUSE: the name is taken by house, and names differ"):
        prepare_submission(bot, config, name="HOUSE")


def test_a_name_that_cannot_be_is_said_so(bot: Path, config: Path) -> None:
    with pytest.raises(ProgramError, match=r"no/name: a name has letters, digits, spaces and _.-"):
        prepare_submission(bot, config, name="no/name")


def test_a_bot_that_changes_while_it_is_checked_is_not_entered(bot: Path, config: Path) -> None:
    submission = prepare_submission(bot, config)
    bot.write_text("print(3)\n", encoding="utf-8")
    with pytest.raises(ProgramError, match=r"mine.py: changed while it was checked"):
        enter(submission)
    assert config.read_text() == CONFIG


def test_many_at_once_are_all_entered(bot: Path, config: Path) -> None:
    submissions = [prepare_submission(bot, config, name=f"bot {number}") for number in range(8)]
    threads = [threading.Thread(target=enter, args=(each,)) for each in submissions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    names = {bot.name for bot in load_config(config).bots}
    assert names == {"house", *(f"bot {number}" for number in range(8))}


def test_configs_that_cannot_be_changed_are_refused_in_one_line(bot: Path, config: Path) -> None:
    link = config.with_name("link.toml")
    link.symlink_to(config.name)
    with pytest.raises(ConfigError, match=rf"link.toml: a link; name the file itself, {config}"):
        prepare_submission(bot, link)
    with pytest.raises(ConfigError, match=r"none.toml: no such file"):
        prepare_submission(bot, config.with_name("none.toml"))
    with pytest.raises(ConfigError, match=r"elsewhere: a folder, not a config file"):
        prepare_submission(bot, bot.parent)
    config.chmod(0o444)
    with pytest.raises(ConfigError, match=r"autumn.toml: read-only"):
        prepare_submission(bot, config)


def test_the_mode_of_a_config_stays(bot: Path, config: Path) -> None:
    config.chmod(0o600)
    submit(bot, config)
    assert config.stat().st_mode & 0o777 == 0o600


def test_a_version_that_stands_there_already_is_known(bot: Path, config: Path) -> None:
    submit(bot, config)
    assert prepare_submission(bot, config).is_known
    assert not prepare_submission(bot, config, command="python -O mine.py").is_known
    assert not prepare_submission(bot, config, name="house").is_known


def test_submitted_bots_are_a_tournament(config: Path) -> None:
    """From a config without bots to one that is ready, by the command line."""
    config.write_text(CONFIG.partition("# our own")[0], encoding="utf-8")
    out, _ = referee("submit", RANDOM, config)
    assert "nothing is wrong\nrandom_bot: entered in " in out
    for name in ("b", "c"):
        submit(Path(GREEDY), config, name=name)
    before = config.read_bytes()
    out, _ = referee("submit", RANDOM, config, "--dry-run", "--name", "another")
    assert "another: would be entered in " in out
    assert config.read_bytes() == before
    referee("schedule", config)


def test_a_bot_that_fails_the_check_is_not_entered(bot: Path, config: Path) -> None:
    _, error = referee("submit", bot, config, code=1)
    assert error.endswith("referee: mine: not entered, since it fails the check\n")
    assert config.read_text() == CONFIG
    assert not (config.parent / "submissions").exists()


@needs.program("cc")
def test_a_bot_is_submitted_as_source_and_stays_so(config: Path, tmp_path: Path) -> None:
    """The template in C, by the command line; a second version needs no words again."""
    source = new_bot(tmp_path / "mine.c").file
    words = ("--command", "./mine", "--build", "cc -O2 -o mine mine.c")
    referee("submit", source, config, *words)
    entry = (
        f'[[bots]]\nname = "mine"\npath = "{kept_path(source)}"\ncommand = "./mine"\n'
        f'build = "cc -O2 -o mine mine.c"\n'
    )
    assert entry in config.read_text()
    source.write_text(source.read_text() + "\n", encoding="utf-8")
    submit(source, config)
    assert 'command = "./mine"\nbuild = "cc -O2 -o mine mine.c"\n' in config.read_text()
