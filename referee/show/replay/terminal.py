"""Showing a told record: whole, or step by step on a terminal."""

from collections.abc import Iterator, Sequence
from contextlib import closing

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from referee.show.replay.keys import read_keys
from referee.show.replay.narrate import Line, narrate, read_lines

HELP = "space/right next   left/b back   t trick   h hand   f fault   home end   q quit"


def replay_plain(record: Sequence[bytes], console: Console, seat: int | None = None) -> None:
    """Print a whole game."""
    for line in narrate(read_lines(record), seat, symbols=_has_symbols(console)):
        console.print(_coloured(line), soft_wrap=True)


def replay_terminal(record: Sequence[bytes], console: Console, seat: int | None = None) -> None:
    """Step through a game by keys until it is quit."""
    lines = read_lines(record)
    at = next(_steps(lines, 0, +1, ("choice",)), len(lines))
    with (
        closing(read_keys()) as keys,
        Live(console=console, screen=True, auto_refresh=False) as live,
    ):
        live.update(_screen(lines, at, console, seat), refresh=True)
        for key in keys:
            if key in ("q", "Q", "escape"):
                return
            at = _move(lines, at, key)
            live.update(_screen(lines, at, console, seat), refresh=True)


def _steps(lines: Sequence[Line], at: int, by: int, kinds: Sequence[str]) -> Iterator[int]:
    """Go through the places after lines of these kinds, on or back from a place."""
    places = range(at + 1, len(lines) + 1) if by > 0 else range(at - 1, 0, -1)
    return (place for place in places if lines[place - 1].get("type") in kinds)


def _events(lines: Sequence[Line], at: int, *names: str) -> Iterator[int]:
    """Go through the places after events of these names, on from a place."""
    return (
        place
        for place in range(at + 1, len(lines) + 1)
        if lines[place - 1].get("type") == "event"
        and lines[place - 1].get("event", {}).get("event") in names
    )


def _screen(lines: Sequence[Line], at: int, console: Console, seat: int | None) -> Group:
    """Draw the last of what has been told that fits, and the keys."""
    # What follows from a choice is part of its step: events up to the next choice.
    end = next(_steps(lines, at, +1, ("choice", "fault")), len(lines) + 1) - 1
    told = narrate(lines[:end], seat, symbols=_has_symbols(console))
    rows: list[Text] = []
    for line in told:
        rows += _coloured(line).wrap(console, console.width)
    room = max(1, console.height - 2)
    rows = rows[-room:]
    rows += [Text()] * (room - len(rows))
    return Group(*rows, Text(f"{end} of {len(lines)} lines", style="dim"), Text(HELP, style="dim"))


def _coloured(line: str) -> Text:
    text = Text(line)
    text.highlight_regex(r"[2-9TJQKA]?[♥♦]", "red")
    text.highlight_regex(r"^Hand .*|^The end.*", "bold")
    text.highlight_regex(r"^  ! .*", "red")
    return text


def _has_symbols(console: Console) -> bool:
    return (console.encoding or "").lower().replace("-", "") == "utf8"


def _move(lines: Sequence[Line], at: int, key: str) -> int:
    """Return how many lines have been told after this key."""
    places: Iterator[int] = iter(())
    beyond = len(lines)
    match key:
        case "right" | "n":
            places = _steps(lines, at, +1, ("choice", "result"))
        case "left" | "b" | "p":
            places, beyond = _steps(lines, at, -1, ("choice",)), at
        case "t":
            places = _events(lines, at, "trick", "doubted")
        case "h":
            places = _events(lines, at, "hand")
        case "f":
            places, beyond = _steps(lines, at, +1, ("fault",)), at
        case "home" | "g":
            places = _steps(lines, 0, +1, ("choice",))
        case "end" | "G":
            pass
        case _:
            beyond = at
    return next(places, beyond)
