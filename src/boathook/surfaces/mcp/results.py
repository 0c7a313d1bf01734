"""Results: from the outcome that the daemon gives to what a client of tools is shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import mcp_types as types

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boathook.errors import BoathookError
    from boathook.wire.failures import WireFailure

KEPT = ("ok", "category", "session", "session_change", "page", "change", "data")
"""What of an outcome is told as data besides the text; the error is told in short."""
OUTPUT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"ok": {"type": "boolean"}, "category": {"type": "string"}},
    "required": ["ok", "category"],
}
"""The same for every tool: what a value looks like is the command's business, and schemas cost tokens."""
MEDIA_TYPES = {".png": "image/png", ".jpeg": "image/jpeg", ".webp": "image/webp", ".pdf": "application/pdf"}


def result_of(outcome: dict[str, Any]) -> types.CallToolResult:
    """A whole result: text, pictures, links to files, and small data."""
    told = {name: outcome[name] for name in KEPT if name in outcome}
    told["ok"] = outcome["ok"] and not outcome.get("exit")
    if "change" in told:
        # The text says it at length; programs want to know what kind it was, and where it led.
        told["change"] = {name: part for name, part in told["change"].items() if part and name != "summary"}
    if "error" in outcome:
        told["error"] = {
            name: outcome["error"].get(name) for name in ("code", "message", "hint", "retry_safe")
        }
    if outcome.get("next"):
        told["next"] = [one["argv"] for one in outcome["next"]]
    content: list[types.ContentBlock] = [
        types.TextContent(type="text", text=outcome.get("text", "")),
        *_pictures(outcome),
        *_links(outcome),
    ]
    return types.CallToolResult(content=content, structured_content=told, is_error=not told["ok"])


def result_of_error(error: BoathookError | WireFailure) -> types.CallToolResult:
    """A failure that the daemon never saw, in the same form."""
    category = getattr(error, "category", "upstream-error")
    told = {"code": error.code, "message": error.message, "hint": error.hint, "retry_safe": error.retry_safe}
    outcome = {"ok": False, "category": category, "error": told, "text": f"error: {error} [{error.code}]"}
    return result_of(outcome)


def _pictures(outcome: dict[str, Any]) -> Iterator[types.ImageContent]:
    for picture in outcome.get("images", ()):
        yield types.ImageContent(type="image", data=picture["base64"], mime_type=picture["media_type"])


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
