"""A specialist for Cancellation Hearts: it counts two packs and weighs what a trick would cost.

A card is judged by one sum: the chance that it takes the trick, times the points that lie there
and may still come, less the relief to be rid of it. All follows from the chance that a seat holds
any of some cards: none of those below a card, and it must go above; the other copy, and it will
cancel; Black Maria, and she falls where she hurts. It remembers nothing and rolls no dice.
"""

import json
import math
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

RANKS = "23456789TJQKA"
SUITS = "CDHS"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
HEIGHT = {card: RANKS.index(card[0]) for card in PACK}
BLACK_MARIA = "QS"
HEARTS = [card for card in PACK if card[1] == "H"]
POINTS = {card: 13 if card == BLACK_MARIA else int(card[1] == "H") for card in PACK}
MOON = 26

Message = dict[str, Any]


def suit_of(card: str) -> list[str]:
    """Return the cards of a card's suit, from the lowest."""
    return [rank + card[1] for rank in RANKS]


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

    def holds(self, seat: int, cards: Iterable[str]) -> float:
        """Return the chance that a seat holds any of these cards, by what it can hold at all."""
        able = [card for card in self.unseen if card[1] not in self.lacks[seat]]
        places = sum(self.unseen[card] for card in able)
        sought = sum(self.unseen[card] for card in cards if card[1] not in self.lacks[seat])
        share = min(1.0, self.left[seat] / max(1, places))
        chance: float = 1 - (1 - share) ** sought
        return chance

    def takes(self, card: str) -> float:
        """Return the chance that this card takes the trick."""
        cards = [laid for _, laid in self.trick]
        led = cards[0][1] if cards else card[1]
        if card[1] != led or card in cards:
            return 0.0
        chance = 1 - self.is_cancelled(card)
        for laid in cards:
            if laid[1] == led and cards.count(laid) == 1 and HEIGHT[laid] > HEIGHT[card]:
                chance *= self.is_cancelled(laid)
        for seat in self.behind:
            chance *= 1 - self.goes_above(seat, card)
        return chance

    def is_cancelled(self, card: str) -> float:
        """Return the chance that the other copy of a card comes: who has it likes to cancel."""
        return 1 - math.prod(1 - self.holds(seat, [card]) for seat in self.behind)

    def goes_above(self, seat: int, card: str) -> float:
        """Return the chance that a seat must go above a card: it can follow, but not below."""
        suit = suit_of(card)
        return self.holds(seat, suit) - self.holds(seat, suit[: HEIGHT[card]])

    def to_come(self, card: str) -> float:
        """Return the points that those behind us give to a trick that this card takes."""
        points = 0.0
        for seat in self.behind:
            void = 1 - self.holds(seat, suit_of(card))
            maria = 13 * self.holds(seat, [BLACK_MARIA])
            points += void * (maria + self.holds(seat, HEARTS)) + (1 - void) * (card[1] == "H")
            if card in ("KS", "AS"):
                points += (1 - void) * maria
        if self.left_over:
            everything = sum(POINTS[other] * count for other, count in self.unseen.items())
            points += self.left_over * everything / sum(self.unseen.values())
        return points

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
            stake = table.at_stake + POINTS[card] + table.to_come(card)
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
