"""The outcome of a call: what every surface returns, whether it succeeded or not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from boathook.errors import BoathookError
from boathook.registry.context import NextAction, Step

__all__ = ["NextAction", "Outcome", "PageState"]

if TYPE_CHECKING:
    from boathook.service.diagnostics.diagnostic import Diagnostic
    from boathook.service.output.change_summary import PageChange
    from boathook.service.records.artifacts import Artifact


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
    diagnostics: tuple[Diagnostic, ...] = ()
    args: tuple[str, ...] = field(default=(), repr=False)
    """The caller's words, if it sent a command line."""
    session_mode: str = "auto"
    names_session: bool = False
    """Whether the caller named the session."""
    account: tuple[str, ...] = ()
    """The CDP trace, if it was requested."""
    secrets: frozenset[str] = field(default=frozenset(), repr=False)
    """Values that must not be printed; the output guard removes them from everything."""

    @property
    def ok(self) -> bool:
        """Whether it succeeded, and all its steps."""
        return self.error is None and self.failed_step is None and not self.failed_check

    @property
    def said_notes(self) -> tuple[str, ...]:
        """The notes of its text: what is to be said about the session, then about the call."""
        return (*self.notes, *(finding.summary for finding in self.diagnostics if finding.summary))

    @property
    def steps(self) -> list[Step]:
        """The steps of a batch."""
        listed = self.value if isinstance(self.value, list) else []
        return listed if listed and isinstance(listed[0], Step) else []

    @property
    def failed_step(self) -> Step | None:
        """The first step of a batch that failed."""
        return next((step for step in self.steps if not step.ok), None)

    @property
    def failed_check(self) -> str:
        """The category of a check that did not pass; empty if it did, or if nothing was checked."""
        return str(getattr(self.value, "failure_category", ""))

    @property
    def exit_status(self) -> int:
        """The exit status of a command-line program."""
        if self.error is not None:
            return self.error.exit_status
        if self.failed_check:
            return BoathookError.exit_status
        return 0 if self.failed_step is None else self.failed_step.exit
