"""Acting on elements: mouse, fields, choices, scrolling; each action says what it did and what changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from boathook.engine.actions import drag_drop, scroll_page, select_options
from boathook.engine.actions.drag_drop import Where
from boathook.engine.actions.input import keyboard, pointer
from boathook.engine.actions.input.pointer import MOST_CLICKS, Button
from boathook.engine.actions.perform import ACTION_SECONDS, Performed
from boathook.engine.actions.scroll_page import Scrolled
from boathook.engine.tab import Tab
from boathook.registry.parameters import Human, Nth, Target, Timeout
from boathook.registry.registry import Between, Doc, Effect, command

MOST_DELAY = 10_000


@command(
    group="act",
    effect=Effect.ACTS,
    checks_refs=True,
    may_navigate=True,
    examples=("click @e2", "click 'text=Save' --count 2", "click @e2 --button right"),
)
async def click(
    tab: Tab,
    target: Target,
    *,
    button: Annotated[Button, Doc("mouse button")] = "left",
    count: Annotated[int, Doc("number of clicks"), Between(1, MOST_CLICKS)] = 1,
    modifiers: Annotated[Sequence[str], Doc("keys held meanwhile: Shift, Control, Alt, Meta")] = (),
    offset: Annotated[
        tuple[float, float] | None, Doc("a point from the element's upper left corner, in pixels")
    ] = None,
    new_tab: Annotated[bool, Doc("open a link in a new tab, as people do with Control held")] = False,
    human: Human = False,
    nth: Nth = None,
    timeout: Timeout = ACTION_SECONDS,
) -> Performed:
    """Click an element and wait until the page settles."""
    if new_tab:
        modifiers = (*modifiers, "Control")
    async with tab.call(f"clicking {target}", seconds=timeout) as deadline:
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


@command(group="act", effect=Effect.ACTS, checks_refs=True, examples=("hover @e4",))
async def hover(tab: Tab, target: Target, *, nth: Nth = None, timeout: Timeout = ACTION_SECONDS) -> Performed:
    """Move the mouse over an element."""
    async with tab.call(f"hovering over {target}", seconds=timeout) as deadline:
        return await pointer.hover(tab, target, nth=nth, deadline=deadline)


@command(group="act", effect=Effect.ACTS, checks_refs=True, examples=("focus @e4",))
async def focus(tab: Tab, target: Target, *, nth: Nth = None, timeout: Timeout = ACTION_SECONDS) -> Performed:
    """Give an element the focus, without pressing it."""
    async with tab.call(f"focusing {target}", seconds=timeout) as deadline:
        return await keyboard.focus(tab, target, nth=nth, deadline=deadline)


@command(group="act", effect=Effect.ACTS, checks_refs=True, may_navigate=True, examples=("tap @e4",))
async def tap(tab: Tab, target: Target, *, nth: Nth = None, timeout: Timeout = ACTION_SECONDS) -> Performed:
    """Tap an element with a finger."""
    async with tab.call(f"tapping {target}", seconds=timeout) as deadline:
        return await pointer.tap(tab, target, nth=nth, deadline=deadline)


@command(
    group="act",
    effect=Effect.ACTS,
    checks_refs=True,
    may_navigate=True,
    examples=("drag @e3 @e7", "drag @e3 @e7 --where before", "drag @e3 --offset 40,0"),
)
async def drag(
    tab: Tab,
    source: Annotated[str, Doc("the element to drag")],
    target: Annotated[str | None, Doc("the element to drop it at")] = None,
    *,
    where: Annotated[Where, Doc("where to let go")] = "onto",
    offset: Annotated[
        tuple[float, float] | None, Doc("pixels to the right and down, without a target")
    ] = None,
    human: Human = False,
    timeout: Timeout = ACTION_SECONDS,
) -> Performed:
    """Drag an element onto, before or after another one, or by an offset in pixels."""
    async with tab.call(f"dragging {source}", seconds=timeout) as deadline:
        return await drag_drop.drag(
            tab, source, target, where=where, offset=offset, human=human, deadline=deadline
        )


@command(
    secrets=("value",),
    group="act",
    effect=Effect.ACTS,
    checks_refs=True,
    may_navigate=True,
    examples=("fill @e5 'ann@example.org'", "fill 'label=Password' env:PASSWORD"),
)
async def fill(
    tab: Tab,
    target: Target,
    value: Annotated[str, Doc("what the field shall hold")],
    *,
    nth: Nth = None,
    timeout: Timeout = ACTION_SECONDS,
) -> Performed:
    """Replace what a field holds; the value is read back."""
    async with tab.call(f"filling {target}", seconds=timeout) as deadline:
        return await keyboard.fill(tab, target, value, nth=nth, deadline=deadline)


@command(group="act", effect=Effect.ACTS, checks_refs=True, examples=("clear @e5",))
async def clear(tab: Tab, target: Target, *, nth: Nth = None, timeout: Timeout = ACTION_SECONDS) -> Performed:
    """Empty a field."""
    return await fill(tab, target, "", nth=nth, timeout=timeout)


@command(
    secrets=("text",),
    group="act",
    effect=Effect.ACTS,
    checks_refs=True,
    may_navigate=True,
    examples=("type @e5 'hello'",),
)
async def type(
    tab: Tab,
    target: Target,
    text: Annotated[str, Doc("what to type")],
    *,
    clear: Annotated[bool, Doc("empty the field first")] = False,
    delay: Annotated[float, Doc("milliseconds between keys"), Between(0, MOST_DELAY)] = 0,
    nth: Nth = None,
    timeout: Timeout = ACTION_SECONDS,
) -> Performed:
    """Type key by key at the end of a field; a newline presses Enter."""
    async with tab.call(f"typing into {target}", seconds=timeout) as deadline:
        if clear:
            await keyboard.fill(tab, target, "", nth=nth, deadline=deadline)
        pause = delay / 1_000
        return await keyboard.type_text(tab, target, text, pause=pause, nth=nth, deadline=deadline)


@command(
    group="act",
    effect=Effect.ACTS,
    checks_refs=True,
    may_navigate=True,
    words=("press", "key"),
    examples=("press Enter", "press Control+A @e5"),
)
async def press(
    tab: Tab,
    key: Annotated[str, Doc("a key, or a chord such as Control+A")],
    target: Annotated[str | None, Doc("the element that gets the focus first")] = None,
    *,
    nth: Nth = None,
    timeout: Timeout = ACTION_SECONDS,
) -> Performed:
    """Press a key or a chord such as `Control+A`, on an element or wherever the focus is."""
    async with tab.call(f"pressing {key}", seconds=timeout) as deadline:
        return await keyboard.press(tab, key, target, nth=nth, deadline=deadline)


@command(
    group="act",
    effect=Effect.ACTS,
    checks_refs=True,
    may_navigate=True,
    examples=("select @e6 Blue", "select @e6 '#0' '#2'"),
)
async def select(
    tab: Tab,
    target: Target,
    *wanted: Annotated[str, Doc("options by value, by label, or by index such as #0")],
    nth: Nth = None,
    timeout: Timeout = ACTION_SECONDS,
) -> Performed:
    """Choose options by value, label or index (`#0`), also in listboxes made of other elements."""
    async with tab.call(f"selecting in {target}", seconds=timeout) as deadline:
        return await select_options.select(tab, target, wanted, nth=nth, deadline=deadline)


@command(group="act", effect=Effect.ACTS, checks_refs=True, may_navigate=True, examples=("check @e8",))
async def check(tab: Tab, target: Target, *, nth: Nth = None, timeout: Timeout = ACTION_SECONDS) -> Performed:
    """Make sure that a checkbox, radio button or switch is on."""
    async with tab.call(f"checking {target}", seconds=timeout) as deadline:
        return await select_options.set_checked(tab, target, checked=True, nth=nth, deadline=deadline)


@command(group="act", effect=Effect.ACTS, checks_refs=True, may_navigate=True, examples=("uncheck @e8",))
async def uncheck(
    tab: Tab, target: Target, *, nth: Nth = None, timeout: Timeout = ACTION_SECONDS
) -> Performed:
    """Make sure that a checkbox or switch is off."""
    async with tab.call(f"unchecking {target}", seconds=timeout) as deadline:
        return await select_options.set_checked(tab, target, checked=False, nth=nth, deadline=deadline)


@command(
    group="act",
    effect=Effect.ACTS,
    checks_refs=True,
    examples=("scroll --down 600", "scroll --down 0.9 --target @e9"),
)
async def scroll(
    tab: Tab,
    *,
    down: Annotated[float, Doc("pixels, or a share of what is in view between -1 and 1")] = 0,
    right: Annotated[float, Doc("pixels, or a share of what is in view between -1 and 1")] = 0,
    target: Annotated[str | None, Doc("an element in what is to be scrolled")] = None,
    timeout: Timeout = ACTION_SECONDS,
) -> Scrolled:
    """Scroll the page, or the scroller around `target`, by pixels or by a share between -1 and 1."""
    async with tab.call("scrolling", seconds=timeout) as deadline:
        return await scroll_page.scroll(tab, down=down, right=right, target=target, deadline=deadline)


@command(
    group="act",
    effect=Effect.ACTS,
    checks_refs=True,
    words=("scrollintoview", "scrollinto"),
    examples=("scrollintoview @e9",),
)
async def scroll_to(tab: Tab, target: Target, *, timeout: Timeout = ACTION_SECONDS) -> None:
    """Bring an element into view."""
    async with tab.call(f"scrolling to {target}", seconds=timeout) as deadline:
        await scroll_page.scroll_to(tab, target, deadline=deadline)
