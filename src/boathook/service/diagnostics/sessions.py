"""Sessions: a new one that could not be started, and a launch setting that the running one does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.errors import BrowserError, LaunchConflict, TimedOut
from boathook.service.diagnostics.action_ids import suggest
from boathook.service.diagnostics.diagnostic import Diagnostic

if TYPE_CHECKING:
    from boathook.registry.context import NextAction
    from boathook.service.call import Call
    from boathook.service.diagnostics.diagnostic import Situation

FRESH = "--fresh"


async def explain_failed_start(situation: Situation) -> Diagnostic | None:
    """A new session did not start: the old one continues, or there is none."""
    change = situation.context.session_change
    if change not in {"preserved", "abandoned"} or not isinstance(situation.error, BrowserError | TimedOut):
        return None
    kept = (
        suggest("verify-current-managed-session", "get", "url"),
        suggest("snapshot-current-managed-session", "snapshot"),
    )
    again = _whole_line(situation.call, "retry-fresh-managed-session")
    doctor = suggest("run-agent-browser-doctor", "doctor")
    actions = (*(kept if change == "preserved" else ()), doctor, *again)
    return Diagnostic(kind="failed-fresh-session", next_actions=actions)


async def explain_other_launch(situation: Situation) -> Diagnostic | None:
    """A setting that applies only when a browser starts: the caller's own line, in a new session."""
    if not isinstance(situation.error, LaunchConflict):
        return None
    again = _whole_line(situation.call, "start-fresh-session")
    if not again:
        return None
    return Diagnostic(
        kind="session-recovery",
        facts={
            "reason": situation.error.message,
            "recommended_session_mode": "fresh",
            "example_params": {"args": list(again[0].argv[1:]), "sessionMode": "fresh"},
        },
        next_actions=again,
    )


def _whole_line(call: Call, id: str) -> tuple[NextAction, ...]:
    """The caller's line with `--fresh`; not one that types, since that may be secret."""
    if not call.argv or call.command.secrets:
        return ()
    words = [word for word in call.argv if word != FRESH]
    return (suggest(id, FRESH, *words),)
