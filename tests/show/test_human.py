"""A person at the table: what is typed becomes an answer, and nothing else does."""

import contextlib
import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

import pytest

from referee.games.game import Decision
from referee.show.human import read_choice

BOTS = Path(__file__).parent.parent.parent / "bots"
GREEDY = str(BOTS / "greedy_bot.py")

PLAY = Decision("play", ["TC", "7H", "9H", "9H"], 1, 2)
BID = Decision("bid", ["pass", 1, 2, 10])
DOUBT = Decision("doubt", [False, True])


@pytest.mark.parametrize(
    ("typed", "decision", "chosen"),
    [
        ("7H", PLAY, ["7H"]),
        ("7h", PLAY, ["7H"]),
        ("7♥", PLAY, ["7H"]),
        ("7", PLAY, ["7H"]),
        ("10c", PLAY, ["TC"]),
        (" 9h, 9H ", PLAY, ["9H", "9H"]),
        ("9 7", PLAY, ["9H", "7H"]),
        ("p", BID, ["pass"]),
        ("1", BID, [1]),
        ("10", BID, [10]),
        ("y", DOUBT, [True]),
        ("no", DOUBT, [False]),
        ("true", DOUBT, [True]),
    ],
)
def test_what_is_typed_is_understood(
    typed: str, decision: Decision, chosen: list[str | int | bool]
) -> None:
    found = read_choice(typed, decision)
    assert [(type(option), option) for option in found] == [(type(c), c) for c in chosen]


@pytest.mark.parametrize(
    ("typed", "decision", "says"),
    [
        ("", PLAY, "chose 0"),
        ("8H", PLAY, "8H: not one of those"),
        ("7 9 9", PLAY, "chose 3"),
        ("7 7", PLAY, "more often"),
        ("\x1b[2J", BID, "\\x1b[2J: not one"),
        ("maybe", DOUBT, "maybe: not one"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(typed: str, decision: Decision, says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(says)) as error:
        read_choice(typed, decision)
    assert "\n" not in str(error.value)


class Terminal:
    """A match that is played at a terminal of its own; on leaving it is over, whatever happened."""

    def __init__(self, cwd: Path, *words: str) -> None:
        self.fd, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "referee", "match", *words],
            cwd=cwd,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "200", "PYTHONPATH": str(BOTS.parent)},
            start_new_session=True,
        )
        os.close(theirs)
        self.shown = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.fd)

    def wait_for(self, pattern: str) -> str:
        """Read on until the pattern has been shown; return its match, and forget what led there."""
        deadline = time.monotonic() + 15
        while (found := re.search(pattern, self.shown)) is None:
            assert time.monotonic() < deadline, self.shown
            if select.select([self.fd], [], [], 0.1)[0]:
                with contextlib.suppress(OSError):  # the other end is closed
                    data = os.read(self.fd, 65536).decode(errors="replace")
                    self.shown += re.sub(r"\x1b\[[0-9;]*m", "", data)
        self.shown = self.shown[found.end() :]
        return found[0]

    def type(self, text: str) -> None:
        os.write(self.fd, text.encode())


def test_a_person_plays_a_whole_hand_at_the_terminal(tmp_path: Path) -> None:
    """The legal cards are offered, a wrong answer is asked again, and the result is told."""
    words = ("pitch", "human", GREEDY, "--seed", "person", "--rules", "max_hands=1")
    with Terminal(tmp_path, *words, "--out", "game.jsonl") as terminal:
        terminal.wait_for("you are seat 0 of 2")
        terminal.wait_for("your hand:")
        terminal.wait_for(r"bid \(1 of these\)")
        terminal.type("nonsense\n")
        terminal.wait_for("nonsense: not one of those")
        terminal.type("4\n")
        terminal.wait_for("0 you bids 4")
        offers = 0
        while "The end" not in (said := terminal.wait_for(r"play \(1 of these\)[^>]*> |The end")):
            offered = re.findall(r"[2-9TJQKA][♣♦♥♠]", said)
            terminal.type(f"{offered[0]}\n")
            offers += 1
        assert terminal.process.wait(30) == 0
    record = [json.loads(line) for line in (tmp_path / "game.jsonl").read_text().splitlines()]
    assert record[0]["seats"][0] == {"bot": "human", "version": "human"}
    mine = [line for line in record if line.get("seat") == 0 and line["type"] == "choice"]
    assert [line["choose"] for line in mine if line["kind"] == "bid"] == [[4]]
    assert sum(line["by"] == "bot" for line in mine) == offers + 1
    assert not [line for line in record if line["type"] == "fault"]


def test_who_leaves_forfeits(tmp_path: Path) -> None:
    with Terminal(tmp_path, "pitch", "human", GREEDY, "--rules", "max_hands=1") as terminal:
        terminal.wait_for("of these")
        terminal.type("\x04")
        terminal.wait_for("forfeit")
        assert terminal.process.wait(30) == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("pitch", "human", GREEDY), "a person plays at a terminal"),
        (("pitch", "human", "human"), "one person a terminal"),
    ],
)
def test_where_a_person_cannot_play_one_line_says_so(
    words: tuple[str, ...], says: str, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "referee", "match", *words],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_watching_is_refused_with_a_person_at_the_table(tmp_path: Path) -> None:
    with Terminal(tmp_path, "pitch", "human", GREEDY, "--watch") as terminal:
        terminal.wait_for("--watch shows every hand")
        assert terminal.process.wait(30) == 2
