"""New bots and tournaments from templates, ready to be run."""

import shlex
from importlib.resources import files
from pathlib import Path

import msgspec

from referee.program import Program, ProgramError
from referee.tournament.config import name_objection


class Language(msgspec.Struct, frozen=True):
    """A language that there is a template for.

    ``suffix`` is its template's, and of a bot's file unless that ``has_suffix`` not. ``build`` is
    the command that makes a program of it, where one is needed, and ``needs`` what must be there.
    """

    suffix: str
    needs: str
    build: str = ""
    has_suffix: bool = True


LANGUAGES = {
    "python": Language(".py", "nothing: it runs with the referee's own Python"),
    "javascript": Language(".js", "node"),
    "shell": Language(".sh", "jq"),
    "c": Language(".c", "a C compiler", "cc -O2 -o {program} {file}"),
    "cpp": Language(".cpp", "a C++ compiler", "c++ -std=c++17 -O2 -o {program} {file}"),
    "rust": Language(".rs", "rustc", "rustc --crate-name bot -O -o {program} {file}"),
    "go": Language(".go", "go", "go build -o {program} {file}"),
    "java": Language(".java", "a JDK, 17 or newer", has_suffix=False),
}
"""By the names that ``--language`` takes."""


class Scaffold(msgspec.Struct, frozen=True):
    """What was written: the file, what it needs, and the next commands."""

    file: Path
    needs: str
    commands: list[str]


def new_bot(path: Path, language: str = "") -> Scaffold:
    """Write a bot that plays every game, as a file of this name; a suffix that lacks is added.

    Without a language it is that of the suffix, and Python where there is none. Raises ProgramError
    for a language without a template and for a name that a bot cannot have, and FileExistsError.
    """
    by_suffix = {each.suffix: name for name, each in LANGUAGES.items()}
    language = language or by_suffix.get(path.suffix, "python")
    if language not in LANGUAGES:
        raise ProgramError(f"--language {language}: must be one of {', '.join(LANGUAGES)}")
    wanted = LANGUAGES[language]
    _check_name(path)
    stem = path.with_name(path.name.removesuffix(wanted.suffix))
    if objection := name_objection(stem.name):
        raise ProgramError(f"{stem.name}: {objection}")
    file = stem.with_name(stem.name + wanted.suffix) if wanted.has_suffix else stem
    if remarks := Program(file).remarks():
        raise ProgramError(remarks[0])
    program = stem if wanted.build else file
    build = wanted.build.format(program=_word(program), file=_word(file))
    named = {"NAME": stem.name, "FILE": _word(file), "PROGRAM": _word(program), "BUILD": build}
    _write(file, _template(f"bot{wanted.suffix}", named))
    if not wanted.build:
        file.chmod(0o755)
    return Scaffold(file, wanted.needs, [*filter(None, [build]), f"referee check {_word(program)}"])


def new_tournament(path: Path) -> Scaffold:
    """Write a commented config of this name (``.toml`` is added).

    Raises ProgramError for what is no name, and FileExistsError.
    """
    _check_name(path)
    file = path if path.suffix == ".toml" else path.with_name(path.name + ".toml")
    _write(file, _template("tournament.toml", {"NAME": file.stem, "FILE": _word(file)}))
    name = _word(file)
    return Scaffold(file, "bots", [f"referee submit BOT {name}", f"referee tournament {name}"])


def _check_name(path: Path) -> None:
    if not path.name or path.name == "..":
        raise ProgramError(f"{path}: is a folder, and no name of a new file")


def _template(name: str, words: dict[str, str]) -> str:
    text = (files("referee") / "templates" / f"{name}.template").read_text(encoding="utf-8")
    for word, meaning in words.items():
        text = text.replace(f"@{word}@", meaning)
    return text


def _write(file: Path, text: str) -> None:
    with file.open("x", encoding="utf-8") as new:
        new.write(text)


def _word(path: Path) -> str:
    """Return a path as a shell takes it."""
    return shlex.quote(f"./{path}" if str(path).startswith("-") else str(path))
