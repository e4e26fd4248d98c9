"""Keys move a replay to where they say, and back again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.record.lines import EventLine, FaultLine
from referee.show.replay.keys import END_OF_INPUT
from referee.show.replay.player import ACTIONS, HELP, IDLE_S, SPEEDS, Player
from referee.show.replay.recording import read
from tests.show.replay.recorded import recorded


@pytest.fixture
def player() -> Player:
    return Player(read(recorded("oh_hell")))


def press(player: Player, *keys: str) -> int:
    for key in keys:
        player.press(key)
    return player.step


def events_of(player: Player) -> list[object]:
    lines = player.recording.lines_of(player.step)
    return [line.event["event"] for line in lines if isinstance(line, EventLine)]


@pytest.mark.parametrize("key", ["space", "right", "n", "enter"])
def test_next_goes_on_by_a_step_and_stops_at_the_end(player: Player, key: str) -> None:
    assert press(player, key) == 1
    assert press(player, *[key] * 10_000) == player.last


@pytest.mark.parametrize("key", ["left", "b", "backspace"])
def test_back_goes_back_by_a_step_and_stops_at_the_start(player: Player, key: str) -> None:
    assert press(player, "n", "n", "n", key) == 2
    assert press(player, key, key, key) == 0


def test_the_start_and_the_end_are_a_key_away(player: Player) -> None:
    assert press(player, "end") == press(player, "G") == player.last
    assert press(player, "home") == press(player, "G", "g") == 0


def test_t_goes_from_trick_to_trick_and_back(player: Player) -> None:
    press(player, "t")
    assert "trick" in events_of(player)
    first = player.step
    press(player, "t")
    assert "trick" in events_of(player)
    assert player.step > first
    second = player.step
    assert press(player, "t") > second
    assert press(player, "T") == second
    assert press(player, "T") == first
    assert press(player, "T") == first  # there is none before


def test_t_goes_from_doubt_to_doubt() -> None:
    player = Player(read(recorded("i_doubt_it")))
    press(player, "t")
    assert "doubted" in events_of(player)


def test_h_goes_to_the_next_deal_and_back(player: Player) -> None:
    press(player, "h", "h")
    lines = player.recording.lines_of(player.step)
    assert isinstance(lines[0], EventLine)
    assert lines[0].event["hand"] == 3
    assert press(player, "H", "H") == 0


def test_f_goes_from_fault_to_fault_and_back(player: Player) -> None:
    places = []
    for _ in range(2):
        press(player, "f")
        lines = player.recording.lines_of(player.step)
        assert isinstance(lines[0], FaultLine)
        places.append(player.step)
    assert press(player, "f") == places[1]
    assert press(player, "F") == places[0]


def test_a_number_and_enter_go_to_that_decision(player: Player) -> None:
    press(player, "3", "7", "enter")
    assert player.decisions[player.step] >= 37 > player.decisions[player.step - 1]
    assert press(player, "0", "enter") == 0
    assert press(player, *"9999999999", "enter") == player.last


def test_a_number_can_be_mended_and_given_up(player: Player) -> None:
    press(player, "4", "2", "backspace")
    assert player.typed == "4"
    press(player, "enter")
    assert player.decisions[player.step] == 4
    assert press(player, "9", "escape") == player.step
    assert player.typed == ""


def test_another_key_ends_a_number_and_does_no_more(player: Player) -> None:
    assert press(player, "5", "n") == 0
    assert player.typed == ""


def test_it_plays_at_a_speed_and_stops_at_the_end(player: Player) -> None:
    assert player.wait_s == IDLE_S
    player.tick()
    assert player.step == 0
    press(player, "p")
    assert player.wait_s == 0.5
    press(player, "+", "=")
    assert player.wait_s == 1 / 8
    player.tick()
    assert player.step == 1
    press(player, "p")
    player.tick()
    assert player.step == 1
    press(player, "G", "b", "p")
    player.tick()
    assert not player.is_playing
    press(player, "p")
    assert not player.is_playing


def test_speed_has_a_least_and_a_most(player: Player) -> None:
    press(player, "p", *"+" * 20)
    assert player.wait_s == 1 / SPEEDS[-1]
    press(player, *"-" * 20)
    assert player.wait_s == 1 / SPEEDS[0]


def test_s_shows_one_seat_after_another_and_then_all(player: Player) -> None:
    seen = []
    for _ in range(5):
        press(player, "s")
        seen.append(player.seat)
    assert seen == [0, 1, 2, 3, None]
    press(player, "s", "s", "a")
    assert player.seat is None


def test_remarks_are_shown_or_hidden(player: Player) -> None:
    press(player, "r")
    assert not player.shows_notes
    press(player, "r")
    assert player.shows_notes


def test_help_is_shown_until_the_next_key(player: Player) -> None:
    press(player, "?")
    assert player.shows_help
    press(player, "?")
    assert not player.shows_help
    assert press(player, "?", "n") == 1
    assert not player.shows_help
    press(player, "?", "x")
    assert not player.shows_help


@pytest.mark.parametrize("key", ["q", "Q", END_OF_INPUT])
def test_q_and_the_end_of_input_quit(player: Player, key: str) -> None:
    press(player, key)
    assert player.has_quit


def test_every_key_stands_in_the_help() -> None:
    words = set(" ".join(HELP).replace(",", " ").split())
    assert set(ACTIONS) - words == {"=", "Q", END_OF_INPUT}  # other ways to type + and q


@given(st.lists(st.sampled_from([*sorted(ACTIONS), "1", "é", "\x1b[9~"])), st.integers(0, 1))
def test_whatever_is_typed_it_stays_inside_the_game(keys: list[str], empty: int) -> None:
    player = Player(read([] if empty else recorded("pitch")))
    for key in keys:
        player.press(key)
        player.tick()
        assert 0 <= player.step <= player.last
