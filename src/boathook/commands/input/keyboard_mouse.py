"""Low-level mouse and keyboard events, and the clipboard.

Keys and buttons stay pressed until they are released; the next high-level action, such as click, releases them first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from boathook.clock import Deadline
from boathook.effects import Effect, SideEffect
from boathook.engine.actions.input import keyboard, raw_input
from boathook.engine.actions.input.pointer import Button
from boathook.engine.actions.input.pointer_paths import LONGEST_MS
from boathook.engine.actions.input.raw_input import MOST_CLICKS, MOST_STEPS, MovementOptions
from boathook.engine.actions.perform import ACTION_SECONDS, Performed
from boathook.engine.elements.selector import point_target
from boathook.engine.page import clipboard
from boathook.engine.tab import Tab
from boathook.registry.parameters import AllowClipboard, Timeout
from boathook.registry.registry import Between, Doc, Duration, FreeText, command

if TYPE_CHECKING:
    from collections.abc import Mapping


def _target_of_move(arguments: Mapping[str, Any]) -> tuple[str, int | None]:
    return point_target(arguments["x"], arguments["y"]), None


@command(
    group="keyboard and mouse",
    effect=Effect.ACTS,
    target_of=_target_of_move,
    examples=("mouse move 120 80", "mouse move 120 80 --human --seed 7"),
)
async def mouse_move(
    tab: Tab,
    x: Annotated[float, Doc("CSS pixels from the left")],
    y: Annotated[float, Doc("CSS pixels from the top")],
    *,
    steps: Annotated[
        int | None, Doc("number of intermediate moves (default: one per frame)"), Between(1, MOST_STEPS)
    ] = None,
    duration: Annotated[float, Doc("duration in milliseconds"), Duration("ms"), Between(0, LONGEST_MS)] = 0.0,
    human: Annotated[bool, Doc("move along a human-like path")] = False,
    seed: Annotated[int | None, Doc("seed for a reproducible human-like path")] = None,
    timeout: Timeout = ACTION_SECONDS,
) -> Performed:
    """Move the mouse to a point in the viewport."""
    manner = MovementOptions(steps=steps, duration_ms=duration, human=human, seed=seed)
    async with tab.call("moving the mouse", seconds=timeout + duration / 1_000) as deadline:
        return await raw_input.mouse_move(tab, x, y, manner=manner, deadline=deadline)


@command(
    group="keyboard and mouse",
    effect=Effect.ACTS,
    acts_at_pointer=True,
    may_navigate=True,
    doing="pressing the {button} button",
    timeout=ACTION_SECONDS,
    examples=("mouse down", "mouse down right"),
)
async def mouse_down(
    tab: Tab,
    button: Annotated[Button, Doc("mouse button")] = "left",
    *,
    clicks: Annotated[
        int, Doc("click count: 2 for the second click of a double click"), Between(1, MOST_CLICKS)
    ] = 1,
    deadline: Deadline,
) -> Performed:
    """Press a mouse button at the current position; `clicks=2` makes it the second click of a double click."""
    return await raw_input.mouse_down(tab, button=button, clicks=clicks, deadline=deadline)


@command(
    group="keyboard and mouse",
    effect=Effect.ACTS,
    acts_at_pointer=True,
    may_navigate=True,
    doing="releasing the {button} button",
    timeout=ACTION_SECONDS,
    examples=("mouse up",),
)
async def mouse_up(
    tab: Tab,
    button: Annotated[Button, Doc("mouse button")] = "left",
    *,
    deadline: Deadline,
) -> Performed:
    """Release a mouse button."""
    return await raw_input.mouse_up(tab, button=button, deadline=deadline)


@command(
    group="keyboard and mouse",
    effect=Effect.ACTS,
    acts_at_pointer=True,
    doing="scrolling the wheel",
    timeout=ACTION_SECONDS,
    category="scroll",
    examples=("mouse wheel 400",),
)
async def mouse_wheel(
    tab: Tab,
    down: Annotated[float, Doc("pixels down; negative scrolls up")],
    right: Annotated[float, Doc("pixels to the right")] = 0,
    *,
    deadline: Deadline,
) -> Performed:
    """Scroll the mouse wheel at the current position, in pixels."""
    return await raw_input.mouse_wheel(tab, right, down, deadline=deadline)


@command(
    group="keyboard and mouse",
    effect=Effect.ACTS,
    may_navigate=True,
    aliases=("keydown",),
    doing="pressing {key}",
    timeout=ACTION_SECONDS,
    examples=("keydown Shift",),
)
async def key_down(tab: Tab, key: Annotated[str, Doc("the key")], *, deadline: Deadline) -> Performed:
    """Press a key and hold it down."""
    return await raw_input.key_down(tab, key, deadline=deadline)


@command(
    group="keyboard and mouse",
    effect=Effect.ACTS,
    may_navigate=True,
    aliases=("keyup",),
    doing="releasing {key}",
    timeout=ACTION_SECONDS,
    examples=("keyup Shift",),
)
async def key_up(tab: Tab, key: Annotated[str, Doc("the key")], *, deadline: Deadline) -> Performed:
    """Release a key."""
    return await raw_input.key_up(tab, key, deadline=deadline)


@command(
    secrets=("text",),
    group="keyboard and mouse",
    effect=Effect.ACTS,
    aliases=("keyboard inserttext",),
    doing="inserting text",
    timeout=ACTION_SECONDS,
    category="fill",
    types_into="focus",
    examples=("keyboard inserttext 'hello'",),
)
async def insert_text(
    tab: Tab, text: Annotated[str, Doc("the text to insert"), FreeText()], *, deadline: Deadline
) -> Performed:
    """Insert text at the focus without key events."""
    return await raw_input.insert_text(tab, text, deadline=deadline)


@command(
    group="keyboard and mouse",
    effect=Effect.ACTS,  # it pastes, and the page can see the keys
    doing="reading the clipboard",
    timeout=ACTION_SECONDS,
    side_effects=(SideEffect.REVEALS_SECRETS,),
    examples=("clipboard read",),
)
async def clipboard_read(tab: Tab, *, allow: AllowClipboard = False, deadline: Deadline) -> str:
    """Read the clipboard. Requires `allow` unless Boathook started the browser headless."""
    clipboard.require_allowed(own=tab.browser.own_clipboard, allow=allow)
    return await clipboard.read_clipboard(tab, deadline=deadline)


@command(
    secrets=("text",),
    group="keyboard and mouse",
    effect=Effect.CHANGES_BROWSER,
    doing="writing the clipboard",
    timeout=ACTION_SECONDS,
    examples=("clipboard write 'some text'",),
)
async def clipboard_write(
    tab: Tab,
    text: Annotated[str, Doc("the text to write"), FreeText()],
    *,
    allow: AllowClipboard = False,
    deadline: Deadline,
) -> None:
    """Write text to the clipboard, which all tabs of the browser share."""
    clipboard.require_allowed(own=tab.browser.own_clipboard, allow=allow)
    await clipboard.write_clipboard(tab, text, deadline=deadline)


@command(
    group="keyboard and mouse",
    effect=Effect.ACTS,
    aliases=("clipboard copy", "copy"),
    doing="copying",
    timeout=ACTION_SECONDS,
    examples=("copy",),
)
async def copy(tab: Tab, *, allow: AllowClipboard = False, deadline: Deadline) -> Performed:
    """Copy the selection with the keyboard shortcut."""
    clipboard.require_allowed(own=tab.browser.own_clipboard, allow=allow)
    return await keyboard.press(tab, "ControlOrMeta+C", deadline=deadline)


@command(
    group="keyboard and mouse",
    effect=Effect.ACTS,
    aliases=("clipboard paste", "paste"),
    doing="pasting",
    timeout=ACTION_SECONDS,
    examples=("paste",),
)
async def paste(tab: Tab, *, allow: AllowClipboard = False, deadline: Deadline) -> Performed:
    """Paste at the focus with the keyboard shortcut."""
    clipboard.require_allowed(own=tab.browser.own_clipboard, allow=allow)
    return await keyboard.press(tab, "ControlOrMeta+V", deadline=deadline)
