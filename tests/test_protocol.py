"""The wire: every message's exact bytes, and what becomes of everything that a bot may send."""

import time
from contextlib import suppress

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.game import Decision, View
from referee.protocol import (
    MAX_LINE_BYTES,
    Answer,
    Bye,
    Clock,
    End,
    Fault,
    Hello,
    MalformedError,
    Ready,
    Reason,
    Start,
    Turn,
    decode_answer,
    decode_ready,
    encode,
    kept_note,
    printable,
)


class Seen(View):
    """What a seat knows of a very small game."""

    cards: list[str]


CLOCK = Clock(move_ms=1000, bank_ms=5000)
EVENT = msgspec.Raw(b'{"event":"bid","seat":1,"bid":1}')

MESSAGES = {
    "hello": (Hello([1], "0.1.0"), b'{"type":"hello","protocols":[1],"referee":"0.1.0"}\n'),
    "start": (
        Start("oh_hell", {"max_hands": 3}, 2, 1, None, 77, CLOCK),
        (
            b'{"type":"start","game":"oh_hell","rules":{"max_hands":3},"seats":2,"seat":1,'
            b'"names":null,"seed":77,"time":{"move_ms":1000,"bank_ms":5000}}\n'
        ),
    ),
    "fault": (
        Fault(7, Reason.ILLEGAL, "chose 9", 1, forfeit=True),
        (
            b'{"type":"fault","id":7,"reason":"illegal","detail":"chose 9","strikes":1,'
            b'"forfeit":true}\n'
        ),
    ),
    "end": (
        End([EVENT], [3, 1], [1, 2], []),
        (
            b'{"type":"end","events":[{"event":"bid","seat":1,"bid":1}],"scores":[3,1],'
            b'"ranks":[1,2],"forfeited":[]}\n'
        ),
    ),
    "end of a capped game": (
        End([], [3, 1], [1, 2], [1], capped=True),
        b'{"type":"end","events":[],"scores":[3,1],"ranks":[1,2],"forfeited":[1],"capped":true}\n',
    ),
    "bye": (Bye(), b'{"type":"bye"}\n'),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_a_message_is_these_bytes(name: str) -> None:
    message, line = MESSAGES[name]
    assert encode(message) == line


def test_a_turn_holds_id_events_view_decision_and_time_in_this_order() -> None:
    line = encode(Turn(7, [EVENT], Seen(["7H", "9H"]), Decision("play", ["7H", "9H"]), CLOCK))
    assert line == (
        b'{"type":"turn","id":7,"events":[{"event":"bid","seat":1,"bid":1}],'
        b'"view":{"cards":["7H","9H"]},'
        b'"decision":{"kind":"play","options":["7H","9H"],"min":1,"max":1},'
        b'"time":{"move_ms":1000,"bank_ms":5000}}\n'
    )
    assert line.count(b'"options":[') == 1


def test_only_startup_crash_and_limit_end_the_game_at_once() -> None:
    assert {reason for reason in Reason if reason.ends_the_game} == {"startup", "crash", "limit"}


TAKEN = {
    "the least": (b'{"id":7,"choose":["7H"]}', Answer(7, ["7H"])),
    "white space and a carriage return": (b' { "id" : 7,"choose": [ ] }\r', Answer(7, [])),
    "a claim and a note": (
        b'{"id":7,"choose":["7H"],"claim":"K","note":"hm"}',
        Answer(7, ["7H"], "K", "hm"),
    ),
    "null for what is optional": (b'{"id":7,"choose":[],"claim":null,"note":null}', Answer(7, [])),
    "unknown keys": (b'{"type":"x","id":7,"seat":3,"z":[{}],"choose":[1]}', Answer(7, [1])),
    "a key twice: the last counts": (b'{"id":9,"id":7,"choose":[1]}', Answer(7, [1])),
    "an escaped NUL": (rb'{"id":7,"choose":["\u0000"]}', Answer(7, ["\0"])),
    "a pair of surrogates": (rb'{"id":7,"choose":["\ud83c\udca1"]}', Answer(7, ["🂡"])),
    "an integer of 30 digits": (b'{"id":7,"choose":[' + b"9" * 30 + b"]}", Answer(7, [10**30 - 1])),
    "a fraction": (b'{"id":7,"choose":[3.0]}', Answer(7, [3.0])),
    "nesting of 32": (
        b'{"id":7,"choose":[],"z":' + b"[" * 31 + b"]" * 31 + b"}",
        Answer(7, []),
    ),
    "brackets in a string are no nesting": (
        b'{"id":7,"choose":[],"z":"' + b'\\"[{' * 99 + b'"}',
        Answer(7, []),
    ),
    "many brackets side by side": (
        b'{"id":7,"choose":[],"z":[' + b"[]," * 99 + b"0]}",
        Answer(7, []),
    ),
}


@pytest.mark.parametrize("name", TAKEN)
def test_an_answer_is_taken_with(name: str) -> None:
    line, answer = TAKEN[name]
    assert decode_answer(line) == answer


REFUSED = {
    "no JSON": (b"thinking...", "not a JSON object"),
    "nothing": (b"", "not a JSON object"),
    "a list": (b"[]", "Expected `object`, got `array`"),
    "a string": (b'"7H"', "Expected `object`, got `str`"),
    "null": (b"null", "Expected `object`, got `null`"),
    "two documents": (b'{"id":7,"choose":[]}{}', "trailing characters"),
    "a comma too many": (b'{"id":7,"choose":[1,]}', "trailing comma"),
    "NaN": (b'{"id":7,"choose":[NaN]}', "invalid character"),
    "Infinity": (b'{"id":7,"choose":[],"z":Infinity}', "invalid character"),
    "1e400": (b'{"id":7,"choose":[1e400]}', "out of range"),
    "an integer of 5,000 digits": (b'{"id":7,"choose":[' + b"9" * 5000 + b"]}", "out of range"),
    "an id of 5,000 digits": (b'{"id":' + b"9" * 5000 + b',"choose":[]}', "out of range"),
    "no id": (b'{"choose":[]}', "missing required field `id`"),
    "no choose": (b'{"id":7}', "missing required field `choose`"),
    "an id of null": (b'{"id":null,"choose":[]}', "$.id"),
    "an id as a string": (b'{"id":"7","choose":[]}', "$.id"),
    "an id as a fraction": (b'{"id":7.0,"choose":[]}', "$.id"),
    "an id of true": (b'{"id":true,"choose":[]}', "$.id"),
    "an option without its list": (b'{"id":7,"choose":"7H"}', "$.choose"),
    "choose of null": (b'{"id":7,"choose":null}', "$.choose"),
    "a note that is no string": (b'{"id":7,"choose":[],"note":7}', "$.note"),
    "a raw NUL": (b'{"id":7,"choose":["\0"]}', "invalid character"),
    "UTF-16": ('{"id":7,"choose":[]}'.encode("utf-16"), "not UTF-8 (byte 0)"),
    "UTF-16 without a mark": ('{"id":7,"choose":[]}'.encode("utf-16-le"), "not a JSON object"),
    "Latin-1 in an unknown key": (b'{"id":7,"choose":[],"z":"\xe9"}', "not UTF-8 (byte 25)"),
    "a lone surrogate, escaped": (rb'{"id":7,"choose":[],"note":"\ud800"}', "not a JSON object"),
    "a low surrogate, escaped": (rb'{"id":7,"choose":[],"note":"\udc00"}', "surrogate"),
    "a lone surrogate, raw": (b'{"id":7,"choose":["\xed\xa0\x80"]}', "not UTF-8"),
    "a byte-order mark": (b'\xef\xbb\xbf{"id":7,"choose":[]}', "not a JSON object"),
    "nesting of 33": (
        b'{"id":7,"choose":[],"z":' + b"[" * 32 + b"]" * 32 + b"}",
        "nested deeper than 32",
    ),
    "nesting of 60,000": (b'{"id":7,"choose":[],"z":' + b'{"":' * 15000, "nested deeper than 32"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_answer_is_malformed_with(name: str) -> None:
    line, words = REFUSED[name]
    with pytest.raises(MalformedError) as caught:
        decode_answer(line)
    assert words in str(caught.value)


@given(st.binary(max_size=80) | st.text('[]{}"\\,:0e7idchose', max_size=80).map(str.encode))
def test_whatever_comes_is_an_answer_or_malformed(line: bytes) -> None:
    with suppress(MalformedError):
        assert isinstance(decode_answer(line), Answer)


def filled(start: bytes, part: bytes, end: bytes = b"") -> bytes:
    """Return a line of the largest size allowed."""
    return start + part * ((MAX_LINE_BYTES - len(start) - len(end)) // len(part)) + end


SLOW = {
    "arrays side by side": filled(b'{"id":7,"choose":[', b"[],", b"1]}"),
    "objects side by side": filled(b'{"id":7,"choose":[', b'{"a":1},', b"1]}"),
    "arrays in arrays": filled(b'{"id":7,"choose":', b"["),
    "objects in objects": filled(b'{"id":7,"choose":', b'{"":'),
    "strings": filled(b"[" * 40 + b"]" * 40, b'"",'),
    "strings that never end": filled(b"[" * 40, b'"['),
    "a string of quotes that never ends": filled(b"[" * 40 + b'"', rb"\""),
    "backslashes": filled(b"[" * 40, b"\\"),
    "digits": filled(b'{"id":7,"choose":[', b"9", b"]}"),
    "fractions": filled(b'{"id":7,"choose":[0.', b"1", b"]}"),
    "white space": filled(b'{"id":7,"choose":[', b" ", b"]}"),
    "keys": filled(b'{"id":7,', b'"choose":[],', b'"z":0}'),
    "wide characters": filled(b'{"id":7,"choose":["', "🂡".encode(), b'"]}'),
}


@pytest.mark.parametrize("name", SLOW)
def test_no_line_takes_long_to_judge(name: str) -> None:
    taken_ms = []
    for _ in range(5):  # the best of five: other processes take the caches too
        began = time.thread_time()
        with suppress(MalformedError):
            answer = decode_answer(SLOW[name])
            assert Decision("play", ["7H", "9H"]).objection(answer.choose)
        taken_ms.append((time.thread_time() - began) * 1000)
    assert min(taken_ms) < 5


READY = {
    "the least": (b'{"type":"ready"}', Ready("ready")),
    "all it may say": (
        b'{"type":"ready","protocol":1,"name":"n","version":"2","author":"a","z":0}\r',
        Ready("ready", 1, "n", "2", "a"),
    ),
    "null for a text": (b'{"type":"ready","name":null}', Ready("ready")),
}


@pytest.mark.parametrize("name", READY)
def test_a_bot_is_ready_with(name: str) -> None:
    line, ready = READY[name]
    assert decode_ready(line) == ready


NOT_READY = {
    "a banner": (b"Welcome to Bot 3000", "not a JSON object"),
    "an answer": (b'{"id":1,"choose":[]}', "missing required field `type`"),
    "another type": (b'{"type":"hello"}', "$.type"),
    "a protocol that was not offered": (b'{"type":"ready","protocol":2}', "2 was not offered"),
    "a protocol as a string": (b'{"type":"ready","protocol":"1"}', "$.protocol"),
    "a protocol of null": (b'{"type":"ready","protocol":null}', "$.protocol"),
    "a protocol of 5,000 digits": (
        b'{"type":"ready","protocol":' + b"9" * 5000 + b"}",
        "out of range",
    ),
    "a name that is a number": (b'{"type":"ready","name":3}', "$.name"),
    "Latin-1": (b'{"type":"ready","name":"\xe9"}', "not UTF-8"),
}


@pytest.mark.parametrize("name", NOT_READY)
def test_a_bot_is_not_ready_with(name: str) -> None:
    line, words = NOT_READY[name]
    with pytest.raises(MalformedError) as caught:
        decode_ready(line)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("wrote", "shown"),
    [
        (b"plain", "plain"),
        ("🂡 é", "🂡 é"),
        (b"\x1b[31m\x00\t\r", r"\x1b[31m\x00\t\r"),
        ("\u202egnp.exe", r"\u202egnp.exe"),
        (b"\xff\xe9", r"\xff\xe9"),
        (b"x" * 201, "x" * 200 + "... (201 characters)"),
        (b"x" * 200, "x" * 200),
    ],
)
def test_what_a_bot_wrote_is_shown_as_harmless_text(wrote: bytes | str, shown: str) -> None:
    assert printable(wrote) == shown
    assert shown.isprintable()


@pytest.mark.parametrize(
    ("note", "kept"),
    [
        (None, None),
        ("", ""),
        ("x" * 1024, "x" * 1024),
        ("x" * 1025, "x" * 1024),
        ("x" + "é" * 600, "x" + "é" * 511),  # half of a character is none
    ],
)
def test_the_first_kib_of_a_note_is_kept(note: str | None, kept: str | None) -> None:
    assert kept_note(note) == kept
