"""Templates: each bot is built as it says itself and goes through the whole course."""

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import tomlkit

from referee.check import check_bot
from referee.games.game import games
from referee.program import Program, ProgramError
from referee.protocol import TimeControl
from referee.sandbox import find_isolation
from referee.scaffold import LANGUAGES, Scaffold, new_bot, new_tournament
from referee.tournament.config import Config, load_config, parse_config
from referee.tournament.submit import enter, prepare_submission
from tests.cli.commands import RANDOM, referee

TOOLS = {
    "javascript": "node",
    "shell": "jq",
    "c": "cc",
    "cpp": "c++",
    "rust": "rustc",
    "go": "go",
    "java": "javac",
}
"""What must be on the PATH for a language's bot to be tried."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_bot_plays_every_game_at_once(language: str, tmp_path: Path) -> None:
    """By the commands that the template says, within isolation where that works."""
    if (tool := TOOLS.get(language)) and not shutil.which(tool):
        pytest.skip(f"{tool} is not installed")
    written = new_bot(tmp_path / "my bot", language)
    *build, check = written.commands
    for command in build:
        caches = {"GOCACHE": str(tmp_path / "cache")}
        subprocess.run(shlex.split(command), check=True, env={**os.environ, **caches}, timeout=120)
    program = shlex.split(check)[-1]
    time = TimeControl(startup_ms=60_000, move_ms=1_000)  # a machine may be busy, and Java is slow
    report = check_bot(Program(Path(program)), list(games().values()), find_isolation("auto"), time)
    assert report.ok, [step for step in report.steps if not step.ok]
    text = written.file.read_text(encoding="utf-8")
    assert "@" not in re.sub("@(Override|everybody)", "", text)
    assert all(command in text for command in written.commands)


@pytest.mark.parametrize(
    ("name", "language", "file"),
    [
        ("mine", "", "mine.py"),
        ("mine.py", "", "mine.py"),
        ("mine.c", "", "mine.c"),
        ("mine", "cpp", "mine.cpp"),
        ("mine.java", "", "mine"),
        ("v1.2", "", "v1.2.py"),
    ],
)
def test_the_suffix_says_the_language_and_the_language_the_suffix(
    name: str, language: str, file: str, tmp_path: Path
) -> None:
    assert new_bot(tmp_path / name, language).file == tmp_path / file


def test_what_cannot_be_written_is_refused_in_one_line(tmp_path: Path) -> None:
    new_bot(tmp_path / "mine")
    with pytest.raises(FileExistsError):
        new_bot(tmp_path / "mine.py")
    with pytest.raises(ProgramError, match=r"random.py hides Python's own module random"):
        new_bot(tmp_path / "random")
    with pytest.raises(ProgramError, match=r"--language cobol: must be one of python, javascript"):
        new_bot(tmp_path / "other", "cobol")
    with pytest.raises(ProgramError, match="a:b: a name has letters, digits, spaces and"):
        new_bot(tmp_path / "a:b")
    assert [file.name for file in tmp_path.iterdir()] == ["mine.py"]
    _, error = referee("new", "bot", tmp_path / "mine", code=2)
    assert error == f"referee: {tmp_path}/mine.py: File exists\n"


def values(data: Any, at: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    """Return the values of nested tables by their paths."""
    if not isinstance(data, dict):
        return {at: data}
    return {
        path: value
        for key, each in data.items()
        for path, value in values(each, (*at, key)).items()
    }


def test_a_new_tournament_shows_the_keys_with_their_defaults(tmp_path: Path) -> None:
    """All that is commented out, let in, changes nothing but what has no default."""
    written = new_tournament(tmp_path / "cup")
    text = written.file.read_text(encoding="utf-8")
    let_in = re.sub(r"^# (?=[a-z_]+ = )", "", text, flags=re.MULTILINE)
    config = parse_config(let_in, written.file, may_lack_bots=True)
    assert config.limits.sandbox == "required"
    defaults = values(msgspec.to_builtins(Config()))
    said = values({k: v for k, v in tomlkit.parse(let_in).unwrap().items() if k != "games"})
    free = {("tournament", key) for key in ("name", "seed", "rounds", "until")}
    for path in said.keys() - free - {("limits", "sandbox")}:
        assert said[path] == defaults[path], path
    assert len(said) > 18


def test_a_new_tournament_is_whole_when_bots_are_submitted(tmp_path: Path) -> None:
    out, _ = referee("new", "tournament", tmp_path / "cup")
    config = tmp_path / "cup.toml"
    assert f"referee submit BOT {config}\n" in out
    for name in ("a", "b", "c"):
        enter(prepare_submission(Path(RANDOM), config, name=name))
    assert [bot.name for bot in load_config(config).bots] == ["a", "b", "c"]


@pytest.mark.parametrize("name", ["", ".", "/", ".."])
@pytest.mark.parametrize("write", [new_bot, new_tournament])
def test_what_is_no_name_of_a_file_is_refused(write: Callable[[Path], Scaffold], name: str) -> None:
    with pytest.raises(ProgramError, match="no name of a new file"):
        write(Path(name))


def test_a_name_that_looks_like_an_option_is_shown_as_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert new_bot(Path("-x")).commands == ["referee check ./-x.py"]
