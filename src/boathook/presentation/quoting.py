"""Page text made safe for terminals, logs and models: no control characters, no forged lines."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from boathook.values import OwnLines

_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)
_SPACE = re.compile(r"\s+")
_LINE_END = re.compile("[\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]+")


def visible(text: str) -> str:
    """Control, bidi and invisible characters, written out in braces after a backslash and a u."""
    return _UNSAFE.sub(lambda match: f"\\u{{{ord(match.group()):x}}}", _SPACE.sub(" ", text).strip())


def quote(text: str, *, marks: bool = True) -> str:
    """Text on one line, in quotation marks by default."""
    if not marks:
        return visible(text).replace(" ", "%20")
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{visible(escaped)}"'


def on_one_line(value: Any) -> Any:
    """A value of the same type whose strings have no line ends, except lines that are ours."""
    if isinstance(value, str):
        return (
            value if isinstance(value, OwnLines) or not _LINE_END.search(value) else _LINE_END.sub(" ", value)
        )
    if isinstance(value, Mapping):
        return {on_one_line(name): on_one_line(part) for name, part in value.items()}
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return type(value)(on_one_line(part) for part in value)
    if is_dataclass(value) and not isinstance(value, type):
        named = [(field.name, getattr(value, field.name)) for field in fields(value) if field.init]
        changed = {name: clean for name, part in named if (clean := on_one_line(part)) != part}
        return replace(value, **changed) if changed else value
    return value


def escape_invisible(encoded: str) -> str:
    """JSON in which control, bidi and invisible characters are written as escapes: the same data, safe for a terminal."""
    return _UNSAFE.sub(
        lambda match: match[0] if match[0] in "\n\t\r" else json.dumps(match[0])[1:-1], encoded
    )
