"""A bot that misbehaves in the way its first argument names; a class is a way.

What it finds out where it looks around goes into its answers' notes. The second argument marks its
processes, so that a test can look for what is left of them; others say where it may look. It is
started some thousand times, and imports only what the way needs.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import time

TYPE_CHECKING = False  # typing's own would cost a fifth of the start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Message = dict[str, Any]

MIB = 1024 * 1024
MARK = sys.argv[2] if len(sys.argv) > 2 else ""
PLACES = sys.argv[3:]


def say(line: bytes | str) -> None:
    """Write bytes, or a text as a line."""
    data = line if isinstance(line, bytes) else f"{line}\n".encode()
    with contextlib.suppress(BrokenPipeError):
        while data:
            data = data[os.write(1, data) :]


def attempt(what: Callable[..., object], *arguments: object) -> str:
    """Try something; return what is said of it."""
    try:
        return f"done: {what(*arguments)}"
    except OSError as error:
        return f"refused: {error.strerror or error}"


def write_file(path: str, size: int) -> int:
    with open(path, "wb") as file:
        file.writelines(bytes(MIB) for _ in range(size // MIB))
    return size


class Honest:
    """The first options, always; all others change some of this."""

    turns = 0
    games = 0

    def run(self) -> None:
        for line in sys.stdin:
            message = json.loads(line)
            getattr(self, message["type"])(message)

    def hello(self, message: Message) -> None:
        say('{"type":"ready"}')

    def start(self, message: Message) -> None:
        self.games += 1

    def turn(self, message: Message) -> None:
        self.turns += 1
        self.answer(message)

    def fault(self, message: Message) -> None:
        pass

    def end(self, message: Message) -> None:
        pass

    def bye(self, message: Message) -> None:
        pass

    def answer(self, message: Message, **other: object) -> None:
        say(json.dumps(self.right(message) | other))

    @staticmethod
    def right(message: Message) -> Message:
        decision = message["decision"]
        return {"id": message["id"], "choose": decision["options"][: decision["min"]]}


class ChoosesLast(Honest):
    """As honest: the last options, always."""

    @staticmethod
    def right(message: Message) -> Message:
        decision = message["decision"]
        return {"id": message["id"], "choose": decision["options"][-decision["min"] :]}


# Rows 1 and 2: the clock.


class Silent(Honest):
    def turn(self, message: Message) -> None:
        time.sleep(3600)


class Late(Honest):
    def turn(self, message: Message) -> None:
        time.sleep(1.2)
        self.answer(message)


class Partial(Honest):
    def turn(self, message: Message) -> None:
        say(b'{"id":')
        time.sleep(3600)


class Trickle(Honest):
    def turn(self, message: Message) -> None:
        for byte in json.dumps(self.right(message)).encode():
            say(bytes([byte]))
            time.sleep(0.2)


class BlankLines(Honest):
    def turn(self, message: Message) -> None:
        while True:
            say(" ")
            time.sleep(0.05)


class StaleAnswers(Honest):
    def turn(self, message: Message) -> None:
        while True:
            say('{"id":0,"choose":[]}')
            time.sleep(0.05)


# Rows 3 and 4: leaving.


class AnswerAndExit(Honest):
    def turn(self, message: Message) -> None:
        self.answer(message)
        sys.exit(0)


class CutLine(Honest):
    def turn(self, message: Message) -> None:
        say(b'{"id":1,"ch')
        sys.exit(0)


# Rows 5 and 6: floods.


class LongLine(Honest):
    def turn(self, message: Message) -> None:
        say(b" " * 70_000 + b"\n")


class EndlessLine(Honest):
    def turn(self, message: Message) -> None:
        for _ in range(1024):
            say(b"x" * MIB)


class Flood(Honest):
    def turn(self, message: Message) -> None:
        while True:
            say("\n" * 1000)


class StderrFlood(Honest):
    def flood(self) -> None:
        for _ in range(20):
            os.write(2, b"e" * 65536)

    def hello(self, message: Message) -> None:
        self.flood()
        super().hello(message)

    def turn(self, message: Message) -> None:
        self.flood()
        self.answer(message)
        self.flood()


# Rows 7 to 14: what the lines say. PLACES holds the line, with $ for the right answer's inside.


class Says(Honest):
    def turn(self, message: Message) -> None:
        right = json.dumps(self.right(message))[1:-1]
        line = PLACES[0].encode("latin-1").decode("unicode_escape").encode("latin-1")
        say(line.replace(b"$", right.encode()).replace(b"#", str(message["id"]).encode()) + b"\n")


class SaysAtFirst(Honest):
    """A line before ``ready``."""

    def hello(self, message: Message) -> None:
        say(PLACES[0])
        super().hello(message)


class WindowsLines(Honest):
    def hello(self, message: Message) -> None:
        say(b'\xef\xbb\xbf{"type":"ready"}\r\n')

    def turn(self, message: Message) -> None:
        say(json.dumps(self.right(message)).encode() + b"\r\n")


class Traceback(Honest):
    def turn(self, message: Message) -> None:
        say("Traceback (most recent call last):")
        sys.exit(1)


class AnswersTwice(Honest):
    def turn(self, message: Message) -> None:
        self.answer(message)
        self.answer(message)


class AnswersBlind(Honest):
    """Answers before it is asked, though it cannot know: a choice that every question has."""

    def start(self, message: Message) -> None:
        say('{"id":1,"choose":[0]}')


# Rows 15 to 19: from the start to the end.


class SlowStart(Honest):
    def hello(self, message: Message) -> None:
        time.sleep(0.5)
        super().hello(message)


class OtherProtocol(Honest):
    def hello(self, message: Message) -> None:
        say('{"type":"ready","protocol":7}')


class AnswersStart(Honest):
    def start(self, message: Message) -> None:
        say('{"type":"ok"}')


class AnswersEnd(Honest):
    def end(self, message: Message) -> None:
        say('{"type":"ok"}')


class ExitsOn(Honest):
    """Exits when the message of this type comes; PLACES: the type, an exit code or a signal."""

    def run(self) -> None:
        for line in sys.stdin:
            message = json.loads(line)
            if message["type"] == PLACES[0]:
                code = int(PLACES[1])
                if code < 0:
                    os.kill(os.getpid(), -code)
                sys.exit(code)
            getattr(self, message["type"])(message)


class ClosesStdin(Honest):
    def turn(self, message: Message) -> None:
        os.close(0)  # before the answer, after which the next question may come at once
        self.answer(message)
        time.sleep(3600)


class ClosesStdout(Honest):
    def turn(self, message: Message) -> None:
        os.close(1)
        time.sleep(3600)


class NeverReads(Honest):
    def run(self) -> None:
        say('{"type":"ready"}')
        time.sleep(3600)


class IgnoresEverything(Honest):
    def bye(self, message: Message) -> None:
        for number in set(signal.valid_signals()) - {signal.SIGKILL, signal.SIGSTOP}:
            with contextlib.suppress(OSError):
                signal.signal(number, signal.SIG_IGN)
        while True:
            time.sleep(3600)


# Rows 20 and 21: processes.


class Forks(Honest):
    def start(self, message: Message) -> None:
        if os.fork() == 0:
            time.sleep(3600)


class Daemon(Honest):
    """A grandchild in a session of its own, with the pipes open, after its parent's end."""

    def start(self, message: Message) -> None:
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                time.sleep(3600)
            os._exit(0)


