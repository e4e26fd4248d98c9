"""The course itself: what good bots go through, what is printed, and that nothing is left."""

import json
import os
import tempfile
from pathlib import Path

import pytest

from referee.check import check_bot, course
from referee.check.situations import SITUATIONS
from referee.games.game import find_game, games
from referee.program import Program
from referee.protocol import TimeControl
from referee.sandbox import Isolation
from tests import needs
from tests.check.broken import write_bot
from tests.cli.commands import GREEDY, RANDOM, referee
from tests.tournament.engine.left import none_left

OFF = Isolation("off")


@pytest.mark.parametrize("bot", [RANDOM, GREEDY])
def test_an_honest_bot_passes_every_step_of_the_course(bot: str) -> None:
    report = check_bot(Program(Path(bot)), list(games().values()), OFF)
    assert report.ok
    names = [step.step for step in report.steps]
    tables = [
        f"{game.name}, {seats} seats"
        for game in games().values()
        for seats in (game.seats[0], game.seats[-1])
    ]
    after = ["several games in one process", "fault message", "late reply", "bye"]
    assert names == ["handshake", *tables, *SITUATIONS, *after]
    assert report.measured is not None
    assert report.measured.decisions > 100
    assert 0 < report.measured.mean_ms <= report.measured.max_ms
    assert 1 < report.measured.memory_mb < 200


def test_a_game_without_a_situation_has_no_step_for_it() -> None:
    report = check_bot(Program(Path(RANDOM)), [find_game("pitch")], OFF)
    assert not {"duplicates of one card", "long hands"} & {step.step for step in report.steps}


def test_the_steps_of_special_situations_fail_where_the_bot_failed_in_them(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, TURN="say(answer if message['decision']['max'] < 3 else {})")
    report = check_bot(Program(bot), [find_game("cancellation_hearts")], OFF)
    failed = {step.step: step.detail for step in report.steps if not step.ok}
    assert "failed, see above" in failed["simultaneous decisions"]
    assert "forced decisions" not in failed


def test_a_bot_that_stays_after_bye_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(course, "_HELD_MS", 200)
    bot = write_bot(tmp_path, BYE="import time; time.sleep(60)")
    report = check_bot(Program(bot), [find_game("pitch")], OFF)
    (failure,) = [step for step in report.steps if not step.ok]
    assert (failure.step, failure.detail) == ("bye", "still there 500 ms after bye, and killed")
    assert failure.rule == "bots/README.md, section 2: a bot exits within grace_ms of bye"
    assert failure.advice.startswith("end the process, with its threads")


def test_a_bot_that_answers_every_turn_twice_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(course, "_HELD_MS", 200)
    bot = write_bot(tmp_path, TURN="say(answer); say(answer)")
    report = check_bot(Program(bot), [find_game("pitch")], OFF)
    failed = [step for step in report.steps if not step.ok]
    assert [step.step for step in failed] == ["pitch, 2 seats", "pitch, 7 seats"]
    assert "answers to no open turn were passed over" in failed[0].detail
    assert failed[0].came.startswith('{"id": 1,')
    assert failed[0].sent.startswith('{"type":"turn","id":2,')
    assert "section 1: one question, one answer" in failed[0].rule
    assert failed[0].advice.startswith("answer each turn once, and nothing else")


def test_what_only_follows_from_a_fault_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its processes are more than one because it forfeits, and the rest is not played."""
    monkeypatch.setattr(course, "STRIKES", 1)
    bot = write_bot(tmp_path, TURN="say({'id': 0, 'choose': choose})")
    time = TimeControl(startup_ms=5_000, move_ms=150, bank_ms=0, grace_ms=500)
    report = check_bot(Program(bot), [find_game("pitch")], OFF, time)
    steps = {step.step: step for step in report.steps}
    several = steps["several games in one process"]
    assert "who forfeits a game is stopped, and started anew" in several.rule
    assert several.advice == "mend what stands above"
    rest = "not played after 2 games lost to the clock: late reply, bye"
    assert steps["the rest"].detail == rest


def test_a_check_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No process, no descriptor, no copy, whatever the bot does."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    descriptors = sorted(os.listdir("/proc/self/fd"))  # noqa: PTH208 without one of its own
    (tmp_path / "bots").mkdir()
    for parts in ({}, {"TURN": "raise SystemExit"}, {"HELLO": "raise SystemExit"}):
        bot = write_bot(tmp_path / "bots", **parts)
        check_bot(Program(bot), [find_game("pitch")], OFF)
    assert sorted(os.listdir("/proc/self/fd")) == descriptors  # noqa: PTH208 as above
    assert [path.name for path in tmp_path.iterdir()] == ["bots"]
    assert none_left(within_s=0)  # no child, no zombie


def test_the_command_prints_the_promised_document_and_exits_by_its_answer(tmp_path: Path) -> None:
    out, error = referee("check", RANDOM, "--game", "pitch", "--json")
    document = json.loads(out)
    assert error == "" or "no isolation" in error
    assert document["bot"] == RANDOM
    assert document["ok"]
    assert document["steps"][0]["step"] == "handshake"
    assert set(document["steps"][0]) == {"step", "ok", "detail"}
    bot = write_bot(tmp_path, TURN="print('hm')")
    out, _ = referee("check", bot, "--game", "pitch", "--json", "--sandbox", "off", code=1)
    failure = next(step for step in json.loads(out)["steps"] if not step["ok"])
    assert set(failure) >= {"step", "ok", "detail", "sent", "came", "rule", "advice"}


def test_the_page_shows_what_was_sent_what_came_and_what_helps(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, TURN="print('\\33[31m' + 'red ' * 100, flush=True)")
    out, _ = referee("check", bot, "--game", "pitch", "--sandbox", "off", code=1)
    words = " ".join(out.split())
    assert 'sent {"type":"turn","id":1' in words
    assert "came \\x1b[31mred red" in words
    assert "rule bots/README.md, section 1: standard output carries the protocol" in words
    assert "do standard output is for answers only" in words
    assert "as in pitch, 2 seats" in words
    assert max(map(len, out.splitlines())) <= 80


@needs.program("node")
def test_a_stack_is_shown_without_the_frames_of_the_interpreter(tmp_path: Path) -> None:
    bot = tmp_path / "bot.js"
    bot.write_text("require('vm');\nfunction mistake() { return nothing; }\nmistake();\n")
    out, _ = referee("check", bot, "--game", "pitch", "--sandbox", "off", code=1)
    assert "bot.js:2" in out
    assert "node:" not in out


def test_what_cannot_be_checked_is_one_line() -> None:
    _, error = referee("check", RANDOM, "--game", "bridge", code=2)
    assert error.startswith("referee: no game 'bridge'; the games are: ")
    _, error = referee("check", "nothing.py", code=2)
    assert error == "referee: nothing.py: no such file or folder\n"
    _, error = referee("check", "", code=2)
    assert error == "referee: '' is empty, and names no file or folder\n"
    _, error = referee("match", "pitch", "", "", code=2)
    assert error == "referee: '' is empty, and names no file or folder\n"
