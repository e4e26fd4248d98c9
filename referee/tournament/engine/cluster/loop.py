"""An asyncio loop beside trio's: dask.distributed lives there."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import (
    AbstractAsyncContextManager,
    asynccontextmanager,
    contextmanager,
    suppress,
)
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

        def wake(_: Future[T]) -> None:
            with suppress(trio.RunFinishedError):
                token.run_sync_soon(ended.set)

        running = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        running.add_done_callback(wake)
        try:
            await ended.wait()
        except trio.Cancelled:
            running.cancel()
            raise
        return running.result()

    @asynccontextmanager
    async def entered(self, context: AbstractAsyncContextManager[T]) -> AsyncIterator[T]:
        """Be in a context of asyncio's, which is not told of errors."""
        value = await self.run(_entering(context))
        try:
            yield value
        finally:
            with trio.CancelScope(shield=True):
                await self.run(_leaving(context))


async def _entering(context: AbstractAsyncContextManager[T]) -> T:
    return await context.__aenter__()


async def _leaving(context: AbstractAsyncContextManager[T]) -> None:
    await context.__aexit__(None, None, None)


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
