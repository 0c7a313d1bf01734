"""Single events of mouse and keyboard, and the clipboard.

What is pressed stays so until it is let go of; the next ready-made action, such as click, lets go first.
"""

from __future__ import annotations

from typing import Annotated

from boathook.engine.actions.input import keyboard, raw_input
from boathook.engine.actions.input.pointer import Button
from boathook.engine.actions.input.pointer_paths import LONGEST_MS
from boathook.engine.actions.input.raw_input import MOST_CLICKS, MOST_STEPS, Manner
from boathook.engine.actions.perform import ACTION_SECONDS, Performed
from boathook.engine.page import clipboard
from boathook.engine.tab import Tab
from boathook.registry.parameters import AllowClipboard, Timeout
from boathook.registry.registry import Between, Doc, Effect, command


@command(
    group="keyboard and mouse",
    effect=Effect.ACTS,
    examples=("mouse move 120 80", "mouse move 120 80 --human --seed 7"),
)
async def mouse_move(
    tab: Tab,
    x: Annotated[float, Doc("CSS pixels from the left of the viewport")],
    y: Annotated[float, Doc("CSS pixels from its top")],
    *,
    steps: Annotated[
        int | None, Doc("moves on the way; as many as its time has frames"), Between(1, MOST_STEPS)
    ] = None,
    duration: Annotated[float, Doc("milliseconds that it takes"), Between(0, LONGEST_MS)] = 0.0,
    human: Annotated[bool, Doc("on a bent line, slow at both ends, as a hand moves")] = False,
    seed: Annotated[int | None, Doc("makes such a line the same again")] = None,
    timeout: Timeout = ACTION_SECONDS,
) -> Performed:
    """Move the mouse to a point of the viewport, in CSS pixels."""
    manner = Manner(steps=steps, duration_ms=duration, human=human, seed=seed)
    async with tab.call("moving the mouse", seconds=timeout + duration / 1_000) as deadline:
        return await raw_input.mouse_move(tab, x, y, manner=manner, deadline=deadline)


@command(
    group="keyboard and mouse",
    effect=Effect.ACTS,
    may_navigate=True,
    examples=("mouse down", "mouse down right"),
)
async def mouse_down(
    tab: Tab,
    button: Annotated[Button, Doc("mouse button")] = "left",
    *,
    clicks: Annotated[int, Doc("which click of a row it is"), Between(1, MOST_CLICKS)] = 1,
    timeout: Timeout = ACTION_SECONDS,
) -> Performed:
    """Press a button where `mouse_move` left the mouse; `clicks=2` makes it the second of a double click."""
    async with tab.call(f"pressing the {button} button", seconds=timeout) as deadline:
        return await raw_input.mouse_down(tab, button=button, clicks=clicks, deadline=deadline)


@command(group="keyboard and mouse", effect=Effect.ACTS, may_navigate=True, examples=("mouse up",))
async def mouse_up(
    tab: Tab,
    button: Annotated[Button, Doc("mouse button")] = "left",
    *,
    timeout: Timeout = ACTION_SECONDS,
) -> Performed:
    """Let go of a button."""
    async with tab.call(f"letting go of the {button} button", seconds=timeout) as deadline:
        return await raw_input.mouse_up(tab, button=button, deadline=deadline)


@command(group="keyboard and mouse", effect=Effect.ACTS, examples=("mouse wheel 400",))
async def mouse_wheel(
    tab: Tab,
    down: Annotated[float, Doc("pixels down; below zero it is up")],
    right: Annotated[float, Doc("pixels to the right")] = 0,
    *,
    timeout: Timeout = ACTION_SECONDS,
) -> Performed:
    """Turn the wheel over whatever lies under the mouse, by pixels."""
    async with tab.call("turning the wheel", seconds=timeout) as deadline:
        return await raw_input.mouse_wheel(tab, right, down, deadline=deadline)


