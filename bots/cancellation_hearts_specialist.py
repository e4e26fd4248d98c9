"""A specialist for Cancellation Hearts: it counts two packs and weighs what a trick would cost.

A card is judged by one sum: the chance that it takes the trick, times the points that lie there
and may still come, less the relief to be rid of it. The chance follows from the cards not seen and
from the seats known to lack the suit; who can play below a card is taken to do so. It remembers
nothing and rolls no dice.
"""

import json
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

RANKS = "23456789TJQKA"
SUITS = "CDHS"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
HEIGHT = {card: RANKS.index(card[0]) for card in PACK}
BLACK_MARIA = "QS"
POINTS = {card: 13 if card == BLACK_MARIA else int(card[1] == "H") for card in PACK}
MOON = 26

Message = dict[str, Any]


class Table:
    """What one seat knows of a hand under way."""

    def __init__(self, view: Message, me: int) -> None:
        self.me = me
        self.seats = len(view["scores"])
        self.hand: list[str] = view["cards"]
        self.trick: list[tuple[int, str]] = view["trick"]
        self.left = [len(self.hand) + len(view["played"])] * self.seats
        self.unseen = Counter(PACK * 2)
        self.unseen.subtract(self.hand)
        self.lacks: list[set[str]] = [set() for _ in range(self.seats)]
        played: list[str] = []
        for trick in [*view["played"], self.trick]:
            for seat, card in trick:
                self.unseen[card] -= 1
                self.left[seat] -= 1
                if card[1] != trick[0][1][1]:
                    self.lacks[seat].add(trick[0][1][1])
            played += [card for _, card in trick]
        # The last cards played are those of this trick and those that wait for the next winner.
        waiting = played[len(played) - len(self.trick) - view["set_aside"] :]
        self.left_over: int = view["left_over"]
        self.at_stake = sum(POINTS[card] for card in waiting)
        self.behind = set(range(self.seats)) - {me} - {seat for seat, _ in self.trick}
        self.total = sum(self.unseen.values())

    def takes(self, card: str) -> float:
        """Return the chance that this card takes the trick."""
        cards = [laid for _, laid in self.trick]
        led = cards[0][1] if cards else card[1]
        live = [HEIGHT[laid] for laid in cards if laid[1] == led and cards.count(laid) == 1]
        if card[1] != led or card in cards or max(live, default=-1) > HEIGHT[card]:
            return 0.0
        chance = 1.0
        for seat in self.behind:
            chance *= 1 - self.goes_above(seat, card)
        return chance

    def goes_above(self, seat: int, card: str) -> float:
        """Return the chance that a seat must beat or cancel this card: it has none below it."""
        suit = [other for other in PACK if other[1] == card[1]]
        unseen = sum(self.unseen[other] for other in suit)
        if card[1] in self.lacks[seat] or not unseen:
            return 0.0
        above = sum(self.unseen[other] for other in suit if HEIGHT[other] >= HEIGHT[card])
        held = self.left[seat] * unseen / max(1, self.total)
        none_below: float = (above / unseen) ** max(1.0, held)
        return (1 - self.void(seat, card[1])) * none_below

    def void(self, seat: int, suit: str) -> float:
        """Return the chance that a seat cannot follow this suit."""
        if suit in self.lacks[seat]:
            return 1.0
        unseen = sum(self.unseen[rank + suit] for rank in RANKS)
        return (1 - self.left[seat] / max(1, self.total)) ** unseen

    def to_come(self, led: str) -> float:
        """Return the points that those behind us should still give to this trick."""
        points = sum(POINTS[card] * count for card, count in self.unseen.items())
        average = points / max(1, self.total)
        total = self.left_over * average
        for seat in self.behind:
            void = self.void(seat, led)
            # Who cannot follow gets rid of points sooner than of other cards.
            total += void * 2 * average + (1 - void) * (led == "H")
        if led == "S":
            total += 2 * self.unseen[BLACK_MARIA] * len(self.behind) / self.seats
        return total

    def burden(self, card: str) -> float:
        """Return what it costs, in points, to keep a card."""
        if card == BLACK_MARIA:
            return 5.0
        if card in ("AS", "KS") and self.unseen[BLACK_MARIA]:
            return 2.5
        return HEIGHT[card] * (0.13 if card[1] == "H" else 0.08)


class Player:
    """Our side of one game."""

    def __init__(self, start: Message) -> None:
        self.me: int = start["seat"]

    def choose(self, turn: Message) -> list[object]:
        """Answer a turn."""
        view, decision = turn["view"], turn["decision"]
        if decision["kind"] == "moon":
            return [self.moon(view)]
        table = Table(view, self.me)
        if decision["kind"] == "pass":
            return list(pass_on(table.hand, decision["min"]))
        return [self.play(table, decision["options"])]

    def play(self, table: Table, options: Sequence[str]) -> str:
        """Play the card that costs least."""

        def cost(card: str) -> float:
            led = table.trick[0][1][1] if table.trick else card[1]
            stake = table.at_stake + POINTS[card] + table.to_come(led)
            return table.takes(card) * stake - table.burden(card)

        return min(options, key=cost)

    def moon(self, view: Message) -> str:
        """Add to the others' scores where that ends the game and wins it; otherwise subtract."""
        others = [score + MOON for seat, score in enumerate(view["scores"]) if seat != self.me]
        ends = max(others) >= view["target"]
        return "add" if ends and view["scores"][self.me] < min(others) else "subtract"


def pass_on(hand: Sequence[str], count: int) -> Sequence[str]:
    """Pass high cards of short suits; of long spades nothing, Black Maria is safe among them."""
    length = Counter(card[1] for card in hand)

    def burden(card: str) -> float:
        if card in ("QS", "KS", "AS"):
            return 30 if length["S"] < 6 else 2
        if card[1] == "S":
            return 0
        return HEIGHT[card] - length[card[1]] + 2 * (card[1] == "H")

    return sorted(hand, key=burden)[-count:]


def send(answer: Message) -> None:
    """Write a line to the referee at once: an answer left in a buffer is never given."""
    print(json.dumps(answer), flush=True)


def main() -> None:
    """Answer the referee until it has no more to say; what is not our game is played legally."""
    player: Player | None = None
    for line in sys.stdin:
        message: Message = json.loads(line)
        if message["type"] == "hello":
            send({"type": "ready", "name": "Cancellation Hearts, specialist"})
        elif message["type"] == "start":
            player = Player(message) if message["game"] == "cancellation_hearts" else None
        elif message["type"] == "turn":
            decision = message["decision"]
            first = decision["options"][: decision["min"]]
            send({"id": message["id"], "choose": player.choose(message) if player else first})


if __name__ == "__main__":
    main()
