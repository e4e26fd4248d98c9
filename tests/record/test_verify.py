"""A record is checked with nothing but itself, and any edited byte is found."""

import hashlib
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import msgspec
import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.bot import Watchdog
from referee.bot.spawn import Launch
from referee.games.game import find_game
from referee.protocol import TimeControl
from referee.record.lines import Player, split
from referee.record.verify import Problem, verify_record
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
        if turns == 4:
            print("thinking", file=sys.stderr, flush=True)
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
    strikes = 1 if name == "i_doubt_it" else 2
    setting = Setting(game.name, rules, time, strikes=strikes, names_shown=False, series="0-1-0-1")

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
@settings(max_examples=60)
@given(
    kind=st.sampled_from(["flip", "insert", "delete", "cut"]),
    place=st.floats(0, 1, exclude_max=True),
    byte=st.integers(1, 255),
)
def test_any_edited_byte_is_found(name: str, kind: str, place: float, byte: int) -> None:
    data = record(name)
    at = int(len(data) * place)
    edited = {
        "flip": data[:at] + bytes([data[at] ^ byte]) + data[at + 1 :],
        "insert": data[:at] + bytes([byte]) + data[at:],
        "delete": data[:at] + data[at + 1 :],
        "cut": data[:at],
    }[kind]
    records = list(split(edited))
    problems = [verify_record(lines) for lines in records]
    if problems == [None]:
        assert says_the_same(edited, data)
    else:
        assert not any(problem and "\n" in problem.detail for problem in problems)


def says_the_same(edited: bytes, data: bytes) -> bool:
    """Whether the edit is white space in the last line or at its end: no hash is of that."""
    *before, last = lines_of(edited)
    *right_before, right_last = lines_of(data)
    return before == right_before and msgspec.json.decode(last) == msgspec.json.decode(right_last)


def test_a_record_cut_at_any_line_ends_too_early() -> None:
    lines = lines_of(record("pitch"))
    for count in range(len(lines)):
        problem = verify_record(lines[:count])
        assert problem is not None
        assert problem.line == count + 1
        assert problem.detail.startswith("the record ends where")


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


def test_an_event_with_a_number_of_another_type_is_not_the_same_event() -> None:
    assert edit("oh_hell", b'"event":"hand","hand":1,', b'"event":"hand","hand":1.0,').startswith(
        "should be"
    )
    assert edit("oh_hell", b'"event":"hand","hand":1,', b'"event":"hand","hand":true,').startswith(
        "should be"
    )


def test_an_event_told_to_another_seat_is_found() -> None:
    assert edit("pitch", b'"to":[0],"event":{"event":"dealt"', b'"to":[1],"event":{"event":"dealt"')


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
    assert detail == "format 2 is newer than format 1, which this referee reads"


def test_a_newer_format_is_named_though_its_header_cannot_be_read() -> None:
    problem = verify_record([b'{"type":"game","format":7,"players":[]}'])
    assert problem is not None
    assert problem.detail.startswith("format 7 is newer")


FAULT = rb'"seat":1,"reason":"illegal"(,"detail":"[^{]*","strikes":1,"forfeit":false),"id":(\d+)'
OWN_CHOICE = rb'("seat":0,"kind":"\w+","choose":\[[^]]*\],"by":"bot","ms":[0-9.]+,"id":)(\d+)'


