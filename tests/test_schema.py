"""The JSON Schema against what really went over the wire, by a validator that is not ours."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from referee.games.game import games
from referee.match import make_match, play
from referee.protocol import TimeControl
from referee.schema import protocol_schema

BOTS = Path(__file__).parent.parent / "bots"
SCHEMA = protocol_schema()

MATCHES = [
    ("cancellation_hearts", 6, ["target=30"]),
    ("pitch", 4, ["teams=true", "max_hands=2"]),
    ("oh_hell", 3, []),
    ("i_doubt_it", 3, ["max_discards=40"]),
    ("i_doubt_it", 4, ["doubt=first", "max_discards=20"]),
]


def validator(**part: Any) -> Draft202012Validator:
    """Return what checks against a part of the schema's document."""
    return Draft202012Validator({**part, "$defs": SCHEMA["$defs"]})


def transcript(game: str, seats: int, options: list[str]) -> Iterator[tuple[str, Any]]:
    """Play a short game between example bots; go through what went either way."""
    match = make_match(
        game,
        [BOTS / ("random_bot.py" if seat % 2 else "greedy_bot.py") for seat in range(seats)],
        options=options,
        time=TimeControl(move_ms=5000),
        deals=1,
        seed="schema",
        sandbox="off",
    )
    lines = io.StringIO()
    play(match, force=False, trace=lines)
    for line in lines.getvalue().splitlines():
        _, _, way, message = line.split(" ", 3)
        yield way, json.loads(message)


def test_the_schema_is_itself_a_valid_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    for part in (SCHEMA["to_bot"], SCHEMA["from_bot"], *SCHEMA["games"].values()):
        Draft202012Validator.check_schema(part)


@pytest.mark.parametrize(("game", "seats", "options"), MATCHES)
def test_real_transcripts_fit_the_schema(game: str, seats: int, options: list[str]) -> None:
    to_bot, from_bot = validator(**SCHEMA["to_bot"]), validator(**SCHEMA["from_bot"])
    parts = SCHEMA["games"][game]
    rules, view, event = (validator(**parts[part]) for part in ("rules", "view", "event"))
    kinds = set()
    events = set()
    for way, message in transcript(game, seats, options):
        (to_bot if way == ">" else from_bot).validate(message)
        if message.get("type") == "start":
            rules.validate(message["rules"])
        if message.get("type") == "turn":
            view.validate(message["view"])
            kinds.add(message["decision"]["kind"])
        for told in message.get("events", ()):
            event.validate(told)
            events.add(told["event"])
    assert kinds >= set(games()[game].kinds) - {"moon"}
    assert len(events) >= 4


@pytest.mark.parametrize(
    "broken",
    [
        {"id": "7", "choose": [1]},
        {"id": 7, "choose": 1},
        {"choose": [1]},
        {"type": "ready", "protocol": "1"},
        {"type": "turn"},
    ],
)
def test_what_a_bot_may_not_send_does_not_fit(broken: dict[str, Any]) -> None:
    assert not validator(**SCHEMA["from_bot"]).is_valid(broken)


@pytest.mark.parametrize("key", ["view", "decision", "events", "id"])
def test_a_question_without_one_of_its_keys_does_not_fit(key: str) -> None:
    turn: dict[str, Any] = {
        "type": "turn",
        "id": 1,
        "events": [],
        "view": {},
        "decision": {"kind": "bid", "options": [0, 1], "min": 1, "max": 1},
        "time": {"move_ms": 1, "bank_ms": 1},
    }
    check = validator(**SCHEMA["to_bot"])
    check.validate(turn)
    del turn[key]
    assert not check.is_valid(turn)
