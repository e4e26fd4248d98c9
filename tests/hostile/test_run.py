"""What hostile bots try against a whole run, its folder, the terminal and all that prints."""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from referee.tournament.store import open_run
from tests import needs
from tests.hostile.hostile import Markup
from tests.hostile.machines import COMMAND, Machine
from tests.hostile.terminals import on_terminal


def notes_of(machine: Machine, bot: str) -> list[str]:
    """Return the notes that a bot made in a run, each once."""
    notes = set()
    store = open_run(machine.run)
    for summary in store.summaries():
        header, *lines = map(json.loads, store.records(summary.id).splitlines())
        seat = [player["bot"] for player in header["seats"]].index(bot)
        notes |= {line["note"] for line in lines if line.get("seat") == seat and "note" in line}
    return sorted(notes)


@needs.isolation
def test_row_26_a_run_is_not_there_for_its_bots(tmp_path: Path) -> None:
    run = tmp_path / "run"
    places = [str(tmp_path / "config.toml"), str(run), str(run / "secret"), str(run / "series")]
    machine = Machine(tmp_path, ["Honest", "LooksAround"], places=places)
    with machine.playing() as referee:
        pass
    assert referee.returncode == 0
    for note in notes_of(machine, "bot 2"):
        found = json.loads(note)
        assert found["places"] == dict.fromkeys(places, "refused")
        assert found["processes"] == [1, found["own"]]  # the referee's /proc is another one
        assert machine.mark not in found["first"]


@needs.isolation
def test_row_27_a_run_cannot_be_written_to_by_its_bots(tmp_path: Path) -> None:
    run = tmp_path / "run"
    places = [str(run / name) for name in ("secret", "run.toml", "series/1-1-0-1.jsonl.zst")]
    machine = Machine(tmp_path, ["Honest", "Writes"], places=[*places, "/proc/1/mem"])
    machine.play()
    for note in notes_of(machine, "bot 2"):
        assert [word.split(":")[0] for word in note.split("; ")] == ["refused"] * 5
    done = machine.referee("verify", "run")
    assert "12 records: everything holds" in done.stdout


def test_row_27_a_bot_that_edits_its_own_file_is_found_out(tmp_path: Path) -> None:
    more = '[limits]\nsandbox = "off"\n'
    machine = Machine(tmp_path, ["Honest", "Writes"], places=[], more=more)
    done = machine.play(code=1)
    # It has changed the copy that both bots are started from.
    assert "referee: series not played: " in done.stderr
    (reason,) = {path.read_text() for path in machine.run.glob("aborted-*.txt")}
    assert "its copy in the run has been changed" in reason
    assert 1 <= len(machine.series) < 12


def test_without_isolation_the_standings_say_so_above_the_table(tmp_path: Path) -> None:
    machine = Machine(tmp_path, ["Honest", "Honest"], deals=1, more='[limits]\nsandbox = "off"\n')
    warning = "isolation: off - bots could see and disturb each other and this machine"
    for shown in (machine.play().stdout, machine.referee("standings", "run").stdout):
        assert warning in shown.splitlines()
        assert shown.index(warning) < shown.index("points")


# Row 29: what a bot wrote is shown, and does nothing.

EVIL = [b"\x1b]0;", b"\x1b[5;35m", b"\x07", "\u202e".encode(), b"\x9b"]


def assert_harmless(shown: bytes) -> None:
    assert [evil for evil in EVIL if evil in shown] == []
    assert b"Traceback" not in shown


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """Return a run in which a bot wrote control codes and markup wherever it could."""
    machine = Machine(tmp_path_factory.mktemp("marked"), ["Honest", "Markup"], deals=2)
    shown, code = on_terminal(machine.words(), machine.folder, columns=[200])
    assert code == 0, shown
    assert b"malformed" in shown  # the fault, with what came, is shown while it runs
    assert_harmless(shown)
    return machine


COMMANDS = (
    ["standings", "run"],
    ["replay", "run", "1", "--plain"],
    ["replay", "run", "1", "--plain", "--seat", "0"],
    ["replay", "run", "2", "--plain"],
    ["verify", "run"],
    ["tournament", "config.toml", "--out", "run"],
    ["check", "bot", "--game", "pitch"],
)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_row_29_markup_is_harmless_on_a_terminal(words: Sequence[str], marked: Machine) -> None:
    (marked.folder / "bot").write_text(
        f"#!/bin/sh\nexec {sys.executable} {Path(__file__).with_name('hostile.py')} Markup\n"
    )
    (marked.folder / "bot").chmod(0o755)
    shown, code = on_terminal([*COMMAND, *words], marked.folder, columns=[200])
    assert code == (words[0] == "check"), shown
    assert_harmless(shown)


