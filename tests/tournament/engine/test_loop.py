"""Coroutines of asyncio, run for trio: results, errors, and cancellation that is waited for."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio

pytest.importorskip("distributed", reason="the extra cluster is not installed")

from referee.tournament.engine.cluster.loop import open_loop


async def divided(one: int, other: int) -> float:
    await asyncio.sleep(0)
    return one / other


async def test_a_result_and_an_error_come_back() -> None:
    with open_loop() as loop:
        assert await loop.run(divided(6, 3)) == 2
        with pytest.raises(ZeroDivisionError):
            await loop.run(divided(6, 0))


class Place:
    """A context that takes its time on both sides, and notes what happens."""

    def __init__(self, enter_s: float) -> None:
        self.enter_s = enter_s
        self.happened: list[str] = []

    @asynccontextmanager
    async def entered(self) -> AsyncIterator[str]:
        try:
            await asyncio.sleep(self.enter_s)
            self.happened.append("in")
            yield "value"
        finally:
            await asyncio.sleep(0.02)
            self.happened.append("out")


async def test_a_context_is_left_also_when_its_body_is_cancelled() -> None:
    place = Place(0)
    with open_loop() as loop, trio.move_on_after(0.05):
        async with loop.entered(place.entered()) as value:
            assert value == "value"
            await trio.sleep_forever()
    assert place.happened == ["in", "out"]


async def test_who_is_cancelled_while_entering_waits_for_what_has_begun_to_be_undone() -> None:
    place = Place(10)
    with open_loop() as loop, trio.move_on_after(0.05):
        async with loop.entered(place.entered()):
            pytest.fail("it takes ten seconds")
    assert place.happened == ["out"]
