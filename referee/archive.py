"""A bot's files as bytes: what travels to another machine, and the folder that keeps it there."""

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Literal

import msgspec
import zstandard

from referee.program import ProgramError, files_of, fingerprint, kind_of


class _File(msgspec.Struct, frozen=True, array_like=True):
    """A file of a bot, of the kind that its fingerprint has for it; a link's content is its target.

    The name is bytes, as the file system has it.
    """

    name: bytes
    kind: Literal["f", "x", "l"]
    content: bytes


_files = msgspec.msgpack.Decoder(list[_File])


class ArchiveError(Exception):
    """An archive does not hold the bot that it should."""


def pack(folder: Path) -> bytes:
    """Return a bot's folder as bytes: the same for the same version, wherever it lies.

    Raises ProgramError for files that are no bot's.
    """
    packed = []
    for name, file in files_of(folder):
        kind = kind_of(folder, name, file)
        content = os.fsencode(file.readlink()) if kind == b"l" else file.read_bytes()
        packed.append([os.fsencode(name), kind.decode(), content])
    return zstandard.compress(msgspec.msgpack.encode(packed))


class Cache:
    """A folder that keeps bots by their versions, without ``sha256:``; it is made when needed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def place(self, version: str) -> Path:
        """Return where this bot's folder is, or would be."""
        return self._folder / version

    def has(self, version: str) -> bool:
        """Whether this bot is here and intact; what is damaged is thrown away."""
        place = self.place(version)
        if not place.exists():
            return False
        with suppress(ProgramError):
            if fingerprint(place) == f"sha256:{version}":
                return True
        shutil.rmtree(place)
        return False

    def keep(self, version: str, archive: bytes) -> None:
        """Unpack a bot, read-only; raises ArchiveError where it is another one."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self._folder, prefix=".") as aside:
            new = Path(aside) / version
            new.mkdir()
            try:
                for file in _files.decode(zstandard.decompress(archive)):
                    _write(file, new)
                found = fingerprint(new)
            except (zstandard.ZstdError, msgspec.DecodeError, ProgramError) as error:
                raise ArchiveError(f"what came for bot {version[:12]} is no bot: {error}") from None
            if found != f"sha256:{version}":
                raise ArchiveError(f"what came for bot {version[:12]} is {found}")
            if not self.has(version):
                new.chmod(0o755)
                new.rename(self.place(version))


def _write(file: _File, folder: Path) -> None:
    name = PurePosixPath(os.fsdecode(file.name))
    if name.is_absolute() or ".." in name.parts or not name.parts:
        raise ArchiveError(f"{name} leads out of the bot's folder")
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if file.kind == "l":
        path.symlink_to(os.fsdecode(file.content))
    else:
        path.write_bytes(file.content)
        path.chmod(0o555 if file.kind == "x" else 0o444)
