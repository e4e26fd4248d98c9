"""A record is checked with nothing but itself, and any edited byte is found."""

import random
import sys
from functools import cache
from pathlib import Path

import msgspec
import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.bot import Watchdog
from referee.bot.process import Launch
from referee.games.game import find_game
from referee.protocol import TimeControl
from referee.record.lines import Player, split
from referee.record.verify import verify_record
from referee.series import SeriesSpec, play_series
from referee.table import Deal, Setting

BOTS = Path(__file__).parent.parent.parent / "bots"

FAULTY = """
import json, sys
turns = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "turn":
        turns += 1
        options = message["decision"]["options"][: message["decision"]["min"]]
        choose = ["nothing"] if turns in (2, 4) else options
        print(json.dumps({"id": message["id"], "choose": choose, "note": "so"}), flush=True)
"""
"""Plays the first options; its second and its fourth answer are illegal."""

GAMES: dict[str, tuple[int, dict[str, object]]] = {
    "oh_hell": (3, {"hands": "up"}),
    "pitch": (4, {"teams": True, "max_hands": 4}),
    "cancellation_hearts": (6, {"target": 40}),
    "i_doubt_it": (4, {}),
    "i_doubt_it first": (4, {"doubt": "first"}),
}


@cache
def record(name: str) -> bytes:
    """Play a game of two greedy bots, a faulty one that forfeits, and random ones."""
    seats, options = GAMES[name]
    game = find_game(name.split(maxsplit=1)[0])
    rules = msgspec.to_builtins(game.rules(options, seats))
    launches = {
        f"bot{seat}": Launch([sys.executable, "greedy_bot.py"], str(BOTS)) for seat in range(seats)
    }
    launches["bot1"] = Launch([sys.executable, "-c", FAULTY], str(BOTS))
    launches["bot2"] = Launch([sys.executable, "random_bot.py"], str(BOTS))
    deal = Deal(1, "ab" * 32, [Player(bot, "sha256:0") for bot in launches], [1] * seats)
    time = TimeControl(move_ms=5000)
    setting = Setting(game.name, rules, time, strikes=2, names_shown=False, series="0-1-0-1")

    async def play() -> bytes:
        watchdog = Watchdog()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watchdog.run)
            result = await play_series(SeriesSpec(setting, [deal], launches), watchdog)
            nursery.cancel_scope.cancel()
        return result.records[0]

    return trio.run(play)


def lines_of(data: bytes) -> list[bytes]:
    return [line for lines in split(data) for line in lines]


@pytest.mark.parametrize("name", GAMES)
def test_a_real_record_with_faults_and_a_forfeit_holds(name: str) -> None:
    data = record(name)
    assert b'"type":"fault"' in data
    assert b'"forfeited":[1]' in data
    assert verify_record(lines_of(data)) is None


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_any_edited_byte_is_found(name: str, seed: int) -> None:
    rng = random.Random(seed)
    data = record(name)
    at = rng.randrange(len(data))
    edited = {
        "flip": data[:at] + bytes([data[at] ^ (1 << rng.randrange(7))]) + data[at + 1 :],
        "insert": data[:at] + bytes([rng.randrange(256)]) + data[at:],
        "delete": data[:at] + data[at + 1 :],
        "cut": data[:at],
    }[rng.choice(["flip", "insert", "delete", "cut"])]
    if edited.split() == data.split():
        return  # white space between lines
    problem = verify_record(
        edited.split(b"\n")[:-1] if edited.endswith(b"\n") else edited.split(b"\n")
    )
    assert problem is not None
    assert "\n" not in problem.detail


def edit(name: str, old: bytes, new: bytes, count: int = 1) -> str:
    """Replace in a record and say what is found wrong, after the line's kind."""
    data = record(name)
    assert old in data
    problem = verify_record(lines_of(data.replace(old, new, count)))
    assert problem is not None
    return problem.detail


def test_an_edited_event_is_named_with_what_it_should_be() -> None:
    assert edit("oh_hell", b'"event":"hand","hand":1,', b'"event":"hand","hand":2,').startswith(
        'should be {"type":"event","to":null,"event":{"event":"hand","hand":1,'
    )


def test_a_choice_that_is_not_possible_is_named() -> None:
    detail = edit("oh_hell", b'"kind":"bid","choose":[0]', b'"kind":"bid","choose":[99]')
    assert "99, which is not among the options" in detail


def test_a_choice_by_the_wrong_hand_is_named() -> None:
    detail = edit("oh_hell", b'"by":"referee"', b'"by":"bot"')
    assert detail == "this choice is made by referee, not by bot"


def test_a_strike_that_is_counted_wrongly_is_named() -> None:
    assert edit("pitch", b'"strikes":1,"forfeit":false', b'"strikes":2,"forfeit":false') == (
        "seat 1 has 1 strikes, not 2"
    )


def test_another_seed_is_found_in_the_first_event() -> None:
    assert "should be" in edit("pitch", b"abab", b"cdcd")


def test_a_newer_format_is_named() -> None:
    detail = edit("pitch", b'{"type":"game","format":1,', b'{"type":"game","format":2,')
    assert detail == "format 2; this referee reads 1"


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"{}", b"[" * 100_000, b'{"type":"note"}'])
def test_what_is_no_record_is_a_problem_and_no_crash(data: bytes) -> None:
    assert verify_record([data] if data else []) is not None


def test_records_written_with_other_white_space_and_key_order_hold_but_for_their_hash() -> None:
    lines = [
        msgspec.json.encode(dict(sorted(msgspec.json.decode(line).items(), reverse=True)))
        for line in lines_of(record("pitch"))
    ]
    problem = verify_record(lines)
    assert problem is not None
    assert problem.line == len(lines)
    assert '"sha256"' in problem.detail
