"""What handlers receive besides tabs and browsers: the part of the host that commands may use."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from boathook.redaction.safe_repr import safe_repr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from boathook.clock import Deadline
    from boathook.commands.results import ScriptResult
    from boathook.engine.network.proxy.fetch_url import FetchedBody


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInfo:
    """A running session."""

    name: str
    """`default` for the session of the calling project; sessions of other projects have their full names."""
    present: bool
    """Whether calls from here use it when they name no session."""
    browser: str
    tabs: tuple[str, ...]
    owner: str
    age_seconds: float
    idle_seconds: float
    busy: tuple[str, ...] = ()
    project: str = ""
    """The folder whose default session it is."""
    address: str = ""
    """The CDP URL of its browser; empty for browsers started by Boathook."""
    restore: str = ""
    """The status of its saved state, if it has one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptFile:
    """A file that was written in a session, as it is now."""

    path: str
    kind: str
    state: str
    size: int | None = None
    reason: str = ""


SessionScope = Literal["worktree", "cwd", "git-root"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NextAction:
    """A suggested next call."""

    id: str
    """The kind of step; stable, so that programs may rely on it."""
    reason: str
    argv: tuple[str, ...]
    safe: bool = True
    """Whether it only reads."""
    path: str = ""
    """A file to use; then there is no call."""


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a batch and its result."""

    argv: tuple[str, ...]
    ok: bool
    text: str
    data: Any = None
    code: str = ""
    error: Mapping[str, Any] | None = None
    """What went wrong, as data, if it failed."""
    exit: int = 0
    """The exit status that it would have had as a separate call."""
    category: str = ""
    change: Mapping[str, Any] | None = None
    """What it changed on the page, as data."""
    artifacts: tuple[Mapping[str, Any], ...] = ()
    """The files that it created, as data."""
    page: Mapping[str, Any] | None = None
    """Where it ended: tab and URL, after a timeout also the title."""
    next: tuple[Mapping[str, Any], ...] = ()
    """Its next actions, as the caller of the batch can run them."""
    is_pending: bool = False
    """Whether it was not run, because the batch ended before it."""
    next_actions: tuple[NextAction, ...] = field(default=(), repr=False)
    images: tuple[dict[str, str], ...] = field(default=(), repr=False)
    """Images for a model: media type and base64 of each."""

    @property
    def status(self) -> Literal["completed", "failed", "pending"]:
        """Whether it was run, and how it ended."""
        return "pending" if self.is_pending else "completed" if self.ok else "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryEntry:
    """A call in the history, without secrets."""

    time: str
    who: str
    command: str
    arguments: dict[str, Any]
    outcome: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """The result of one check of `doctor`."""

    name: str
    ok: bool
    said: str
    cure: str = ""
    """How to fix it."""
    repaired: bool = False
    is_warning: bool = False
    """Browsers work, but less well or less safely."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyRule:
    """One rule of the policy that applies to a call."""

    name: str
    value: str
    source: str
    locked: bool = False
    """It comes from a policy file, so calls and projects can only tighten it."""


class HostApi(Protocol):
    """Where a call comes from, and the sessions around it."""

    def session(self, name: str | None = None) -> SessionInfo:
        """A running session; without a name, the session of the call."""

    def session_id(self) -> str:
        """The stored name of the session of the call, whether it is running or not."""

    @property
    def caller_pid(self) -> int:
        """The process of the caller."""

    def name_for(self, scope: SessionScope, *, prefix: str) -> str:
        """A stable session name for a folder that contains the working directory."""

    async def secret(self, source: str, *, origin: str) -> str:
        """The value of a source such as env:NAME, if pages of this origin may receive it."""

    def whole_path(self, path: str) -> Path:
        """A path resolved against the caller's working directory."""

    def memory(self) -> dict[str, Any]:
        """Values that tools store between calls in the session of the call; lost when the daemon stops."""

    async def present_target(self) -> str:
        """The CDP target of the current tab."""

    def artifacts(self) -> list[KeptFile]:
        """The files that were written in the session of the call."""

    def sessions(self) -> list[SessionInfo]:
        """All sessions of the user."""

    async def close_session(self, name: str | None = None, *, kill: bool = False) -> SessionInfo:
        """Close a session, and with `kill` the app that was started for it. Returns its last status."""

    def files_to_keep(self, name: str | None = None, *, all: bool = False) -> list[Path]:
        """Files that calls of a session, or of all, saved outside our own folders and that still exist."""

    async def close_all(self) -> int:
        """Close all sessions."""

    def history(self, *, limit: int) -> list[HistoryEntry]:
        """The history of the session of the call, oldest first."""

    async def show_window(self, *, shown: bool) -> list[str]:
        """Restart the session's browser headed or headless. Returns the URLs that are lost."""

    async def connect(self, endpoint: str) -> SessionInfo:
        """Attach the session of the call to a running browser."""

    def clean(self, *, older_than: float) -> str:
        """Remove stored files that are older than so many seconds."""

    async def examine(self, *, fix: bool, quick: bool = False) -> list[CheckResult]:
        """Check for problems that keep browsers from working, and optionally fix them."""

    def policy(self) -> list[PolicyRule]:
        """The rules that apply to calls like this one, with their sources."""

    async def install(self) -> str:
        """Install a browser. Returns its path."""

    async def run_script(
        self,
        code: str,
        *,
        language: Literal["python", "js", "js-page"],
        engine: Literal["safe", "jail", "unsafe"] | None,
        seconds: float,
    ) -> ScriptResult:
        """Run a script with the tab of the call."""

    async def forget_state(self) -> list[str]:
        """Clear the values that scripts stored for that tab. Returns their names."""

    async def fetch(
        self, url: str, *, accept: str, headers: Mapping[str, str] | None = None, seconds: float
    ) -> FetchedBody:
        """Fetch a URL without a browser, within the host policy."""

    def deny(self, number: str) -> str:
        """Deny the confirmation with this id. Returns the command that is not run."""

    def confirm(self, number: str) -> str:
        """Raise the reason why it is not approved: one that can be never arrives here, since its call is run instead."""

    def pending_confirmations(self) -> dict[str, str]:
        """What waits for a confirmation, by id."""

    async def start_afresh(self) -> None:
        """Close the session of the call if the caller asked for a new one."""

    @property
    def timeout(self) -> float | None:
        """How many seconds the caller gives the call, if it says so."""

    def is_line(self, argv: Sequence[str]) -> bool:
        """Whether words are a valid command line."""

    async def run_line(self, argv: Sequence[str], *, deadline: Deadline | None = None) -> Step:
        """Run another command line in the same context; it fails when the deadline passes."""

    def pending_step(self, argv: Sequence[str]) -> Step:
        """A step that was not run, without the text that it would have typed."""

    async def run(
        self, name: str, arguments: Mapping[str, Any], *, settings: Mapping[str, Any] | None = None
    ) -> Any:
        """Run another command in the same context, or with other settings. Returns its value or its error."""

    @property
    def stdin(self) -> str | None:
        """The caller's standard input."""
