"""Bots without a process: scripts that play the other side of a bot's pipes as trio tasks."""

import json
import os
from collections.abc import Awaitable, Callable
from typing import Any

import trio

from referee.bot import Bot, Watchdog
from referee.bot.ask import Verdict
from referee.bot.spawn import Launch
from referee.bot.stream import Tail
from referee.bot.wire import Wire

Message = dict[str, Any]


class Peer:
    """The bot's end of the pipes."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self.read_fd = read_fd
        self.write_fd = write_fd
        self.heard: list[Message] = []
        self._rest = b""

    async def read(self) -> Message | None:
        """Read the next message; None when the referee has closed the pipe."""
        while b"\n" not in self._rest:
            await trio.lowlevel.wait_readable(self.read_fd)
            data = os.read(self.read_fd, 65536)
            if not data:
                return None
            self._rest += data
        line, self._rest = self._rest.split(b"\n", 1)
        message: Message = json.loads(line)
        self.heard.append(message)
        return message

    async def turn(self) -> Message | None:
        """Read on to the next question."""
        while (message := await self.read()) is not None:
            if message["type"] == "turn":
                return message
        return None

    def say(self, data: bytes | Message) -> None:
        """Write bytes as they are, or a message as its line."""
        line = data if isinstance(data, bytes) else json.dumps(data).encode() + b"\n"
        os.write(self.write_fd, line)

    def answer(self, turn: Message, *choose: object, **more: object) -> None:
        """Answer a question."""
        self.say({"id": turn["id"], "choose": list(choose), **more})

    def hang_up(self) -> None:
        """Close the bot's output."""
        os.close(self.write_fd)
        self.write_fd = -1

    def stop_listening(self) -> None:
        """Close the bot's input."""
        os.close(self.read_fd)
        self.read_fd = -1


Script = Callable[[Peer], Awaitable[None]]


class ScriptedBot(Bot):
    """A bot that needs no process: its wire leads to a script."""

    def __init__(self, watchdog: Watchdog, name: str = "bot") -> None:
        super().__init__(Launch([name], "."), watchdog, Tail(1024))
        out_read, out_write = os.pipe()
        in_read, in_write = os.pipe()
        os.set_blocking(in_write, False)
        os.set_blocking(out_read, False)
        self.listen_to(Wire(in_write, out_read))
        self.peer = Peer(in_read, out_write)
        self.stopped_after_ms: int | None = None

    @property
    def heard(self) -> list[Message]:
        """What the bot has read, and what lies in its pipe still."""
        return self.peer.heard

    @property
    def is_alive(self) -> bool:
        """Whether it has not been stopped."""
        return self.stopped_after_ms is None

    def has_ended(self) -> str | None:
        """Say nothing: there is no process that could end."""
        return None

    async def ending(self) -> str:
        """Say how the process that is not there ended."""
        return "is a script"

    async def stop(self, grace_ms: int, *, say_bye: bool = False) -> None:  # noqa: ARG002
        """Note that it was stopped."""
        self.stopped_after_ms = grace_ms
        self.wire.close_in()

    def fail_to_start(self, verdict: Verdict) -> None:
        """Be a bot that could not be started."""
        self.verdict = verdict

    def close(self) -> None:
        """Close all four ends."""
        self.wire.close()
        for fd in (self.peer.read_fd, self.peer.write_fd):
            if fd >= 0:
                os.close(fd)


async def first_options(peer: Peer) -> None:
    """Play the first options, always."""
    while (turn := await peer.turn()) is not None:
        decision = turn["decision"]
        peer.answer(turn, *decision["options"][: decision["min"]])