class SilentDaemon(Daemon):
    """Says nothing, and so does its daemon."""

    def turn(self, message: Message) -> None:
        time.sleep(3600)


class LeavesADaemon(Daemon):
    """Ends in mid-game while its daemon holds the pipes."""

    def turn(self, message: Message) -> None:
        sys.exit(3)


class ForkBomb(Honest):
    def turn(self, message: Message) -> None:
        for _ in range(200):
            if os.fork() == 0:
                time.sleep(3600)
        time.sleep(0.4)
        self.answer(message)


class Threads(Honest):
    def turn(self, message: Message) -> None:
        import threading

        note = "500"
        for started in range(500):
            try:
                threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
            except RuntimeError:
                note = str(started)
                break
        time.sleep(0.4)
        self.answer(message, note=note)


# Row 22: memory and files.


class Memory(Honest):
    def turn(self, message: Message) -> None:
        held = [bytearray(MIB) for _ in range(250)]
        time.sleep(1)
        self.answer(message, note=str(len(held)))


class MemoryOfMany(Honest):
    def turn(self, message: Message) -> None:
        for _ in range(6):
            if os.fork() == 0:
                held = bytearray(os.urandom(MIB)) * 30
                time.sleep(3600)
                print(held[0])
        time.sleep(1)
        self.answer(message)


class SharedMemory(Honest):
    """One piece that many processes map: much resident, counted with each, but held once."""

    def turn(self, message: Message) -> None:
        import mmap

        shared = mmap.mmap(-1, 40 * MIB)
        shared.write(os.urandom(40 * MIB))
        if self.turns == 0:
            for _ in range(5):
                if os.fork() == 0:
                    sum(shared[i] for i in range(0, 40 * MIB, 4096))
                    time.sleep(3600)
        time.sleep(0.5 if self.turns == 0 else 0)
        self.turns += 1
        self.answer(message)


