"""Cancellation Hearts: Hearts with two packs, in which identical cards cancel each other.

R and D numbers are those of the game's page of rules.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from referee.cards import (
    CARDS,
    HEARTS,
    SUIT,
    Shuffle,
    deal_cards,
    names,
    parse_cards,
    sorted_names,
)
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
    State,
    Told,
    View,
    next_seat,
    ranks,
)
from referee.games.tricks import Played

PACKS = 2
PASSED_CARDS = 3
USUAL_LEAST_TARGET = 100
BLACK_MARIA = CARDS["QS"]
POINTS = tuple(13 if card == BLACK_MARIA else int(SUIT[card] == HEARTS) for card in range(52))
"""R8: what a card costs its taker: ``POINTS[card]``."""
ALL_POINTS = PACKS * sum(POINTS)
"""R9: the points of a hand; only all 26 hearts and both Black Marias add up to them."""
MOON = 26
"""R9: what a seat that took them all takes off its score, or puts onto all others'."""

PassTo = Literal["left", "right"]
STEP: dict[PassTo, int] = {"left": 1, "right": -1}
"""R2: from a seat to the seat that it passes to."""
MoonChoice = Literal["add", "subtract"]


class CancellationHeartsRules(Rules):
    """The options of Cancellation Hearts."""

    target: Annotated[
        int, Meta(ge=1, le=1000, description="the game ends when a seat's score is here or above")
    ] = 150
    max_hands: Annotated[
        int, Meta(ge=1, le=100_000, description="the cap: the game ends after so many hands")
    ] = 200


class Hand(Event):
    """A hand begins; public. ``cards`` is how many each seat has, ``left_over`` how many lie."""

    hand: int
    dealer: int
    cards: int
    left_over: int
    pass_to: PassTo


class Passed(Event):
    """Cards went from one seat to its neighbour; private to the two."""

    from_: int = msgspec.field(name="from")
    to: int
    cards: list[str]


class Trick(Event):
    """A trick is over; public.

    Where nobody won it (R7) ``winner`` is null, and ``set_aside`` is how many played cards now
    wait for the next winner. ``takes_left_over`` is true only where there are left-over cards
    and this winner takes them.
    """

    winner: int | None
    cards: list[str]
    takes_left_over: bool
    set_aside: int


class Moon(Event):
    """A seat that took all hearts and both Black Marias has chosen (R9); public."""

    seat: int
    choice: MoonChoice


class Scored(Event):
    """A hand was scored; public.

    ``points`` is what each total changes by, the moon's choice included; ``left_over`` is the
    cards that were left over, whether or not a seat took them.
    """

    points: list[int]
    totals: list[int]
    left_over: list[str]


class CancellationHeartsView(View):
    """What a seat may know: its cards, those it passed and got, and what happened openly.

    ``gave`` and ``got`` are null until the cards have been passed. ``set_aside`` is the number of
    played cards that wait for the next winner, as in the ``trick`` event; ``left_over`` is the
    number of cards that still lie on the table. ``taken`` counts points of played cards only:
    what the left-over cards held comes with ``scored``.
    """

    hand: int
    dealer: int
    pass_to: PassTo
    cards: list[str]
    gave: list[str] | None
    got: list[str] | None
    trick: list[tricks.Play]
    played: list[tricks.FinishedTrick]
    broken: bool
    set_aside: int
    left_over: int
    taken: list[int]
    tricks: list[int]
    scores: list[int]
    target: int


def allowed_cards(
    hand: Sequence[int], trick: Sequence[int], *, first_trick: bool, broken: bool
) -> Sequence[int]:
    """Return the cards that may be played (R3, R4, R5, D1, D4b), one held twice standing twice."""
    if trick:
        return tricks.follow_suit(hand, trick)
    if first_trick:
        return [card for card in hand if not POINTS[card]] or hand
    if broken:
        return hand
    return [card for card in hand if SUIT[card] != HEARTS] or hand


def winning(trick: Sequence[int]) -> int | None:
    """Return which card of a trick wins it (R6, D4a), or None where none is left to (R7)."""
    led = SUIT[trick[0]]
    live = [card for card in trick if SUIT[card] == led and trick.count(card) == 1]
    return trick.index(max(live)) if live else None


def points_of(cards: Sequence[int]) -> int:
    """Return what these cards cost their taker (R8)."""
    return sum(POINTS[card] for card in cards)


