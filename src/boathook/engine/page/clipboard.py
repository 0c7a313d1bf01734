"""The clipboard, read and written like a page does after a key press: no permission is needed, and none is left behind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.engine.page.page_call import to_javascript
from boathook.errors import BadRequest, TargetError, Unsupported

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.tab import Tab

LONGEST_TEXT = 1_000_000


def require_allowed(*, own: bool, allow: bool) -> None:
    """A clipboard that belongs to the user is accessed only if the caller allows it."""
    if not own and not allow:
        raise BadRequest(
            "the clipboard of this browser belongs to the user and is not accessed",
            hint="pass `--allow` if the user agrees",
        )


async def read_clipboard(tab: Tab, *, deadline: Deadline) -> str:
    """The text on the clipboard; empty when there is none."""
    async with deadline.stage("reading the clipboard"):
        ready = await tab.frames.run(tab.frames.main, "__boathook.catchPaste()")
        if not ready["result"].get("value"):
            raise TargetError(
                "the clipboard cannot be read while the focus is in a cross-site frame",
                hint="move the focus out of that frame first",
            )
        try:
            # A key without a name, so that the page does not interpret it as a shortcut.
            await tab.session.send("Input.dispatchKeyEvent", type="rawKeyDown", commands=["paste"])
            await tab.session.send("Input.dispatchKeyEvent", type="keyUp")
        finally:
            pasted = await tab.frames.run(tab.frames.main, "__boathook.caughtPaste()")
    return str(pasted["result"].get("value") or "")


async def write_clipboard(tab: Tab, text: str, *, deadline: Deadline) -> None:
    """Write text to the clipboard."""
    if not isinstance(text, str):
        raise BadRequest(f"clipboard text must be a string, not {type(text).__name__}")
    if len(text) > LONGEST_TEXT:
        raise BadRequest(
            f"the text is too long: {len(text)} characters", hint="use at most 1,000,000 characters per call"
        )
    async with deadline.stage("writing the clipboard"):
        world = await tab.frames.world(tab.frames.main)
        reply: dict[str, Any] = await tab.session.send(
            "Runtime.evaluate",
            expression=f"__boathook.giveToClipboard({to_javascript(text)})",
            contextId=world.context_id,
            awaitPromise=True,
            returnByValue=True,
            userGesture=True,
        )
    problem = reply["result"].get("value")
    if problem != "":
        raise Unsupported(
            f"the page blocked writing to the clipboard: {problem or 'it failed'}",
            hint="move the focus out of the password field, or try on another page",
        )
