"""What a process says and nobody answers: standard error; its ends are kept."""

import os
import select
from collections import deque

import trio

from referee.bot.wire import READ_BYTES
from referee.protocol import MAX_NOTE_BYTES

PAUSE_S = 0.002
"""A flood is taken in at a bounded pace, so that it costs the referee little."""


class Tail:
    """The head and the tail of what was said, each at most ``half_bytes``; the rest is counted."""

    def __init__(self, half_bytes: int) -> None:
        self._half_bytes = half_bytes
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_bytes = 0
        self._dropped_bytes = 0

    def add(self, data: bytes) -> None:
        """Keep what there is room for."""
        room = self._half_bytes - len(self._head)
        self._head += data[:room]
        if rest := data[room:]:
            self._tail.append(rest)
            self._tail_bytes += len(rest)
            while self._tail_bytes - len(self._tail[0]) >= self._half_bytes:
                dropped = len(self._tail.popleft())
                self._tail_bytes -= dropped
                self._dropped_bytes += dropped

    def kept(self) -> bytes:
        """Return the head and the tail, and between them how much was left out."""
        tail = b"".join(self._tail)
        dropped = self._dropped_bytes + max(0, len(tail) - self._half_bytes)
        gap = b"\n... %d bytes left out ...\n" % dropped if dropped else b""
        return bytes(self._head) + gap + tail[-self._half_bytes :]

    def end(self, most: int = 4096) -> str:
        """Return the last ``most`` bytes as text."""
        return self.kept()[-most:].decode(errors="backslashreplace")


class Stream:
    """A non-blocking descriptor that is read as it comes, into a ``Tail``."""

    def __init__(self, fd: int, tail: Tail) -> None:
        self.fd = fd
        self._tail = tail
        self.fresh = bytearray()
        """The first 1 KiB that was read since this was last cleared."""
        self._waiting = select.poll()
        self._waiting.register(fd, select.POLLIN)

    def read(self) -> bool:
        """Read once what lies in the pipe; False where nothing will come any more."""
        try:
            data = os.read(self.fd, READ_BYTES)
        except BlockingIOError:
            return True
        self._tail.add(data)
        self.fresh += data[: MAX_NOTE_BYTES - len(self.fresh)]
        return bool(data)

    def look(self) -> None:
        """Read what lies in the pipe, if there is something: a third of what a read costs else."""
        if self._waiting.poll(0):
            self.read()

    async def drain(self) -> None:
        """Read till the other side is closed."""
        while True:
            await trio.lowlevel.wait_readable(self.fd)
            if not self.read():
                return
            await trio.sleep(PAUSE_S)
