"""All diagnostics of a call, from one table; each returns at most one finding and asks the page at most once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.service.diagnostics.comboboxes import find_closed_combobox
from boathook.service.diagnostics.guards import explain_guard
from boathook.service.diagnostics.network import count_failures, find_unanswered_routes
from boathook.service.diagnostics.next_actions import MOST, in_session
from boathook.service.diagnostics.overlays import find_overlay
from boathook.service.diagnostics.sessions import explain_failed_start, explain_other_launch
from boathook.service.diagnostics.tabs import after_attach, explain_drift
from boathook.service.diagnostics.waits import explain_wait_timeout

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence

    from boathook.registry.context import NextAction
    from boathook.service.diagnostics.diagnostic import Diagnostic, Situation

AFTER_SUCCESS: tuple[Callable[[Situation], Awaitable[Diagnostic | None]], ...] = (
    find_overlay,
    find_closed_combobox,
    find_unanswered_routes,
    count_failures,
    after_attach,
)
AFTER_ERROR: tuple[Callable[[Situation], Awaitable[Diagnostic | None]], ...] = (
    explain_drift,
    find_overlay,
    explain_wait_timeout,
    explain_failed_start,
    explain_other_launch,
    explain_guard,
)


async def diagnose(situation: Situation) -> tuple[Diagnostic, ...]:
    """What is to be said about a call besides its result."""
    table = AFTER_SUCCESS if situation.error is None else AFTER_ERROR
    found = [await look(situation) for look in table]
    return tuple(finding for finding in found if finding is not None)


def merge_actions(
    found: Iterable[Diagnostic], usual: Sequence[NextAction], situation: Situation
) -> tuple[NextAction, ...]:
    """The calls of diagnostics and those of the result's type: one that only looks comes first, and each id once."""
    special = in_session(
        [action for finding in found for action in finding.next_actions], situation.call.settings
    )
    said = {action.argv for action in special}
    usual = [action for action in usual if action.argv not in said]
    looks = [action for action in usual if action.safe][:1] if special and not special[0].safe else []
    by_id = {action.id: action for action in reversed([*looks, *special, *usual])}
    ordered = list(dict.fromkeys(action.id for action in [*looks, *special, *usual]))
    return tuple(by_id[id] for id in ordered)[:MOST]
