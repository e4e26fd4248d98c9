"""The control: a loop that does for one game what must be done, and waits for bots by blocking.

It drives the project's own rules, protocol and record, and leaves out all that a referee is for:
no deadline, no fault, no limit. What a question costs here is the pipe's own price.
"""

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import Protocol

from msgspec import json, to_builtins

from referee import __version__
from referee.bot.process import environment_of
from referee.bot.spawn import Launch
from referee.cards import shuffle_of
from referee.games.game import Choice, Decision, Game
from referee.protocol import (
    Answer,
    Clock,
    End,
    Hello,
    Start,
    TimeControl,
    Turn,
    decode_answer,
    encode,
)
from referee.record import lines
from referee.record.lines import FORMAT, ChoiceLine, Header, Writer
from referee.table import Deal, News, Setting

TIME = TimeControl()

_encode = json.Encoder().encode


class Player(Protocol):
    """What sits at the control's table; ``asked`` is the number of its last question."""

    asked: int

    def write(self, message: bytes) -> None:
        """Take a message that wants no answer."""

    def exchange(self, question: bytes, decision: Decision) -> bytes:
        """Take a question, whose decision this is, and give the answer."""


class InProcess:
    """No bot at all, only an answer in JSON: the first options."""

    def __init__(self) -> None:
        self.asked = 0

    def write(self, message: bytes) -> None:
        pass

    def exchange(self, _question: bytes, decision: Decision) -> bytes:
        return _encode(Answer(self.asked, decision.default))


class Pipe:
    """A bot behind blocking pipes."""

    def __init__(self, launch: Launch) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            launch.argv,
            bufsize=0,
            stdin=pipe,
            stdout=pipe,
            cwd=launch.folder,
            env=environment_of(launch.env),
            start_new_session=True,  # as the referee does: Linux shares a core out by sessions
        )
        assert self.process.stdin
        assert self.process.stdout
        self._to_bot = self.process.stdin.fileno()
        self._from_bot = self.process.stdout.fileno()
        self.asked = 0
        self.exchange(encode(Hello([1], __version__)))

    def write(self, message: bytes) -> None:
        os.write(self._to_bot, message)

    def exchange(self, question: bytes, _decision: Decision | None = None) -> bytes:
        os.write(self._to_bot, question)
        answer = os.read(self._from_bot, 65536)
        while not answer.endswith(b"\n"):
            answer += os.read(self._from_bot, 65536)
        return answer


@contextmanager
def pipes(launch: Launch, seats: int) -> Iterator[list[Pipe]]:
    """Start a bot for every seat; end them all."""
    bots = [Pipe(launch) for _ in range(seats)]
    try:
        yield bots
    finally:
        for bot in bots:
            with bot.process:
                assert bot.process.stdin
                bot.process.stdin.close()


def play(
    game: Game,
    bots: Sequence[Player],
    seed: bytes,
    setting: Setting | None = None,
    deal: Deal | None = None,
) -> tuple[int, bytes]:
    """Play a game between bots; return how many questions it had, and its record.

    The record's header is of ``setting`` and ``deal`` where they are given.
    """
    rules = game.rules(setting.rules if setting else {}, len(bots))
    clock = Clock(TIME.move_ms, TIME.bank_ms)
    record = Writer(_header(game, rules, len(bots), seed, setting, deal))
    news = News(len(bots), record)

    asked = 0
    state = game.start(len(bots), rules, shuffle_of(seed))
    news.tell(state.opening)
    for seat, bot in enumerate(bots):
        bot.write(encode(Start(game.name, to_builtins(rules), len(bots), seat, None, seat, clock)))
    while state.decisions:
        choices = {}
        for seat, decision in state.decisions.items():
            if decision.is_forced:
                choices[seat] = Choice(decision.default)
                record.add(ChoiceLine(seat, decision.kind, decision.default, "forced", 0.0))
                continue
            bot = bots[seat]
            bot.asked += 1
            message = encode(Turn(bot.asked, news.take(seat), state.view(seat), decision, clock))
            began = perf_counter()
            answer = decode_answer(bot.exchange(message, decision))
            ms = int((perf_counter() - began) * 10_000 + 0.5) / 10
            assert not decision.objection(answer.choose)
            choices[seat] = Choice(answer.choose, answer.claim)
            line = ChoiceLine(
                seat, decision.kind, answer.choose, "bot", ms, bot.asked, clock.bank_ms
            )
            record.add(line)
            asked += 1
        news.tell(state.apply(choices))
    outcome = state.outcome
    assert outcome
    for seat, bot in enumerate(bots):
        bot.write(encode(End(news.take(seat), outcome.scores, outcome.ranks, [], outcome.capped)))
    return asked, record.finish(outcome.scores, outcome.ranks, [], capped=outcome.capped)


def _header(
    game: Game,
    rules: object,
    seats: int,
    seed: bytes,
    setting: Setting | None,
    deal: Deal | None,
) -> Header:
    return Header(
        format=FORMAT,
        referee=__version__,
        game=game.name,
        rules=to_builtins(rules),
        deal=deal.deal if deal else 1,
        seed=seed.hex(),
        series=setting.series if setting else "0-1-0-1",
        seats=deal.players if deal else [lines.Player("bot", "")] * seats,
        time=setting.time if setting else TIME,
        strikes=1,
        started="2000-01-01",
    )
