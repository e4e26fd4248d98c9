"""A record in words: as a card player reads it, and no more than a seat knew."""

import re

import msgspec
import pytest

from referee.record.lines import EventLine, encode
from referee.show.replay.narrate import Tone, narrate
from referee.show.replay.recording import read
from tests.show.replay.recorded import GAMES, recorded

ALL_LINES = 10_000


def told(name: str, seat: int | None = None, *, symbols: bool = False) -> list[str]:
    return [line.text for line in narrate(read(recorded(name)), seat, symbols=symbols).lines]


def tell(game: str, *events: dict[str, object], to: list[int] | None = None) -> list[str]:
    """Tell some events of a game of four."""
    header = recorded(game)[0]
    lines = [encode(EventLine(to, event)) for event in events]
    return [line.text for line in narrate(read([header, *lines]), symbols=False).lines[3:]]


def test_the_header_names_game_bots_and_options_that_are_not_usual() -> None:
    assert told("oh_hell")[:3] == [
        "oh_hell, deal 3, series 1-1-0-1",
        "seats: 0 bot0, 1 bot1, 2 bot2, 3 bot3",
        "rules: hands = up_down (usually up)",
    ]


def test_a_trick_is_one_line_with_its_winner_marked() -> None:
    plays = [{"event": "played", "seat": s, "card": c} for s, c in enumerate(["7H", "KH", "2S"])]
    trick = {"event": "trick", "winner": 1, "cards": ["7H", "KH", "2S"]}
    assert tell("oh_hell", *plays, trick, *plays) == [
        "   1. 0 bot0 leads 7H KH* 2S: 1 bot1 wins",
        "   2. 0 bot0 leads 7H KH 2S",
    ]


def test_cancelled_pairs_are_marked_and_a_trick_may_have_no_winner() -> None:
    cards = ["TS", "9H", "9H", "TS"]
    plays = [{"event": "played", "seat": seat, "card": card} for seat, card in enumerate(cards)]
    trick = {"event": "trick", "cards": cards, "takes_left_over": False, "set_aside": 4}
    lost = tell("cancellation_hearts", *plays, {**trick, "winner": None})
    assert lost == ["   1. 0 bot0 leads TSx 9Hx 9Hx TSx: nobody wins, set aside"]
    won = tell("cancellation_hearts", *plays, {**trick, "winner": 2, "takes_left_over": True})
    assert won[0].endswith(": 2 bot2 wins, with the left-over cards")


def test_bids_share_a_line() -> None:
    bids = [{"event": "bid", "seat": seat, "bid": bid} for seat, bid in enumerate(["pass", 2])]
    assert tell("pitch", *bids, {"event": "pitcher", "seat": 1, "bid": 2}) == [
        "  0 bot0 passes, 1 bot1 bids 2",
        "  1 bot1 is the pitcher, for 2",
    ]


def test_trump_is_told_without_breaking_the_trick() -> None:
    first = {"event": "played", "seat": 0, "card": "7H"}
    second = {"event": "played", "seat": 1, "card": "KH"}
    assert tell("pitch", first, {"event": "trump", "suit": "H"}, second) == [
        "  hearts are trump",
        "   1. 0 bot0 leads 7H KH",
    ]


def test_claims_and_doubts_are_told() -> None:
    discarded = {
        "event": "discarded",
        "seat": 2,
        "count": 2,
        "rank": "A",
        "expected": "K",
        "pile": 5,
    }
    doubted = {
        "event": "doubted",
        "seat": 0,
        "discarder": 2,
        "cards": ["AS", "3D"],
        "honest": False,
        "taker": 2,
        "taken": 5,
    }
    shown = {**doubted, "seat": None, "honest": True, "taker": None, "taken": 0}
    misnamed = {"event": "misnamed", "seat": 2, "taken": 5}
    assert tell("i_doubt_it", discarded, misnamed, doubted, shown, {"event": "out", "seat": 2}) == [
        "  2 bot2 lays 2 as A, but K is due; 5 on the pile",
        "    the wrong rank: 2 bot2 takes 5",
        "    0 bot0 doubts: AS 3D, a lie, 2 bot2 takes 5",
        "    the last cards are shown: AS 3D, honest",
        "  2 bot2 is out",
    ]


def test_the_moon_and_the_hand_s_score_are_told() -> None:
    moon = {"event": "moon", "seat": 3, "choice": "add"}
    points = [26, 26, 26, 0, 26, 26]
    left_over = ["3C", "8H"]
    scored: dict[str, object] = {"event": "scored", "points": points, "totals": points}
    scored["left_over"] = left_over
    assert tell("cancellation_hearts", moon, scored)[:3] == [
        "  3 bot3 took all points and chooses to add",
        "  left over 3C 8H",
        "  = 0 bot0: points 26, totals 26",
    ]


def test_what_is_scored_once_names_its_seat() -> None:
    scored = {
        "event": "scored",
        "high": 0,
        "low": 1,
        "jack": None,
        "game": None,
        "card_points": [1, 2, 3, 4],
        "points": [1, 1, 0, 0],
        "made": False,
        "totals": [-2, 1, 0, 0],
    }
    assert tell("pitch", scored)[:2] == [
        "  high 0 bot0, low 1 bot1, jack nobody, game nobody, made no",
        "  = 0 bot0: card points 1, points 1, totals -2",
    ]


@pytest.mark.parametrize("name", GAMES)
def test_every_event_of_a_game_has_words(name: str) -> None:
    assert not any('{"' in line for line in told(name))


