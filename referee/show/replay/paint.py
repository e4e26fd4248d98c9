"""How cards look on a terminal: suits as symbols and in colours, or as plain letters."""

import os
import re

from rich.console import Console
from rich.text import Text

from referee.cards import CARDS

SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
STYLES = {"♣": "green", "♦": "bright_blue", "♥": "red", "♠": ""}
"""Four colours, so that suits are told apart at a glance."""

_CARD = re.compile(rf"[2-9TJQKA]?([{''.join(STYLES)}])")


def has_symbols(console: Console) -> bool:
    """Whether the suits' symbols can be shown: the encoding has them, and so has the terminal."""
    if (console.encoding or "").lower().replace("-", "") != "utf8":
        return False
    # Python writes UTF-8 in the C locale, but who sets it has a terminal that may not show it.
    locale = os.environ.get("LC_ALL") or os.environ.get("LANG") or ""
    return not console.is_terminal or locale not in ("C", "POSIX")


def card_name(card: str, *, symbols: bool) -> str:
    """Return a card as it is shown; what is no card is returned as it is."""
    return card[0] + SYMBOLS[card[1]] if symbols and card in CARDS else card


def suit_name(suit: str, *, symbols: bool) -> str:
    """Return a suit as it is shown; what is no suit is returned as it is."""
    return (SYMBOLS if symbols else SUITS).get(suit, suit)


def paint(text: str, style: str = "") -> Text:
    """Return text with its cards in the colours of their suits."""
    painted = Text(text, style)
    for card in _CARD.finditer(text):
        painted.stylize(STYLES[card[1]], *card.span())
    return painted


def cut(text: Text, width: int, *, symbols: bool) -> None:
    """Cut a text to a width, and mark where it was cut."""
    if text.cell_len > width:
        text.truncate(max(0, width - 1))
        text.append("…" if symbols else "~")
