"""A run on disk: the config it was started with, its secret, the bots, a file a series.

A series' file is written aside, synced and renamed: its presence is the commitment, and nothing
else is truth. The file is two zstd frames: a line that sums the series up, and the records.
"""

import fcntl
import hashlib
import os
import re
import secrets
import socket
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import repeat
from pathlib import Path
from typing import IO, Any

import msgspec
import zstandard

from referee import __version__
from referee.cards import commitment, seed_secret
from referee.program import fingerprint
from referee.record.result import GameResult
from referee.sandbox import Mode
from referee.series import SeriesResult
from referee.tournament.config import BotEntry, Config, encode_config, load_config

FORMAT = 1
SECRET_BYTES = 32
_SYNCS_AT_ONCE = 16
_HEAD = re.compile(r"# referee run, format (\d+) \(referee (\S+)\)\n")


class RunError(Exception):
    """A run's folder cannot be used: one line that says which and why."""


class Damage(Exception):  # noqa: N818 it is found, not made
    """A series file does not hold what was written; the text says what is wrong."""


class Summary(msgspec.Struct, frozen=True, tag_field="type", tag="series"):
    """The first line of a series' file; ``sha256`` is of the compressed records behind it.

    ``isolation`` is how the bots were kept apart while it was played.
    """

    format: int
    id: str
    games: list[GameResult]
    sha256: str
    isolation: Mode = "off"


_summary = msgspec.json.Decoder(Summary)
_FileState = tuple[int, int, int] | None
_results = msgspec.json.Decoder(dict[str, Any])


