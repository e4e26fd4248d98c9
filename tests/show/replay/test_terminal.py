"""The screen: it fits, it shows the table, and no more than a seat knew."""

import io
import re
import time

import pytest
from rich.console import Console

from referee.show.replay import replay_plain, replay_terminal
from referee.show.replay.paint import has_symbols, paint
from referee.show.replay.player import KEYS, Player
from referee.show.replay.recording import read
from referee.show.replay.terminal import Screen
from tests.show.replay.recorded import GAMES, recorded


def console(width: int = 80, height: int = 24, encoding: str = "utf-8") -> Console:
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    return Console(file=file, width=width, height=height)


def screen(record: list[bytes], seat: int | None = None) -> Screen:
    return Screen(Player(read(record), seat), console())


def shown(screen: Screen, width: int = 80, height: int = 24) -> list[str]:
    return [row.plain.rstrip() for row in screen.rows(width, height)]


@pytest.mark.parametrize("size", [(80, 24), (200, 60), (60, 18), (40, 10), (20, 5), (10, 1)])
@pytest.mark.parametrize("name", GAMES)
def test_every_step_fits_the_screen(name: str, size: tuple[int, int]) -> None:
    drawn = screen(recorded(name))
    width, height = size
    for step in range(0, drawn.player.last + 1, 5):
        drawn.player.step = step
        rows = drawn.rows(width, height)
        assert len(rows) == height
        assert all(row.cell_len <= width for row in rows)


def test_the_table_has_everyone_around_it_the_viewer_at_the_bottom_and_left_clockwise() -> None:
    drawn = screen(recorded("oh_hell"))
    rows = shown(drawn)[1:13]
    where = {
        name: next((row.find(name), y) for y, row in enumerate(rows) if name in row)
        for name in ("bot0", "bot1", "bot2", "bot3")
    }
    assert where["bot1"][0] < where["bot0"][0] < where["bot3"][0]
    assert where["bot2"][1] < where["bot1"][1] == where["bot3"][1] < where["bot0"][1]
    drawn.player.seat = 2
    assert any("bot2" in row for row in shown(drawn)[10:13])


@pytest.mark.parametrize("name", ["cancellation_hearts 11", "i_doubt_it 11"])
def test_eleven_seats_find_room_at_80_columns(name: str) -> None:
    table = "\n".join(shown(screen(recorded(name)))[1:13])
    assert all(f"{seat} bot{seat}" in table for seat in range(11))


def test_oh_hell_shows_trump_bids_tricks_scores_and_whose_turn_it_is() -> None:
    drawn = screen(recorded("oh_hell"))
    for key in ["h"] * 4 + ["t", "n"]:
        drawn.player.press(key)
    rows = shown(drawn)
    assert re.match(r"Oh Hell, deal 3   hand 5   trump [♣♦♥♠]   turned \S\S   trick 2", rows[0])
    table = "\n".join(rows[1:13])
    assert len(re.findall(r"-?\d+  bid \d  won \d", table)) == 4
    assert len(re.findall(r"> \d bot\d", table)) == 1
    assert " D" in table
    assert len(re.findall(r"[2-9TJQKA][♣♦♥♠]", table)) == 1


def test_a_trick_shows_its_winner_and_its_cancelled_cards() -> None:
    drawn = screen(recorded("cancellation_hearts 11"))
    pairs = False
    for _ in range(9):
        drawn.player.press("t")
        table = "\n".join(shown(drawn)[1:13])
        assert ("*" in table) or ("nobody wins" in table)
        pairs = pairs or bool(re.search(r"[♣♦♥♠]x", table))
    assert pairs


def test_i_doubt_it_shows_the_pile_its_claims_and_the_cards_laid() -> None:
    drawn = screen(recorded("i_doubt_it"))
    drawn.player.press("n")
    table = "\n".join(shown(drawn)[1:13])
    assert re.search(r"\d on the pile", table)
    assert re.search(r"\dxA", table)
    assert re.search(r"0 lays \d as A", table)
    assert re.search(r"\([2-9TJQKA][♣♦♥♠]", table)


def test_a_doubt_shows_the_cards_and_whether_they_were_honest() -> None:
    drawn = screen(recorded("i_doubt_it"))
    drawn.player.press("t")
    assert re.search(r"[♣♦♥♠] (honest|a lie)", "\n".join(shown(drawn)[1:13]))


def test_the_end_shows_ranks_and_scores() -> None:
    drawn = screen(recorded("pitch"))
    drawn.player.press("G")
    table = "\n".join(shown(drawn)[1:13])
    assert len(re.findall(r"\d\. with -?\d+", table)) == 4
    assert "x 1 bot1" in table  # it has forfeited


@pytest.mark.parametrize("name", ["oh_hell", "pitch", "cancellation_hearts", "i_doubt_it"])
def test_a_seat_s_view_never_shows_a_card_that_another_still_holds(name: str) -> None:
    drawn = screen(recorded(name), seat=2)
    for step, position in enumerate(drawn.positions):
        drawn.player.step = step
        rows = shown(drawn)
        row = 13  # the hands, below the heading and the table
        own = re.findall(r"[2-9TJQKA][♣♦♥♠]", rows[row])
        assert rows[row].startswith(" 2")
        assert len(own) == len(position.hands[2])
        assert not re.match(r" \d [2-9TJQKA][♣♦♥♠]", rows[row + 1])
        if name == "i_doubt_it" and position.pile and position.pile[-1].seat != 2:
            assert "(" not in "\n".join(rows[1:13])


