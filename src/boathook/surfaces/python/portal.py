"""An event loop in a background thread, so that blocking code, even inside a running loop, can use the async API."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine

T = TypeVar("T")
ENDING_SECONDS = 3.0
"""How long cancelled tasks may take to clean up."""


class Portal:
    """One background loop; `call` runs a coroutine there and waits for it here."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="boathook", daemon=True)
        self._thread.start()

    def call(self, work: Coroutine[object, object, T]) -> T:
        """Run to the end; an interrupt here cancels the work there."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """Stop the loop and wait for its thread; may be called twice."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            self._loop.run_until_complete(_end_tasks())
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()


async def _end_tasks() -> None:
    """Cancel what still runs: a task that is destroyed with its loop is reported as an error."""
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    if left:
        await asyncio.wait(left, timeout=ENDING_SECONDS)
