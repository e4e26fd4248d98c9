"""A person at the table: a bot whose answers are typed.

``python -m referee.show.human TERMINAL`` speaks the protocol on its standard streams, as any bot
does, and with a person on the terminal of that path. It knows the words of the games, no rules.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO, Literal, TextIO

import msgspec
from rich.console import Console

from referee.games.game import Decision, Option
from referee.protocol import Answer, printable
from referee.record.lines import EventLine, ResultLine
from referee.show.replay.commentary import Commentary
from referee.show.replay.paint import SYMBOLS, card_name, has_symbols, paint

HELP = """\
Type what stands after the colon: 7H (or 7♥, 7h), 3, pass, yes; with spaces
between several. The first letters are enough where they are clear.
Ctrl-D leaves the game (a forfeit), Ctrl-C ends it for all."""

_WORDS = {True: ("yes", "true"), False: ("no", "false")}
_LETTERS = str.maketrans({symbol: letter for letter, symbol in SYMBOLS.items()})


def read_choice(typed: str, decision: Decision) -> list[Option]:
    """Return the options that were typed; raises ValueError that says in one line what is wrong."""
    chosen = [_match(word, decision.options) for word in typed.replace(",", " ").split()]
    if objection := decision.objection(chosen):
        raise ValueError(objection)
    return chosen


def _match(word: str, options: Sequence[Option]) -> Option:
    asked = word.translate(_LETTERS).casefold()
    asked = "t" + asked[2:] if asked.startswith("10") and len(asked) == 3 else asked
    forms = {form.casefold(): option for option in options for form in _forms(option)}
    if asked in forms:
        return forms[asked]
    found = {option for form, option in forms.items() if form.startswith(asked)}
    if len(found) == 1:
        return found.pop()
    raise ValueError(f"{printable(word, 20)}: not one of those, or not clear; ? helps")


def _forms(option: Option) -> tuple[str, ...]:
    return _WORDS[option] if isinstance(option, bool) else (str(option),)


class Person:
    """Answers the protocol's messages with what is typed on a terminal."""

    def __init__(self, keyboard: TextIO, console: Console) -> None:
        self.keyboard = keyboard
        self.console = console
        self.symbols = has_symbols(console)
        self.seat = 0

    def answer(self, message: Mapping[str, Any]) -> bytes | None:
        """Take a message; return the answer where one is due. Raises EOFError to leave."""
        match message["type"]:
            case "hello":
                return b'{"type":"ready","name":"human"}\n'
            case "start":
                self._start(message)
            case "turn":
                self._tell(message["events"])
                self.commentary.catch_up()
                decision = msgspec.convert(message["decision"], Decision)
                choose = self._ask(decision, message["view"])
                return msgspec.json.encode(Answer(message["id"], choose)) + b"\n"
            case "fault":
                self._say(f"not accepted: {message['reason']}: {message['detail']}", "red")
            case "end":
                self._end(message)
        return None

    def _start(self, start: Mapping[str, Any]) -> None:
        self.seat = start["seat"]
        names = start["names"] or [""] * start["seats"]
        names[self.seat] = "you"
        self.commentary = Commentary(self.console, start["game"], names, self.seat)
        rules = ", ".join(f"{name} {value}" for name, value in start["rules"].items())
        self._say(f"{start['game']}: you are seat {self.seat} of {start['seats']}", "bold")
        self._say(f"{rules}; ? helps")

    def _tell(self, events: Sequence[dict[str, Any]]) -> None:
        for event in events:
            # Whose cards they are is told of none but one's own.
            to = [self.seat] if event["event"] == "dealt" else None
            self.commentary.hear(EventLine(to, event))

    def _ask(self, decision: Decision, view: Mapping[str, Any]) -> list[Option]:
        cards = view.get("cards")
        if cards and cards != decision.options:
            self._say(f"your hand: {self._shown(cards)}")
        many = f"{decision.min}" + (f" to {decision.max}" * (decision.max > decision.min))
        due = f", {view['rank']} is due" if decision.kind == "discard" and "rank" in view else ""
        options = self._shown(decision.options)
        self._say(f"{decision.kind} ({many} of these{due}): {options}", "bold")
        while True:
            self.console.print("> ", end="")
            typed = self.keyboard.readline()
            if not typed:
                raise EOFError
            if typed.strip() == "?":
                self._say(HELP)
                continue
            try:
                return read_choice(typed, decision)
            except ValueError as error:
                self._say(str(error), "red")

    def _end(self, end: Mapping[str, Any]) -> None:
        self._tell(end["events"])
        capped = end.get("capped", False)
        result = ResultLine(end["scores"], end["ranks"], end["forfeited"], 0, "", capped)
        self.commentary.hear(result)

    def _shown(self, options: Sequence[Option]) -> str:
        return " ".join(
            _forms(option)[0]
            if isinstance(option, bool)
            else card_name(str(option), symbols=self.symbols)
            for option in options
        )

    def _say(self, text: str, style: str = "") -> None:
        self.console.print(paint(text, style), soft_wrap=True)


def speak(person: Person, from_referee: BinaryIO, to_referee: BinaryIO) -> None:
    """Speak the protocol until the referee says bye, or the person leaves."""
    for line in from_referee:
        try:
            answer = person.answer(msgspec.json.decode(line))
        except EOFError:
            return
        if answer is not None:
            to_referee.write(answer)
            to_referee.flush()


def main() -> None:
    """Seat the person whose terminal is named."""
    with _open(sys.argv[1], "r") as keyboard, _open(sys.argv[1], "w") as screen:
        console = Console(
            file=screen,
            force_terminal=True,
            width=os.get_terminal_size(screen.fileno()).columns or 80,
            highlight=False,
            markup=False,
            emoji=False,
        )
        speak(Person(keyboard, console), sys.stdin.buffer, sys.stdout.buffer)


def _open(terminal: str, mode: Literal["r", "w"]) -> TextIO:
    # A bot leads a session: its terminal must not become that session's, and end with it.
    def opener(path: str, flags: int) -> int:
        return os.open(path, flags | os.O_NOCTTY)

    return open(terminal, mode, encoding="utf-8", errors="replace", opener=opener)


if __name__ == "__main__":
    main()
