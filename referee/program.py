"""A bot's files: how they are started, what version they are, an exact copy of them.

A bot is a file or a folder. What is wrong with one is said before anything is started, in one line
that says how to mend it.
"""

import codecs
import hashlib
import os
import platform
import re
import shlex
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

LEFT_OUT = frozenset({".git", "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache"})
"""Names that are no part of a bot, wherever in its folder they stand."""

_PYTHONS = ("python", "python3")
_HEAD_BYTES = 256
"""As much of a script as the kernel reads to find its interpreter."""

_ELF = b"\x7fELF"
_SYSTEMS = {b"MZ": "Windows", b"\xcf\xfa\xed\xfe": "macOS", b"\xca\xfe\xba\xbe": "macOS, or Java"}
"""What binaries of other systems begin with."""
_MACHINES = {
    3: "x86",
    8: "MIPS",
    21: "PowerPC",
    40: "ARM",
    62: "x86-64",
    183: "ARM 64",
    243: "RISC-V",
}
_RECIPES = {
    ".c": '--build "cc -O2 -o bot {file}" --command ./bot',
    ".cpp": '--build "c++ -O2 -o bot {file}" --command ./bot',
    ".cc": '--build "c++ -O2 -o bot {file}" --command ./bot',
    ".rs": '--build "rustc --crate-name bot -O -o bot {file}" --command ./bot',
    ".go": '--build "go build -o bot {file}" --command ./bot',
    ".java": '--command "java {file}"',
}
"""How a source file of a compiled language becomes a bot, by its suffix."""


class ProgramError(Exception):
    """A bot's files cannot be used: its author's or the user's mistake, in one line."""


