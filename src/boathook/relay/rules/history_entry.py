"""Navigating to an entry of a tab's history: refused before it happens if the entry is of another site."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.relay.send_queue import CdpRefusal

if TYPE_CHECKING:
    from boathook.relay.extension.extension_connection import Done
    from boathook.relay.sessions.target_session import TargetSession


def navigate_to_entry(target_session: TargetSession, params: dict[str, Any], done: Done) -> None:
    """A page restored from memory makes no request, so its URL is looked up first."""

    def on_history(result: dict[str, Any] | None, error: CdpRefusal | None) -> None:
        if error is not None or result is None:
            done(None, error)
            return
        urls = [entry["url"] for entry in result.get("entries", []) if entry["id"] == params.get("entryId")]
        why = next((why for url in urls if (why := target_session.tab.rules.why_not(url))), "")
        if why:
            done(None, CdpRefusal(why))
        else:
            target_session.send("Page.navigateToHistoryEntry", params, done)

    target_session.send("Page.getNavigationHistory", {}, on_history)