@pytest.mark.parametrize("name", GAMES)
def test_the_result_names_everyone_best_first(name: str) -> None:
    lines = told(name)
    result = msgspec.json.decode(recorded(name)[-1])
    start = max(place for place, line in enumerate(lines) if line.startswith("The end"))
    assert ("the cap ended it" in lines[start]) == result.get("capped", False)
    rows = [
        re.fullmatch(r"  (\d+)\. (\d+) bot\d+: (-?\d+)(, forfeited)?", row)
        for row in lines[start + 1 :]
    ]
    assert sorted(int(row[2]) for row in rows if row) == list(range(len(result["ranks"])))
    assert [int(row[1]) for row in rows if row] == sorted(result["ranks"])
    for row in rows:
        assert row is not None
        seat = int(row[2])
        assert int(row[3]) == result["scores"][seat]
        assert bool(row[4]) == (seat in result["forfeited"])


def test_faults_notes_and_the_referee_s_choices_are_told() -> None:
    lines = told("pitch")
    detail = 'chose "ZZ", which is not among the options'
    assert f"  ! 1 bot1: illegal, strike 1: {detail}" in lines
    assert f"  ! 1 bot1: illegal, forfeits: {detail}" in lines
    assert lines.count("  the referee chooses for 1 bot1") == 1
    assert lines.count("  the referee chooses for 1 bot1 from here on") == 1
    assert "  * 1 bot1: standard error ends: oh no" in lines
    assert '  * 0 bot0 says: "note 1"' in lines


@pytest.mark.parametrize("name", GAMES)
def test_a_seat_s_telling_shows_no_card_dealt_to_others_before_it_is_played(name: str) -> None:
    recording = read(recorded(name))
    seat = 2
    telling = narrate(recording, seat, symbols=False)
    known: set[str] = set()
    for step in range(len(recording.steps)):
        for line in recording.lines_of(step):
            if isinstance(line, EventLine) and (line.to is None or seat in line.to):
                known |= set(re.findall(r"[2-9TJQKA][CDHS]", encode(line).decode()))
        so_far = [line.text for line in telling.until(step, ALL_LINES)]
        assert set(re.findall(r"\b[2-9TJQKA][CDHS]\b", "\n".join(so_far))) <= known


def test_a_seat_s_telling_leaves_out_others_faults_notes_and_remarks() -> None:
    lines = told("pitch", 0)
    assert not any("bot1" in line for line in lines if line.startswith(("  !", "  *")))
    assert not any("chooses for" in line for line in lines)
    assert '  * 0 bot0 says: "note 1"' in lines
    assert any(line.endswith("forfeited") for line in lines)  # learnt with the result


def test_symbols_stand_for_suits_only_in_cards() -> None:
    header = recorded("pitch")[0].replace(b'"bot0"', b'"KH"')
    event = encode(EventLine([0], {"event": "dealt", "cards": ["7H", "AS"]}))
    lines = [line.text for line in narrate(read([header, event])).lines]
    assert "  0 KH: 7♥ A♠" in lines


def test_what_a_bot_wrote_is_shown_and_not_obeyed() -> None:
    record = [line.replace(b"note 1", b"\\u001b[2J[bold]\\n") for line in recorded("pitch")]
    lines = [line.text for line in narrate(read(record)).lines]
    assert r'  * 0 bot0 says: "\x1b[2J[bold]\n"' in lines
    assert all(line.isprintable() for line in lines)


def test_events_of_a_game_that_is_not_installed_are_listed() -> None:
    header = recorded("pitch")[0].replace(b'"game":"pitch"', b'"game":"whist"')
    event = encode(EventLine([1, 2], {"event": "played", "who": 1}))
    lines = [line.text for line in narrate(read([header, event])).lines]
    assert "max_hands = 3" in lines[2]  # all options: the usual ones are not known
    assert lines[3] == '  played (to 1 bot1, 2 bot2): {"who":1}'


def test_an_event_that_does_not_fit_the_table_is_listed() -> None:
    line = tell("pitch", {"event": "dealt", "cards": ["7H"]}, to=[])
    assert line == ['  dealt (to ): {"cards":["7H"]}']


def test_a_damaged_line_is_told_as_a_fault() -> None:
    lines = narrate(read([recorded("pitch")[0], b"{"])).lines
    assert lines[-1].tone is Tone.FAULT
    assert "line 2 of the record is damaged" in lines[-1].text


@pytest.mark.parametrize("name", GAMES)
def test_telling_a_part_is_the_beginning_of_telling_all(name: str) -> None:
    recording = read(recorded(name))
    telling = narrate(recording)
    everything = [line.text for line in telling.lines]
    for step in range(0, len(recording.steps), 7):
        *ended, last = (line.text for line in telling.until(step, ALL_LINES))
        assert ended == everything[: len(ended)]
        growing = telling.growing[step]
        assert last == (growing.text if growing else everything[len(ended)])
    last_step = len(recording.steps) - 1
    assert [line.text for line in telling.until(last_step, ALL_LINES)] == everything


def test_only_the_last_lines_are_given_and_remarks_may_be_hidden() -> None:
    recording = read(recorded("pitch"))
    telling = narrate(recording)
    last = len(recording.steps) - 1
    assert telling.until(last, 2) == telling.lines[-2:]
    assert telling.until(last, 0) == []
    quiet = telling.until(last, ALL_LINES, notes=False)
    assert quiet == [line for line in telling.lines if line.tone is not Tone.NOTE]
    assert len(quiet) < len(telling.lines)
