"""Lines over descriptors: framed as they come, and never a wait or an exception."""

import os
from collections.abc import Iterator

import pytest

from referee.bot.wire import TracedWire, Wire


class Ends:
    """A wire and the descriptors of its other side."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self.bot_in, to_bot = os.pipe()
        from_bot, self.bot_out = os.pipe()
        for fd in (to_bot, from_bot, self.bot_in):
            os.set_blocking(fd, False)
        self.wire = TracedWire(to_bot, from_bot, lambda way, line: self.heard.append((way, line)))

    def lines_after(self, *written: bytes) -> list[bytes]:
        """Write each, read after each, and take the lines that came."""
        came = []
        for data in written:
            os.write(self.bot_out, data)
            came.append(self.wire.read())
        return [line for line in came if line is not None] + list(iter(self.wire.next_line, None))

    def close(self, fd: int) -> None:
        """Close a descriptor of the bot's side."""
        os.close(fd)
        if fd == self.bot_in:
            self.bot_in = -1
        else:
            self.bot_out = -1


@pytest.fixture
def ends() -> Iterator[Ends]:
    """Return a wire with both sides open."""
    ends = Ends()
    yield ends
    ends.wire.close()
    for fd in (ends.bot_in, ends.bot_out):
        if fd >= 0:
            os.close(fd)


def test_lines_come_whole_however_they_are_cut(ends: Ends) -> None:
    assert ends.lines_after(b"one\ntw", b"o", b"\n\nfour\r\nfi") == [b"one", b"two", b"", b"four\r"]
    assert ends.wire.unfinished == b"fi"
    assert ends.lines_after(b"ve\n") == [b"five"]
    assert ends.wire.unfinished == b""


def test_lines_that_are_not_taken_wait(ends: Ends) -> None:
    ends.lines_after()
    os.write(ends.bot_out, b"one\ntwo\n")
    assert ends.wire.read() == b"one"
    assert ends.lines_after(b"three\n") == [b"two", b"three"]
    assert not ends.wire.lines


def test_a_byte_order_mark_is_taken_off_the_first_line_only(ends: Ends) -> None:
    mark = b"\xef\xbb\xbf"
    assert ends.lines_after(mark[:2], mark[2:] + b"one\n" + mark + b"two\n") == [
        b"one",
        mark + b"two",
    ]


def test_reading_an_empty_pipe_waits_for_nothing(ends: Ends) -> None:
    assert ends.wire.read() is None
    assert not ends.wire.closed_out


def test_the_end_is_seen_after_all_that_was_written(ends: Ends) -> None:
    os.write(ends.bot_out, b"one\nha")
    ends.close(ends.bot_out)
    assert ends.wire.read() == b"one"
    assert not ends.wire.closed_out
    assert ends.wire.read() is None
    assert ends.wire.closed_out
    assert ends.wire.unfinished == b"ha"


def test_a_line_can_be_skipped_to_its_end(ends: Ends) -> None:
    ends.lines_after(b"x" * 1000)
    ends.wire.skip_line()
    assert ends.lines_after(b"x" * 1000, b"xx\none\n", b"two\n") == [b"one", b"two"]
    assert ends.wire.skipped_bytes == 1000


def test_what_a_full_pipe_does_not_take_is_kept_and_flushed_later(ends: Ends) -> None:
    said = bytes(range(256)) * 1000
    assert not ends.wire.write(said)
    assert not ends.wire.write(b"more\n")
    arrived = b""
    while len(arrived) < len(said) + 5:
        arrived += os.read(ends.bot_in, 10_000)
        ends.wire.flush()
    assert ends.wire.flush()
    assert arrived == said + b"more\n"


def test_saying_something_to_a_closed_input_is_noted_and_dropped(ends: Ends) -> None:
    ends.wire.write(b"x" * 200_000)
    ends.close(ends.bot_in)
    assert not ends.wire.closed_in
    ends.wire.flush()
    assert ends.wire.closed_in
    assert ends.wire.write(b"more\n")


def test_closing_the_input_ends_it_for_the_bot_and_may_be_repeated(ends: Ends) -> None:
    ends.wire.write(b"bye\n")
    ends.wire.close_in()
    ends.wire.close_in()
    ends.wire.write(b"more\n")
    assert os.read(ends.bot_in, 100) == b"bye\n"
    assert os.read(ends.bot_in, 100) == b""


def test_the_trace_hears_every_line_both_ways(ends: Ends) -> None:
    ends.wire.write(b"hello\n")
    ends.lines_after(b"\xef\xbb\xbfready\nrest")
    assert ends.heard == [(">", b"hello\n"), ("<", b"ready")]


def test_the_trace_hears_what_nobody_waited_for_when_the_wire_is_closed() -> None:
    ends = Ends()
    os.write(ends.bot_out, b"thanks\nand go")
    ends.wire.close()
    for fd in (ends.bot_in, ends.bot_out):
        ends.close(fd)
    assert ends.heard == [("<", b"thanks"), ("<", b"and go")]


def test_a_wire_is_clear_while_nothing_is_under_way_either_way() -> None:
    bot_in, to_bot = os.pipe()
    from_bot, bot_out = os.pipe()
    for fd in (to_bot, from_bot):
        os.set_blocking(fd, False)
    wire = Wire(to_bot, from_bot)
    assert not wire.is_clear  # a mark may come first
    seen = []
    for said in (b"ready\n", b"one\ntwo\n", b"ha", b"lf\n"):
        os.write(bot_out, said)
        line = wire.read()
        seen.append(wire.is_clear)
        while line is not None:
            line = wire.next_line()
        seen.append(wire.is_clear)
    assert seen == [True, True, False, True, False, False, True, True]
    assert not wire.write(b"x" * 200_000)
    assert not wire.is_clear
    os.close(bot_in)
    assert wire.flush()
    assert not wire.is_clear  # nobody listens any more
    os.close(bot_out)
    wire.close()
