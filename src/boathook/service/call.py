"""One call from a surface, its context (session and tab as they become known), and its outcome."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from boathook.errors import ConfirmationRequired
from boathook.redaction.redactor import Redactor
from boathook.service.output.change_summary import PageChange, page_change
from boathook.service.output.outcome import Outcome, PageState
from boathook.service.policy.refusal_notes import refusal_note
from boathook.service.surface import Surface
from boathook.service.surface_renderer import COMMAND_LINE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.engine.tab import Tab
    from boathook.registry.registry import Command
    from boathook.service.records.cdp_trace import CdpTrace
    from boathook.service.sessions.session import Session
    from boathook.service.surface_renderer import SurfaceRenderer


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call from a surface."""

    command: Command
    arguments: Mapping[str, Any]
    settings: Mapping[str, Any] = field(default_factory=dict)
    own_settings: frozenset[str] = frozenset()
    """The settings that came with the call itself: what they do, the caller does."""
    folder: str = "/"
    """The caller's working directory: paths are relative to it."""
    surface: Surface = Surface.COMMAND_LINE
    program: str = ""
    pid: int = 0
    peer: int | None = None
    """The process at the other end of the connection, from the kernel; None if it is not known."""
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    stdin: str | None = None
    argv: tuple[str, ...] = field(default=(), repr=False)
    """The caller's words, if it sent a command line."""
    renderer: SurfaceRenderer = COMMAND_LINE
    """The caller's surface: how hints and next actions are rendered, and what it is offered."""
    tab_locks: bool = True
    """Whether the tab is locked for it; not if the caller has already locked it."""

    @property
    def who(self) -> str:
        """The caller as text."""
        return f"{self.program or 'process'} {self.pid}".strip()


@dataclass(slots=True)
class CallContext:
    """Where a call runs, as far as it is known."""

    session: Session | None = None
    tab: Tab | None = None
    found_at: str = ""
    """The tab's URL when the call started."""
    secrets: frozenset[str] = frozenset()
    session_change: str = ""
    cdp_trace: CdpTrace | None = None
    other_pages: str = ""
    """Where other sessions of the caller are, if its own is new and blank."""
    drift: str = ""
    """That the call used another tab or document than the one before it, if it did."""
    refusals: int = 0
    """How many requests of pages had been blocked before."""


def outcome_at(context: CallContext, call: Call, **facts: Any) -> Outcome:
    """The outcome of a call, with what there is to report about its context."""
    page = None
    if context.tab is not None and context.tab.state != "closed":
        page = PageState(tab=context.tab.id, url=context.tab.url)
    told: dict[str, Any] = {"session_change": context.session_change, "secrets": context.secrets}
    if context.cdp_trace is not None:
        told["account"] = context.cdp_trace.lines()
    if context.session is not None:
        told |= _about_session(context.session, context)
    elif call.command.closes_session and "error" not in facts:
        told["session_change"] = "closed"
    if "error" not in facts:
        told["change"] = page_change(facts.get("value"), artifacts=facts.get("artifacts", ()), page=page)
    elif isinstance(facts["error"], ConfirmationRequired):
        told["change"] = PageChange(
            kind="confirmation", summary="nothing was done yet: a person must approve it"
        )
    return Outcome(command=call.command.name, page=page, **told, **facts, **_about_call(call))


def _about_call(call: Call) -> dict[str, Any]:
    """How the call was made."""
    typed = {
        str(word)
        for name in call.command.secrets
        for word in _listed(call.arguments.get(name))
        if word is not None
    }
    return {
        "args": tuple(Redactor().argv(list(call.argv), secret_words=typed)),
        "session_mode": "fresh" if call.settings.get("fresh") else "auto",
        "names_session": "session" in call.own_settings,
    }


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _about_session(session: Session, context: CallContext) -> dict[str, Any]:
    """What an outcome reports about its session; each note is reported once."""
    notes, session.news = list(session.news), []
    if context.tab is not None:  # a snapshot has reported them already
        notes += context.tab.news
        context.tab.news = []
    change, session.change = session.change, ""
    if context.other_pages:
        notes.append(f"session {session.shown} is new and its page is blank; {context.other_pages}")
    if refused := refusal_note(session.browser, since=context.refusals):
        notes.append(refused)
    return {
        "session": session.name,
        "shown_session": session.shown,
        "session_change": change,
        "notes": tuple(notes),
    }
