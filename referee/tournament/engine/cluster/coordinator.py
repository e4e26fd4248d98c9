"""The coordinator's side, in asyncio: tasks out, answers in, bots to where they are missing."""

import asyncio
import secrets
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError
from contextlib import suppress
from itertools import count
from pathlib import Path

from distributed import Client, Future, KilledWorker
from distributed.client import ClosedClientError, FutureCancelledError
from distributed.comm import CommClosedError

from referee.archive import pack
from referee.chunk import Outcome, failed
from referee.sandbox import Wanted
from referee.series import SeriesSpec
from referee.tournament.engine.cluster import remote
from referee.tournament.engine.cluster.connect import WORKERS_S
from referee.tournament.engine.cluster.report import mixes, objection, report
from referee.tournament.engine.errors import EngineError, EngineGoneError

LOOK_S = 1.0
STOP_S = 5.0


class Coordinator:
    """Has a scheduler's workers play chunks.

    ``heard`` is told how many workers there are, whenever somebody has looked.
    """

    def __init__(self, client: Client, wanted: Wanted, heard: Callable[[int], None]) -> None:
        self.remarks: list[str] = []
        """What is to be said of the workers that there were at the beginning."""
        self.sent: dict[tuple[str, str], int] = {}
        """When a worker was last sent a bot, by its address and the bot's version."""
        self._client = client
        self._wanted: Wanted = wanted
        self._heard = heard
        self._own = report(wanted)
        self._run = f"referee-{secrets.token_hex(4)}"
        self._moments = count()
        self._waited_for: set[Future] = set()
        self._lost = ""
        self._sending: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def begin(self) -> None:
        """Look at the workers that there are; raises EngineError."""
        try:
            reports = await self._client.run(report, self._wanted)
            threads_of = await self._client.nthreads()
            await self._count()
        except ImportError as error:
            raise EngineError(
                f"a worker cannot play: {error}; install referee {self._own.referee} with "
                f"the extra cluster there"
            ) from None
        except OSError as error:
            raise EngineError(f"the cluster is gone ({error})") from None
        for worker, found in reports.items():
            if words := objection(self._own, found):
                raise EngineError(f"worker {worker} {words}")
        for worker, threads in threads_of.items():
            if threads != 1:
                raise EngineError(
                    f"worker {worker} has {threads} threads; start it with --nthreads 1"
                )
        self.remarks += mixes(reports)
        self._watching = asyncio.create_task(self._watch())

    async def end(self) -> None:
        """Have the workers stop what they are playing, which a cancelled task does not."""
        self._watching.cancel()
        with suppress(OSError, TimeoutError, CancelledError):
            stopping = self._client.run(remote.stop, self._run, on_error="ignore")
            await asyncio.wait_for(stopping, STOP_S)

    async def play(self, specs: list[SeriesSpec]) -> list[Outcome]:
        """Have a worker play these series one after another; raises EngineGoneError."""
        task = remote.Task(self._run, self._own, sys.executable, self._wanted, specs)
        data = remote.encode_task(task)
        while True:
            moment = next(self._moments)
            # By what it is, and never the same again: an answer may ask for it to be sent anew.
            key = f"{self._run}-{specs[0].setting.series}-{len(specs)}-{moment}"
            try:
                answer = await self._answer(key, data)
                if not answer.missing:
                    return answer.outcomes
                await self._send_bots(answer.worker, answer.missing, specs, moment)
            except KilledWorker as error:
                if len(specs) == 1:
                    return [failed(specs[0], error)]
                # Which of them it is, each shows by itself.
                return [outcome for spec in specs for outcome in await self.play([spec])]
            except EngineGoneError:
                raise
            except Exception as error:  # noqa: BLE001 as in a chunk: no end of all others
                return [failed(spec, error) for spec in specs]

    async def _answer(self, key: str, data: bytes) -> remote.Answer:
        try:
            future = self._client.submit(remote.play, data, key=key, pure=False)
            self._waited_for.add(future)
            try:
                answer = remote.decode_answer(await future)
            finally:
                self._waited_for.remove(future)
                future.release()
        except FutureCancelledError as error:
            raise EngineGoneError(f"the cluster is gone ({self._lost or error.reason})") from None
        except ClosedClientError as error:
            raise EngineGoneError(f"the cluster is gone ({error})") from None
        if answer.refusal:
            raise EngineGoneError(f"worker {answer.worker} {answer.refusal}: take it away")
        return answer

    async def _send_bots(
        self, worker: str, missing: Iterable[str], specs: Iterable[SeriesSpec], moment: int
    ) -> None:
        """Send a worker what it misses, unless that went out since it was asked for."""
        folders = {
            Path(bot.folder).name: bot.folder for spec in specs for bot in spec.bots.values()
        }
        async with self._sending[worker]:
            for version in missing:
                if self.sent.get((worker, version), -1) > moment:
                    continue
                archive = await asyncio.to_thread(pack, Path(folders[version]))
                await self._have_kept(worker, version, archive)
                self.sent[worker, version] = next(self._moments)

    async def _have_kept(self, worker: str, version: str, archive: bytes) -> None:
        try:
            kept = await self._client.run(
                remote.keep, version, archive, workers=[worker], on_error="return"
            )
        except OSError as error:
            raise EngineGoneError(f"the cluster is gone ({error})") from None
        for raised in kept.values():
            # A worker that has died is no matter: somebody else will be asked.
            if isinstance(raised, Exception) and not isinstance(raised, CommClosedError):
                raise raised

    async def _watch(self) -> None:
        """Follow the number of workers; without any for a while, give all chunks up."""
        without_s = 0.0
        while without_s < WORKERS_S:
            await asyncio.sleep(LOOK_S)
            with suppress(OSError):
                without_s = 0.0 if await self._count() else without_s + LOOK_S
        self._lost = f"no worker for {WORKERS_S} s"
        await self._client.cancel(list(self._waited_for))

    async def _count(self) -> int:
        workers = len(await self._client.nthreads())
        self._heard(workers)
        return workers
