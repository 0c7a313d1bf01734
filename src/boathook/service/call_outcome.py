"""The outcome of a call, with its diagnostics and next actions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from boathook.service.call import outcome_at
from boathook.service.diagnostics.categories import failure_category
from boathook.service.diagnostics.diagnose import diagnose, merge_actions
from boathook.service.diagnostics.diagnostic import Situation
from boathook.service.diagnostics.files import after_files
from boathook.service.diagnostics.next_actions import after_error, after_success
from boathook.service.records.call_recorder import category_of

if TYPE_CHECKING:
    from boathook.errors import BoathookError
    from boathook.service.call import Call, CallContext
    from boathook.service.output.outcome import Outcome
    from boathook.service.records.artifacts import Artifact


async def failed_outcome(error: BoathookError, call: Call, context: CallContext) -> Outcome:
    """The outcome of a call that failed."""
    situation = Situation(call=call, context=context, error=error)
    found = await diagnose(situation)
    usual = after_error(error, call.settings, command=call.command, arguments=call.arguments)
    return _with_ids(
        outcome_at(
            context,
            call,
            category=failure_category(error, call, found),
            error=error,
            diagnostics=found,
            next_actions=merge_actions(found, usual, situation),
        )
    )


async def completed_outcome(
    value: Any, call: Call, context: CallContext, artifacts: tuple[Artifact, ...]
) -> Outcome:
    """The outcome of a call that succeeded."""
    situation = Situation(call=call, context=context, value=value)
    found = await diagnose(situation)
    usual = (*after_success(value, call.settings), *after_files(artifacts))
    return _with_ids(
        outcome_at(
            context,
            call,
            category=str(getattr(value, "failure_category", "")) or category_of(artifacts),
            value=value,
            artifacts=artifacts,
            diagnostics=found,
            next_actions=merge_actions(found, usual, situation),
        )
    )


def _with_ids(outcome: Outcome) -> Outcome:
    """The change names the next actions that follow it."""
    if outcome.change is None or not outcome.next_actions:
        return outcome
    ids = tuple(action.id for action in outcome.next_actions)
    return replace(outcome, change=replace(outcome.change, next_action_ids=ids))
