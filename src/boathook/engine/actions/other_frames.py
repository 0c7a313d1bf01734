"""Frames that the script in the element's frame cannot access: changes there are queried separately."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from boathook.errors import BoathookError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boathook.engine.elements.locate import Element
    from boathook.engine.page.frames import Frame, World
    from boathook.engine.tab import Tab

MOST_FRAMES = 12
"""Pages with advertisements have dozens; querying each costs a millisecond or two."""


async def remember_others(tab: Tab, element: Element) -> list[World]:
    """Make every other document remember what it shows; returns those that do."""
    frames = [frame for frame in tab.frames.walk_roots() if frame is not element.frame][:MOST_FRAMES]
    replies = await asyncio.gather(*(_ask(tab, frame, "rememberView") for frame in frames))
    return [frame.world for frame, reply in zip(frames, replies, strict=True) if reply and frame.world]


async def changes_in(tab: Tab, worlds: Iterable[World]) -> list[dict[str, Any]]:
    """The differences in each of the documents that still exist."""
    alive = [world.frame for world in worlds if world.alive]
    return list(await asyncio.gather(*(_ask(tab, frame, "changesSince") for frame in alive)))


async def _ask(tab: Tab, frame: Frame, function: str) -> dict[str, Any]:
    """Call one of our functions in a frame; a frame that is gone or does not respond returns nothing."""
    question = tab.frames.once(frame, f"__boathook.{function}({tab.refs.next})")
    try:
        reply = await tab.frames.run(frame, question)
    except BoathookError:
        return {}
    value: dict[str, Any] = reply.get("result", {}).get("value") or {}
    if frame.world is None or "first" not in value:
        return {}
    tab.refs.adopt(frame.world, first=value["first"], after_last=value["next"])
    for lines in ("before", "after", "facts"):
        if value.get(lines):
            value[lines] = tab.refs.in_session_numbers(frame.world, value[lines])
    return value


def merge_changes(reply: dict[str, Any], others: list[dict[str, Any]]) -> dict[str, Any]:
    """The changes of several documents as those of one page."""
    told = [change for change in (reply, *others) if change]
    result = dict(reply)
    for lines in ("before", "after", "facts"):
        result[lines] = "\n".join(str(change[lines]) for change in told if change.get(lines))
    texts = [change["texts"] for change in told if change.get("texts")]
    unseen = [text["unseen"] for text in texts]
    result["texts"] = {
        **_join_texts(texts, "came", "gone", "moved"),
        "unseen": _join_texts(unseen, "came", "gone"),
        "more": sum(text["more"] for text in texts),
    }
    return result


def _join_texts(texts: list[dict[str, Any]], *sorts: str) -> dict[str, list[Any]]:
    return {sort: [change for text in texts for change in text[sort]] for sort in sorts}
