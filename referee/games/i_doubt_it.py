"""I Doubt It, also Cheat or Bluff: get rid of your cards, true or not.

R and D numbers are those of the game's page of rules.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Meta, UnsetType

from referee.cards import CARDS, RANK, RANKS, Shuffle, names
from referee.games.game import (
    Choice,
    Dealt,
    Decision,
    Event,
    Game,
    Outcome,
    Rules,
    RulesError,
    State,
    Told,
    View,
    next_seat,
    ranks,
)

ACE = RANKS.index("A")
"""R2: the rank that the first discard must name."""

DOUBT = Decision("doubt", (False, True))
"""What every seat but the discarder is asked after a discard."""


class IDoubtItRules(Rules):
    """The options of I Doubt It."""

    packs: Annotated[
        Literal[1, 2] | None,
        Meta(description="how many packs: 1 for 3 to 5 seats, 2 for 6 to 11; set by the seats"),
    ] = None
    doubt: Annotated[
        Literal["together", "first"],
        Meta(
            description="all answers to one discard count as said at the same time, "
            "or the first doubt to arrive counts"
        ),
    ] = "together"
    max_discards: Annotated[
        int, Meta(ge=1, le=100_000, description="the game ends as it stands after so many discards")
    ] = 500


class Hands(Event):
    """How many cards each seat was dealt; public, and told before ``dealt``."""

    counts: list[int]


class Discarded(Event):
    """Cards were played face down; public. ``pile`` counts them too."""

    seat: int
    count: int
    rank: str
    expected: str
    pile: int


class OwnDiscard(Event):
    """The cards that a seat has just discarded; private, told after ``discarded``."""

    cards: list[str]


class Misnamed(Event):
    """A seat named a wrong rank and took the pile (R4); public."""

    seat: int
    taken: int


class Doubted(Event):
    """A discard was shown, and ``taker`` took the pile; public.

    ``seat`` is the doubter, None where a last discard was shown undoubted (D6).
    """

    seat: int | None
    discarder: int
    cards: list[str]
    honest: bool
    taker: int | None
    taken: int


class Taken(Event):
    """The cards that a seat took with the pile; private, told after their number is."""

    cards: list[str]


class Out(Event):
    """A seat is rid of its cards and wins (R7); public."""

    seat: int


Claim = Annotated[
    msgspec.Raw,
    Meta(
        extra_json_schema={
            "type": "object",
            "properties": {
                "seat": {"type": "integer"},
                "count": {"type": "integer"},
                "rank": {"type": "string"},
            },
            "required": ["seat", "count", "rank"],
        }
    ),
]
"""What a seat said of a discard, as JSON: encoded once, since every later view repeats it."""


class IDoubtItView(View):
    """What a seat may know: its cards, those it has in the pile, and all that happened openly.

    While doubts are open, ``pile``, ``claims``, ``own_pile`` and ``discarded`` count the discard in
    question, and ``rank`` and ``turn`` are still its own; ``discard`` is there only then. ``shown``
    is the last ``doubted``, be it of a doubt or of a last discard.
    """

    cards: list[str]
    counts: list[int]
    pile: int
    claims: list[Claim]
    own_pile: list[str]
    shown: Doubted | None
    rank: str
    turn: int
    discarded: int
    discard: Claim | UnsetType = UNSET


class Discard(NamedTuple):
    """Cards in the pile: who played them, and the rank it named."""

    seat: int
    cards: Sequence[int]
    rank: str


def packs_for(seats: int) -> int:
    """Return how many packs this many seats play with."""
    return 1 if seats <= 5 else 2


class IDoubtItState(State):
    """A game of I Doubt It under way."""

    def __init__(self, seats: int, rules: IDoubtItRules, shuffle: Shuffle) -> None:
        self.seats = seats
        self.rules = rules
        self.discarded = 0
        self.shown: Doubted | None = None
        pack = shuffle(1, packs_for(seats))
        self.set_up([sorted(pack[seat::seats]) for seat in range(seats)])  # R1, D1
        self.opening = [(None, Hands(self._counts()))]
        self.opening += (((seat,), Dealt(names(hand))) for seat, hand in enumerate(self.hands))

    def set_up(
        self,
        hands: Sequence[Iterable[int]],
        pile: Iterable[Discard] = (),
        turn: int = 0,
        due: int = ACE,
    ) -> None:
        """Go on from here: these hands and this pile, ``turn`` to discard, the rank ``due``."""
        self.hands = [sorted(hand) for hand in hands]
        self.turn = turn
        self.due = due
        self._clear_pile()
        for discard in pile:
            self._lay(discard)
        self._ask_discard()

    def _clear_pile(self) -> None:
        self.pile: list[int] = []
        self.own_pile: list[list[int]] = [[] for _ in range(self.seats)]
        self.claims: list[Claim] = []

    def _lay(self, discard: Discard) -> None:
        seat, cards, rank = discard
        self.pile += cards
        self.own_pile[seat] = sorted([*self.own_pile[seat], *cards])
        claim = {"seat": seat, "count": len(cards), "rank": rank}
        self.claims.append(msgspec.Raw(msgspec.json.encode(claim)))

    def _take_pile(self, seat: int) -> list[int]:
        taken = sorted(self.pile)
        self.hands[seat] = sorted(self.hands[seat] + taken)
        self._clear_pile()
        return taken

    def _counts(self) -> list[int]:
        return [len(hand) for hand in self.hands]

    def _ask_discard(self) -> None:
        hand = self.hands[self.turn]
        self.settled_by = None
        self.decisions = {self.turn: Decision("discard", names(hand), 1, len(hand))}

    def _ask_doubt(self) -> None:
        others = [seat for seat in range(self.seats) if seat != self.turn]
        self.settled_by = None
        if self.rules.doubt == "first":
            self.settled_by = True
            others.sort(key=lambda seat: (seat - self.turn) % self.seats)  # R6 settles a tie
        self.decisions = dict.fromkeys(others, DOUBT)

    def apply(self, choices: Mapping[int, Choice]) -> list[Told]:
        """Take a discard, or the answers to one."""
        if self.turn in choices:
            return self._discard(choices[self.turn])
        doubter = self._doubter(choices)
        if doubter is not None:
            return self._show(doubter)
        self._pass_turn()
        return []

    def _discard(self, choice: Choice) -> list[Told]:
        seat = self.turn
        expected = RANKS[self.due]
        rank = expected if choice.claim is None else choice.claim
        self.laid = sorted(CARDS[str(name)] for name in choice.choose)
        for card in self.laid:
            self.hands[seat].remove(card)
        self._lay(Discard(seat, self.laid, rank))
        self.discarded += 1
        told: list[Told] = [
            (None, Discarded(seat, len(self.laid), rank, expected, len(self.pile))),
            ((seat,), OwnDiscard(names(self.laid))),
        ]
        if rank != expected:
            told += self._misname()
        elif not self.hands[seat]:
            told += self._show(None)
        else:
            self._ask_doubt()
        return told

    def _misname(self) -> list[Told]:
        """Give the pile to the discarder, who named a wrong rank (R4, D2)."""
        seat = self.turn
        taken = self._take_pile(seat)
        self._pass_turn()
        return [(None, Misnamed(seat, len(taken))), ((seat,), Taken(names(taken)))]

    def _doubter(self, choices: Mapping[int, Choice]) -> int | None:
        """Return the first seat to doubt (R6), or None."""
        doubters = [seat for seat, choice in choices.items() if choice.choose[0]]
        if not doubters:
            return None
        if self.rules.doubt == "first":
            return doubters[0]
        return min(doubters, key=lambda seat: (seat - self.turn) % self.seats)

    def _show(self, doubter: int | None) -> list[Told]:
        """Show the discard: doubted (R5, D5), or the discarder's last (R7, D6)."""
        honest = all(RANK[card] == self.due for card in self.laid)
        taker = doubter if honest else self.turn
        taken = [] if taker is None else self._take_pile(taker)
        self.shown = Doubted(doubter, self.turn, names(self.laid), honest, taker, len(taken))
        if taker is None:
            self._end(capped=False)
            return [(None, self.shown), (None, Out(self.turn))]
        self._pass_turn()
        return [(None, self.shown), ((taker,), Taken(names(taken)))]

    def _pass_turn(self) -> None:
        """Let the next seat name the next rank (D4), or end at the cap (D7)."""
        if self.discarded == self.rules.max_discards:
            self._end(capped=True)
            return
        self.turn = next_seat(self.turn, self.seats)
        self.due = (self.due - 1) % len(RANKS)  # R2: downwards, and after the twos aces again
        self._ask_discard()

    def _end(self, *, capped: bool) -> None:
        scores = [-count for count in self._counts()]
        self.settled_by = None
        self.decisions = {}
        self.outcome = Outcome(scores, ranks(scores), capped)

    def view(self, seat: int) -> IDoubtItView:
        """Return what the seat may know."""
        return IDoubtItView(
            names(self.hands[seat]),
            self._counts(),
            len(self.pile),
            self.claims,
            names(self.own_pile[seat]),
            self.shown,
            RANKS[self.due],
            self.turn,
            self.discarded,
            UNSET if seat == self.turn else self.claims[-1],
        )


class IDoubtIt(Game):
    """I Doubt It's declaration."""

    name = "i_doubt_it"
    title = "I Doubt It"
    seats = range(3, 12)
    typical_seats = 4
    rules_type = IDoubtItRules
    view_type = IDoubtItView
    event_types = (Hands, Dealt, Discarded, OwnDiscard, Misnamed, Doubted, Taken, Out)
    kinds = ("discard", "doubt")
    claims: ClassVar[Mapping[str, tuple[str, ...]]] = {"discard": tuple(reversed(RANKS))}

    def check(self, rules: Any, seats: int) -> IDoubtItRules:
        """Fill in the number of packs; refuse another than the seats allow."""
        packs = packs_for(seats)
        if rules.packs not in (None, packs):
            raise RulesError(
                f"{self.name}: option packs: must be {packs} with {seats} seats, "
                f"found {rules.packs}"
            )
        completed: IDoubtItRules = msgspec.structs.replace(rules, packs=packs)
        return completed

    def start(self, seats: int, rules: Any, shuffle: Shuffle) -> IDoubtItState:
        """Deal the hand."""
        return IDoubtItState(seats, rules, shuffle)
