"""Pitch, also Auction Pitch or Setback: bid for the right to name trump.

R and D numbers are those of the game's page of rules.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta

from referee.cards import NAMES, RANK, RANKS, SUIT, SUITS, Shuffle, names
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
from referee.games.tricks import Played, Trick

SMUDGE = 4
"""R2: the highest bid, for all four points."""
DEALERS_LEAST = 2
"""R3: the least that a dealer bids when all others have passed."""
JACK = RANKS.index("J")
CARD_POINTS = tuple({"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1}.get(rank, 0) for rank in RANKS)
"""R7: what a card counts for the game point: ``CARD_POINTS[rank]``."""

BidMade = int | Literal["pass"]
"""A bid as it was made."""


class PitchRules(Rules):
    """The options of Pitch."""

    target: Annotated[
        int, Meta(ge=1, le=100, description="a pitcher who stands here at a hand's end wins")
    ] = 7
    teams: Annotated[bool, Meta(description="with 4 seats: 0 and 2 play together, and 1 and 3")] = (
        False
    )
    steal: Annotated[bool, Meta(description="the dealer may take the bid by matching it")] = True
    win_needs_made_bid: Annotated[
        bool, Meta(description="a pitcher who was set cannot win in that hand")
    ] = False
    max_hands: Annotated[
        int, Meta(ge=1, le=100_000, description="the cap: the game ends after so many hands")
    ] = 30


class Hand(Event):
    """A hand begins; public."""

    hand: int
    dealer: int


class Bid(Event):
    """A bid was made; public."""

    seat: int
    bid: BidMade


class Pitcher(Event):
    """The bidding is over; public."""

    seat: int
    bid: int


class Trump(Event):
    """The pitcher's first lead has made its suit trump; public."""

    suit: str


class Scored(Event):
    """A hand was scored; public.

    ``points`` are those won in tricks (R7), a set pitcher's too. With teams (D7) ``card_points``
    and ``points`` are the team's in both seats, and ``game`` is the team's lower seat.
    """

    high: int
    low: int
    jack: int | None
    game: int | None
    card_points: list[int]
    points: list[int]
    made: bool
    totals: list[int]


class PitchView(View):
    """What a seat may know: its cards, and everything that happened openly.

    ``pitcher`` and ``bid`` are null until the bidding is over, ``trump`` until the first lead;
    after a 4 the ``bids`` of the seats that were not asked stay null (D2).
    """

    hand: int
    dealer: int
    cards: list[str]
    bids: list[BidMade | None]
    pitcher: int | None
    bid: int | None
    trump: str | None
    trick: list[tricks.Play]
    played: list[tricks.FinishedTrick]
    taken: list[list[str]]
    scores: list[int]
    target: int


class Won(NamedTuple):
    """The seats that won the four points of a hand (R7, R8)."""

    high: int
    low: int
    jack: int | None
    game: int | None


def deal_threes(pack: Sequence[int], seats: int, first: int) -> list[list[int]]:
    """Deal six cards to every seat, three at a time from seat ``first`` (R1): sorted by seat."""
    hands: list[list[int]] = [[] for _ in range(seats)]
    for packet in range(2 * seats):
        hands[(first + packet) % seats] += pack[3 * packet : 3 * packet + 3]
    return [sorted(hand) for hand in hands]


def bid_options(highest: int, *, is_dealer: bool, rules: PitchRules) -> list[Option]:
    """Return the bids allowed over the highest so far, 0 where all have passed (R2, R3, D1)."""
    if is_dealer and highest == 0:
        return list(range(DEALERS_LEAST, SMUDGE + 1))
    least = highest if is_dealer and rules.steal else highest + 1
    return ["pass", *range(least, SMUDGE + 1)]


def allowed_cards(hand: Sequence[int], trick: Sequence[int], trump: int | None) -> Sequence[int]:
    """Return the cards that may be played (R5)."""
    following = tricks.follow_suit(hand, trick)
    if len(following) == len(hand) or SUIT[trick[0]] == trump:
        return following
    return [card for card in hand if SUIT[card] in (SUIT[trick[0]], trump)]


def sides_of(seats: int, rules: PitchRules) -> list[int]:
    """Return each seat's side, named by its lowest seat: the team (D7), or the seat itself."""
    return [seat % 2 for seat in range(seats)] if rules.teams else list(range(seats))


