"""The outcome of a call: what every door hands on, whether it went well or not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boathook.errors import BoathookError
    from boathook.service.output.change_summary import PageChange
    from boathook.service.records.artifacts import Artifact

Succeeded = ("completed", "inspection", "artifact-saved", "artifact-pending", "artifact-unverified")
"""Categories of success; those of failure stand with the errors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextAction:
    """Something worth doing next, ready to be sent."""

    id: str
    """What kind of step it is; lasting, so that programs may go by it."""
    reason: str
    argv: tuple[str, ...]
    safe: bool = True
    """Whether it only looks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageState:
    """Where a call ended."""

    tab: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a call came to."""

    command: str
    category: str
    value: Any = None
    error: BoathookError | None = None
    session: str = ""
    shown_session: str = ""
    """The session as users call it: a project's own is `default`."""
    session_change: str = ""
    """What became of the session: created, replaced, closed; preserved or abandoned when a new one failed to start."""
    page: PageState | None = None
    change: PageChange | None = None
    notes: tuple[str, ...] = ()
    next_actions: tuple[NextAction, ...] = ()
    artifacts: tuple[Artifact, ...] = ()
    account: tuple[str, ...] = ()
    """What was sent to the browser, when somebody wanted to know."""
    secrets: frozenset[str] = field(default=frozenset(), repr=False)
    """Values that must not be told; the gate takes them out of everything."""

    @property
    def ok(self) -> bool:
        """Whether it went well."""
        return self.error is None

    @property
    def exit_status(self) -> int:
        """What a program on a command line ends with."""
        return 0 if self.error is None else self.error.exit_status
