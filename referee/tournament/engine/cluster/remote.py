"""What a worker of a cluster does: it keeps bots, plays, and stops.

Only ``play`` runs in the worker's own thread, which is not the main one; the others run in its
event loop, beside it.
"""

import sys
from contextlib import suppress
from pathlib import Path

import msgspec
import trio
import zstandard
from distributed import Worker, get_worker
from msgspec.structs import replace

from referee.archive import Cache
from referee.bot import Watchdog
from referee.chunk import Outcome, play_specs
from referee.sandbox import Mode, Wanted
from referee.series import SeriesSpec
from referee.tournament.engine.cluster.report import Report, objection, report


class Task(msgspec.Struct, frozen=True):
    """A chunk of a run, which ``stop`` knows by its name.

    ``coordinator`` is what workers must be like, and ``python`` what starts Python bots there.
    """

    run: str
    coordinator: Report
    python: str
    wanted: Wanted
    specs: list[SeriesSpec]


class Answer(msgspec.Struct, frozen=True):
    """What became of a task: its outcomes; or why not here; or the bots that must come first."""

    worker: str
    outcomes: list[Outcome] = []
    refusal: str = ""
    missing: list[str] = []


encode_task = msgspec.msgpack.Encoder().encode
decode_task = msgspec.msgpack.Decoder(Task).decode
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Answer).decode
_playing: dict[str, tuple[trio.lowlevel.TrioToken, trio.CancelScope]] = {}
_stopped: set[str] = set()


def encode_answer(answer: Answer) -> bytes:
    """Return an answer as bytes, which are some ten times fewer than its records."""
    return zstandard.compress(_encode(answer))


def decode_answer(data: bytes) -> Answer:
    """Return what a worker answered."""
    return _decode(zstandard.decompress(data))


def keep(version: str, archive: bytes, dask_worker: Worker) -> None:
    """Keep a bot; raises ArchiveError where it is another one."""
    _cache(dask_worker).keep(version, archive)


def play(data: bytes) -> bytes:
    """Play a task, and answer, both as bytes."""
    task = decode_task(data)
    worker = get_worker()
    found = report(task.wanted)
    if refusal := objection(task.coordinator, found):
        return encode_answer(Answer(worker.address, refusal=refusal))
    cache = _cache(worker)
    versions = {_version(launch.folder) for spec in task.specs for launch in spec.bots.values()}
    if missing := sorted(version for version in versions if not cache.has(version)):
        return encode_answer(Answer(worker.address, missing=missing))
    specs = [_settled(spec, task.python, cache, found.isolation) for spec in task.specs]
    return encode_answer(Answer(worker.address, trio.run(_play, specs, task.run)))


def stop(run: str) -> None:
    """Have this worker's thread stop what it is playing of a run, or is about to play."""
    _stopped.add(run)
    if run in _playing:
        token, scope = _playing[run]
        with suppress(trio.RunFinishedError):
            token.run_sync_soon(scope.cancel)


async def _play(specs: list[SeriesSpec], run: str) -> list[Outcome]:
    outcomes: list[Outcome] = []
    watchdog = Watchdog()
    async with trio.open_nursery() as nursery:
        _playing[run] = trio.lowlevel.current_trio_token(), nursery.cancel_scope
        try:
            if run not in _stopped:
                nursery.start_soon(watchdog.run)
                outcomes = await play_specs(specs, watchdog)
        finally:
            del _playing[run]
        nursery.cancel_scope.cancel()
    return outcomes


def _settled(spec: SeriesSpec, python: str, cache: Cache, isolation: Mode) -> SeriesSpec:
    """Return the series with the bots, the Python and the isolation that there are here."""
    bots = {}
    for name, launch in spec.bots.items():
        argv = [sys.executable if word == python else word for word in launch.argv[:1]]
        folder = str(cache.place(_version(launch.folder)))
        bots[name] = replace(launch, argv=[*argv, *launch.argv[1:]], folder=folder)
    return replace(spec, bots=bots, isolation=isolation)


def _version(folder: str) -> str:
    """Return the version of a bot, which a run's copy of it is named by."""
    return Path(folder).name


def _cache(worker: Worker) -> Cache:
    return Cache(Path(worker.local_directory) / "referee-bots")
