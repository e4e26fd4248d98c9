"""The referee itself: one game, bots at its seats, faults, to the end.

The rules say what may be done (``games``), the bots do something (``bot``); here the two meet.
A bot's fault is a line of the record, never an exception.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Self

import msgspec
import trio

from referee import __version__
from referee.bot import Bot, Question, Verdict, Watchdog, ask
from referee.cards import bot_seed, deal_seed, shuffle_of
from referee.games.game import Choice, Decision, Game, State, Told
from referee.protocol import (
    Answer,
    Clock,
    End,
    Fault,
    Reason,
    Start,
    TimeControl,
    Turn,
    encode,
    kept_note,
)
from referee.record.lines import (
    FORMAT,
    ChoiceLine,
    FaultLine,
    Header,
    Heard,
    NoteLine,
    Player,
    Writer,
    encode_event,
    final_ranks,
)
from referee.record.result import Cpu, GameResult, SeatFault, Times


class Setting(msgspec.Struct, frozen=True):
    """What all games of a series have in common. ``rules`` are complete; names may be hidden."""

    game: str
    rules: dict[str, Any]
    time: TimeControl
    strikes: int
    names_shown: bool
    series: str


class Deal(msgspec.Struct, frozen=True):
    """One game to play: its deal's number and seed in hex, and the players and seeds by seat."""

    deal: int
    seed: str
    players: list[Player]
    bot_seeds: list[int]

    @classmethod
    def drawn(
        cls,
        secret: bytes,
        game: str,
        deal: int,
        players: list[Player],
        place: tuple[int, int, int],
    ) -> Self:
        """Draw a deal's seeds from a secret (PROTOCOL.md, section 4).

        ``place`` is the entry, the table and the rotation, which the bots' seeds depend on.
        """
        seats = len(players)
        seed = deal_seed(secret, game, seats, deal).hex()
        return cls(
            deal, seed, players, [bot_seed(secret, *place, deal, seat) for seat in range(seats)]
        )


class _Seat:
    """A seat at the table: its bot, what it has not been told yet, its clock and its faults."""

    def __init__(self, bot: Bot, bank_ms: float) -> None:
        self.bot = bot
        self.untold: list[msgspec.Raw] = []
        self.bank_ms = bank_ms
        self.strikes = 0
        self.has_forfeited = False
        self.late = 0
        self.times = Times()
        self.cpu_before = _cpu(bot)


