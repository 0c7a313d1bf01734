"""The events of a tab: one sequence number for the entries of all logs, and ring buffers of the latest entries."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

T = TypeVar("T")

RING_LIMIT = 500


class EventLog:
    """Numbers events, so that `now` is a mark for all logs at once; wakes waiting callers."""

    def __init__(self) -> None:
        self.now = 0
        self._changed = asyncio.Event()

    def next_number(self) -> int:
        """Record an event; returns its number."""
        self.now += 1
        self._changed.set()
        return self.now

    async def next(self) -> None:
        """Wait for the next event."""
        self._changed.clear()
        await self._changed.wait()


class RingBuffer(Generic[T]):
    """The latest entries of one log; older ones are removed, and `dropped` counts them."""

    def __init__(self, event_log: EventLog, *, limit: int = RING_LIMIT) -> None:
        self._event_log = event_log
        self._entries: deque[tuple[int, T]] = deque()
        self._limit = limit
        self.dropped = 0

    def __iter__(self) -> Iterator[T]:
        return iter([entry for _number, entry in self._entries])

    def __len__(self) -> int:
        return len(self._entries)

    def mark(self) -> int:
        """A mark: later entries are new."""
        return self._event_log.now

    def next_number(self) -> int:
        """The number for the next entry; waiting callers check again afterwards."""
        return self._event_log.next_number()

    def add(self, number: int, entry: T) -> None:
        """Keep an entry under a number from `next_number`."""
        if len(self._entries) >= self._limit:
            self._entries.popleft()
            self.dropped += 1
        self._entries.append((number, entry))

    def since(self, mark: int) -> list[T]:
        """Entries after a mark, oldest first."""
        return [entry for number, entry in self._entries if number > mark]

    def clear(self, unwanted: Callable[[T], bool] = lambda _entry: True) -> None:
        """Remove all entries, or those that do not match; marks stay valid."""
        self._entries = deque(pair for pair in self._entries if not unwanted(pair[1]))
