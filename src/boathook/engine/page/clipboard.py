"""The clipboard, read and written as a page would by a person's keys: no permission is needed, and none is left behind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.engine.page.page_call import encoded
from boathook.errors import BadRequest, TargetError, Unsupported

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.tab import Tab

LONGEST_TEXT = 1_000_000


def require_allowed(*, own: bool, allow: bool) -> None:
    """A clipboard that is its user's is touched only when the caller says so."""
    if not own and not allow:
        raise BadRequest(
            "the clipboard of this browser is its user's, so it is left alone",
            hint="pass `--allow` when its user wants that",
        )


async def read_clipboard(tab: Tab, *, deadline: Deadline) -> str:
    """The text on the clipboard; empty when there is none."""
    async with deadline.stage("reading the clipboard"):
        ready = await tab.frames.run(tab.frames.main, "__boathook.catchPaste()")
        if not ready["result"].get("value"):
            raise TargetError(
                "the focus is in a frame of another site, and there the clipboard cannot be read unseen",
                hint="focus something outside of that frame first",
            )
        try:
            # A key that has no name, so that the page does not take it for one of its shortcuts.
            await tab.session.send("Input.dispatchKeyEvent", type="rawKeyDown", commands=["paste"])
            await tab.session.send("Input.dispatchKeyEvent", type="keyUp")
        finally:
            pasted = await tab.frames.run(tab.frames.main, "__boathook.caughtPaste()")
    return str(pasted["result"].get("value") or "")


async def write_clipboard(tab: Tab, text: str, *, deadline: Deadline) -> None:
    """Put text on the clipboard."""
    if not isinstance(text, str):
        raise BadRequest(f"the clipboard takes a text, not {type(text).__name__}")
    if len(text) > LONGEST_TEXT:
        raise BadRequest(f"the text has {len(text)} characters", hint="at most a million at once")
    async with deadline.stage("writing the clipboard"):
        world = await tab.frames.world(tab.frames.main)
        reply: dict[str, Any] = await tab.session.send(
            "Runtime.evaluate",
            expression=f"__boathook.giveToClipboard({encoded(text)})",
            contextId=world.context_id,
            awaitPromise=True,
            returnByValue=True,
            userGesture=True,
        )
    problem = reply["result"].get("value")
    if problem != "":
        raise Unsupported(
            f"the page did not let the clipboard be written: {problem or 'it failed'}",
            hint="move the focus out of the password field, or try on another page",
        )
