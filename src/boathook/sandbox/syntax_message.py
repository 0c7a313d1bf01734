"""Syntax errors of scripts: the line, with a mark under the position."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boathook.sandbox.script_channel import Message


def syntax_failure(error: SyntaxError) -> Message:
    """The message for it."""
    line = (error.text or "").rstrip("\n")
    where = f"line {error.lineno}, column {error.offset}"
    pointed = f"{line}\n{' ' * max(0, (error.offset or 1) - 1)}^" if line else ""
    return {"type": "failed", "kind": "syntax", "message": f"{where}: {error.msg}", "where": pointed}
