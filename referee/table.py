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
    EncodedEventLine,
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


class News:
    """The events of a game: noted in its record, and kept for the seats that may learn them.

    Each is encoded once.
    """

    def __init__(self, seats: int, record: Writer) -> None:
        self._record = record
        self._public: list[msgspec.Raw] = []
        self._told = [0] * seats
        """How much of what is public each seat has been told."""
        self._private: list[list[msgspec.Raw]] = [[] for _ in range(seats)]
        """What each seat is to be told before the rest of what is public."""

    def tell(self, told: list[Told]) -> None:
        """Take what has happened, in its order."""
        note, public = self._record.add, self._public
        for to, event in told:
            data = msgspec.Raw(encode_event(event))
            note(EncodedEventLine(to, data))
            if to is None:
                public.append(data)
                continue
            for seat in to:
                self._private[seat] = [*self.take(seat), data]

    def take(self, seat: int) -> list[msgspec.Raw]:
        """Return what the seat has not been told yet, in its order; then it has been told."""
        public, told = self._public, self._told
        untold = public[told[seat] :]
        told[seat] = len(public)
        if before := self._private[seat]:
            untold = before + untold
            self._private[seat] = []
        return untold


class _Seat:
    """A seat at the table: its bot, its clock and its faults."""

    __slots__ = (
        "bank_ms",
        "bot",
        "clock",
        "cpu_before",
        "has_forfeited",
        "late_before",
        "move_ms",
        "number",
        "question",
        "strikes",
        "times_ms",
    )

    def __init__(self, number: int, bot: Bot, time: TimeControl) -> None:
        self.number = number
        self.bot = bot
        if bot.verdict is None:  # it has been started
            self.question = bot.question
            self.late_before = bot.question.late
        self.move_ms = time.move_ms
        self.set_bank(time.bank_ms)
        self.strikes = 0
        self.has_forfeited = False
        self.times_ms: list[float] = []
        self.cpu_before = _cpu(bot)

    def set_bank(self, bank_ms: float) -> None:
        """Set what is left of the bank; bots and records see whole milliseconds."""
        self.bank_ms = bank_ms
        self.clock = Clock(self.move_ms, int(bank_ms))


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
        self.seats = [_Seat(number, bot, setting.time) for number, bot in enumerate(bots)]
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
        self.news = News(len(bots), self.record)

    async def play(self, nursery: trio.Nursery) -> tuple[GameResult, bytes]:
        """Play the game to its end; return its result and its record.

        In the nursery the bots that forfeit are stopped while the game goes on.
        """
        self.nursery = nursery
        rules = self.game.rules(self.setting.rules, len(self.seats))
        state = self.game.start(len(self.seats), rules, shuffle_of(bytes.fromhex(self.deal.seed)))
        await self._begin()
        self.news.tell(state.opening)
        while decisions := state.decisions:
            self.step += 1
            if len(decisions) > 1:
                choices = await self._decide_at_once(state)
            else:
                ((number, decision),) = decisions.items()
                seat = self.seats[number]
                if decision.is_forced or seat.has_forfeited:
                    choice = self._own_choice(seat, decision)
                    if self.watchdog.now() >= self.watchdog.turn_ends:
                        await self.watchdog.share()
                else:
                    if not seat.question.exchange(self._turn(state, seat, decision), seat.clock):
                        await ask([seat.question], self.watchdog)
                    choice = self._take(seat, decision) or await self._overrule(seat, decision)
                choices = {number: choice}
            self.news.tell(state.apply(choices))
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
                await self._fault(seat, seat.bot.verdict)
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

    def _turn(self, state: State, seat: _Seat, decision: Decision) -> bytes:
        """Return a seat's next question; with it the seat is told all that it has not been told."""
        seat.question.number = number = seat.question.number + 1
        untold = self.news.take(seat.number)
        return encode(Turn(number, untold, state.view(seat.number), decision, seat.clock))

    async def _decide_at_once(self, state: State) -> dict[int, Choice]:
        """Ask every seat that must decide; return their choices in the order in which they count.

        All questions are ready before the first is put: their clocks start at the same time.
        """
        decisions = state.decisions
        turns = {
            number: self._turn(state, self.seats[number], decision)
            for number, decision in decisions.items()
            if not (decision.is_forced or self.seats[number].has_forfeited)
        }
        asked = {number: self.seats[number].question for number in turns}
        for number, question in asked.items():
            question.put(turns[number], self.seats[number].clock)
        order: Iterable[int] = decisions
        if state.settled_by is not None:
            order = await self._race(state, asked)
        else:
            await ask(asked.values(), self.watchdog)
        choices = {}
        for number in order:
            seat, decision = self.seats[number], decisions[number]
            if number not in asked:
                choice = self._own_choice(seat, decision)
            else:
                choice = self._take(seat, decision) or await self._overrule(seat, decision)
            choices[number] = choice
        return choices

    async def _race(self, state: State, asked: Mapping[int, Question]) -> list[int]:
        """Wait for answers until one settles the decision; return the seats that count.

        They stand in the order of arrival, those that arrived together in the order of the
        state's decisions. The questions of the others are withdrawn.
        """

        def settles(answer: Answer) -> bool:
            return len(answer.choose) == 1 and answer.choose[0] is state.settled_by

        await ask(asked.values(), self.watchdog, settles)
        order = [number for number in state.decisions if number not in asked]
        settled = [number for number, question in asked.items() if question.is_settled]
        settled.sort(key=lambda number: asked[number].ended)  # stable: ties stay as decided
        for number in settled:
            order.append(number)
            answer = asked[number].answer
            if answer is not None and settles(answer):
                break
        for number in asked.keys() - order:
            asked[number].late += asked[number].answer is not None
        return order

    def _own_choice(self, seat: _Seat, decision: Decision) -> Choice:
        """Choose for a seat that is not asked: it has no choice, or it has forfeited."""
        by = "forced" if decision.is_forced else "referee"
        self.record.add(ChoiceLine(seat.number, decision.kind, decision.default, by, 0.0))
        return Choice(decision.default)

    def _take(self, seat: _Seat, decision: Decision) -> Choice | None:
        """Take a seat's answer as its choice; None where the question has a verdict against it."""
        question = seat.question
        elapsed_ms = question.elapsed_ms
        seat.times_ms.append(elapsed_ms)
        if elapsed_ms > seat.move_ms:
            seat.set_bank(max(0.0, seat.bank_ms - (elapsed_ms - seat.move_ms)))
        answer = question.answer
        if answer is None:
            return None
        kind, choose, claim = decision.kind, answer.choose, answer.claim
        if objection := decision.objection(choose):
            question.verdict = Verdict(Reason.ILLEGAL, f"{objection}; asked to {kind}")
            return None
        if claim is not None:
            claims = self.game.claims.get(kind)
            if claims is None:
                claim = None
            elif claim not in claims:
                detail = f"a claim must be one of {', '.join(claims)}"
                question.verdict = Verdict(Reason.MALFORMED, detail)
                return None
        if question.words:
            self._note_words(seat)
        ms = int(elapsed_ms * 10 + 0.5) / 10  # half the price of round()
        note = answer.note and kept_note(answer.note)
        self.record.add(
            ChoiceLine(
                seat.number,
                kind,
                choose,
                "bot",
                ms,
                question.number,
                seat.clock.bank_ms,
                claim,
                note,
            )
        )
        return Choice(choose, claim)

    async def _overrule(self, seat: _Seat, decision: Decision) -> Choice:
        """Strike a seat and choose in its stead."""
        question, verdict = seat.question, seat.question.verdict
        assert verdict is not None  # noqa: S101 a settled question has one, or its answer is taken
        if verdict.reason is Reason.TIMEOUT:
            seat.set_bank(0.0)
        await self._fault(seat, verdict, question.number)
        if question.words and not seat.has_forfeited:
            self._note_words(seat)
        choose, ms = decision.default, round(question.elapsed_ms, 1)
        self.record.add(
            ChoiceLine(
                seat.number,
                decision.kind,
                choose,
                "referee",
                ms,
                question.number,
                seat.clock.bank_ms,
            )
        )
        return Choice(choose)

    def _note_words(self, seat: _Seat) -> None:
        """Note what a bot wrote to its standard error since its last decision."""
        words = seat.question.words.decode(errors="backslashreplace")
        seat.question.words.clear()
        self.record.add(NoteLine(seat.number, f"standard error: {words}"))

    async def _fault(self, seat: _Seat, verdict: Verdict, question: int | None = None) -> None:
        verdict = await seat.bot.cause_of(verdict)
        detail = verdict.detail
        seat.strikes += 1
        forfeit = verdict.reason.ends_the_game or seat.strikes >= self.setting.strikes
        self.faults.append(SeatFault(seat.number, verdict.reason, detail))
        self.record.add(
            FaultLine(seat.number, verdict.reason, detail, seat.strikes, forfeit, question)
        )
        if question is not None:
            message = Fault(question, verdict.reason, detail, seat.strikes, forfeit)
            seat.bot.wire.write(encode(message))
        if forfeit:
            seat.has_forfeited = True
            seat.bot.verdict = verdict
            self.forfeits[seat.number] = self.step
            if said := seat.bot.last_words():
                self.record.add(NoteLine(seat.number, f"standard error ends: {said}"))
            self.nursery.start_soon(seat.bot.stop, self.setting.time.grace_ms)

    def _finish(self, state: State) -> tuple[GameResult, bytes]:
        outcome = state.outcome
        assert outcome is not None  # noqa: S101 no decision is left
        ranks = final_ranks(outcome.ranks, self.forfeits)
        forfeited = sorted(self.forfeits)
        for number, seat in enumerate(self.seats):
            if self.forfeits.get(number) == 0:  # it could not be started
                continue
            if late := seat.question.late - seat.late_before:
                self.record.add(NoteLine(number, f"{late} late answers passed over"))
            if number in self.forfeits:
                continue
            seat.question.look_aside()
            if seat.question.words:
                self._note_words(seat)
            end = End(self.news.take(number), outcome.scores, ranks, forfeited, outcome.capped)
            seat.bot.wire.write(encode(end))
            if ending := seat.bot.has_ended():
                detail = f"the process {ending} after its last decision"
                self.record.add(NoteLine(number, detail))
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
            times=[Times.of(seat.times_ms) for seat in self.seats],
            cpu=[_cpu(seat.bot).since(seat.cpu_before) for seat in self.seats],
        )
        return result, record


def _cpu(bot: Bot) -> Cpu:
    """Return the processor time that a bot's process has used so far."""
    if bot.meter is None:
        return Cpu()
    bot.meter.count()
    return Cpu(round(bot.meter.asked_s * 1000, 1), round(bot.meter.unasked_s * 1000, 1))
