"""Stepping through a game on a terminal."""

import sys
from collections.abc import Sequence
from functools import cache

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from referee.show.replay.board import LEAST_HEIGHT, LEAST_WIDTH, Board
from referee.show.replay.keys import Keyboard
from referee.show.replay.narrate import Telling, narrate
from referee.show.replay.paint import has_symbols
from referee.show.replay.plain import replay_plain, told_text
from referee.show.replay.player import HELP, KEYS, SPEEDS, Player
from referee.show.replay.position import positions
from referee.show.replay.recording import read

LEAST_TOLD = 3
"""How many rows there are for words below a picture."""
MOST_ROWS_A_LINE = 3
"""A line that would take more is cut short."""


class Screen:
    """Draws a player."""

    def __init__(self, player: Player, console: Console) -> None:
        self.player = player
        self.console = console
        symbols = has_symbols(console)
        recording = player.recording
        self.positions = positions(recording)
        self.board = Board(recording, symbols=symbols)

        @cache
        def telling(seat: int | None) -> Telling:
            return narrate(recording, seat, symbols=symbols)

        self.telling = telling

    def rows(self, width: int, height: int) -> list[Text]:
        """Return the rows that fill a screen of this size."""
        player = self.player
        top: list[Text] = []
        if player.shows_help:
            top = [Text(line) for line in HELP]
        elif player.recording.is_drawn and width >= LEAST_WIDTH and height >= LEAST_HEIGHT:
            position = self.positions[player.step]
            top = self.board.draw(position, player.seat, width, height - LEAST_TOLD - 2)
        room = max(0, height - len(top) - 2)
        lines = [*top, *self._told(width, room)][: max(0, height - 2)]
        lines += [Text()] * (height - 2 - len(lines))
        return [*lines, self._status(width), Text(KEYS[:width], style="dim")][-height:]

    def _told(self, width: int, room: int) -> list[Text]:
        """Return the last of what has been told that fits."""
        player = self.player
        told = self.telling(player.seat).until(player.step, room, notes=player.shows_notes)
        rows: list[Text] = []
        for line in told:
            wrapped = told_text(line).wrap(self.console, width)
            rows += wrapped[:MOST_ROWS_A_LINE]
        return rows[max(0, len(rows) - room) :]

    def _status(self, width: int) -> Text:
        player = self.player
        facts = [f"decision {player.decisions[player.step]} of {player.decisions[-1]}"]
        facts.append("all open" if player.seat is None else f"as seat {player.seat} knew it")
        if not player.shows_notes:
            facts.append("remarks hidden")
        if player.is_playing:
            facts.append(f"playing, {SPEEDS[player.speed]:g} steps a second")
        if player.faults:
            facts.append(f"{len(player.faults)} with faults")
        if player.typed:
            facts.append(f"go to {player.typed}")
        status = Text("   ".join(facts), style="reverse")
        status.truncate(width, pad=True)
        return status


def replay_terminal(record: Sequence[bytes], console: Console, seat: int | None = None) -> None:
    """Step through a game by keys until it is quit; where no keys can be read, print it whole."""
    if console.is_dumb_terminal or not sys.stdin.isatty():
        replay_plain(record, console, seat)
        return
    player = Player(read(record), seat)
    screen = Screen(player, console)
    with Keyboard() as keyboard, Live(console=console, screen=True, auto_refresh=False) as live:
        shown: object = None
        while not player.has_quit:
            size = console.size
            state = (size, vars(player).copy())
            if state != shown:
                live.update(Group(*screen.rows(size.width, size.height)), refresh=True)
                shown = state
            key = keyboard.read(player.wait_s)
            if key is None:
                player.tick()
            else:
                player.press(key)
