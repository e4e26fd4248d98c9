"""A strong bot for Cancellation Hearts: it imagines the hidden cards and plays each deal out.

A card is chosen in three steps. `imagine` deals the unseen cards to the others so that everything
seen is respected: who could not follow suit, and where the cards that we passed must be. `play_out`
plays such a deal to its end, all seats by one quick policy. Then the card that did best over all
deals is chosen. How many deals there are follows from what is sent, never from the clock, so that
with the same `seed` the bot answers the same; the clock only stops it in an emergency.
"""

import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
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
BURDEN = [
    {BLACK_MARIA: 100, KING: 30, ACE: 31}.get(card, RANK[card] + 4 * (SUIT[card] == HEARTS))
    for card in range(52)
]
"""How gladly each card is given away."""

PLAYS = 9_000
"""How many cards are played in imagination for one decision, all deals and options together."""
FEWEST_DEALS, MOST_DEALS = 8, 100

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

    def gain(self, points: Sequence[int]) -> float:
        """Return how far a hand that ends so takes us ahead of the others, on average."""
        own = points[self.me]
        if own == ALL_POINTS:
            return MOON
        if ALL_POINTS in points:
            return -MOON
        return (sum(points) - own) / (self.seats - 1) - own


def play_out(table: Table, hands: Hands, forced: Sequence[int]) -> list[int]:
    """Play a deal to its end, first the forced cards; return each seat's points.

    Every seat plays by `lead` and `follow`. This is where nearly all the time goes, so it is
    written for speed.
    """
    seats, leader, broken = table.seats, table.leader, table.broken
    points = table.taken[:]
    waiting = table.set_aside
    if table.left_over:
        waiting += sum(POINTS[card] for card in hands[-1])
    hands = [sorted(hand) for hand in hands[:-1]]
    coming = list(reversed(forced))
    while hands[leader]:
        seat = leader
        led, best = -1, -1
        live: dict[int, int] = {}
        for behind in range(seats - 1, -1, -1):
            hand = hands[seat]
            if coming:
                card = coming.pop()
            elif led < 0:
                card = lead(hand, broken=broken)
            else:
                card = follow(hand, led, best, free=not (behind or waiting))
            hand.remove(card)
            waiting += POINTS[card]
            suit = SUIT[card]
            if led < 0:
                led = suit
            broken = broken or POINTS[card] > 0
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
    return points


def lead(hand: list[int], *, broken: bool) -> int:
    """Lead quickly: the card that may be led that we should keep the longest."""
    allowed = hand if broken else [card for card in hand if SUIT[card] != HEARTS] or hand
    return min(allowed, key=BURDEN.__getitem__)


def follow(hand: list[int], led: int, best: int, *, free: bool) -> int:
    """Follow quickly: with the worst card that does not win, or else as low as can be.

    `free` says that the trick costs nothing: then with the highest.
    """
    suit = [card for card in hand if SUIT[card] == led]
    if not suit:
        return max(hand, key=BURDEN.__getitem__)
    below = [card for card in suit if card <= best]
    if free and not POINTS[suit[-1]]:
        return suit[-1]
    return max(below, key=BURDEN.__getitem__) if below else suit[0]


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
        """Play the card that costs least."""
        laid = [card for _, card in table.trick]
        plays = sum(table.left) * len(options)
        count = max(FEWEST_DEALS, min(MOST_DEALS, PLAYS // plays))
        gains = dict.fromkeys(options, 0.0)
        for hands in until(alarm, (table.imagine(self.rng) for _ in range(count))):
            for card in options:
                gains[card] += table.gain(play_out(table, hands, [*laid, card]))
        return max(options, key=gains.__getitem__)

    def moon(self, view: Message) -> str:
        """Add to the others' scores where that ends the game and wins it; otherwise subtract."""
        others = [score + MOON for seat, score in enumerate(view["scores"]) if seat != self.me]
        ends = max(others) >= view["target"]
        return "add" if ends and view["scores"][self.me] < min(others) else "subtract"


def pass_on(hand: Sequence[str], count: int) -> Sequence[str]:
    """Pass high cards of short suits; of long spades nothing, Black Maria is safe among them."""
    length = Counter(card[1] for card in hand)

    def burden(card: str) -> float:
        if CARDS[card] in (BLACK_MARIA, KING, ACE):
            return 30 if length["S"] < 6 else 2
        if card[1] == "S":
            return 0
        return RANKS.index(card[0]) - length[card[1]] + 2 * (card[1] == "H")

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
