"""Telling a record in lines of text."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from referee.protocol import printable

SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_CARD = re.compile(r"\b([2-9TJQKA])([CDHS])\b")

Line = dict[str, Any]


def read_lines(record: Iterable[bytes]) -> list[Line]:
    """Read a record's lines; one that cannot be read becomes a note that says so."""
    lines: list[Line] = []
    for number, data in enumerate(record, 1):
        try:
            line = msgspec.json.decode(data, type=Line)
        except (msgspec.DecodeError, RecursionError) as error:
            line = {"type": "note", "detail": f"line {number} of the record is damaged: {error}"}
        lines.append(line)
    return lines


def narrate(lines: Sequence[Line], seat: int | None = None, *, symbols: bool = True) -> list[str]:
    """Tell these lines, the first of a record; ``seat`` leaves out what that seat did not know."""
    narrator = _Narrator(seat)
    for line in lines:
        narrator.hear(line)
    told = narrator.finish()
    if not symbols:
        return told
    return [_CARD.sub(lambda card: card[1] + SYMBOLS[card[2]], line) for line in told]


class _Narrator:
    """Folds lines into text; the plays of a trick and the bids of a hand share a line."""

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        self.names: list[str] = []
        self.told: list[str] = []
        self.open: list[str] = []
        self.open_kind = ""
        self.trick = 0

    def hear(self, line: Line) -> None:
        """Take the next line of the record."""
        try:
            self._hear(line)
        except (KeyError, TypeError, IndexError, ValueError):
            self._say(f"  (cannot be told: {printable(msgspec.json.encode(line))})")

    def finish(self) -> list[str]:
        """Return what has been told, an unfinished line included."""
        return [*self.told, *([f"  {', '.join(self.open)}"] if self.open else [])]

    def _hear(self, line: Line) -> None:
        kind = line.get("type")
        if kind == "event":
            if self.seat is None or line["to"] is None or self.seat in line["to"]:
                self._event(line["event"], line["to"])
        elif kind == "game":
            self._header(line)
        elif kind == "choice":
            self._choice(line)
        elif kind == "fault":
            strikes = "forfeits" if line["forfeit"] else f"{line['strikes']} strikes"
            self._say(f"  ! {self._who(line['seat'])}: {line['reason']}, {strikes}: ", line)
        elif kind == "note":
            if self.seat is None or line.get("seat") == self.seat:
                self._say(f"  * {self._who(line['seat']) if 'seat' in line else ''}: ", line)
        elif kind == "result":
            self._result(line)
        else:
            raise KeyError(kind)

    def _say(self, text: str, line: Line | None = None) -> None:
        """Say a line of its own, with what a line of the record says in words behind it."""
        self._end_line()
        detail = "" if line is None else printable(line.get("detail", ""), 2000)
        self.told.append(text + detail)

    def _add(self, kind: str, text: str) -> None:
        """Add to the line that is open; one of another kind ends."""
        if self.open and kind != self.open_kind:
            self._end_line()
        self.open_kind = kind
        self.open.append(text)

    def _end_line(self) -> None:
        if self.open:
            self.told.append(f"  {', '.join(self.open)}")
            self.open = []

    def _who(self, seat: int) -> str:
        return f"{seat} {self.names[seat]}"

    def _header(self, line: Line) -> None:
        self.names = [printable(player["bot"], 32) for player in line["seats"]]
        rules = ", ".join(f"{name} = {value}" for name, value in line["rules"].items())
        self._say(f"{line['game']}, deal {line['deal']}, series {line['series']}")
        self._say(f"seats: {', '.join(map(self._who, range(len(self.names))))}")
        self._say(f"rules: {rules}")

    def _choice(self, line: Line) -> None:
        chosen = " ".join(map(str, line["choose"]))
        if line["by"] == "referee":
            self._say(f"  the referee chooses for {self._who(line['seat'])}: {chosen}")
        if "note" in line and self.seat in (None, line["seat"]):
            self._say(f'  * {self._who(line["seat"])} says: "{printable(line["note"], 1024)}"')

    def _result(self, line: Line) -> None:
        capped = " (the cap ended it)" if line.get("capped") else ""
        self._say(f"The end{capped}")
        order = sorted(range(len(self.names)), key=lambda seat: line["ranks"][seat])
        for seat in order:
            forfeit = ", forfeited" if seat in line["forfeited"] else ""
            score = line["scores"][seat]
            self._say(f"  {line['ranks'][seat]}. {self._who(seat)}: {score}{forfeit}")

    def _event(self, event: Line, to: list[int] | None) -> None:
        name = event["event"]
        if name == "dealt" and to:
            self._say(f"  {self._who(to[0])}: {' '.join(event['cards'])}")
            return
        tell = getattr(self, f"_tell_{name}", None)
        if tell is not None:
            tell(event)
        else:
            facts = {key: value for key, value in event.items() if key != "event"}
            self._say(f"  {name}: {printable(msgspec.json.encode(facts), 500)}")

    # The events of all games, in the order of the alphabet.

    def _tell_bid(self, event: Line) -> None:
        bid = event["bid"]
        said = "passes" if bid == "pass" else f"bids {bid}"
        self._add("bids", f"{self._who(event['seat'])} {said}")

    def _tell_bids(self, event: Line) -> None:
        bids = (f"{self._who(seat)} {bid}" for seat, bid in enumerate(event["bids"]))
        self._say(f"  all bid: {', '.join(bids)}")

    def _tell_discarded(self, event: Line) -> None:
        self._say(
            f"  {self._who(event['seat'])} lays {event['count']} as {event['rank']} "
            f"({event['expected']} due), {event['pile']} on the pile"
        )

    def _tell_doubted(self, event: Line) -> None:
        doubter = event["seat"]
        who = "the last cards are shown" if doubter is None else f"{self._who(doubter)} doubts"
        verdict = "honest" if event["honest"] else "a lie"
        taker = event["taker"]
        takes = "" if taker is None else f", {self._who(taker)} takes {event['taken']}"
        self._say(f"    {who}: {' '.join(event['cards'])}, {verdict}{takes}")

    def _tell_hand(self, event: Line) -> None:
        self.trick = 0
        facts = [f"dealer {self._who(event['dealer'])}"]
        if "cards" in event:
            facts.insert(0, f"cards each: {event['cards']}")
        if "trump" in event:
            trump = event["trump"]
            facts.append(f"trump {SUITS[trump]} ({event['turned']})" if trump else "no trump")
        if "pass_to" in event:
            facts.append(f"passing to the {event['pass_to']}, {event['left_over']} left over")
        self._say(f"Hand {event['hand']}: {', '.join(facts)}")

    def _tell_hands(self, event: Line) -> None:
        counts = (f"{self._who(seat)} {count}" for seat, count in enumerate(event["counts"]))
        self._say(f"Cards held: {', '.join(counts)}")

    def _tell_misnamed(self, event: Line) -> None:
        self._say(f"    the wrong rank: {self._who(event['seat'])} takes {event['taken']}")

    def _tell_moon(self, event: Line) -> None:
        self._say(f"  {self._who(event['seat'])} took all points and chooses to {event['choice']}")

    def _tell_out(self, event: Line) -> None:
        self._say(f"  {self._who(event['seat'])} is out")

    def _tell_own_discard(self, event: Line) -> None:
        self._say(f"    (face down: {' '.join(event['cards'])})")

    def _tell_passed(self, event: Line) -> None:
        giver, taker = self._who(event["from"]), self._who(event["to"])
        self._say(f"  {giver} passes {' '.join(event['cards'])} to {taker}")

    def _tell_pitcher(self, event: Line) -> None:
        self._say(f"  {self._who(event['seat'])} is the pitcher, for {event['bid']}")

    def _tell_played(self, event: Line) -> None:
        self._add("plays", f"{self._who(event['seat'])} {event['card']}")

    def _tell_scored(self, event: Line) -> None:
        by_seat = {key: value for key, value in event.items() if isinstance(value, list)}
        left_over = by_seat.pop("left_over", [])
        once = [
            f"{key} {value if isinstance(value, bool) or value is None else self._who(value)}"
            for key, value in event.items()
            if not isinstance(value, list) and key != "event"
        ]
        if left_over:
            once.append(f"left over {' '.join(left_over)}")
        if once:
            said = ", ".join(once).replace("None", "nobody").replace("True", "yes")
            self._say(f"  {said.replace('False', 'no')}")
        for seat in range(len(self.names)):
            facts = (f"{key.replace('_', ' ')} {value[seat]}" for key, value in by_seat.items())
            self._say(f"  = {self._who(seat)}: {', '.join(facts)}")

    def _tell_taken(self, event: Line) -> None:
        self._say(f"    (taken: {' '.join(event['cards'])})")

    def _tell_trick(self, event: Line) -> None:
        self.trick += 1
        plays = ", ".join(self.open)
        self.open = []
        winner = event["winner"]
        outcome = f"{self._who(winner)} wins" if winner is not None else "nobody wins: set aside"
        pairs = sorted({card for card in event["cards"] if event["cards"].count(card) > 1})
        cancelled = f" ({' '.join(pairs)} cancelled)" if pairs else ""
        self._say(f"  {self.trick:2}. {plays}: {outcome}{cancelled}")

    def _tell_trump(self, event: Line) -> None:
        self._add("plays", f"{SUITS[event['suit']]} are trump")
