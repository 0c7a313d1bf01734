"""What the steps of a batch mean for the whole batch: its category, its next actions, how far it came."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.errors import TimedOut
from boathook.service.output.outcome import PageState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.registry.context import Step
    from boathook.service.output.outcome import Outcome

ARTIFACT_CATEGORIES = ("artifact-pending", "artifact-unverified", "artifact-saved")
"""Categories of a success with files; of several, the first one counts."""


def roll_up(outcome: Outcome) -> Outcome:
    """The outcome of a batch: of its first failed step the category and the next actions, of its last step the page."""
    steps, failed = outcome.steps, outcome.failed_step
    if not steps:
        return outcome
    page = next((step.page for step in reversed(steps) if step.page), None)
    found = PageState(tab=str(page["tab"]), url=str(page["url"])) if page else outcome.page
    if failed is None:
        kinds = {step.category for step in steps}
        saved = next((category for category in ARTIFACT_CATEGORIES if category in kinds), outcome.category)
        return replace(outcome, page=found, category=saved)
    if failed.error is None:  # steps in the agent-browser mode have their own form
        return replace(outcome, page=found)
    return replace(outcome, page=found, category=failed.category, next_actions=failed.next_actions)


def batch_failure(outcome: Outcome) -> dict[str, Any] | None:
    """Which step of a batch failed first, and how many did."""
    failed = outcome.failed_step
    if failed is None:
        return None
    counts = [step.status for step in outcome.steps]
    return {
        "failed_step": {
            "index": outcome.steps.index(failed),
            "argv": list(failed.argv),
            "category": failed.category,
            "code": failed.code,
        },
        "failure_count": counts.count("failed"),
        "success_count": counts.count("completed"),
        "total_count": len(counts),
    }


def timeout_partial_progress(outcome: Outcome) -> dict[str, Any] | None:
    """How far a batch came before it timed out; None if it did not."""
    failed = outcome.failed_step
    if failed is None or failed.code != TimedOut.code:
        return None
    index = outcome.steps.index(failed)
    retries = any(action.id == "retry-timeout-step" for action in failed.next_actions)
    told = {
        "steps": [
            {"index": number, "args": list(step.argv), "status": step.status}
            for number, step in enumerate(outcome.steps)
        ],
        "retry_step": index if retries else None,
        "current_page": dict(failed.page) if failed.page else None,
        "artifacts": [
            {"step_index": number, **_file_now(artifact)}
            for number, step in enumerate(outcome.steps)
            for artifact in step.artifacts
        ],
    }
    return {name: value for name, value in told.items() if value not in (None, [])}


def _file_now(artifact: Mapping[str, Any]) -> dict[str, Any]:
    path = Path(str(artifact["path"]))
    exists = path.is_file()
    return {"path": str(path), "exists": exists, "size_bytes": path.stat().st_size if exists else None}


def step_row(step: Step) -> dict[str, Any]:
    """A step for a model, without what its text says."""
    told: dict[str, Any] = {
        "argv": list(step.argv),
        "status": step.status,
        "ok": step.ok,
        "code": step.code,
        "category": step.category,
        "change": step.change,
        "artifacts": list(step.artifacts),
        "page": step.page,
        "next": list(step.next),
    }
    return {name: value for name, value in told.items() if value not in (None, "", [])}
