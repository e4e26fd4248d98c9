"""Oh Hell, also Oh Pshaw or Blackout: bid your tricks exactly.

R and D numbers are those of the game's page of rules.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta

from referee.cards import NAMES, SUIT, SUITS, Shuffle, deal_cards, names
from referee.games import tricks
from referee.games.game import (
    Choice,
    Dealt,
    Decision,
    Event,
    Game,
    Option,
    Outcome,
    Rules,
    RulesError,
    State,
    Told,
    View,
    next_seat,
    ranks,
)
from referee.games.tricks import FinishedTrick, Play, Played, Trick

LARGEST_HAND = {3: 15, 4: 13, 5: 10, 6: 8, 7: 7}
"""R1, D3: the cards of the largest hand, by seats."""


class OhHellRules(Rules):
    """The options of Oh Hell."""

    hands: Annotated[
        Literal["up", "down", "up_down", "down_up"],
        Meta(description="the hands' sizes: 1 to the largest, back, or there and back"),
    ] = "up"
    hook: Annotated[bool, Meta(description="the bids may not add up to the hand's card count")] = (
        False
    )
    bidding: Annotated[
        Literal["in_turn", "simultaneous"],
        Meta(description="one bid after another, or all at once"),
    ] = "in_turn"
    must_trump: Annotated[
        bool, Meta(description="who cannot follow suit must play a trump if it holds one")
    ] = False
    missed: Annotated[
        Literal["nothing", "tricks"],
        Meta(description="what a missed bid scores: nothing, or 1 a trick taken"),
    ] = "nothing"
    zero_bid: Annotated[
        Literal["ten", "five_plus_hand"],
        Meta(description="what a bid of 0 made scores: 10, or 5 plus the hand's card count"),
    ] = "ten"


class Hand(Event):
    """A hand begins; public."""

    hand: int
    cards: int
    dealer: int
    trump: str | None
    turned: str | None


class Bid(Event):
    """A bid made in turn; public."""

    seat: int
    bid: int


class Bids(Event):
    """All bids, made at once; public."""

    bids: list[int]


class Scored(Event):
    """A hand was scored; public."""

    bids: list[int]
    tricks: list[int]
    points: list[int]
    totals: list[int]


class OhHellView(View):
    """What a seat may know: its cards, and everything that happened openly."""

    hand: int
    hands: int
    dealer: int
    trump: str | None
    turned: str | None
    cards: list[str]
    bids: list[int | None]
    tricks: list[int]
    trick: list[Play]
    played: list[FinishedTrick]
    scores: list[int]


def hand_sizes(seats: int, rules: OhHellRules) -> list[int]:
    """Return the cards of each hand of the game (R1, D1)."""
    up = list(range(1, LARGEST_HAND[seats] + 1))
    down = up[::-1]
    return {"up": up, "down": down, "up_down": up + down[1:], "down_up": down + up[1:]}[rules.hands]


def bid_options(cards: int, bids_left: int, bid_so_far: int, rules: OhHellRules) -> list[int]:
    """Return the bids allowed (R4): the hook bars the last bidder from one number (D4)."""
    barred = cards - bid_so_far if rules.hook and bids_left == 1 else None
    return [bid for bid in range(cards + 1) if bid != barred]


def allowed_cards(
    hand: Sequence[int], trick: Sequence[int], trump: int | None, rules: OhHellRules
) -> Sequence[int]:
    """Return the cards that may be played (R5, D5)."""
    allowed = tricks.follow_suit(hand, trick)
    if rules.must_trump and trick and SUIT[allowed[0]] != SUIT[trick[0]]:
        return [card for card in hand if SUIT[card] == trump] or hand
    return allowed


def points(cards: int, bid: int, taken: int, rules: OhHellRules) -> int:
    """Return what a seat scores in a hand (R7, D6)."""
    if taken != bid:
        return taken if rules.missed == "tricks" else 0
    if bid == 0 and rules.zero_bid == "five_plus_hand":
        return 5 + cards
    return 10 + bid


class OhHellState(State):
    """A game of Oh Hell under way."""

    def __init__(self, seats: int, rules: OhHellRules, shuffle: Shuffle) -> None:
        self.seats = seats
        self.rules = rules
        self.shuffle = shuffle
        self.sizes = hand_sizes(seats, rules)
        self.hand = 0
        self.scores = [0] * seats
        self.dealer = seats - 2  # the deal passes to the left: the last seat deals hand 1
        self.opening = self._deal()

    def _deal(self) -> list[Told]:
        """Deal the next hand and turn up its trump (R2), or none where it is a largest one."""
        self.dealer = next_seat(self.dealer, self.seats)
        cards = self.sizes[self.hand]
        pack = self.shuffle(self.hand + 1, 1)
        hands = deal_cards(pack, self.seats, next_seat(self.dealer, self.seats), cards)
        turned = None if cards == LARGEST_HAND[self.seats] else pack[self.seats * cards]
        return self.begin_hand(hands, turned)

    def begin_hand(self, hands: list[list[int]], turned: int | None) -> list[Told]:
        """Begin the next hand with these cards; no card turned means no trump (R3, D2)."""
        self.hand += 1
        self.hands = hands
        self.hand_names = [names(cards) for cards in hands]  # the same cards, as all see them
        self.is_bidding = True
        self.size = len(hands[0])
        self.turned = None if turned is None else NAMES[turned]
        self.trump = None if turned is None else SUIT[turned]
        self.trump_name = None if self.trump is None else SUITS[self.trump]
        self.bids: list[int | None] = [None] * self.seats
        self.taken = [0] * self.seats
        self.played: list[FinishedTrick] = []
        self.leader = next_seat(self.dealer, self.seats)
        self.trick: list[int] = []
        self.plays: list[tricks.Play] = []
        self._ask_bid()
        told: list[Told] = [
            (None, Hand(self.hand, self.size, self.dealer, self.trump_name, self.turned))
        ]
        told += (((seat,), Dealt(cards[:])) for seat, cards in enumerate(self.hand_names))
        return told

    def _ask_bid(self) -> None:
        bids = [bid for bid in self.bids if bid is not None]
        options = bid_options(self.size, self.seats - len(bids), sum(bids), self.rules)
        decision = Decision("bid", options)
        if self.rules.bidding == "simultaneous":
            self.decisions = dict.fromkeys(range(self.seats), decision)
        else:
            self.decisions = {(self.leader + len(bids)) % self.seats: decision}

    def _ask_play(self, seat: int) -> None:
        hand = self.hands[seat]
        allowed = allowed_cards(hand, self.trick, self.trump, self.rules)
        is_free = len(allowed) == len(hand)
        options = self.hand_names[seat][:] if is_free else names(allowed)
        self.decisions = {seat: Decision("play", options)}

    def apply(self, choices: Mapping[int, Choice]) -> list[Told]:
        """Take the bids or the card played."""
        if self.is_bidding:
            return self._bid(choices)
        ((seat, choice),) = choices.items()
        return self._play(seat, choice.choose[0])

    def _bid(self, choices: Mapping[int, Choice]) -> list[Told]:
        for seat, choice in choices.items():
            self.bids[seat] = int(choice.choose[0])
        bids = [bid for bid in self.bids if bid is not None]
        self.is_bidding = len(bids) < self.seats
        if self.is_bidding:
            self._ask_bid()
        else:
            self._ask_play(self.leader)
        return [(None, Bids(bids) if len(choices) > 1 else Bid(seat, self.bids[seat] or 0))]

    def _play(self, seat: int, option: Option) -> list[Told]:
        card, name = tricks.take_out(option, self.hands[seat], self.hand_names[seat])
        self.trick.append(card)
        self.plays.append((seat, name))
        told: list[Told] = [(None, Played(seat, name))]
        if len(self.trick) == self.seats:
            told += self._finish_trick()
        else:
            self._ask_play(next_seat(seat, self.seats))
        return told

    def _finish_trick(self) -> list[Told]:
        winner = (self.leader + tricks.winning(self.trick, self.trump)) % self.seats
        told: list[Told] = [(None, Trick(winner, names(self.trick)))]
        self.played.append(tricks.finished(self.plays))
        self.taken[winner] += 1
        self.leader = winner
        self.trick = []
        self.plays = []
        if self.hands[winner]:
            self._ask_play(winner)
        else:
            told += self._finish_hand()
        return told

    def _finish_hand(self) -> list[Told]:
        bids = [bid for bid in self.bids if bid is not None]
        gains = [
            points(self.size, bid, taken, self.rules)
            for bid, taken in zip(bids, self.taken, strict=True)
        ]
        self.scores = [score + gain for score, gain in zip(self.scores, gains, strict=True)]
        told: list[Told] = [(None, Scored(bids, list(self.taken), gains, list(self.scores)))]
        if self.hand < len(self.sizes):
            return told + self._deal()
        self.decisions = {}
        self.outcome = Outcome(list(self.scores), ranks(self.scores))
        return told

    def view(self, seat: int) -> OhHellView:
        """Return what the seat may know."""
        return OhHellView(
            self.hand,
            len(self.sizes),
            self.dealer,
            self.trump_name,
            self.turned,
            self.hand_names[seat],
            self.bids,
            self.taken,
            self.plays,
            self.played,
            self.scores,
        )


class OhHell(Game):
    """Oh Hell's declaration."""

    name = "oh_hell"
    title = "Oh Hell"
    seats = range(3, 8)
    typical_seats = 4
    rules_type = OhHellRules
    view_type = OhHellView
    event_types = (Hand, Dealt, Bid, Bids, Played, Trick, Scored)
    kinds = ("bid", "play")

    def check(self, rules: Rules, seats: int) -> Rules:  # noqa: ARG002
        """Refuse the hook in simultaneous bidding: nobody would be the last bidder."""
        if isinstance(rules, OhHellRules) and rules.hook and rules.bidding == "simultaneous":
            raise RulesError(
                "oh_hell: hook = true and bidding = 'simultaneous' exclude each other; "
                "leave one of them out"
            )
        return rules

    def start(self, seats: int, rules: Any, shuffle: Shuffle) -> OhHellState:
        """Deal the first hand."""
        return OhHellState(seats, rules, shuffle)
