"""A worker process: plays the chunks that come in by standard input, one after another.

A chunk, and the outcomes that go out by standard output, is its length in four bytes, big-endian,
and then what ``play_chunk`` takes and gives. When its input ends, and so also when the referee that
started it is killed, it stops its bots at once and ends.
"""

import os
import struct
import sys
from contextlib import suppress

import trio

from referee.bot import Watchdog
from referee.chunk import decode_specs, encode_outcomes, play_specs

_length = struct.Struct(">I")

COMMAND = (sys.executable, "-P", "-m", __spec__.name)
"""What starts a worker; ``-P``, so that no file that lies about there is taken for a module."""


class Frames:
    """Byte strings over a pair of descriptors, which it owns."""

    def __init__(self, in_fd: int, out_fd: int) -> None:
        self._in = trio.lowlevel.FdStream(in_fd)
        self._out = trio.lowlevel.FdStream(out_fd)

    async def send(self, data: bytes) -> None:
        """Send this; raises trio.BrokenResourceError where nobody is there any more."""
        await self._out.send_all(_length.pack(len(data)) + data)

    async def receive(self) -> bytes | None:
        """Return what was sent next; None where that will never be whole."""
        head = await self._read(_length.size)
        return None if head is None else await self._read(*_length.unpack(head))

    async def _read(self, size: int) -> bytes | None:
        data = bytearray()
        while len(data) < size:
            more = await self._in.receive_some(size - len(data))
            if not more:
                return None
            data += more
        return bytes(data)

    async def close(self) -> None:
        """Close both descriptors."""
        await self._out.aclose()
        await self._in.aclose()


async def serve(frames: Frames) -> None:
    """Play what comes until no more does; then no bot is left."""
    watchdog = Watchdog()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(watchdog.run)
        send, receive = trio.open_memory_channel[bytes](1)
        nursery.start_soon(_read, frames, send, nursery.cancel_scope)
        async for chunk in receive:
            outcomes = await play_specs(decode_specs(chunk), watchdog)
            with suppress(trio.BrokenResourceError):  # nobody is there any more: the input ends too
                await frames.send(encode_outcomes(outcomes))


async def _read(
    frames: Frames, send: trio.MemorySendChannel[bytes], everything: trio.CancelScope
) -> None:
    while (chunk := await frames.receive()) is not None:
        await send.send(chunk)
    everything.cancel()


def main() -> None:
    """Be a worker."""
    # Whatever else is written to standard output, by a game or a library, is no frame.
    frames_out = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    trio.run(_main, os.dup(sys.stdin.fileno()), frames_out)


async def _main(in_fd: int, out_fd: int) -> None:
    await serve(Frames(in_fd, out_fd))


if __name__ == "__main__":
    main()