@pytest.mark.parametrize(
    ("pattern", "by", "says"),
    [
        (rb'"kind":"play","choose"', b'"kind":"bid","choose"', "must play, not bid"),
        (rb'"by":"forced"', b'"by":"bot"', "this choice is made by forced, not by bot"),
        (rb'("by":"forced","ms":0.0)', rb'\1,"id":1', "is not asked here: no id"),
        (rb'"by":"forced","ms":0.0', b'"by":"forced","ms":1.0', "is not asked here"),
        (rb'("by":"forced","ms":0.0)', rb'\1,"note":"x"', "only a bot's own choice has"),
        (OWN_CHOICE + rb"(.*?)" + OWN_CHOICE, rb"\g<1>9\2\3\4\5", "asked question"),
        (rb'("by":"bot","ms":[0-9.]+,"id":\d+),"bank_ms":\d+', rb"\1", "has an id, a bank_ms"),
        (rb'"bank_ms":20000}', b'"bank_ms":20001}', "a bank of at most 20000 ms, not 20001"),
        (rb'("by":"bot","ms":[0-9.]+,"id":\d+)', rb'\1,"claim":"A"', "'A' cannot be claimed here"),
        (FAULT, rb'"seat":1,"reason":"illegal"\1', "has the question's id"),
        (FAULT, rb'"seat":1,"reason":"illegal"\1,"id":9\2', "the fault was in question 9"),
        (FAULT, rb'"seat":1,"reason":"startup"\1,"id":\2', "is not startup"),
        (FAULT, rb'"seat":1,"reason":"crash"\1,"id":\2', "forfeit should be true"),
        (FAULT, rb'"seat":2,"reason":"illegal"\1,"id":\2', "is to choose here, not seat 2"),
        (rb'"strikes":2,"forfeit":true', b'"strikes":2,"forfeit":false', "forfeit should be true"),
        (rb'("type":"note","seat":)1', rb"\g<1>3", "there is no seat 3"),
        (rb'"strikes":2,"started"', b'"strikes":0,"started"', "strikes is at least 1, not 0"),
        (rb'"seed":"ab', b'"seed":"AB', "64 lower-case hex digits"),
        (rb'"hands":"up",', b"", "do not name every option"),
        (rb'"game":"oh_hell"', b'"game":"whist"', "no game 'whist'"),
        (rb'"forfeited":\[1\]', b'"forfeited":[]', "should be"),
        (rb'("type":"result".*)\Z', rb"\1{}", "a record ends with its result"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(pattern: bytes, by: bytes, says: str) -> None:
    data = record("oh_hell")
    edited = re.sub(pattern, by, data, count=1, flags=re.DOTALL)
    assert edited != data
    problem = verify_record(lines_of(edited))
    assert problem is not None
    assert says in problem.detail


def test_a_line_that_is_none_of_a_record_s_is_named() -> None:
    lines = lines_of(record("pitch"))
    for odd in (b"{", b'{"type":"bid"}', b"\xff", b"[" * 100_000):
        problem = verify_record([*lines[:3], odd, *lines[3:]])
        assert problem is not None
        assert problem.line == 4
        assert problem.detail.startswith("not a line of a record: ")


def test_a_record_begins_with_its_header() -> None:
    problem = verify_record(lines_of(record("pitch"))[1:])
    assert problem == Problem(1, "a record begins with its header, type game")


def without(name: str, is_it: Callable[[bytes], bool], place: int = 0) -> Problem | None:
    """Verify a record without a line: ``place`` lines after the first such."""
    lines = lines_of(record(name))
    first = next(number for number, line in enumerate(lines) if is_it(line)) + place
    return verify_record(lines[:first] + lines[first + 1 :])


def test_a_choice_that_is_missing_is_named() -> None:
    problem = without("oh_hell", lambda line: b'"type":"choice"' in line)
    assert problem is not None
    assert problem.detail == "should be a choice of seat 0"
    problem = without("oh_hell", lambda line: b'"type":"fault"' in line, 1)
    assert problem is not None
    assert problem.detail == "should be a choice of seat 1"


def test_simultaneous_choices_stand_in_the_order_of_seats() -> None:
    lines = lines_of(record("cancellation_hearts"))
    first = next(place for place, line in enumerate(lines) if b'"kind":"pass"' in line)
    lines[first : first + 3] = [lines[first + 1], lines[first + 2], lines[first]]
    problem = verify_record(lines)
    assert problem is not None
    assert problem.line == first + 1
    assert problem.detail.startswith("seat 0 is to choose here, not seat")


def test_a_seat_without_a_choice_makes_no_fault() -> None:
    lines = lines_of(record("oh_hell"))
    forced = next(place for place, line in enumerate(lines) if b'"by":"forced"' in line)
    seat = msgspec.json.decode(lines[forced])["seat"]
    fault = (
        b'{"type":"fault","seat":%d,"reason":"illegal","detail":"","strikes":1,'
        b'"forfeit":false,"id":9}' % seat
    )
    problem = verify_record([*lines[:forced], fault, *lines[forced:]])
    assert problem is not None
    assert problem.detail == f"seat {seat} is not asked here: it has no choice"


def test_the_referee_chooses_the_first_options_and_nothing_else() -> None:
    lines = lines_of(record("oh_hell"))
    bid = re.compile(rb'"kind":"bid","choose":\[0\],"by":"referee"')
    place = next(place for place, line in enumerate(lines) if bid.search(line))
    lines[place] = lines[place].replace(b'"choose":[0]', b'"choose":[1]')
    problem = verify_record(lines)
    assert problem == Problem(place + 1, "the referee's choice would be [0]")


def test_a_second_bid_in_place_of_a_play_is_not_the_game() -> None:
    lines = lines_of(record("pitch"))
    choice = next(line for line in lines if b'"type":"choice"' in line)
    problem = verify_record([*lines[:-1], choice, lines[-1]])
    assert problem is not None
    assert problem.line == len(lines)
    assert problem.detail == "should be the result: the game is over"


def test_a_seat_that_forfeited_has_no_more_faults() -> None:
    lines = lines_of(record("oh_hell"))
    last = max(place for place, line in enumerate(lines) if b'"forfeit":true' in line)
    later = next(
        place
        for place, line in enumerate(lines[last + 4 :], last + 4)
        if line.startswith(b'{"type":"choice","seat":1') and b'"by":"referee"' in line
    )
    problem = verify_record([*lines[:later], lines[last], *lines[later:]])
    assert problem is not None
    assert problem.detail == "seat 1 has forfeited already"


def test_bots_that_could_not_be_started_stand_before_the_first_event() -> None:
    fault = b'{"type":"fault","seat":%d,"reason":"%b","detail":"","strikes":1,"forfeit":true}'
    lines = lines_of(record("pitch"))

    def found(*faults: bytes) -> str:
        problem = verify_record([lines[0], *faults, *lines[1:]])
        assert problem is not None
        return f"{problem.line}: {problem.detail}"

    assert found(fault % (0, b"crash")).startswith("2: before the first decision a fault is")
    assert found(fault % (9, b"startup")) == "2: there is no seat 9"
    assert found(*[fault % (0, b"startup")] * 2) == "3: seat 0 has forfeited already"
    # A true one is taken, and from there on the referee chooses.
    assert found(fault % (0, b"startup")).endswith("this choice is made by referee, not by bot")


def test_after_the_first_doubt_no_answer_counts() -> None:
    lines = lines_of(record("i_doubt_it first"))
    doubt = next(place for place, line in enumerate(lines) if b'"choose":[true]' in line)
    problem = verify_record([*lines[: doubt + 1], lines[doubt], *lines[doubt + 1 :]])
    assert problem is not None
    assert problem.line == doubt + 2
    assert problem.detail.startswith('should be {"type":"event","to":null,"event":{"event":"doub')


def test_what_is_said_of_a_long_line_is_short_and_harmless() -> None:
    problem = verify_record([record("pitch").replace(b"ab" * 32, b"\\u001b" * 9000)])
    assert problem is not None
    assert len(problem.detail) < 600
    assert problem.detail.isprintable()


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"{}", b"[" * 100_000, b'{"type":"note"}'])
def test_what_is_no_record_is_a_problem_and_no_crash(data: bytes) -> None:
    assert verify_record([data] if data else []) is not None


def test_records_written_with_other_white_space_and_key_order_hold() -> None:
    lines = [
        msgspec.json.encode(dict(sorted(msgspec.json.decode(line).items(), reverse=True)))
        for line in lines_of(record("pitch"))
    ]
    problem = verify_record(lines)
    assert problem is not None
    assert problem.line == len(lines)
    right = msgspec.json.decode(lines[-1])
    right["sha256"] = hashlib.sha256(b"".join(line + b"\n" for line in lines[:-1])).hexdigest()
    assert verify_record([*lines[:-1], msgspec.json.format(msgspec.json.encode(right))]) is None
