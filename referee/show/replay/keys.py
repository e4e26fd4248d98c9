"""Single keys from a terminal.

The libraries that were tried do not fit: ``readchar`` throws away what is typed ahead, ``blessed``
asks the terminal about itself and waits ten seconds where that does not answer.
"""

import os
import re
import select
import sys
import termios
import tty
from collections import deque
from contextlib import suppress
from types import TracebackType
from typing import Self

END_OF_INPUT = "end of input"
"""Read when nothing more will be typed, as when the terminal is closed."""

_KEY = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]|.", re.DOTALL)
_UNFINISHED = re.compile(rb"\x1b([\[O][0-9;]*)?\Z")
_UNFINISHED_S = 0.05
"""How long the rest of an escape sequence is waited for; over a network it may come later."""
_NAMES = {
    "\x1b[C": "right",
    "\x1bOC": "right",
    "\x1b[D": "left",
    "\x1bOD": "left",
    "\x1b[H": "home",
    "\x1bOH": "home",
    "\x1b[1~": "home",
    "\x1b[F": "end",
    "\x1bOF": "end",
    "\x1b[4~": "end",
    "\x1b": "escape",
    "\x7f": "backspace",
    "\b": "backspace",
    "\n": "enter",
    "\r": "enter",
    " ": "space",
}


class Keyboard:
    """The keys typed on standard input, without waiting for a line and without showing them.

    A context manager: the terminal is as it was when it is left.
    """

    def __init__(self) -> None:
        self._fd = sys.stdin.fileno()
        self._typed: deque[str] = deque()

    def __enter__(self) -> Self:
        self._before = termios.tcgetattr(self._fd)
        tty.setcbreak(self._fd, termios.TCSADRAIN)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with suppress(termios.error):  # the terminal is gone
            termios.tcsetattr(self._fd, termios.TCSADRAIN, self._before)

    def read(self, timeout_s: float) -> str | None:
        """Return the next key, by its name or as what it writes; None when none comes in time."""
        if not self._typed:
            if not self._is_readable(timeout_s):
                return None
            data = self._read()
            while _UNFINISHED.search(data) and self._is_readable(_UNFINISHED_S):
                more = self._read()
                if not more:
                    break
                data += more
            keys = _KEY.findall(data.decode(errors="replace"))
            self._typed.extend(_NAMES.get(key, key) for key in keys or [END_OF_INPUT])
        return self._typed.popleft()

    def _is_readable(self, timeout_s: float) -> bool:
        return bool(select.select([self._fd], [], [], timeout_s)[0])

    def _read(self) -> bytes:
        try:
            return os.read(self._fd, 1024)
        except OSError:  # the terminal is gone
            return b""
