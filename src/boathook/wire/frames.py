"""Frames: four bytes of length, most significant first, then one JSON object in UTF-8."""

from __future__ import annotations

import json

from boathook.wire.failures import BadFrame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HEADER_BYTES = 4
LIMIT_BYTES = 64 << 20
"""No message is larger. A stray HTTP request reads as a frame of over a gigabyte, so it ends here too."""


def packed(message: dict[str, Any]) -> bytes:
    """The frame of a message."""
    # Kept to ASCII: file names that are no UTF-8 arrive as lone surrogates, and only escapes carry them.
    body = json.dumps(message, separators=(",", ":")).encode("ascii")
    if len(body) > LIMIT_BYTES:
        raise BadFrame(f"a message of {len(body):,} bytes; at most {LIMIT_BYTES:,} are sent")
    return len(body).to_bytes(HEADER_BYTES, "big") + body


def body_length(header: bytes, *, limit: int = LIMIT_BYTES) -> int:
    """How many bytes follow this header."""
    length = int.from_bytes(header, "big")
    if length > limit:
        raise BadFrame(f"a frame of {length:,} bytes; at most {limit:,} are taken")
    return length


def unpacked(body: bytes) -> dict[str, Any]:
    """The message in a frame's body."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:  # deep nesting ends in the second
        raise BadFrame(f"a frame that is no JSON: {type(error).__name__}") from error
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise BadFrame("a frame that is no message: an object with a type is expected")
    return message
