"""Other worker sides than the real one; workers import them by name."""

import os
import signal
import time

from distributed import get_worker

from referee.chunk import Outcome
from referee.record.result import GameResult
from referee.series import SeriesResult, SeriesSpec
from referee.tournament.engine.cluster import remote

POISON = "1-2-1-1"
SLOW_S = 2.0


def play(data: bytes) -> bytes:
    """Answer at once, each game with a record of 20 kB that hardly compresses."""
    task = remote.decode_task(data)
    outcomes = [Outcome(spec.setting.series, 0.02, _result(spec)) for spec in task.specs]
    return remote.encode_answer(remote.Answer(get_worker().address, outcomes))


def kill_if_poisoned(data: bytes) -> bytes:
    """Play, really, but kill the worker by one of the series."""
    if _has_poison(data):
        os.kill(os.getpid(), signal.SIGKILL)
    return remote.play(data)  # which on a worker is the real one


def dawdle_if_poisoned(data: bytes) -> bytes:
    """Answer at once, but for one of the series."""
    if _has_poison(data):
        time.sleep(SLOW_S)
    return play(data)


def _has_poison(data: bytes) -> bool:
    return any(spec.setting.series == POISON for spec in remote.decode_task(data).specs)


def _result(spec: SeriesSpec) -> SeriesResult:
    games = [
        GameResult(
            deal=deal.deal,
            bots=[player.bot for player in deal.players],
            scores=[0] * len(deal.players),
            ranks=[1] * len(deal.players),
            forfeited=[],
            capped=False,
            faults=[],
            decisions=0,
            times=[],
            cpu=[],
        )
        for deal in spec.deals
    ]
    return SeriesResult(games, [os.urandom(20_000) for _ in spec.deals], {})
