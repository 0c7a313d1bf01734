"""The keyboard: fill a field and read it back, type key by key, press chords."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from boathook.engine.actions.input.code_editors import append_to_editor, fill_editor, typed_in_editor
from boathook.engine.actions.input.rich_text import (
    PACED_LINES,
    has_same_lines,
    insert_lines,
    press_enter,
    split_lines,
)
from boathook.engine.actions.input.widgets.ask_widget import confirm
from boathook.engine.actions.input.widgets.cells import fill_cell
from boathook.engine.actions.input.widgets.date_fields import fill_date
from boathook.engine.actions.input.widgets.iso_dates import parse_iso
from boathook.engine.actions.input.widgets.sliders import fill_slider
from boathook.engine.actions.keys import find_key, is_chord, key_events, parse_chord
from boathook.engine.actions.other_actions import suitable_action
from boathook.engine.actions.perform import Performed, perform
from boathook.engine.actions.prepare import ActionRequirements
from boathook.engine.actions.settle import Sent
from boathook.engine.elements.locate import find_all
from boathook.engine.elements.match_scope import whole_page
from boathook.engine.elements.selector import parse_target
from boathook.engine.page.page_call import ask, to_javascript
from boathook.engine.secrets.report_secret import note_page_secret
from boathook.errors import BadRequest, NotEditable, ValueNotTaken
from boathook.hints import mark_line
from boathook.redaction.known_secrets import SHORTEST_SECRET
from boathook.redaction.secret import Secret, reveal_value

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from boathook.cdp.cdp_session import CdpSession
    from boathook.clock import Deadline
    from boathook.engine.actions.prepare import ActionPoint
    from boathook.engine.tab import Tab

LONGEST_TEXT = 1_000_000
_SHOWN = 200
_LETTERS = re.compile(r"[\W_]+")


async def fill(tab: Tab, target: str, value: str, *, nth: int | None = None, deadline: Deadline) -> Performed:
    """Replace the value of a field, and verify that it shows the new value."""
    check_text(value)
    of_widget: list[object] = []

    async def put(spot: ActionPoint) -> object:
        note_typed(tab, spot, value)
        if spot.focused.get("editor", -1) >= 0:
            return await fill_editor(spot, value)
        held = await fill_date(tab, spot, value, deadline)
        if held is None and not spot.focused["kind"]:
            held = await fill_slider(tab, spot, value, deadline) or await fill_cell(
                tab, spot, value, deadline
            )
        if held is not None:
            of_widget.append(held)
            return held
        return await _put(spot, value)

    def read_value(spot: ActionPoint, seen: dict[str, Any]) -> object:
        if of_widget or spot.focused["kind"] == "assigned" or spot.focused.get("editor", -1) >= 0:
            return None  # it was checked when it was entered
        return _verify_value(spot, value, seen.get("held"), exact=False)

    return await perform(
        tab,
        target,
        put,
        action="fill",
        deadline=deadline,
        # Date fields that open a calendar are often read-only.
        wants=ActionRequirements(pointer=False, editable=not parse_iso(value), focus=True),
        proof=("input", "beforeinput", "keydown", "assigned"),
        check=read_value,
        nth=nth,
    )


async def _put(spot: ActionPoint, value: str) -> object:
    """Fill an element that is ready; fields that accept a whole value return it at once."""
    element = spot.element
    field = spot.focused
    if field["kind"] == "assigned":
        shown = await _read(spot, f"__boathook.assign({element.local_id}, {to_javascript(value)})")
        return _verify_value(spot, value, shown, exact=field["type"] != "color")
    if field["kind"] not in {"text", "editable"} or not field["focused"]:
        raise NotEditable(
            f"{spot.role} {spot.name!r} {element.ref} does not accept text",
            hint=suitable_action(spot),
            kind=field["kind"],
        )
    if field["kind"] == "editable":
        await _replace_lines(element.frame.session, value)
        return None
    return Sent(
        send=lambda: _replace_selected(element.frame.session, value), event="input" if value else "keydown"
    )


def note_typed(tab: Tab, spot: ActionPoint, text: str) -> None:
    """A value typed into a secret field is registered before the page receives it: submitting the form may remove the field."""
    if spot.secret:
        for part in {text.strip(), *re.split(r"[\t\r\n]+", text)}:
            if len(part) >= SHORTEST_SECRET:
                note_page_secret(tab, part)


FOCUSED = ":focus, body"
"""Where keys go when no element is given: the focused element, otherwise the page."""


async def type_text(
    tab: Tab,
    target: str | None,
    text: str,
    *,
    pause: float = 0,
    nth: int | None = None,
    deadline: Deadline,
) -> Performed:
    """Type key by key at the end of a field, or at the focus."""
    check_text(text)

    least = _keys_before_the_focus_may_move(text)

    async def strike(spot: ActionPoint) -> str | None:
        note_typed(tab, spot, text)
        editor = -1
        if target is not None:
            focused = await ask(tab, spot.element, f"__boathook.focusEnd({spot.element.local_id})")
            editor = int(focused.get("editor", -1))
        if editor >= 0 and not pause and len(split_lines(text)) > 1:
            held = await append_to_editor(spot, editor, text)
            if held is not None:
                await confirm(tab, spot, times=max(1, least))
                return held
        await send_keys(spot.element.frame.session, text, pause=pause, editable=spot.kind == "editable")
        return await typed_in_editor(spot, editor) if editor >= 0 else None

    done = await _with_keys(tab, target, strike, action="type", nth=nth, deadline=deadline, least=least)
    struck, written = done.seen.get("struck", 0), done.seen.get("written", 0)
    if struck > written:
        raise ValueNotTaken(f"{done.target} accepted {written} of {struck} typed characters")
    return done


def _keys_before_the_focus_may_move(text: str) -> int:
    """How many keys must reach the field: those before the first Tab or Enter, without characters that have no key."""
    first = re.split(r"[\t\r\n]", text, maxsplit=1)[0]
    return sum(1 for char in first if find_key(char).code)


async def press(
    tab: Tab,
    chord: str,
    target: str | None = None,
    *,
    repeat: int = 1,
    nth: int | None = None,
    deadline: Deadline,
) -> Performed:
    """Press a key or a chord such as Control+A, on an element or at the focus."""
    if target is not None and not is_chord(chord) and is_chord(target):
        line = mark_line(["press", target, chord])
        hint = "the key comes first" + (f": {line}" if line else "")
        raise BadRequest(f"not a key: {chord!r}", hint=hint)
    modifiers, key = parse_chord(chord)
    events = key_events(modifiers, key) * repeat

    async def strike(spot: ActionPoint) -> None:
        if target is not None:
            await ask(tab, spot.element, f"__boathook.focusOn({spot.element.local_id})")
        session = spot.element.frame.session
        await asyncio.gather(*(session.post("Input.dispatchKeyEvent", **event) for event in events))

    return await _with_keys(tab, target, strike, action=f"press {chord}", nth=nth, deadline=deadline)


async def focus(tab: Tab, target: str, *, nth: int | None = None, deadline: Deadline) -> Performed:
    """Focus an element, as Tab would."""

    async def give(spot: ActionPoint) -> None:
        reply = await ask(tab, spot.element, f"__boathook.focusOn({spot.element.local_id})")
        if not reply["focused"]:
            raise NotEditable(
                f"{spot.role} {spot.name!r} {spot.element.ref} cannot be focused",
                hint="use a control, or an element with a tabindex",
            )

    return await perform(
        tab, target, give, action="focus", deadline=deadline, wants=ActionRequirements(pointer=False), nth=nth
    )


async def _with_keys(
    tab: Tab,
    target: str | None,
    strike: Callable[[ActionPoint], Awaitable[object]],
    *,
    action: str,
    nth: int | None,
    deadline: Deadline,
    least: int = 1,
) -> Performed:
    """Keys for a given element must reach it; without one they go to the focus, also in other documents."""
    wants = ActionRequirements(pointer=False, enabled=target is not None)
    proof = ("keydown", "assigned") if least else ("keydown", "beforeinput", "input", "assigned")
    focused = await _describe_focus(tab, deadline) if target is None else ""
    done = await perform(
        tab,
        target or FOCUSED,
        strike,
        action=action,
        deadline=deadline,
        wants=wants,
        proof=proof if target is not None else (),
        least=max(1, least),
        nth=nth if target else 0,
    )
    return replace(done, target=focused) if focused else done


async def _describe_focus(tab: Tab, deadline: Deadline) -> str:
    """The element that receives the keys, for the report; the innermost one if it is in a frame."""
    async with deadline.stage("finding the focused element"):
        with whole_page():
            matches = (await find_all(tab, parse_target(":focus"))).matches
    if not matches:
        return ""
    last = matches[-1]
    return " ".join(filter(None, (last.role, repr(last.name) if last.name else "", str(last.element.ref))))


async def send_keys(session: CdpSession, text: str, *, pause: float = 0, editable: bool = False) -> None:
    """Each character as the key that types it, all at once unless there is a delay, or an editor must keep up."""
    chars = text.replace("\r\n", "\n")
    if editable and not pause:
        for number, line in enumerate(lines := chars.split("\n")):
            if number:
                await press_enter(session, paced=len(lines) <= PACED_LINES)
            await _press_keys(session, line)
        return
    if not pause:
        await _press_keys(session, chars)
        return
    for char in chars:
        await _press_keys(session, char)
        await asyncio.sleep(pause)


async def _press_keys(session: CdpSession, chars: str) -> None:
    """Characters without a key are inserted, newlines are Enter."""
    events: list[tuple[str, dict[str, Any]]] = []
    for char in chars:
        key = find_key({"\n": "Enter", "\t": "Tab"}.get(char, char))
        if not key.code:
            events.append(("Input.insertText", {"text": char}))
            continue
        shift = ["Shift"] if char.isascii() and (char.isupper() or char in '_+{}|:"<>?~!@#$%^&*()') else []
        events += [("Input.dispatchKeyEvent", event) for event in key_events(shift, key)]
    await asyncio.gather(*(session.post(method, **event) for method, event in events))


def _replace_selected(session: CdpSession, value: str) -> asyncio.Future[list[Any]]:
    """Replace the selected content of a field with text."""
    if not value:
        keys = key_events([], find_key("Delete"))
        return asyncio.gather(*(session.post("Input.dispatchKeyEvent", **event) for event in keys))
    inserting = session.post("Input.insertText", text=value)
    # Filters that search while one types often listen to keys only.
    released = session.post("Input.dispatchKeyEvent", type="keyUp", key="Unidentified")
    return asyncio.gather(inserting, released)


async def _replace_lines(session: CdpSession, value: str) -> None:
    """Replace the selected content of a rich editor."""
    if value:
        await insert_lines(session, value)
    else:
        await _replace_selected(session, value)


async def _read(spot: ActionPoint, expression: str) -> str:
    reply = await spot.element.frame.session.send(
        "Runtime.evaluate", expression=expression, contextId=spot.element.world.context_id, returnByValue=True
    )
    value = reply["result"].get("value")
    return value if isinstance(value, str) else ""


def _verify_value(spot: ActionPoint, wanted: str, held: Any, *, exact: bool) -> str | Secret:
    """The value of the field, if it is the requested one; an input mask may add characters."""
    shown = reveal_value(held) if isinstance(held, str | Secret) else ""
    if spot.focused["kind"] == "editable":
        same = has_same_lines(shown, wanted)
    else:
        same = _is_same(_plain(shown), _plain(wanted), exact=exact)
    if same:
        return held if isinstance(held, Secret) else shown
    secret = isinstance(held, Secret) or spot.focused.get("secret")
    seen = "another value" if secret else repr(shown[:_SHOWN])
    raise ValueNotTaken(
        f"{spot.role} {spot.name!r} {spot.element.ref} shows {seen} instead of the value that was filled in",
        ref=str(spot.element.ref),
    )


def _is_same(show: str, want: str, *, exact: bool) -> bool:
    if show.lower() == want.lower():
        return True
    if exact:
        return False
    number = _as_number(show)
    return _LETTERS.sub("", show) == _LETTERS.sub("", want) != "" or (
        number is not None and number == _as_number(want)
    )


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\u00a0", " ").rstrip("\n").replace("\n\n", "\n")


def _as_number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def check_text(text: str) -> None:
    """Reject text that no keyboard could send."""
    if not isinstance(text, str):
        raise BadRequest(f"text must be a string, not {type(text).__name__}")
    if len(text) > LONGEST_TEXT:
        raise BadRequest(
            f"the text is too long: {len(text)} characters", hint="use at most 1,000,000 characters per call"
        )
    if re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", text):
        raise BadRequest(
            "the text contains control characters", hint="use `press KEY` for keys such as Escape"
        )
