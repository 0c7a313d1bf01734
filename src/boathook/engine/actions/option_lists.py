"""Choosing from lists that are made of other elements than select: open, search or scroll, click, read back, close."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from boathook.engine.actions.input.pointer import press_at
from boathook.engine.actions.input.widgets.ask_widget import next_frame
from boathook.engine.actions.keys import find_key, key_events
from boathook.engine.actions.other_actions import suitable_action
from boathook.engine.actions.prepare import SHARE_FOR_CHECKS
from boathook.engine.page.page_call import ask, to_javascript
from boathook.errors import NotEditable, OptionNotFound, ValueNotTaken
from boathook.similar_words import did_you_mean

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.actions.prepare import ActionPoint
    from boathook.engine.tab import Tab

OPTIONS_SECONDS = 2.0
"""How long a list may take to show its options after it was clicked, or after it was searched."""
MOST_OPTIONS = 30
MOST_COMPARED = 500
"""Of an error's options: for programs that look for a similar one."""
LONGEST_OPTION = 200
MOST_SCROLLS = 200
FRAMES_STILL = 3
"""For so many frames: an animation that has just begun stands still at first."""
FRAMES_MOVING = 60
"""How many frames an option may move before it is clicked anyway."""
WITH_OPTIONS = frozenset({"combobox", "listbox", "button", "searchbox"})
"""Roles of fields that may open a list of options."""
SEARCHED = frozenset({"text"})


async def choose_from_list(tab: Tab, spot: ActionPoint, wanted: list[str], deadline: Deadline) -> list[str]:
    """Open the list of a control, click the options, read the selection and leave the list closed."""
    before = await _ask(tab, spot, "rememberLists", to_javascript(wanted))
    what = f"{spot.role} {spot.name!r} {spot.element.ref}"
    if spot.kind and spot.role not in WITH_OPTIONS and not before["mayOpen"]:
        raise NotEditable(f"{what} has no options", hint=suitable_action(spot))
    picked: list[str] = []
    opened = False
    for option in wanted:
        reply, pressed = await _find(tab, spot, option, deadline)
        opened = opened or pressed
        for point in reply["points"]:
            await press_at(tab, *await _on_screen(tab, spot, point))
        picked += reply["picked"]
    if opened:
        await _confirm(tab, spot)
    final = await _ask(tab, spot, "listedSelection", to_javascript(picked))
    selected = list(final.get("selected") or ())
    if opened and (await _ask(tab, spot, "listIsOpen"))["open"]:
        await _strike(spot, "Escape")
    if opened:
        await _close_dialog(tab, spot)
    lowered = ", ".join(selected).lower()
    if not all(name.lower() in lowered for name in picked):
        shown = f"shows {', '.join(selected)!r}" if selected else "shows no selection"
        raise ValueNotTaken(f"{what} {shown} instead of {', '.join(picked)!r}")
    return selected


async def _confirm(tab: Tab, spot: ActionPoint) -> None:
    """Press the button that takes over what was chosen, if the options stand in a dialog that has one."""
    dialog = await _ask(tab, spot, "ownDialog")
    if "point" in dialog:
        await press_at(tab, *await _on_screen(tab, spot, dialog["point"]))


async def _close_dialog(tab: Tab, spot: ActionPoint) -> None:
    """A dialog of options closes by itself after the choice, or else with Escape."""
    for _ in range(FRAMES_MOVING):
        if not (await _ask(tab, spot, "ownDialog"))["open"]:
            return
        await next_frame(spot)
    await _strike(spot, "Escape")


async def _find(tab: Tab, spot: ActionPoint, option: str, deadline: Deadline) -> tuple[dict[str, Any], bool]:
    """Where the option is, and whether the list had to be opened."""
    reply = await _listed(tab, spot, option)
    if "points" in reply:
        return await _at_rest(tab, spot, option, reply), False
    if reply["options"] and not reply.get("scrolls"):
        raise _missing(spot, reply)
    opened = not reply["options"]
    if opened:
        await press_at(tab, *await _on_screen(tab, spot, await _ask(tab, spot, "pointTo")))
        reply = await _until_listed(tab, spot, option, deadline)
    if "points" not in reply and reply.get("scrolls"):
        reply = await _scrolled(tab, spot, option, reply, deadline)
    if "points" not in reply and spot.kind in SEARCHED:
        reply = await _searched(tab, spot, option, reply, deadline)
    if "points" in reply:
        return await _at_rest(tab, spot, option, reply), opened
    if opened and reply["options"]:
        await _strike(spot, "Escape")
    raise _missing(spot, reply)