def card_points_of(takers: Mapping[int, int], sides: Sequence[int]) -> list[int]:
    """Return the card points of each seat's side (R7, D7) from the seat that took each card."""
    by_side: Counter[int] = Counter()
    for card, seat in takers.items():
        by_side[sides[seat]] += CARD_POINTS[RANK[card]]
    return [by_side[side] for side in sides]


def who_won(
    takers: Mapping[int, int],
    trump: int | None,
    card_points: Sequence[int],
    sides: Sequence[int],
) -> Won:
    """Return who won the points of a hand (R7, R8, D3, D4) from the seat that took each card."""
    trumps = {RANK[card]: seat for card, seat in takers.items() if SUIT[card] == trump}
    most = max(card_points)
    leading = {side for side in sides if card_points[side] == most}
    return Won(
        high=trumps[max(trumps)],
        low=trumps[min(trumps)],
        jack=trumps.get(JACK),
        game=leading.pop() if len(leading) == 1 else None,
    )


def points_of(won: Won, sides: Sequence[int]) -> list[int]:
    """Return the points that each seat's side won (R7, D7)."""
    by_side = Counter(sides[seat] for seat in won if seat is not None)
    return [by_side[side] for side in sides]


class PitchState(State):
    """A game of Pitch under way."""

    def __init__(self, seats: int, rules: PitchRules, shuffle: Shuffle) -> None:
        self.seats = seats
        self.rules = rules
        self.shuffle = shuffle
        self.sides = sides_of(seats, rules)
        self.hand = 0
        self.scores = [0] * seats
        self.dealer = seats - 2  # the deal passes to the left: the last seat deals hand 1
        self.opening = self._deal()

    def _deal(self) -> list[Told]:
        """Pass the deal to the left and deal the next hand (R1, R10)."""
        self.dealer = next_seat(self.dealer, self.seats)
        pack = self.shuffle(self.hand + 1, 1)
        return self.begin_hand(deal_threes(pack, self.seats, next_seat(self.dealer, self.seats)))

    def begin_hand(self, hands: list[list[int]]) -> list[Told]:
        """Begin the next hand with these cards, sorted by seat, and this dealer and scores."""
        self.hand += 1
        self.hands = hands
        self.hand_names = [names(cards) for cards in hands]  # the same cards, as all see them
        self.bids: list[BidMade | None] = [None] * self.seats
        self.bidding = True
        # Whoever would be pitcher now: the dealer where all others pass (R3).
        self.pitcher = self.dealer
        self.bid = 0
        self.trump: int | None = None
        self.leader = next_seat(self.dealer, self.seats)  # of the bidding, till there is a pitcher
        self.trick: list[int] = []
        self.plays: list[tricks.Play] = []
        self.played: list[tricks.FinishedTrick] = []
        self.piles: list[list[int]] = [[] for _ in range(self.seats)]
        self.taken: list[list[str]] = [[] for _ in range(self.seats)]
        self._ask_bid(self.leader)
        told: list[Told] = [(None, Hand(self.hand, self.dealer))]
        told += (((seat,), Dealt(cards[:])) for seat, cards in enumerate(self.hand_names))
        return told

    def _ask_bid(self, seat: int) -> None:
        options = bid_options(self.bid, is_dealer=seat == self.dealer, rules=self.rules)
        self.decisions = {seat: Decision("bid", options)}

    def _ask_play(self) -> None:
        seat = (self.leader + len(self.trick)) % self.seats
        hand = self.hands[seat]
        allowed = allowed_cards(hand, self.trick, self.trump)
        is_free = len(allowed) == len(hand)
        options = self.hand_names[seat][:] if is_free else names(allowed)
        self.decisions = {seat: Decision("play", options)}

    def apply(self, choices: Mapping[int, Choice]) -> list[Told]:
        """Take the bid or the card played."""
        ((seat, choice),) = choices.items()
        if self.bidding:
            return self._bid(seat, choice.choose[0])
        return self._play(seat, choice.choose[0])

    def _bid(self, seat: int, option: Option) -> list[Told]:
        bid: BidMade = "pass" if option == "pass" else int(option)
        self.bids[seat] = bid
        if bid != "pass":
            self.pitcher, self.bid = seat, bid  # every bid offered beats those before it, or steals
        told: list[Told] = [(None, Bid(seat, bid))]
        if seat != self.dealer and bid != SMUDGE:
            self._ask_bid(next_seat(seat, self.seats))
            return told
        self.bidding = False
        self.leader = self.pitcher
        self._ask_play()
        return [*told, (None, Pitcher(self.pitcher, self.bid))]

    def _play(self, seat: int, option: Option) -> list[Told]:
        card, name = tricks.take_out(option, self.hands[seat], self.hand_names[seat])
        self.trick.append(card)
        self.plays.append((seat, name))
        told: list[Told] = [(None, Played(seat, name))]
        if self.trump is None:
            self.trump = SUIT[card]
            told.append((None, Trump(SUITS[self.trump])))
        if len(self.trick) == self.seats:
            told += self._finish_trick()
        else:
            self._ask_play()
        return told

    def _finish_trick(self) -> list[Told]:
        winner = (self.leader + tricks.winning(self.trick, self.trump)) % self.seats
        told: list[Told] = [(None, Trick(winner, names(self.trick)))]
        self.played.append(tricks.finished(self.plays))
        pile, taken = self.piles[winner], self.taken[winner]
        for card in self.trick:
            place = bisect_left(pile, card)
            pile.insert(place, card)
            taken.insert(place, NAMES[card])
        self.leader = winner
        self.trick = []
        self.plays = []
        if self.hands[winner]:
            self._ask_play()
        else:
            told += self._finish_hand()
        return told

    def _finish_hand(self) -> list[Told]:
        takers = {card: seat for seat, pile in enumerate(self.piles) for card in pile}
        card_points = card_points_of(takers, self.sides)
        won = who_won(takers, self.trump, card_points, self.sides)
        return self.score_hand(won, card_points)

    def score_hand(self, won: Won, card_points: list[int]) -> list[Told]:
        """Score the hand (R9), then end the game or deal the next hand (R10)."""
        points = points_of(won, self.sides)
        made = points[self.pitcher] >= self.bid
        pitchers = [side == self.sides[self.pitcher] for side in self.sides]
        gains = [
            -self.bid if pitches and not made else gain
            for pitches, gain in zip(pitchers, points, strict=True)
        ]
        self.scores = [score + gain for score, gain in zip(self.scores, gains, strict=True)]
        told: list[Told] = [(None, Scored(*won, card_points, points, made, list(self.scores)))]
        # D5: a set pitcher who still stands at the target wins, unless the option says otherwise.
        may_win = made or not self.rules.win_needs_made_bid
        wins = may_win and self.scores[self.pitcher] >= self.rules.target
        if not wins and self.hand < self.rules.max_hands:
            return told + self._deal()
        self.decisions = {}
        # D6: the winner ranks 1 whatever the scores; at the cap nobody has won.
        merits = [(wins and pitches, self.scores[i]) for i, pitches in enumerate(pitchers)]
        self.outcome = Outcome(list(self.scores), ranks(merits), capped=not wins)
        return told

    def view(self, seat: int) -> PitchView:
        """Return what the seat may know."""
        return PitchView(
            self.hand,
            self.dealer,
            self.hand_names[seat],
            self.bids,
            None if self.bidding else self.pitcher,
            None if self.bidding else self.bid,
            None if self.trump is None else SUITS[self.trump],
            self.plays,
            self.played,
            self.taken,
            self.scores,
            self.rules.target,
        )


class Pitch(Game):
    """Pitch's declaration."""

    name = "pitch"
    title = "Pitch"
    seats = range(2, 8)
    typical_seats = 4
    rules_type = PitchRules
    view_type = PitchView
    event_types = (Hand, Dealt, Bid, Pitcher, Played, Trump, Trick, Scored)
    kinds = ("bid", "play")

    def check(self, rules: Rules, seats: int) -> Rules:
        """Refuse teams where there are not four seats."""
        if isinstance(rules, PitchRules) and rules.teams and seats != 4:
            raise RulesError(f"pitch: option teams: true is for 4 seats, not {seats}")
        return rules

    def start(self, seats: int, rules: Any, shuffle: Shuffle) -> PitchState:
        """Deal the first hand."""
        return PitchState(seats, rules, shuffle)
