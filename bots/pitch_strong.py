"""A strong bot for Pitch: it imagines the hidden cards many times and plays each deal out.

Every decision is made in three steps. `imagine` deals the unseen cards to the others so that
everything seen is respected: who could not follow suit, and, as far as can be told, who bid what.
`play_out` plays such a deal to its end, all seats by one quick policy. Then the option that did
best over all deals is chosen. How many deals there are follows from what is sent, never from the
clock, so that with the same `seed` the bot answers the same; the clock only stops it in an
emergency.
"""

import json
import math
import random
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

RANKS = "23456789TJQKA"
SUITS = "CDHS"
NAMES = [rank + suit for suit in SUITS for rank in RANKS]
CARDS = {name: card for card, name in enumerate(NAMES)}
"""A card is a number: 13 for each suit, 2 up to ace."""
SUIT = [card // 13 for card in range(52)]
RANK = [card % 13 for card in range(52)]
NO_SUIT = 4
"""What stands for trump where there is none yet."""
HAND = 6
JACK = RANKS.index("J")
CARD_POINTS = [{"T": 10, "J": 1, "Q": 2, "K": 3, "A": 4}.get(name[0], 0) for name in NAMES]

PLAYS = 9_000
"""How many cards are played in imagination for one decision, all deals and options together."""
FEWEST_DEALS, MOST_DEALS = 12, 120
BOLD = 0.04
"""How much worse than passing, in parts of a game, a bid may look: only pitchers win."""
LEAD = 2.5
"""The lead, in points, with which we shall be ahead in the end in some three cases of four."""

Message = dict[str, Any]
Hands = list[list[int]]


def prizes(trump: int) -> list[int]:
    """Say what winning each card is worth: its card points, and more for the jack and the low."""
    prize = CARD_POINTS.copy()
    prize[13 * trump + JACK] += 12
    for rank, extra in enumerate((8, 7, 5, 3)):
        prize[13 * trump + rank] += extra
    return prize


PRIZES = [prizes(trump) for trump in range(4)]


def promise(cards: Iterable[int], trump: int) -> float:
    """Return the points that a pitcher with these cards should win, judged by its trumps alone."""
    trumps = [RANKS[RANK[card]] for card in cards if SUIT[card] == trump]
    high = {"A": 1.6, "K": 0.8, "Q": 0.5, "J": 0.6}
    return len(trumps) / 3 + sum(high.get(rank, 0) for rank in trumps)


def best_promise(cards: Iterable[int]) -> float:
    """Return what the best trump suit promises."""
    return max(promise(cards, suit) for suit in range(4))


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
        self.scores: list[int] = view["scores"]
        self.seats = len(self.scores)
        self.sides = [seat % 2 if rules["teams"] else seat for seat in range(self.seats)]
        self.target: int = view["target"]
        self.dealer: int = view["dealer"]
        self.bids: list[int | None] = [0 if bid == "pass" else bid for bid in view["bids"]]
        self.trump = SUITS.index(view["trump"]) if view["trump"] else NO_SUIT
        self.pitcher: int | None = view["pitcher"]
        self.hand = [CARDS[name] for name in view["cards"]]
        self.trick = [(seat, CARDS[name]) for seat, name in view["trick"]]
        self.leader = self.trick[0][0] if self.trick else me
        self.takers = {CARDS[name]: s for s, taken in enumerate(view["taken"]) for name in taken}
        self.shown: Hands = [[] for _ in range(self.seats)]
        """What each seat has played to finished tricks."""
        self.lacks: list[set[int]] = [set() for _ in range(self.seats)]
        tricks = [[(seat, CARDS[name]) for seat, name in trick] for trick in view["played"]]
        for trick in [*tricks, self.trick]:
            for seat, card in trick:
                if SUIT[card] not in (SUIT[trick[0][1]], self.trump):
                    self.lacks[seat].add(SUIT[trick[0][1]])
                if trick is not self.trick:
                    self.shown[seat].append(card)
        self.left = [HAND - len(cards) for cards in self.shown]
        for seat, _ in self.trick:
            self.left[seat] -= 1
        seen = {*self.hand, *self.takers, *(card for _, card in self.trick)}
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
            return sum(
                self.surprise(seat, bid, hands[seat] + self.shown[seat]) for seat, bid in bids
            )

        deals = [self.imagine(rng) for _ in range(3 * count if bids else count)]
        return sorted(deals, key=surprise)[:count]

    def surprise(self, seat: int, bid: int, cards: list[int]) -> float:
        """Say how odd it would be to bid so (0: to pass) with these cards."""
        pitches = seat == self.pitcher and self.trump != NO_SUIT
        hope = promise(cards, self.trump) if pitches else best_promise(cards)
        return (hope - bid - 0.3) ** 2 if bid else max(0.0, hope - 1.8) ** 2

    def gain(self, pitcher: int, bid: int, trump: int, takers: Mapping[int, int]) -> float:
        """Return the part of the others whom we shall beat in the end, if the hand ends so."""
        points = self.points(trump, takers)
        side = self.sides[pitcher]
        made = points[side] >= bid
        if not made:
            points[side] = -bid
        scores = [score + points[s] for score, s in zip(self.scores, self.sides, strict=True)]
        may_win = made or not self.rules["win_needs_made_bid"]
        over = may_win and scores[pitcher] >= self.target
        if over and side == self.sides[self.me]:
            return 1.0
        ahead = 0.0
        others = [seat for seat in range(self.seats) if self.sides[seat] != self.sides[self.me]]
        for seat in others:
            lead = scores[self.me] - scores[seat]
            if not over:
                # The lead may still change: a point of it is worth less than at the end.
                ahead += 1 / (1 + math.exp(-lead / LEAD))
            elif self.sides[seat] != side:
                ahead += 0.5 if lead == 0 else lead > 0
        return ahead / len(others)

    def points(self, trump: int, takers: Mapping[int, int]) -> list[int]:
        """Return the points won by each side, in the place of its lowest seat."""
        points = [0] * self.seats
        card_points = [0] * self.seats
        for card, seat in takers.items():
            card_points[self.sides[seat]] += CARD_POINTS[card]
        trumps = sorted(card for card in takers if SUIT[card] == trump)
        for card in (trumps[0], trumps[-1], 13 * trump + JACK):
            if card in takers:
                points[self.sides[takers[card]]] += 1
        most = max(card_points)
        if card_points.count(most) == 1:
            points[card_points.index(most)] += 1
        return points


def play_out(
    table: Table, hands: Hands, leader: int, pitcher: int, forced: Sequence[int]
) -> tuple[int, dict[int, int]]:
    """Play a deal to its end, first the forced cards; return trump, and who took each card.

    Every seat plays by `lead` and `follow`. This is where nearly all the time goes, so it is
    written for speed.
    """
    seats, sides, trump = table.seats, table.sides, table.trump
    hands = [sorted(hand) for hand in hands]
    takers = table.takers.copy()
    coming = list(reversed(forced))
    while hands[leader]:
        trick: list[int] = []
        seat = winner = leader
        led, best = NO_SUIT, -1
        for behind in range(seats - 1, -1, -1):
            hand = hands[seat]
            if coming:
                card = coming.pop()
            elif not trick:
                card = lead(hand, trump, pitches=seat == pitcher)
            else:
                ours = sides[winner] == sides[seat]
                card = follow(hand, trump, trick, best, ours=ours, last=behind == 0)
            hand.remove(card)
            suit = SUIT[card]
            if not trick:
                led = suit
                trump = suit if trump == NO_SUIT else trump
            trick.append(card)
            worth = card + 52 if suit == trump else card if suit == led else -1
            if worth > best:
                best, winner = worth, seat
            seat = (seat + 1) % seats
        takers.update(dict.fromkeys(trick, winner))
        leader = winner
    return trump, takers


def lead(hand: list[int], trump: int, *, pitches: bool) -> int:
    """Lead quickly: a pitcher trumps from above, others only queens and better; else the least."""
    if trump == NO_SUIT:
        return max(hand, key=lambda card: (promise(hand, SUIT[card]), card))
    trumps = [card for card in hand if SUIT[card] == trump]
    if trumps and (pitches or RANK[trumps[-1]] > JACK + 1):
        return trumps[-1]
    prize = PRIZES[trump]
    return min(hand, key=lambda card: (SUIT[card] == trump, prize[card], RANK[card]))


def follow(
    hand: list[int], trump: int, trick: list[int], best: int, *, ours: bool, last: bool
) -> int:
    """Follow quickly: win what is worth winning, give our own side much and the others little.

    `best` is the card to beat, 52 higher where it is a trump; `ours` says whose it is.
    """
    led = SUIT[trick[0]]
    prize = PRIZES[trump]
    allowed = hand
    if any(SUIT[card] == led for card in hand):
        allowed = [card for card in hand if SUIT[card] in (led, trump)]
    worth = {
        card: card + 52 if SUIT[card] == trump else card if SUIT[card] == led else -1
        for card in allowed
    }
    losing = [card for card in allowed if worth[card] < best]
    if ours and last and losing:
        return max(losing, key=prize.__getitem__)
    if not ours and len(losing) < len(allowed):
        stake = sum(prize[card] for card in trick)
        winning = [card for card in allowed if worth[card] > best]
        if last:
            cheapest = min(
                winning, key=lambda card: worth[card] % 52 - prize[card] + 26 * (worth[card] >= 52)
            )
            if stake + prize[cheapest] >= 4:
                return cheapest
        else:
            highest = max(winning, key=worth.__getitem__)
            if stake + prize[highest] >= 6:
                return highest
    return min(allowed, key=lambda card: 2 * prize[card] + RANK[card] + 13 * (SUIT[card] == trump))


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
        bid: int = turn["view"]["bid"]
        return [NAMES[self.play(table, bid, [CARDS[name] for name in options], alarm)]]

    def bid(self, table: Table, options: Sequence[int | str], alarm: float) -> int | str:
        """Bid the most that pays better than passing; as dealer, whom nobody outbids, the least."""
        bids = [option for option in options if isinstance(option, int)]
        suits = sorted({SUIT[card] for card in table.hand}, key=lambda s: -promise(table.hand, s))
        leads = [max(card for card in table.hand if SUIT[card] == suit) for suit in suits[:2]]
        pitching = {(bid, card): 0.0 for bid in bids for card in leads}
        passing = 0.0
        deals = table.deals(len(leads) + 1, self.rng)
        for hands in until(alarm, deals):
            for card in leads:
                end = play_out(table, hands, self.me, self.me, [card])
                for bid in bids:
                    pitching[bid, card] += table.gain(self.me, bid, *end)
            if "pass" in options:
                pitcher, others_bid = who_else_pitches(table, hands)
                end = play_out(table, hands, pitcher, pitcher, [])
                passing += table.gain(pitcher, others_bid, *end)
        pay = {bid: max(pitching[bid, card] for card in leads) for bid in bids}
        if "pass" not in options:
            return max(bids, key=pay.__getitem__)
        paying = [bid for bid in bids if pay[bid] >= passing - BOLD * len(deals)]
        if not paying:
            return "pass"
        return paying[0] if self.me == table.dealer else paying[-1]

    def play(self, table: Table, bid: int, options: Sequence[int], alarm: float) -> int:
        """Play the card that pays best."""
        pitcher = self.me if table.pitcher is None else table.pitcher
        laid = [card for _, card in table.trick]
        gains = dict.fromkeys(options, 0.0)
        for hands in until(alarm, table.deals(len(options), self.rng)):
            for card in options:
                end = play_out(table, hands, table.leader, pitcher, [*laid, card])
                gains[card] += table.gain(pitcher, bid, *end)
        return max(options, key=gains.__getitem__)


def who_else_pitches(table: Table, hands: Hands) -> tuple[int, int]:
    """Say who will pitch with these cards, and for what bid, if we pass."""
    highest, holder = max((bid or 0, seat) for seat, bid in enumerate(table.bids))
    to_come = [s for s, bid in enumerate(table.bids) if bid is None and s != table.me]
    if to_come:
        keenest = max(to_come, key=lambda seat: best_promise(hands[seat]))
        bid = int(best_promise(hands[keenest]) + 0.25)
        if bid > highest:
            return keenest, min(bid, 4)
    return (holder, highest) if highest else (table.dealer, 2)


def send(answer: Message) -> None:
    """Write a line to the referee at once: an answer left in a buffer is never given."""
    print(json.dumps(answer), flush=True)


def main() -> None:
    """Answer the referee until it has no more to say; what is not our game is played legally."""
    player: Player | None = None
    for line in sys.stdin:
        message: Message = json.loads(line)
        if message["type"] == "hello":
            send({"type": "ready", "name": "Pitch, strong"})
        elif message["type"] == "start":
            player = Player(message) if message["game"] == "pitch" else None
        elif message["type"] == "turn":
            decision = message["decision"]
            first = decision["options"][: decision["min"]]
            send({"id": message["id"], "choose": player.choose(message) if player else first})


if __name__ == "__main__":
    main()
