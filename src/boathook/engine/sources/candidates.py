"""Candidates for the source of something on a page, with confidence and evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from boathook.redaction.safe_repr import safe_repr

if TYPE_CHECKING:
    from boathook.engine.network.log.request import Request

Confidence = Literal["high", "medium", "low"]
Source = Literal["react-inspect", "vue", "svelte", "dom-attribute", "stack", "initiator", "workspace-search"]
ORDER: tuple[Confidence, ...] = ("high", "medium", "low")


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class SourceCandidate:
    """One place in the source, and why it may be the one."""

    source: Source
    confidence: Confidence
    evidence: tuple[str, ...]
    file: str | None = None
    """Relative to the searched folder; None if no such file is there."""
    line: int | None = None
    """From 1."""
    column: int | None = None
    component: str = ""
    reported: str = ""
    """The file as the page names it, if it is not in the folder."""


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLookup:
    """Where an element or a component comes from."""

    status: Literal["candidates-found", "no-candidates", "unsupported"]
    candidates: tuple[SourceCandidate, ...] = ()
    notes: tuple[str, ...] = ()


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class RequestSources:
    """Which code sent the requests that failed."""

    status: Literal["failed-requests-found", "no-failed-requests", "no-candidates"]
    requests: tuple[Request, ...] = ()
    candidates: tuple[SourceCandidate, ...] = ()
    notes: tuple[str, ...] = ()


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorSources:
    """Where the errors in the console come from."""

    status: Literal["candidates-found", "no-candidates", "no-errors"]
    errors: tuple[str, ...] = ()
    candidates: tuple[SourceCandidate, ...] = ()
    notes: tuple[str, ...] = ()


def best_first(candidates: list[SourceCandidate], *, most: int) -> tuple[SourceCandidate, ...]:
    """Without repetitions, by confidence."""
    seen: dict[tuple[object, ...], SourceCandidate] = {}
    for candidate in sorted(candidates, key=lambda candidate: ORDER.index(candidate.confidence)):
        key = (candidate.file or candidate.reported, candidate.line, candidate.component)
        seen.setdefault(key, candidate)
    return tuple(seen.values())[:most]
