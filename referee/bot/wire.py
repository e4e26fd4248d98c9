"""Lines over a pair of non-blocking descriptors: the bot's standard input and output."""

import os
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

    __slots__ = (
        "_is_first",
        "_is_in_shut",
        "_is_skipping",
        "_outbox",
        "_rest",
        "closed_in",
        "closed_out",
        "from_bot",
        "is_clear",
        "lines",
        "skipped_bytes",
        "to_bot",
    )

    def __init__(self, to_bot: int, from_bot: int) -> None:
        self.to_bot = to_bot
        self.from_bot = from_bot
        self.closed_in = False
        self.closed_out = False
        self._is_in_shut = False
        self._outbox = b""
        """What is still to be said."""
        self.lines: deque[bytes] = deque()
        """The lines that have come and were not taken yet, without their ends."""
        self._rest = bytearray()
        self._is_first = True
        """Whether the next byte is the first, where a mark may stand."""
        self._is_skipping = False
        self.is_clear = False
        """Whether all is said and all lines are taken: what comes next begins a line."""
        self.skipped_bytes = 0
        """How much has been left out of a line since ``skip_line``."""

    @property
    def unfinished(self) -> bytes:
        """What has come of a line that is not ended yet."""
        return bytes(self._rest)

    def write(self, data: bytes) -> bool:
        """Say this: write what the pipe takes at once and keep the rest for ``flush``.

        True when all has been written, or can no longer be.
        """
        self._outbox += data
        return self.flush()

    def flush(self) -> bool:
        """Write more of what is still to be said; True as for ``write``."""
        if self._outbox and not self.closed_in:
            try:
                self._outbox = self._outbox[os.write(self.to_bot, self._outbox) :]
            except BlockingIOError:
                pass
            except OSError:  # a broken pipe, above all
                self.closed_in = True
        if self.closed_in:
            self._outbox = b""
        self._check()
        return not self._outbox

    def read(self) -> bytes | None:
        """Read once, at most ``READ_BYTES``, what lies in the pipe; then take the next line."""
        try:
            data = os.read(self.from_bot, READ_BYTES)
        except BlockingIOError:
            return self._take()
        except OSError:
            data = b""
        if data:
            self.take_in(data)
        else:
            self.closed_out = True
        return self._take()

    def next_line(self) -> bytes | None:
        """Take the first of the lines that have come, without its end; None where none has."""
        return self._take()

    def _take(self) -> bytes | None:
        line = self.lines.popleft() if self.lines else None
        self._check()
        return line

    def _check(self) -> None:
        self.is_clear = not (
            self.lines
            or self._rest
            or self._outbox
            or self.closed_in
            or self._is_first
            or self._is_skipping
        )

    def take_in(self, data: bytes) -> None:
        """Put the lines that end in what was read aside, and keep the rest."""
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
        self._check()

    def skip_line(self) -> None:
        """Leave out what has come of an unfinished line, and what will still come of it."""
        self._rest.clear()
        self._is_skipping = True
        self._check()
        self.skipped_bytes = 0

    def close_in(self) -> None:
        """Close the bot's input: nothing more will be said."""
        if not self._is_in_shut:
            os.close(self.to_bot)
        self._is_in_shut = self.closed_in = True
        self._check()

    def close(self) -> None:
        """Close both descriptors."""
        self.close_in()
        os.close(self.from_bot)


class TracedWire(Wire):
    """A wire of which a trace hears every line: what is said, and what is taken.

    It is never clear: nobody goes past it to its descriptors.
    """

    def __init__(self, to_bot: int, from_bot: int, trace: Trace) -> None:
        super().__init__(to_bot, from_bot)
        self._trace = trace

    def write(self, data: bytes) -> bool:
        """Say this, and let it be heard."""
        self._trace(">", data)
        return super().write(data)

    def _take(self) -> bytes | None:
        line = super()._take()
        if line is not None:
            self._trace("<", line)
        return line

    def _check(self) -> None:
        self.is_clear = False

    def close(self) -> None:
        """Let be heard what was said last, that nobody waited for, a part of a line too; close."""
        line = self.read()
        while line is not None:
            line = self.next_line()
        if self._rest:
            self._trace("<", bytes(self._rest))
        super().close()
