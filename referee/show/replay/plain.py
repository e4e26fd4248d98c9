"""A whole game in print."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from referee.show.replay.narrate import Told, Tone, narrate
from referee.show.replay.paint import has_symbols, paint
from referee.show.replay.recording import read

_STYLES = {Tone.HEADING: "bold", Tone.FAULT: "red", Tone.NOTE: "dim", Tone.PLAY: ""}


def replay_plain(record: Sequence[bytes], console: Console, seat: int | None = None) -> None:
    """Print a whole game; ``seat`` shows only what that seat knew when it happened."""
    for told in narrate(read(record), seat, symbols=has_symbols(console)).lines:
        console.print(told_text(told), soft_wrap=True)


def told_text(told: Told) -> Text:
    """Return a told line in its colours."""
    return paint(told.text, _STYLES[told.tone])
