"""Candidates for sources as text and data."""

from __future__ import annotations

from typing import Any

from boathook.engine.sources.candidates import ErrorSources, RequestSources, SourceCandidate, SourceLookup
from boathook.presentation.quoting import quote
from boathook.presentation.rendering import as_data, own_lines


@own_lines
def render_source_lookup(found: SourceLookup) -> str:
    """The status, then a line for each candidate."""
    return "\n".join([found.status, *_candidates(found.candidates), *_notes(found.notes)])


@own_lines
def render_request_sources(found: RequestSources) -> str:
    """The status and the requests, then a line for each candidate."""
    requests = [
        f"#{request.number} {request.method} {request.url}: {request.status or request.failure}"
        for request in found.requests
    ]
    return "\n".join([found.status, *requests, *_candidates(found.candidates), *_notes(found.notes)])


@own_lines
def render_error_sources(found: ErrorSources) -> str:
    """The status and the errors, then a line for each candidate."""
    errors = [f"error {quote(text)}" for text in found.errors]
    return "\n".join([found.status, *errors, *_candidates(found.candidates), *_notes(found.notes)])


def _candidates(candidates: tuple[SourceCandidate, ...]) -> list[str]:
    return [
        f"{candidate.confidence:7}{_place(candidate)} ({'; '.join(candidate.evidence)})"
        for candidate in candidates
    ]


def _place(candidate: SourceCandidate) -> str:
    if candidate.file is None:
        return quote(candidate.reported)
    line = f":{candidate.line}" if candidate.line else ""
    return f"{candidate.file}{line}{f':{candidate.column}' if line and candidate.column else ''}"


def _notes(notes: tuple[str, ...]) -> list[str]:
    return [f"note: {text}" for text in notes]


@as_data.register
def _candidate_data(candidate: SourceCandidate) -> dict[str, Any]:
    """With the names of other tools; what is not known is left out."""
    told = {
        "source": candidate.source,
        "confidence": candidate.confidence,
        "evidence": list(candidate.evidence),
        "file": candidate.file,
        "line": candidate.line,
        "column": candidate.column,
        "componentName": candidate.component or None,
        "reported": candidate.reported or None,
    }
    return {name: value for name, value in told.items() if value is not None}


@as_data.register
def _request_data(found: RequestSources) -> dict[str, Any]:
    return {
        "status": found.status,
        "failedRequests": as_data(found.requests),
        "candidates": as_data(found.candidates),
        "notes": list(found.notes),
    }