def test_row_29_markup_is_shown_step_by_step_as_text(marked: Machine) -> None:
    words = [*COMMAND, "replay", "run", "1"]
    shown, _ = on_terminal(words, marked.folder, keys=b"n" * 40 + b"q")
    assert_harmless(shown)
    assert b"[bold]x[/oops]" in shown  # its note


def test_row_29_markup_is_text_in_json_and_in_pages(marked: Machine) -> None:
    for words in (["standings", "run"], ["verify", "run"]):
        json.loads(marked.referee(*words, "--json").stdout)
    marked.referee("export", "run")
    for record in (marked.run / "records").iterdir():
        assert all(byte >= 32 or byte == 10 for byte in record.read_bytes())
    marked.referee("report", "run")
    pages = [path for path in (marked.run / "report").rglob("*") if path.is_file()]
    assert pages
    for page in pages:
        assert b"<script>alert" not in page.read_bytes(), page


@pytest.mark.parametrize("name", [r"\u001b[2J", r"[bold]\u202e", r"<b>", r"a\nb", ""])
def test_row_29_a_name_that_is_more_than_a_name_is_refused(name: str, tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    config = machine.folder / "config.toml"
    config.write_text(config.read_text().replace('"bot 2"', f'"{name}"'))
    shown, code = on_terminal(machine.words(), machine.folder)
    assert code == 2
    assert b"name" in shown
    assert_harmless(shown)
    assert not machine.run.exists()


# A bug of the referee's own.

BUGGY_GAME = """
from referee.games.pitch import Pitch

class Buggy(Pitch):
    name = "buggy"
    title = "Buggy"

    def start(self, seats, rules, shuffle):
        state = super().start(seats, rules, shuffle)
        if sum(shuffle(1, 1)[:9]) % 3 == 0:  # some deals
            applied, state.steps = state.apply, 0
            def apply(choices):
                state.steps += 1
                if state.steps == 4 and not BROKEN:
                    raise ZeroDivisionError("a bug in the game")
                return applied(choices)
            state.apply = apply
        return state

import os
BROKEN = os.environ.get("MENDED")
"""


def test_a_bug_in_a_games_rules_ends_its_series_only_and_is_tried_again(tmp_path: Path) -> None:
    plug_in = tmp_path / "plug_in"
    (plug_in / "buggy-1.dist-info").mkdir(parents=True)
    (plug_in / "buggy.py").write_text(BUGGY_GAME)
    (plug_in / "buggy-1.dist-info" / "METADATA").write_text("Name: buggy\nVersion: 1\n")
    (plug_in / "buggy-1.dist-info" / "entry_points.txt").write_text(
        "[referee.games]\nbuggy = buggy:Buggy\n"
    )
    env = {**os.environ, "PYTHONPATH": f"{plug_in}:{os.environ.get('PYTHONPATH', '')}"}
    machine = Machine(tmp_path)
    config = machine.folder / "config.toml"
    config.write_text(config.read_text().replace('game = "pitch"', 'game = "buggy"'))
    done = machine.play(code=1, env=env)
    aborted = sorted(machine.run.glob("aborted-*.txt"))
    assert 0 < len(aborted) < 12
    named = done.stderr.strip().rpartition("not played: ")[2].partition(";")[0].split(", ")
    assert sorted(named) == [path.stem.removeprefix("aborted-") for path in aborted]
    assert len(machine.series) == 12 - len(aborted)  # the rest went on
    kept = aborted[0].read_text()
    assert "ZeroDivisionError: a bug in the game" in kept
    assert '"type":"choice"' in kept  # what is known of the game
    assert not (machine.run / "results.json").exists()
    out = machine.referee("standings", "run", "--json", env=env).stdout
    assert json.loads(out)["games"] == 12 - len(aborted) - lone(machine)
    machine.play(env={**env, "MENDED": "1"})
    assert not list(machine.run.glob("aborted-*.txt"))
    out = machine.referee("standings", "run", "--json", env=env).stdout
    assert json.loads(out)["games"] == 12


def lone(machine: Machine) -> int:
    """Count the series whose block is not whole."""
    blocks = [path.name.split(".")[0].split("-")[3] for path in machine.series]
    return sum(blocks.count(block) == 1 for block in blocks)


def test_markup_says_all_that_is_looked_for() -> None:
    said = Markup.EVIL.encode()
    assert [evil for evil in EVIL if evil not in said] == []
