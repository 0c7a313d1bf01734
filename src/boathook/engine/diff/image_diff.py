"""Comparing two images pixel by pixel: how much differs, and an image that shows where."""

from __future__ import annotations

import asyncio
import io
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.engine.capture.video.contact_sheet import differing
from boathook.engine.elements.locate import locate
from boathook.engine.page.page_eval import thrown_in
from boathook.errors import BadRequest, BadTarget
from boathook.values import Box

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from boathook.clock import Deadline
    from boathook.engine.capture.images.screenshot import Picture
    from boathook.engine.tab import Tab

COLOUR_THRESHOLD = 0.1
"""How much a channel may differ, as a share of its range, before a pixel counts."""
MOST_PIXELS = 100_000_000
GONE = (230, 0, 60)
NEW = (0, 140, 70)
"""Where something was before, and where something is now: that is, where the one or the other differs more from the background."""
PALE = 0.75
"""How much the rest is faded, so that the highlights stand out."""
SIDES = 2
Region = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureDiff:
    """How much of two images differs; where one is larger, the excess counts as different."""

    changed: bool
    share: float
    """Share of the pixels, from 0 to 1."""
    pixels: int
    total: int
    before_size: tuple[int, int]
    after_size: tuple[int, int]
    masked: int = 0
    """Areas that were ignored."""
    path: Path | None = None
    """The image of the differences."""

    @property
    def same_size(self) -> bool:
        """Whether both have the same size."""
        return self.before_size == self.after_size


async def boxes_to_mask(tab: Tab, masks: Sequence[str], *, deadline: Deadline) -> list[Box]:
    """Boxes of these elements in the viewport; a selector may match several, and one that matches none is an error."""
    boxes: list[Box] = []
    async with deadline.stage("finding the elements to ignore"):
        for mask in masks:
            found = await _by_selector(tab, mask) if not mask.startswith("@") and "=" not in mask else []
            boxes += found or [await _of_element(tab, mask)]
    return boxes


async def _by_selector(tab: Tab, selector: str) -> list[Box]:
    script = (
        f"[...document.querySelectorAll({json.dumps(selector)})].map(one => one.getBoundingClientRect())"
        ".map(box => [box.x, box.y, box.width, box.height])"
    )
    reply = await tab.frames.run(tab.frames.main, script)
    if thrown_in(reply) is not None:
        raise BadTarget(f"invalid CSS selector: {selector!r}")
    return [
        Box(x=x, y=y, width=width, height=height)
        for x, y, width, height in reply["result"].get("value") or []
    ]


async def _of_element(tab: Tab, target: str) -> Box:
    element = await locate(tab, target)
    reply = await tab.frames.run(element.frame, f"__boathook.boxes([{element.local_id}])")
    right, down = await tab.frames.offset_of(element.frame)
    _, x, y, width, height = reply["result"]["value"][0]
    return Box(x=x + right, y=y + down, width=width, height=height)


def regions_of(picture: Picture, boxes: Sequence[Box]) -> list[Region]:
    """Boxes of the viewport as pixels of a screenshot of it."""
    scale = picture.scale
    return [
        (
            int((box.x - picture.shows.x) * scale),
            int((box.y - picture.shows.y) * scale),
            int((box.x - picture.shows.x + box.width) * scale) + 1,
            int((box.y - picture.shows.y + box.height) * scale) + 1,
        )
        for box in boxes
    ]


async def compare_pictures(
    before: bytes, after: bytes, *, threshold: float = COLOUR_THRESHOLD, masks: Sequence[Region] = ()
) -> tuple[PictureDiff, bytes]:
    """The difference, and a PNG that highlights it on the second image."""
    return await asyncio.to_thread(_compare, before, after, threshold=threshold, masks=masks)


def _compare(
    before: bytes, after: bytes, *, threshold: float, masks: Sequence[Region]
) -> tuple[PictureDiff, bytes]:
    from PIL import Image, ImageChops, ImageDraw  # noqa: PLC0415 - heavy, and needed only here

    first, second = _decode_image(before), _decode_image(after)
    size = tuple(max(first.size[side], second.size[side]) for side in range(SIDES))
    common = tuple(min(first.size[side], second.size[side]) for side in range(SIDES))
    here = (0, 0, *common)
    white = Image.new("L", size, 255)  # what only one of them has differs
    white.paste(
        differing(ImageChops.difference(first.crop(here), second.crop(here)), more_than=threshold * 255)
    )
    draw = ImageDraw.Draw(white)
    for left, top, right, bottom in masks:
        draw.rectangle((left, top, max(left, right - 1), max(top, bottom - 1)), fill=0)
    pixels, total = int(white.histogram()[-1]), size[0] * size[1]
    told = PictureDiff(
        changed=pixels > 0,
        share=round(pixels / total, 6),
        pixels=pixels,
        total=total,
        before_size=first.size,
        after_size=second.size,
        masked=len(masks),
    )
    return told, _highlight_difference(first, second, white)


def _decode_image(data: bytes) -> Any:
    from PIL import Image  # noqa: PLC0415 - heavy, and needed only here

    try:
        image = Image.open(io.BytesIO(data))
        if image.width * image.height > MOST_PIXELS:
            raise BadRequest(f"the image is too large to compare: {image.width}x{image.height}")
        return image.convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise BadRequest("the file is not a readable image") from error


def _highlight_difference(before: Any, after: Any, where: Any) -> bytes:
    """The second image, faded, with what is gone in one colour and what is new in another."""
    from PIL import Image, ImageChops  # noqa: PLC0415 - heavy, and needed only here

    whole = Image.new("RGB", where.size, "white")
    whole.paste(after)
    shown = Image.blend(whole, Image.new("RGB", where.size, "white"), PALE)
    background = _background(after)
    gone = ImageChops.subtract(
        _distance(before, background, where.size), _distance(after, background, where.size)
    )
    shown.paste(Image.new("RGB", where.size, NEW), mask=where)
    was_there = ImageChops.darker(gone.point([0, *[255] * 255]), where)
    shown.paste(Image.new("RGB", where.size, GONE), mask=was_there)
    out = io.BytesIO()
    shown.save(out, format="png")
    return out.getvalue()


def _background(image: Any) -> int:
    """The most frequent brightness."""
    counts = image.convert("L").histogram()
    return int(max(range(len(counts)), key=counts.__getitem__))


def _distance(image: Any, background: int, size: tuple[int, int]) -> Any:
    """How much each pixel differs in brightness from the background; nothing outside the image."""
    from PIL import Image  # noqa: PLC0415 - heavy, and needed only here

    whole = Image.new("L", size, background)
    whole.paste(image.convert("L"))
    return whole.point([abs(value - background) for value in range(256)])