@dataclass(frozen=True)
class Program:
    """A bot as its author hands it in: a file, or a folder with a ``command``.

    ``command`` is the words that start it, in the bot's own folder; its first word ``python`` or
    ``python3`` means this Python. Without one, a ``.py`` file runs with this Python, a ``.js`` file
    with node, and any other as an executable. ``env`` is what its environment has besides the
    usual. ``build`` is the words that make it from its sources, once: see ``referee.build``.
    """

    path: Path
    command: tuple[str, ...] = ()
    build: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """The working directory: the bot's folder, or the one in which its file stands."""
        return self.path if self.path.is_dir() else self.path.parent

    @property
    def argv(self) -> tuple[str, ...]:
        """The words to start it with in its folder; they name its files relative to there."""
        if self.command:
            first, *rest = self.command
            return (sys.executable if first in _PYTHONS else first, *rest)
        # "./" keeps a name that begins with a dash from being an option, or one on the PATH.
        own = f"./{self.path.name}"
        match self.path.suffix:
            case ".py":
                return sys.executable, own
            case ".js":
                return "node", own
            case _:
                return (own,)

    @property
    def builder(self) -> "Program":
        """The program that ``build`` runs, in the bot's folder."""
        return replace(self, command=self.build, build=())

    def check(self) -> None:
        """Raise ProgramError where it is clear without a start that it cannot start."""
        try:
            self._check()
        except OSError as error:
            raise _unusable(error, self.path) from None

    def _check(self) -> None:
        where = _shown(self.path)
        if not self.path.exists():
            raise ProgramError(f"{where}: no such file or folder")
        if self.path.is_dir() and not self.command:
            raise ProgramError(
                f'{where}: a folder needs a command, such as command = "python3 main.py" in a '
                f"config, or --command of check and submit"
            )
        if not self.path.is_dir() and not self.path.is_file():
            raise ProgramError(f"{where}: neither a file nor a folder")
        if self.build and not self.command:
            raise ProgramError(
                f'{where}: what a build makes needs a command, such as command = "./bot"'
            )
        # What starts a bot with a build is there when that is done.
        program = self.builder.argv[0] if self.build else self.argv[0]
        if "/" in program:
            self._check_executable(self.folder / program)
        elif not self._on_path(program):
            beside = self.folder / program
            hint = f"; the bot's own file is ./{program}" if beside.is_file() else ""
            raise ProgramError(f"{where}: {_shown(program)}: no such program on the PATH{hint}")

    def _check_executable(self, path: Path) -> None:
        where = _shown(path)
        if not path.is_file():
            raise ProgramError(f"{where}: no such program")
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
        if objection := _objection(path, head):
            raise ProgramError(f"{where}: {objection}")
        if not path.stat().st_mode & stat.S_IXUSR:
            raise ProgramError(
                f"{where}: not executable, and its suffix does not say how to run it: "
                f"chmod +x it, or give the bot a command"
            )
        if head.startswith(b"#!"):
            self._check_shebang(where, head[2:].partition(b"\n")[0])
        elif not head.startswith(_ELF):
            raise ProgramError(
                f"{where}: a script's first line must name its interpreter, "
                f"such as #!/usr/bin/env python3"
            )

    def _check_shebang(self, where: str, line: bytes) -> None:
        if line.endswith(b"\r"):
            raise ProgramError(
                f"{where}: its first line ends as on Windows (CR LF), which Linux takes for a part "
                f"of the interpreter's name: save it with LF, for instance by dos2unix"
            )
        words = os.fsdecode(line).split()
        if not words or not (self.folder / words[0]).is_file():
            named = _shown(words[0]) if words else "an interpreter"
            raise ProgramError(f"{where}: its first line names {named}, which does not exist")
        if Path(words[0]).name == "env":
            looked_for = words[2:] if words[1:2] == ["-S"] else words[1:]
            # What has options of its own or sets variables is left for env to judge.
            plain = looked_for and not re.search("^-|[/=]", looked_for[0])
            if plain and not self._on_path(looked_for[0]):
                raise ProgramError(
                    f"{where}: its first line names {_shown(looked_for[0])}, "
                    f"which is not on the PATH"
                )

    def _on_path(self, program: str) -> bool:
        path = self.env.get("PATH", os.environ.get("PATH", os.defpath))
        return shutil.which(program, path=path) is not None

    def remarks(self) -> list[str]:
        """Return what its author should be told though it may work.

        That is: a file that hides a module of Python's own from the bot's imports.
        """
        if self.argv[0] != sys.executable:
            return []
        files = sorted(self.path.glob("*.py")) if self.path.is_dir() else [self.path]
        hidden = sys.stdlib_module_names - set(sys.builtin_module_names)
        return [
            f"{_shown(file)} hides Python's own module {file.stem} from the bot's imports; "
            f"give it another name"
            for file in files
            if file.suffix == ".py" and file.stem in hidden
        ]

    def copy_to(self, folder: Path) -> "Program":
        """Keep an exact copy in ``folder/<hex of its fingerprint>/`` and return the bot there.

        A copy that is there and intact is kept; a damaged one is replaced. Everybody may read it
        (modes 0755 and 0644), whatever the umask. Written aside and renamed, so it is whole or
        not there. Raises ProgramError for the bot's files, OSError for the place of the copy.
        """
        version = fingerprint(self.path)
        copy = folder / version.removeprefix("sha256:")
        if self.path.is_dir() and folder.resolve().is_relative_to(self.path.resolve()):
            raise ProgramError(
                f"{_shown(self.path)}: the copies would lie inside the bot's own folder; "
                f"give the bot a folder of its own"
            )
        if not _is_intact(copy, version):
            if not folder.exists():
                folder.mkdir(parents=True)
                folder.chmod(0o755)
            with tempfile.TemporaryDirectory(dir=folder, prefix=".") as aside:
                new = Path(aside) / "new"
                _copy(self.path, new)
                if not _is_intact(new, version):
                    raise ProgramError(f"{_shown(self.path)}: changed while it was copied")
                if os.path.lexists(copy):
                    copy.rename(Path(aside) / "damaged")
                new.rename(copy)
        _let_everybody_read(copy)
        return replace(self, path=copy if self.path.is_dir() else copy / self.path.name)


def split_command(text: str) -> tuple[str, ...]:
    """Split a command into its words as a shell would, without running one.

    Raises ProgramError where a quotation is not closed.
    """
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise ProgramError(f"{str(error).lower()} in {_shown(text)}") from None


def fingerprint(path: Path) -> str:
    """Return a bot's version: ``sha256:`` and 64 lower-case hex digits.

    It is the SHA-256 over 65 bytes for each file, in ascending order of the files' paths as bytes:

    - one byte, the kind: ``f`` for a file, ``x`` for one that its owner may execute, ``l`` for a
      symbolic link,
    - the 32 bytes of the SHA-256 of its path: relative to the bot's folder, with ``/`` between
      names,
    - the 32 bytes of the SHA-256 of its content; a link's content is its target as written.

    A single file counts as a folder that holds just it. Folders are no entries of their own, so
    empty ones do not count; nor does anything named in ``LEFT_OUT``. Links must be relative and
    stay in the folder; they are not followed, but a link given as ``path`` itself is. Raises
    ProgramError for a link that leads out, for what is no file, and for what cannot be read.
    """
    whole = hashlib.sha256()
    try:
        for name, file in files_of(path):
            kind = kind_of(path, name, file)
            whole.update(kind)
            whole.update(hashlib.sha256(os.fsencode(name)).digest())
            whole.update(_content_digest(kind, file))
    except OSError as error:
        raise _unusable(error, path) from None
    return f"sha256:{whole.hexdigest()}"


