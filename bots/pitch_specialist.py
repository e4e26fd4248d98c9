"""A specialist for Pitch: it counts trumps and bids by the odds of the four points.

High, low, jack and game each have a chance of being ours if we pitch. From the four chances follow
those of 0 to 4 points, and from these what a bid pays. In the play, a card is judged by the chance
that the trick becomes ours, by what lies in the trick, and by what the card would be worth later.
It remembers nothing and rolls no dice.
"""

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any

RANKS = "23456789TJQKA"
SUITS = "CDHS"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
HEIGHT = {card: RANKS.index(card[0]) for card in PACK}
CARD_POINTS = {"T": 10, "J": 1, "Q": 2, "K": 3, "A": 4}
HAND = 6

PASSING = 0.6
"""What a hand is worth to us, in points, in which somebody else pitches."""
WINNING = 3.0
"""What it is worth on top to win the game with this hand."""
GAME = 0.035
"""What a card point is worth: some 30 of them make the point for the game."""

Message = dict[str, Any]


class Table:
    """What one seat knows of a hand under way."""

    def __init__(self, view: Message, me: int) -> None:
        self.me = me
        self.scores: list[int] = view["scores"]
        self.seats = len(self.scores)
        self.target: int = view["target"]
        self.is_dealer = view["dealer"] == me
        self.trump: str | None = view["trump"]
        self.hand: list[str] = view["cards"]
        self.trick: list[tuple[int, str]] = view["trick"]
        self.seen = set(self.hand)
        self.left = [HAND] * self.seats
        self.lacks: list[set[str]] = [set() for _ in range(self.seats)]
        for trick in [*view["played"], self.trick]:
            for seat, card in trick:
                self.seen.add(card)
                self.left[seat] -= 1
                if card[1] not in (trick[0][1][1], self.trump):
                    self.lacks[seat].add(trick[0][1][1])
        self.unseen = [card for card in PACK if card not in self.seen]

    @property
    def dealt(self) -> float:
        """The chance that a given unseen card is in one of the others' hands."""
        return (sum(self.left) - self.left[self.me]) / max(1, len(self.unseen))

    def strength(self, card: str, led: str) -> int:
        """Compare cards in a trick: any trump beats the suit led, and the suit led the rest."""
        return HEIGHT[card] + (26 if card[1] == self.trump else 13 if card[1] == led else 0)

    def prize(self, card: str) -> float:
        """Return what it is worth to take this card, in points."""
        prize = GAME * CARD_POINTS.get(card[0], 0)
        if card[1] == self.trump:
            prize += card[0] == "J"
            lower = [rank + card[1] for rank in RANKS[: HEIGHT[card]]]
            if self.seen.isdisjoint(lower):
                # It may be the low: no lower one is in play unless it was dealt.
                prize += (1 - self.dealt) ** len(lower)
        return prize

    def keep(self, card: str) -> float:
        """Return what a card is worth in our hand later on, in points."""
        if len(self.hand) == 1:
            return 0.0
        return 0.15 + 0.02 * HEIGHT[card] if card[1] == self.trump else 0.01 * HEIGHT[card]

    def beats(self, seat: int, card: str, led: str) -> float:
        """Return the chance that a seat which is still to play can beat this card."""
        strength = self.strength(card, led)
        higher = sum(
            self.strength(other, led) > strength
            for other in self.unseen
            if other[1] in (led, self.trump) and other[1] not in self.lacks[seat]
        )
        return 1 - (1 - self.left[seat] / max(1, len(self.unseen))) ** higher

    def chances(self, suit: str) -> list[float]:
        """Return the chances of high, low, jack and game if we pitch this suit.

        Fitted to some thousand hands played out at tables of 2 to 7 seats.
        """
        trumps = [HEIGHT[card] for card in self.hand if card[1] == suit]
        high = (1 - self.dealt) ** (HEIGHT["A" + suit] - max(trumps))
        control = 0.2 * (len(trumps) - 1) + 0.25 * high
        control += 0.1 * (HEIGHT["A" + suit] in trumps) + 0.1 * (HEIGHT["K" + suit] in trumps)
        control = min(1.0, control)
        lowest = (1 - self.dealt) ** min(trumps)
        low = lowest * (0.55 + 0.45 * control) + (1 - lowest) * min(1.0, 1.8 / self.seats)
        held = HEIGHT["J" + suit] in trumps
        jack = 0.35 + 0.65 * control if held else 0.5 * control * self.dealt
        card_points = sum(CARD_POINTS.get(card[0], 0) for card in self.hand)
        game = min(0.9, (1.2 * control + 0.02 * card_points) / self.seats)
        return [high, low, jack, game]


