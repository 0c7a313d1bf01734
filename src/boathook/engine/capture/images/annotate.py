"""Annotated screenshots: a numbered frame around every element that has a ref."""

from __future__ import annotations

import asyncio
import io
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from boathook.engine.capture.images.screenshot import Label
from boathook.engine.elements.refs import REF_IN_LINE
from boathook.engine.snapshot.snapshot_options import Question
from boathook.engine.snapshot.take import take_snapshot
from boathook.errors import BoathookError
from boathook.values import Ref

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.capture.images.screenshot import Picture
    from boathook.engine.page.frames import World
    from boathook.engine.tab import Tab

COLOURS = ("#d6336c", "#1c7ed6", "#2b8a3e", "#e8590c", "#7048e8")
LABEL_HEIGHT = 13
LETTER_WIDTH = 7
MOST_LABELS = 500

Frame = tuple[int, float, float, float, float]
"""Ref number, x, y, width, height in CSS pixels of the top viewport."""


async def annotate(tab: Tab, picture: Picture, *, deadline: Deadline) -> Picture:
    """Draw the refs of the current page into a screenshot of it."""
    from PIL import Image, ImageDraw  # noqa: PLC0415 - heavy, and needed only here

    async with deadline.stage("finding the refs to draw"):
        snapshot = await take_snapshot(tab, Question(mode="compact"), deadline=deadline, remember=False)
        frames = await _frames_of(tab, snapshot.body)
    image = Image.open(io.BytesIO(picture.data)).convert("RGB")
    draw = ImageDraw.Draw(image)
    elements = {
        int(match[2]): match[1].removesuffix("@e").strip() for match in REF_IN_LINE.finditer(snapshot.body)
    }
    legend: list[Label] = []
    for index, (number, x, y, width, height) in enumerate(frames):
        left = (x - picture.shows.x) * picture.scale
        top = (y - picture.shows.y) * picture.scale
        box = (left, top, left + width * picture.scale, top + height * picture.scale)
        if box[2] < 0 or box[3] < 0 or box[0] > image.width or box[1] > image.height:
            continue
        _draw_label(draw, box, f"e{number}", COLOURS[index % len(COLOURS)])
        legend.append(Label(number=number, element=elements[number]))
    out = io.BytesIO()
    image.save(out, format=picture.format)
    return replace(picture, data=out.getvalue(), legend=tuple(sorted(legend, key=lambda label: label.number)))


def _draw_label(draw: Any, box: tuple[float, float, float, float], text: str, colour: str) -> None:
    draw.rectangle(box, outline=colour, width=2)
    left, top = box[0], max(0.0, box[1] - LABEL_HEIGHT)
    draw.rectangle((left, top, left + LETTER_WIDTH * len(text) + 2, top + LABEL_HEIGHT), fill=colour)
    draw.text((left + 2, top + 1), text, fill="white")


async def _frames_of(tab: Tab, body: str) -> list[Frame]:
    """Boxes of all refs in a snapshot, queried once per world."""
    by_world: dict[World, dict[int, int]] = {}
    for match in REF_IN_LINE.finditer(body):
        if match.group(1).lstrip().startswith("heading"):
            continue  # nothing to press there
        number = int(match.group(2))
        found = tab.refs.find(Ref(number))
        if found is not None and found[0].alive:
            by_world.setdefault(found[0], {})[found[1]] = number
    groups = await asyncio.gather(*(_frames_in(tab, world, ids) for world, ids in by_world.items()))
    return [frame for group in groups for frame in group][:MOST_LABELS]


async def _frames_in(tab: Tab, world: World, ids: dict[int, int]) -> list[Frame]:
    try:
        reply = await tab.frames.run(world.frame, f"__boathook.boxes({list(ids)})")
        x_off, y_off = await tab.frames.offset_of(world.frame)
    except BoathookError:
        return []
    boxes = reply["result"].get("value") or []
    return [
        (ids[local], x + x_off, y + y_off, width, height)
        for local, x, y, width, height in boxes
        if width and height
    ]
