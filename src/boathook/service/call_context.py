"""The place of a call: its session and tab as they become known, and what an answer tells of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.service.output.change_summary import page_change
from boathook.service.output.outcome import Outcome, PageState
from boathook.service.policy.refusal_notes import refusal_note

if TYPE_CHECKING:
    from boathook.engine.tab import Tab
    from boathook.service.records.cdp_trace import Account
    from boathook.service.runner import Call
    from boathook.service.sessions.session import Session


@dataclass(slots=True)
class Place:
    """Where a call works, as far as it has come."""

    session: Session | None = None
    tab: Tab | None = None
    found_at: str = ""
    """The tab's address when the call came to it."""
    secrets: frozenset[str] = frozenset()
    session_change: str = ""
    account: Account | None = None
    refusals: int = 0
    """How many requests of pages had been refused before."""


def outcome_at(place: Place, call: Call, **facts: Any) -> Outcome:
    """What a call came to, with what there is to tell about its place."""
    page = None
    if place.tab is not None and place.tab.state != "closed":
        page = PageState(tab=place.tab.id, url=place.tab.url)
    told: dict[str, Any] = {"session_change": place.session_change, "secrets": place.secrets}
    if place.account is not None:
        told["account"] = place.account.lines()
    if place.session is not None:
        told |= _about_session(place.session, place)
    elif call.command.closes_session and "error" not in facts:
        told["session_change"] = "closed"
    if "error" not in facts:
        told["change"] = page_change(facts.get("value"), artifacts=facts.get("artifacts", ()), page=page)
    return Outcome(command=call.command.name, page=page, **told, **facts)


def _about_session(session: Session, place: Place) -> dict[str, Any]:
    """What an answer tells about its session; news are told once."""
    notes, session.news = list(session.news), []
    change, session.change = session.change, ""
    if refused := refusal_note(session.browser, since=place.refusals):
        notes.append(refused)
    return {
        "session": session.name,
        "shown_session": session.shown,
        "session_change": change,
        "notes": tuple(notes),
    }
