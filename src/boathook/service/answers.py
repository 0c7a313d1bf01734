"""Answers: an outcome as text for agents and people, or as JSON for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from boathook.presentation.quoting import quoted
from boathook.presentation.values import as_data, as_text

if TYPE_CHECKING:
    from boathook.errors import BoathookError
    from boathook.service.outcome import Outcome

PROGRAM = "boathook"


def in_text(outcome: Outcome) -> tuple[str, str]:
    """What goes to the output and what to the error stream."""
    notes = "".join(f"note: {note}\n" for note in outcome.notes)
    if outcome.error is None:
        return f"{notes}{as_text(outcome.value)}\n", ""
    return "", notes + error_in_text(outcome.error) + _advice(outcome)


def error_in_text(error: BoathookError) -> str:
    """One line: what is wrong, what to do, and the code to look up."""
    return f"error: {quoted(str(error), marks=False)} [{error.code}]\n"


def _advice(outcome: Outcome) -> str:
    return "".join(f"next: {PROGRAM} {' '.join(one.argv)}   ({one.reason})\n" for one in outcome.next_actions)


def in_json(outcome: Outcome) -> str:
    """The whole outcome as one JSON object."""
    told: dict[str, Any] = {"ok": outcome.ok, "command": outcome.command, "category": outcome.category}
    if outcome.session:
        told["session"] = outcome.session
    if outcome.page is not None:
        told["page"] = {"tab": outcome.page.tab, "url": outcome.page.url}
    if outcome.error is None:
        told["data"] = as_data(outcome.value)
        told["text"] = as_text(outcome.value)
    else:
        told["error"] = error_data(outcome.error)
    if outcome.notes:
        told["notes"] = list(outcome.notes)
    if outcome.next_actions:
        told["next"] = [
            {"reason": one.reason, "argv": list(one.argv), "safe": one.safe} for one in outcome.next_actions
        ]
    if outcome.artifacts:
        told["artifacts"] = list(outcome.artifacts)
    return json.dumps(told, ensure_ascii=False) + "\n"


def error_data(error: BoathookError) -> dict[str, Any]:
    """An error as data."""
    return {
        "code": error.code,
        "category": error.category,
        "message": error.message,
        "hint": error.hint,
        "retry_safe": error.retry_safe,
        "evidence": as_data(error.evidence),
    }
