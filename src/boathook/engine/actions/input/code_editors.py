"""Filling code editors (Monaco, CodeMirror): the whole text is replaced, and their model is read back."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from boathook.engine.actions.keys import find_key, key_events
from boathook.engine.content.editor_texts import editor_texts
from boathook.engine.page.page_call import to_javascript
from boathook.engine.page.page_eval import evaluate_in
from boathook.errors import ValueNotTaken

if TYPE_CHECKING:
    from boathook.cdp.cdp_session import CdpSession
    from boathook.engine.actions.prepare import ActionPoint

FRAMES_WAITED = 30
"""How many frames an editor may take to read its input."""
EDITORS = ".monaco-editor, .CodeMirror, .cm-editor"
NEXT_FRAME = "new Promise(done => { requestAnimationFrame(done); setTimeout(done, 100) })"


async def fill_editor(spot: ActionPoint, value: str) -> str:
    """Replace the text of the editor that has the focus; the value is what its model holds then."""
    number = int(spot.focused["editor"])
    before = await _model_text(spot, number)
    await _strike(spot.element.frame.session, ["Control"], "a")
    return await _enter(spot, number, value, before=before, whole=value)


async def append_to_editor(spot: ActionPoint, number: int, text: str) -> str | None:
    """Enter text of several lines at the end of the editor; None if its model cannot be reached.

    Not key by key: editors indent each line that is begun with Enter, and would change the text.
    """
    before = await _model_text(spot, number)
    if before is None:
        return None
    await _strike(spot.element.frame.session, ["Control"], "End")
    return await _enter(spot, number, text, before=before, whole=before + text)


async def typed_in_editor(spot: ActionPoint, number: int) -> str | None:
    """What the editor holds after keys, once that no longer changes."""
    held = await _model_text(spot, number)
    for _ in range(FRAMES_WAITED):
        await evaluate_in(spot.element.frame.session, NEXT_FRAME)
        last, held = held, await _model_text(spot, number)
        if held == last:
            break
    return held


async def _enter(spot: ActionPoint, number: int, value: str, *, before: str | None, whole: str) -> str:
    """Insert the value at the caret, and see that the model holds `whole` then."""
    session = spot.element.frame.session
    if value:
        await session.send("Input.insertText", text=value)
    else:
        await _strike(session, [], "Delete")
    held = await _settled_text(spot, number, whole, before)
    if held is not None and _plain(held) != _plain(whole):
        # Editors indent and complete what is typed, but not what is pasted.
        await _strike(session, ["Control"], "a")
        await _paste(spot, whole)
        held = await _settled_text(spot, number, whole, before)
    if held is None:
        await _require_shown(spot, number, value)
        return value
    if _plain(held) == _plain(whole):
        return whole
    raise ValueNotTaken(
        f"{spot.role} {spot.name!r} {spot.element.ref} holds {len(held or '')} characters instead of the {len(whole)} that were filled in",
        hint="the editor completes or indents what is entered; read it before going on",
        ref=str(spot.element.ref),
    )


async def _require_shown(spot: ActionPoint, number: int, value: str) -> None:
    """Without a model, such as that of an editor inside a bundle, the first line must be seen."""
    first = next((line.strip() for line in value.splitlines() if line.strip()), "")
    expression = f"document.querySelectorAll({to_javascript(EDITORS)})[{number}].innerText"
    for _ in range(FRAMES_WAITED):
        reply = await evaluate_in(
            spot.element.frame.session, expression, context_id=spot.element.world.context_id
        )
        shown = str(reply["result"].get("value") or "").replace("\u00a0", " ")
        if first in shown if first else not shown.strip():
            return
        await evaluate_in(spot.element.frame.session, NEXT_FRAME)
    raise ValueNotTaken(
        f"{spot.role} {spot.name!r} {spot.element.ref} does not show what was filled in, and its text cannot be read",
        hint="take a screenshot before going on",
        ref=str(spot.element.ref),
    )


async def _settled_text(spot: ActionPoint, number: int, wanted: str, before: str | None) -> str | None:
    """What the model holds once it has taken the input; None if it cannot be reached."""
    held = before
    for _ in range(FRAMES_WAITED):
        held = await _model_text(spot, number)
        if held is None or _plain(held) == _plain(wanted):
            break
        await evaluate_in(spot.element.frame.session, NEXT_FRAME)
    return held


async def _paste(spot: ActionPoint, text: str) -> None:
    """Paste into the focused element, without touching the clipboard."""
    script = (
        "(text => { const data = new DataTransfer(); data.setData('text/plain', text);"
        " const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });"
        " document.activeElement.dispatchEvent(event); })"
    )
    await evaluate_in(
        spot.element.frame.session,
        f"{script}({to_javascript(text)})",
        context_id=spot.element.world.context_id,
    )


async def _model_text(spot: ActionPoint, number: int) -> str | None:
    return (await editor_texts(spot.element.frame, [number]))[0]


async def _strike(session: CdpSession, modifiers: list[str], key: str) -> None:
    events = key_events(modifiers, find_key(key))
    await asyncio.gather(*(session.post("Input.dispatchKeyEvent", **event) for event in events))


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").rstrip("\n")
