"""What trick-taking games share.

A trick is its leader and its cards in play order; card ``i`` was played by seat
``(leader + i) % seats``.
"""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Annotated

import msgspec

from referee.cards import CARDS, RANK, RANKS, SUIT
from referee.games.game import Event, Option

Play = tuple[int, str]
"""A seat and the name of the card it played."""


class Played(Event):
    """A card was played; public."""

    seat: int
    card: str


class Trick(Event):
    """A trick was won; public."""

    winner: int
    cards: list[str]


FinishedTrick = Annotated[
    msgspec.Raw,
    msgspec.Meta(
        extra_json_schema={
            "type": "array",
            "items": {
                "type": "array",
                "prefixItems": [{"type": "integer"}, {"type": "string"}],
                "minItems": 2,
                "maxItems": 2,
            },
        }
    ),
]
"""A finished trick, a list of plays, as JSON: encoded once, since every later view repeats it."""


_encode = msgspec.json.Encoder().encode


def follow_suit(hand: Sequence[int], trick: Sequence[int]) -> Sequence[int]:
    """Return the cards of a sorted hand that follow the suit led, or all of it where none does."""
    if not trick:
        return hand
    lowest = trick[0] - RANK[trick[0]]
    first = bisect_left(hand, lowest)
    return hand[first : bisect_left(hand, lowest + len(RANKS), first)] or hand


def take_out(option: Option, hand: list[int], hand_names: list[str]) -> tuple[int, str]:
    """Take the card of this name out of a hand, and out of the names beside it; return both."""
    card = CARDS[option]
    place = hand.index(card)
    del hand[place]
    return card, hand_names.pop(place)


def winning(trick: Sequence[int], trump: int | None) -> int:
    """Return which card of a trick wins it: the highest trump, else the highest of the suit led."""
    best = trick[0]
    for card in trick:
        suit = SUIT[card]
        if card > best if suit == SUIT[best] else suit == trump:
            best = card
    return trick.index(best)


def finished(plays: Sequence[Play]) -> FinishedTrick:
    """Return a finished trick for the views to come."""
    return msgspec.Raw(_encode(plays))
