"""What handlers receive besides tabs and browsers: the host, as far as commands may know it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from boathook.redaction.safe_repr import safe_repr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from boathook.commands.results import Ran
    from boathook.engine.network.proxy.fetch_url import FetchedBody


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInfo:
    """A session that runs."""

    name: str
    """`default` for that of the project where the call was made; that of another project shows its own name."""
    present: bool
    """Whether it is the one that calls from here use when they name none."""
    browser: str
    tabs: tuple[str, ...]
    owner: str
    age_seconds: float
    idle_seconds: float
    busy: tuple[str, ...] = ()
    project: str = ""
    """The folder whose default session it is."""
    address: str = ""
    """Where its browser listens; nothing for one that we started."""
    restore: str = ""
    """What became of its kept state, when it has one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptFile:
    """A file that was made in a session, as it is now."""

    path: str
    kind: str
    state: str
    size: int | None = None
    reason: str = ""


SessionScope = Literal["worktree", "cwd", "git-root"]


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a batch and what it came to."""

    argv: tuple[str, ...]
    ok: bool
    text: str
    data: Any = None
    code: str = ""
    images: tuple[dict[str, str], ...] = field(default=(), repr=False)
    """For a model: media type and base64 of each."""


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

    def session(self, name: str | None = None) -> SessionInfo:
        """One session that runs; without a name the one that the call means."""

    def session_id(self) -> str:
        """The name under which the session that the call means is kept, whether it runs or not."""

    def name_for(self, scope: SessionScope, *, prefix: str) -> str:
        """A name for a session that belongs to a folder around where the call was made, always the same."""

    async def secret(self, source: str, *, origin: str) -> str:
        """The value that a source such as env:NAME names, when pages of this origin may have it."""

    def whole_path(self, path: str) -> Path:
        """A path as it is meant from where the call was made."""

    def memory(self) -> dict[str, Any]:
        """What tools keep between two calls in the session that the call means; it ends with the daemon."""

    async def present_target(self) -> str:
        """The CDP target of the tab that calls work on here."""

    def artifacts(self) -> list[KeptFile]:
        """The files that were made in the session that the call means."""

    def sessions(self) -> list[SessionInfo]:
        """All sessions of the user."""

    async def close_session(self, name: str | None = None, *, kill: bool = False) -> SessionInfo:
        """End one session, and with `kill` the app that was started for it; how it stood before."""

    async def close_all(self) -> int:
        """End all of them."""

    def history(self, *, limit: int) -> list[Done]:
        """What was done in the session that the call means, oldest first."""

    async def show_window(self, *, shown: bool) -> list[str]:
        """Start the session's browser again with a window or without; the addresses that are lost with it."""

    async def connect(self, endpoint: str) -> SessionInfo:
        """Work in a browser that listens, in the session that the call means."""

    def clean(self, *, older_than: float) -> str:
        """Remove what is kept and older than so many seconds."""

    async def examine(self, *, fix: bool, quick: bool = False) -> list[Finding]:
        """Look for whatever keeps browsers from working, and repair it when asked to."""

    async def install(self) -> str:
        """Get a browser; where it is."""

    def set_up(
        self,
        client: str,
        *,
        place: Literal["user", "project"],
        tools: str,
        undo: bool = False,
        dry_run: bool = False,
        show: bool = False,
    ) -> str:
        """Write our MCP server into a client's configuration, or take it out; what was changed."""

    async def run_script(
        self,
        code: str,
        *,
        language: Literal["python", "js", "js-page"],
        engine: Literal["safe", "jail", "unsafe"] | None,
        seconds: float,
    ) -> Ran:
        """Run code beside the tab that the call means."""

    async def forget_state(self) -> list[str]:
        """Forget what scripts have kept for that tab; the names of it."""

    async def fetch(
        self, url: str, *, accept: str, headers: Mapping[str, str] | None = None, seconds: float
    ) -> FetchedBody:
        """Ask for an address without a browser, within the limits on hosts."""

    def deny(self, number: str) -> str:
        """Take back the question of this number; the command that is not run."""

    def confirm(self, number: str) -> str:
        """BadRequest: a question that there is never comes here, since its call is made instead."""

    async def start_afresh(self) -> None:
        """End the session that the call means, when the caller wants a new one."""

    async def run_line(self, argv: Sequence[str]) -> Step:
        """Run another command line in the same place."""

    async def run(
        self, name: str, arguments: Mapping[str, Any], *, settings: Mapping[str, Any] | None = None
    ) -> Any:
        """Run another command in the same place, or where the settings say; its value, or its error."""

    @property
    def stdin(self) -> str | None:
        """What the caller sent along."""
