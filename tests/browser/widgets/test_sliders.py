"""Sliders made of other elements: set to a number, and what is refused."""

import pytest

from boathook.errors import BadRequest, ValueNotTaken

SLIDER = """<div id=s role=slider tabindex=0 aria-label=Volume aria-valuemin=0 aria-valuemax=100 aria-valuenow=20
style="width:20px;height:20px;background:#888"></div><script>
const set = value => { s.ariaValueNow = Math.max(0, Math.min(100, value)) };
%s</script>"""
KEYS = "s.onkeydown = event => { const step = { ArrowUp: 5, ArrowDown: -5 }[event.key]; if (step) set(Number(s.ariaValueNow) + step) };"
POINTER = """s.onpointerdown = down => { s.setPointerCapture(down.pointerId); const start = Number(s.ariaValueNow);
s.onpointermove = move => set(start + Math.round((move.clientX - down.clientX) / 3)); s.onpointerup = () => { s.onpointermove = null } };"""


@pytest.mark.parametrize(("script", "wanted"), [(KEYS, "85"), (POINTER, "73"), (KEYS + POINTER, "0")])
async def test_a_slider_is_set_with_keys_or_the_pointer(tab, site, script, wanted):
    await tab.goto(site.page(SLIDER % script))
    assert (await tab.fill("label=Volume", wanted)).value == wanted
    assert await tab.evaluate("s.ariaValueNow") == wanted


async def test_a_value_between_the_steps_is_an_error(tab, site):
    await tab.goto(site.page(SLIDER % KEYS))
    with pytest.raises(ValueNotTaken, match="instead of 42"):
        await tab.fill("label=Volume", "42")


@pytest.mark.parametrize("value", ["loud", "101"])
async def test_what_a_slider_cannot_hold_is_refused(tab, site, value):
    await tab.goto(site.page(SLIDER % KEYS))
    with pytest.raises(BadRequest, match="from 0 to 100"):
        await tab.fill("label=Volume", value)
    assert await tab.evaluate("s.ariaValueNow") == "20"
