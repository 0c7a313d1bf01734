"""Draws the extension's icons, a boathook on a rounded square, into extension/icons: `python tools/draw_icons.py`.

The shapes are distances to line segments and an arc, in units of the icon's width, so that every size is drawn sharply.
"""

from __future__ import annotations

import math
import struct
import sys
import zlib
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "extension" / "icons"
SIZES = (16, 32, 48, 128)
STATES = {"connected": (14, 116, 144), "offline": (100, 116, 139), "stopped": (180, 83, 9)}
"""The background of each state; `connected` is also the extension's own icon."""
INK = (255, 255, 255)
SAMPLES = 8
"""Of each pixel, in each direction."""
CORNER = 0.22
POLE = ((0.3125, 0.17), (0.3125, 0.83))
CENTER, RADIUS = (0.5, 0.45), 0.1875
BARB = ((0.6875, 0.45), (0.6875, 0.6))
STROKE = 0.0625
"""Half the width of a line: whole pixels at 16, so that the smallest icon is sharp."""

Point = tuple[float, float]


def _to_segment(at: Point, segment: tuple[Point, Point]) -> float:
    (x, y), ((x1, y1), (x2, y2)) = at, segment
    width, height = x2 - x1, y2 - y1
    along = ((x - x1) * width + (y - y1) * height) / (width * width + height * height)
    along = min(1.0, max(0.0, along))
    return math.hypot(x - x1 - along * width, y - y1 - along * height)


def _to_hook(at: Point) -> float:
    """The upper half of a circle, from the pole to the barb."""
    x, y = at
    if y > CENTER[1]:
        return min(math.hypot(x - end, y - CENTER[1]) for end in (CENTER[0] - RADIUS, CENTER[0] + RADIUS))
    return abs(math.hypot(x - CENTER[0], y - CENTER[1]) - RADIUS)


def _is_ink(at: Point) -> bool:
    return min(_to_segment(at, POLE), _to_segment(at, BARB), _to_hook(at)) <= STROKE


def _is_inside(at: Point) -> bool:
    x, y = (max(abs(value - 0.5) - 0.5 + CORNER, 0.0) for value in at)
    return math.hypot(x, y) <= CORNER


def _pixel(column: int, row: int, *, size: int, color: tuple[int, int, int]) -> bytes:
    steps = [(step + 0.5) / SAMPLES for step in range(SAMPLES)]
    points = [((column + dx) / size, (row + dy) / size) for dy in steps for dx in steps]
    inside = [point for point in points if _is_inside(point)]
    if not inside:
        return bytes(4)
    ink = sum(_is_ink(point) for point in inside) / len(inside)
    mixed = (round(mark * ink + ground * (1 - ink)) for mark, ground in zip(INK, color, strict=True))
    return bytes((*mixed, round(255 * len(inside) / len(points))))


def draw(size: int, color: tuple[int, int, int]) -> bytes:
    """An icon as PNG."""
    rows = (
        b"\0" + b"".join(_pixel(column, row, size=size, color=color) for column in range(size))
        for row in range(size)
    )
    header = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(b"".join(rows), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def main() -> None:
    """Write all icons."""
    FOLDER.mkdir(exist_ok=True)
    for state, color in STATES.items():
        for size in SIZES:
            (FOLDER / f"{state}-{size}.png").write_bytes(draw(size, color))
    print(f"{len(STATES) * len(SIZES)} icons in {FOLDER}", file=sys.stderr)


if __name__ == "__main__":
    main()
