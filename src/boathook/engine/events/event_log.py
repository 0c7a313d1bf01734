"""Happenings of a tab: one running number for everything its logs note, and rings that keep the latest of it."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

T = TypeVar("T")

RING_LIMIT = 500


class Happenings:
    """Numbers what happens, so that `now` is a mark for all logs at once; wakes whoever waits for something."""

    def __init__(self) -> None:
        self.now = 0
        self._changed = asyncio.Event()

    def tick(self) -> int:
        """Something happened: its number."""
        self.now += 1
        self._changed.set()
        return self.now

    async def next(self) -> None:
        """Wait until something happens."""
        self._changed.clear()
        await self._changed.wait()


class Ring(Generic[T]):
    """The latest entries of one log; older ones go, and `dropped` counts them."""

    def __init__(self, happenings: Happenings, *, limit: int = RING_LIMIT) -> None:
        self._happenings = happenings
        self._entries: deque[tuple[int, T]] = deque()
        self._limit = limit
        self.dropped = 0

    def __iter__(self) -> Iterator[T]:
        return iter([entry for _number, entry in self._entries])

    def __len__(self) -> int:
        return len(self._entries)

    def mark(self) -> int:
        """What comes later is news from here on."""
        return self._happenings.now

    def tick(self) -> int:
        """The number for the next entry; whoever waits looks again afterwards."""
        return self._happenings.tick()

    def add(self, number: int, entry: T) -> None:
        """Keep an entry under a number from `tick`."""
        if len(self._entries) >= self._limit:
            self._entries.popleft()
            self.dropped += 1
        self._entries.append((number, entry))

    def since(self, mark: int) -> list[T]:
        """Entries after a mark, oldest first."""
        return [entry for number, entry in self._entries if number > mark]

    def clear(self, unwanted: Callable[[T], bool] = lambda _entry: True) -> None:
        """Forget all entries, or those that nobody wants; marks stay valid."""
        self._entries = deque(pair for pair in self._entries if not unwanted(pair[1]))
