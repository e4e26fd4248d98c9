"""A strong bot for Cancellation Hearts: it imagines the hidden cards and plays each deal out.

A card is chosen in rounds. `imagine` deals the unseen cards to the others so that everything seen
is respected: who could not follow suit, and where the cards that we passed must be. `play_out`
plays such a deal some tricks on, all seats by one quick policy, and a table judges what we hold
then. The better half of the cards goes into the next round, until one is left. How many deals there
are follows from what is sent, never from the clock, so that with the same `seed` the bot answers
the same; the clock only stops it in an emergency.
"""

import json
import random
import sys
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

RANKS = "23456789TJQKA"
SUITS = "CDHS"
NAMES = [rank + suit for suit in SUITS for rank in RANKS]
CARDS = {name: card for card, name in enumerate(NAMES)}
"""A card is a number: 13 for each suit, 2 up to ace. Each is there twice."""
SUIT = [card // 13 for card in range(52)]
RANK = [card % 13 for card in range(52)]
HEARTS, SPADES = SUITS.index("H"), SUITS.index("S")
BLACK_MARIA, KING, ACE = (CARDS[name] for name in ("QS", "KS", "AS"))
POINTS = [13 if card == BLACK_MARIA else int(SUIT[card] == HEARTS) for card in range(52)]
ALL_POINTS = 2 * sum(POINTS)
MOON = 26
LOW = RANKS.index("7")
"""Up to this rank a card mostly loses."""
BURDEN = [
    {BLACK_MARIA: 100, KING: 30, ACE: 31}.get(card, RANK[card] + 4 * (SUIT[card] == HEARTS))
    for card in range(52)
]
"""How gladly each card is given away."""

KEEPING = [
    {BLACK_MARIA: 5.0, KING: 2.5, ACE: 2.5}.get(
        card, RANK[card] * (0.13 if SUIT[card] == HEARTS else 0.08)
    )
    for card in range(52)
]
"""What it costs, in points, to hold a card still when imagination ends."""

PLAYS = 15_000
"""How many cards are played in imagination for one decision, all deals and options together."""
TRICKS = 4
"""How many tricks are imagined: of more, chance would drown what one card does."""
DEAL_PLAYS = 20
"""As long as it takes to play so many cards, to make ready for the play of a deal takes."""
FEWEST_DEALS, MOST_DEALS = 2, 100

Message = dict[str, Any]
Hands = list[list[int]]


def imagine(
    unseen: Sequence[int], room: Sequence[int], lacks: Sequence[set[int]], rng: random.Random
) -> Hands:
    """Deal unseen cards at random: to each hand as many as it has room for, in no suit it lacks.

    What is left over is a last hand. Where no such deal is found, the lacks are passed over.
    """
    cards = list(unseen)
    rng.shuffle(cards)
    room = [*room, len(cards) - sum(room)]
    able = [
        [*(i for i, lack in enumerate(lacks) if suit not in lack), len(lacks)] for suit in range(4)
    ]
    for _ in range(20 if any(lacks) else 0):
        # Cards that few can have first, so that they find a place.
        cards.sort(key=lambda card: len(able[SUIT[card]]))
        left = list(room)
        hands: Hands = [[] for _ in room]
        for card in cards:
            takers = [i for i in able[SUIT[card]] if left[i]]
            if not takers:
                break
            (taker,) = rng.choices(takers, [left[i] for i in takers])
            hands[taker].append(card)
            left[taker] -= 1
        else:
            return hands
        rng.shuffle(cards)
    return [[cards.pop() for _ in range(count)] for count in room]


class Table:
    """What one seat knows of a hand under way."""

    def __init__(self, view: Message, me: int) -> None:
        self.me = me
        self.seats = len(view["scores"])
        self.hand = [CARDS[name] for name in view["cards"]]
        self.trick = [(seat, CARDS[name]) for seat, name in view["trick"]]
        self.leader = self.trick[0][0] if self.trick else me
        self.broken: bool = view["broken"]
        self.taken: list[int] = view["taken"]
        self.left_over: int = view["left_over"]
        tricks = [[(seat, CARDS[name]) for seat, name in trick] for trick in view["played"]]
        played = [card for trick in tricks for _, card in trick]
        self.set_aside = sum(POINTS[card] for card in played[len(played) - view["set_aside"] :])
        """The points that wait for the next winner."""
        self.left = [len(self.hand) + len(tricks)] * self.seats
        self.lacks: list[set[int]] = [set() for _ in range(self.seats)]
        neighbour = (me + {"left": 1, "right": -1}[view["pass_to"]]) % self.seats
        given = Counter(CARDS[name] for name in view["gave"] or [])
        unseen = Counter(2 * list(range(52)))
        unseen.subtract(self.hand)
        for trick in [*tricks, self.trick]:
            for seat, card in trick:
                unseen[card] -= 1
                self.left[seat] -= 1
                if seat == neighbour:
                    given[card] -= 1
                if SUIT[card] != SUIT[trick[0][1]]:
                    self.lacks[seat].add(SUIT[trick[0][1]])
        self.known: Hands = [[] for _ in range(self.seats)]
        """The cards that we know a seat to hold: those that we passed to it."""
        self.known[neighbour] = list((+given).elements())
        unseen.subtract(self.known[neighbour])
        self.unseen = list((+unseen).elements())

    def imagine(self, rng: random.Random) -> Hands:
        """Return every seat's cards in a deal that could be, as they were before this trick.

        A last hand is the cards left over, and what lies with them.
        """
        room = [left - len(known) for left, known in zip(self.left, self.known, strict=True)]
        room[self.me] = 0
        hands = imagine(self.unseen, room, self.lacks, rng)
        hands[self.me] = self.hand
        for seat, card in self.trick:
            hands[seat] = [*hands[seat], card]
        return [a + b for a, b in zip(hands, [*self.known, []], strict=True)]

    def gain(self, points: Sequence[int], rest: Iterable[int]) -> float:
        """Return how far ahead of the others, on average, we are with this rest of our hand."""
        own = points[self.me]
        if own == ALL_POINTS:
            return MOON
        if ALL_POINTS in points:
            return -MOON
        return (sum(points) - own) / (self.seats - 1) - own - sum(KEEPING[card] for card in rest)


def play_out(table: Table, hands: Hands, forced: Sequence[int]) -> float:
    """Play a deal some tricks on, first the forced cards; return what we gain.

    Every seat plays by `lead` and `follow`. This is where nearly all the time goes, so it is
    written for speed.
    """
    seats, leader, broken = table.seats, table.leader, table.broken
    points = table.taken[:]
    waiting = table.set_aside
    if table.left_over:
        waiting += sum(POINTS[card] for card in hands[-1])
    suits = [by_suit(hand) for hand in hands[:-1]]
    coming = list(reversed(forced))
    for _ in range(min(TRICKS, len(hands[leader]))):
        seat = leader
        led, best = -1, -1
        live: dict[int, int] = {}
        for behind in range(seats - 1, -1, -1):
            hand = suits[seat]
            if coming:
                card = coming.pop()
            elif led < 0:
                card = lead(hand, broken=broken)
            else:
                card = follow(hand, led, best, behind, waiting)
            suit = SUIT[card]
            hand[suit].remove(card)
            waiting += POINTS[card]
            broken = broken or POINTS[card] > 0
            if led < 0:
                led = suit
            if suit == led:
                # Identical cards cancel each other.
                if live.pop(card, None) is None:
                    live[card] = seat
                best = max(live, default=-1)
            seat = (seat + 1) % seats
        if live:
            leader = live[best]
            points[leader] += waiting
            waiting = 0
    return table.gain(points, chain(*suits[table.me]))


def by_suit(hand: Iterable[int]) -> Hands:
    """Return a hand as four suits, each sorted."""
    suits: Hands = [[], [], [], []]
    for card in sorted(hand):
        suits[SUIT[card]].append(card)
    return suits


def lead(hand: Hands, *, broken: bool) -> int:
    """Lead quickly: the card that may be led that we should keep the longest."""
    lowest = [suit[0] for suit in hand if suit and (broken or suit is not hand[HEARTS])]
    return min(lowest or hand[HEARTS], key=BURDEN.__getitem__)


def follow(hand: Hands, led: int, best: int, behind: int, waiting: int) -> int:
    """Follow quickly: with the worst card that does not win, or else as low as can be.

    Who plays last takes what it must, or what is free, with its highest card.
    """
    suit = hand[led]
    if not suit:
        return max((suit[-1] for suit in hand if suit), key=BURDEN.__getitem__)
    below = bisect_right(suit, best)
    if led == SPADES and best > BLACK_MARIA in suit:
        return BLACK_MARIA
    if below and (behind or waiting or POINTS[suit[-1]]):
        return suit[below - 1]
    if behind:
        return suit[0]
    return suit[-1] if suit[-1] != BLACK_MARIA else suit[0]


def alarm_of(turn: Message) -> float:
    """Return when to stop thinking whatever it costs: the clock, as `time.monotonic` tells it."""
    free_ms, reserve_ms = turn["time"]["move_ms"], turn["time"]["bank_ms"]
    seconds: float = (free_ms + reserve_ms / 20) / 2000
    return time.monotonic() + seconds


def until(alarm: float, deals: Iterable[Hands]) -> Iterator[Hands]:
    """Go through the deals; in an emergency only through those that there is time for."""
    for hands in deals:
        yield hands
        if time.monotonic() > alarm:
            return


class Player:
    """Our side of one game."""

    def __init__(self, start: Message) -> None:
        self.me: int = start["seat"]
        self.rng = random.Random(start["seed"])

    def choose(self, turn: Message) -> list[object]:
        """Answer a turn."""
        view, decision = turn["view"], turn["decision"]
        if decision["kind"] == "moon":
            return [self.moon(view)]
        if decision["kind"] == "pass":
            return list(pass_on(decision["options"], decision["min"]))
        table = Table(view, self.me)
        options = [CARDS[name] for name in decision["options"]]
        return [NAMES[self.play(table, options, alarm_of(turn))]]

    def play(self, table: Table, options: Sequence[int], alarm: float) -> int:
        """Play the card that does best; who is in the worse half of a round is out of the next."""
        laid = [card for _, card in table.trick]
        gains = dict.fromkeys(options, 0.0)
        rounds = (len(options) - 1).bit_length()
        plays = DEAL_PLAYS + min(TRICKS * table.seats, sum(table.left))
        for _ in range(rounds):
            count = PLAYS // (rounds * len(options) * plays)
            count = max(FEWEST_DEALS, min(MOST_DEALS, count))
            for hands in until(alarm, (table.imagine(self.rng) for _ in range(count))):
                for card in options:
                    gains[card] += play_out(table, hands, [*laid, card])
            ranked = sorted(options, key=gains.__getitem__, reverse=True)
            options = ranked[: (len(options) + 1) // 2]
        return options[0]

    def moon(self, view: Message) -> str:
        """Add to the others' scores where that ends the game and wins it; otherwise subtract."""
        others = [score + MOON for seat, score in enumerate(view["scores"]) if seat != self.me]
        ends = max(others) >= view["target"]
        return "add" if ends and view["scores"][self.me] < min(others) else "subtract"


def pass_on(hand: Sequence[str], count: int) -> Sequence[str]:
    """Pass Black Maria and what catches her, then high cards of suits in which we cannot duck."""
    low = Counter(SUIT[CARDS[name]] for name in hand if RANK[CARDS[name]] <= LOW)

    def burden(name: str) -> float:
        card = CARDS[name]
        if card in (BLACK_MARIA, KING, ACE):
            return 30
        # Other spades are welcome: with them we follow while the others' high ones fall.
        if SUIT[card] == SPADES:
            return 0
        return RANK[card] - 3 * low[SUIT[card]] + 2 * (SUIT[card] == HEARTS)

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
            send({"type": "ready", "name": "Cancellation Hearts, strong"})
        elif message["type"] == "start":
            player = Player(message) if message["game"] == "cancellation_hearts" else None
        elif message["type"] == "turn":
            decision = message["decision"]
            first = decision["options"][: decision["min"]]
            send({"id": message["id"], "choose": player.choose(message) if player else first})


if __name__ == "__main__":
    main()
