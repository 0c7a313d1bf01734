"""The data of agent-browser's answers about what is recorded and set: cookies, storage, network, logs, emulation, sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.engine.emulation.devices import find_device
from boathook.engine.state.state_store import place_of
from boathook.presentation.rendering import as_data
from boathook.service.agent_browser.answered import just, valued
from boathook.service.agent_browser.snapshot_lines import in_their_form

if TYPE_CHECKING:
    from collections.abc import Callable

    from boathook.engine.debug.audit import AuditFinding
    from boathook.service.agent_browser.answered import Answered

LEVELS = {"warn": "warning", "verbose": "debug"}


def _cookies(done: Answered) -> dict[str, Any]:
    return {"cookies": [_cookie(as_data(cookie)) for cookie in done.value]}


def _cookie(cookie: dict[str, Any]) -> dict[str, Any]:
    return {**cookie, "session": cookie.get("expires", -1) < 0}


def _storage_key(done: Answered) -> dict[str, Any]:
    return {"key": done.line.word(0 if len(done.line.words) == 1 else -1), "value": as_data(done.value)}


def _request(request: Any) -> dict[str, Any]:
    """Headers are in `network request`, with secrets removed."""
    return {
        "headers": {},
        "method": request.method,
        "mimeType": request.mime,
        "requestId": str(request.number),
        "resourceType": request.type,
        "responseHeaders": {},
        "status": request.status,
        "timestamp": round(request.at * 1_000),
        "url": request.url,
    }


def _request_details(done: Answered) -> dict[str, Any]:
    details = as_data(done.value)
    return {
        **_request(done.value.request),
        "headers": details["request_headers"],
        "responseBody": (details["body"] or {}).get("text", ""),
        "responseHeaders": details["response_headers"],
    }


def _console(done: Answered) -> dict[str, Any]:
    return {
        "messages": [
            {
                "args": [{"type": "string", "value": message.text}],
                "text": message.text,
                "type": LEVELS.get(message.level, message.level),
            }
            for message in done.value
            if message.source == "console"
        ]
    }


def _errors(done: Answered) -> dict[str, Any]:
    return {
        "errors": [
            {
                "column": max(0, message.stack[0].column - 1) if message.stack else 0,
                "line": max(0, message.line - 1),
                "text": message.text,
                "url": None,
            }
            for message in done.value
        ]
    }


def _viewport(done: Answered) -> dict[str, Any]:
    view = done.value.viewport
    return {"deviceScaleFactor": view.scale, "height": view.height, "mobile": False, "width": view.width}


def _device(done: Answered) -> dict[str, Any]:
    device = find_device(done.line.word(0))
    return {
        "device": done.line.word(0),
        "deviceScaleFactor": device.scale,
        "height": device.height,
        "mobile": device.mobile,
        "width": device.width,
    }


def _diff(done: Answered) -> dict[str, Any]:
    data = as_data(done.value)
    counted = {name: data[name] for name in ("additions", "removals", "unchanged")}
    return {
        **counted,
        "changed": bool(data["additions"] or data["removals"]),
        "diff": "\n".join(line[:1] + in_their_form(line[1:]) for line in data["lines"]),
    }


def _sessions(done: Answered) -> dict[str, Any]:
    return {"sessions": [session.name for session in done.value]}


def _session_id(done: Answered) -> dict[str, Any]:
    name = str(done.value)
    words = list(done.line.argv)
    scope = words[words.index("--scope") + 1] if "--scope" in words[:-1] else "worktree"
    return {"hash": name.rpartition("-")[2], "path": done.folder, "scope": scope, "session": name}


def _states(done: Answered) -> dict[str, Any]:
    return {"directory": str(place_of("x").parent), "files": as_data(done.value)}


def _audit(done: Answered) -> dict[str, Any]:
    audit = done.value
    counts = {
        "incomplete": len(audit.incomplete),
        "passes": audit.passes,
        "violations": len(audit.violations),
    }
    return {
        "axeVersion": audit.version,
        "counts": counts,
        "incomplete": [_finding(finding) for finding in audit.incomplete],
        "url": audit.url,
        "violations": [_finding(finding) for finding in audit.violations],
    }


def _finding(finding: AuditFinding) -> dict[str, Any]:
    return {
        "help": finding.help,
        "helpUrl": finding.url,
        "id": finding.rule,
        "impact": finding.impact,
        "nodeCount": finding.count,
        "nodes": [{"target": [place.selector]} for place in finding.places],
    }


def _vitals(done: Answered) -> dict[str, Any]:
    figures = {vital.name: vital.value for vital in done.value.figures}
    return {
        "cls": {"entries": [], "score": figures.get("cls")},
        "fcp": figures.get("fcp"),
        "inp": figures.get("inp"),
        "lcp": {"element": done.value.largest, "startTime": figures.get("lcp")},
        "ttfb": figures.get("ttfb"),
        "url": done.value.url,
    }


RECORD_SHAPES: dict[str, Callable[[Answered], dict[str, Any]]] = {
    "cookies": _cookies,
    "cookies cleared": just(cleared=True),
    "set": just(set=True),
    "cleared": just(cleared=True),
    "storage": valued("data"),
    "storage key": _storage_key,
    "routed": lambda done: {"routed": done.line.word(0)},
    "unrouted": lambda done: {"unrouted": done.line.word(0, "all")},
    "requests": lambda done: {"requests": [_request(request) for request in done.value]},
    "request": _request_details,
    "har started": just(started=True),
    "har": lambda done: {"path": str(done.value.path), "requestCount": done.value.entries},
    "console": _console,
    "console cleared": just(cleared=True),
    "errors": _errors,
    "viewport": _viewport,
    "device": _device,
    "geo": lambda done: {"latitude": float(done.line.word(0)), "longitude": float(done.line.word(1))},
    "offline": lambda done: {"offline": done.line.word(0, "on") == "on"},
    "state saved": lambda done: {"path": str(done.value.path), "saved": True},
    "state loaded": lambda done: {
        "loaded": True,
        "path": str(done.value.path),
        "skippedOrigins": list(done.value.skipped),
    },
    "states": _states,
    "profiles": valued("profiles"),
    "session": lambda done: {"session": done.session},
    "sessions": _sessions,
    "session id": _session_id,
    "started": just(started=True),
    "trace": lambda done: {"eventCount": done.value.events, "path": str(done.value.path)},
    "profile": lambda done: {"eventCount": done.value.samples, "path": str(done.value.path)},
    "audit": _audit,
    "vitals": _vitals,
    "clipboard written": lambda done: {"written": done.line.word(0)},
    "clipboard": valued("text"),
    "copied": just(copied=True),
    "pasted": just(pasted=True),
    "diff": _diff,
}
"""By the name that a rule gives."""
