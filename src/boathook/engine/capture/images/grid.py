"""A grid drawn into a screenshot: each cell is labeled with its center, which can be used as a target."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boathook.engine.capture.images.screenshot import Picture

SMALLEST_CELL = 40
LARGEST_CELL = 1_000
LINE = (214, 51, 108, 110)
LABEL = (214, 51, 108, 255)
PAPER = (255, 255, 255, 150)
MARGIN = 1


async def draw_grid(picture: Picture, *, cell: int) -> Picture:
    """Draw cells of `cell` CSS pixels over the viewport that a screenshot shows."""
    from PIL import Image, ImageDraw  # noqa: PLC0415 - heavy, and needed only here

    image = Image.open(io.BytesIO(picture.data)).convert("RGBA")
    layer = Image.new("RGBA", image.size)
    draw = ImageDraw.Draw(layer)
    scale = picture.scale
    for left in range(cell, int(picture.shows.width), cell):
        draw.line((left * scale, 0, left * scale, image.height), fill=LINE)
    for top in range(cell, int(picture.shows.height), cell):
        draw.line((0, top * scale, image.width, top * scale), fill=LINE)
    for x, y in centers(picture.shows.width, picture.shows.height, cell=cell):
        # In the corner, since what one wants to press is more often in the middle.
        place = (x // cell * cell * scale + 2 * MARGIN, y // cell * cell * scale + 2 * MARGIN)
        box = draw.textbbox(place, f"{x},{y}")
        draw.rectangle((box[0] - MARGIN, box[1] - MARGIN, box[2] + MARGIN, box[3] + MARGIN), fill=PAPER)
        draw.text(place, f"{x},{y}", fill=LABEL)
    out = io.BytesIO()
    Image.alpha_composite(image, layer).convert("RGB").save(out, format=picture.format)
    return replace(picture, data=out.getvalue())


def centers(width: float, height: float, *, cell: int) -> list[tuple[int, int]]:
    """The centers of all cells of an area, row by row; those of cells that are cut lie within what is left of them."""
    across = [(left + min(left + cell, int(width))) // 2 for left in range(0, int(width), cell)]
    down = [(top + min(top + cell, int(height))) // 2 for top in range(0, int(height), cell)]
    return [(x, y) for y in down for x in across]
