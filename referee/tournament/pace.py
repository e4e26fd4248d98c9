"""How many series make a chunk: by how long they have taken so far."""

from collections import Counter, defaultdict, deque
from math import inf

from referee.tournament.schedule import Schedule, Series

MOST_SERIES = 200
"""As many make a chunk at most: their records are all held in memory for a moment."""


class Pace:
    """Measures entries of a schedule, and cuts what is to be played by it.

    A chunk is worth ``chunk_s`` seconds of play, as far as is known, but no more than the share of
    one of ``at_once`` chunks in half of what is left, so that all end together; and always a
    series. ``shards``: only one of so many parts of the schedule is played.
    """

    def __init__(self, schedule: Schedule, shards: int, chunk_s: float) -> None:
        self._chunk_s = chunk_s
        counts = enumerate(schedule.counts, 1)
        self._left = {entry: each.series // shards for entry, each in counts}
        self._played: Counter[int] = Counter()
        self._seconds: defaultdict[int, float] = defaultdict(float)

    def played(self, entry: int, seconds: float) -> None:
        """Take note of how long a series took."""
        self._played[entry] += 1
        self._seconds[entry] += seconds

    def passed(self, entry: int) -> None:
        """Take note that a series is handed out, or stored already."""
        self._left[entry] -= 1

    def seconds(self, entry: int) -> float:
        """Return how long a series is expected to take; without end before one was played."""
        return self._seconds[entry] / self._played[entry] if self._played[entry] else inf

    def target_s(self, at_once: int) -> float:
        """Return what the next chunk should be worth."""
        left_s = sum(left * self.seconds(entry) for entry, left in self._left.items() if left > 0)
        return min(self._chunk_s, left_s / (2 * at_once))

    def cut(self, waiting: deque[Series], at_once: int) -> list[Series]:
        """Take a chunk off the front of what is waiting."""
        target_s = self.target_s(at_once)
        chunk = [waiting.popleft()]
        worth_s = self.seconds(chunk[0].entry)
        while waiting and len(chunk) < MOST_SERIES:
            worth_s += self.seconds(waiting[0].entry)
            if worth_s > target_s:
                break
            chunk.append(waiting.popleft())
        return chunk
