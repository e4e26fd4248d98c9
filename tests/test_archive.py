"""A bot travels as bytes: what arrives has the same version, or it is refused."""

import os
import stat
from pathlib import Path

import msgspec
import pytest
import zstandard

from referee.archive import ArchiveError, Cache, pack
from referee.program import fingerprint


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """Make a bot with a folder, an executable, a link, a name that is not UTF-8, and leavings."""
    folder = tmp_path / "bot"
    (folder / "data").mkdir(parents=True)
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "x.pyc").write_bytes(b"left out")
    (folder / "main.py").write_text("print('ready')")
    (folder / "data" / "table.bin").write_bytes(bytes(range(256)) * 10)
    (folder / "tool").write_text("#!/bin/sh\n")
    (folder / "tool").chmod(0o755)
    (folder / "link").symlink_to("data/table.bin")
    Path(os.fsdecode(bytes(folder) + b"/\xff")).write_bytes(b"")
    return folder


def version_of(folder: Path) -> str:
    return fingerprint(folder).removeprefix("sha256:")


def test_what_is_unpacked_is_the_same_version_and_read_only(bot: Path, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    version = version_of(bot)
    assert not cache.has(version)
    cache.keep(version, pack(bot))
    assert cache.has(version)
    copy = cache.place(version)
    assert sorted(path.name for path in copy.iterdir()) == sorted(
        path.name for path in bot.iterdir() if path.name != "__pycache__"
    )
    assert stat.S_IMODE((copy / "main.py").stat().st_mode) == 0o444
    assert stat.S_IMODE((copy / "tool").stat().st_mode) == 0o555
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [version]


def test_the_same_version_is_the_same_bytes_wherever_it_lies(bot: Path, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    cache.keep(version_of(bot), pack(bot))
    assert pack(cache.place(version_of(bot))) == pack(bot)


@pytest.mark.parametrize("damage", ["content", "mode", "added"])
def test_what_is_damaged_is_thrown_away_and_can_come_again(
    damage: str, bot: Path, tmp_path: Path
) -> None:
    cache = Cache(tmp_path / "cache")
    version = version_of(bot)
    cache.keep(version, pack(bot))
    file = cache.place(version) / "main.py"
    file.chmod(0o755 if damage == "mode" else 0o644)
    if damage == "content":
        file.write_text("print('Ready')")
    if damage == "added":
        (cache.place(version) / "more.py").touch()
    assert not cache.has(version)
    assert not cache.place(version).exists()
    cache.keep(version, pack(bot))
    assert cache.has(version)


def test_another_bot_and_what_is_none_are_refused(bot: Path, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    version = version_of(bot)
    archive = pack(bot)
    (bot / "main.py").write_text("print('another')")
    with pytest.raises(ArchiveError, match=rf"what came for bot {version[:12]} is sha256:"):
        cache.keep(version, pack(bot))
    for data in (b"", archive[:-5], zstandard.compress(b"\x93")):
        with pytest.raises(ArchiveError, match="is no bot"):
            cache.keep(version, data)
    assert not list((tmp_path / "cache").iterdir())


@pytest.mark.parametrize("name", ["../out", "/out", "data/../../out", "."])
def test_a_name_that_leads_out_of_the_folder_is_refused(
    name: str, bot: Path, tmp_path: Path
) -> None:
    data = zstandard.compress(msgspec.msgpack.encode([[name.encode(), "f", b"x"]]))
    with pytest.raises(ArchiveError, match=r"leads out of the bot's folder"):
        Cache(tmp_path / "cache").keep(version_of(bot), data)
    assert not list(tmp_path.rglob("out"))
