"""A chunk: series played one after another, in this process or in any other.

What crosses a border between processes is here: bytes in, bytes out, self-contained, without the
run's secret. A bug in one series is a result of that series, never the end of the others.
"""

import time
import traceback
from collections.abc import Sequence

import msgspec
import trio

from referee.bot import Watchdog
from referee.series import SeriesResult, SeriesSpec, play_series


class Failure(msgspec.Struct, frozen=True):
    """Why a series could not be played, through no fault of a bot: in a line, and in full."""

    reason: str
    trace: str


class Outcome(msgspec.Struct, frozen=True):
    """What became of a series: it was played, or there was a failure; and how long that took."""

    series: str
    seconds: float
    result: SeriesResult | None = None
    failure: Failure | None = None


_specs = msgspec.msgpack.Decoder(list[SeriesSpec])
_outcomes = msgspec.msgpack.Decoder(list[Outcome])


def encode_specs(specs: Sequence[SeriesSpec]) -> bytes:
    """Return series as bytes that ``play_chunk`` takes anywhere."""
    return msgspec.msgpack.encode(specs)


def decode_outcomes(data: bytes) -> list[Outcome]:
    """Return what ``play_chunk`` said; raises msgspec.DecodeError."""
    return _outcomes.decode(data)


def play_chunk(specs: bytes) -> bytes:
    """Play series one after another, in this thread, whichever it is; return their outcomes.

    Every limit is kept in here: nothing outside need end anything.
    """
    outcomes = trio.run(_play_chunk, _specs.decode(specs))
    return msgspec.msgpack.encode(outcomes)


async def _play_chunk(specs: Sequence[SeriesSpec]) -> list[Outcome]:
    watchdog = Watchdog()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(watchdog.run)
        outcomes = [await outcome_of(spec, watchdog) for spec in specs]
        nursery.cancel_scope.cancel()
    return outcomes


async def outcome_of(spec: SeriesSpec, watchdog: Watchdog) -> Outcome:
    """Play a series; say what became of it. ``watchdog.run`` must be running."""
    began = time.monotonic()
    result = failure = None
    try:
        result = await play_series(spec, watchdog)
    except Exception as error:  # noqa: BLE001 a bug in one table must not end the run
        trace = "".join(traceback.format_exception(error))
        failure = Failure(f"{type(error).__name__}: {error}", trace)
    return Outcome(spec.setting.series, time.monotonic() - began, result, failure)
