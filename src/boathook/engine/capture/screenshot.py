"""Screenshots: of the viewport, the whole page or one element, as Chromium renders them."""

from __future__ import annotations

import asyncio
import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

from boathook.engine.locate import locate
from boathook.errors import BadSetting, ProtocolError, TargetError
from boathook.values import Box, ImageFormat

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.locate import Element
    from boathook.engine.tab import Tab

LONGEST_EDGE = 16_384
"""Device pixels; Chromium repeats or drops content beyond its largest texture."""
TOP_QUALITY = 100
BEHIND_SECONDS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """An encoded image and the part of the page that it shows."""

    data: bytes
    format: ImageFormat
    shows: Box
    scale: float = 1.0
    """Image pixels per CSS pixel."""
    notes: tuple[str, ...] = ()


async def capture(
    tab: Tab,
    *,
    target: str | None = None,
    full_page: bool = False,
    format: ImageFormat = "png",
    quality: int | None = None,
    deadline: Deadline,
) -> Picture:
    """Take a picture of the viewport, the whole page or one element."""
    _check(format, quality, target=target, full_page=full_page)
    notes: tuple[str, ...] = ()
    async with deadline.stage("measuring what to capture"):
        metrics = await tab.session.send("Page.getLayoutMetrics")
        viewport = metrics["cssVisualViewport"]
        scale = _device_scale(metrics)
        if target is not None:
            element = await locate(tab, target)
            notes = (element.note,) if element.note else ()
            area = await _element_area(tab, element)
        elif full_page:
            size = metrics["cssContentSize"]
            area = Box(x=0, y=0, width=size["width"], height=size["height"])
        else:
            area = Box(
                x=viewport["pageX"],
                y=viewport["pageY"],
                width=viewport["clientWidth"],
                height=viewport["clientHeight"],
            )
    shown, cut = _within_texture(area, scale)
    beyond = full_page or target is not None
    async with deadline.stage("rendering the screenshot"):
        reply = await _painted(tab, _request(shown, format, quality, beyond=beyond))
    return Picture(
        data=base64.b64decode(reply["data"]), format=format, shows=shown, scale=scale, notes=(*notes, *cut)
    )


async def _painted(tab: Tab, request: dict[str, Any]) -> dict[str, Any]:
    """Chromium answers when the tab is painted; one of ours that lies behind another is brought to the front for that."""
    picture = tab.session.post("Page.captureScreenshot", **request)
    try:
        if tab.raisable:
            await asyncio.wait({picture}, timeout=BEHIND_SECONDS)
            if not picture.done():
                await tab.session.send("Page.bringToFront")
        return await picture
    finally:
        picture.cancel()


def _check(format: str, quality: int | None, *, target: str | None, full_page: bool) -> None:
    if format not in get_args(ImageFormat):
        raise BadSetting(
            f"{format!r} is not an image format", hint=f"use one of {', '.join(get_args(ImageFormat))}"
        )
    if quality is not None and (format == "png" or not 0 <= quality <= TOP_QUALITY):
        raise BadSetting("quality goes from 0 to 100, and only with jpeg or webp")
    if target is not None and full_page:
        raise BadSetting("a screenshot is of one element or of the full page, not both")


def _device_scale(metrics: dict[str, Any]) -> float:
    css, device = metrics["cssLayoutViewport"]["clientWidth"], metrics["layoutViewport"]["clientWidth"]
    return float(device) / float(css) if css else 1.0


def _within_texture(area: Box, scale: float) -> tuple[Box, tuple[str, ...]]:
    longest = LONGEST_EDGE / scale
    if area.width <= longest and area.height <= longest:
        return area, ()
    cut = Box(x=area.x, y=area.y, width=min(area.width, longest), height=min(area.height, longest))
    note = f"the page is {area.width:g}×{area.height:g}; the picture shows the first {cut.width:g}×{cut.height:g}"
    return cut, (note,)


def _request(area: Box, format: str, quality: int | None, *, beyond: bool) -> dict[str, Any]:
    request: dict[str, Any] = {
        "format": format,
        "captureBeyondViewport": beyond,
        "optimizeForSpeed": format == "png",
    }
    if beyond:
        request["clip"] = {"x": area.x, "y": area.y, "width": area.width, "height": area.height, "scale": 1}
    if quality is not None:
        request["quality"] = quality
    return request


async def _element_area(tab: Tab, element: Element) -> Box:
    """The element's box in page coordinates, after it was scrolled into view."""
    session = element.frame.session
    try:
        object_id = await element.handle()
        await session.send("DOM.scrollIntoViewIfNeeded", objectId=object_id)
        # Asked on the top session, a box is in page coordinates already, frames of other processes included.
        box = await session.send("DOM.getBoxModel", objectId=object_id)
    except ProtocolError as error:
        raise TargetError(f"{element.ref} has no box on the page, so there is nothing to capture") from error
    corners = box["model"]["border"]
    left, top = min(corners[0::2]), min(corners[1::2])
    width, height = max(corners[0::2]) - left, max(corners[1::2]) - top
    if width < 1 or height < 1:
        raise TargetError(
            f"{element.ref} is {width:g}×{height:g}: there is nothing to capture", ref=str(element.ref)
        )
    metrics = (await tab.session.send("Page.getLayoutMetrics"))["cssVisualViewport"]
    x_off, y_off = await tab.frames.offset_of(element.frame)
    return Box(
        x=left + metrics["pageX"] + x_off, y=top + metrics["pageY"] + y_off, width=width, height=height
    )
