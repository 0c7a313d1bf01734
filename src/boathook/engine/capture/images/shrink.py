"""Smaller copies of images that no tab can render again, such as those created by a script."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

LONGEST_SIDE = 1_024
_TRIES = ((1.0, 75), (1.0, 50), (0.75, 50), (0.5, 50), (0.5, 30), (0.35, 20), (0.1, 20))
"""Share of the size, and JPEG quality."""
_FORMATS = ("PNG", "JPEG", "WEBP", "GIF")


def shrink(data: bytes, *, most_bytes: int, most_pixels: int | None = None) -> tuple[bytes, str]:
    """A JPEG copy of at most that many bytes, with its media type; OSError if the data is not an image, or too large a one."""
    from PIL import Image as Images  # noqa: PLC0415 - heavy, and rarely needed

    try:
        with Images.open(io.BytesIO(data), formats=_FORMATS) as opened:
            # Small data can be a large image, which takes that memory here.
            if most_pixels is not None and opened.width * opened.height > most_pixels:
                raise OSError(f"the image has more than {most_pixels:,} pixels")
            image = opened.convert("RGB")
    except Images.DecompressionBombError as error:
        raise OSError("the image is too large") from error
    copy = b""
    for share, quality in _TRIES:
        copy = _jpeg(image, share=share * min(1.0, LONGEST_SIDE / max(image.size)), quality=quality)
        if len(copy) <= most_bytes:
            break
    return copy, "image/jpeg"


def _jpeg(image: Image, *, share: float, quality: int) -> bytes:
    width, height = (max(1, round(side * share)) for side in image.size)
    made = io.BytesIO()
    image.resize((width, height)).save(made, format="JPEG", quality=quality)
    return made.getvalue()
