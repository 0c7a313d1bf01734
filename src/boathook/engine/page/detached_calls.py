"""Detached calls on a tab: they run in the background, and their results are requested by id."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from boathook.cdp.replies import ignore_reply
from boathook.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from boathook.clock import Deadline

MOST = 16


@dataclass(slots=True)
class DetachedCalls:
    """The detached calls of one tab."""

    _works: dict[str, asyncio.Task[Any]] = field(default_factory=dict)
    _count: int = 0

    def start(self, work: Coroutine[Any, Any, Any]) -> str:
        """Start it; returns its id."""
        if len(self._works) >= MOST:
            work.close()
            raise BadRequest(f"too many detached calls: {MOST}", hint="read their results, or cancel them")
        self._count += 1
        name = f"w{self._count}"
        self._works[name] = asyncio.create_task(work, name=f"detached {name}")
        ignore_reply(self._works[name])
        return name

    async def result(self, name: str, deadline: Deadline) -> Any:
        """Its result, once; after the timeout it keeps running."""
        work = self._find_task(name)
        async with deadline.stage(f"waiting for {name}"):
            await asyncio.wait([work])
        del self._works[name]
        if work.cancelled():
            raise BadRequest(f"{name} was cancelled")
        return work.result()

    def cancel(self, name: str) -> None:
        """Stop waiting for it, and forget it."""
        self._find_task(name).cancel()
        del self._works[name]

    def cancel_all(self) -> None:
        """Nothing continues after its tab is closed."""
        for name in list(self._works):
            self.cancel(name)

    def _find_task(self, name: str) -> asyncio.Task[Any]:
        if name not in self._works:
            raise BadRequest(
                f"no such detached call: {name[:40]!r}; existing: {', '.join(self._works) or 'none'}"
            )
        return self._works[name]