class Store:
    """A run's folder."""

    def __init__(
        self, folder: Path, config: Config, secret: bytes, made_by: str = __version__
    ) -> None:
        self.folder = folder
        self.config = config
        self.secret = secret
        self.made_by = made_by
        """The version of the referee that began the run."""
        self.versions = {bot.name: _version(bot) for bot in config.bots}
        """The version of each bot's copy, by the bot's name."""
        self._known: dict[str, tuple[_FileState, Summary]] = {}

    @property
    def commitment(self) -> str:
        """What is published of the secret before the first game."""
        return commitment(self.secret)

    @property
    def is_finished(self) -> bool:
        """Whether the run has ended and its secret is published."""
        return (self.folder / "results.json").exists()

    @property
    def published(self) -> dict[str, Any]:
        """The results as they were published; nothing where they cannot be read.

        Raises FileNotFoundError where the run has not ended.
        """
        try:
            return _results.decode((self.folder / "results.json").read_bytes())
        except msgspec.DecodeError:
            return {}

    @property
    def has_lost_games(self) -> bool:
        """Whether series that the published results count are missing or damaged."""
        stored = sum(len(summary.games) for summary in self.summaries())
        games = self.published.get("games")
        return not isinstance(games, int) or stored < games

    @property
    def kept_commitment(self) -> str:
        """The commitment as it was stored before the first game; nothing where it is not there."""
        try:
            return (self.folder / "commitment").read_text("ascii", errors="replace").strip()
        except OSError:
            return ""

    def check_commitment(self) -> None:
        """Raise RunError where the secret is not the one that the run committed itself to."""
        if self.kept_commitment != self.commitment:
            raise RunError(
                f"{self.folder}: its commitment is not that of its secret: one of the two files "
                f"is not what was written; the run cannot go on"
            )

    def mend(self) -> None:
        """Make again what half a copy of a folder may lack, as far as it follows from the rest."""
        (self.folder / "series").mkdir(exist_ok=True)
        if not (self.folder / "commitment").exists():
            write_whole(self.folder / "commitment", self.commitment.encode() + b"\n")

    def reopen(self) -> None:
        """Take the results back: the run has not ended."""
        (self.folder / "results.json").unlink()

    def _path(self, series: str) -> Path:
        return self.folder / "series" / f"{series}.jsonl.zst"

    def has(self, series: str) -> bool:
        """Whether this series has been played."""
        return self._path(series).exists()

    def series(self) -> set[str]:
        """Return which series have been played."""
        paths = (self.folder / "series").glob("*.jsonl.zst")
        return {path.name.removesuffix(".jsonl.zst") for path in paths}

    def save(
        self,
        series: str,
        games: list[GameResult],
        records: Iterable[bytes],
        isolation: Mode = "off",
    ) -> None:
        """Keep a series: whole or not at all, whatever happens."""
        write_whole(self._path(series), _encode(series, games, records, isolation))

    def save_all(self, results: Mapping[str, SeriesResult]) -> None:
        """Keep several series, by their names, each whole or not at all."""
        write_all(
            {
                self._path(series): _encode(series, each.games, each.records, each.isolation)
                for series, each in results.items()
            }
        )

    def take(self, series: str, other: "Store") -> None:
        """Keep a series as another folder of the same run has it; raises Damage."""
        other.summary(series)
        write_whole(self._path(series), other._path(series).read_bytes())  # noqa: SLF001 its own

    def save_stderr(self, series: str, bot: str, data: bytes) -> None:
        """Keep what a bot wrote to its standard error in a series; of no consequence."""
        path = self.folder / "stderr" / f"{series}.{bot}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)

    def summary(self, series: str) -> Summary:
        """Return the sum of a series; raises Damage. A file is read once, unless it changes."""
        known = self._known.get(series)
        if known is not None and known[0] == _state_of(self._path(series)):
            return known[1]
        return self._read(series)[0]

    def games(self, series: str) -> list[GameResult] | None:
        """Return the results of a series; None where it is not stored, or not whole."""
        try:
            return self.summary(series).games
        except Damage:
            return None

    def drop(self, series: str) -> None:
        """Keep a series no longer: it does not count."""
        self._path(series).unlink()

    def records(self, series: str) -> bytes:
        """Return the records of a series, one after another; raises Damage."""
        _, body = self._read(series)
        return zstandard.ZstdDecompressor().decompress(body)

    def summaries(self) -> Iterator[Summary]:
        """Return the sums of all series that are stored and whole, in no certain order."""
        for path in (self.folder / "series").glob("*.jsonl.zst"):
            try:
                yield self.summary(path.name.removesuffix(".jsonl.zst"))
            except Damage:
                continue

    def set_damaged_aside(self) -> list[str]:
        """Put every series file that is damaged, or half written, aside; say of each what it was.

        What is put aside is kept in ``damaged/``.
        """
        found = []
        for path in sorted((self.folder / "series").iterdir()):
            series = path.name.removesuffix(".jsonl.zst")
            try:
                self._read(series)
            except Damage as damage:
                aside = self.folder / "damaged"
                aside.mkdir(exist_ok=True)
                path.rename(aside / f"{len(list(aside.iterdir())) + 1}-{path.name}")
                found.append(f"{path.name}: {damage}")
        return found

    def _read(self, series: str) -> tuple[Summary, bytes]:
        path = self._path(series)
        state = _state_of(path)
        if path.exists() and not path.is_file():
            raise Damage("is no file")
        try:
            data = path.read_bytes()
            decompressor = zstandard.ZstdDecompressor().decompressobj()
            summary = _summary.decode(decompressor.decompress(data))
        except (OSError, zstandard.ZstdError, msgspec.DecodeError) as error:
            raise Damage(f"its first line cannot be read ({error})") from None
        body = decompressor.unused_data
        if summary.format != FORMAT:
            raise Damage(f"is of format {summary.format}, this referee reads {FORMAT}")
        if summary.id != series:
            raise Damage(f"holds series {summary.id}")
        if hashlib.sha256(body).hexdigest() != summary.sha256:
            raise Damage("its records are not those that were written")
        self._known[series] = state, summary
        return summary, body

    def publish(self, results: dict[str, object]) -> None:
        """End the run: write the results, with the secret."""
        data = {**results, "secret": self.secret.hex()}
        write_whole(
            self.folder / "results.json", msgspec.json.format(msgspec.json.encode(data)) + b"\n"
        )


@contextmanager
def lock(folder: Path) -> Iterator[None]:
    """Keep every other referee away from a run's folder, which is made where there is none.

    Raises RunError where something else is there already, or that names who has the lock.
    """
    _check_place(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise RunError(f"{folder}: the run is being played by {_holder(file)}") from None
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}\n")
        file.flush()
        yield
        file.truncate(0)


def _holder(file: IO[str]) -> str:
    """Say who has the lock; who took it just now is given a second to write it down."""
    for _ in range(100):
        file.seek(0)
        if holder := file.read().strip():
            return holder
        time.sleep(0.01)
    return "another referee"


def _check_place(folder: Path) -> None:
    """Raise RunError where a folder holds neither a run nor what making one left half-made."""
    if not folder.exists() or is_run(folder):
        return
    half_made = {"lock", "bots", "series", "secret", "commitment"}
    half_made |= {f"{name}.new" for name in ("secret", "commitment", "run.toml")}
    is_half_made = (
        folder.is_dir()
        and {path.name for path in folder.iterdir()} <= half_made
        and not list((folder / "series").glob("*"))  # a run whose config is lost is not made anew
    )
    if not is_half_made:
        raise RunError(f"{folder}: is there already and is no run; choose another with --out")