def odds(chances: Iterable[float]) -> list[float]:
    """Return the chances of 0, 1, 2... points where each is won with its chance."""
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
        seats = range(start["seats"])
        apart = 2 if self.rules["teams"] else len(seats)
        self.partners = {seat for seat in seats if (seat - self.me) % apart == 0}
        """Whose tricks are ours: our own seat's, and with teams our partner's."""

    def choose(self, turn: Message) -> list[object]:
        """Answer a turn."""
        options = turn["decision"]["options"]
        table = Table(turn["view"], self.me)
        if turn["decision"]["kind"] == "bid":
            return [self.bid(table, options)]
        if table.trump is None:
            return [self.first_lead(table)]
        return [self.play(table, options)]

    def bid(self, table: Table, options: Sequence[int | str]) -> int | str:
        """Bid the most that pays better than passing; as dealer, whom nobody outbids, the least."""
        bids = [option for option in options if isinstance(option, int)]
        paying = [bid for bid in bids if self.pay(table, bid) > PASSING]
        if not paying:
            return options[0]
        return paying[0] if table.is_dealer else paying[-1]

    def pay(self, table: Table, bid: int) -> float:
        """Return what pitching our best suit for this bid pays on average, in points."""

        def gain(points: int) -> float:
            made = points >= bid
            change = points if made else -bid
            may_win = made or not self.rules["win_needs_made_bid"]
            wins = may_win and table.scores[self.me] + change >= table.target
            return change + WINNING * wins

        return max(
            sum(chance * gain(points) for points, chance in enumerate(odds(table.chances(suit))))
            for suit in {card[1] for card in table.hand}
        )

    def first_lead(self, table: Table) -> str:
        """Make our best suit trump with its highest card."""
        return max(table.hand, key=lambda card: (sum(table.chances(card[1])), HEIGHT[card]))

    def play(self, table: Table, options: Sequence[str]) -> str:
        """Play the card that wins the most for what it costs."""
        on_table = sum(table.prize(card) for _, card in table.trick)

        def gain(card: str) -> float:
            stake = on_table + table.prize(card)
            return (2 * self.ours(table, card) - 1) * stake - table.keep(card)

        return max(options, key=gain)

    def ours(self, table: Table, card: str) -> float:
        """Return the chance that our side takes the trick if we play this card."""
        trick = [*table.trick, (self.me, card)]
        led = trick[0][1][1]
        winner, best = max(trick, key=lambda play: table.strength(play[1], led))
        if winner not in self.partners:
            return 0.0
        chance = 1.0
        for seat in set(range(table.seats)) - self.partners - {seat for seat, _ in trick}:
            chance *= 1 - table.beats(seat, best, led)
        return chance


def send(answer: Message) -> None:
    """Write a line to the referee at once: an answer left in a buffer is never given."""
    print(json.dumps(answer), flush=True)


def main() -> None:
    """Answer the referee until it has no more to say; what is not our game is played legally."""
    player: Player | None = None
    for line in sys.stdin:
        message: Message = json.loads(line)
        if message["type"] == "hello":
            send({"type": "ready", "name": "Pitch, specialist"})
        elif message["type"] == "start":
            player = Player(message) if message["game"] == "pitch" else None
        elif message["type"] == "turn":
            decision = message["decision"]
            first = decision["options"][: decision["min"]]
            send({"id": message["id"], "choose": player.choose(message) if player else first})


if __name__ == "__main__":
    main()
