"""A sandbox's options: what a program needs is there, and nothing beside it."""

import os
import sys
from itertools import combinations, islice
from pathlib import Path

import pytest

from referee.sandbox import Sandbox
from referee.sandbox.bwrap import _program_paths, _python_paths, _users_from


def options() -> list[str]:
    return list(Sandbox("bwrap")._options("./bot", "/runs/1/bots/abc", {}, 1 << 20))


def binds(words: list[str]) -> dict[str, str]:
    """Return what is shown, by where it is seen."""
    return {
        words[place + 2]: words[place + 1]
        for place, word in enumerate(words)
        if word in ("--ro-bind", "--bind", "--dev-bind")
    }


def test_everything_that_is_shown_is_read_only() -> None:
    words = options()
    assert not {"--bind", "--dev-bind", "--bind-try"} & set(words)
    at = [place for place, word in enumerate(words) if word == "--remount-ro"]
    assert [words[place + 1] for place in at] == ["/dev", "/"]


def test_the_bots_folder_is_its_only_one() -> None:
    shown = binds(options())
    assert shown.pop("/bot") == "/runs/1/bots/abc"
    roots = ("/usr", "/bin", "/sbin", "/lib", "/etc", sys.prefix, sys.base_prefix)
    assert all(seen.startswith(roots) for seen in shown)
    assert sys.prefix == "/usr" or sys.prefix not in shown


def test_no_namespace_is_shared_and_death_follows_the_parent() -> None:
    words = set(options())
    assert {"--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"} <= words
    assert {"--new-session", "--die-with-parent"} <= words
    assert "--share-net" not in words


@pytest.mark.parametrize("size", [0, 1, 4096, 1 << 30])
def test_what_can_be_written_to_has_a_size(size: int) -> None:
    words = list(Sandbox("bwrap")._options("./bot", "/b", {}, size))
    for place in (i for i, word in enumerate(words) if word == "--tmpfs"):
        assert words[place - 2 : place] == ["--size", str(max(size, 4096))]


def test_an_interpreter_under_tmp_is_not_covered_by_the_bots_own_tmp() -> None:
    words = options()
    assert words.index("/tmp") < words.index("--ro-bind")


def test_the_interpreter_is_shown_without_the_folder_it_is_in() -> None:
    assert all(path.name in ("bin", "lib", "lib64", "pyvenv.cfg") for path in _python_paths())


def test_a_program_from_elsewhere_is_shown_with_its_libraries(tmp_path: Path) -> None:
    for name in ("bin", "lib"):
        (tmp_path / "node" / name).mkdir(parents=True)
    node = tmp_path / "node" / "bin" / "node"
    node.touch(mode=0o755)
    assert _program_paths("node", f"{node.parent}") == [tmp_path / "node"]
    assert _program_paths(str(node), os.defpath) == [tmp_path / "node"]


def test_a_program_in_the_home_folder_is_shown_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("bin", "lib"):
        (tmp_path / name).mkdir()
    program = tmp_path / "bin" / "engine"
    program.touch(mode=0o755)
    assert _program_paths("engine", str(program.parent)) == [program]


@pytest.mark.parametrize("program", ["./bot", "no-such-program", sys.executable])
def test_the_bots_own_programs_and_python_need_nothing_more(program: str) -> None:
    assert _program_paths(program, os.defpath) == []


def test_a_relative_folder_is_the_callers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = list(Sandbox("bwrap")._options("./bot", "mine", {}, 4096))
    assert binds(words)["/bot"] == str(tmp_path / "mine")


def test_processes_that_are_near_give_their_programs_other_users() -> None:
    """Sixteen workers with 100 programs each."""
    users = [set(islice(_users_from(pid), 100)) for pid in range(4000, 4016)]
    assert all(len(each) == 100 for each in users)
    assert not any(one & other for one, other in combinations(users, 2))
