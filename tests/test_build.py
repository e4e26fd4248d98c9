"""Builds: once, on a copy, isolated; what was built is a bot like any other."""

import os
import time
from pathlib import Path

import pytest

from referee import build as building
from referee.build import build
from referee.program import Program, ProgramError, fingerprint
from referee.sandbox import find_isolation
from tests import needs
from tests.tournament.engine.left import descendants

AUTO = find_isolation("auto")


def program(folder: Path, script: str, command: str = "./bot") -> Program:
    """Return a bot that a shell script builds."""
    source = folder / "source"
    source.mkdir(exist_ok=True)
    (source / "make.sh").write_text(script, encoding="utf-8")
    return Program(source, (command,), ("sh", "make.sh"))


def test_a_build_makes_a_bot_of_a_copy_and_leaves_its_sources_alone(tmp_path: Path) -> None:
    source = program(tmp_path, "cp make.sh bot; chmod +x bot; echo built")
    built = build(source, tmp_path / "builds", AUTO)
    assert built.build == ()
    assert built.argv == ("./bot",)
    assert sorted(file.name for file in built.path.iterdir()) == ["bot", "make.sh"]
    assert os.access(built.path / "bot", os.X_OK)
    assert [file.name for file in source.path.iterdir()] == ["make.sh"]
    assert [file.name for file in (tmp_path / "builds").iterdir()] == [built.path.name]
    assert built.path.stat().st_uid == os.getuid()
    assert fingerprint(built.path) == fingerprint(built.copy_to(tmp_path / "bots").path)


def test_what_was_built_is_not_built_again_until_its_sources_change(tmp_path: Path) -> None:
    script = "date +%N > bot; chmod +x bot"
    first = build(program(tmp_path, script), tmp_path / "builds", AUTO)
    version = fingerprint(first.path)
    again = build(program(tmp_path, script), tmp_path / "builds", AUTO)
    assert (again.path, fingerprint(again.path)) == (first.path, version)
    other = build(program(tmp_path, script + " "), tmp_path / "builds", AUTO)
    assert other.path != first.path
    assert first.path.exists()


def test_a_build_that_fails_says_so_with_what_it_said_last(tmp_path: Path) -> None:
    source = program(tmp_path, "seq 100; printf 'no \\033[31mluck\\n' >&2; exit 3")
    with pytest.raises(ProgramError) as caught:
        build(source, tmp_path / "builds", AUTO)
    first, *lines = str(caught.value).splitlines()
    assert first == f"{source.path}: its build ended with exit code 3"
    assert len(lines) == 20
    assert "no \\x1b[31mluck" in lines
    assert list((tmp_path / "builds").iterdir()) == []


def test_a_build_that_hangs_is_ended_with_all_that_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "BUILD_S", 0.5)
    source = program(tmp_path, "sleep 60 & sleep 60")
    before = set(descendants(os.getpid()))
    began = time.monotonic()
    with pytest.raises(ProgramError, match=r"its build takes more than 0\.5 s"):
        build(source, tmp_path / "builds", AUTO)
    assert time.monotonic() - began < 10
    assert set(descendants(os.getpid())) <= before  # no child, no zombie


@needs.isolation
def test_a_build_sees_no_network_and_none_of_the_other_files(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("42", encoding="utf-8")
    source = program(tmp_path, f"test ! -e {secret}; cat /proc/net/dev > bot; test -w .")
    built = build(source, tmp_path / "builds", AUTO)
    interfaces = (built.path / "bot").read_text().splitlines()[2:]
    assert [line.split(":")[0].strip() for line in interfaces] == ["lo"]


def test_a_link_out_of_what_was_built_is_refused(tmp_path: Path) -> None:
    source = program(tmp_path, "ln -s /etc/passwd bot")
    with pytest.raises(ProgramError, match="the link bot leads out of the folder"):
        build(source, tmp_path / "builds", AUTO)


def test_a_build_needs_a_command_and_a_program_that_is_there(tmp_path: Path) -> None:
    folder = program(tmp_path, "").path
    with pytest.raises(ProgramError, match="a folder needs a command"):
        Program(folder, build=("make",)).check()
    with pytest.raises(ProgramError, match=r"what a build makes needs a command, such as"):
        Program(folder / "make.sh", build=("sh", "make.sh")).check()
    with pytest.raises(ProgramError, match="no_such_make: no such program on the PATH"):
        Program(folder, ("./bot",), ("no_such_make",)).check()


@needs.program("cc")
def test_a_single_file_is_built_in_a_folder_of_its_own(tmp_path: Path) -> None:
    source = tmp_path / "bot.c"
    source.write_text("int main(void) { return 0; }\n", encoding="utf-8")
    (tmp_path / "other.c").write_text("", encoding="utf-8")
    bot = Program(source, ("./bot",), ("cc", "-o", "bot", "bot.c"))
    built = build(bot, tmp_path / "builds", AUTO)
    assert sorted(file.name for file in built.path.iterdir()) == ["bot", "bot.c"]
