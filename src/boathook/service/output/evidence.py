"""Evidence in an outcome's data: how the call was made, its diagnostics, its files, a session that must be started again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.commands.results import ClosedSessions
from boathook.presentation.rendering import as_data

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boathook.service.output.outcome import Outcome

RECOVERY = "session-recovery"
MOST_PATHS = 10
OWNER = "host-file-tools"


def evidence_of(
    outcome: Outcome, *, artifacts: Sequence[Mapping[str, Any]], args: Sequence[str]
) -> dict[str, Any]:
    """The fields of an outcome that are evidence; empty ones are omitted by the caller."""
    return {
        "args": list(args),
        "session_mode": outcome.session_mode if outcome.session else None,
        "used_implicit_session": not outcome.names_session if outcome.session else None,
        "diagnostics": _diagnostics(outcome),
        "session_recovery_hint": _recovery_hint(outcome),
        "artifact_verification": _verification(artifacts),
        "artifact_cleanup": _cleanup(outcome),
    }


def _diagnostics(outcome: Outcome) -> list[dict[str, Any]]:
    return [
        {
            "kind": finding.kind,
            **({"summary": finding.summary} if finding.summary else {}),
            **_plain(finding.facts),
        }
        for finding in outcome.diagnostics
        if finding.kind != RECOVERY
    ]


def _recovery_hint(outcome: Outcome) -> dict[str, Any] | None:
    found = next((finding for finding in outcome.diagnostics if finding.kind == RECOVERY), None)
    return None if found is None else _plain(found.facts)


def _plain(facts: Mapping[str, Any]) -> dict[str, Any]:
    data = as_data(dict(facts))
    return data if isinstance(data, dict) else {}


def _verification(artifacts: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """How many of the files of a call are what they should be."""
    if not artifacts:
        return None
    states = [str(artifact["state"]) for artifact in artifacts]
    counts = {name: states.count(name) for name in ("saved", "missing", "pending", "unverified")}
    return {
        "verified": counts["saved"] == len(states),
        "verified_count": counts["saved"],
        "missing_count": counts["missing"],
        "pending_count": counts["pending"],
        "unverified_count": counts["unverified"],
    }


def _cleanup(outcome: Outcome) -> dict[str, Any] | None:
    """Files that a closed session leaves: only their owner removes them."""
    if not isinstance(outcome.value, ClosedSessions) or not outcome.value.files:
        return None
    return {
        "owner": OWNER,
        "summary": outcome.value.kept,
        "explicit_artifact_paths": [str(path) for path in outcome.value.files[:MOST_PATHS]],
    }
