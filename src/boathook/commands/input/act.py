"""Actions on elements: mouse, fields, choices, scrolling; each returns what it did and what changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from boathook.clock import Deadline
from boathook.effects import Effect
from boathook.engine.actions import drag_drop, scroll_page, select_options
from boathook.engine.actions.drag_drop import Where
from boathook.engine.actions.input import keyboard, pointer
from boathook.engine.actions.input.pointer import MOST_CLICKS, Button
from boathook.engine.actions.perform import ACTION_SECONDS, Performed
from boathook.engine.actions.scroll_page import Scrolled
from boathook.engine.tab import Tab
from boathook.registry.parameters import Human, Nth, Target, presses_keys
from boathook.registry.registry import Between, Doc, Duration, ElementTarget, FreeText, command
from boathook.registry.script_helper import SELECTOR, ScriptHelper

MOST_DELAY = 10_000


@command(
    group="act",
    effect=Effect.ACTS,
    may_navigate=True,
    doing="clicking {target}",
    timeout=ACTION_SECONDS,
    category="click",
    script_helpers=(ScriptHelper("click", ("target",), gives="text"),),
    core=True,
    examples=("click @e2", "click 'text=Save' --count 2", "click @e2 --button right"),
)
async def click(
    tab: Tab,
    target: Target,
    *,
    button: Annotated[Button, Doc("mouse button")] = "left",
    count: Annotated[int, Doc("number of clicks"), Between(1, MOST_CLICKS)] = 1,
    modifiers: Annotated[Sequence[str], Doc("modifier keys: Shift, Control, Alt, Meta")] = (),
    offset: Annotated[
        tuple[float, float] | None, Doc("point relative to the element's top left corner, in pixels")
    ] = None,
    new_tab: Annotated[bool, Doc("open the link in a new tab (Control+click)")] = False,
    human: Human = False,
    nth: Nth = None,
    deadline: Deadline,
) -> Performed:
    """Click an element and wait for the page to settle."""
    if new_tab:
        modifiers = (*modifiers, "Control")
    return await pointer.click(
        tab,
        target,
        button=button,
        count=count,
        modifiers=modifiers,
        offset=offset,
        nth=nth,
        human=human,
        deadline=deadline,
    )


@command(
    group="act",
    effect=Effect.ACTS,
    doing="hovering over {target}",
    timeout=ACTION_SECONDS,
    script_helpers=(ScriptHelper("hover", ("target",), gives="text"),),
    examples=("hover @e4",),
)
async def hover(tab: Tab, target: Target, *, nth: Nth = None, deadline: Deadline) -> Performed:
    """Move the mouse over an element."""
    return await pointer.hover(tab, target, nth=nth, deadline=deadline)


@command(
    group="act",
    effect=Effect.ACTS,
    doing="focusing {target}",
    timeout=ACTION_SECONDS,
    script_helpers=(ScriptHelper("focus", ("target",), gives="text"),),
    examples=("focus @e4",),
)
async def focus(tab: Tab, target: Target, *, nth: Nth = None, deadline: Deadline) -> Performed:
    """Focus an element without clicking it."""
    return await keyboard.focus(tab, target, nth=nth, deadline=deadline)


@command(
    group="act",
    effect=Effect.ACTS,
    may_navigate=True,
    doing="tapping {target}",
    timeout=ACTION_SECONDS,
    category="click",
    examples=("tap @e4",),
)
async def tap(tab: Tab, target: Target, *, nth: Nth = None, deadline: Deadline) -> Performed:
    """Tap an element (touch)."""
    return await pointer.tap(tab, target, nth=nth, deadline=deadline)


@command(
    group="act",
    effect=Effect.ACTS,
    may_navigate=True,
    doing="dragging {source}",
    timeout=ACTION_SECONDS,
    script_helpers=(
        ScriptHelper(
            "drag",
            ("source", "target"),
            also={"from": "source", "to": "target"},
            gives="text",
            element="source",
        ),
    ),
    examples=("drag @e3 @e7", "drag @e3 @e7 --where before", "drag @e3 --offset 40,0"),
)
async def drag(
    tab: Tab,
    source: Annotated[str, Doc("the element to drag"), ElementTarget()],
    target: Annotated[str | None, Doc("the element to drop it on"), ElementTarget()] = None,
    *,
    where: Annotated[Where, Doc("drop position relative to the target")] = "onto",
    offset: Annotated[tuple[float, float] | None, Doc("pixels right and down, instead of a target")] = None,
    human: Human = False,
    deadline: Deadline,
) -> Performed:
    """Drag an element onto, before or after another element, or by a pixel offset."""
    return await drag_drop.drag(
        tab, source, target, where=where, offset=offset, human=human, deadline=deadline
    )


@command(
    secrets=("value",),
    group="act",
    effect=Effect.ACTS,
    may_navigate=True,
    doing="filling {target}",
    timeout=ACTION_SECONDS,
    category="fill",
    types_into="target",
    script_helpers=(ScriptHelper("fill", ("target", "value"), gives="text"),),
    core=True,
    examples=("fill @e5 'ann@example.org'", "fill @e7 2026-03-14", "fill 'label=Password' env:PASSWORD"),
)
async def fill(
    tab: Tab,
    target: Target,
    value: Annotated[str, Doc("the text to enter"), FreeText()],
    *,
    nth: Nth = None,
    deadline: Deadline,
) -> Performed:
    """Replace the value of a field. The new value is verified.

    Dates, times and ranges are given as ISO text, for native fields, pickers and calendars: `2026-03-14`, `09:30`,
    `2026-03-14T09:30`, `2026-03-14/2026-03-20`. Sliders take a number; a cell of a grid is edited.
    """
    return await keyboard.fill(tab, target, value, nth=nth, deadline=deadline)


@command(
    group="act",
    effect=Effect.ACTS,
    doing="clearing {target}",
    timeout=ACTION_SECONDS,
    category="fill",
    script_helpers=(ScriptHelper("clear", ("target",), gives="text"),),
    examples=("clear @e5",),
)
async def clear(tab: Tab, target: Target, *, nth: Nth = None, deadline: Deadline) -> Performed:
    """Clear a field."""
    return await keyboard.fill(tab, target, "", nth=nth, deadline=deadline)


@command(
    secrets=("text",),
    group="act",
    effect=Effect.ACTS,
    may_navigate=True,
    doing="typing into {target}",
    timeout=ACTION_SECONDS,
    category="fill",
    side_effects_when=presses_keys,
    types_into="target",
    script_helpers=(ScriptHelper("type", ("target", "text"), gives="text"),),
    core=True,
    examples=("type @e5 'hello'",),
)
async def type(
    tab: Tab,
    target: Target,
    text: Annotated[str, Doc("the text to type"), FreeText()],
    *,
    clear: Annotated[bool, Doc("clear the field first")] = False,
    delay: Annotated[float, Doc("milliseconds between keys"), Duration("ms"), Between(0, MOST_DELAY)] = 0,
    nth: Nth = None,
    deadline: Deadline,
) -> Performed:
    """Type text key by key at the end of a field. A newline presses Enter."""
    if clear:
        await keyboard.fill(tab, target, "", nth=nth, deadline=deadline)
    pause = delay / 1_000
    return await keyboard.type_text(tab, target, text, pause=pause, nth=nth, deadline=deadline)


@command(
    group="act",
    effect=Effect.ACTS,
    may_navigate=True,
    aliases=("press", "key"),
    doing="pressing {key}",
    timeout=ACTION_SECONDS,
    script_helpers=(ScriptHelper("press", ("key",), also=SELECTOR, gives="text", element="target"),),
    core=True,
    examples=("press Enter", "press Control+A @e5", "press ArrowDown --repeat 5"),
)
async def press(
    tab: Tab,
    key: Annotated[str, Doc("key or chord, such as Control+A")],
    target: Annotated[str | None, Doc("element to focus first"), ElementTarget()] = None,
    *,
    repeat: Annotated[int, Doc("how often to press it"), Between(1, 100)] = 1,
    nth: Nth = None,
    deadline: Deadline,
) -> Performed:
    """Press a key or chord such as `Control+A`, on an element or the focused one."""
    return await keyboard.press(tab, key, target, repeat=repeat, nth=nth, deadline=deadline)


@command(
    group="act",
    effect=Effect.ACTS,
    may_navigate=True,
    doing="selecting in {target}",
    timeout=ACTION_SECONDS,
    category="fill",
    script_helpers=(ScriptHelper("select", ("target",), rest="wanted", gives="selection"),),
    core=True,
    examples=("select @e6 Blue", "select @e6 '#0' '#2'"),
)
async def select(
    tab: Tab,
    target: Target,
    *wanted: Annotated[str, Doc("options by value, by label, or by index such as #0")],
    nth: Nth = None,
    deadline: Deadline,
) -> Performed:
    """Select options by value, label or index (`#0`), in native selects and custom listboxes."""
    return await select_options.select(tab, target, wanted, nth=nth, deadline=deadline)


@command(
    group="act",
    effect=Effect.ACTS,
    may_navigate=True,
    doing="checking {target}",
    timeout=ACTION_SECONDS,
    category="fill",
    script_helpers=(ScriptHelper("check", ("target",), gives="text"),),
    examples=("check @e8",),
)
async def check(tab: Tab, target: Target, *, nth: Nth = None, deadline: Deadline) -> Performed:
    """Check a checkbox, radio button or switch."""
    return await select_options.set_checked(tab, target, checked=True, nth=nth, deadline=deadline)


@command(
    group="act",
    effect=Effect.ACTS,
    may_navigate=True,
    doing="unchecking {target}",
    timeout=ACTION_SECONDS,
    category="fill",
    script_helpers=(ScriptHelper("uncheck", ("target",), gives="text"),),
    examples=("uncheck @e8",),
)
async def uncheck(tab: Tab, target: Target, *, nth: Nth = None, deadline: Deadline) -> Performed:
    """Uncheck a checkbox or switch."""
    return await select_options.set_checked(tab, target, checked=False, nth=nth, deadline=deadline)


@command(
    group="act",
    effect=Effect.ACTS,
    doing="scrolling",
    timeout=ACTION_SECONDS,
    category="scroll",
    script_helpers=(ScriptHelper("scroll", ("right", "down"), gives="data"),),
    examples=("scroll --down 600", "scroll --down 0.9 --target @e9"),
)
async def scroll(
    tab: Tab,
    *,
    down: Annotated[float, Doc("pixels, or a fraction of the viewport between -1 and 1")] = 0,
    right: Annotated[float, Doc("pixels, or a fraction of the viewport between -1 and 1")] = 0,
    target: Annotated[str | None, Doc("an element inside the scroll container"), ElementTarget()] = None,
    deadline: Deadline,
) -> Scrolled:
    """Scroll the page, or the container of `target`, by pixels or by a fraction between -1 and 1."""
    return await scroll_page.scroll(tab, down=down, right=right, target=target, deadline=deadline)


@command(
    group="act",
    effect=Effect.ACTS,
    aliases=("scrollintoview", "scrollinto"),
    doing="scrolling to {target}",
    timeout=ACTION_SECONDS,
    category="scroll",
    script_helpers=(ScriptHelper("scroll_into_view", ("target",), gives="text"),),
    examples=("scrollintoview @e9",),
)
async def scroll_to(tab: Tab, target: Target, *, deadline: Deadline) -> None:
    """Scroll an element into view."""
    await scroll_page.scroll_to(tab, target, deadline=deadline)
