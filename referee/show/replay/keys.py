"""Single keys from a terminal.

The libraries that were tried do not fit: ``readchar`` throws away what is typed ahead, ``blessed``
asks the terminal about itself and waits ten seconds where that does not answer.
"""

import os
import re
import sys
import termios
import tty
from collections.abc import Generator

_KEY = re.compile(rb"\x1b[\[O][0-9;]*[A-Za-z~]|.", re.DOTALL)
_NAMES = {
    b"\x1b[C": "right",
    b"\x1bOC": "right",
    b"\x1b[D": "left",
    b"\x1bOD": "left",
    b"\x1b[H": "home",
    b"\x1bOH": "home",
    b"\x1b[1~": "home",
    b"\x1b[F": "end",
    b"\x1bOF": "end",
    b"\x1b[4~": "end",
    b"\x1b": "escape",
    b"\x7f": "left",
    b"\n": "right",
    b" ": "right",
}


def read_keys() -> Generator[str, None, None]:
    """Give the keys typed on standard input, one after another, without waiting for a line.

    Keys that move have names, the others are what they write. Ends with the input; the terminal
    is as it was when the iterator is closed.
    """
    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    tty.setcbreak(fd, termios.TCSADRAIN)
    try:
        while typed := os.read(fd, 1024):
            for key in _KEY.findall(typed):
                yield _NAMES.get(key, key.decode(errors="replace"))
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)
