"""A game of somebody else's: the page's own, installed as a separate package, plays everywhere."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

BOTS = Path(__file__).parent.parent.parent / "bots"
PAGE = (BOTS / "GAMES.md").read_text()
(SOURCE, PROJECT, COMMANDS) = (
    re.search(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[1]  # type: ignore[index]
    for language in ("python", "toml", "sh")
)
CONFIG = f"""
[tournament]
seed = "plugin"
[[games]]
game = "goofspiel"
seats = 2
deals = 4
rules = {{ prizes = 6 }}
[limits]
sandbox = "off"
[[bots]]
name = "a"
path = "{BOTS}/random_bot.py"
[[bots]]
name = "b"
path = "{BOTS}/random_bot.py"
[[bots]]
name = "c"
path = "{BOTS}/random_bot.py"
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the page's game where only this module's referees look."""
    folder = tmp_path_factory.mktemp("goofspiel")
    (folder / "source").mkdir()
    (folder / "source" / "goofspiel.py").write_text(SOURCE)
    (folder / "source" / "pyproject.toml").write_text(PROJECT)
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"),
            *("--no-build-isolation", "--target", "packages", "./source"),
        ],
        cwd=folder,
        check=True,
        timeout=120,
    )
    (folder / "config.toml").write_text(CONFIG)
    return folder


def referee(folder: Path, *words: str, code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "referee", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{folder}/packages:{BOTS.parent}", "COLUMNS": "80"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def test_the_pages_game_is_under_80_lines() -> None:
    assert SOURCE.count("\n") < 80


def test_the_pages_commands_succeed(installed: Path) -> None:
    for command in COMMANDS.splitlines():
        words = command.replace("bots/", f"{BOTS}/").split()
        assert words[0] == "referee"
        assert "goofspiel" in referee(installed, *words[1:]).lower()


def test_a_tournament_of_a_plugged_in_game_is_played_verified_and_replayed(installed: Path) -> None:
    out = referee(installed, "tournament", "config.toml")
    assert "24 games" in out
    assert "24 records: everything holds" in referee(installed, "verify", "config")
    standings = json.loads(referee(installed, "standings", "config", "--json"))
    assert standings["complete"]
    assert {row["games"] for row in standings["standings"]} == {16}
    told = referee(installed, "replay", "config", "1", "--plain")
    assert told.startswith("goofspiel, deal 1")
    assert "bids: " in told


def test_without_the_package_the_run_is_refused_in_one_line(installed: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "referee", "standings", "config"],
        cwd=installed,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert 'found "goofspiel", which is no game' in done.stderr
    assert done.stderr.count("\n") == 1
