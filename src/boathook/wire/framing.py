"""Frames: four bytes of length, most significant first, then one JSON object in UTF-8."""

from __future__ import annotations

import json

from boathook.wire.failures import BadFrame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HEADER_BYTES = 4
LIMIT_BYTES = 64 << 20
"""The largest message. A stray HTTP request parses as a frame of over a gigabyte, so it is rejected too."""


def pack(message: dict[str, Any]) -> bytes:
    """The frame of a message."""
    # Kept to ASCII: file names that are not UTF-8 arrive as lone surrogates, and only escapes carry them.
    body = json.dumps(message, separators=(",", ":")).encode("ascii")
    if len(body) > LIMIT_BYTES:
        raise BadFrame(f"message too large: {len(body):,} bytes (at most {LIMIT_BYTES:,})")
    return len(body).to_bytes(HEADER_BYTES, "big") + body


def body_length(header: bytes, *, limit: int = LIMIT_BYTES) -> int:
    """How many bytes follow this header."""
    length = int.from_bytes(header, "big")
    if length > limit:
        raise BadFrame(f"frame too large: {length:,} bytes (at most {limit:,})")
    return length


def unpack(body: bytes) -> dict[str, Any]:
    """The message in a frame's body."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:  # deep nesting ends in the second
        raise BadFrame(f"invalid frame: not JSON: {type(error).__name__}") from error
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise BadFrame("invalid frame: expected an object with a type")
    return message
