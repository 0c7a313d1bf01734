"""The outcome of a call: what every surface returns, whether it succeeded or not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boathook.errors import BoathookError
    from boathook.service.output.change_summary import PageChange
    from boathook.service.records.artifacts import Artifact


@dataclass(frozen=True, slots=True, kw_only=True)
class NextAction:
    """A suggested next call."""

    id: str
    """The kind of step; stable, so that programs may rely on it."""
    reason: str
    argv: tuple[str, ...]
    safe: bool = True
    """Whether it only reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageState:
    """Where a call ended."""

    tab: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result of a call."""

    command: str
    category: str
    value: Any = None
    error: BoathookError | None = None
    session: str = ""
    shown_session: str = ""
    """The session as users call it: a project's own is `default`."""
    session_change: str = ""
    """What happened to the session: created, replaced, closed; preserved or abandoned if a new one failed to start."""
    page: PageState | None = None
    change: PageChange | None = None
    notes: tuple[str, ...] = ()
    next_actions: tuple[NextAction, ...] = ()
    artifacts: tuple[Artifact, ...] = ()
    account: tuple[str, ...] = ()
    """The CDP trace, if it was requested."""
    secrets: frozenset[str] = field(default=frozenset(), repr=False)
    """Values that must not be printed; the output guard removes them from everything."""

    @property
    def ok(self) -> bool:
        """Whether it succeeded."""
        return self.error is None

    @property
    def exit_status(self) -> int:
        """The exit status of a command-line program."""
        return 0 if self.error is None else self.error.exit_status
