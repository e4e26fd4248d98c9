"""Every block of the guides is run: commands, bots, configs, messages and shown output."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.cards import deal_seed, names, seed_secret, shuffle_of
from referee.games.game import find_game, games
from referee.protocol import TimeControl
from referee.tournament.config import (
    BotEntry,
    Faults,
    GameEntry,
    Limits,
    Running,
    Tournament,
    load_config,
)
from referee.tournament.sizing import schedule_of
from tests.readme_pictures import DRAWN, PICTURES, lasting

ROOT = Path(__file__).parent.parent
GUIDES = ("README.md", "bots/README.md", "tournaments/README.md")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INSTALL = re.compile(r"^python3 -m venv .*&& \.venv/bin/", re.MULTILINE)


def blocks(*languages: str) -> list[Any]:
    return [
        pytest.param(text, id=f"{guide}-{number}")
        for guide in GUIDES
        for number, (language, text) in enumerate(BLOCK.findall((ROOT / guide).read_text()), 1)
        if language in languages
    ]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy what the guides speak of to where they may write."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("bots", "tournaments"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for guide, text in ((guide, (ROOT / guide).read_text()) for guide in GUIDES):
        for language, block in BLOCK.findall(text):
            if language == "python" and "for line in sys.stdin" in block:
                (folder / ("my_bot.py" if guide == "README.md" else "guide_bot.py")).write_text(
                    block
                )
    return folder


def run(command: str, checkout: Path) -> str:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euc", command],
        cwd=checkout,
        env={**os.environ, "PATH": path, "COLUMNS": "80"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def commands(text: str) -> Iterator[str]:
    """Go through a block's commands; what installs is .ci/run's to try, and so are the tests."""
    for line in text.splitlines():
        command = INSTALL.sub("", line)
        if command and not command.startswith("pytest"):
            yield command


@pytest.mark.parametrize("text", blocks("sh"))
def test_commands_of_the_guides_succeed(text: str, checkout: Path) -> None:
    for command in commands(text):
        run(command, checkout)


@pytest.mark.parametrize("name", DRAWN)
def test_a_run_looks_as_the_readme_shows_it(name: str, checkout: Path) -> None:
    run("referee tournament tournaments/quickstart.toml", checkout)  # unless it was played above
    kept = (PICTURES / f"{name}.svg").read_text(encoding="utf-8")
    drawn = DRAWN[name](checkout / "tournaments" / "quickstart")
    assert lasting(drawn) == lasting(kept)


def test_the_readme_shows_the_pictures() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"\(tests/pictures/([\w.]+)\)", readme))
    assert shown == {path.name for path in PICTURES.iterdir()}
    assert shown == {"report.png", *(f"{name}.svg" for name in DRAWN)}


def test_every_block_has_a_language_that_a_test_runs() -> None:
    for guide in GUIDES:
        for language, text in BLOCK.findall((ROOT / guide).read_text()):
            assert language in {"sh", "python", "toml", "text"}, (guide, text[:60])


def test_the_transcript_of_the_bot_authors_guide_is_a_real_one(checkout: Path) -> None:
    """The random bot's side of the match that the guide names, to the byte."""
    guide = (ROOT / "bots" / "README.md").read_text()
    (transcript,) = [text for language, text in BLOCK.findall(guide) if language == "text"]
    (command,) = re.findall(r"^referee match .* --trace wire.txt$", guide, re.MULTILINE)
    run(command.replace("wire.txt", "again.txt"), checkout)
    lines = (checkout / "again.txt").read_text().splitlines()
    bots_side = [line.split(" ", 2)[2] for line in lines if line.split(" ")[1] == "random_bot"]
    assert bots_side == transcript.splitlines()


@pytest.mark.parametrize("name", sorted(games()))
def test_the_bot_authors_guide_names_every_decision_event_and_view_key(name: str) -> None:
    guide = (ROOT / "bots" / "README.md").read_text()
    (section,) = re.findall(rf"^### [^\n]*`{name}`.*?(?=^##)", guide, re.MULTILINE | re.DOTALL)
    game = find_game(name)
    events = [str(event.__struct_config__.tag) for event in game.event_types]
    for word in (*game.kinds, *events, *game.view_type.__struct_encode_fields__):
        assert f"`{word}`" in section, word


@pytest.mark.parametrize("text", blocks("toml"))
def test_configs_of_the_guides_load(text: str, checkout: Path) -> None:
    path = checkout / "tournaments" / "of_the_guide.toml"
    path.write_text(text)
    assert schedule_of(load_config(path)).games > 0


def test_the_organisers_guide_has_every_key_with_its_default() -> None:
    guide = (ROOT / "tournaments" / "README.md").read_text()
    rows = dict(re.findall(r"^\| ((?:`[a-z_.]+`(?:, )?)+) \| (.*?) \|", guide, re.MULTILINE))
    defaults = {
        key: default for keys, default in rows.items() for key in re.findall(r"[a-z_.]+", keys)
    }
    sections: dict[str, type[msgspec.Struct]] = {
        "tournament": Tournament,
        "games": GameEntry,
        "time": TimeControl,
        "faults": Faults,
        "limits": Limits,
        "run": Running,
        "bots": BotEntry,
    }
    for section, struct in sections.items():
        for field in msgspec.structs.fields(struct):
            key = f"{section}.{field.encode_name}"
            if isinstance(field.default, int | float | str) and field.default != "":
                assert defaults[key] == f"`{json.dumps(field.default)}`", key
            else:
                assert key in defaults


def test_the_second_opinion_on_a_deal_agrees_with_the_referee() -> None:
    guide = (ROOT / "tournaments" / "README.md").read_text()
    (script,) = [text for language, text in BLOCK.findall(guide) if language == "python"]
    said = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    pack = shuffle_of(deal_seed(seed_secret("quickstart"), "oh_hell", 4, 1))(1, 1)
    cards = names(pack)
    assert said.stdout.strip() == f"seats 0 to 3: {cards[:4]} turned: {cards[4]}"
