"""Drawing a position: the seats around the table, what lies on it, and the hands."""

import math
from collections.abc import Callable, Sequence

from rich.text import Text

from referee.protocol import printable
from referee.show.replay.paint import card_name, cut, paint, suit_name
from referee.show.replay.position import Position
from referee.show.replay.recording import Recording

LEAST_WIDTH, LEAST_HEIGHT = 60, 18
"""The smallest screen that a table is drawn on, in characters."""
TABLE_HEIGHT = 12
_SEAT_WIDTH = 18


class Board:
    """Draws the positions of one recording."""

    def __init__(self, recording: Recording, *, symbols: bool) -> None:
        self.names = [printable(name, 32) for name in recording.names]
        self.symbols = symbols
        header = recording.header
        self.title = printable(header.game.replace("_", " ").title() if header else "", 32)
        self.deal = header.deal if header else 0

    def draw(self, position: Position, seat: int | None, width: int, most_rows: int) -> list[Text]:
        """Return the rows of the picture; with a seat, only its hand is open."""
        rows = [self._heading(position)]
        rows += self._table(position, seat, width)
        rows += self._hands(position, seat, width, max(1, most_rows - len(rows)))
        for row in rows:
            cut(row, width, symbols=self.symbols)
        return rows

    def _cards(self, cards: Sequence[str]) -> str:
        return printable(" ".join(card_name(card, symbols=self.symbols) for card in cards), 400)

    def _heading(self, position: Position) -> Text:
        facts = [f"{self.title}, deal {self.deal}"]
        if position.hand:
            facts.append(f"hand {position.hand}")
        if position.has_trump:
            trump = position.trump
            suit = suit_name(trump, symbols=self.symbols) if trump else ""
            facts.append(f"trump {suit}" if suit else "no trump")
        if position.pitcher is not None:
            facts.append(f"pitcher {position.pitcher}")
        if position.turned:
            facts.append(f"turned {self._cards([position.turned])}")
        if position.pass_to and not position.trick:
            facts.append(f"passing to the {position.pass_to}")
        if position.trick:
            facts.append(f"trick {position.trick}")
        if position.set_aside:
            facts.append(f"{position.set_aside} set aside")
        if position.left_over:
            facts.append(f"{position.left_over} left over")
        return paint("   ".join(facts), "bold")

    def _table(self, position: Position, seat: int | None, width: int) -> list[Text]:
        """Seat all around the table: the viewer, else seat 0, at the bottom, its left clockwise."""
        canvas = _Canvas(width, TABLE_HEIGHT)
        seats = len(self.names)
        played = dict(position.plays)
        for other in range(seats):
            place = _place_of((other - (seat or 0)) % seats, seats)
            name, facts = self._seat(position, other, is_open=seat in (None, other))
            x, y = place(width - _SEAT_WIDTH, TABLE_HEIGHT - 2)
            canvas.put(name, x + _SEAT_WIDTH // 2, y)
            canvas.put(facts, x + _SEAT_WIDTH // 2, y + 1)
            if other in played:
                x, y = place(min(32, width // 3), TABLE_HEIGHT - 6)
                middle = (width - min(32, width // 3)) // 2
                canvas.put(self._played(position, other, played[other]), middle + x, y + 2)
        for row, line in enumerate(self._centre(position, seat), TABLE_HEIGHT // 2 - 2):
            canvas.put(line, width // 2, row)
        return canvas.rows()

    def _seat(self, position: Position, seat: int, *, is_open: bool) -> tuple[Text, Text]:
        # What others only learn with the result is no mark in a seat's view.
        has_left = seat in position.forfeited and (is_open or position.ranks is not None)
        marks = "x " if has_left else "> " if seat in position.deciding else ""
        marks += f"{seat} "
        tail = " D" if seat == position.dealer else ""
        name = Text(self.names[seat])
        cut(name, _SEAT_WIDTH - len(marks) - len(tail), symbols=self.symbols)
        style = "strike" if has_left else "reverse" if seat in position.deciding else "bold"
        return Text.assemble(marks, name, tail, style=style), Text(self._facts(position, seat))

    def _facts(self, position: Position, seat: int) -> str:
        if position.ranks is not None:
            return f"{position.ranks[seat]}. with {position.scores[seat]}"
        if not position.hand:
            return f"{len(position.hands[seat])} cards"
        facts = [str(position.scores[seat])]
        bid = position.bids[seat]
        if bid is not None:
            facts.append("passed" if bid == "pass" else f"bid {bid}")
        if position.trick:
            facts.append(f"won {position.won[seat]}")
        return "  ".join(facts)

    def _played(self, position: Position, seat: int, card: str) -> Text:
        shown = paint(self._cards([card]))
        if sum(other == card for _, other in position.plays) > 1:
            shown.append("x")
            shown.stylize("strike dim")
        elif position.is_won and seat == position.winner:
            shown.append("*")
            shown.stylize("bold reverse")
        return shown

    def _centre(self, position: Position, seat: int | None) -> list[Text]:
        """Say what lies in the middle of the table."""
        if position.is_won and not position.pile:
            winner = position.winner
            return [
                Text(),
                Text("nobody wins" if winner is None else f"{winner} wins"),
            ]
        lines = []
        if position.pile:
            laid = position.pile[-1]
            count = sum(discard.count for discard in position.pile)
            lines = [
                Text(f"{count} on the pile"),
                Text(" ".join(f"{each.count}x{each.rank}" for each in position.pile[-9:])),
                Text(f"{laid.seat} lays {laid.count} as {laid.rank}", "bold"),
            ]
            if laid.cards and seat in (None, laid.seat):
                lines.append(paint(f"({self._cards(laid.cards)})", "dim"))
        if position.verdict:
            lines.append(paint(f"{self._cards(position.shown)} {position.verdict}".strip(), "bold"))
        return lines

    def _hands(
        self, position: Position, seat: int | None, width: int, most_rows: int
    ) -> list[Text]:
        """Lay the hands open side by side, in as many columns as fit.

        Where that takes too many rows the columns are narrower, and long hands cut short: how
        many cards there are stands at the seat.
        """
        hands = [
            paint(f"{other:2} {self._cards(cards)}")
            for other, cards in enumerate(position.hands)
            if seat in (None, other)
        ]
        widest = max((hand.cell_len for hand in hands), default=1) + 3
        columns = max(1, width // widest, math.ceil(len(hands) / most_rows))
        rows = math.ceil(len(hands) / columns)
        room = min(widest, width // columns)
        lines = []
        for row in range(rows):
            line = Text()
            for hand in hands[row::rows]:
                cut(hand, room - 1, symbols=self.symbols)
                hand.pad_right(room - hand.cell_len)
                line.append_text(hand)
            lines.append(line)
        return lines


def _place_of(place: int, seats: int) -> Callable[[int, int], tuple[int, int]]:
    """Return where a place is on an ellipse of a width and height; 0 at the bottom, clockwise."""
    angle = 2 * math.pi * place / seats

    def on(width: int, height: int) -> tuple[int, int]:
        return (
            round(width / 2 * (1 - math.sin(angle))),
            round(height / 2 * (1 + math.cos(angle))),
        )

    return on


class _Canvas:
    """Rows of characters to put text onto."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.texts: list[list[tuple[int, Text]]] = [[] for _ in range(height)]

    def put(self, text: Text, middle: int, row: int) -> None:
        """Put a text with its middle at a column; at an edge it is moved in."""
        start = min(middle - text.cell_len // 2, self.width - text.cell_len)
        self.texts[row].append((max(0, start), text))

    def rows(self) -> list[Text]:
        """Return the rows; a text that would cover another is moved to its right."""
        rows = []
        for texts in self.texts:
            row = Text()
            for start, text in sorted(texts, key=lambda placed: placed[0]):
                gap = start - row.cell_len
                row.append(" " * (gap if gap > 0 or not row else 1))
                row.append_text(text)
            rows.append(row)
        return rows