async def _at_rest(tab: Tab, spot: ActionPoint, option: str, reply: dict[str, Any]) -> dict[str, Any]:
    """The option once it stands still and takes the pointer: lists move while they open, and may ignore it."""
    still = 0
    for _ in range(FRAMES_MOVING):
        after = await _listed(tab, spot, option, wait=True)
        if "points" not in after:
            return reply
        at_rest = after["inReach"] and after["points"] == reply["points"]
        still = still + 1 if at_rest else 0
        reply = after
        if still == FRAMES_STILL:
            break
    return reply


async def _until_listed(tab: Tab, spot: ActionPoint, option: str, deadline: Deadline) -> dict[str, Any]:
    """Wait until the list shows options, or the option itself."""
    patience = deadline.shorten(min(OPTIONS_SECONDS, SHARE_FOR_CHECKS * deadline.remaining()))
    reply = await _listed(tab, spot, option)
    while not (reply["options"] or reply.get("scrolls") or "points" in reply) and patience.remaining() > 0:
        reply = await _listed(tab, spot, option, wait=True)
    # Some lists are filled while they open: what is missing in the first frame may be there in the next ones.
    for _ in range(10):
        if "points" in reply or patience.remaining() == 0:
            break
        reply = await _listed(tab, spot, option, wait=True)
    return reply


async def _scrolled(
    tab: Tab, spot: ActionPoint, option: str, reply: dict[str, Any], deadline: Deadline
) -> dict[str, Any]:
    """Scroll a list that has only a part of its options in the document."""
    patience = deadline.shorten(SHARE_FOR_CHECKS * deadline.remaining())
    options = list(reply["options"])
    for _ in range(MOST_SCROLLS):
        if patience.remaining() == 0 or not (await _ask(tab, spot, "scrollOptions"))["moved"]:
            break
        reply = await _listed(tab, spot, option, wait=True)
        if "points" in reply:
            return reply
        options += [name for name in reply["options"] if name not in options]
    return {**reply, "options": options}


async def _searched(
    tab: Tab, spot: ActionPoint, option: str, reply: dict[str, Any], deadline: Deadline
) -> dict[str, Any]:
    """Type the option into a field that filters its list; what was typed is removed if that did not help."""
    await _ask(tab, spot, "focusEnd")
    session = spot.element.frame.session
    await session.send("Input.insertText", text=option)
    found = await _until_listed(tab, spot, option, deadline)
    if "points" in found:
        return found
    await _ask(tab, spot, "focusEnd")
    for _ in option:
        await _strike(spot, "Backspace")
    return {**found, "options": reply["options"] or found["options"]}


async def _strike(spot: ActionPoint, key: str) -> None:
    session = spot.element.frame.session
    events = key_events([], find_key(key))
    await asyncio.gather(*(session.post("Input.dispatchKeyEvent", **event) for event in events))


def _missing(spot: ActionPoint, reply: dict[str, Any]) -> Exception:
    what = f"{spot.role} {spot.name!r} {spot.element.ref}"
    if not reply["options"]:
        return NotEditable(f"{what} showed no options", hint=suitable_action(spot))
    return no_such_option(what, reply["missing"], reply["options"][:MOST_OPTIONS])


def no_such_option(what: str, missing: str, options: list[str]) -> OptionNotFound:
    """The error for an option that a field does not have."""
    shown = [option if len(option) <= LONGEST_OPTION else f"{option[:LONGEST_OPTION]}…" for option in options]
    more = f" and {len(shown) - MOST_OPTIONS} more" if len(shown) > MOST_OPTIONS else ""
    return OptionNotFound(
        f"{what} has no option {missing!r}; available options: {', '.join(shown[:MOST_OPTIONS])}{more}",
        hint=did_you_mean(missing, shown) or None,
        options=shown[:MOST_COMPARED],
    )


async def _listed(tab: Tab, spot: ActionPoint, option: str, *, wait: bool = False) -> dict[str, Any]:
    return await _ask(tab, spot, "listed", to_javascript([option]), to_javascript(wait))


async def _ask(tab: Tab, spot: ActionPoint, function: str, *arguments: str) -> dict[str, Any]:
    """Call a function of the page script with the control and more arguments."""
    given = ", ".join((str(spot.element.local_id), *arguments))
    return await ask(tab, spot.element, f"__boathook.{function}({given})")


async def _on_screen(tab: Tab, spot: ActionPoint, point: dict[str, Any]) -> tuple[float, float]:
    x_off, y_off = await tab.frames.offset_of(spot.element.frame)
    return float(point["x"]) + x_off, float(point["y"]) + y_off
