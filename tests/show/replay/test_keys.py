"""Keys come one at a time from a terminal, none lost, and the terminal is left as it was."""

import os
import pty
import sys
import termios
import threading
import time
from collections.abc import Iterator

import pytest

from referee.show.replay.keys import END_OF_INPUT, Keyboard


class Terminal:
    """The far end of a terminal that is this process's standard input."""

    def __init__(self) -> None:
        self.far, self.near = pty.openpty()

    def type(self, keys: bytes) -> None:
        os.write(self.far, keys)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    terminal = Terminal()
    with os.fdopen(terminal.near, closefd=True) as near:
        monkeypatch.setattr(sys, "stdin", near)
        yield terminal
    if terminal.far >= 0:
        os.close(terminal.far)


def read_all(keyboard: Keyboard, count: int) -> list[str | None]:
    return [keyboard.read(5) for _ in range(count)]


def test_keys_typed_ahead_come_one_after_another(terminal: Terminal) -> None:
    with Keyboard() as keyboard:
        terminal.type(b"nb 7\n\x7f\xc3\xa9q")
        keys = read_all(keyboard, 8)
    assert keys == ["n", "b", "space", "7", "enter", "backspace", "é", "q"]


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        (b"\x1b[C", "right"),
        (b"\x1bOD", "left"),
        (b"\x1b[1~", "home"),
        (b"\x1b[F", "end"),
        (b"\x1b[15;2~", "\x1b[15;2~"),
    ],
)
def test_an_escape_sequence_is_one_key(terminal: Terminal, typed: bytes, name: str) -> None:
    with Keyboard() as keyboard:
        terminal.type(typed + b"x")
        assert read_all(keyboard, 2) == [name, "x"]


def test_an_escape_sequence_that_comes_in_pieces_is_one_key(terminal: Terminal) -> None:
    with Keyboard() as keyboard:
        terminal.type(b"\x1b")
        late = threading.Timer(0.01, terminal.type, [b"[C"])
        late.start()
        assert keyboard.read(5) == "right"
        late.join()


def test_escape_alone_is_a_key(terminal: Terminal) -> None:
    with Keyboard() as keyboard:
        terminal.type(b"\x1b")
        assert keyboard.read(5) == "escape"


def test_no_key_in_time_is_none(terminal: Terminal) -> None:
    with Keyboard() as keyboard:
        begun = time.monotonic()
        assert keyboard.read(0.02) is None
        assert time.monotonic() - begun >= 0.02
        terminal.type(b"n")
        assert keyboard.read(5) == "n"


def test_a_terminal_that_is_gone_is_the_end_of_input(terminal: Terminal) -> None:
    keyboard = Keyboard()
    with keyboard:
        os.close(terminal.far)
        terminal.far = -1
        assert keyboard.read(5) == END_OF_INPUT


def test_the_terminal_is_as_it_was_also_after_an_error(terminal: Terminal) -> None:
    before = termios.tcgetattr(terminal.near)

    def fail() -> None:
        with Keyboard():
            assert not termios.tcgetattr(terminal.near)[3] & termios.ECHO
            raise ValueError

    with pytest.raises(ValueError, match=r"^$"):
        fail()
    assert termios.tcgetattr(terminal.near) == before
