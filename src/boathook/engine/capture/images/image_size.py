"""The size of an encoded image, read from its first bytes."""

from __future__ import annotations

from boathook.errors import ProtocolError

_NOT_FRAMES = {0xC4, 0xC8, 0xCC}
"""JPEG markers in the frame range that do not start a frame."""


def image_size(data: bytes) -> tuple[int, int]:
    """Width and height in pixels of a PNG, JPEG or WebP."""
    if data.startswith(b"\x89PNG"):
        return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
    if data.startswith(b"\xff\xd8"):
        return _jpeg(data)
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return _webp(data)
    raise _unreadable()


def _jpeg(data: bytes) -> tuple[int, int]:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:  # noqa: PLR2004 - every segment begins with it
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in _NOT_FRAMES:  # noqa: PLR2004
            return int.from_bytes(data[at + 7 : at + 9]), int.from_bytes(data[at + 5 : at + 7])
        at += 2 + int.from_bytes(data[at + 2 : at + 4])
    raise _unreadable()


def _webp(data: bytes) -> tuple[int, int]:
    kind = data[12:16]
    if kind == b"VP8X":
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        wide, high = int.from_bytes(data[26:28], "little"), int.from_bytes(data[28:30], "little")
        return wide & 0x3FFF, high & 0x3FFF
    raise _unreadable()


def _unreadable() -> ProtocolError:
    return ProtocolError("Page.captureScreenshot", number=0, text="the browser did not return a valid image")
