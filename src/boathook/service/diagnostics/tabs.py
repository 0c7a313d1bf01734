"""Tabs: a call that failed because its tab was closed or had navigated; a browser that was just attached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.effects import SideEffect
from boathook.errors import TargetError
from boathook.registry.context import SessionInfo
from boathook.service.diagnostics.action_ids import suggest
from boathook.service.diagnostics.diagnostic import Diagnostic

if TYPE_CHECKING:
    from boathook.service.diagnostics.diagnostic import Situation

DRIFT = "tab-drift"


async def explain_drift(situation: Situation) -> Diagnostic | None:
    """An element that was not found because the call used another tab or document than the one before."""
    context = situation.context
    if not context.drift or not isinstance(situation.error, TargetError) or context.session is None:
        return None
    others = [tab for tab in context.session.tabs if tab is not context.tab]
    choice = (suggest("select-intended-tab-after-drift", "tab", others[-1].id),) if others else ()
    return Diagnostic(
        kind=DRIFT,
        facts={"note": context.drift},
        next_actions=(
            suggest("snapshot-after-tab-recovery", "snapshot"),
            suggest("list-tabs-for-tab-drift-recovery", "tab"),
            *choice,
        ),
    )


async def after_attach(situation: Situation) -> Diagnostic | None:
    """A browser of another program: which page is used is not known yet."""
    if (
        not isinstance(situation.value, SessionInfo)
        or SideEffect.ATTACHES_BROWSER not in situation.call.command.side_effects
    ):
        return None
    return Diagnostic(
        kind="attached",
        next_actions=(
            suggest("verify-connected-session-url", "get", "url"),
            suggest("list-connected-session-tabs", "tab"),
        ),
        is_problem=False,
    )
