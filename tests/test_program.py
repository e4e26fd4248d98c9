"""A bot's files: refused in one line, hashed the same everywhere, copied exactly."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.program import Program, ProgramError, fingerprint, split_command


def make(folder: Path, files: dict[str, str], *executable: str) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        path.chmod(0o755 if name in executable else 0o644)
    return folder


def said(program: Program) -> str:
    with pytest.raises(ProgramError) as caught:
        program.check()
    line = str(caught.value)
    assert "\n" not in line
    return line


def output(program: Program) -> str:
    env = {"PATH": os.environ["PATH"], **program.env}
    done = subprocess.run(
        program.argv, cwd=program.folder, env=env, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def strict_umask() -> Iterator[None]:
    old = os.umask(0o077)
    yield
    os.umask(old)


# How a bot is started.


def test_a_py_file_runs_with_this_python(tmp_path: Path) -> None:
    make(tmp_path, {"bot.py": "import sys; print(sys.executable)"})
    program = Program(tmp_path / "bot.py")
    program.check()
    assert output(program) == sys.executable


def test_a_js_file_runs_with_node(tmp_path: Path) -> None:
    make(tmp_path, {"bot.js": ""})
    assert Program(tmp_path / "bot.js").argv == ("node", "./bot.js")


def test_any_other_file_runs_as_an_executable(tmp_path: Path) -> None:
    make(tmp_path, {"bot.sh": "#!/bin/sh\necho here: $0"}, "bot.sh")
    program = Program(tmp_path / "bot.sh")
    program.check()
    assert output(program) == "here: ./bot.sh"


def test_a_name_that_looks_like_an_option_is_none(tmp_path: Path) -> None:
    make(tmp_path, {"-c.py": "print('ran')"})
    assert output(Program(tmp_path / "-c.py")) == "ran"


@pytest.mark.parametrize("word", ["python", "python3"])
def test_a_command_runs_in_the_bots_folder_with_this_python(tmp_path: Path, word: str) -> None:
    make(tmp_path, {"src/main.py": "import os, sys; print(sys.executable, sys.argv[1])"})
    program = Program(tmp_path, (word, "src/main.py", "two words"))
    program.check()
    assert output(program) == f"{sys.executable} two words"


def test_a_command_names_a_files_bot_by_its_own_name(tmp_path: Path) -> None:
    make(tmp_path, {"bot.txt": "print('ran')"})
    program = Program(tmp_path / "bot.txt", ("python3", "bot.txt"))
    program.check()
    assert output(program) == "ran"


def test_another_python_than_the_bare_words_is_taken_as_it_is(tmp_path: Path) -> None:
    assert Program(tmp_path, ("/usr/bin/python3", "-c", "")).argv[0] == "/usr/bin/python3"


def test_split_command_follows_the_shells_quotes() -> None:
    assert split_command("./run 'a b' \"c\" d\\ e") == ("./run", "a b", "c", "d e")
    with pytest.raises(ProgramError, match="no closing quotation"):
        split_command("./run 'a")


# What is refused.


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert said(Program(tmp_path / "none.py")) == f"{tmp_path}/none.py: no such file or folder"


def test_a_name_with_control_codes_stays_one_harmless_line(tmp_path: Path) -> None:
    assert "\\x1b[2J\\n" in said(Program(tmp_path / "\x1b[2J\n"))


def test_a_folder_needs_a_command(tmp_path: Path) -> None:
    assert "a folder needs a command" in said(Program(tmp_path))


def test_a_fifo_is_neither_a_file_nor_a_folder(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "bot.py")
    assert "neither a file nor a folder" in said(Program(tmp_path / "bot.py"))


def test_a_file_that_cannot_run_says_chmod_or_command(tmp_path: Path) -> None:
    make(tmp_path, {"bot.rb": "#!/bin/sh\n"})
    line = said(Program(tmp_path / "bot.rb"))
    assert "chmod +x" in line
    assert "command" in line


@pytest.mark.parametrize("suffix", [".c", ".cpp", ".cc", ".rs", ".go", ".java"])
@pytest.mark.parametrize("executable", [False, True])
def test_a_source_file_says_how_it_becomes_a_bot(
    tmp_path: Path, suffix: str, executable: bool
) -> None:
    name = f"bot{suffix}"
    make(tmp_path, {name: "// a bot\n"}, *[name] * executable)
    line = said(Program(tmp_path / name))
    assert "a source file, which has to be compiled" in line
    assert "--command" in line
    assert "chmod" not in line


@pytest.mark.parametrize("data", [bytes(range(256)), b"\x80\xff" * 40])
def test_bytes_that_are_no_program_are_not_called_a_script(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "bot").write_bytes(data)
    assert "neither a program for Linux (ELF) nor a script" in said(Program(tmp_path / "bot"))


def test_node_must_be_on_the_path_the_bot_will_have(tmp_path: Path) -> None:
    make(tmp_path, {"bot.js": ""})
    line = said(Program(tmp_path / "bot.js", env={"PATH": str(tmp_path)}))
    assert line == f"{tmp_path}/bot.js: node: no such program on the PATH"


def test_a_commands_program_must_exist(tmp_path: Path) -> None:
    make(tmp_path, {"run": "#!/bin/sh\n"}, "run")
    assert "no such program" in said(Program(tmp_path, ("./rnu",)))
    assert "nonesuch: no such program on the PATH" in said(Program(tmp_path, ("nonesuch",)))
    assert "the bot's own file is ./run" in said(Program(tmp_path, ("run",)))
    Program(tmp_path, ("./run",)).check()
    Program(tmp_path, (str(tmp_path / "run"),)).check()


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("#!/bin/sh\r\necho\r\n", "CR LF"),
        ("#!/no/such/python\n", "names /no/such/python, which does not exist"),
        ("#!\n", "which does not exist"),
        ("#!/usr/bin/env nonesuch\n", "names nonesuch, which is not on the PATH"),
        ("#!/usr/bin/env -S nonesuch -u\n", "names nonesuch, which is not on the PATH"),
        ("echo no first line\n", "must name its interpreter"),
        ("", "an empty file"),
    ],
)
def test_a_script_that_the_kernel_would_not_start_is_refused(
    tmp_path: Path, content: str, complaint: str
) -> None:
    (tmp_path / "bot").write_text(content, newline="")
    (tmp_path / "bot").chmod(0o755)
    assert complaint in said(Program(tmp_path / "bot"))


@pytest.mark.parametrize(
    "line", ["#! /bin/sh -e", "#!/usr/bin/env sh", "#!/usr/bin/env -S X=1 sh", "#!/usr/bin/env -i"]
)
def test_a_good_or_undecided_first_line_passes(tmp_path: Path, line: str) -> None:
    make(tmp_path, {"bot": f"{line}\n"}, "bot")
    Program(tmp_path / "bot").check()


def test_a_binary_executable_passes(tmp_path: Path) -> None:
    (tmp_path / "bot").write_bytes(Path(os.path.realpath("/bin/sh")).read_bytes())
    (tmp_path / "bot").chmod(0o755)
    Program(tmp_path / "bot").check()


def test_a_file_named_like_a_standard_module_is_remarked_on(tmp_path: Path) -> None:
    make(tmp_path, {"random.py": "", "greedy.py": ""})
    assert Program(tmp_path / "greedy.py").remarks() == []
    for program in (Program(tmp_path / "random.py"), Program(tmp_path, ("python3", "greedy.py"))):
        (remark,) = program.remarks()
        assert "random.py hides Python's own module random" in remark


def test_a_module_built_into_python_cannot_be_hidden(tmp_path: Path) -> None:
    make(tmp_path, {"time.py": ""})
    assert Program(tmp_path / "time.py").remarks() == []


# The fingerprint.


def test_the_fingerprint_is_what_its_description_says(tmp_path: Path) -> None:
    bot = make(tmp_path / "bot", {"run": "go", "a/b.txt": "B", "a.txt": "A"}, "run")
    (bot / "link").symlink_to("a/b.txt")

    def sha(text: str) -> bytes:
        return hashlib.sha256(text.encode()).digest()

    # "a.txt" stands before "a/b.txt", for "." is the lower byte.
    entries = [
        b"f" + sha("a.txt") + sha("A"),
        b"f" + sha("a/b.txt") + sha("B"),
        b"l" + sha("link") + sha("a/b.txt"),
        b"x" + sha("run") + sha("go"),
    ]
    assert fingerprint(bot) == "sha256:" + hashlib.sha256(b"".join(entries)).hexdigest()


def test_a_file_counts_as_a_folder_that_holds_just_it(tmp_path: Path) -> None:
    bot = make(tmp_path / "bot", {"a.py": "x"})
    assert fingerprint(bot / "a.py") == fingerprint(bot)


def test_git_and_caches_do_not_count_and_node_modules_does(tmp_path: Path) -> None:
    bot = make(tmp_path / "bot", {"a.py": "x"})
    before = fingerprint(bot)
    make(bot, {".git/HEAD": "", "sub/__pycache__/a.pyc": "", ".mypy_cache/x": ""})
    assert fingerprint(bot) == before
    make(bot, {"node_modules/x/index.js": ""})
    assert fingerprint(bot) != before


@pytest.mark.parametrize("change", ["content", "name", "executable bit", "a link for a file"])
def test_every_part_of_a_file_counts(tmp_path: Path, change: str) -> None:
    bot = make(tmp_path / "bot", {"a": "b", "b": "x"})
    before = fingerprint(bot)
    match change:
        case "content":
            (bot / "a").write_text("c")
        case "name":
            (bot / "a").rename(bot / "c")
        case "executable bit":
            (bot / "a").chmod(0o744)
        case _:
            (bot / "a").unlink()
            (bot / "a").symlink_to("b")
    assert fingerprint(bot) != before


def test_the_time_the_readers_and_the_place_do_not_count(tmp_path: Path) -> None:
    bot = make(tmp_path / "bot", {"a": "x"})
    before = fingerprint(bot)
    os.utime(bot / "a", (0, 0))
    (bot / "a").chmod(0o600)
    assert fingerprint(bot.rename(tmp_path / "elsewhere")) == before


@pytest.mark.parametrize("target", ["/etc/passwd", "../secret", "sub/../../secret", "../bot/a"])
def test_a_link_that_leads_out_is_refused(tmp_path: Path, target: str) -> None:
    bot = make(tmp_path / "bot", {"a": "", "sub/b": ""})
    (tmp_path / "secret").write_text("")
    (bot / "link").symlink_to(target)
    with pytest.raises(ProgramError, match="the link link leads out of the folder"):
        fingerprint(bot)


def test_a_link_that_leads_out_by_way_of_another_is_refused(tmp_path: Path) -> None:
    bot = make(tmp_path / "bot", {"deep/er/a": ""})
    (bot / "top").symlink_to(".")
    (bot / "link").symlink_to("top/../secret")
    with pytest.raises(ProgramError, match="the link link leads out of the folder"):
        fingerprint(bot)


def test_links_in_circles_do_no_harm(tmp_path: Path) -> None:
    bot = make(tmp_path / "bot", {"sub/a": ""})
    (bot / "sub/up").symlink_to("..")
    (bot / "itself").symlink_to("itself")
    assert fingerprint(bot).startswith("sha256:")


def test_a_special_file_is_refused(tmp_path: Path) -> None:
    bot = make(tmp_path / "bot", {"a": ""})
    os.mkfifo(bot / "pipe")
    with pytest.raises(ProgramError, match="pipe is neither a file, folder nor link"):
        fingerprint(bot)


def test_a_bot_that_is_not_there_has_no_fingerprint(tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match="No such file"):
        fingerprint(tmp_path / "none.py")


# The copy.


def test_a_copy_is_exact_and_runs(tmp_path: Path) -> None:
    bot = make(tmp_path / "bot", {"run": "#!/bin/sh\ncat data/x", "data/x": "ran"}, "run")
    (bot / "data/same").symlink_to("x")
    make(bot, {"__pycache__/x": ""})
    program = Program(bot, ("./run",), env={"A": "1"})
    copy = program.copy_to(tmp_path / "bots")
    version = fingerprint(bot)
    assert copy == Program(
        tmp_path / "bots" / version.removeprefix("sha256:"), ("./run",), env={"A": "1"}
    )
    assert fingerprint(copy.path) == version
    assert (copy.path / "data/same").readlink() == Path("x")
    assert not (copy.path / "__pycache__").exists()
    assert output(copy) == "ran"


def test_the_copy_of_a_file_stands_in_a_folder_under_its_name(tmp_path: Path) -> None:
    make(tmp_path, {"bot.py": "print('ran')", "other.txt": ""})
    copy = Program(tmp_path / "bot.py").copy_to(tmp_path / "bots")
    assert [path.name for path in copy.folder.iterdir()] == ["bot.py"]
    assert f"sha256:{copy.folder.name}" == fingerprint(tmp_path / "bot.py")
    assert output(copy) == "ran"


def test_a_link_to_a_bot_is_copied_as_the_bot_under_the_links_name(tmp_path: Path) -> None:
    make(tmp_path, {"v2.py": "print('ran')"})
    (tmp_path / "current.py").symlink_to("v2.py")
    copy = Program(tmp_path / "current.py").copy_to(tmp_path / "bots")
    assert not copy.path.is_symlink()
    assert copy.path.name == "current.py"
    assert output(copy) == "ran"


@pytest.mark.usefixtures("strict_umask")
def test_everybody_may_read_a_copy_whatever_the_umask(tmp_path: Path) -> None:
    bot = make(tmp_path / "bot", {"sub/run": "", "sub/data": ""}, "sub/run")
    (bot / "sub/data").chmod(0o600)
    program = Program(bot, ("sub/run",))
    copy = program.copy_to(tmp_path / "bots").path

    def modes() -> list[int]:
        paths = [copy.parent, copy, copy / "sub", copy / "sub/run", copy / "sub/data"]
        return [path.stat().st_mode & 0o7777 for path in paths]

    assert modes() == [0o755, 0o755, 0o755, 0o755, 0o644]
    # As a copy of the whole run under this umask would have left it.
    (copy / "sub/data").chmod(0o600)
    program.copy_to(tmp_path / "bots")
    assert modes() == [0o755, 0o755, 0o755, 0o755, 0o644]


def test_an_intact_copy_is_kept_and_a_damaged_one_replaced(tmp_path: Path) -> None:
    make(tmp_path, {"bot.py": "good"})
    program = Program(tmp_path / "bot.py")
    copy = program.copy_to(tmp_path / "bots")
    inode = copy.path.stat().st_ino
    assert program.copy_to(tmp_path / "bots").path.stat().st_ino == inode
    copy.path.write_text("evil")
    make(copy.folder, {"planted": ""})
    program.copy_to(tmp_path / "bots")
    assert copy.path.read_text() == "good"
    assert [path.name for path in copy.folder.iterdir()] == ["bot.py"]
    assert [path.name for path in (tmp_path / "bots").iterdir()] == [copy.folder.name]


def test_a_copy_inside_the_bot_itself_is_refused(tmp_path: Path) -> None:
    make(tmp_path, {"run": ""}, "run")
    with pytest.raises(ProgramError, match="inside the bot's own folder"):
        Program(tmp_path, ("./run",)).copy_to(tmp_path / "runs" / "bots")


def test_a_bot_that_changes_while_it_is_copied_is_refused_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, {"bot.py": "one"})

    def copy_and_change(_: Path, to: Path) -> None:
        to.write_text("two")

    monkeypatch.setattr("referee.program.shutil.copyfile", copy_and_change)
    with pytest.raises(ProgramError, match="changed while it was copied"):
        Program(tmp_path / "bot.py").copy_to(tmp_path / "bots")
    assert list((tmp_path / "bots").iterdir()) == []


names = st.text(st.characters(exclude_characters="/\0", max_codepoint=0x2FF), min_size=1).filter(
    lambda name: name not in (".", "..") and len(name.encode()) < 100
)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files=st.dictionaries(names, st.tuples(st.binary(), st.booleans()), max_size=5))
def test_any_folder_and_its_copy_have_one_fingerprint(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, tuple[bytes, bool]]
) -> None:
    base = tmp_path_factory.mktemp("any")
    bot = base / "bot"
    bot.mkdir()
    for name, (content, is_executable) in files.items():
        (bot / name).write_bytes(content)
        (bot / name).chmod(0o700 if is_executable else 0o600)
    copy = Program(bot, ("true",)).copy_to(base / "bots").path
    assert fingerprint(copy) == fingerprint(bot) == f"sha256:{copy.name}"
    assert {path.name: path.read_bytes() for path in copy.iterdir()} == {
        name: content for name, (content, _) in files.items()
    }
