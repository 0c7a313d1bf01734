"""Date fields filled with ISO text: native ones, and what is refused."""

import pytest

from boathook.errors import NotEditable, ValueNotTaken

NATIVE = [
    ("date", "2026-03-14", "2026-03-14"),
    ("date", "2026-03-14T09:30", "2026-03-14"),
    ("time", "09:30", "09:30"),
    ("datetime-local", "2026-03-14 09:30", "2026-03-14T09:30"),
    ("datetime-local", "2026-03-14", "2026-03-14T00:00"),
    ("month", "2026-03-14", "2026-03"),
    ("month", "2026-03", "2026-03"),
    ("week", "2026-03-14", "2026-W11"),
    ("week", "2026-W11", "2026-W11"),
]


@pytest.mark.parametrize(("kind", "given", "held"), NATIVE, ids=str)
async def test_a_native_field_takes_iso_text(tab, site, kind, given, held):
    await tab.goto(site.page(f"<label>When <input id=d type={kind} onchange='changed = this.value'></label>"))
    assert (await tab.fill("label=When", given)).value == held
    assert await tab.evaluate("[d.value, changed]") == [held, held]


async def test_a_native_field_of_another_kind_says_what_it_takes(tab, site):
    await tab.goto(site.page("<label>When <input type=date></label>"))
    with pytest.raises(ValueNotTaken, match="such as 2026-03-14"):
        await tab.fill("label=When", "09:30")


async def test_a_date_in_an_ordinary_field_is_text(tab, site):
    await tab.goto(site.page("<label>Note <input id=d placeholder='a note'></label>"))
    assert (await tab.fill("label=Note", "2026-03-14")).value == "2026-03-14"


async def test_a_read_only_field_without_a_calendar_is_refused(tab, site):
    await tab.goto(site.page("<label>Note <input readonly value=x></label>"))
    with pytest.raises(NotEditable, match="opens no calendar"):
        await tab.fill("label=Note", "2026-03-14")


async def test_a_field_that_shows_its_format_gets_the_date_in_it(tab, site):
    await tab.goto(site.page("<label>Due <input id=d placeholder=DD.MM.YYYY></label>"))
    assert (await tab.fill("label=Due", "2026-03-04")).value == "04.03.2026"


SECTIONS = """<div role=group aria-label=Due><span role=spinbutton contenteditable tabindex=0 aria-label=Month aria-valuenow=1></span>
<span role=spinbutton contenteditable tabindex=0 aria-label=Year aria-valuenow=1></span></div>
<script>for (const part of document.querySelectorAll('span')) part.onkeydown = event => { event.preventDefault(); %s }</script>"""


async def test_sections_that_keep_their_own_values_are_an_error(tab, site):
    await tab.goto(
        site.page(
            SECTIONS % "part.typed = (part.typed || '') + event.key; part.ariaValueNow = Number(part.typed)"
        )
    )
    assert (await tab.fill("role=group", "2026-03")).value == "2026-03"
    await tab.goto(site.page(SECTIONS % ""))
    with pytest.raises(ValueNotTaken, match="holds month 1, year 1"):
        await tab.fill("role=group", "2026-03")
