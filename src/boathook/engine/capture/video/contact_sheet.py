"""A contact sheet: one image that shows the moments of a recording at which the page looked different."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

THUMB_WIDTH = 480
LABEL_HEIGHT = 22
LABEL_SIZE = 15
GAP = 8
COLUMNS = 3
MOST_THUMBS = 48
CHECK_SECONDS = 0.2
"""Seconds between two samples: faster changes count as one moment."""
VISIBLE = 16
"""Of 255: a pixel that differs by less looks the same."""


class ContactSheet:
    """Collects thumbnails of frames that differ from the previous one by more than a share of their pixels."""

    def __init__(self, path: Path, *, threshold: float) -> None:
        self.path = path
        self._threshold = threshold
        self._thumbs: list[tuple[float, Any]] = []
        self._checked = float("-inf")
        self._gap = CHECK_SECONDS

    def offer(self, jpeg: bytes, *, at: float) -> None:
        """Check a frame, and keep it if it differs; takes a few milliseconds, a few times per second."""
        if at - self._checked < self._gap:
            return
        self._checked = at
        from PIL import Image  # noqa: PLC0415 - heavy, and needed only here

        image = Image.open(io.BytesIO(jpeg))
        image.draft("RGB", (THUMB_WIDTH, THUMB_WIDTH))
        thumb = image.convert("RGB").resize((THUMB_WIDTH, max(1, image.height * THUMB_WIDTH // image.width)))
        if (
            self._thumbs
            and share_that_differs(self._thumbs[-1][1], thumb, more_than=VISIBLE) <= self._threshold
        ):
            return
        self._thumbs.append((at, thumb))
        if len(self._thumbs) > MOST_THUMBS:  # of a long recording every second one is enough
            del self._thumbs[1::2]
            self._gap *= 2

    def save(self) -> int:
        """Write the sheet; returns how many moments it shows."""
        from PIL import Image, ImageDraw, ImageFont  # noqa: PLC0415 - heavy, and needed only here

        if not self._thumbs:
            return 0
        columns = min(COLUMNS, len(self._thumbs))
        rows = -(-len(self._thumbs) // columns)
        tall = max(thumb.height for _, thumb in self._thumbs) + LABEL_HEIGHT
        size = (columns * (THUMB_WIDTH + GAP) + GAP, rows * (tall + GAP) + GAP)
        sheet = Image.new("RGB", size, "white")
        draw = ImageDraw.Draw(sheet)
        font = ImageFont.load_default(LABEL_SIZE)
        for number, (at, thumb) in enumerate(self._thumbs):
            left = GAP + number % columns * (THUMB_WIDTH + GAP)
            top = GAP + number // columns * (tall + GAP)
            draw.text((left, top), f"{at:.1f} s", fill="black", font=font)
            sheet.paste(thumb, (left, top + LABEL_HEIGHT))
        sheet.save(self.path, format="png")
        return len(self._thumbs)


def share_that_differs(first: Any, second: Any, *, more_than: float) -> float:
    """The share of pixels of two Pillow images in which a channel differs by more than the limit; 1 if the sizes differ."""
    from PIL import ImageChops  # noqa: PLC0415 - heavy, and needed only here

    if first.size != second.size:
        return 1.0
    counts = differing(ImageChops.difference(first, second), more_than=more_than).histogram()
    return float(counts[-1] / (first.width * first.height))


def differing(difference: Any, *, more_than: float) -> Any:
    """White where the largest of three channels exceeds the limit, black elsewhere."""
    from PIL import ImageChops  # noqa: PLC0415 - heavy, and needed only here

    red, green, blue = difference.split()
    largest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return largest.point([255 if value > more_than else 0 for value in range(256)])
