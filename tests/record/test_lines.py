"""The record's lines: written once, split again, and the forfeiters' ranks."""

import hashlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from referee.protocol import Reason, TimeControl
from referee.record.lines import (
    ChoiceLine,
    EncodedEventLine,
    FaultLine,
    Header,
    NoteLine,
    Player,
    Writer,
    decode,
    encode,
    final_ranks,
    split,
)

HEADER = Header(
    format=1,
    referee="0.1.0",
    game="oh_hell",
    rules={},
    deal=1,
    seed="00" * 32,
    series="0-1-0-1",
    seats=[Player("a", "sha256:0"), Player("b", "sha256:1")],
    time=TimeControl(),
    strikes=1,
    started="2026-01-01T00:00:00.000+00:00",
)


def written() -> bytes:
    writer = Writer(HEADER)
    writer.add(EncodedEventLine(None, Raw(b'{"event":"hand"}')))
    writer.add(EncodedEventLine((1, 3), Raw(b'{"event":"dealt"}')))
    writer.add(FaultLine(1, Reason.TIMEOUT, "-", 1, forfeit=True, id=4))
    writer.add(ChoiceLine(1, "bid", [0], "referee", 9.0, id=4, bank_ms=0))
    writer.add(NoteLine(1, "late"))
    writer.add(ChoiceLine(0, "play", ["7H"], "forced", 0.0))
    return writer.finish([3, 4], [2, 1], [1], capped=False)


def test_a_record_is_written_as_the_protocol_shows_it() -> None:
    assert written().splitlines()[1:7] == [
        b'{"type":"event","to":null,"event":{"event":"hand"}}',
        b'{"type":"event","to":[1,3],"event":{"event":"dealt"}}',
        b'{"type":"fault","seat":1,"reason":"timeout","detail":"-","strikes":1,"forfeit":true,"id":4}',
        b'{"type":"choice","seat":1,"kind":"bid","choose":[0],"by":"referee","ms":9.0,"id":4,"bank_ms":0}',
        b'{"type":"note","seat":1,"detail":"late"}',
        b'{"type":"choice","seat":0,"kind":"play","choose":["7H"],"by":"forced","ms":0.0}',
    ]


def test_the_result_counts_all_choices_and_hashes_all_bytes_before_it() -> None:
    data = written()
    before, last = data[: data.rindex(b"\n", 0, -1) + 1], data.splitlines()[-1]
    assert msgspec.json.decode(last) == {
        "type": "result",
        "scores": [3, 4],
        "ranks": [2, 1],
        "forfeited": [1],
        "decisions": 2,
        "sha256": hashlib.sha256(before).hexdigest(),
    }


def test_capped_stands_in_the_result_only_where_it_is_true() -> None:
    assert b"capped" not in Writer(HEADER).finish([0], [1], [], capped=False)
    assert b'"capped":true' in Writer(HEADER).finish([0], [1], [], capped=True)


def test_every_line_is_read_as_it_was_written() -> None:
    for line in written().splitlines():
        assert encode(decode(line)) == line


def test_a_file_of_records_is_split_at_the_headers() -> None:
    lines = written().splitlines()
    assert list(split(written() * 3)) == [lines] * 3


def test_a_header_is_known_with_other_white_space_and_key_order() -> None:
    header = b'{ "game": "pitch", "type" : "game" }'
    event = b'{"type":"event","to":null,"event":{"event":"scored","game":2}}'
    assert list(split(b"\n".join([header, event, header, event]))) == [[header, event]] * 2


@pytest.mark.parametrize(
    "odd", [b'"game"', b'["game"]', b'{"game":' + b"[" * 100_000, b'"game"\xff']
)
def test_a_damaged_line_is_no_header(odd: bytes) -> None:
    header = encode(HEADER)
    assert list(split(header + b"\n" + odd)) == [[header, odd]]


def test_an_empty_file_holds_no_record() -> None:
    assert list(split(b"")) == []


def test_only_a_newline_ends_a_line() -> None:
    assert list(split(b"a\r\nb\x0bc\n\nd")) == [[b"a\r", b"b\x0bc", b"", b"d"]]


@given(st.lists(st.binary().filter(lambda line: b"\n" not in line), min_size=1))
def test_no_byte_is_lost_in_splitting(lines: list[bytes]) -> None:
    data = b"\n".join(lines) + b"\n"
    assert b"".join(line + b"\n" for record in split(data) for line in record) == data


@pytest.mark.parametrize(
    ("ranks", "forfeits", "final"),
    [
        ([2, 1, 3], {}, [2, 1, 3]),
        ([1, 2, 3, 4], {0: 7}, [4, 1, 2, 3]),  # a winner of the cards included
        ([1, 1, 3], {2: 1}, [1, 1, 3]),
        ([4, 3, 2, 1], {1: 9, 3: 2}, [2, 3, 1, 4]),  # the later one ranks better
        ([1, 2, 3], {0: 5, 2: 5}, [2, 1, 2]),  # in the same decision: equal
        ([1, 2, 3], {0: 0, 1: 0, 2: 4}, [2, 2, 1]),  # all that could not be started: together
        ([1, 2], {0: 0, 1: 0}, [1, 1]),
        ([1, 3, 1, 3], {2: 4}, [1, 2, 4, 2]),  # in a team only the forfeiting seat goes below
    ],
)
def test_who_forfeited_ranks_below_all_who_did_not(
    ranks: list[int], forfeits: dict[int, int], final: list[int]
) -> None:
    assert final_ranks(ranks, forfeits) == final
