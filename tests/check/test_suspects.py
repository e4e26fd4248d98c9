"""Each usual suspect is a tiny broken bot, sent through the course as a process, and recognised."""

import platform
import re
import sys
from pathlib import Path

import pytest

from referee.check import Report, Step, check_bot, course, suspects
from referee.games.game import find_game
from referee.program import Program
from referee.protocol import TimeControl
from referee.sandbox import Isolation
from tests.check.broken import write_bot

TIME = TimeControl(startup_ms=5_000, move_ms=1_000, bank_ms=4_000, grace_ms=500)
BRIEF = TimeControl(startup_ms=1_000, move_ms=150, bank_ms=0, grace_ms=500)
"""For bots that hang whatever they are given."""


@pytest.fixture
def brief_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold a bot only briefly at the end of the course, where what is looked at comes before."""
    monkeypatch.setattr(course, "_HELD_MS", 100)


def check(path: Path, game: str = "pitch", time: TimeControl = TIME, command: str = "") -> Report:
    program = Program(path, tuple(command.split()))
    return check_bot(program, [find_game(game)], Isolation("off"), time)


def first_failure(report: Report) -> Step:
    assert not report.ok
    return next(step for step in report.steps if not step.ok)


LATE = "import os; out = os.fdopen(1, 'w', buffering=65536)"
BLOCKS = """\
def blocks():
    rest = b""
    while data := sys.stdin.buffer.read(4096):
        *lines, rest = (rest + data).split(b"\\n")
        yield from lines
