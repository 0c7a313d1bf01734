"""Pages of other sessions: what to tell a caller whose own session has just been started and is blank."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.redaction.redactor import Redactor
from boathook.service.sessions.session import BLANK

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boathook.service.sessions.session import Session

MOST_LISTED = 3
SHOWN_URL = 120


def describe_other_pages(own: Session, sessions: Iterable[Session], *, default: str) -> str:
    """Which other sessions have a page, and how to use them; `default` is the session of the caller's folder."""
    others = [
        (session, url)
        for session in sessions
        if session is not own and (url := _last_url(session)) and session.alive
    ]
    others.sort(key=lambda pair: pair[0].used, reverse=True)
    return "; ".join(_describe(session, url, default=default) for session, url in others[:MOST_LISTED])


def _last_url(session: Session) -> str:
    """The URL of its newest page, without its secrets; empty if it has none."""
    pages = [tab.url for tab in session.tabs if tab.url not in {"", BLANK}]
    return Redactor(session.secrets).text(pages[-1])[:SHOWN_URL] if pages else ""


def _describe(session: Session, url: str, *, default: str) -> str:
    if session.name == default:
        return f"the session of this folder is at {url}: omit --session"
    name = f"the session of {session.project}" if session.project else f"session {session.name}"
    return f"{name} is at {url}: use --session {session.name}"
