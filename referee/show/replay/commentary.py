"""A game told while it is played."""

from collections.abc import Sequence
from contextlib import suppress

from rich.console import Console

from referee.record.lines import Header, Line, decode
from referee.show.replay.narrate import Narrator
from referee.show.replay.paint import has_symbols
from referee.show.replay.plain import told_text
from referee.show.replay.recording import DRAWN


class Commentary:
    """Prints what has been told of a game line by line; ``seat`` as in ``narrate``."""

    def __init__(
        self, console: Console, game: str, names: Sequence[str], seat: int | None = None
    ) -> None:
        self.console = console
        self.narrator = Narrator(names, seat, drawn=game in DRAWN, symbols=has_symbols(console))

    def hear(self, line: Line) -> None:
        """Take the next line of the record and print what it completes."""
        self.narrator.hear(line)
        self._print()

    def catch_up(self) -> None:
        """Print the line that still grows, as one that has ended: somebody must decide now."""
        if growing := self.narrator.growing():
            self.console.print(told_text(growing), soft_wrap=True)

    def _print(self) -> None:
        for told in self.narrator.told:
            self.console.print(told_text(told), soft_wrap=True)
        self.narrator.told.clear()


class Watch:
    """Tells the games of a match as their records are written, every hand open.

    When nobody reads on (``| head``) the match is played to its end in silence.
    """

    def __init__(self, console: Console) -> None:
        self.console = console

    def __call__(self, data: bytes) -> None:
        """Hear a record's line."""
        line = decode(data)
        if isinstance(line, Header):
            names = [player.bot for player in line.seats]
            self.commentary = Commentary(self.console, line.game, names)
        with suppress(SystemExit):  # rich's answer to a broken pipe, after which it is quiet
            self.commentary.hear(line)
