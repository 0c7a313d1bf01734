"""Finding sources: claims of the page, stack frames and names, checked against the files of a folder."""

from __future__ import annotations

import asyncio
import re
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from boathook.engine.sources.candidates import (
    ErrorSources,
    RequestSources,
    SourceCandidate,
    SourceLookup,
    best_first,
)
from boathook.engine.sources.page_evidence import Claim, is_library, own_frames, read_evidence
from boathook.engine.sources.workspace import MOST_HITS, Workspace
from boathook.errors import BoathookError
from boathook.values import cut_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from boathook.clock import Deadline
    from boathook.engine.events.console import StackFrame
    from boathook.engine.network.log.request import Request
    from boathook.engine.sources.candidates import Confidence, Source
    from boathook.engine.sources.page_evidence import PageEvidence
    from boathook.engine.tab import Tab

MOST_REPORTED = 10
"""Errors or requests that are looked up, the latest ones."""
SHORTEST_MARK = 3
SHOWN = 200


async def find_element_source(
    tab: Tab,
    target: str | None,
    *,
    component: str | None,
    component_id: int | None,
    dom_hints: bool,
    root: Path,
    most_files: int,
    deadline: Deadline,
) -> SourceLookup:
    """Where an element, or a component by name or number, comes from."""
    notes: list[str] = []
    evidence: PageEvidence | None = None
    if target is not None or component_id is not None:
        try:
            evidence = await read_evidence(
                tab, target, component_id=component_id, attributes=dom_hints, deadline=deadline
            )
        except BoathookError as error:
            notes.append(cut_text(error.message, SHOWN))
    if component is None and component_id is not None and evidence is not None:
        component = next(iter(evidence.components), None)
    workspace = await _scan(root, most_files, notes)
    find = partial(_element_candidates, workspace, evidence, component=component)
    candidates = best_first(await asyncio.to_thread(find), most=MOST_HITS)
    if candidates:
        return SourceLookup(status="candidates-found", candidates=candidates, notes=tuple(notes))
    lacks_react = component_id is not None and (evidence is None or not evidence.has_react)
    return SourceLookup(status="unsupported" if lacks_react else "no-candidates", notes=tuple(notes))


async def find_request_source(
    tab: Tab, requests: list[Request], *, root: Path, most_files: int
) -> RequestSources:
    """Which code sent these requests: the calls that the browser saw, and files that contain their path."""
    latest = requests[-MOST_REPORTED:]
    if not latest:
        return RequestSources(status="no-failed-requests")
    notes: list[str] = []
    frames = [
        (request, await own_frames(tab, tab.network.initiator_frames(request.number))) for request in latest
    ]
    workspace = await _scan(root, most_files, notes)
    found = await asyncio.to_thread(_request_candidates, workspace, frames)
    candidates = best_first(found, most=MOST_HITS)
    return RequestSources(
        status="failed-requests-found" if candidates else "no-candidates",
        requests=tuple(latest),
        candidates=candidates,
        notes=tuple(notes),
    )


async def find_error_source(tab: Tab, *, since: int, root: Path, most_files: int) -> ErrorSources:
    """Where the errors in the console come from, by their stacks."""
    await tab.console.listen()
    latest = tab.console.errors_since(since)[-MOST_REPORTED:]
    if not latest:
        return ErrorSources(status="no-errors")
    mapped = await tab.source_maps.map_messages(latest)
    notes: list[str] = []
    workspace = await _scan(root, most_files, notes)

    def find() -> list[SourceCandidate]:
        found: list[SourceCandidate] = []
        for error in mapped:
            about = f"stack of {cut_text(error.text.partition(chr(10))[0], SHOWN)!r}"
            own = [frame for frame in error.stack if not is_library(frame.url)]
            found += _frame_candidates(workspace, own, source="stack", about=about, best="high")
        return found

    candidates = best_first(await asyncio.to_thread(find), most=MOST_HITS)
    return ErrorSources(
        status="candidates-found" if candidates else "no-candidates",
        errors=tuple(cut_text(error.text.partition("\n")[0], SHOWN) for error in mapped),
        candidates=candidates,
        notes=tuple(notes),
    )


async def _scan(root: Path, most_files: int, notes: list[str]) -> Workspace:
    workspace = await asyncio.to_thread(Workspace.scan, root, most_files=most_files)
    if workspace.cut:
        notes.append(f"only the first {len(workspace.files)} source files of the folder were searched")
    elif not workspace.files:
        notes.append("the folder has no source files")
    return workspace