def files_of(path: Path) -> list[tuple[str, Path]]:
    """List a bot's files, each with its path within the bot, in the fingerprint's order."""
    if not path.is_dir():
        return [(path.name, path.resolve())]
    return [(name, path / name) for name in sorted(_names(path), key=os.fsencode)]


def _names(root: Path, within: str = "") -> Iterator[str]:
    with os.scandir(root / within) as entries:
        for entry in entries:
            if entry.name in LEFT_OUT:
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from _names(root, f"{within}{entry.name}/")
            else:
                yield within + entry.name


def kind_of(root: Path, name: str, file: Path) -> bytes:
    """Return what the fingerprint has for a bot's file: ``f``, ``x`` or ``l``.

    Raises ProgramError for a link that leads out of the folder, and for what is no file.
    """
    mode = file.lstat().st_mode
    if stat.S_ISLNK(mode):
        target = file.readlink()
        # As written: out and in again would miss the copy. As resolved: a link may lead to a link.
        written = Path(os.path.normpath(Path(name).parent / target))
        resolved = Path(os.path.realpath(file))
        if written.parts[:1] in (("/",), ("..",)) or not resolved.is_relative_to(root.resolve()):
            raise ProgramError(
                f"{_shown(root)}: the link {_shown(name)} leads out of the folder, to "
                f"{_shown(target)}; put what it needs into the folder"
            )
        return b"l"
    if not stat.S_ISREG(mode):
        raise ProgramError(f"{_shown(root)}: {_shown(name)} is neither a file, folder nor link")
    return b"x" if mode & stat.S_IXUSR else b"f"


def _content_digest(kind: bytes, file: Path) -> bytes:
    if kind == b"l":
        return hashlib.sha256(os.fsencode(file.readlink())).digest()
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").digest()


def _is_intact(copy: Path, version: str) -> bool:
    with suppress(ProgramError):
        return fingerprint(copy) == version
    return False


def _copy(path: Path, to: Path) -> None:
    to.mkdir()
    for name, file in files_of(path):
        there = to / name
        there.parent.mkdir(parents=True, exist_ok=True)
        if file.is_symlink():
            there.symlink_to(file.readlink())
        else:
            shutil.copyfile(file, there)
            there.chmod(0o700 if file.stat().st_mode & stat.S_IXUSR else 0o600)


def _let_everybody_read(folder: Path) -> None:
    for within, _, files in os.walk(folder):
        Path(within).chmod(0o755)
        for file in (Path(within) / name for name in files):
            if not file.is_symlink():
                file.chmod(0o755 if file.stat().st_mode & stat.S_IXUSR else 0o644)


def _objection(path: Path, head: bytes) -> str:
    """Say why a file is nothing that can be started here, whatever its modes; else nothing."""
    if foreign := _foreign(head):
        return (
            f"{foreign}, and this is {platform.machine()} Linux: build it here, or hand in its "
            f"sources with --build and --command"
        )
    if head.startswith((b"#!", _ELF)):
        return ""
    if not head:
        return "an empty file"
    if b"\0" in head or not _is_text(head):
        return "neither a program for Linux (ELF) nor a script: is it the right file, and whole?"
    if recipe := _RECIPES.get(path.suffix):
        how = recipe.format(file=shlex.quote(path.name))
        return (
            f"a source file, which has to be compiled: give the program that this makes, or "
            f"{_shown(how)} (build and command in a config)"
        )
    return ""


def _is_text(head: bytes) -> bool:
    """Whether the beginning of a file is UTF-8; a character may be cut at its end."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return True


def _foreign(head: bytes) -> str:
    """Say what other machine or system a binary is for; nothing where it may be for this one."""
    for magic, system in _SYSTEMS.items():
        if head.startswith(magic):
            return f"a program for {system}"
    with Path(sys.executable).resolve().open("rb") as file:
        own = file.read(_HEAD_BYTES)
    if not (head.startswith(_ELF) and own.startswith(_ELF)):
        return ""
    # The machine stands at byte 18, in the byte order that byte 5 gives. A 64-bit kernel may run
    # the 32-bit programs of its family: left to the start.
    order: Literal["little", "big"] = "little" if head[5] == 1 else "big"
    machine = int.from_bytes(head[18:20], order)
    if head[18:20] == own[18:20] or head[4] != own[4]:
        return ""
    return f"a program for another machine ({_MACHINES.get(machine, f'ELF machine {machine}')})"


def _unusable(error: OSError, path: Path) -> ProgramError:
    return ProgramError(f"{_shown(os.fsdecode(error.filename or path))}: {error.strerror}")


def _shown(text: Path | str) -> str:
    """Return a name as one harmless piece of a line."""
    return str(text) if str(text).isprintable() else ascii(str(text))