def test_a_seat_s_view_does_not_mark_another_s_forfeit_before_the_end() -> None:
    drawn = screen(recorded("pitch"), seat=2)
    drawn.player.press("G")
    assert "x 1 bot1" in "\n".join(shown(drawn))
    drawn.player.press("b")
    assert "x 1 bot1" not in "\n".join(shown(drawn))


def test_the_last_rows_say_where_it_stands_and_the_keys() -> None:
    drawn = screen(recorded("oh_hell"))
    for key in ["5", "enter", "s", "r", "p", "4", "2"]:
        drawn.player.press(key)
    *_, status, keys = shown(drawn)
    assert status.startswith("decision 5 of ")
    for said in ("as seat 0 knew it", "remarks hidden", "playing, 2 steps", "go to 42"):
        assert said in shown(drawn, 200)[-2]
    assert keys == KEYS


def test_a_long_line_wraps_and_is_cut_after_three_rows() -> None:
    record = [line.replace(b"oh no", b"word " * 200) for line in recorded("pitch")]
    drawn = screen(record)
    drawn.player.press("f")
    drawn.player.press("f")
    assert 1 < sum("word" in row for row in shown(drawn)) <= 3


def test_help_shows_every_key() -> None:
    drawn = screen(recorded("pitch"))
    drawn.player.press("?")
    assert any("the next fault" in row for row in shown(drawn))


def test_a_game_that_is_not_installed_is_told_in_words() -> None:
    record = [recorded("pitch")[0].replace(b'"game":"pitch"', b'"game":"whist"')]
    record += recorded("pitch")[1:]
    drawn = screen(record)
    drawn.player.press("n")
    rows = shown(drawn)
    assert not any("> " in row for row in rows)
    assert any('bid: {"seat":0,"bid":' in row for row in rows)


def test_a_record_of_nothing_but_damage_is_stepped_through() -> None:
    drawn = screen([b"\xff", b"{"])
    drawn.player.press("n")
    assert any("damaged" in row for row in shown(drawn))
    assert shown(screen([]))[-1] == KEYS


def test_nothing_that_a_bot_wrote_reaches_the_terminal_as_a_control_code() -> None:
    record = [
        line.replace(b'"bot0"', b'"\\u001b[31m\\u0007"').replace(b"note 1", b"\\u001b]0;x\\u0007")
        for line in recorded("pitch")
    ]
    drawn = screen(record)
    for step in range(drawn.player.last + 1):
        drawn.player.step = step
        assert all(row.plain.isprintable() for row in drawn.rows(80, 24))


def test_without_utf_8_suits_are_letters_and_nothing_else_is_beyond_ascii() -> None:
    drawn = Screen(Player(read(recorded("cancellation_hearts"))), console(encoding="ascii"))
    for key in ["t", "n", "n"]:
        drawn.player.press(key)
    rows = "\n".join(shown(drawn))
    assert rows.isascii()
    assert re.search(r"\b[2-9TJQKA]H\b", rows)


def test_symbols_follow_the_encoding_and_the_terminal_s_locale(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("LANG", "C")
    assert has_symbols(console())  # a file
    assert not has_symbols(console(encoding="latin-1"))
    terminal = Console(file=io.StringIO(), force_terminal=True)
    assert not has_symbols(terminal)
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert has_symbols(terminal)


def test_suits_have_their_colours() -> None:
    text = paint("0 bot leads 7♥ A♠ T♦")
    assert [(text.plain[s.start : s.end], s.style) for s in text.spans] == [
        ("7♥", "red"),
        ("T♦", "bright_blue"),
    ]


def test_plain_prints_every_line_whole_and_without_colours_into_a_file() -> None:
    out = console(width=20)
    replay_plain(recorded("pitch"), out)
    assert isinstance(out.file, io.TextIOWrapper)
    out.file.seek(0)
    lines = out.file.read().splitlines()
    assert lines[1] == "seats: 0 bot0, 1 bot1, 2 bot2, 3 bot3"
    assert not any("\x1b" in line for line in lines)


def test_where_no_keys_can_be_read_the_game_is_printed() -> None:
    out = console()  # standard input is no terminal here
    replay_terminal(recorded("pitch"), out)
    assert isinstance(out.file, io.TextIOWrapper)
    out.file.seek(0)
    assert "The end" in out.file.read()


def test_a_long_game_starts_at_once_and_goes_back_as_fast_as_on() -> None:
    begun = time.perf_counter()
    drawn = screen(recorded("oh_hell"))
    shown(drawn)
    decisions = drawn.player.decisions[-1]
    assert decisions > 700
    # 2,000 decisions in half a second, with as much again for a busy machine.
    assert time.perf_counter() - begun < decisions / 2000

    def seconds(key: str) -> float:
        begun = time.perf_counter()
        for _ in range(300):
            drawn.player.press(key)
            shown(drawn)
        return time.perf_counter() - begun

    drawn.player.step = 350
    on = seconds("n")
    assert seconds("b") < 3 * on
