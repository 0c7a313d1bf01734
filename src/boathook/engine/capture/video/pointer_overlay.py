"""The pointer in a recording: its position and clicks, drawn into frames.

Chromium shows no pointer for input from the protocol. It is drawn here and not in the page, so that recording adds
no element, style or repaint to the page.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    Point = tuple[float, float]

ARROW = ((0, 0), (0, 17), (4, 13), (7, 20), (10, 19), (7, 12), (13, 12))
"""An arrow whose tip is at 0,0, in CSS pixels."""
MARK_SECONDS = 0.6
SMALLEST_MARK, LARGEST_MARK = 8.0, 26.0
MARK_COLOUR = (214, 51, 108)
QUALITY = 90


class _Press:
    """A click; its animation starts when it is first drawn, so that it is visible on a busy machine, too."""

    def __init__(self, point: Point) -> None:
        self._point = point
        self._shown_at: float | None = None

    def start(self, at: float) -> Point:
        if self._shown_at is None:
            self._shown_at = at
        return self._point

    def progress(self, at: float) -> float:
        """From 0 to 1, where it has disappeared."""
        return 0.0 if self._shown_at is None else max(0.0, at - self._shown_at) / MARK_SECONDS


class PointerOverlay:
    """The state of the pointer according to the input that was sent."""

    def __init__(self, *, cursor: bool, marks: bool) -> None:
        self._cursor = cursor
        self._marks = marks
        self._point: Point | None = None
        self._pressed: list[_Press] = []

    @property
    def drawn(self) -> bool:
        """Whether there is anything to draw."""
        return self._cursor or self._marks

    def on_command(self, method: str, params: dict[str, Any]) -> bool:
        """Process a command to the browser; returns whether the frame changes."""
        point, presses = _pointer_position(method, params)
        if point is None:
            return False
        self._point = point
        if presses and self._marks:
            self._pressed.append(_Press(point))
        return self.drawn

    def moves(self, *, at: float) -> bool:
        """Whether a click is still being animated."""
        self._pressed = [press for press in self._pressed if press.progress(at) < 1]
        return bool(self._pressed)

    def onto(self, jpeg: bytes, *, width: float, at: float) -> bytes:
        """The frame with the pointer drawn into it; `width` is that of the viewport in CSS pixels."""
        marks = [(press.start(at), press.progress(at)) for press in self._pressed if press.progress(at) < 1]
        if not marks and (self._point is None or not self._cursor):
            return jpeg
        from PIL import Image, ImageDraw  # noqa: PLC0415 - heavy, and needed only here

        image = Image.open(io.BytesIO(jpeg)).convert("RGB")
        draw = ImageDraw.Draw(image, "RGBA")
        scale = image.width / width if width else 1.0
        for (x, y), grown in marks:
            radius = (SMALLEST_MARK + (LARGEST_MARK - SMALLEST_MARK) * grown) * scale
            box = (x * scale - radius, y * scale - radius, x * scale + radius, y * scale + radius)
            strength = int(255 * min(1.0, 2 * (1 - grown)))
            draw.ellipse(box, outline=(*MARK_COLOUR, strength), width=max(2, round(4 * scale)))
        if self._cursor and self._point is not None:
            left, top = self._point
            corners = [((left + x) * scale, (top + y) * scale) for x, y in ARROW]
            draw.polygon(corners, fill=(20, 20, 20, 255), outline=(255, 255, 255, 255))
        out = io.BytesIO()
        image.save(out, format="jpeg", quality=QUALITY)
        return out.getvalue()


def _pointer_position(method: str, params: dict[str, Any]) -> tuple[Point | None, bool]:
    """The position that a command moves the pointer to, and whether it presses there."""
    if method == "Input.dispatchMouseEvent":
        return (float(params.get("x", 0)), float(params.get("y", 0))), params.get("type") == "mousePressed"
    if method == "Input.dispatchTouchEvent" and params.get("touchPoints"):
        first = params["touchPoints"][0]
        return (float(first.get("x", 0)), float(first.get("y", 0))), params.get("type") == "touchStart"
    return None, False
