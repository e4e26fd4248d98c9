"""An asyncio loop beside trio's: dask.distributed lives there."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from threading import Thread
from typing import Any, TypeVar

import trio

T = TypeVar("T")


class Loop:
    """Runs coroutines of asyncio for tasks of trio; made by ``open_loop``."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    async def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Return what the coroutine returns; cancelled, it is cancelled as well, and waited for."""
        token = trio.lowlevel.current_trio_token()
        ended = trio.Event()
        tasks: list[asyncio.Task[T]] = []

        def start() -> None:
            tasks.append(self._loop.create_task(coroutine))
            tasks[0].add_done_callback(wake)

        def stop() -> None:
            tasks[0].cancel()

        def wake(_: asyncio.Task[T]) -> None:
            with suppress(trio.RunFinishedError):
                token.run_sync_soon(ended.set)

        self._loop.call_soon_threadsafe(start)
        try:
            await ended.wait()
        except trio.Cancelled:
            self._loop.call_soon_threadsafe(stop)
            with trio.CancelScope(shield=True):
                await ended.wait()
            raise
        return tasks[0].result()

    @asynccontextmanager
    async def entered(self, context: AbstractAsyncContextManager[T]) -> AsyncIterator[T]:
        """Be in a context of asyncio's, which is not told of errors."""
        is_entered = False

        async def enter() -> T:
            nonlocal is_entered
            value = await context.__aenter__()
            is_entered = True
            return value

        async def leave() -> None:
            await context.__aexit__(None, None, None)

        try:
            yield await self.run(enter())
        finally:
            if is_entered:
                with trio.CancelScope(shield=True):
                    await self.run(leave())


@contextmanager
def open_loop() -> Iterator[Loop]:
    """Have a loop in a thread of its own. What still runs there at the end ends with it."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever, name="asyncio")
    thread.start()
    try:
        yield Loop(loop)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
