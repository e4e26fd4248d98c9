"""Where a replay stands, and what each key does to it."""

from collections.abc import Callable, Sequence

from referee.record.lines import ChoiceLine, EventLine, FaultLine
from referee.show.replay.keys import END_OF_INPUT
from referee.show.replay.recording import Recording, Unreadable

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Steps a second."""
IDLE_S = 0.5
"""How long a replay that does not play waits for a key, before it looks at the screen's size."""


class Player:
    """Where a replay stands and what is shown of it; ``press`` and ``tick`` are all that moves it.

    A step is a place in the recording's ``steps``.
    """

    def __init__(self, recording: Recording, seat: int | None = None) -> None:
        self.recording = recording
        self.seat = seat
        """Whose view is shown; None is all open."""
        self.step = 0
        self.shows_notes = True
        self.shows_help = False
        self.is_playing = False
        self.speed = SPEEDS.index(2.0)
        self.typed = ""
        """The number that is being typed."""
        self.has_quit = False
        steps = [recording.lines_of(step) for step in range(len(recording.steps))]
        self.last = len(steps) - 1
        self.tricks = _where(steps, lambda line: _is_event(line, "trick", "doubted", "misnamed"))
        self.hands = _where(steps, lambda line: _is_event(line, "hand", "hands"))
        self.faults = _where(steps, lambda line: isinstance(line, FaultLine | Unreadable))
        self.decisions: list[int] = []
        """How many choices have been made after each step."""
        made = 0
        for lines in steps:
            made += sum(isinstance(line, ChoiceLine) for line in lines)
            self.decisions.append(made)

    @property
    def wait_s(self) -> float:
        """How long to wait for a key."""
        return 1 / SPEEDS[self.speed] if self.is_playing else IDLE_S

    def tick(self) -> None:
        """Take note that ``wait_s`` has passed without a key."""
        if self.is_playing:
            self.next()
            self.is_playing = self.step < self.last

    def press(self, key: str) -> None:
        """Do what a key says; one that means nothing only ends the help."""
        if key.isdecimal() and key.isascii():
            self.typed = (self.typed + key)[-7:]
        elif self.typed:
            self._finish_number(key)
        elif self.shows_help and key == "?":
            self.shows_help = False
        else:
            self.shows_help = False
            ACTIONS.get(key, _nothing)(self)

    def _finish_number(self, key: str) -> None:
        number, self.typed = int(self.typed), ""
        if key == "enter":
            steps = range(self.last + 1)
            self.step = next((step for step in steps if self.decisions[step] >= number), self.last)
        elif key == "backspace":
            self.typed = str(number)[:-1]

    def next(self) -> None:
        """Go on by a step."""
        self.step = min(self.last, self.step + 1)

    def back(self) -> None:
        """Go back by a step."""
        self.step = max(0, self.step - 1)

    def start(self) -> None:
        """Go to before the first decision."""
        self.step = 0

    def end(self) -> None:
        """Go to the result."""
        self.step = self.last

    def next_of(self, steps: Sequence[int]) -> None:
        """Go to the next of these steps; where there is none, stay."""
        self.step = min((step for step in steps if step > self.step), default=self.step)

    def last_of(self, steps: Sequence[int]) -> None:
        """Go back to the last of these steps before this one; where there is none, stay."""
        self.step = max((step for step in steps if step < self.step), default=self.step)

    def play(self) -> None:
        """Play on, or pause."""
        self.is_playing = not self.is_playing and self.step < self.last

    def change_speed(self, by: int) -> None:
        """Play faster or slower."""
        self.speed = min(max(0, self.speed + by), len(SPEEDS) - 1)

    def see(self, seat: int | None) -> None:
        """Show only what a seat knew; None shows all, and so does a seat that is not there."""
        self.seat = seat if seat is not None and seat < len(self.recording.names) else None

    def toggle_notes(self) -> None:
        """Show the bots' remarks, or hide them."""
        self.shows_notes = not self.shows_notes

    def help(self) -> None:
        """Show the keys."""
        self.shows_help = True

    def quit(self) -> None:
        """End the replay."""
        self.has_quit = True


ACTIONS: dict[str, Callable[[Player], None]] = {
    **dict.fromkeys(("space", "right", "n", "enter"), Player.next),
    **dict.fromkeys(("left", "b", "backspace"), Player.back),
    **dict.fromkeys(("home", "g"), Player.start),
    **dict.fromkeys(("end", "G"), Player.end),
    "t": lambda player: player.next_of(player.tricks),
    "T": lambda player: player.last_of(player.tricks),
    "h": lambda player: player.next_of(player.hands),
    "H": lambda player: player.last_of(player.hands),
    "f": lambda player: player.next_of(player.faults),
    "F": lambda player: player.last_of(player.faults),
    "p": Player.play,
    "+": lambda player: player.change_speed(+1),
    "=": lambda player: player.change_speed(+1),
    "-": lambda player: player.change_speed(-1),
    "s": lambda player: player.see(0 if player.seat is None else player.seat + 1),
    "a": lambda player: player.see(None),
    "r": Player.toggle_notes,
    "?": Player.help,
    **dict.fromkeys(("q", "Q", END_OF_INPUT), Player.quit),
}
"""What a key does, by its name in ``keys`` or by what it writes."""

KEYS = "space next  b back  t trick  h hand  f fault  p play  s seat  ? help  q quit"
HELP = (
    "space, right, n, enter   the next step",
    "left, b, backspace       a step back",
    "t, T                     the next trick or doubt, the one before",
    "h, H                     the next hand, the one before",
    "f, F                     the next fault, the one before",
    "home, g    end, G        the beginning    the end",
    "37 and enter             decision 37",
    "p    +, -                play or pause    faster, slower",
    "s    a                   what the next seat knew    all open",
    "r                        the bots' remarks: shown or hidden",
    "?    q                   these keys    quit",
    "",
    "At a seat: > decides, D deals, x has forfeited. At a card: * wins, x is cancelled.",
)


def _nothing(_player: Player) -> None:
    """Take a key that means nothing."""


def _is_event(line: object, *names: str) -> bool:
    return isinstance(line, EventLine) and line.event.get("event") in names


def _where(steps: Sequence[Sequence[object]], is_it: Callable[[object], bool]) -> list[int]:
    """Return the steps that have such a line."""
    return [step for step, lines in enumerate(steps) if any(map(is_it, lines))]