class Fills(Honest):
    """Fills a file; PLACES has its path."""

    def turn(self, message: Message) -> None:
        note = attempt(write_file, PLACES[0], 32 * MIB)
        with contextlib.suppress(OSError):
            os.unlink(PLACES[0])
        self.answer(message, note=note)


class FillsAndDies(Honest):
    def turn(self, message: Message) -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        write_file(PLACES[0], 32 * MIB)


class Memfd(Honest):
    def turn(self, message: Message) -> None:
        def fill() -> int:
            fd = os.memfd_create("hidden")
            return sum(os.write(fd, bytes(MIB)) for _ in range(32))

        self.answer(message, note=attempt(fill))


# Row 23: processor time.


class Spins(Honest):
    """Uses a core whether it is asked or not; answers when it has used as many seconds as given."""

    spinner = os.getpid()

    def hello(self, message: Message) -> None:
        import threading

        super().hello(message)
        threading.Thread(target=self.spin, daemon=True).start()

    def turn(self, message: Message) -> None:
        clock = ~self.spinner << 3 | 2  # that of a process, as clock_getcpuclockid makes it
        while PLACES and time.clock_gettime(clock) < float(PLACES[0]):
            time.sleep(0.01)
        self.answer(message)

    def spin(self) -> None:
        while True:
            sum(range(10_000))


class SpinsInAChild(Spins):
    """The same in a process of its own, which it starts before it is ready."""

    def hello(self, message: Message) -> None:
        self.spinner = os.fork()
        if self.spinner == 0:
            self.spin()
        Honest.hello(self, message)


class Slow(Honest):
    def turn(self, message: Message) -> None:
        time.sleep(0.02)
        self.answer(message)


# Row 24: signals.


class StopsItself(Honest):
    def turn(self, message: Message) -> None:
        os.kill(os.getpid(), signal.SIGSTOP)


class KillsAll(Honest):
    def turn(self, message: Message) -> None:
        notes = []
        for pid in (os.getppid(), -os.getpgrp(), -1):
            if pid in (-os.getpgrp(), -1):
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
            notes.append(attempt(os.kill, pid, signal.SIGTERM))
        notes.append(attempt(os.kill, -1, signal.SIGKILL))
        self.answer(message, note="; ".join(notes))


# Rows 25 to 28: looking around.


class Network(Honest):
    def turn(self, message: Message) -> None:
        import socket

        host, port = PLACES
        found = [
            attempt(socket.create_connection, (host, int(port)), 0.3),
            attempt(socket.getaddrinfo, "example.org", 80),
        ]
        self.answer(message, note="; ".join(found))


class LooksAround(Honest):
    def turn(self, message: Message) -> None:
        found = {
            "processes": sorted(int(name) for name in os.listdir("/proc") if name.isdigit()),
            "own": os.getpid(),
            "root": os.getuid() == 0,
            "descriptors": len(os.listdir("/proc/self/fd")) - 1,
            "environment": sorted(os.environ),
            "places": {place: attempt(os.stat, place).split(":")[0] for place in PLACES},
            "first": attempt(lambda: open("/proc/1/environ").read()),
            "mount": attempt(mount),
        }
        self.answer(message, note=json.dumps(found))


def mount() -> None:
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(0x10000000 | 0x00020000) or libc.mount(b"none", b"/tmp", b"tmpfs", 0, None):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


class Writes(Honest):
    """Writes into its own file, and to the places given."""

    def turn(self, message: Message) -> None:
        found = [attempt(lambda p=place: open(p, "a").write("x")) for place in (__file__, *PLACES)]
        self.answer(message, note="; ".join(found))


class LeavesAFile(Honest):
    """Leaves a file for its next process, which says whether it is there."""

    def turn(self, message: Message) -> None:
        if self.turns == 0:
            self.turns = 1
            path = f"/tmp/{MARK}"
            self.answer(message, note=str(os.path.exists(path)))
            open(path, "w").close()
        else:
            sys.exit(1)


# Row 29: markup.


class Markup(Honest):
    EVIL = "\x1b]0;title\x07\x1b[5;35m[bold]x[/oops] \u202e <script>alert(1)</script> \x9b"

    def hello(self, message: Message) -> None:
        say(json.dumps({"type": "ready", "name": self.EVIL}))

    def turn(self, message: Message) -> None:
        print(self.EVIL, file=sys.stderr, flush=True)
        self.answer(message, note=self.EVIL)
        say(self.EVIL)


if __name__ == "__main__":
    globals()[sys.argv[1]]().run()
