"""Background work with an owner: nothing runs on after the browser that it belongs to."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from boathook.errors import BoathookError

if TYPE_CHECKING:
    from collections.abc import Coroutine

log = logging.getLogger(__name__)


class Chores:
    """Tasks that end with their owner."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def start(self, work: Coroutine[object, object, None], *, name: str) -> asyncio.Task[None] | None:
        """Run `work` beside everything else; a failure is logged, never lost."""
        if self._closed:
            work.close()
            return None
        task = asyncio.create_task(_logged(work, name), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _task: work.close())  # it may have been cancelled before it began
        return task

    async def close(self) -> None:
        """Cancel what still runs and wait for it; may be called twice."""
        self._closed = True
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _logged(work: Coroutine[object, object, None], name: str) -> None:
    try:
        await work
    except BoathookError as error:
        log.debug("chore.ended", extra={"chore": name, "code": error.code})
