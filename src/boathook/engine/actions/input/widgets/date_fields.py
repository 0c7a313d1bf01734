"""Filling date fields with ISO text: native ones, fields of sections, formatted text, and calendars that are clicked."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from boathook.engine.actions.input.widgets.ask_widget import (
    ask_widget,
    confirm,
    named,
    next_frame,
    press_part,
    strike,
)
from boathook.engine.actions.input.widgets.calendars import choose_day, shown_months
from boathook.engine.actions.input.widgets.iso_dates import parse_iso
from boathook.engine.actions.prepare import SHARE_FOR_CHECKS
from boathook.engine.page.page_call import ask, to_javascript
from boathook.errors import NotEditable, ValueNotTaken
from boathook.redaction.secret import reveal_value

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.actions.input.widgets.iso_dates import IsoMoment
    from boathook.engine.actions.prepare import ActionPoint
    from boathook.engine.tab import Tab

SCRIPT = "date_fields"
OPENING_SECONDS = 1.5
"""How long a calendar may take to open."""
FRAMES_TO_SHOW = 30
"""How many frames a field may take to show what was chosen."""
NOON = 12
_LONG = ("YYYY-MM-DD HH:mm:ss", "YYYY-MM-DD HH:mm")


async def fill_date(tab: Tab, spot: ActionPoint, value: str, deadline: Deadline) -> str | None:
    """Fill a date field with ISO text, and return what it holds; None if the element is another kind of field."""
    moments = parse_iso(value)
    if not moments:
        return None
    facts = await ask_widget(tab, spot, SCRIPT, "describe")
    held = None
    if facts.get("form") == "native" and len(moments) == 1:
        held = await _assign(tab, spot, moments[0], facts)
    elif facts.get("form") == "sections":
        held = await _fill_sections(tab, spot, moments, facts["parts"])
    elif facts.get("form") == "text" and spot.focused["kind"] == "text":
        held = await _fill_text(tab, spot, moments, facts, deadline)
    if held is None and facts.get("readonly"):
        raise NotEditable(f"{named(spot)} is read-only, and opens no calendar", kind=spot.focused["kind"])
    if held is not None:
        await confirm(tab, spot)
    return held


async def _assign(tab: Tab, spot: ActionPoint, moment: IsoMoment, facts: dict[str, Any]) -> str:
    """Native fields take a whole value; the browser itself decides whether it is one."""
    wanted = moment.as_native(facts["type"])
    reply = await ask(
        tab,
        spot.element,
        f"({{ value: __boathook.assign({spot.element.local_id}, {to_javascript(wanted)}) }})",
    )
    shown = str(reveal_value(reply.get("value")) or "")
    if shown and (shown == wanted or shown.startswith(wanted) or wanted.startswith(shown)):
        return shown
    raise ValueNotTaken(
        f"{named(spot)} shows {shown!r} instead of {wanted!r}",
        hint=f"it takes a value of type {facts['type']}, such as {_EXAMPLES[facts['type']]}",
        ref=str(spot.element.ref),
    )


_EXAMPLES = {
    "date": "2026-03-14",
    "time": "09:30",
    "month": "2026-03",
    "week": "2026-W11",
    "datetime-local": "2026-03-14T09:30",
}


async def _fill_sections(
    tab: Tab, spot: ActionPoint, moments: tuple[IsoMoment, ...], parts: list[str]
) -> str:
    """Type the digits of each part into its section."""
    wanted: list[tuple[int, str, int | str]] = []
    seen: dict[str, int] = {}
    for number, part in enumerate(parts):
        moment = moments[min(seen.get(part, 0), len(moments) - 1)]
        seen[part] = seen.get(part, 0) + 1
        given = _part(moment, part, halves="meridiem" in parts)
        if given is not None:
            wanted.append((number, part, given))
    # Days come last: until the month is known, some fields do not take 30 or 31.
    for number, part, given in sorted(wanted, key=lambda row: row[1] == "day"):
        await ask_widget(tab, spot, SCRIPT, "focusPart", number)
        text = f"{given:04}" if part == "year" else f"{given:02}" if isinstance(given, int) else given[0]
        for char in text:
            await strike(spot, char)
        await next_frame(spot)
    held: list[int | str | None] = []
    for _ in range(FRAMES_TO_SHOW):
        held = (await ask_widget(tab, spot, SCRIPT, "parts"))["held"]
        if all(held[number] == given for number, _, given in wanted):
            return "/".join(map(str, moments))
        await next_frame(spot)
    raise ValueNotTaken(
        f"{named(spot)} holds {', '.join(f'{parts[at]} {held[at]}' for at, _, _ in wanted)} instead of what was filled in",
        ref=str(spot.element.ref),
    )


def _part(moment: IsoMoment, part: str, *, halves: bool) -> int | str | None:
    if part == "meridiem":
        return None if moment.hour is None else "am" if moment.hour < NOON else "pm"
    if part == "hour" and moment.hour is not None and halves:
        return moment.hour % NOON or NOON
    if part == "second" and moment.hour is not None:
        return moment.second or 0
    given: int | None = getattr(moment, part, None)
    return given


async def _fill_text(
    tab: Tab,
    spot: ActionPoint,
    moments: tuple[IsoMoment, ...],
    facts: dict[str, Any],
    deadline: Deadline,
) -> str | None:
    """A text field with a format is typed into; one with a calendar has its days pressed."""
    months = await shown_months(tab, spot)
    if not months and facts["format"] and not facts["readonly"] and len(moments) == 1:
        text = await _formatted(tab, spot, facts["format"], moments[0])
        if (held := await _type_text(tab, spot, text, moments)) is not None:
            return held
    if not months and not facts["likely"]:
        return None
    if not months:
        months = await _open(tab, spot, moments, deadline)
    dates = [moment for moment in moments if moment.day is not None]
    timed = [moment for moment in moments if moment.hour is not None]
    if months and dates:
        for moment in dates:
            await choose_day(tab, spot, moment, deadline)
    elif dates:
        return None
    for moment in timed:
        await _set_time(tab, spot, moment, moments)
    return await _finished(tab, spot, moments)


async def _open(
    tab: Tab, spot: ActionPoint, moments: tuple[IsoMoment, ...], deadline: Deadline
) -> list[tuple[int, int]]:
    """Press the field, and then the button beside it, until a calendar is there."""
    patience = deadline.shorten(min(OPENING_SECONDS, SHARE_FOR_CHECKS * deadline.remaining()))
    if not await press_part(tab, spot, SCRIPT, "field"):
        return []
    if moments[0].day is None:
        return []
    if months := await shown_months(tab, spot, patience):
        return months
    if await press_part(tab, spot, SCRIPT, "opener"):
        return await shown_months(tab, spot, deadline.shorten(OPENING_SECONDS))
    return []


async def _set_time(tab: Tab, spot: ActionPoint, moment: IsoMoment, moments: tuple[IsoMoment, ...]) -> None:
    """Fill the inputs of a clock, if there are some, and otherwise the text of the field."""
    clock = await ask_widget(tab, spot, SCRIPT, "clock")
    session = spot.element.frame.session
    for number, part in enumerate(clock["parts"]):
        given = _part(moment, part, halves=bool(clock["half"]))
        if given is None:
            continue
        await ask_widget(tab, spot, SCRIPT, "focusClock", number)
        await session.send("Input.insertText", text=f"{given:02}")
    if clock["parts"]:
        await ask_widget(tab, spot, SCRIPT, "selectField")
        half = (await ask_widget(tab, spot, SCRIPT, "clock"))["half"]
        if half and half != _part(moment, "meridiem", halves=True):
            await press_part(tab, spot, SCRIPT, "half")
        return
    forms = [form if moment.day else form.partition(" ")[2] for form in _LONG]
    for form in forms:
        if await _type_text(tab, spot, await _formatted(tab, spot, form, moment), moments) is not None:
            await next_frame(spot)
            if (await ask_widget(tab, spot, SCRIPT, "confirmer")).get("point"):
                return


async def _formatted(tab: Tab, spot: ActionPoint, form: str, moment: IsoMoment) -> str:
    reply = await ask_widget(tab, spot, SCRIPT, "format", {"format": form, "moment": asdict(moment)})
    return str(reply["text"])


async def _type_text(tab: Tab, spot: ActionPoint, text: str, moments: tuple[IsoMoment, ...]) -> str | None:
    await ask_widget(tab, spot, SCRIPT, "selectField")
    await spot.element.frame.session.send("Input.insertText", text=text)
    return await _shown(tab, spot, moments)


async def _finished(tab: Tab, spot: ActionPoint, moments: tuple[IsoMoment, ...]) -> str:
    """Confirm the choice, read the field, and leave the calendar closed."""
    await press_part(tab, spot, SCRIPT, "confirmer")
    held = await _shown(tab, spot, moments)
    is_open = await shown_months(tab, spot) or (await ask_widget(tab, spot, SCRIPT, "clock"))["parts"]
    # In a dialog, Escape may close that too.
    if is_open and not (await ask_widget(tab, spot, SCRIPT, "inDialog"))["inside"]:
        await strike(spot, "Escape")
        held = await _shown(tab, spot, moments)
    if held is not None:
        return held
    reply = await ask_widget(tab, spot, SCRIPT, "shows", _as_details(moments))
    raise ValueNotTaken(
        f"{named(spot)} shows {reply['text']!r} instead of {'/'.join(map(str, moments))!r}",
        ref=str(spot.element.ref),
    )


async def _shown(tab: Tab, spot: ActionPoint, moments: tuple[IsoMoment, ...]) -> str | None:
    """What the field shows once that names the wanted moments."""
    for _ in range(FRAMES_TO_SHOW):
        reply = await ask_widget(tab, spot, SCRIPT, "shows", _as_details(moments))
        if reply.get("shown"):
            return str(reply["shown"])
        await next_frame(spot)
    return None


def _as_details(moments: tuple[IsoMoment, ...]) -> list[dict[str, int | None]]:
    return [asdict(moment) for moment in moments]
