"""The tick: it comes by itself, stays till it is read, and leaves nothing."""

import os
import select
import time

import pytest

from referee.bot.ticker import Ticker


def waits_ms(ticker: Ticker) -> float:
    """Return how long it takes till it ticks."""
    began = time.monotonic()
    assert select.select([ticker.fd], [], [], 10) == ([ticker.fd], [], [])
    return (time.monotonic() - began) * 1000


def test_it_ticks_again_and_again_and_a_tick_stays_till_it_is_read() -> None:
    ticker = Ticker(20)
    for _ in range(3):
        assert 0 < waits_ms(ticker) < 1000
        assert waits_ms(ticker) < 10
        ticker.read()
        assert select.select([ticker.fd], [], [], 0) == ([], [], [])
    ticker.close()


def test_a_second_is_a_second() -> None:
    ticker = Ticker(1250)
    assert 1200 < waits_ms(ticker) < 5000
    ticker.close()


def test_its_descriptor_is_closed_once_and_not_inherited() -> None:
    ticker = Ticker(1000)
    assert not os.get_inheritable(ticker.fd)
    ticker.close()
    (there, here) = os.pipe()  # may have its number now
    ticker.close()
    os.write(here, b"x")
    assert os.read(there, 1) == b"x"
    os.close(here)
    os.close(there)


def test_one_that_nobody_closed_is_closed_with_its_owner() -> None:
    fd = Ticker(1000).fd
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(fd)
