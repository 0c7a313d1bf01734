"""Prompt guards: which one refused a call, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.service.diagnostics.diagnostic import Diagnostic

if TYPE_CHECKING:
    from boathook.service.diagnostics.diagnostic import Situation


async def explain_guard(situation: Situation) -> Diagnostic | None:
    """The reason of a prompt guard, which the error names too."""
    facts = situation.error.evidence.get("prompt_guard") if situation.error is not None else None
    return Diagnostic(kind="prompt-guard", facts=facts) if isinstance(facts, dict) else None
