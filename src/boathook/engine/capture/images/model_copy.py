"""A copy of a screenshot for a model: limited in pixels and bytes, with the mapping back to the page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from boathook.engine.capture.images.image_size import image_size
from boathook.engine.capture.images.screenshot import capture_area, measure

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from boathook.clock import Deadline
    from boathook.engine.capture.images.screenshot import Area, Picture
    from boathook.engine.tab import Tab
    from boathook.values import ImageFormat

LONGEST_SIDE = 1_024
SHORTEST_SIDE = 200
"""Models reject smaller images, or cannot recognize anything in them."""
MOST_BYTES = 150 * 1_024
_TRIES: tuple[tuple[float, ImageFormat, int | None], ...] = (
    (1.0, "png", None),
    (1.0, "jpeg", 75),
    (1.0, "jpeg", 50),
    (0.75, "jpeg", 50),
    (0.5, "jpeg", 50),
    (0.5, "jpeg", 30),
    (0.35, "jpeg", 20),
)
"""Scale, format and quality: text stays readable for as long as possible. Some models do not accept WebP."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """The area that the copy shows, and how large it is drawn."""

    area: Area
    zoom: float


async def model_copy(
    tab: Tab,
    picture: Picture,
    *,
    finish: Callable[[Picture], Awaitable[Picture]] | None = None,
    deadline: Deadline,
) -> Picture:
    """The screenshot itself if it is small enough, otherwise one that Chromium renders smaller."""
    if picture.format != "webp" and _fits(picture):
        return picture
    area = picture.area or await measure(tab, target=None, full_page=False, deadline=deadline)
    smallest: Picture | None = None
    drawn: set[tuple[float, str, int | None]] = set()
    for share, format, quality in _TRIES:
        fit = fit_area(area, share=share)
        if (fit.zoom, format, quality) in drawn:
            continue
        drawn.add((fit.zoom, format, quality))
        copy = await capture_area(
            tab, fit.area, zoom=fit.zoom, format=format, quality=quality, small=True, deadline=deadline
        )
        copy = await finish(copy) if finish is not None else copy
        if len(copy.data) <= MOST_BYTES:
            return copy
        if smallest is None or len(copy.data) < len(smallest.data):
            smallest = copy
    return _with_note(smallest or picture)


def _with_note(picture: Picture) -> Picture:
    note = f"the smallest copy has {len(picture.data)} bytes, more than the limit of {MOST_BYTES}"
    return replace(picture, notes=(*picture.notes, note))


def _fits(picture: Picture) -> bool:
    sides = image_size(picture.data)
    return max(sides) <= LONGEST_SIDE and min(sides) >= SHORTEST_SIDE and len(picture.data) <= MOST_BYTES


def fit_area(area: Area, *, share: float = 1.0) -> Fit:
    """Shrink large areas, enlarge tiny ones, and add surroundings to narrow ones."""
    short, long = sorted((area.box.width * area.device_scale, area.box.height * area.device_scale))
    zoom = min(1.0, LONGEST_SIDE / long) * share
    if short * zoom < SHORTEST_SIDE:
        zoom = min(SHORTEST_SIDE / short, LONGEST_SIDE / long)
    least = SHORTEST_SIDE / (zoom * area.device_scale)
    box = area.box
    if box.width < least:
        box = replace(box, x=max(0.0, box.x - (least - box.width) / 2), width=least)
    if box.height < least:
        box = replace(box, y=max(0.0, box.y - (least - box.height) / 2), height=least)
    return Fit(area=area if box == area.box else replace(area, box=box, beyond=True), zoom=zoom)
