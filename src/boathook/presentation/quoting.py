"""Page text made safe for terminals, logs and models: no control characters, no forged lines."""

from __future__ import annotations

import re

_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)
_SPACE = re.compile(r"\s+")


def visible(text: str) -> str:
    """Control, bidi and invisible characters, written out in braces after a backslash and a u."""
    return _UNSAFE.sub(lambda match: f"\\u{{{ord(match.group()):x}}}", _SPACE.sub(" ", text).strip())


def quote(text: str, *, marks: bool = True) -> str:
    """Text on one line, in quotation marks by default."""
    if not marks:
        return visible(text).replace(" ", "%20")
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{visible(escaped)}"'
