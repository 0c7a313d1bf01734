"""Waits that timed out: for text, a URL or a download, and while a dialog is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.errors import TimedOut
from boathook.service.diagnostics.action_ids import suggest
from boathook.service.diagnostics.categories import waits_for_download
from boathook.service.diagnostics.diagnostic import Diagnostic

if TYPE_CHECKING:
    from boathook.registry.context import NextAction
    from boathook.service.diagnostics.diagnostic import Situation


async def explain_wait_timeout(situation: Situation) -> Diagnostic | None:
    """Calls after a wait that timed out; the error says what was last seen."""
    if not isinstance(situation.error, TimedOut):
        return None
    kind, actions = _advice(situation)
    return Diagnostic(kind=kind, next_actions=actions) if actions else None


def _advice(situation: Situation) -> tuple[str, tuple[NextAction, ...]]:
    call, tab = situation.call, situation.context.tab
    given = call.arguments if call.command.group == "wait" else {}
    if tab is not None and tab.dialogs.pending is not None:
        answers = (
            suggest("accept-dialog", "dialog", "accept"),
            suggest("dismiss-dialog", "dialog", "dismiss"),
        )
        return "dialog-timeout", (suggest("inspect-dialog-after-timeout", "dialog", "status"), *answers)
    if waits_for_download(call):
        return "download-timeout", (suggest("wait-for-download", *_DOWNLOAD),)
    if given.get("text") is not None:
        return "text-wait-timeout", (suggest("inspect-after-text-assertion-failure", "snapshot"),)
    if tab is not None and (given.get("url") or given.get("pattern")):
        look = suggest("inspect-after-timeout", "snapshot")
        afresh = suggest("fresh-session-after-url-wait-timeout", "--fresh", "open", tab.url)
        return "url-wait-timeout", (look, afresh)
    return "", ()


_DOWNLOAD = ("wait", "--download", "--timeout", "60")
