"""A specialist for Oh Hell: it counts cards and plays for the exact bid.

Two estimates say everything: `Table.promise` is the chance that a card takes a trick some time,
`Table.holds` that it takes this one. `exactly` makes of such chances those of 0, 1, 2... tricks. So
the bid is the number that pays best on average, and the card to play is the one after which the bid
is likeliest to be met exactly. It remembers nothing and rolls no dice.
"""

import json
import math
import sys
from collections.abc import Iterable, Sequence
from typing import Any

RANKS = "23456789TJQKA"
SUITS = "CDHS"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
HEIGHT = {card: RANKS.index(card[0]) for card in PACK}

LED = 0.1
"""How often, a trick, the suit of a given side card is led while the card is held."""
NOT_TRUMPED = 0.5
"""How often a side card that nothing higher beats is not trumped either."""
UNWILLING = 0.4
"""How often a seat that has its bid beats a card that it could beat."""

Message = dict[str, Any]


class Table:
    """What one seat knows of a hand under way."""

    def __init__(self, view: Message, me: int) -> None:
        self.me = me
        self.seats = len(view["scores"])
        self.trump: str | None = view["trump"]
        self.hand: list[str] = view["cards"]
        self.trick: list[tuple[int, str]] = view["trick"]
        self.bids: list[int | None] = view["bids"]
        self.taken: list[int] = view["tricks"]
        seen = {*self.hand, view["turned"]}
        shown = [0] * self.seats
        self.lacks: list[set[str]] = [set() for _ in range(self.seats)]
        for trick in [*view["played"], self.trick]:
            for seat, card in trick:
                seen.add(card)
                shown[seat] += 1
                if card[1] != trick[0][1][1]:
                    self.lacks[seat].add(trick[0][1][1])
        size = len(self.hand) + shown[me]
        self.left = [size - count for count in shown]
        self.unseen = [card for card in PACK if card not in seen]

    def strength(self, card: str, led: str) -> int:
        """Compare cards in a trick: any trump beats the suit led, and the suit led the rest."""
        return HEIGHT[card] + (26 if card[1] == self.trump else 13 if card[1] == led else 0)

    def promise(self, card: str) -> float:
        """Return the chance that a card of ours takes a trick before the hand is over."""
        left = len(self.hand)
        higher = sum(c[1] == card[1] and HEIGHT[c] > HEIGHT[card] for c in self.unseen)
        # A higher card must be in somebody's hand, and in a long hand it must also meet ours.
        danger = math.sqrt(left) * (self.seats - 1) / max(1, len(self.unseen))
        chance = max(0.0, 1 - danger) ** higher
        if card[1] == self.trump:
            return chance
        return chance * (1 - (1 - LED) ** left) * (NOT_TRUMPED if self.trump else 1)

    def holds(self, card: str) -> float:
        """Return the chance that a card, played now, takes this trick."""
        led = self.trick[0][1][1] if self.trick else card[1]
        strength = self.strength(card, led)
        if any(self.strength(other, led) > strength for _, other in self.trick):
            return 0.0
        done = {self.me, *(seat for seat, _ in self.trick)}
        chance = 1.0
        for seat in set(range(self.seats)) - done:
            chance *= 1 - self.beats(seat, strength, led)
        return chance

    def beats(self, seat: int, strength: int, led: str) -> float:
        """Return the chance that a seat which is still to play beats a card of this strength."""
        lacks = self.lacks[seat]
        # The chance that a given unseen card is not in its hand:
        misses = 1 - self.left[seat] / max(1, len(self.unseen))
        follows = [card for card in self.unseen if card[1] == led and led not in lacks]
        higher = [card for card in follows if self.strength(card, led) > strength]
        chance = 1 - misses ** len(higher)
        if led != self.trump:
            trumps = [
                card
                for card in self.unseen
                if card[1] == self.trump and self.strength(card, led) > strength
            ]
            chance += misses ** len(follows) * (1 - misses ** len(trumps))
        bid = self.bids[seat]
        return chance * (1 if bid is None or self.taken[seat] < bid else UNWILLING)


def exactly(chances: Iterable[float]) -> list[float]:
    """Return the chances of 0, 1, 2... tricks where each card takes one with its chance."""
    spread = [1.0]
    for chance in chances:
        with_it = [0.0, *(each * chance for each in spread)]
        without = [*(each * (1 - chance) for each in spread), 0.0]
        spread = [a + b for a, b in zip(with_it, without, strict=True)]
    return spread


class Player:
    """Our side of one game."""

    def __init__(self, start: Message) -> None:
        self.rules: Message = start["rules"]
        self.me: int = start["seat"]

    def choose(self, turn: Message) -> list[object]:
        """Answer a turn."""
        options = turn["decision"]["options"]
        table = Table(turn["view"], self.me)
        if turn["decision"]["kind"] == "bid":
            return [self.bid(table, options)]
        return [self.play(table, options)]

    def bid(self, table: Table, options: Sequence[int]) -> int:
        """Bid the number that pays best on average."""
        chances = exactly(map(table.promise, table.hand))

        def pay(bid: int) -> float:
            zero_pays_more = bid == 0 and self.rules["zero_bid"] == "five_plus_hand"
            return chances[bid] * (5 + len(table.hand) if zero_pays_more else 10 + bid)

        return max(options, key=pay)

    def play(self, table: Table, options: Sequence[str]) -> str:
        """Play the card after which our bid is likeliest to be met exactly."""
        wanted = (table.bids[self.me] or 0) - table.taken[self.me]
        if not 0 <= wanted <= len(table.hand):
            # The bid is missed: only the tricks themselves can still count.
            wanted = len(table.hand) if self.rules["missed"] == "tricks" else 0
        promises = {card: table.promise(card) for card in table.hand}

        def meets(card: str) -> float:
            # With a 0 at the end, so that -1 and one too many are what they are: impossible.
            rest = [*exactly(promises[c] for c in table.hand if c != card), 0.0]
            holds = table.holds(card)
            return holds * rest[wanted - 1] + (1 - holds) * rest[wanted]

        return max(options, key=meets)


def send(answer: Message) -> None:
    """Write a line to the referee at once: an answer left in a buffer is never given."""
    print(json.dumps(answer), flush=True)


def main() -> None:
    """Answer the referee until it has no more to say; what is not our game is played legally."""
    player: Player | None = None
    for line in sys.stdin:
        message: Message = json.loads(line)
        if message["type"] == "hello":
            send({"type": "ready", "name": "Oh Hell, specialist"})
        elif message["type"] == "start":
            player = Player(message) if message["game"] == "oh_hell" else None
        elif message["type"] == "turn":
            decision = message["decision"]
            first = decision["options"][: decision["min"]]
            send({"id": message["id"], "choose": player.choose(message) if player else first})


if __name__ == "__main__":
    main()