class CancellationHeartsState(State):
    """A game of Cancellation Hearts under way."""

    def __init__(self, seats: int, rules: CancellationHeartsRules, shuffle: Shuffle) -> None:
        self.seats = seats
        self.rules = rules
        self.shuffle = shuffle
        self.hand = 0
        self.scores = [0] * seats
        self.dealer = seats - 2  # the deal passes to the left: the last seat deals hand 1
        self.opening = self._deal()

    def _deal(self) -> list[Told]:
        """Pass the deal to the left and deal the next hand as far as it goes evenly (R1)."""
        self.dealer = next_seat(self.dealer, self.seats)
        pack = self.shuffle(self.hand + 1, PACKS)
        each = len(pack) // self.seats
        hands = deal_cards(pack, self.seats, next_seat(self.dealer, self.seats), each)
        return self.begin_hand(hands, pack[self.seats * each :])

    def begin_hand(self, hands: list[list[int]], left_over: Sequence[int]) -> list[Told]:
        """Begin the next hand with these cards, sorted by seat, and ask what to pass (R2)."""
        self.hand += 1
        self.hands = hands
        self.hand_names = [names(cards) for cards in hands]  # the same cards, as all see them
        self.left_over = sorted(left_over)
        self.pass_to: PassTo = "left" if self.hand % 2 else "right"
        self.gave: list[list[str] | None] = [None] * self.seats
        self.got: list[list[str] | None] = [None] * self.seats
        self.begin_play(next_seat(self.dealer, self.seats))
        # Before the play comes the passing; _pass asks for the lead again, from the hands then.
        self.decisions = {
            seat: Decision("pass", cards[:], PASSED_CARDS, PASSED_CARDS)
            for seat, cards in enumerate(self.hand_names)
        }
        told: list[Told] = [
            (None, Hand(self.hand, self.dealer, len(hands[0]), len(left_over), self.pass_to))
        ]
        told += (((seat,), Dealt(cards[:])) for seat, cards in enumerate(self.hand_names))
        return told

    def begin_play(
        self,
        leader: int,
        *,
        first_trick: bool = True,
        broken: bool = False,
        set_aside: Sequence[int] = (),
    ) -> None:
        """Begin the play of this hand's cards and ask for the lead (R3).

        With more than a leader it takes the hand up in its middle, nothing taken yet and the
        left-over cards still on the table.
        """
        self.leader = leader
        self.first_trick = first_trick
        self.broken = broken
        self.set_aside = list(set_aside)
        self.face_down = list(self.left_over)
        self.trick: list[int] = []
        self.plays: list[tricks.Play] = []
        self.played: list[tricks.FinishedTrick] = []
        self.piles: list[list[int]] = [[] for _ in range(self.seats)]
        self.taken = [0] * self.seats
        self.tricks = [0] * self.seats
        self._ask_play()

    def _ask_play(self) -> None:
        seat = (self.leader + len(self.trick)) % self.seats
        hand = self.hands[seat]
        allowed = allowed_cards(hand, self.trick, first_trick=self.first_trick, broken=self.broken)
        options = self.hand_names[seat] if len(allowed) == len(hand) else names(allowed)
        # A card that is held twice is one option.
        self.decisions = {seat: Decision("play", list(dict.fromkeys(options)))}

    def apply(self, choices: Mapping[int, Choice]) -> list[Told]:
        """Take the cards passed, the card played or the moon's choice."""
        seat = next(iter(choices))
        kind = self.decisions[seat].kind
        if kind == "pass":
            return self._pass(choices)
        option = choices[seat].choose[0]
        return self._play(seat, option) if kind == "play" else self._moon(seat, option)

    def _pass(self, choices: Mapping[int, Choice]) -> list[Told]:
        told: list[Told] = []
        for giver in range(self.seats):
            taker = (giver + STEP[self.pass_to]) % self.seats
            cards = parse_cards(map(str, choices[giver].choose))
            for card in cards:
                self.hands[giver].remove(card)
            self.hands[taker] += cards
            self.gave[giver] = self.got[taker] = passed = sorted_names(cards)
            told.append(((giver, taker), Passed(giver, taker, passed)))
        for hand in self.hands:
            hand.sort()
        self.hand_names = [names(hand) for hand in self.hands]
        self._ask_play()
        return told

    def _play(self, seat: int, option: Option) -> list[Told]:
        card, name = tricks.take_out(option, self.hands[seat], self.hand_names[seat])
        self.trick.append(card)
        self.plays.append((seat, name))
        if POINTS[card]:
            self.broken = True  # R5, D2
        told: list[Told] = [(None, Played(seat, name))]
        if len(self.trick) == self.seats:
            told += self._finish_trick()
        else:
            self._ask_play()
        return told

    def _finish_trick(self) -> list[Told]:
        trick = self.trick
        self.played.append(tricks.finished(self.plays))
        self.trick = []
        self.plays = []
        self.first_trick = False
        place = winning(trick)
        winner = None if place is None else (self.leader + place) % self.seats
        takes_left_over = winner is not None and bool(self.face_down)
        self.set_aside += trick
        if winner is not None:
            self._take(winner)
        told: list[Told] = [
            (None, Trick(winner, names(trick), takes_left_over, len(self.set_aside)))
        ]
        if self.hands[self.leader]:
            self._ask_play()
        else:
            told += self.count_hand([points_of(pile) for pile in self.piles])
        return told

    def _take(self, winner: int) -> None:
        """Give the winner all that waits, this trick included (R7), and the left-over cards (D4).

        A trick that nobody won leaves everything as it is, so its leader leads again (D3).
        """
        self.taken[winner] += points_of(self.set_aside)
        self.piles[winner] += self.set_aside + self.face_down
        self.tricks[winner] += 1
        self.set_aside = []
        self.face_down = []
        self.leader = winner

    def count_hand(self, points: list[int]) -> list[Told]:
        """Score the points of the cards that each seat took, or ask who took them all (R9, D5)."""
        if ALL_POINTS not in points:
            return self.score_hand(points)
        self.decisions = {points.index(ALL_POINTS): Decision("moon", ["add", "subtract"])}
        return []

    def _moon(self, shooter: int, option: Option) -> list[Told]:
        """Score the shooter's choice in place of its points (D6)."""
        choice: MoonChoice = "subtract" if option == "subtract" else "add"
        own, others = (-MOON, 0) if choice == "subtract" else (0, MOON)
        changes = [own if seat == shooter else others for seat in range(self.seats)]
        return [(None, Moon(shooter, choice)), *self.score_hand(changes)]

    def score_hand(self, changes: list[int]) -> list[Told]:
        """Change the scores by the hand, then end the game or deal the next hand (R10)."""
        self.scores = [score + change for score, change in zip(self.scores, changes, strict=True)]
        told: list[Told] = [(None, Scored(changes, list(self.scores), names(self.left_over)))]
        reached = max(self.scores) >= self.rules.target
        if not reached and self.hand < self.rules.max_hands:
            return told + self._deal()
        self.decisions = {}
        merits = [-score for score in self.scores]
        self.outcome = Outcome(list(self.scores), ranks(merits), capped=not reached)
        return told

    def view(self, seat: int) -> CancellationHeartsView:
        """Return what the seat may know."""
        return CancellationHeartsView(
            self.hand,
            self.dealer,
            self.pass_to,
            self.hand_names[seat],
            self.gave[seat],
            self.got[seat],
            self.plays,
            self.played,
            self.broken,
            len(self.set_aside),
            len(self.face_down),
            self.taken,
            self.tricks,
            self.scores,
            self.rules.target,
        )


class CancellationHearts(Game):
    """Cancellation Hearts' declaration."""

    name = "cancellation_hearts"
    title = "Cancellation Hearts"
    seats = range(6, 12)
    typical_seats = 6
    rules_type = CancellationHeartsRules
    view_type = CancellationHeartsView
    event_types = (Hand, Dealt, Passed, Played, Trick, Moon, Scored)
    kinds = ("pass", "play", "moon")
    lowest_wins = True

    def remarks(self, rules: Rules) -> list[str]:
        """Say so where the target is below the usual least."""
        if isinstance(rules, CancellationHeartsRules) and rules.target < USUAL_LEAST_TARGET:
            least = USUAL_LEAST_TARGET
            return [f"{self.name}: target {rules.target} is below {least}, the usual least"]
        return []

    def start(self, seats: int, rules: Any, shuffle: Shuffle) -> CancellationHeartsState:
        """Deal the first hand."""
        return CancellationHeartsState(seats, rules, shuffle)
