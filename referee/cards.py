"""Cards, packs and the published shuffle (PROTOCOL.md, sections 1 and 4).

Inside the rules a card is an integer from 0 to 51, ``13 * suit + rank``, so that sorting integers
sorts a hand (clubs, diamonds, hearts, spades; 2 up to ace) and comparing two cards of a suit
compares their ranks. Outside (events, views, options) it is its name: rank then suit, ``"QS"``.
"""

import hashlib
import hmac
import struct
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

RANKS = "23456789TJQKA"
SUITS = "CDHS"
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)

NAMES: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The name of each card: ``NAMES[card]``."""
CARDS: dict[object, int] = {name: card for card, name in enumerate(NAMES)}
"""The card of each name: ``CARDS[name]``."""
SUIT: tuple[int, ...] = tuple(card // 13 for card in range(52))
"""The suit of each card: ``SUIT[card]``, one of CLUBS, DIAMONDS, HEARTS, SPADES."""
RANK: tuple[int, ...] = tuple(card % 13 for card in range(52))
"""The rank of each card, 0 for a 2 up to 12 for an ace: ``RANK[card]``."""

_FAIR = (0, *(2**32 - 2**32 % places for places in range(1, 2 * 52 + 1)))
"""Below which a 32-bit number favours none of so many places: ``_FAIR[places]``."""

Shuffle = Callable[[int, int], list[int]]
"""Gives the shuffled cards of a hand: called with the hand's number (from 1) and the packs."""


def names(cards: Iterable[int]) -> list[str]:
    """Return the names of the cards, in their order."""
    return [NAMES[card] for card in cards]


def sorted_names(cards: Iterable[int]) -> list[str]:
    """Return the names of the cards, sorted as a hand is."""
    return names(sorted(cards))


def parse_cards(cards: Iterable[str]) -> list[int]:
    """Return the cards of these names, in their order; an unknown name is a KeyError."""
    return [CARDS[name] for name in cards]


def deal_cards(pack: list[int], seats: int, first: int, each: int) -> list[list[int]]:
    """Deal ``each`` cards to every seat, one at a time from seat ``first``: sorted hands by seat.

    The cards that are not dealt are ``pack[seats * each:]``.
    """
    dealt = seats * each
    return [sorted(pack[(seat - first) % seats : dealt : seats]) for seat in range(seats)]


def seed_secret(seed: str) -> bytes:
    """Return the secret that a config's seed text stands for."""
    return hashlib.sha256(seed.encode()).digest()


def commitment(secret: bytes) -> str:
    """Return what is published of a secret before the first game: its SHA-256 in hex."""
    return hashlib.sha256(secret).hexdigest()


def deal_seed(secret: bytes, game: str, seats: int, deal: int) -> bytes:
    """Return the 32 bytes that fix every hand of a deal (deal numbers begin at 1)."""
    return hmac.digest(secret, f"{game}/{seats}/{deal}".encode(), "sha256")


def bot_seed(secret: bytes, entry: int, table: int, rotation: int, deal: int, seat: int) -> int:
    """Return the integer below 2**53 that a bot is given for its own random choices in a game."""
    text = f"bot/{entry}/{table}/{rotation}/{deal}/{seat}"
    digest = hmac.digest(secret, text.encode(), "sha256")
    return int.from_bytes(digest[:8], "big") >> 11


def shuffle_of(seed: bytes) -> Shuffle:
    """Return the published shuffle of a deal seed (its 32 raw bytes)."""
    return lambda hand, packs: shuffled(packs, integers(b"%b/hand/%d" % (seed, hand)))


def shuffled(packs: int, numbers: Iterator[int]) -> list[int]:
    """Return packs in order, shuffled by Fisher-Yates with these unsigned 32-bit numbers.

    A number that would favour some of the places is skipped, so that all orders are equally likely.
    """
    cards = list(range(52)) * packs
    places = len(cards)
    for number in numbers:
        if number < _FAIR[places]:
            chosen = number % places
            places -= 1
            cards[places], cards[chosen] = cards[chosen], cards[places]
            if places == 1:
                break
    return cards


def integers(text: bytes) -> Iterator[int]:
    """Return the SHAKE-256 stream of a text as 4-byte big-endian unsigned integers, without end."""
    return chain.from_iterable(_stretches(text))


def _stretches(text: bytes) -> Iterator[tuple[int, ...]]:
    stream = hashlib.shake_256(text)
    # Two of the stream's blocks of 136 bytes are enough for a pack, four for two packs, unless
    # numbers are skipped, which is rare. A digest begins with all the shorter ones.
    begin, end = 0, 2 * 136
    while True:
        yield struct.unpack(f">{(end - begin) // 4}I", stream.digest(end)[begin:])
        begin, end = end, 2 * end
