"""Background tasks with an owner: none continues after the browser that it belongs to is closed."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from boathook.errors import BoathookError

if TYPE_CHECKING:
    from collections.abc import Coroutine

log = logging.getLogger(__name__)


class BackgroundTasks:
    """Tasks that end with their owner."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def start(self, work: Coroutine[object, object, None], *, name: str) -> asyncio.Task[None] | None:
        """Run `work` in the background; a failure is logged, never lost."""
        if self._closed:
            work.close()
            return None
        task = asyncio.create_task(_log_failure(work, name), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _task: work.close())  # it may have been cancelled before it began
        return task

    async def close(self) -> None:
        """Cancel what is still running and wait for it; may be called twice."""
        self._closed = True
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _log_failure(work: Coroutine[object, object, None], name: str) -> None:
    try:
        await work
    except BoathookError as error:
        log.debug("chore.ended", extra={"chore": name, "code": error.code})
