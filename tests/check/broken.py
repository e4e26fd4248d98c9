"""Tiny bots, each broken in one way, as files in a folder of their own."""

from pathlib import Path

BOT = """\
import json, sys
BEGIN
def say(data):
    print(json.dumps(data), flush=True)
games = 0
for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if kind == "hello":
        HELLO
    elif kind == "start":
        games += 1
        START
    elif kind == "turn":
        decision = message["decision"]
        choose = decision["options"][: decision["min"]]
        answer = {"id": message["id"], "choose": choose}
        TURN
    elif kind == "end":
        END
    elif kind == "fault":
        FAULT
    elif kind == "bye":
        BYE
"""

_HONEST = {
    "BEGIN": "",
    "HELLO": "say({'type': 'ready'})",
    "START": "pass",
    "TURN": "say(answer)",
    "END": "pass",
    "FAULT": "pass",
    "BYE": "break",
}


def write_bot(folder: Path, name: str = "bot.py", **parts: str) -> Path:
    """Write a bot that plays the first options, but for these parts; return its file."""
    text = BOT
    for part, code in {**_HONEST, **parts}.items():
        text = text.replace(part, code)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path
