"""A record's lines are read whatever is wrong with them, and cut into what is seen at once."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.record.lines import (
    ChoiceLine,
    EventLine,
    FaultLine,
    Header,
    NoteLine,
    ResultLine,
    encode,
)
from referee.record.verify import verify_record
from referee.show.replay.recording import Unreadable, read
from tests.show.replay.recorded import GAMES, recorded


@pytest.mark.parametrize("name", GAMES)
def test_the_records_of_these_tests_hold(name: str) -> None:
    assert verify_record(recorded(name)) is None


@pytest.mark.parametrize("name", GAMES)
def test_every_line_stands_in_one_step(name: str) -> None:
    recording = read(recorded(name))
    places = [place for step in recording.steps for place in step]
    assert places == list(range(len(recording.lines)))
    assert all(recording.steps)


@pytest.mark.parametrize("name", GAMES)
def test_a_step_has_the_choices_made_together_and_what_follows(name: str) -> None:
    recording = read(recorded(name))
    for step in range(1, len(recording.steps) - 1):
        lines = recording.lines_of(step)
        choices = [line for line in lines if isinstance(line, ChoiceLine)]
        if not choices:
            assert isinstance(lines[0], EventLine)
            assert lines[0].event["event"] == "hand"
            continue
        assert len({line.kind for line in choices}) == 1
        assert len({line.seat for line in choices}) == len(choices)
        kinds = ["event" if isinstance(line, EventLine) else "choice" for line in lines]
        assert kinds == sorted(kinds)  # no choice after an event


def test_the_first_step_is_all_before_the_first_choice_and_the_last_the_result() -> None:
    recording = read(recorded("oh_hell"))
    assert isinstance(recording.lines_of(0)[0], Header)
    assert not any(isinstance(line, ChoiceLine) for line in recording.lines_of(0))
    assert isinstance(recording.lines_of(len(recording.steps) - 1)[0], ResultLine)


def test_a_fault_and_its_notes_stand_before_the_choice_that_they_led_to() -> None:
    recording = read(recorded("pitch"))
    forfeit = next(
        step
        for step in range(len(recording.steps))
        if any(isinstance(line, NoteLine) for line in recording.lines_of(step))
    )
    fault, note, choice = recording.lines_of(forfeit)[:3]
    assert isinstance(fault, FaultLine)
    assert isinstance(note, NoteLine)
    assert isinstance(choice, ChoiceLine)
    assert choice.by == "referee"


def test_passing_cards_is_one_step_for_all_seats() -> None:
    recording = read(recorded("cancellation_hearts"))
    choices = [line for line in recording.lines_of(1) if isinstance(line, ChoiceLine)]
    assert [line.seat for line in choices] == list(range(6))


@pytest.mark.parametrize(
    "odd",
    [
        b"",
        b"\xff",
        b"[1]",
        b"{}",
        b'{"type":"event","to":[0]}',
        b"[" * 100_000,
        b'{"type":"event","to":null,"event":{"event":"played","seat":"1","card":"7H"}}',
        b'{"type":"event","to":null,"event":{"event":"flown","seat":1}}',
    ],
)
def test_a_line_that_cannot_be_shown_says_so(odd: bytes) -> None:
    header = recorded("oh_hell")[0]
    lines = read([header, odd]).lines
    assert isinstance(lines[1], Unreadable)
    assert lines[1].detail.startswith("line 2 of the record is damaged: ")


def test_choices_of_another_kind_or_of_the_same_seat_are_another_step() -> None:
    first, other_seat, other_kind = (
        encode(ChoiceLine(seat, kind, [1], "bot", 0.0))
        for seat, kind in [(0, "bid"), (1, "bid"), (2, "play")]
    )
    assert read([first, other_seat]).steps == [range(2)]
    assert read([first, other_kind]).steps == [range(1), range(1, 2)]
    assert read([first, first]).steps == [range(1), range(1, 2)]


def test_no_lines_are_one_empty_step() -> None:
    recording = read([])
    assert recording.steps == [range(0)]
    assert recording.header is None
    assert not recording.is_drawn


def test_a_game_that_is_not_installed_is_read_and_not_drawn() -> None:
    header = recorded("oh_hell")[0].replace(b'"game":"oh_hell"', b'"game":"whist"')
    event = b'{"type":"event","to":null,"event":{"event":"odd","x":1}}'
    recording = read([header, event])
    assert not recording.is_drawn
    assert isinstance(recording.lines[1], EventLine)


@given(st.lists(st.sampled_from([*recorded("i_doubt_it"), b"{", b"\x00"])))
def test_lines_in_any_order_are_read(lines: list[bytes]) -> None:
    recording = read(lines)
    assert [place for step in recording.steps for place in step] == list(range(len(lines)))


def test_a_step_knows_its_lines() -> None:
    record = recorded("pitch")
    recording = read(record)
    lines = [line for step in range(len(recording.steps)) for line in recording.lines_of(step)]
    assert lines == [*recording.lines]
    assert msgspec.json.encode(recording.names) == b'["bot0","bot1","bot2","bot3"]'
