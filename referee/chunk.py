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


encode_specs = msgspec.msgpack.Encoder().encode
decode_specs = msgspec.msgpack.Decoder(list[SeriesSpec]).decode
encode_outcomes = msgspec.msgpack.Encoder().encode
decode_outcomes = msgspec.msgpack.Decoder(list[Outcome]).decode


def play_chunk(specs: bytes) -> bytes:
    """Play series one after another, in this thread, whichever it is; return their outcomes.

    Every limit is kept in here: nothing outside need end anything.
    """
    return encode_outcomes(trio.run(_play_chunk, decode_specs(specs)))


async def _play_chunk(specs: Sequence[SeriesSpec]) -> list[Outcome]:
    watchdog = Watchdog()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(watchdog.run)
        outcomes = await play_specs(specs, watchdog)
        nursery.cancel_scope.cancel()
    return outcomes


async def play_specs(specs: Sequence[SeriesSpec], watchdog: Watchdog) -> list[Outcome]:
    """Play series one after another. ``watchdog.run`` must be running."""
    return [await _outcome_of(spec, watchdog) for spec in specs]


async def _outcome_of(spec: SeriesSpec, watchdog: Watchdog) -> Outcome:
    """Play a series; say what became of it."""
    began = time.monotonic()
    try:
        result = await play_series(spec, watchdog)
    except Exception as error:  # noqa: BLE001 a bug in one table must not end the run
        return failed(spec, error)
    return Outcome(spec.setting.series, time.monotonic() - began, result)


def failed(spec: SeriesSpec, error: Exception) -> Outcome:
    """Return the outcome of a series that this kept from being played."""
    trace = "".join(traceback.format_exception(error))
    cause = _first_cause(error)
    failure = Failure(f"{type(cause).__name__}: {cause}", trace)
    return Outcome(spec.setting.series, 0.0, failure=failure)


def _first_cause(error: Exception) -> Exception:
    """Return what a nursery's error is about."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error
