"""Time: now, and the one deadline that a call carries through all its stages."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from boathook.errors import BadSetting, TimedOut

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

LONGEST_SECONDS = 24 * 3600.0
READ_SECONDS = 20.0


def now() -> float:
    """Seconds on the running loop's monotonic clock."""
    return asyncio.get_running_loop().time()


class Deadline:
    """A moment by which a call must end; inner code takes its limits from here.

    Stages nest. Only the outermost one has a timer; when it fires, the error names the innermost stage.
    """

    def __init__(self, *, at: float, seconds: float) -> None:
        self.at = at
        self.seconds = seconds
        self._depth = 0
        self._stuck: tuple[str, str] | None = None

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        """The moment `seconds` from now."""
        if not 0 < seconds <= LONGEST_SECONDS:
            raise BadSetting(f"invalid timeout: {seconds} s", hint="use seconds above 0, up to a day")
        return cls(at=now() + seconds, seconds=seconds)

    def remaining(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self.at - now())

    def shorten(self, seconds: float) -> Deadline:
        """A separate deadline, at most `seconds` away and never later than this one."""
        return Deadline(at=min(self.at, now() + seconds), seconds=min(self.seconds, seconds))

    @asynccontextmanager
    async def stage(self, doing: str, *, seen: Callable[[], str] | None = None) -> AsyncIterator[None]:
        """Name a block; if the deadline passes inside it, the error includes the name and what was last seen."""
        if self._depth:
            async with self._enter_stage(doing, seen):
                yield
            return
        scope = asyncio.timeout_at(self.at)
        try:
            async with scope, self._enter_stage(doing, seen):
                yield
        except TimeoutError as error:
            if not scope.expired():
                raise
            stage, found = self._stuck or (doing, "")
            raise TimedOut(stage, seconds=self.seconds, seen=found) from error

    @asynccontextmanager
    async def _enter_stage(self, doing: str, seen: Callable[[], str] | None) -> AsyncIterator[None]:
        self._depth += 1
        try:
            yield
        except asyncio.CancelledError:
            if self._stuck is None or (seen and not self._stuck[1]):
                self._stuck = (self._stuck[0] if self._stuck else doing, seen() if seen else "")
            raise
        finally:
            self._depth -= 1
