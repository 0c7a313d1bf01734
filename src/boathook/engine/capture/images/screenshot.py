"""Screenshots: of the viewport, the whole page or one element, as Chromium renders them."""

from __future__ import annotations

import asyncio
import base64
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from boathook.engine.capture.images.image_size import image_size
from boathook.engine.elements.locate import locate
from boathook.errors import BadSetting, ProtocolError, TargetError
from boathook.values import Box, ImageFormat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boathook.clock import Deadline
    from boathook.engine.elements.locate import Element
    from boathook.engine.tab import Tab

LONGEST_EDGE = 16_384
"""Device pixels; Chromium repeats or drops content beyond its largest texture."""
TOP_QUALITY = 100
BEHIND_SECONDS = 1.0
_ENDINGS: dict[str, ImageFormat] = {".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """An encoded image and the part of the page that it shows, relative to the viewport as it was then."""

    data: bytes
    format: ImageFormat
    shows: Box
    scale: float = 1.0
    """Image pixels per CSS pixel."""
    area: Area | None = None
    """Its position on the page, if that had to be measured."""
    notes: tuple[str, ...] = ()
    legend: tuple[Label, ...] = ()
    """The labels that were drawn into it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A label of an annotated screenshot, and its element as a snapshot shows it."""

    number: int
    element: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """What to capture, in CSS pixels of the page, and the position of the viewport on the page."""

    box: Box
    corner: tuple[float, float]
    device_scale: float
    beyond: bool = True
    """Whether it may extend beyond the viewport."""
    notes: tuple[str, ...] = ()

    def in_viewport(self) -> Box:
        """The same relative to the viewport."""
        return replace(self.box, x=self.box.x - self.corner[0], y=self.box.y - self.corner[1])


def format_of(path: str | Path | None) -> ImageFormat:
    """The image format of a file name; PNG by default."""
    ending = Path(path).suffix.lower() if path is not None else ""
    return _ENDINGS.get(ending, "png")


async def capture(
    tab: Tab,
    *,
    target: str | None = None,
    also_show: Sequence[str] = (),
    full_page: bool = False,
    format: ImageFormat = "png",
    quality: int | None = None,
    deadline: Deadline,
) -> Picture:
    """Capture the viewport, the whole page, one element, or the area around several."""
    _check(format, quality, target=target, full_page=full_page)
    if also_show:
        area = await _around(tab, [*([target] if target is not None else []), *also_show], deadline=deadline)
        return await capture_area(tab, area, format=format, quality=quality, deadline=deadline)
    usual = tab.emulation.usual_viewport
    if target is None and not full_page and usual is not None and not tab.emulation.has_screen:
        return await _viewport(tab, usual.scale, format=format, quality=quality, deadline=deadline)
    area = await measure(tab, target=target, full_page=full_page, deadline=deadline)
    return await capture_area(tab, area, format=format, quality=quality, deadline=deadline)


async def _viewport(
    tab: Tab, scale: float, *, format: ImageFormat, quality: int | None, deadline: Deadline
) -> Picture:
    """The viewport of a tab whose screen we set: one message, since nothing needs to be measured."""
    async with deadline.stage("rendering the screenshot"):
        data = await _capture_when_ready(tab, _request(format, quality, beyond=False))
    width, height = image_size(data)
    return Picture(
        data=data,
        format=format,
        shows=Box(x=0, y=0, width=width / scale, height=height / scale),
        scale=scale,
    )


async def measure(tab: Tab, *, target: str | None, full_page: bool, deadline: Deadline) -> Area:
    """Determine what a screenshot shows; an element is scrolled into view for it."""
    async with deadline.stage("measuring what to capture"):
        element = await locate(tab, target) if target is not None else None
        inside = await _element_box(element) if element is not None else None
        # The two viewports of the metrics are equal on screens of any density, so the page is asked for that.
        metrics, density = await asyncio.gather(
            tab.session.send("Page.getLayoutMetrics"), tab.frames.run(tab.frames.main, "devicePixelRatio")
        )
        viewport, size = metrics["cssVisualViewport"], metrics["cssContentSize"]
        corner = (float(viewport["pageX"]), float(viewport["pageY"]))
        if element is not None and inside is not None:
            x_off, y_off = await tab.frames.offset_of(element.frame)
            box = replace(inside, x=inside.x + corner[0] + x_off, y=inside.y + corner[1] + y_off)
        elif full_page:
            box = Box(x=0, y=0, width=size["width"], height=size["height"])
        else:
            width, height = viewport["clientWidth"], viewport["clientHeight"]
            box = Box(x=corner[0], y=corner[1], width=width, height=height)
    scale = float(density["result"].get("value") or 1)
    shown, cut = _within_texture(box, scale)
    notes = (element.note,) if element is not None and element.note else ()
    return Area(
        box=shown,
        corner=corner,
        device_scale=scale,
        beyond=full_page or target is not None,
        notes=(*notes, *cut),
    )


async def _around(tab: Tab, targets: Sequence[str], *, deadline: Deadline) -> Area:
    """The smallest area of the page that contains all of them."""
    areas = [await measure(tab, target=target, full_page=False, deadline=deadline) for target in targets]
    boxes = [area.box for area in areas]
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.x + box.width for box in boxes), max(box.y + box.height for box in boxes)
    box, cut = _within_texture(
        Box(x=left, y=top, width=right - left, height=bottom - top), areas[-1].device_scale
    )
    notes = tuple(note for area in areas for note in area.notes)
    return replace(areas[-1], box=box, notes=(*notes, *cut))


async def capture_area(
    tab: Tab,
    area: Area,
    *,
    zoom: float | None = None,
    format: ImageFormat = "png",
    quality: int | None = None,
    small: bool = False,
    deadline: Deadline,
) -> Picture:
    """Render an area; `zoom` scales it, `small` spends time on a smaller file."""
    clip = area.box if area.beyond or zoom is not None else None
    request = _request(format, quality, beyond=area.beyond, clip=clip, zoom=zoom or 1.0)
    if small:
        request["optimizeForSpeed"] = False
    async with deadline.stage("rendering the screenshot"):
        data = await _capture_when_ready(tab, request)
    return Picture(
        data=data,
        format=format,
        shows=area.in_viewport(),
        scale=area.device_scale * (zoom or 1.0),
        area=area,
        notes=area.notes,
    )


async def _capture_when_ready(tab: Tab, request: dict[str, Any]) -> bytes:
    """Chromium responds when the tab is painted; a tab of ours behind another one is brought to the front for that."""
    picture = tab.session.post("Page.captureScreenshot", **request)
    again: list[asyncio.Future[dict[str, Any]]] = []
    try:
        if not tab.raisable:
            await _nudge_until_ready(tab, request, picture, again)
        elif not (await asyncio.wait({picture}, timeout=BEHIND_SECONDS))[0]:
            await tab.session.send("Page.bringToFront")
        return base64.b64decode((await picture)["data"])
    finally:
        for reply in (picture, *again):
            reply.cancel()


async def _nudge_until_ready(
    tab: Tab,
    request: dict[str, Any],
    picture: asyncio.Future[dict[str, Any]],
    again: list[asyncio.Future[dict[str, Any]]],
) -> None:
    """Wait for a screenshot of a tab that stays in the background: Chromium does not paint some of those.

    It does paint when it is asked once more, and then answers both (tests/extension/test_our_own.py). Retries become less
    frequent, so that a slow page does not have to draw many screenshots.
    """
    seconds = BEHIND_SECONDS
    while not (await asyncio.wait({picture}, timeout=seconds))[0]:
        again.append(tab.session.post("Page.captureScreenshot", **request))
        seconds *= 2


def _check(format: str, quality: int | None, *, target: str | None, full_page: bool) -> None:
    if format not in get_args(ImageFormat):
        raise BadSetting(
            f"unknown image format: {format!r}", hint=f"use one of {', '.join(get_args(ImageFormat))}"
        )
    if quality is not None and (format == "png" or not 0 <= quality <= TOP_QUALITY):
        raise BadSetting("quality must be between 0 and 100, and requires jpeg or webp")
    if target is not None and full_page:
        raise BadSetting("a screenshot captures one element or the full page, not both")


def _within_texture(area: Box, scale: float) -> tuple[Box, tuple[str, ...]]:
    longest = LONGEST_EDGE / scale
    if area.width <= longest and area.height <= longest:
        return area, ()
    cut = Box(x=area.x, y=area.y, width=min(area.width, longest), height=min(area.height, longest))
    note = (
        f"the page is {area.width:g}×{area.height:g}; the image shows the first {cut.width:g}×{cut.height:g}"
    )
    return cut, (note,)


def _request(
    format: str, quality: int | None, *, beyond: bool, clip: Box | None = None, zoom: float = 1.0
) -> dict[str, Any]:
    request: dict[str, Any] = {
        "format": format,
        "captureBeyondViewport": beyond,
        "optimizeForSpeed": format == "png",
    }
    if clip is not None:
        request["clip"] = {
            "x": clip.x,
            "y": clip.y,
            "width": clip.width,
            "height": clip.height,
            "scale": zoom,
        }
    if quality is not None:
        request["quality"] = quality
    return request


async def _element_box(element: Element) -> Box:
    """The element's box in the viewport of its process, after it was scrolled into view."""
    session = element.frame.session
    try:
        object_id = await element.handle()
        await session.send("DOM.scrollIntoViewIfNeeded", objectId=object_id)
        box = await session.send("DOM.getBoxModel", objectId=object_id)
    except ProtocolError as error:
        raise TargetError(f"{element.ref} is not rendered: there is nothing to capture") from error
    corners = box["model"]["border"]
    left, top = min(corners[0::2]), min(corners[1::2])
    width, height = max(corners[0::2]) - left, max(corners[1::2]) - top
    if width < 1 or height < 1:
        raise TargetError(
            f"{element.ref} is {width:g}×{height:g}: there is nothing to capture", ref=str(element.ref)
        )
    return Box(x=left, y=top, width=width, height=height)
