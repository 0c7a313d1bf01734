"""Results: from the daemon's outcome to an MCP tool result."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import mcp_types as types

from boathook.hints import render

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boathook.errors import BoathookError
    from boathook.wire.failures import WireFailure

STRUCTURED = (
    "ok", "untrusted", "category", "text", "session", "session_change", "page", "change", "notes", "artifacts", "outputFile", "next",
    "error",
    "batch_failure", "timeout_partial_progress", "args", "session_mode", "used_implicit_session", "diagnostics",
    "session_recovery_hint", "artifact_verification", "artifact_cleanup", "data",
)  # fmt: skip
"""The fields of structured content. `text` is what `content` has: some clients send a model nothing else."""
ERROR = ("code", "message", "hint", "retry_safe")
_TEXT = {"type": "string"}
_OBJECT = {"type": "object"}
_OBJECTS = {"type": "array", "items": _OBJECT}
OUTPUT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "ok": {"type": "boolean"},
        "untrusted": {"type": "boolean"},
        "category": _TEXT,
        "text": _TEXT,
        "session": _TEXT,
        "session_change": _TEXT,
        "page": _OBJECT,
        "change": _OBJECT,
        "notes": {"type": "array", "items": _TEXT},
        "artifacts": _OBJECTS,
        "outputFile": _OBJECT,
        "next": _OBJECTS,
        "error": _OBJECT,
        "batch_failure": _OBJECT,
        "timeout_partial_progress": _OBJECT,
        "args": {"type": "array", "items": _TEXT},
        "session_mode": _TEXT,
        "used_implicit_session": {"type": "boolean"},
        "diagnostics": _OBJECTS,
        "session_recovery_hint": _OBJECT,
        "artifact_verification": _OBJECT,
        "artifact_cleanup": _OBJECT,
        "data": {},
    },
    "required": ["ok", "category", "text"],
}
"""The same for every tool, and only with structured content: schemas cost tokens."""
MEDIA_TYPES = {".png": "image/png", ".jpeg": "image/jpeg", ".webp": "image/webp", ".pdf": "application/pdf"}


class _NoCommands:
    """Hint terms for failures before the daemon: no tool controls the daemon itself."""

    def nothing(self, text: str) -> str | None:
        """None: not available."""
        del text
        return None

    command = flag = setting = usage = nothing


_NO_COMMANDS = _NoCommands()


def result_of(outcome: dict[str, Any], *, structured: bool) -> types.CallToolResult:
    """A complete result: the text, then images, then links to files; `structured` adds the same as data."""
    ok = bool(outcome["ok"] and not outcome.get("exit"))
    content: list[types.ContentBlock] = [
        types.TextContent(type="text", text=outcome.get("text", "")),
        *_images(outcome),
        *_links(outcome),
    ]
    data = _structured_content(outcome, ok=ok) if structured else None
    return types.CallToolResult(content=content, structured_content=data, is_error=not ok)


def result_of_error(error: BoathookError | WireFailure, *, structured: bool) -> types.CallToolResult:
    """A failure outside the daemon, in the same format."""
    hint = render(error.marked_hint, _NO_COMMANDS)
    outcome = {
        "ok": False,
        "category": getattr(error, "category", "upstream-error"),
        "error": {
            "code": error.code,
            "message": error.message,
            "hint": hint,
            "retry_safe": error.retry_safe,
        },
        "text": f"error: {error.message}{f' ({hint})' if hint else ''} [{error.code}]",
    }
    return result_of(outcome, structured=structured)


def _structured_content(outcome: dict[str, Any], *, ok: bool) -> dict[str, Any]:
    data = {"text": "", **{name: outcome[name] for name in STRUCTURED if name in outcome}, "ok": ok}
    if "error" in data:
        data["error"] = {name: data["error"].get(name) for name in ERROR}
    return data


def _images(outcome: dict[str, Any]) -> Iterator[types.ImageContent]:
    for image in outcome.get("images", ()):
        yield types.ImageContent(type="image", data=image["base64"], mime_type=image["media_type"])


def _links(outcome: dict[str, Any]) -> Iterator[types.ResourceLink]:
    for file in outcome.get("artifacts", ()):
        path = Path(file["path"])
        if file["state"] == "saved" and path.is_absolute():
            media_type = file.get("media_type") or MEDIA_TYPES.get(
                path.suffix.lower(), "application/octet-stream"
            )
            yield types.ResourceLink(
                type="resource_link",
                uri=path.as_uri(),
                name=path.name,
                mime_type=media_type,
                size=file.get("size"),
            )
