"""Packing the games of a run for their files, which takes nearly all of a report's time."""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor

import msgspec

from referee.record.lines import split
from referee.show.replay.recording import read
from referee.show.report.questions import Exchange, exchanges
from referee.show.report.replays import pack, replay_of

WORTH_PROCESSES = 100
"""How many games are packed quicker by several processes, their start included."""


class Packed(msgspec.Struct, frozen=True):
    """A game, ready for its file: the place in the schedule, the replay, the faults."""

    number: int
    replay: str
    exchanges: list[Exchange]


def pack_games(data: bytes, first: int) -> list[Packed]:
    """Pack the games of a series' records, of which the first has this place in the schedule."""
    packed = []
    for number, record in enumerate(split(data), first):
        recording = read(record)
        packed.append(Packed(number, pack(replay_of(recording)), exchanges(recording)))
    return packed


def packed(tasks: Iterable[tuple[bytes, int]], games: int) -> Iterator[Packed]:
    """Pack the games of some series, in their order: many games by a process a core.

    A task has the arguments of ``pack_games``; ``games`` is how many there are in all.
    """
    processes = len(os.sched_getaffinity(0)) if games >= WORTH_PROCESSES else 1
    if processes == 1:
        for task in tasks:
            yield from pack_games(*task)
        return
    ignore = (signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is for the one that waits for them
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context, signal.signal, ignore) as pool:
        under_way: deque[Future[list[Packed]]] = deque()
        try:
            for task in tasks:
                under_way.append(pool.submit(pack_games, *task))
                if len(under_way) > 2 * processes:
                    yield from under_way.popleft().result()
            while under_way:
                yield from under_way.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)
