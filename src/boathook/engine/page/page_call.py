"""Calling our own functions in the page, in the isolated world of an element."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec

from boathook.cdp.replies import ignore_reply
from boathook.engine.page.page_eval import SHOWN_ERROR, post_evaluation, thrown_in
from boathook.engine.secrets.report_secret import value_from_page
from boathook.errors import Disabled, StaleRef, TargetError

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from boathook.engine.elements.locate import Element
    from boathook.engine.tab import Tab

_FAILURES: dict[str, tuple[type[TargetError], str]] = {
    "gone": (StaleRef, "it is no longer on the page"),
    "disabled": (Disabled, "it is disabled"),
}
"""What page scripts throw when an element changed after it was checked (`failure` in refs.js)."""
_FIELD_VALUES = ("value", "held", "answer")
"""Fields of replies that contain the value of a form field; values of secret fields are marked (secrets.js)."""


async def ask(tab: Tab, element: Element, expression: str) -> dict[str, Any]:
    """Run one of our functions in the element's world, and register the refs that it created."""
    return await read_answer(tab, element, post_question(element, expression))


def post_question(element: Element, expression: str) -> asyncio.Future[dict[str, Any]]:
    """Send a question now, in order with other messages; `read_answer` waits for it."""
    return post_evaluation(element.frame.session, expression, context_id=element.world.context_id)


async def read_answer(tab: Tab, element: Element, question: asyncio.Future[dict[str, Any]]) -> dict[str, Any]:
    """The answer of the page, with its refs registered; a typed error if one of our functions failed."""
    reply = await question
    thrown = thrown_in(reply)
    if thrown is not None and thrown.code in _FAILURES:
        kind, why = _FAILURES[thrown.code]
        raise kind(f"{element.ref}: {why}", ref=str(element.ref))
    if thrown is not None:
        shown = thrown.message[:SHOWN_ERROR]
        raise TargetError(f"{element.ref} could not be queried: {shown}", ref=str(element.ref))
    value: dict[str, Any] = reply["result"].get("value") or {}
    if "first" in value:
        tab.refs.adopt(element.world, first=value["first"], after_last=value["next"])
    for name in _FIELD_VALUES:
        if name in value:
            value[name] = value_from_page(tab, value[name])
    for lines in ("before", "after", "facts", "invalid"):
        if value.get(lines):
            value[lines] = tab.refs.in_session_numbers(element.world, value[lines])
    return value


def to_javascript(value: object) -> str:
    """A Python value as JavaScript."""
    return msgspec.json.encode(value).decode()


async def or_dialog(tab: Tab, work: Awaitable[Any]) -> Any:
    """Wait until the input is processed, or until a dialog opens that blocks it."""
    doing = asyncio.ensure_future(work)
    dialog = asyncio.ensure_future(tab.dialogs.wait_for_dialog())
    try:
        await asyncio.wait({doing, dialog}, return_when=asyncio.FIRST_COMPLETED)
        if doing.done():
            return doing.result()
        return None
    finally:
        dialog.cancel()
        if not doing.done():
            ignore_reply(doing)
