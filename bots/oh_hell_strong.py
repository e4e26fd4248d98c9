"""A strong bot for Oh Hell: it imagines the hidden cards many times and plays each deal out.

Every decision is made in three steps. `imagine` deals the unseen cards to the others so
that everything seen is respected: who could not follow suit, and, as far as can be told, who bid
what. `play_out` plays such a deal to its end, all seats by one quick policy. Then the option that
did best over all deals is chosen. How many deals there are follows from what is sent, never from
the clock, so that with the same `seed` the bot answers the same; the clock only stops it in an
emergency.
"""

import json
import math
import random
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

RANKS = "23456789TJQKA"
SUITS = "CDHS"
NAMES = [rank + suit for suit in SUITS for rank in RANKS]
CARDS = {name: card for card, name in enumerate(NAMES)}
"""A card is a number: 13 for each suit, 2 up to ace."""
SUIT = [card // 13 for card in range(52)]
RANK = [card % 13 for card in range(52)]
NO_SUIT = 4
"""What stands for trump, and for the suit led, where there is none."""

PLAYS = 9_000
"""How many cards are played in imagination for one decision, all deals and options together."""
FEWEST_DEALS, MOST_DEALS = 12, 120

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

    def __init__(self, view: Message, me: int, rules: Message) -> None:
        self.me = me
        self.rules = rules
        self.seats = len(view["scores"])
        self.trump = SUITS.index(view["trump"]) if view["trump"] else NO_SUIT
        self.hand = [CARDS[name] for name in view["cards"]]
        self.bids: list[int | None] = view["bids"]
        self.taken: list[int] = view["tricks"]
        self.trick = [(seat, CARDS[name]) for seat, name in view["trick"]]
        first = me if view["played"] else (view["dealer"] + 1) % self.seats
        self.leader = self.trick[0][0] if self.trick else first
        tricks = [[(seat, CARDS[name]) for seat, name in trick] for trick in view["played"]]
        self.shown: Hands = [[] for _ in range(self.seats)]
        """What each seat has played to finished tricks."""
        self.lacks: list[set[int]] = [set() for _ in range(self.seats)]
        tricks = [[(seat, CARDS[name]) for seat, name in trick] for trick in view["played"]]
        for trick in [*tricks, self.trick]:
            for seat, card in trick:
                if SUIT[card] != SUIT[trick[0][1]]:
                    self.lacks[seat].add(SUIT[trick[0][1]])
                    if rules["must_trump"] and SUIT[card] != self.trump:
                        self.lacks[seat].add(self.trump)
                if trick is not self.trick:
                    self.shown[seat].append(card)
        self.size = len(self.hand) + len(self.shown[me])
        self.left = [self.size - len(cards) for cards in self.shown]
        for seat, _ in self.trick:
            self.left[seat] -= 1
        seen = {*self.hand, *(card for trick in [*tricks, self.trick] for _, card in trick)}
        if view["turned"]:
            seen.add(CARDS[view["turned"]])
        self.unseen = [card for card in range(52) if card not in seen]

    def imagine(self, rng: random.Random) -> Hands:
        """Return every seat's cards in a deal that could be, as they were before this trick."""
        room = [0 if seat == self.me else left for seat, left in enumerate(self.left)]
        hands = imagine(self.unseen, room, self.lacks, rng)
        hands[self.me] = self.hand
        for seat, card in self.trick:
            hands[seat] = [*hands[seat], card]
        return hands[: self.seats]

    def deals(self, options: int, rng: random.Random) -> list[Hands]:
        """Return the deals to judge so many options by: of many those that fit the bids best.

        They are fewer where each takes longer to play out.
        """
        plays = sum(self.left) * options
        count = max(FEWEST_DEALS, min(MOST_DEALS, PLAYS // plays))
        bids = [(s, bid) for s, bid in enumerate(self.bids) if bid is not None and s != self.me]

        def surprise(hands: Hands) -> float:
            return sum((bid - self.promise(hands[s] + self.shown[s])) ** 2 for s, bid in bids)

        deals = [self.imagine(rng) for _ in range(3 * count if bids else count)]
        return sorted(deals, key=surprise)[:count]

    def promise(self, cards: Iterable[int]) -> float:
        """Return how many tricks a hand should take, judged by its cards alone."""
        size = self.size
        # A higher card must be in somebody's hand, and in a long hand it must also meet this one.
        safe = max(0.0, 1 - math.sqrt(size) * (self.seats - 1) / (52 - size))
        # A side suit must be led, and not be trumped.
        side = (1 - 0.85**size) * (1 if self.trump == NO_SUIT else 0.5)
        above = [12] * 4
        promise = 0.0
        for card in sorted(cards, reverse=True):
            suit = SUIT[card]
            promise += safe ** (above[suit] - RANK[card]) * (1 if suit == self.trump else side)
            above[suit] -= 1
        return promise

    def points(self, bid: int, taken: int) -> int:
        """Return what a seat scores in this hand."""
        if taken != bid:
            return taken if self.rules["missed"] == "tricks" else 0
        if bid == 0 and self.rules["zero_bid"] == "five_plus_hand":
            return 5 + self.size
        return 10 + bid

    def gain(self, bids: Sequence[int], taken: Sequence[int]) -> float:
        """Return what a hand that ends so is worth to us: our points, less half of the others'."""
        points: list[int] = list(map(self.points, bids, taken))
        own = points[self.me]
        others = (sum(points) - own) / (self.seats - 1)
        return own - 0.5 * others


def play_out(table: Table, hands: Hands, bids: Sequence[int], forced: Sequence[int]) -> list[int]:
    """Play a deal to its end, first the forced cards; return each seat's tricks.

    Every seat plays by `pick_card`. This is where nearly all the time goes, so it is written for
    speed.
    """
    seats, trump, leader = table.seats, table.trump, table.leader
    hands = [hand[:] for hand in hands]
    taken = table.taken[:]
    coming = list(reversed(forced))
    while hands[leader]:
        seat = winner = leader
        led, best = NO_SUIT, -1
        for behind in range(seats - 1, -1, -1):
            hand = hands[seat]
            if coming:
                card = coming.pop()
            else:
                wants = taken[seat] < bids[seat]
                card = pick_card(table, hand, led, best, wants=wants, last=behind == 0)
            hand.remove(card)
            suit = SUIT[card]
            if led == NO_SUIT:
                led = suit
            worth = card + 52 if suit == trump else card if suit == led else -1
            if worth > best:
                best, winner = worth, seat
            seat = (seat + 1) % seats
        taken[winner] += 1
        leader = winner
    return taken


def pick_card(
    table: Table, hand: list[int], led: int, best: int, *, wants: bool, last: bool
) -> int:
    """Choose a card quickly: win tricks while we want them, then lose with the highest we can.

    `best` is the card to beat, 52 higher where it is a trump.
    """
    if len(hand) == 1:
        return hand[0]
    if led == NO_SUIT:
        return (max if wants else min)(hand, key=RANK.__getitem__)
    trump = table.trump
    if allowed := [card for card in hand if SUIT[card] == led]:
        to_beat = best - 52 if led == trump else best
        winning = [card for card in allowed if card > to_beat]
    else:
        winning = [card for card in hand if SUIT[card] == trump and card + 52 > best]
        trumps = table.rules["must_trump"] and [card for card in hand if SUIT[card] == trump]
        allowed = trumps or hand
    losing = [card for card in allowed if card not in winning]
    if wants and winning:
        return (min if last else max)(winning)
    if wants:
        return min(losing, key=RANK.__getitem__)
    if losing:
        return max(losing, key=RANK.__getitem__)
    return (max if last else min)(winning)


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
        self.rules: Message = start["rules"]
        self.me: int = start["seat"]
        self.rng = random.Random(start["seed"])

    def choose(self, turn: Message) -> list[object]:
        """Answer a turn."""
        options = turn["decision"]["options"]
        table = Table(turn["view"], self.me, self.rules)
        alarm = alarm_of(turn)
        if turn["decision"]["kind"] == "bid":
            return [self.bid(table, options, alarm)]
        return [NAMES[self.play(table, [CARDS[name] for name in options], alarm)]]

    def bid(self, table: Table, options: Sequence[int], alarm: float) -> int:
        """Bid what pays best, of the bids near to what our cards promise."""
        promise = table.promise(table.hand)
        near = sorted(options, key=lambda bid: abs(bid - promise))[:4]
        gains = dict.fromkeys(near, 0.0)
        for hands in until(alarm, table.deals(len(near), self.rng)):
            bids = [
                round(table.promise(hand)) if bid is None else bid
                for bid, hand in zip(table.bids, hands, strict=True)
            ]
            for bid in near:
                bids[self.me] = bid
                gains[bid] += table.gain(bids, play_out(table, hands, bids, []))
        return max(near, key=gains.__getitem__)

    def play(self, table: Table, options: Sequence[int], alarm: float) -> int:
        """Play the card that pays best."""
        bids = [bid or 0 for bid in table.bids]
        laid = [card for _, card in table.trick]
        gains = dict.fromkeys(options, 0.0)
        for hands in until(alarm, table.deals(len(options), self.rng)):
            for card in options:
                taken = play_out(table, hands, bids, [*laid, card])
                gains[card] += table.gain(bids, taken)
        return max(options, key=gains.__getitem__)


def send(answer: Message) -> None:
    """Write a line to the referee at once: an answer left in a buffer is never given."""
    print(json.dumps(answer), flush=True)


def main() -> None:
    """Answer the referee until it has no more to say; what is not our game is played legally."""
    player: Player | None = None
    for line in sys.stdin:
        message: Message = json.loads(line)
        if message["type"] == "hello":
            send({"type": "ready", "name": "Oh Hell, strong"})
        elif message["type"] == "start":
            player = Player(message) if message["game"] == "oh_hell" else None
        elif message["type"] == "turn":
            decision = message["decision"]
            first = decision["options"][: decision["min"]]
            send({"id": message["id"], "choose": player.choose(message) if player else first})


if __name__ == "__main__":
    main()