sys.stdin = type("Stdin", (), {"__iter__": lambda self: blocks(), "buffer": sys.stdin.buffer})()
"""

# What is broken, the step that fails, a piece of the rule, a piece of the advice.
AT_THE_TABLE = {
    "an answer to start": (
        {"START": "say({'ok': True})"},
        ("pitch, 2 seats", "section 1: one question, one answer", "start was answered"),
    ),
    "an answer to end": (
        {"END": "say({'ok': True})"},
        ("pitch, 7 seats", "section 1: one question, one answer", "end or start was answered"),
    ),
    "a print on standard output": (
        {"TURN": "print('thinking', flush=True); say(answer)"},
        ("pitch, 2 seats", "section 1: standard output", "to standard error"),
    ),
    "a traceback on standard output": (
        {"BEGIN": "sys.stderr = sys.stdout", "TURN": "choose[9]"},
        ("pitch, 2 seats", "section 1: standard output", "IndexError: list index out of range"),
    ),
    "a traceback on standard error": (
        {"TURN": "choose[9]"},
        ("pitch, 2 seats", "section 2: the process stays", "IndexError: list index out of range"),
    ),
    "an id of its own": (
        {"BEGIN": "mine = 7000", "TURN": "mine += 1; say({'id': mine, 'choose': choose})"},
        ("pitch, 2 seats", "section 2: an answer has the id", "id is 1, the answer's 7001: copy"),
    ),
    "an id as text": (
        {"TURN": "say({'id': str(message['id']), 'choose': choose})"},
        ("pitch, 2 seats", "section 2: an answer has the id", 'id is 1, the answer\'s "1": copy'),
    ),
    "no id": (
        {"TURN": "say({'choose': choose})"},
        ("pitch, 2 seats", "section 2: an answer has the id", "id is 1, the answer's none: copy"),
    ),
    "a card that is not held": (
        {"TURN": "say({'id': message['id'], 'choose': ['XX']})"},
        ("pitch, 2 seats", "section 2: an answer chooses", "XX is not there to be chosen"),
    ),
    "an answer over several lines": (
        {"TURN": "print(json.dumps(answer, indent=1), flush=True)"},
        ("pitch, 2 seats", "section 1: one JSON object a line", "write it as ONE line"),
    ),
    "a dict as Python shows it": (
        {"TURN": "print(answer, flush=True)"},
        ("pitch, 2 seats", "section 1: one JSON object a line", "names and texts stand in double"),
    ),
    "a crash in the second game": (
        {"TURN": "say(answer) if games < 2 else choose[9]"},
        ("pitch, 7 seats", "section 2: the process stays", "it was game 2 of this process"),
    ),
    "a number as text": (
        {"TURN": "say({'id': message['id'], 'choose': [str(each) for each in choose]})"},
        ("oh_hell, 3 seats", "section 2: an answer chooses", "'0' is of another JSON type"),
    ),
}


@pytest.mark.usefixtures("brief_hold")
@pytest.mark.parametrize("mistake", AT_THE_TABLE)
def test_a_mistake_at_the_table_is_named_with_its_rule_and_its_remedy(
    mistake: str, tmp_path: Path
) -> None:
    parts, (step, rule, advice) = AT_THE_TABLE[mistake]
    bot = write_bot(tmp_path, **parts)
    game = step.partition(",")[0] if "," in step else "pitch"
    failure = first_failure(check(bot, game))
    assert failure.step == step
    assert rule in failure.rule
    assert advice in failure.advice
    assert "end or" not in failure.advice or "to end" in mistake
    assert failure.sent.startswith('{"type":"')


@pytest.mark.usefixtures("brief_hold")
def test_a_crash_on_a_fault_message_is_told_from_others(tmp_path: Path) -> None:
    failure = first_failure(check(write_bot(tmp_path, FAULT="raise ValueError('a fault')")))
    assert failure.step == "fault message"
    assert "section 2: the process stays until bye" in failure.rule
    assert failure.advice == "the bot ended by its own error: ValueError: a fault"


@pytest.mark.usefixtures("brief_hold")
def test_an_answer_to_a_fault_message_is_named(tmp_path: Path) -> None:
    failure = first_failure(check(write_bot(tmp_path, FAULT="say({'sorry': True})")))
    assert failure.step == "fault message"
    assert "section 1: one question, one answer" in failure.rule
    assert "fault was answered: only hello and turn are" in failure.advice


@pytest.mark.usefixtures("brief_hold")
def test_a_bot_that_leaves_after_a_game_is_told_to_stay(tmp_path: Path) -> None:
    """It may be gone before the next game, or still be leaving when that asks it."""
    failure = first_failure(check(write_bot(tmp_path, END="break")))
    assert failure.step in ("pitch, 7 seats", "several games in one process")
    assert "section 2: the process stays until bye" in failure.rule
    assert "read on until bye" in failure.advice


@pytest.mark.usefixtures("brief_hold")
def test_a_revoke_is_told_from_a_card_that_is_not_held(tmp_path: Path) -> None:
    """The bot plays cards of its hand whatever may be played."""
    turn = "held = message['view']['cards']\n        say({**answer, 'choose': held[-1:]})"
    failure = first_failure(check(write_bot(tmp_path, TURN=turn), "cancellation_hearts"))
    assert "section 2: an answer chooses" in failure.rule
    failures = [step for step in check(tmp_path / "bot.py", "oh_hell").steps if step.advice]
    assert any("is held, but may not be chosen now" in step.advice for step in failures)


def test_ids_that_are_too_low_are_recognised_though_they_end_as_timeouts(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, TURN="say({'id': 0, 'choose': choose})")
    failure = first_failure(check(bot, time=BRIEF))
    assert failure.detail == "timeout: no answer within 150 ms (and 2 more such)"
    assert failure.came == '{"id": 0, "choose": ["pass"]}'
    assert "the question's id is 1, the answer's 0: copy" in failure.advice


def test_a_slow_bot_is_not_taken_for_one_with_wrong_ids(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, BEGIN="import time", TURN="time.sleep(0.25); say(answer)")
    failure = first_failure(check(bot, time=BRIEF))
    assert failure.advice == "flush after every answer; think no longer than the turn's time allows"


def test_no_flush_of_ready_is_found_out_by_an_experiment(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, BEGIN=LATE, HELLO='print(\'{"type":"ready"}\', file=out)')
    failure = first_failure(check(bot, time=BRIEF))
    assert failure.step == "handshake"
    assert failure.detail == "startup: not ready within 1000 ms"
    assert "flush after every line" in failure.advice
    assert "section 3" in failure.rule
    assert failure.stderr == ""


def test_no_flush_of_answers_is_seen_when_the_input_is_closed(tmp_path: Path) -> None:
    turn = "print(json.dumps(answer), file=out)"
    bot = write_bot(tmp_path, BEGIN=LATE, TURN=turn)
    report = check(bot, time=BRIEF)
    failure = first_failure(report)
    assert (failure.step, failure.came) == ("pitch, 2 seats", "nothing")
    assert "flush after every line" in failure.advice


def test_a_slow_last_answer_is_not_taken_for_one_that_was_not_flushed(tmp_path: Path) -> None:
    """It comes after the end, but those before came while the bot was still asked."""
    bot = write_bot(tmp_path, BEGIN="import time", TURN="time.sleep(0.4); say(answer)")
    time = TimeControl(startup_ms=5_000, move_ms=300, bank_ms=0, grace_ms=1_000)
    assert "jq --unbuffered" not in "".join(step.advice for step in check(bot, time=time).steps)


def test_a_ready_without_a_newline_is_told_from_one_that_is_not_flushed(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, HELLO="print('{\"type\":\"ready\"}', end='', flush=True)")
    failure = first_failure(check(bot, time=BRIEF))
    assert failure.came == '{"type":"ready"}'
    assert failure.advice == "a line is one when its newline has come: end it so"


def test_an_answer_without_a_newline_is_told_from_one_that_is_not_flushed(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, TURN="print(json.dumps(answer), end='', flush=True)")
    failure = first_failure(check(bot, time=BRIEF))
    assert failure.advice == "a line is one when its newline has come: end it so"


def test_a_protocol_that_was_not_offered_is_named(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, HELLO="say({'type': 'ready', 'protocol': 2})")
    assert "one of the numbers in hello's protocols" in first_failure(check(bot)).advice


def test_reading_in_blocks_is_found_out_by_an_experiment(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, BEGIN=BLOCKS)
    failure = first_failure(check(bot, time=BRIEF))
    assert failure.step == "handshake"
    assert "it reads its input in blocks" in failure.advice


def test_who_reads_in_blocks_and_stumbles_over_two_lines_is_recognised_too(tmp_path: Path) -> None:
    read = "raw = sys.stdin.buffer; sys.stdin = iter(lambda: raw.read(4096), b'')"
    failure = first_failure(check(write_bot(tmp_path, BEGIN=read), time=BRIEF))
    assert "it reads its input in blocks" in failure.advice
    assert failure.stderr == ""


def test_a_bot_that_asks_for_input_before_hello_is_told_that_nobody_types(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, BEGIN="input('Your name? ')")
    failure = first_failure(check(bot, time=BRIEF))
    assert failure.came == "Your name?"
    assert "'Your name?' looks like a prompt: nobody is there to type" in failure.advice


def test_a_ready_over_several_lines_is_told_to_be_one(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, HELLO="print(json.dumps({'type': 'ready'}, indent=1), flush=True)")
    failure = first_failure(check(bot))
    assert failure.step == "handshake"
    assert failure.advice.startswith("one object came over several lines, and each of them counts")


@pytest.mark.usefixtures("brief_hold")
def test_what_follows_from_a_mistake_is_not_taken_for_another(tmp_path: Path) -> None:
    """Whose every message is answered is behind from then on, with the right ids."""
    ok = "say({'type': 'ok'})"
    report = check(write_bot(tmp_path, START=ok, END=ok, FAULT=ok))
    advice = {step.advice for step in report.steps if step.step.startswith("pitch")}
    assert advice == {
        "start was answered: only hello and turn are; take note of the others and read on"
    }


def test_a_file_that_hides_a_module_of_pythons_is_named(tmp_path: Path) -> None:
    write_bot(tmp_path, "random.py", BEGIN="import random; random.Random()")
    report = check(tmp_path / "random.py")
    failure = first_failure(report)
    assert failure.step == "handshake"
    assert failure.advice.startswith(f"{tmp_path}/random.py hides Python's own module random")
    assert "AttributeError" in failure.stderr


@pytest.mark.usefixtures("brief_hold")
def test_a_file_that_hides_a_module_and_works_is_remarked_on(tmp_path: Path) -> None:
    report = check(write_bot(tmp_path, "random.py"))
    assert report.ok
    assert ["hides Python's own module random" in remark for remark in report.remarks] == [True]


def test_a_missing_module_is_named(tmp_path: Path) -> None:
    failure = first_failure(check(write_bot(tmp_path, BEGIN="import no_such_module")))
    assert failure.step == "handshake"
    assert "no_such_module is not there where the bot runs" in failure.advice
    assert "ModuleNotFoundError" in failure.stderr


def test_a_missing_interpreter_within_a_script_is_named(tmp_path: Path) -> None:
    bot = tmp_path / "bot.sh"
    bot.write_text("#!/bin/sh\nexec no_such_interpreter bot.code\n", encoding="utf-8")
    bot.chmod(0o755)
    failure = first_failure(check(bot))
    assert "exit code 127" in failure.detail
    assert "a program that it needs is not there" in failure.advice


def test_every_rule_names_a_section_that_the_guide_has() -> None:
    guide = Path("bots/README.md").read_text(encoding="utf-8")
    rules = [rule for rule in vars(suspects).values() if str(rule).startswith("bots/README.md")]
    cited = {number for rule in rules for number in re.findall(r"section (\d)", rule)}
    assert cited == {"1", "2", "3"}
    assert all(f"\n### Section {number}: " in guide for number in cited)


MADE_WRONG = {
    "crlf.sh": (b"#!/bin/sh\r\necho\r\n", 0o755, "its first line ends as on Windows (CR LF)"),
    "no_bit.sh": (b"#!/bin/sh\necho\n", 0o644, "not executable, and its suffix does not say how"),
    "no_shebang.sh": (b"echo\n", 0o755, "a script's first line must name its interpreter"),
    "no_interpreter": (b"#!/no/such\n", 0o755, "its first line names /no/such, which does not"),
    "no_env": (b"#!/usr/bin/env no_such\n", 0o755, "names no_such, which is not on the PATH"),
    "windows.exe": (b"MZ\x90\0\3\0", 0o755, "a program for Windows"),
    "macos": (b"\xcf\xfa\xed\xfe\7\0\0\1", 0o755, "a program for macOS"),
    "other_machine": (
        b"\x7fELF\2\1\1" + b"\0" * 9 + b"\2\0\xf3\0",
        0o755,
        f"(RISC-V), and this is {platform.machine()} Linux: build it here",
    ),
}


@pytest.mark.parametrize("name", MADE_WRONG)
def test_a_file_that_cannot_be_started_is_one_clear_line(name: str, tmp_path: Path) -> None:
    content, mode, words = MADE_WRONG[name]
    bot = tmp_path / name
    bot.write_bytes(content)
    bot.chmod(mode)
    failure = first_failure(check(bot))
    assert failure.step == "files"
    assert failure.detail.startswith(f"{bot}: ")
    assert words in failure.detail
    assert "\n" not in failure.detail


@pytest.mark.usefixtures("brief_hold")
def test_a_folder_without_a_command_is_one_clear_line(tmp_path: Path) -> None:
    write_bot(tmp_path)
    assert "a folder needs a command" in first_failure(check(tmp_path)).detail
    assert check(tmp_path, command=f"{sys.executable} bot.py").ok
