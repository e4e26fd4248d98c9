"""Lines over a pair of non-blocking descriptors: the bot's standard input and output."""

import os
import select
from collections import deque
from collections.abc import Callable

from referee.protocol import BOM

READ_BYTES = 64 * 1024

Trace = Callable[[str, bytes], None]
"""Hears every line: ``">"`` to the bot, ``"<"`` from it."""


class Wire:
    """Frames lines; never blocks, never raises for what the other side does.

    ``closed_in``: the bot has closed its input, so nothing more can be said. ``closed_out``: it
    has closed its output, and all of that has been read.
    """

    def __init__(self, to_bot: int, from_bot: int, trace: Trace | None = None) -> None:
        self.to_bot = to_bot
        self.from_bot = from_bot
        self.incoming = select.poll()
        """Waits, in the kernel, until there is something to read."""
        self.incoming.register(from_bot, select.POLLIN)
        self.closed_in = False
        self.closed_out = False
        self._is_in_shut = False
        self._trace = trace
        self._outbox = bytearray()
        self.lines: deque[bytes] = deque()
        """The lines that have come and were not taken yet, without their ends."""
        self._rest = bytearray()
        self._is_first = True
        self._is_skipping = False
        self._begins_line = False
        """Whether the next byte begins a line, and not the first, which may have a mark."""
        self.skipped_bytes = 0
        """How much has been left out of a line since ``skip_line``."""

    @property
    def is_flushed(self) -> bool:
        """Whether everything said has been written, or can no longer be."""
        return not self._outbox

    @property
    def unfinished(self) -> bytes:
        """What has come of a line that is not ended yet."""
        return bytes(self._rest)

    def write(self, data: bytes) -> bool:
        """Say this: write what the pipe takes at once and keep the rest for ``flush``.

        True when all has been written, or can no longer be.
        """
        if self._trace is not None:
            self._trace(">", data)
        sent = 0 if self._outbox else self._send(data)
        if sent == len(data):
            return True
        self._outbox += data[sent:]
        self.flush()
        return self.is_flushed

    def flush(self) -> None:
        """Write more of what is still to be said."""
        if self._outbox:
            del self._outbox[: self._send(self._outbox)]

    def _send(self, data: bytes | bytearray) -> int:
        """Write what the pipe takes at once; return how much of it is dealt with."""
        if self.closed_in:
            return len(data)
        try:
            return os.write(self.to_bot, data)
        except BlockingIOError:
            return 0
        except OSError:  # a broken pipe, above all
            self.closed_in = True
            return len(data)

    def read(self) -> bytes | None:
        """Read once, at most ``READ_BYTES``, what lies in the pipe; then take the next line."""
        try:
            data = os.read(self.from_bot, READ_BYTES)
        except BlockingIOError:
            return self.next_line()
        except OSError:
            data = b""
        if data:
            # Nearly always this is one whole line, and need not be put aside.
            if data.find(b"\n") == len(data) - 1 and self._begins_line and not self.lines:
                line = data[:-1]
                if self._trace is not None:
                    self._trace("<", line)
                return line
            self._split(data)
        else:
            self.closed_out = True
        return self.next_line()

    def next_line(self) -> bytes | None:
        """Take the first of the lines that have come, without its end; None where none has."""
        if not self.lines:
            return None
        line = self.lines.popleft()
        if self._trace is not None:
            self._trace("<", line)
        return line

    def _split(self, data: bytes) -> None:
        """Put the lines that end in this aside, and keep the rest."""
        if self._rest:
            self._rest += data
            data = bytes(self._rest)
            self._rest.clear()
        *lines, rest = data.split(b"\n")
        if lines and self._is_first:
            self._is_first = False
            lines[0] = lines[0].removeprefix(BOM)
        if lines and self._is_skipping:
            self._is_skipping = False
            del lines[0]
        if self._is_skipping:
            self.skipped_bytes += len(rest)
        else:
            self.lines += lines
            self._rest += rest
        self._begins_line = not (rest or self._is_first or self._is_skipping)

    def read_out(self) -> None:
        """Let the trace hear what was said last, that nobody waited for; a part of a line too."""
        if self._trace is None:
            return
        self.read()
        while self.lines:
            self.next_line()
        if self._rest:
            self._trace("<", bytes(self._rest))

    def skip_line(self) -> None:
        """Leave out what has come of an unfinished line, and what will still come of it."""
        self._rest.clear()
        self._is_skipping = True
        self._begins_line = False
        self.skipped_bytes = 0

    def close_in(self) -> None:
        """Close the bot's input: nothing more will be said."""
        if not self._is_in_shut:
            os.close(self.to_bot)
        self._is_in_shut = self.closed_in = True

    def close(self) -> None:
        """Close both descriptors."""
        self.close_in()
        os.close(self.from_bot)
