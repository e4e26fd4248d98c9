"""Where the time of a game goes: the referee's own functions, timed where they are called."""

import inspect
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from time import perf_counter
from typing import Any
from unittest.mock import patch

from referee import table
from referee.bot.ask import Question
from referee.games.game import Decision, Game
from referee.record.lines import Writer
from referee.table import News

PARTS = ("view", "encode", "write-to-read", "decode", "check", "apply", "record", "store")


class Parts:
    """Seconds by part. What a part calls of another part counts as the other's alone."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._inner_s = [0.0]

    def _begin(self) -> float:
        self._inner_s.append(0.0)
        return perf_counter()

    def _end(self, part: str, began: float) -> None:
        whole_s = perf_counter() - began
        self.seconds[part] += whole_s - self._inner_s.pop()
        self._inner_s[-1] += whole_s

    def timed(self, part: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function, timed."""

        def plain(*given: Any, **named: Any) -> Any:
            began = self._begin()
            try:
                return call(*given, **named)
            finally:
                self._end(part, began)

        async def waiting(*given: Any, **named: Any) -> Any:
            began = self._begin()
            try:
                return await call(*given, **named)
            finally:
                self._end(part, began)

        return waiting if inspect.iscoroutinefunction(call) else plain

    @contextmanager
    def watching(self, game: Game, seats: int) -> Iterator[None]:
        """Time all parts of this game's play; for one table at a time."""
        state = type(
            game.start(seats, game.rules({}, seats), lambda _, packs: list(range(52)) * packs)
        )
        places: Sequence[tuple[str, Any, str]] = (
            ("view", state, "view"),
            ("encode", table, "encode"),
            ("write-to-read", Question, "put"),
            ("write-to-read", Question, "exchange"),
            ("write-to-read", table, "ask"),
            ("decode", inspect.getmodule(Question), "decode_answer"),
            ("check", Decision, "objection"),
            ("apply", state, "apply"),
            ("record", News, "tell"),
            ("record", Writer, "finish"),
        )
        with ExitStack() as stack:
            for part, owner, name in places:
                timed = self.timed(part, getattr(owner, name))
                stack.enter_context(patch.object(owner, name, timed))
            yield
