"""A gallery of controls, each operated by the refs of its snapshots to an end state that its page records."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.support.npm import npm_packages
from tests.support.thorough import sample

CACHE = Path(__file__).parents[3] / ".cache" / "gallery"
PACKAGES = {
    "react.js": ("react@18.3.1", "react/umd/react.production.min.js"),
    "react-dom.js": ("react-dom@18.3.1", "react-dom/umd/react-dom.production.min.js"),
    "vue.js": ("vue@3.5.13", "vue/dist/vue.global.prod.js"),
}
STATE_SECONDS = 20


@dataclass(frozen=True, slots=True)
class Step:
    """One action on the line of the snapshot that begins with `line`."""

    verb: str
    line: str
    args: tuple = ()
    options: dict = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Control:
    """One control: its page, what is done to it, and the state that the page must record for it."""

    page: str
    steps: tuple[Step, ...]
    state: object


def do(verb, line, *args, **options):
    return Step(verb, line, args, options)


def control(page, state, *steps):
    return Control(page, steps, state)


NATIVE = {
    "text": control("native", "Ada Løvelace", do("fill", 'textbox "Full name"', "Ada Løvelace")),
    "password": control("native", "s3cret", do("fill", 'textbox "Password"', "s3cret")),
    "textarea": control("native", "Dear\nall", do("fill", 'textbox "Letter"', "Dear\nall")),
    "number": control("native", "12.5", do("fill", 'spinbutton "Amount"', "12.5")),
    "date": control("native", "2026-02-03", do("fill", 'textbox "Birthday"', "2026-02-03")),
    "time": control("native", "07:45", do("fill", 'textbox "Alarm"', "07:45")),
    "month": control("native", "2027-11", do("fill", 'textbox "Expiry"', "2027-11")),
    "week": control("native", "2026-W07", do("fill", 'textbox "Sprint"', "2026-W07")),
    "moment": control("native", "2026-02-03T10:30", do("fill", 'textbox "Meeting"', "2026-02-03T10:30")),
    "color": control("native", "#12abef", do("fill", 'textbox "Paint"', "#12abef")),
    "range": control("native", "7", do("fill", 'slider "Volume"', "7")),
    "checkbox": control("native", True, do("check", 'checkbox "Newsletter"')),
    "unchecked": control("native", False, do("uncheck", 'checkbox "Wanted"')),
    "fancy": control("native", True, do("check", 'checkbox "Night mode"')),
    "radio": control("native", "l", do("check", 'radio "Small"'), do("check", 'radio "Large"')),
    "select": control("native", "pe", do("select", 'combobox "Country"', "Peru")),
    "multiple": control(
        "native", ["Olives", "Peppers"], do("select", 'listbox "Toppings"', "Olives", "Peppers")
    ),
    "datalist": control("native", "Lima", do("fill", 'combobox "City"', "Lima")),
    "button": control("native", 2, do("click", 'button "Count"'), do("click", 'button "Count"')),
    "link": control("native", "#there", do("click", 'link "Go there"')),
    "details": control("native", True, do("click", 'button "Shipping details"')),
    "dialog": control(
        "native", "yes", do("click", 'button "Delete account"'), do("click", 'button "Yes, delete"')
    ),
    "popover": control(
        "native", "archived", do("click", 'button "More options"'), do("click", 'button "Archive"')
    ),
}
ARIA = {
    "combobox": control(
        "aria",
        "Apricot",
        do("type", 'combobox "Fruit"', "ap"),
        do("click", 'option "Apricot"'),
    ),
    "selectbox": control("aria", "Green", do("select", 'combobox "Colour"', "Green")),
    "listbox": control("aria", ["Monday", "Friday"], do("select", 'listbox "Days"', "Monday", "Friday")),
    "tabs": control("aria", "Billing", do("click", 'tab "Billing"')),
    "menu": control(
        "aria", "Duplicate", do("click", 'button "Actions"'), do("click", 'menuitem "Duplicate"')
    ),
    "menubar": control(
        "aria",
        "View",
        do("press on", 'menuitem "Edit"', "ArrowRight"),
        do("press on", 'menuitem "View"', "Enter"),
    ),
    "tree": control("aria", "main.c", do("click", 'treeitem "src'), do("click", 'treeitem "main.c"')),
    "grid": control(
        "aria",
        "4.20",
        do("click", 'full: gridcell "3"', count=2),
        do("fill", 'textbox "Price of tea"', "4.20"),
        do("press on", 'textbox "Price of tea"', "Enter"),
    ),
    "slider": control(
        "aria",
        7,
        do("press on", 'slider "Brightness"', "ArrowRight"),
        do("press on", 'slider "Brightness"', "ArrowRight"),
    ),
    "switch": control("aria", "true", do("check", 'switch "Flight mode"')),
    "mixed": control("aria", "true", do("check", 'checkbox "All files"')),
    "spinbutton": control("aria", 3, do("press on", 'spinbutton "Guests"', "ArrowUp")),
    "radiogroup": control("aria", "Two", do("check", 'radio "Two"')),
    "accordion": control("aria", True, do("click", 'button "Questions"')),
    "tooltip": control("aria", "Last synced today", do("hover", 'button "Sync"')),
    "toolbar": control(
        "aria",
        "Italic",
        do("press on", 'button "Bold"', "ArrowRight"),
        do("press on", 'button "Italic"', "Space"),
    ),
}
ELEMENTS = {
    "field": control("elements", "Sailor", do("fill", 'textbox "Nickname"', "Sailor")),
    "choice": control("elements", "Venus", do("select", 'combobox "Planet"', "Venus")),
    "toggle": control("elements", "true", do("check", 'switch "Sound"')),
    "closed": control("elements", True, do("click", 'button "Locked in"')),
    "nested": control("elements", True, do("click", 'button "Innermost"')),
}
FRAMEWORKS = {
    "react name": control("react", "Grace", do("fill", 'textbox "Name"', "Grace")),
    "react note": control("react", "one\ntwo", do("fill", 'textbox "Note"', "one\ntwo")),
    "react agreed": control("react", True, do("check", 'checkbox "Agree"')),
    "react plan": control("react", "pro", do("select", 'combobox "Plan"', "PRO")),
    "react upper": control("react", "ABC", do("fill", 'textbox "Code"', "abc")),
    "vue street": control("vue", "Quay 1", do("fill", 'textbox "Street"', "Quay 1")),
    "vue town": control(
        "vue", "Lima", do("fill", 'textbox "Town"', "Lima"), do("press on", 'textbox "Town"', "Tab")
    ),
    "vue express": control("vue", True, do("check", 'checkbox "Express"')),
    "vue carrier": control("vue", "Boat", do("select", 'combobox "Carrier"', "Boat")),
}
EDITORS = {
    "editor": control("editor", ["New", "text 👩‍👩‍👧"], do("fill", 'textbox "Article"', "New\ntext 👩‍👩‍👧")),
    "plaintext": control("editor", "fresh", do("fill", 'textbox "Comment"', "fresh")),
}
LISTS = {
    "virtual": control("lists", ["Row 700", 20], do("scroll for", 'list "Rows"', 'button "Row 700"')),
    "endless": control("lists", "Story 47", do("scroll for", 'list "Feed"', 'button "Story 47"')),
    "nested scrollers": control("lists", True, do("click", 'button "Deep down"')),
}
DRAGGED = {
    "board": control("drag", ["Paint hull", "Done"], do("drag onto", 'button "Paint hull"', 'group "Done"')),
    "pointer slider": control("drag", 120, do("drag", 'slider "Throttle"', offset=(120, 0))),
    "sortable": control(
        "drag",
        ["Second", "Third", "First"],
        do("drag onto", 'button "First"', 'button "Third"', where="after"),
    ),
}
POPUPS = {
    "date picker": control(
        "popups",
        "14 February 2026",
        do("click", 'button "Choose departure"'),
        do("click", 'button "Next month"'),
        do("click", 'button "14 February 2026"'),
    ),
    "hover menu": control(
        "popups",
        "#dinghy",
        do("hover", 'link "Boats"'),
        do("hover", 'link "Sailing boats"'),
        do("click", 'link "Dinghies"'),
    ),
    "toast": control("popups", "undone", do("click", 'button "Remove item"'), do("click", 'button "Undo"')),
    "modal": control(
        "popups",
        "Dark",
        do("click", 'button "Settings"'),
        do("select", 'combobox "Theme"', "Dark"),
        do("click", 'button "Apply"'),
    ),
    "context menu": control(
        "popups",
        "Inspect",
        do("click", 'button "Right click me"', button="right"),
        do("click", 'menuitem "Inspect"'),
    ),
    "inline edit": control(
        "popups",
        "Log book",
        do("click", 'button "Untitled"', count=2),
        do("fill", 'textbox "Title"', "Log book"),
        do("press on", 'textbox "Title"', "Tab"),
    ),
    "autocomplete": control(
        "popups", "Bremen", do("type", 'combobox "Port"', "br"), do("click", 'option "Bremen"')
    ),
    "drawer": control("popups", "paid", do("click", 'button "Basket"'), do("click", 'button "Pay now"')),
    "confirm": control("popups", True, do("click", 'button "Leave"'), do("answer", "")),
    "svg": control("popups", "north", do("click", 'button "North harbour"')),
}
FRAMES = {
    "near form": control(
        "frames",
        ["hello", True],
        do("fill", 'textbox "near note"', "hello"),
        do("check", 'checkbox "near urgent"'),
        do("click", 'button "Send near"'),
    ),
    "far form": control(
        "frames",
        ["bonjour", True],
        do("fill", 'textbox "far note"', "bonjour"),
        do("check", 'checkbox "far urgent"'),
        do("click", 'button "Send far"'),
    ),
}
CANVAS = {"canvas": control("canvas", [280, 160], do("click", 'img "Chart"', offset=(280, 160)))}
CONTROLS = NATIVE | ARIA | ELEMENTS | FRAMEWORKS | EDITORS | LISTS | DRAGGED | POPUPS | FRAMES | CANVAS


async def ref_of(tab, line):
    """The ref of the one line of a fresh snapshot that begins so; it may take a moment to appear."""
    # Cells without controls are told in the line of their row, unless the whole page is asked for.
    mode = "full" if line.startswith("full: ") else "interactive"
    line = line.removeprefix("full: ")
    async with asyncio.timeout(STATE_SECONDS):
        while True:
            view = await tab.snapshot(mode=mode)
            found = [
                each_line
                for each_line in view.lines
                if each_line.strip().startswith(line) and "@e" in each_line
            ]
            if len(found) == 1:
                return "@e" + found[0].split("@e")[1].split()[0]
            assert len(found) < 2, found
            await asyncio.sleep(0)


async def scroll_for(tab, scroller, wanted):
    """Scroll a list by what it shows until a line is there, then press it."""
    ref = await ref_of(tab, scroller)
    for _page in range(200):
        if any(line.strip().startswith(wanted + " ") for line in (await tab.snapshot()).lines):
            await tab.click(await ref_of(tab, wanted))
            return
        assert (await tab.scroll(down=0.9, target=ref)).moved, f"{wanted} is not in the list"


async def take(tab, step):
    if step.verb == "answer":
        await tab.answer_dialog(accept=True)
    elif step.verb == "scroll for":
        await scroll_for(tab, step.line, *step.args)
    elif step.verb == "press on":
        await tab.press(*step.args, await ref_of(tab, step.line))
    elif step.verb == "drag onto":
        await tab.drag(await ref_of(tab, step.line), await ref_of(tab, *step.args), **step.options)
    else:
        await getattr(tab, step.verb)(await ref_of(tab, step.line), *step.args, **step.options)


async def recorded(tab, name, wanted):
    """The state that the page has for a control; frames tell theirs by a message."""
    state = None
    try:
        async with asyncio.timeout(STATE_SECONDS):
            while (state := (await tab.evaluate("state")).get(name)) != wanted:  # noqa: ASYNC110 - a page's variable
                await asyncio.sleep(0)
    except TimeoutError:
        pass
    return state


@pytest.fixture(scope="session")
def frameworks(site):
    """React and Vue from their packages, installed once per checkout; the reason when that cannot be."""
    ready = CACHE / "node_modules"
    names = [name for name, _path in PACKAGES.values()]
    npm_packages(CACHE, *names, there=[f"node_modules/{path}" for _name, path in PACKAGES.values()])
    for served, (_name, path) in PACKAGES.items():
        site._given[f"gallery/npm/{served}"] = ("text/javascript", (ready / path).read_bytes())


def test_the_gallery_has_at_least_forty_controls():
    assert len(CONTROLS) >= 40


@pytest.mark.parametrize("name", sample(CONTROLS, 40))
async def test_a_control_is_brought_to_its_end_state_by_refs(tab, site, request, name):
    wanted = CONTROLS[name]
    if wanted.page in {"react", "vue"}:
        request.getfixturevalue("frameworks")
    await tab.goto(site.url(f"gallery/{wanted.page}.html"))
    assert (await tab.evaluate("state")).get(name) != wanted.state, "the control starts in another state"
    for step in wanted.steps:
        await take(tab, step)
    assert await recorded(tab, name, wanted.state) == wanted.state


async def test_a_file_input_takes_a_file_by_ref(browser_with, site, tmp_path):
    file = tmp_path / "logbook.txt"
    file.write_text("day one")
    browser = await browser_with()
    tab = await browser.open(site.url("gallery/native.html"))
    await tab.upload(await ref_of(tab, 'button "Attachment'), file)
    assert await recorded(tab, "file", "logbook.txt") == "logbook.txt"


async def test_a_button_drawn_on_a_canvas_is_pressed_by_its_point(tab, site):
    await tab.goto(site.url("gallery/canvas.html"))
    await tab.click("230,150")
    assert await recorded(tab, "canvas", [230, 150]) == [230, 150]
    await tab.click("30,30")
    assert await recorded(tab, "missed", [30, 30]) == [30, 30]


async def test_a_point_over_a_frame_presses_what_is_inside_it(tab, site):
    await tab.goto(
        site.page(
            "<iframe src='/gallery/canvas.html' style='position:absolute;left:0;top:0;border:0' width=400 height=300></iframe>"
        )
    )
    await tab.click("230,150")
    assert await tab.evaluate("frames[0].state") == {"canvas": [230, 150]}


async def test_a_checkbox_that_is_redrawn_when_pressed_is_read_where_it_is_now(tab, site):
    await tab.goto(
        site.page(
            "<p id=p></p><script>on = false; (draw = () => { p.innerHTML = `<input type=checkbox aria-label=Anew ${on ? 'checked' : ''}>`;"
            "p.firstChild.onchange = () => { on = !on; draw() } })()</script>"
        )
    )
    assert (await tab.check(await ref_of(tab, 'checkbox "Anew"'))).value is True
    assert await tab.evaluate("on") is True


async def test_a_switch_that_shows_its_state_a_moment_later_is_waited_for(tab, site):
    await tab.goto(
        site.page(
            "<button role=switch aria-checked=false onclick=\"setTimeout(() => { this.ariaChecked = 'true' }, 120)\">Slow</button>"
        )
    )
    assert (await tab.check(await ref_of(tab, 'switch "Slow"'))).value is True


async def test_digits_that_hand_the_focus_on_are_typed_in_one_go(tab, site):
    fields = "".join(f"<input maxlength=1 size=1 aria-label='Digit {n}'>" for n in range(4))
    await tab.goto(
        site.page(
            f"<form id=f>{fields}</form><script>f.oninput = e => e.target.nextElementSibling?.focus()</script>"
        )
    )
    await tab.type(await ref_of(tab, 'textbox "Digit 0"'), "4711")
    assert await tab.evaluate("[...f.elements].map(e => e.value).join('')") == "4711"
