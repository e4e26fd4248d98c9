"""The question before a fault, worked out from the record, is the one that the bot was sent."""

import json

import pytest

from referee.record.lines import FaultLine, split
from referee.show.replay.player import Player
from referee.show.replay.recording import read
from referee.show.report.questions import exchanges
from referee.tournament.results import records_of, stored_series
from referee.tournament.store import Store
from tests.show.replay.recorded import GAMES, STRUCK, recorded


@pytest.mark.parametrize("name", GAMES)
def test_every_fault_has_its_question_and_the_choice_made_instead(name: str) -> None:
    recording = read(recorded(name))
    found = exchanges(recording)
    faults = [line for line in recording.lines if isinstance(line, FaultLine)]
    assert [exchange.detail for exchange in found] == [fault.detail for fault in faults]
    assert [exchange.step for exchange in found] == Player(recording).faults
    for exchange, fault in zip(found, faults, strict=True):
        assert exchange.seat == STRUCK
        assert exchange.bot == recording.names[STRUCK]
        assert exchange.question is not None
        turn = json.loads(exchange.question)
        assert turn["id"] == fault.id
        decision = turn["decision"]
        assert exchange.instead is not None
        assert json.loads(exchange.instead) == decision["options"][: decision["min"]]
    assert found[-1].forfeit
    assert found[-1].remarks == ["standard error ends: oh no"]


def test_a_game_without_faults_has_no_exchange() -> None:
    assert exchanges(read(recorded("pitch", is_faulty=False))) == []


def test_a_damaged_record_keeps_its_faults_without_their_questions() -> None:
    lines = list(recorded("oh_hell"))
    first = next(at for at, line in enumerate(lines) if line.startswith(b'{"type":"choice"'))
    lines[first] = lines[first].replace(b'"choose":[', b'"choose":["ZZ",')
    found = exchanges(read(lines))
    assert [exchange.question for exchange in found] == [None, None]
    assert all(exchange.instead for exchange in found)


def test_the_question_is_the_line_that_the_bot_was_sent(store: Store) -> None:
    """The rude bot repeats the question at which it will be at fault on its standard error."""
    compared = 0
    for series in stored_series(store):
        sent = store.folder / "stderr" / f"{series.id}.rude.txt"
        (record,) = split(records_of(store, series))
        found = [exchange.question for exchange in exchanges(read(record))]
        assert found == (sent.read_text().splitlines() if sent.exists() else [])
        compared += len(found)
    assert compared >= 20
