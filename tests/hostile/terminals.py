"""What a command writes when a terminal, or something worse, is at its other end."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

PATIENCE_S = 60


def set_size(terminal: int, columns: int, rows: int = 24) -> None:
    """Give a terminal this size; who reads from it is told by SIGWINCH."""
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def on_terminal(
    words: Sequence[str],
    folder: Path,
    *,
    columns: Sequence[int] = (80,),
    env: Mapping[str, str] | None = None,
    keys: bytes = b"",
) -> tuple[bytes, int]:
    """Run a command on a terminal of its own; return all that it wrote, and its exit code.

    The terminal gets one width after another, and at last the keys.
    """
    ours, theirs = pty.openpty()
    set_size(ours, columns[0])
    full_env = {**os.environ, "TERM": "xterm-256color", **(env or {})}
    process = subprocess.Popen(
        words,
        cwd=folder,
        env=full_env,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    widths = list(columns[1:])
    shown = b""
    deadline = time.monotonic() + PATIENCE_S
    try:
        while time.monotonic() < deadline:
            if select.select([ours], [], [], 0.2)[0]:
                try:
                    shown += os.read(ours, 65536)
                except OSError:  # how a terminal says that nobody is there any more
                    break
            if widths and len(shown) > 200:
                set_size(ours, widths.pop(0))
                process.send_signal(signal.SIGWINCH)
            if not widths and keys:
                os.write(ours, keys)
                keys = b""
    finally:
        os.close(ours)
        process.kill() if process.poll() is None and time.monotonic() >= deadline else None
    return shown, process.wait(timeout=10)
