"""Facts that no script in a page can know, asked of Chromium's own accessibility tree.

The walker names the elements (page_scripts/walker/ask_chromium.js): boxes with CSS counters, and custom elements whose
role and label may be set through ElementInternals. Pages without them cost nothing.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec

from boathook.errors import BoathookError, ProtocolError, TabGone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boathook.cdp.cdp_session import CdpSession

ANSWER_SECONDS = 1.0
"""How long Chromium may take; a snapshot without these facts is better than a late one."""
PLAIN_ROLES = frozenset({"", "none", "generic", "Unknown"})
STATES = {
    "checked": "checked",
    "pressed": "pressed",
    "expanded": "expanded",
    "selected": "selected",
    "disabled": "disabled",
    "invalid": "invalid",
    "readonly": "readonly",
    "required": "required",
    "multiselectable": "multiselectable",
    "hasPopup": "haspopup",
    "busy": "busy",
    "modal": "modal",
    "level": "level",
}
"""Properties of Chromium's tree, and what the walker calls them."""
SAID_WHEN_FALSE = frozenset({"expanded", "selected"})
ROLE_NAMES = {"image": "img"}

Question = tuple[int, list[str]]


async def learn_from_chromium(session: CdpSession, context_id: int, questions: Sequence[Question]) -> bool:
    """Ask about each element and pass the answers to the walker; true if a second walk would differ."""
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            answers = await asyncio.gather(
                *(_answer(session, context_id, number, facts) for number, facts in questions)
            )
            known = [answer for answer in answers if answer is not None]
            expression = f"__boathook.learn({msgspec.json.encode(known).decode()})"
            reply = await session.send("Runtime.evaluate", expression=expression, contextId=context_id)
    except (TimeoutError, BoathookError):
        return False
    return reply["result"].get("value") is True


async def _answer(
    session: CdpSession, context_id: int, number: int, facts: list[str]
) -> tuple[int, dict[str, Any]] | None:
    try:
        element = await session.send(
            "Runtime.evaluate", expression=f"__boathook.asked({number})", contextId=context_id
        )
        object_id = element["result"].get("objectId")
        if object_id is None:
            return None
        found: dict[str, Any] = {}
        if "internals" in facts:
            found["internals"] = await _internals(session, object_id)
        boxes = [fact for fact in facts if fact != "internals"]
        if boxes:
            found |= await _box_texts(session, object_id, boxes)
    except (ProtocolError, TabGone):
        return None
    return number, found


async def _internals(session: CdpSession, object_id: str) -> dict[str, Any] | None:
    """Role, name and states of an element, or None if Chromium exposes no role for it."""
    tree = await session.send("Accessibility.getPartialAXTree", objectId=object_id, fetchRelatives=False)
    node: dict[str, Any] = tree["nodes"][0] if tree["nodes"] else {"ignored": True}
    role = str(node.get("role", {}).get("value", ""))
    if node.get("ignored") or role in PLAIN_ROLES:
        return None
    name = node.get("name", {})
    return {
        "role": ROLE_NAMES.get(role, role),
        "name": str(name.get("value", "")),
        "isContent": _is_from_content(name),
        "value": str(node.get("value", {}).get("value", "")),
        "states": dict(_states(node.get("properties", ()))),
    }


def _is_from_content(name: dict[str, Any]) -> bool:
    used = next((s for s in name.get("sources", ()) if "value" in s and not s.get("superseded")), None)
    return used is not None and used.get("type") == "contents"


def _states(properties: Sequence[dict[str, Any]]) -> list[tuple[str, Any]]:
    states = []
    for entry in properties:
        state, value = STATES.get(entry["name"]), entry["value"].get("value")
        if state is not None and (value not in {False, "false", ""} or state in SAID_WHEN_FALSE):
            states.append((state, value))
    return states


async def _box_texts(session: CdpSession, object_id: str, boxes: list[str]) -> dict[str, str | None]:
    """The texts of ::before and ::after as Chromium lays them out."""
    node = (await session.send("DOM.describeNode", objectId=object_id))["node"]
    pseudo = {box["pseudoType"]: box["backendNodeId"] for box in node.get("pseudoElements", ())}
    texts = await asyncio.gather(*(_box_text(session, pseudo.get(box)) for box in boxes))
    return dict(zip(boxes, texts, strict=True))


async def _box_text(session: CdpSession, backend_id: int | None) -> str | None:
    if backend_id is None:
        return None
    reply = await session.send("Accessibility.queryAXTree", backendNodeId=backend_id, role="StaticText")
    return "".join(str(node.get("name", {}).get("value", "")) for node in reply["nodes"]) or None