def _state_of(path: Path) -> _FileState:
    """Return what changes whenever a file does; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def own_copies(config: Config, folder: Path) -> Config:
    """Return the config with each bot's files where the run in this folder keeps their copy."""
    bots = []
    for bot in config.bots:
        path = Path(bot.path)
        copy = folder.resolve() / "bots" / fingerprint(path).removeprefix("sha256:")
        place = copy if path.is_dir() else copy / path.name
        bots.append(msgspec.structs.replace(bot, path=str(place)))
    return msgspec.structs.replace(config, bots=tuple(bots))


def create(folder: Path, config: Config) -> Store:
    """Make a run's folder: the bots' copies, the config, the secret and its commitment.

    What was left half-made there is made anew. Raises RunError where there is something else
    already, ProgramError for a bot's files.
    """
    _check_place(folder)
    (folder / "series").mkdir(parents=True, exist_ok=True)
    own = own_copies(config, folder)
    for bot in config.bots:
        bot.program.copy_to(folder / "bots")
    seed = config.tournament.seed
    secret = secrets.token_bytes(SECRET_BYTES) if seed is None else seed_secret(seed)
    write_whole(folder / "secret", secret.hex().encode() + b"\n", mode=0o600)
    write_whole(folder / "commitment", commitment(secret).encode() + b"\n")
    # The config is written last: a folder that has one is a run.
    head = f"# referee run, format {FORMAT} (referee {__version__})\n"
    write_whole(folder / "run.toml", head.encode() + encode_config(own, folder))
    return Store(folder, own, secret)


def is_run(folder: Path) -> bool:
    """Whether the folder holds a run."""
    return (folder / "run.toml").is_file()


def open_run(folder: Path) -> Store:
    """Open the run in this folder; raises RunError, ConfigError."""
    path = folder / "run.toml"
    if not path.is_file():
        raise RunError(f"{folder}: not a run (it has no run.toml)")
    with path.open(encoding="utf-8", errors="replace") as file:
        head = _HEAD.fullmatch(file.readline())
    if head is None:
        raise RunError(f"{path}: not a run's config (its first line says no format)")
    if int(head[1]) > FORMAT:
        raise RunError(
            f"{path}: format {head[1]}, written by referee {head[2]}; this is {__version__}, "
            f"which reads up to {FORMAT}"
        )
    try:
        secret = bytes.fromhex((folder / "secret").read_text(encoding="ascii"))
    except (OSError, ValueError):
        raise RunError(f"{folder / 'secret'}: cannot be read; the run cannot go on") from None
    if len(secret) != SECRET_BYTES:
        raise RunError(f"{folder / 'secret'}: is no secret of {SECRET_BYTES} bytes in hex")
    return Store(folder, load_config(path), secret, head[2])


def _version(bot: BotEntry) -> str:
    """Return the version of a bot of a run, by the name of the folder that its copy is in."""
    path = Path(bot.path)
    return f"sha256:{(path if path.is_dir() else path.parent).name}"


def _encode(
    series: str, games: list[GameResult], records: Iterable[bytes], isolation: Mode
) -> bytes:
    """Return what a series' file holds."""
    compress = zstandard.ZstdCompressor(write_checksum=True).compress
    body = compress(b"".join(records))
    summary = Summary(FORMAT, series, games, hashlib.sha256(body).hexdigest(), isolation)
    return compress(msgspec.json.encode(summary) + b"\n") + body


def write_whole(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write a file so that it is whole or not there: aside, synced, renamed, the folder synced."""
    write_all({path: data}, mode)


def write_all(files: Mapping[Path, bytes], mode: int = 0o644) -> None:
    """Write files of one folder as ``write_whole`` does.

    A disk takes several syncs in little more time than one, if they are asked for side by side.
    """
    if len(files) == 1:
        asides = [_write_aside(path, data, mode) for path, data in files.items()]
    else:
        with ThreadPoolExecutor(_SYNCS_AT_ONCE) as threads:
            asides = list(threads.map(_write_aside, files, files.values(), repeat(mode)))
    for aside, path in zip(asides, files, strict=True):
        aside.rename(path)
    for within in {path.parent for path in files}:
        folder = os.open(within, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _write_aside(path: Path, data: bytes, mode: int) -> Path:
    aside = path.with_name(path.name + ".new")
    aside.unlink(missing_ok=True)
    fd = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(fd, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    return aside
