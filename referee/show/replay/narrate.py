"""Telling a record in words, as a card player reads it: from its events, knowing no rules."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from referee.games.game import RulesError, find_game
from referee.protocol import printable
from referee.record.lines import (
    ChoiceLine,
    EventLine,
    FaultLine,
    Header,
    Line,
    NoteLine,
    ResultLine,
)
from referee.show.replay.paint import card_name, suit_name
from referee.show.replay.recording import Recording, Unreadable

MOST_SAID = 4000
"""How many characters of one line are told."""

Facts = dict[str, Any]
"""An event as it stands in the record."""


class Tone(StrEnum):
    """What a told line is about."""

    HEADING = "heading"
    PLAY = "play"
    FAULT = "fault"
    NOTE = "note"


class Told(NamedTuple):
    """A line of the telling, harmless to show."""

    text: str
    tone: Tone = Tone.PLAY


class Telling(msgspec.Struct, frozen=True):
    """A whole record, told. A line that still grows (a trick, a round of bids) is kept apart."""

    lines: list[Told]
    ends: list[int]
    """How many of the lines have been told after each step."""
    growing: list[Told | None]
    """The line that grows, as it is after each step."""

    def until(self, step: int, most: int, *, notes: bool = True) -> list[Told]:
        """Return the last lines that have been told after a step, ``most`` at most."""
        last = self.growing[step]
        found = [last] if last and most else []
        for told in reversed(self.lines[: self.ends[step]]):
            if len(found) >= most:
                break
            if notes or told.tone is not Tone.NOTE:
                found.append(told)
        return found[::-1]


def narrate(recording: Recording, seat: int | None = None, *, symbols: bool = True) -> Telling:
    """Tell a record; ``seat`` leaves out what that seat did not know when it happened.

    Others' faults are left out then too: a seat learns of forfeits with the result.
    """
    narrator = Narrator(recording.names, seat, drawn=recording.is_drawn, symbols=symbols)
    ends: list[int] = []
    growing: list[Told | None] = []
    for step in range(len(recording.steps)):
        for line in recording.lines_of(step):
            narrator.hear(line)
        ends.append(len(narrator.told))
        growing.append(narrator.growing())
    narrator.end_line()
    return Telling(narrator.told, [*ends[:-1], len(narrator.told)], [*growing[:-1], None])


class Narrator:
    """Folds lines into text; the plays of a trick share a line, and so do the bids of a hand.

    ``drawn`` is whether the events are of a game that there are words for (``DRAWN``).
    """

    def __init__(
        self, names: Sequence[str], seat: int | None, *, drawn: bool, symbols: bool
    ) -> None:
        self.seat = seat
        self.symbols = symbols
        self.names = [printable(name, 32) for name in names]
        self.is_drawn = drawn
        self.told: list[Told] = []
        self.trick = 0
        self.bids: list[str] = []
        self.plays: list[tuple[int, str]] = []
        self.forfeited: set[int] = set()
        self.replaced: set[int] = set()
        """Those of whom it has been said that the referee plays on for them."""

    def hear(self, line: Line | Unreadable) -> None:
        """Take the next line of the record."""
        match line:
            case EventLine():
                if self.seat is None or line.to is None or self.seat in line.to:
                    self._event(line.event, line.to)
            case Header():
                self._header(line)
            case ChoiceLine():
                self._choice(line)
            case FaultLine() | NoteLine():
                self._remark(line)
            case ResultLine():
                self._result(line)
            case Unreadable():
                self._say(f"  ! {line.detail}", Tone.FAULT)

    def growing(self) -> Told | None:
        """Return the line that still grows."""
        text = f"  {', '.join(self.bids)}" if self.bids else self._trick_so_far()
        return Told(printable(text, MOST_SAID)) if text else None

    def end_line(self) -> None:
        """End the line that still grows."""
        if line := self.growing():
            self.told.append(line)
        self.bids, self.plays = [], []

    def _say(self, text: str, tone: Tone = Tone.PLAY) -> None:
        """Say a line of its own. What comes from a bot or a file is made harmless here."""
        self.told.append(Told(printable(text, MOST_SAID), tone))

    def _may_know(self, seat: int) -> bool:
        return self.seat is None or self.seat == seat

    def _who(self, seat: int) -> str:
        return f"{seat} {self.names[seat]}" if 0 <= seat < len(self.names) else str(seat)

    def _everyone(self) -> str:
        return ", ".join(map(self._who, range(len(self.names))))

    def _cards(self, cards: Iterable[str]) -> str:
        return " ".join(card_name(str(card), symbols=self.symbols) for card in cards)

    def _suit(self, suit: str) -> str:
        return suit_name(suit, symbols=self.symbols)

    def _header(self, line: Header) -> None:
        self._say(f"{line.game}, deal {line.deal}, series {line.series}", Tone.HEADING)
        self._say(f"seats: {self._everyone()}")
        self._say(f"rules: {_changed_rules(line)}")

    def _remark(self, line: FaultLine | NoteLine) -> None:
        if not self._may_know(line.seat):
            return
        if isinstance(line, NoteLine):
            first, *rest = line.detail.splitlines() or [""]
            self._say(f"  * {self._who(line.seat)}: {first}", Tone.NOTE)
            for more in rest:
                self._say(f"      {more}", Tone.NOTE)
        else:
            outcome = "forfeits" if line.forfeit else f"strike {line.strikes}"
            if line.forfeit:
                self.forfeited.add(line.seat)
            said = f"  ! {self._who(line.seat)}: {line.reason}, {outcome}: {line.detail}"
            self._say(said, Tone.FAULT)

    def _choice(self, line: ChoiceLine) -> None:
        if not self._may_know(line.seat):
            return
        if line.by == "referee" and line.seat not in self.replaced:
            said = f"  the referee chooses for {self._who(line.seat)}"
            if line.seat in self.forfeited:
                said += " from here on"
                self.replaced.add(line.seat)
            self._say(said, Tone.FAULT)
        if line.note is not None:
            self._say(f'  * {self._who(line.seat)} says: "{line.note}"', Tone.NOTE)

    def _result(self, line: ResultLine) -> None:
        self.end_line()
        self._say(f"The end{' (the cap ended it)' if line.capped else ''}", Tone.HEADING)
        places = zip(line.ranks, range(len(line.ranks)), line.scores, strict=False)
        for rank, seat, score in sorted(places):
            forfeit = ", forfeited" if seat in line.forfeited else ""
            self._say(f"  {rank}. {self._who(seat)}: {score}{forfeit}")

    def _event(self, event: Facts, to: Sequence[int] | None) -> None:
        name = event.get("event")
        # Bids and plays grow a line, and their trump stands in it; all else ends it.
        if name not in ("bid", "played", "trick", "trump") or (name == "played" and self.bids):
            self.end_line()
        tell = getattr(self, f"_tell_{name}", None) if self.is_drawn else None
        try:
            if name == "dealt" and to and self.is_drawn:
                self._say(f"  {self._who(to[0])}: {self._cards(event['cards'])}")
            elif tell is not None:
                tell(event)
            else:
                self._list(event, to)
        except (KeyError, TypeError, IndexError, ValueError):
            self._list(event, to)

    def _list(self, event: Facts, to: Sequence[int] | None) -> None:
        """Tell an event that there are no words for."""
        facts = {key: value for key, value in event.items() if key != "event"}
        learns = "" if to is None else f" (to {', '.join(map(self._who, to))})"
        said = msgspec.json.encode(facts).decode()
        self._say(f"  {event.get('event', 'event')}{learns}: {said}")

    # The events of all games, in the order of the alphabet.

    def _tell_bid(self, event: Facts) -> None:
        bid = event["bid"]
        self.bids.append(
            f"{self._who(event['seat'])} {'passes' if bid == 'pass' else f'bids {bid}'}"
        )

    def _tell_bids(self, event: Facts) -> None:
        bids = (f"{self._who(seat)} {bid}" for seat, bid in enumerate(event["bids"]))
        self._say(f"  all bid: {', '.join(bids)}")

    def _tell_discarded(self, event: Facts) -> None:
        due = "" if event["rank"] == event["expected"] else f", but {event['expected']} is due"
        self._say(
            f"  {self._who(event['seat'])} lays {event['count']} as {event['rank']}{due}; "
            f"{event['pile']} on the pile"
        )

    def _tell_doubted(self, event: Facts) -> None:
        doubter, taker = event["seat"], event["taker"]
        who = "the last cards are shown" if doubter is None else f"{self._who(doubter)} doubts"
        verdict = "honest" if event["honest"] else "a lie"
        takes = "" if taker is None else f", {self._who(taker)} takes {event['taken']}"
        self._say(f"    {who}: {self._cards(event['cards'])}, {verdict}{takes}")

    def _tell_hand(self, event: Facts) -> None:
        self.trick = 0
        facts = [f"dealer {self._who(event['dealer'])}"]
        if "cards" in event:
            facts.insert(0, f"cards each: {event['cards']}")
        if "trump" in event:
            trump = event["trump"]
            turned = self._cards([event["turned"]]) if trump else ""
            facts.append(f"trump {self._suit(trump)} ({turned})" if trump else "no trump")
        if "pass_to" in event:
            facts.append(f"passing to the {event['pass_to']}, {event['left_over']} left over")
        self._say(f"Hand {event['hand']}: {', '.join(facts)}", Tone.HEADING)

    def _tell_hands(self, event: Facts) -> None:
        counts = (f"{self._who(seat)} {count}" for seat, count in enumerate(event["counts"]))
        self._say(f"Cards held: {', '.join(counts)}", Tone.HEADING)

    def _tell_misnamed(self, event: Facts) -> None:
        self._say(f"    the wrong rank: {self._who(event['seat'])} takes {event['taken']}")

    def _tell_moon(self, event: Facts) -> None:
        self._say(f"  {self._who(event['seat'])} took all points and chooses to {event['choice']}")

    def _tell_out(self, event: Facts) -> None:
        self._say(f"  {self._who(event['seat'])} is out")

    def _tell_own_discard(self, event: Facts) -> None:
        self._say(f"    (face down: {self._cards(event['cards'])})")

    def _tell_passed(self, event: Facts) -> None:
        giver, taker = self._who(event["from"]), self._who(event["to"])
        self._say(f"  {giver} passes {self._cards(event['cards'])} to {taker}")

    def _tell_pitcher(self, event: Facts) -> None:
        self._say(f"  {self._who(event['seat'])} is the pitcher, for {event['bid']}")

    def _tell_played(self, event: Facts) -> None:
        self.plays.append((event["seat"], event["card"]))

    def _tell_scored(self, event: Facts) -> None:
        by_seat = {key: value for key, value in event.items() if isinstance(value, list)}
        left_over = by_seat.pop("left_over", [])
        once = [
            f"{key} {self._once(value)}"
            for key, value in event.items()
            if not isinstance(value, list) and key != "event"
        ]
        if left_over:
            once.append(f"left over {self._cards(left_over)}")
        if once:
            self._say(f"  {', '.join(once)}")
        for seat in range(len(self.names)):
            facts = (f"{key.replace('_', ' ')} {value[seat]}" for key, value in by_seat.items())
            self._say(f"  = {self._who(seat)}: {', '.join(facts)}")

    def _once(self, value: Any) -> str:
        """Say a value that is scored once a hand: yes or no, or the seat that has it."""
        if value is None:
            return "nobody"
        if isinstance(value, bool):
            return "yes" if value else "no"
        return self._who(value)

    def _tell_taken(self, event: Facts) -> None:
        self._say(f"    (taken: {self._cards(event['cards'])})")

    def _tell_trick(self, event: Facts) -> None:
        winner = event["winner"]
        outcome = "nobody wins, set aside" if winner is None else f"{self._who(winner)} wins"
        if event.get("takes_left_over"):
            outcome += ", with the left-over cards"
        self._say(f"{self._trick_so_far(winner, is_over=True)}: {outcome}")
        self.trick += 1
        self.plays = []

    def _tell_trump(self, event: Facts) -> None:
        self._say(f"  {self._suit(event['suit'])} are trump")

    def _trick_so_far(self, winner: int | None = None, *, is_over: bool = False) -> str:
        """Tell the plays of the open trick: the winner's has a star, cancelled ones a cross."""
        if not self.plays:
            return ""
        cards = [card for _, card in self.plays]
        shown = []
        for seat, card in self.plays:
            cancelled = cards.count(card) > 1
            mark = "x" if cancelled else "*" if is_over and seat == winner else ""
            shown.append(self._cards([card]) + mark)
        return f"  {self.trick + 1:2}. {self._who(self.plays[0][0])} leads {' '.join(shown)}"


def _changed_rules(header: Header) -> str:
    """Name the options that differ from the game's defaults; all where those are not known."""
    try:
        game = find_game(header.game)
        usual = msgspec.to_builtins(game.rules({}, len(header.seats)))
    except RulesError:
        usual = {}
    changed = [
        f"{name} = {value}" + (f" (usually {usual[name]})" if name in usual else "")
        for name, value in header.rules.items()
        if name not in usual or usual[name] != value
    ]
    return ", ".join(changed) or "as usual"
