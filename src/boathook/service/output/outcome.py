"""The outcome of a call: what every surface returns, whether it succeeded or not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from boathook.registry.context import Step

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
        """Whether it succeeded, and all its steps."""
        return self.error is None and self.failed_step is None

    @property
    def failed_step(self) -> Step | None:
        """The first step of a batch that failed."""
        steps = self.value if isinstance(self.value, list) else []
        return next((step for step in steps if isinstance(step, Step) and not step.ok), None)

    @property
    def exit_status(self) -> int:
        """The exit status of a command-line program."""
        if self.error is not None:
            return self.error.exit_status
        return 0 if self.failed_step is None else self.failed_step.exit
