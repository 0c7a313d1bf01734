"""A diagnostic: one finding about a call, in one sentence, with its facts and the calls that help."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.errors import BoathookError
    from boathook.registry.context import NextAction
    from boathook.service.call import Call, CallContext


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One finding about a call."""

    kind: str
    summary: str = ""
    """At most 60 tokens; empty if the error or the result says it already."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    next_actions: tuple[NextAction, ...] = ()
    is_problem: bool = True
    """Whether something may be wrong; a count of requests is not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """A call that has ended: what it was, where it ran, what it returned or why it failed."""

    call: Call
    context: CallContext
    value: Any = None
    error: BoathookError | None = None
