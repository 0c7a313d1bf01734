"""An action is judged by its effect: what the page did with the input counts, also if it replaced the element."""

import pytest

from boathook.errors import NotReceived, StaleRef, ValueNotTaken
from tests.support.engine import engine_of

REDRAWN_LIST = """<ul id=list></ul><script>
  items = ['one', 'two', 'three'].map(title => ({ title, done: false }));
  draw = () => {
    list.innerHTML = items.filter(item => !(window.hideDone && item.done))
      .map(item => `<li><input type=checkbox ${item.done ? 'checked' : ''}> ${item.title}`).join('');
    [...list.querySelectorAll('input')].forEach((box, place) => box.onclick = () => toggle(place));
  };
  toggle = place => { if (!window.stuck) items[place].done = !items[place].done; draw() };
  draw();
</script>"""
STATES = "items.map(item => item.done)"


async def test_a_checkbox_without_a_name_in_a_redrawn_list_is_verified(tab, site):
    await tab.goto(site.page(REDRAWN_LIST))
    done = await tab.check("role=checkbox", nth=1)
    assert (done.value, done.notes) == (True, ())
    assert await tab.evaluate(STATES) == [False, True, False]


async def test_an_unverifiable_state_is_reported_and_is_not_an_error(tab, site):
    await tab.goto(site.page(REDRAWN_LIST))
    boxes = [line for line in (await tab.snapshot()).lines if "checkbox" in line]
    by_ref = await tab.check("@" + boxes[0].split("@")[1].split()[0])
    assert "could not be verified" in by_ref.notes[0]
    await tab.evaluate("window.hideDone = true")
    removed = await tab.check("role=checkbox", nth=1)
    assert "could not be verified" in removed.notes[0], "the next item is not the one that was checked"
    assert await tab.evaluate(STATES) == [True, True, False]


async def test_a_page_that_refuses_the_state_is_still_an_error(tab, site):
    await tab.goto(site.page(REDRAWN_LIST))
    await tab.evaluate("(items.length = 1, window.stuck = true, draw())")
    with pytest.raises(ValueNotTaken):
        await tab.check("role=checkbox")


async def test_a_press_to_which_the_page_responds_by_replacing_the_element_is_received(tab, site):
    await tab.goto(
        site.page(
            "<div id=text><span>return a - b;</span></div><script>"
            "text.onpointerup = () => { text.innerHTML = '<span>return a - b;</span>'; pressed = 1 }"
            "</script>"
        )
    )
    await tab.click("text=return a - b;")
    assert await tab.evaluate("pressed") == 1


CAPTURED = """<div id=editor><p>Line one</p><p>Line two</p></div><script>
editor.onpointerdown = event => { editor.setPointerCapture(event.pointerId); chosen = event.target.textContent }</script>"""


async def test_a_press_whose_pointer_is_captured_by_the_element_around_it_is_received(tab, site):
    await tab.goto(site.page(CAPTURED))
    await tab.click("text=Line two")
    assert await tab.evaluate("chosen") == "Line two"


async def test_a_drag_in_a_page_that_handles_pointer_events_only_is_received(tab, site):
    await tab.goto(
        site.page(
            "<p id=block style='width:80px;touch-action:none'>print</p><script>seen = [];"
            "block.onpointerdown = event => { event.preventDefault(); seen.push('down') };"
            "onpointerup = event => seen.push(Math.round(event.clientX - block.getBoundingClientRect().x) > 200)</script>"
        )
    )
    await tab.drag("text=print", offset=(300, 50))
    assert await tab.evaluate("seen") == ["down", True]


async def test_a_press_that_another_element_receives_is_still_an_error(tab, site):
    """The control for those above."""
    await tab.goto(
        site.page(
            "<button id=b>Go</button><div id=cover style='display:none;position:fixed;inset:0'></div>"
            "<script>b.onpointerover = () => { cover.style.display = 'block' }</script>"
        )
    )
    with pytest.raises(NotReceived):
        await tab.click("#b")


async def test_a_ref_that_is_gone_before_the_action_is_still_stale(tab, site):
    await tab.goto(site.page("<button>One</button>"))
    await tab.snapshot()
    await tab.evaluate("void document.querySelector('button').remove()")
    with pytest.raises(StaleRef):
        await tab.click("@e1" if engine_of(tab).refs.next == 2 else f"@e{engine_of(tab).refs.next - 1}")