@command(
    group="keyboard and mouse",
    effect=Effect.ACTS,
    may_navigate=True,
    words=("keydown",),
    examples=("keydown Shift",),
)
async def key_down(
    tab: Tab, key: Annotated[str, Doc("one key")], *, timeout: Timeout = ACTION_SECONDS
) -> Performed:
    """Press a key and keep it down."""
    async with tab.call(f"pressing {key}", seconds=timeout) as deadline:
        return await raw_input.key_down(tab, key, deadline=deadline)


@command(
    group="keyboard and mouse",
    effect=Effect.ACTS,
    may_navigate=True,
    words=("keyup",),
    examples=("keyup Shift",),
)
async def key_up(
    tab: Tab, key: Annotated[str, Doc("one key")], *, timeout: Timeout = ACTION_SECONDS
) -> Performed:
    """Let go of a key."""
    async with tab.call(f"letting go of {key}", seconds=timeout) as deadline:
        return await raw_input.key_up(tab, key, deadline=deadline)


@command(
    secrets=("text",),
    group="keyboard and mouse",
    effect=Effect.ACTS,
    words=("keyboard inserttext",),
    examples=("keyboard inserttext 'hello'",),
)
async def insert_text(
    tab: Tab, text: Annotated[str, Doc("what to insert")], *, timeout: Timeout = ACTION_SECONDS
) -> Performed:
    """Put text where the focus is, without keys."""
    async with tab.call("inserting text", seconds=timeout) as deadline:
        return await raw_input.insert_text(tab, text, deadline=deadline)


@command(group="keyboard and mouse", effect=Effect.READS, examples=("clipboard read",))
async def clipboard_read(
    tab: Tab, *, allow: AllowClipboard = False, timeout: Timeout = ACTION_SECONDS
) -> str:
    """The text on the clipboard. Unless the browser is headless and ours, it is its user's: `allow` is needed."""
    clipboard.require_allowed(own=tab.browser.own_clipboard, allow=allow)
    async with tab.call("reading the clipboard", seconds=timeout, looks=True) as deadline:
        return await clipboard.read_clipboard(tab, deadline=deadline)


@command(
    secrets=("text",),
    group="keyboard and mouse",
    effect=Effect.CHANGES_BROWSER,
    examples=("clipboard write 'some text'",),
)
async def clipboard_write(
    tab: Tab,
    text: Annotated[str, Doc("what to put there")],
    *,
    allow: AllowClipboard = False,
    timeout: Timeout = ACTION_SECONDS,
) -> None:
    """Put text on the clipboard; all tabs of the browser share it."""
    clipboard.require_allowed(own=tab.browser.own_clipboard, allow=allow)
    async with tab.call("writing the clipboard", seconds=timeout, looks=True) as deadline:
        await clipboard.write_clipboard(tab, text, deadline=deadline)


@command(group="keyboard and mouse", effect=Effect.ACTS, words=("clipboard copy", "copy"), examples=("copy",))
async def copy(tab: Tab, *, allow: AllowClipboard = False, timeout: Timeout = ACTION_SECONDS) -> Performed:
    """Copy what is selected, by the keys that do so."""
    clipboard.require_allowed(own=tab.browser.own_clipboard, allow=allow)
    async with tab.call("copying", seconds=timeout) as deadline:
        return await keyboard.press(tab, "ControlOrMeta+C", deadline=deadline)


@command(
    group="keyboard and mouse", effect=Effect.ACTS, words=("clipboard paste", "paste"), examples=("paste",)
)
async def paste(tab: Tab, *, allow: AllowClipboard = False, timeout: Timeout = ACTION_SECONDS) -> Performed:
    """Paste where the focus is, by the keys that do so."""
    clipboard.require_allowed(own=tab.browser.own_clipboard, allow=allow)
    async with tab.call("pasting", seconds=timeout) as deadline:
        return await keyboard.press(tab, "ControlOrMeta+V", deadline=deadline)
