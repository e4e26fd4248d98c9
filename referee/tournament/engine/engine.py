"""What an engine is."""

from collections.abc import Sequence
from typing import Protocol

import trio

from referee.chunk import Outcome
from referee.series import SeriesSpec


class Engine(Protocol):
    """Plays chunks of series, several chunks at a time."""

    @property
    def in_flight(self) -> trio.CapacityLimiter:
        """Who has a chunk to play waits for one of these tokens; there may come to be more."""

    @property
    def chunk_s(self) -> float:
        """How many seconds of play a chunk should be worth; 0 is a series at a time."""

    @property
    def remarks(self) -> Sequence[str]:
        """What is to be said of where it plays."""

    async def play(self, specs: Sequence[SeriesSpec]) -> list[Outcome]:
        """Play these series one after another; cancelled, no bot is left playing.

        Raises EngineGoneError where it can no longer play.
        """
