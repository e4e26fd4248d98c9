"""A bot that plays the first options and misbehaves as its arguments (key=value) say.

``log``: a file to which each start adds its process number, then its child's.
``ready``: what it says first.
``at``: the number of the question, or the type of the message, at which it does ``do``: ``exit``,
``signal``, ``sleep`` or ``close`` (a descriptor), with ``:`` and a number. ``noise``: bytes of
standard error at each question. ``stubborn``: it ignores signals and the end of its input.
``child``: it has a child that keeps the pipes open.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time

given = dict(argument.split("=", 1) for argument in sys.argv[1:])


def say(text: str) -> None:
    """Write a line."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def misbehave(deed: str) -> None:
    """Do what was asked for."""
    name, _, number = deed.partition(":")
    if name == "exit":
        sys.exit(int(number))
    elif name == "signal":
        os.kill(os.getpid(), int(number))
    elif name == "sleep":
        time.sleep(float(number))
    elif name == "close":
        os.close(int(number))
        time.sleep(60)


def play() -> None:
    """Answer until the end of the input."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == given.get("at"):
            misbehave(given["do"])
        if message["type"] == "hello":
            say(given.get("ready", '{"type":"ready"}'))
        if message["type"] != "turn":
            continue
        if str(message["id"]) == given.get("at"):
            misbehave(given["do"])
        sys.stderr.write("x" * int(given.get("noise", "0")))
        sys.stderr.flush()
        decision = message["decision"]
        choose = decision["options"][: decision["min"]]
        say(json.dumps({"id": message["id"], "choose": choose}))


numbers = [os.getpid()]
if "child" in given:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    numbers.append(child.pid)
if "log" in given:
    with open(given["log"], "a", encoding="utf-8") as log:  # noqa: PTH123 it starts faster
        log.writelines(f"{number}\n" for number in numbers)
if "stubborn" in given:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
with contextlib.suppress(BrokenPipeError):
    play()
if "stubborn" in given:
    time.sleep(60)