def _element_candidates(
    workspace: Workspace, evidence: PageEvidence | None, *, component: str | None
) -> list[SourceCandidate]:
    claims = evidence.claims if evidence is not None else ()
    found = [candidate for claim in claims if (candidate := _check_claim(workspace, claim)) is not None]
    names = [component] if component else list(evidence.components[:1] if evidence is not None else ())
    is_known = any(candidate.file for candidate in found)
    for name in names:
        if component or not is_known:
            found += _definitions(workspace, name)
    marks = evidence.marks if evidence is not None and not is_known else ()
    return found + _mentions(workspace, {value: f"the {name} of the element" for name, value in marks})


def _check_claim(workspace: Workspace, claim: Claim) -> SourceCandidate | None:
    """A claim of the page with the file that it means."""
    if not claim.file:
        return None
    file = workspace.find(claim.file)
    line = claim.line if file is not None and workspace.has_line(file, claim.line) else None
    confidence: Confidence = "low"
    if file is not None:
        confidence = "high" if claim.is_own and (line or claim.source == "vue") else "medium"
    evidence = [claim.evidence] if file is not None else [claim.evidence, "no such file in the folder"]
    if file is not None and claim.line and line is None:
        evidence.append(f"the file has no line {claim.line}")
    return SourceCandidate(
        source=claim.source,
        confidence=confidence,
        evidence=tuple(evidence),
        file=file,
        line=line,
        column=claim.column if line and claim.column else None,
        component=claim.component,
        reported="" if file is not None else claim.file,
    )


def _frame_candidates(
    workspace: Workspace, frames: list[StackFrame], *, source: Source, about: str, best: Confidence
) -> list[SourceCandidate]:
    """Frames in files of the folder; the innermost of them is the best."""
    found: list[SourceCandidate] = []
    for frame in frames:
        file = workspace.find(frame.url)
        if file is None:
            continue
        has_line = workspace.has_line(file, frame.line)
        found.append(
            SourceCandidate(
                source=source,
                confidence=best if has_line and not found else "medium" if has_line else "low",
                evidence=(about, f"in {frame.function or 'an unnamed function'}"),
                file=file,
                line=frame.line if has_line else None,
                column=frame.column if has_line and frame.column else None,
            )
        )
    return found


def _request_candidates(
    workspace: Workspace, frames: list[tuple[Request, list[StackFrame]]]
) -> list[SourceCandidate]:
    found: list[SourceCandidate] = []
    for request, sent_by in frames:
        about = f"sent {request.method} {cut_text(request.url, SHOWN)}"
        found += _frame_candidates(workspace, sent_by, source="initiator", about=about, best="medium")
    paths = (urlsplit(request.url).path for request, _frames in frames)
    return found + _mentions(workspace, {path: f"the path {cut_text(path, SHOWN)}" for path in paths})


def _definitions(workspace: Workspace, name: str) -> list[SourceCandidate]:
    """Files that define a component of this name, and files that are named like it."""
    word = re.escape(name)
    pattern = re.compile(rf"\b(?:function|class|const|let|var)\s+{word}\b|\bname:\s*['\"]{word}['\"]")
    hits: list[tuple[str, int | None, str]] = [
        (hit.file, hit.line, "defines it") for hit in workspace.search(pattern)
    ]
    named = [file for file in workspace.files if file.rpartition("/")[2].partition(".")[0] == name]
    known = {file for file, _line, _why in hits}
    hits += [(file, None, "is named like it") for file in named[:MOST_HITS] if file not in known]
    return [
        SourceCandidate(
            source="workspace-search",
            confidence="medium" if len(hits) == 1 else "low",
            evidence=(f"component {name}: the file {why}",),
            file=file,
            line=line,
            component=name,
        )
        for file, line, why in hits
    ]


def _mentions(workspace: Workspace, texts: Mapping[str, str]) -> list[SourceCandidate]:
    """Files that contain one of these texts between quotation marks; each text with what it is."""
    wanted = [text for text in texts if len(text) >= SHORTEST_MARK]
    if not wanted:
        return []
    pattern = re.compile(rf"(?<=['\"`])(?:{'|'.join(map(re.escape, wanted))})(?=['\"`?#$])")
    return [
        SourceCandidate(
            source="workspace-search",
            confidence="low",
            evidence=(f"the file contains {texts[hit.text]}",),
            file=hit.file,
            line=hit.line,
        )
        for hit in workspace.search(pattern)
    ]
