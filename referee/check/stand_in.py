"""Bots for the other seats of a course: in this process, at random, the same every time."""

import random
from collections.abc import Callable

import msgspec

from referee.bot import Bot, Watchdog
from referee.bot.spawn import Launch
from referee.bot.stream import Tail
from referee.bot.wire import Wire
from referee.games.game import Decision, Game

_TURN = b'{"type":"turn"'
"""How a question begins: ``type`` comes first in every message."""


class _Turn(msgspec.Struct):
    id: int
    decision: Decision


_decode_turn = msgspec.json.Decoder(_Turn).decode


class StandIn(Bot):
    """A bot without a process: its answer lies on its wire as soon as it is asked.

    It chooses among the options at random, from ``seed`` alone. Bids and doubts it mostly leaves
    alone, so that games go on; now and then it names a wrong rank where the game takes a claim.
    """

    def __init__(self, watchdog: Watchdog, game: Game, seed: int) -> None:
        super().__init__(Launch(["stand-in"], "."), watchdog, Tail(0))
        self.listen_to(_Wire(self._answer))
        self._claims = game.claims
        self._random = random.Random(seed)  # noqa: S311 a bot's dice, no cryptography

    def has_ended(self) -> None:
        """Say nothing: there is no process that could end."""

    def _answer(self, turn: _Turn) -> bytes:
        decision, rng = turn.decision, self._random
        options = decision.options
        if decision.kind in ("bid", "doubt") and rng.random() < 0.8:
            options = decision.default
        most = min(decision.max, len(options), decision.min + 2)
        choose = rng.sample(list(options), rng.randint(decision.min, most))
        answer: dict[str, object] = {"id": turn.id, "choose": choose}
        claims = self._claims.get(decision.kind)
        if claims and rng.random() < 0.05:
            answer["claim"] = rng.choice(claims)
        return msgspec.json.encode(answer)


class _Wire(Wire):
    """A wire that answers by itself; the descriptors are never used."""

    def __init__(self, answer: Callable[[_Turn], bytes]) -> None:
        super().__init__(0, 0)
        self._answer = answer

    def write(self, data: bytes) -> bool:
        if data.startswith(_TURN):
            self.lines.append(self._answer(_decode_turn(data)))
        return True

    def read(self) -> bytes | None:
        return self.next_line()
