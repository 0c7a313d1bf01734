"""Time: now, and the one deadline that a call carries through all its stages."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from boathook.errors import BadSetting, TimedOut

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

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
        self.open_stages = 0
        self.stuck_in: tuple[str, str] | None = None
        """The innermost stage that the deadline ended, and what was last seen."""

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

    def stage(self, doing: str, *, seen: Callable[[], str] | None = None) -> _Stage:
        """Name a block; if the deadline passes inside it, the error includes the name and what was last seen."""
        return _Stage(self, doing, seen)

    def note_stuck(self, doing: str, seen: Callable[[], str] | None) -> None:
        """Note a stage that was ended: the first one is the innermost, others may know what was last seen."""
        if self.stuck_in is None or (seen and not self.stuck_in[1]):
            self.stuck_in = (self.stuck_in[0] if self.stuck_in else doing, seen() if seen else "")


class _Stage:
    """One stage of a call: a class, since calls have many of them and generators take longer."""

    __slots__ = ("_deadline", "_doing", "_scope", "_seen")

    def __init__(self, deadline: Deadline, doing: str, seen: Callable[[], str] | None) -> None:
        self._deadline = deadline
        self._doing = doing
        self._seen = seen
        self._scope: asyncio.Timeout | None = None

    async def __aenter__(self) -> None:
        if self._deadline.open_stages == 0:
            self._scope = asyncio.timeout_at(self._deadline.at)
            await self._scope.__aenter__()
        self._deadline.open_stages += 1

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._deadline.open_stages -= 1
        if isinstance(error, asyncio.CancelledError):
            self._deadline.note_stuck(self._doing, self._seen)
        if self._scope is None:
            return
        try:
            await self._scope.__aexit__(kind, error, trace)
        except TimeoutError as late:
            raise self._timed_out() from late
        if isinstance(error, TimeoutError) and self._scope.expired():
            raise self._timed_out() from error

    def _timed_out(self) -> TimedOut:
        stage, found = self._deadline.stuck_in or (self._doing, "")
        return TimedOut(stage, seconds=self._deadline.seconds, seen=found)
