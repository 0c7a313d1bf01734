"""Filling a field of a login: only at the login's own origin, only the exact field that was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.cdp.errors_map import ContextGone
from boathook.engine.actions.input import keyboard
from boathook.engine.page.page_call import ask, to_javascript
from boathook.engine.page_scripts import page_script
from boathook.errors import LoginFailed, PolicyBlocked, ProtocolError

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.elements.locate import Element
    from boathook.engine.tab import Tab

_REFUSED = {
    "replaced": "the field was removed from the page",
    "changed": "the type of the field changed",
    "focus": "the page moved the focus to another element",
}


async def put(
    tab: Tab, field: Element, text: str, *, what: str, origin: str, secret: bool = False, deadline: Deadline
) -> None:
    """Enter text into the field; PolicyBlocked, with nothing typed, if it is not where and what it was."""
    check_origin(field.frame.origin, origin, what=what)
    async with deadline.stage(f"entering the {what}"):
        reply = await _ask_page(tab, field, text, origin=origin, secret=secret)
    if "problem" in reply:
        _refuse(reply, what=what, origin=origin)
    if not reply.get("taken"):
        raise LoginFailed(
            f"the field for the {what} does not contain the value that was entered",
            hint="it may have a length limit or an input mask",
        )


async def put_digits(tab: Tab, field: Element, digits: str, *, origin: str, deadline: Deadline) -> None:
    """Type a code into fields of one digit each, which move the focus on."""
    what = "one-time code"
    check_origin(field.frame.origin, origin, what=what)
    async with deadline.stage(f"entering the {what}"):
        reply = await _ask_page(tab, field, None, origin=origin, secret=False)
        if "problem" in reply:
            _refuse(reply, what=what, origin=origin)
        await keyboard.send_keys(field.frame.session, digits)


def check_origin(found: str, wanted: str, *, what: str) -> None:
    """PolicyBlocked for any other origin, however similar."""
    if found != wanted:
        shown = found if found.startswith(("http://", "https://")) else "a page with an opaque origin"
        raise PolicyBlocked(
            f"{shown} asks for the {what}, but the login is for {wanted}; nothing was entered",
            hint="if that page is correct, save the login with its URL",
            origin=found,
        )


async def _ask_page(
    tab: Tab, field: Element, text: str | None, *, origin: str, secret: bool
) -> dict[str, Any]:
    given = ", ".join(to_javascript(argument) for argument in (field.local_id, origin, secret, text))
    try:
        return await ask(tab, field, f"({page_script('actions/login_type.js')})({given})")
    except (ContextGone, ProtocolError):
        return {"problem": "replaced"}


def _refuse(reply: dict[str, Any], *, what: str, origin: str) -> None:
    if reply["problem"] == "origin":
        check_origin(str(reply.get("origin", "")), origin, what=what)
    why = _REFUSED.get(str(reply["problem"]), "the field changed")
    raise PolicyBlocked(
        f"{why} just before the {what} was entered; nothing was entered",
        hint="check the page: it may be malicious",
    )
