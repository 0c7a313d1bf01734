"""What handlers receive besides tabs and browsers: the host, as far as commands may know it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInfo:
    """A session that runs."""

    name: str
    present: bool
    """Whether it is the one that calls from here use when they name none."""
    browser: str
    tabs: tuple[str, ...]
    owner: str
    age_seconds: float
    idle_seconds: float
    busy: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a batch and what it came to."""

    argv: tuple[str, ...]
    ok: bool
    text: str
    data: Any = None
    code: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A call as the history remembers it; secrets are not in it."""

    time: str
    who: str
    command: str
    arguments: dict[str, Any]
    outcome: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one check of the doctor found."""

    name: str
    ok: bool
    said: str
    cure: str = ""
    """What would repair it."""
    repaired: bool = False


class HostScope(Protocol):
    """Where a call comes from, and the sessions around it."""

    @property
    def session_name(self) -> str:
        """The session that the call means."""

    def sessions(self) -> list[SessionInfo]:
        """All sessions of the user."""

    async def close_session(self, name: str) -> None:
        """End one session."""

    async def close_all(self) -> int:
        """End all of them."""

    def history(self, *, limit: int) -> list[Done]:
        """What was done in the session that the call means, oldest first."""

    async def connect(self, endpoint: str) -> SessionInfo:
        """Work in a browser that listens, in the session that the call means."""

    def clean(self, *, older_than: float) -> str:
        """Remove what is kept and older than so many seconds."""

    async def examine(self, *, fix: bool) -> list[Finding]:
        """Look for whatever keeps browsers from working, and repair it when asked to."""

    async def install(self) -> str:
        """Get a browser; where it is."""

    async def start_afresh(self) -> None:
        """End the session that the call means, when the caller wants a new one."""

    async def run_line(self, argv: Sequence[str]) -> Step:
        """Run another command line in the same place."""

    @property
    def stdin(self) -> str | None:
        """What the caller sent along."""