class Table:
    """Plays one game between bots that have been started.

    ``heard`` is told each line of the record as it is written.
    """

    def __init__(
        self,
        game: Game,
        setting: Setting,
        deal: Deal,
        bots: Sequence[Bot],
        watchdog: Watchdog,
        heard: Heard | None = None,
    ) -> None:
        self.game = game
        self.setting = setting
        self.deal = deal
        self.seats = [_Seat(bot, setting.time.bank_ms) for bot in bots]
        self.watchdog = watchdog
        self.forfeits: dict[int, int] = {}
        self.faults: list[SeatFault] = []
        self.step = 0
        header = Header(
            format=FORMAT,
            referee=__version__,
            game=game.name,
            rules=setting.rules,
            deal=deal.deal,
            seed=deal.seed,
            series=setting.series,
            seats=deal.players,
            time=setting.time,
            strikes=setting.strikes,
            started=datetime.now(UTC).isoformat(timespec="milliseconds"),
        )
        self.record = Writer(header, heard)

    async def play(self, nursery: trio.Nursery) -> tuple[GameResult, bytes]:
        """Play the game to its end; return its result and its record.

        In the nursery the bots that forfeit are stopped while the game goes on.
        """
        self.nursery = nursery
        rules = self.game.rules(self.setting.rules, len(self.seats))
        state = self.game.start(len(self.seats), rules, shuffle_of(bytes.fromhex(self.deal.seed)))
        await self._begin()
        self._tell(state.opening)
        while state.decisions:
            self.step += 1
            self._tell(state.apply(await self._decide(state)))
        return self._finish(state)

    def forfeit_reason(self, number: int) -> Reason | None:
        """Return the fault by which a seat forfeited; None for one that did not."""
        reasons = [fault.reason for fault in self.faults if fault.seat == number]
        return reasons[-1] if number in self.forfeits else None

    async def _begin(self) -> None:
        time = self.setting.time
        names = [player.bot for player in self.deal.players] if self.setting.names_shown else None
        for number, seat in enumerate(self.seats):
            if seat.bot.verdict is not None:
                await self._fault(number, seat.bot.verdict)
                continue
            start = Start(
                game=self.game.name,
                rules=self.setting.rules,
                seats=len(self.seats),
                seat=number,
                names=names,
                seed=self.deal.bot_seeds[number],
                time=Clock(time.move_ms, time.bank_ms),
            )
            seat.bot.wire.write(encode(start))

    def _tell(self, told: list[Told]) -> None:
        """Note events, each encoded once, and keep them for those who may learn them."""
        for to, event in told:
            data = encode_event(event)
            self.record.event(to, data)
            raw = msgspec.Raw(data)
            for seat in self.seats if to is None else [self.seats[number] for number in to]:
                seat.untold.append(raw)

    async def _decide(self, state: State) -> dict[int, Choice]:
        """Get a choice from every seat that must decide, in the order of the record."""
        decisions = state.decisions
        asked = {
            number: self._question(number, decision, state)
            for number, decision in decisions.items()
            if not (decision.is_forced or self.seats[number].has_forfeited)
        }
        for question in asked.values():
            question.put(self.watchdog.now())
        order: Iterable[int] = decisions
        if state.settled_by is not None:
            order = await self._race(state, asked)
        elif asked:
            await ask(list(asked.values()), self.watchdog)
        choices = {}
        for number in order:
            if number in asked:
                choices[number] = await self._judge(number, decisions[number], asked[number])
            else:
                choices[number] = self._own_choice(number, decisions[number])
        return choices

    async def _race(self, state: State, asked: Mapping[int, Question]) -> list[int]:
        """Wait for answers until one settles the decision; return the seats that count.

        They stand in the order of arrival, those that arrived together in the order of the
        state's decisions. The questions of the others are withdrawn.
        """

        def settles(answer: Answer) -> bool:
            return len(answer.choose) == 1 and answer.choose[0] is state.settled_by

        await ask(list(asked.values()), self.watchdog, settles)
        order = [number for number in state.decisions if number not in asked]
        settled = [number for number, question in asked.items() if question.is_settled]
        settled.sort(key=lambda number: asked[number].ended)  # stable: ties stay as decided
        for number in settled:
            order.append(number)
            answer = asked[number].answer
            if answer is not None and settles(answer):
                break
        for number in asked.keys() - order:
            seat, question = self.seats[number], asked[number]
            seat.bot.is_behind = question.answer is None
            seat.late += question.late + (question.answer is not None)
        return order

    def _question(self, number: int, decision: Decision, state: State) -> Question:
        seat, bot = self.seats[number], self.seats[number].bot
        time = Clock(self.setting.time.move_ms, int(seat.bank_ms))
        bot.asked += 1
        turn = Turn(bot.asked, seat.untold, state.view(number), decision, time)
        question = Question(
            bot.wire, turn.id, encode(turn), time, behind=bot.is_behind, meter=bot.meter
        )
        seat.untold = []
        bot.is_behind = False
        return question

    def _own_choice(self, number: int, decision: Decision) -> Choice:
        """Choose for a seat that is not asked: it has no choice, or it has forfeited."""
        by = "forced" if decision.is_forced else "referee"
        self.record.choice(ChoiceLine(number, decision.kind, decision.default, by, 0.0))
        return Choice(decision.default)

    async def _judge(self, number: int, decision: Decision, question: Question) -> Choice:
        """Take a seat's answer, or strike it and choose in its stead."""
        seat = self.seats[number]
        answer = question.answer
        elapsed_ms = question.elapsed_ms
        over_ms = elapsed_ms - self.setting.time.move_ms
        if over_ms > 0:
            seat.bank_ms = max(0.0, seat.bank_ms - over_ms)
        seat.late += question.late
        seat.times.add(elapsed_ms)
        verdict = question.verdict if answer is None else self._objection(decision, answer)
        if answer is None or verdict is not None:
            assert verdict is not None  # noqa: S101 a settled question has one of the two
            if verdict.reason is Reason.TIMEOUT:
                seat.bank_ms = 0.0
                seat.bot.is_behind = True
            await self._fault(number, verdict, question.number)
            choice = Choice(decision.default)
            by, note = "referee", None
        else:
            claim = answer.claim if decision.kind in self.game.claims else None
            choice = Choice(answer.choose, claim)
            by, note = "bot", answer.note
        self._note_words(number)
        line = ChoiceLine(
            seat=number,
            kind=decision.kind,
            choose=choice.choose,
            by=by,
            ms=round(elapsed_ms, 1),
            id=question.number,
            bank_ms=int(seat.bank_ms),
            claim=choice.claim,
            note=note and kept_note(note),
        )
        self.record.choice(line)
        return choice

    def _note_words(self, number: int) -> None:
        """Note what a bot wrote to its standard error since its last decision."""
        if number not in self.forfeits and (said := self.seats[number].bot.fresh_words()):
            self.record.line(NoteLine(number, f"standard error: {said}"))

    def _objection(self, decision: Decision, answer: Answer) -> Verdict | None:
        if objection := decision.objection(answer.choose):
            return Verdict(Reason.ILLEGAL, f"{objection}; asked to {decision.kind}")
        if answer.claim is None:
            return None
        claims = self.game.claims.get(decision.kind)
        if claims and answer.claim not in claims:
            return Verdict(Reason.MALFORMED, f"a claim must be one of {', '.join(claims)}")
        return None

    async def _fault(self, number: int, verdict: Verdict, question: int | None = None) -> None:
        seat = self.seats[number]
        verdict = await seat.bot.cause_of(verdict)
        detail = verdict.detail
        seat.strikes += 1
        forfeit = verdict.reason.ends_the_game or seat.strikes >= self.setting.strikes
        self.faults.append(SeatFault(number, verdict.reason, detail))
        self.record.line(FaultLine(number, verdict.reason, detail, seat.strikes, forfeit, question))
        if question is not None:
            message = Fault(question, verdict.reason, detail, seat.strikes, forfeit)
            seat.bot.wire.write(encode(message))
        if forfeit:
            seat.has_forfeited = True
            seat.bot.verdict = verdict
            self.forfeits[number] = self.step
            if said := seat.bot.last_words():
                self.record.line(NoteLine(number, f"standard error ends: {said}"))
            self.nursery.start_soon(seat.bot.stop, self.setting.time.grace_ms)

    def _finish(self, state: State) -> tuple[GameResult, bytes]:
        outcome = state.outcome
        assert outcome is not None  # noqa: S101 no decision is left
        ranks = final_ranks(outcome.ranks, self.forfeits)
        forfeited = sorted(self.forfeits)
        for number, seat in enumerate(self.seats):
            if seat.late:
                self.record.line(NoteLine(number, f"{seat.late} late answers passed over"))
            if number in self.forfeits:
                continue
            self._note_words(number)
            end = End(seat.untold, outcome.scores, ranks, forfeited, outcome.capped)
            seat.bot.wire.write(encode(end))
            if ending := seat.bot.has_ended():
                detail = f"the process {ending} after its last decision"
                self.record.line(NoteLine(number, detail))
        record = self.record.finish(outcome.scores, ranks, forfeited, capped=outcome.capped)
        result = GameResult(
            deal=self.deal.deal,
            bots=[player.bot for player in self.deal.players],
            scores=outcome.scores,
            ranks=ranks,
            forfeited=forfeited,
            capped=outcome.capped,
            faults=self.faults,
            decisions=self.record.decisions,
            times=[seat.times for seat in self.seats],
            cpu=[_cpu(seat.bot).since(seat.cpu_before) for seat in self.seats],
        )
        return result, record


def _cpu(bot: Bot) -> Cpu:
    """Return the processor time that a bot's process has used so far."""
    if bot.meter is None:
        return Cpu()
    bot.meter.count()
    return Cpu(round(bot.meter.asked_s * 1000, 1), round(bot.meter.unasked_s * 1000, 1))
