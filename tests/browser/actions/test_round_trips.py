"""How often an action waits for the browser: the element is looked up and prepared in one write, and concluded in another."""

import pytest

from boathook.errors import AmbiguousTarget, StaleRef
from tests.support.engine import engine_of

PAGE = (
    "<p id=p>-</p><label>Name <input id=i></label><label>Size <select id=s><option>S<option>M</select></label>"
    "<button id=b onclick='p.textContent=1'>Go</button><button class=two>A</button><button class=two>B</button>"
)


async def waits_of(tab, work):
    """In how many writes an action was sent: a message that is sent after a reply had to wait for it."""
    session = engine_of(tab).session
    connection, count, answered = session.connection, 0, True

    def note(way, of, raw):
        nonlocal count, answered
        # That input has arrived without an event is reported by the way: nobody waits for it.
        if (way == "sent" and of != session.id) or b"__boathook.arrived()" in raw:
            return
        if way == "sent":
            count, answered = count + answered, False
        elif b'"id":' in raw[:12]:
            answered = True

    connection.on_traffic = note
    try:
        await work
    finally:
        connection.on_traffic = None
    return count


@pytest.mark.parametrize("target", ["#s", "label=Size", "role=combobox"])
async def test_a_native_select_takes_one_round_trip(tab, site, target):
    await tab.goto(site.page(PAGE))
    await tab.snapshot()
    assert await waits_of(tab, tab.select(target, "M")) == 1
    assert await tab.evaluate("s.value") == "M"


@pytest.mark.parametrize("target", ["#i", "label=Name", "role=textbox"])
async def test_filling_and_clicking_take_two(tab, site, target):
    await tab.goto(site.page(PAGE))
    await tab.snapshot()
    assert await waits_of(tab, tab.fill(target, "Ada")) == 2
    assert await waits_of(tab, tab.click("#b")) == 2
    assert await tab.evaluate("[i.value, p.textContent]") == ["Ada", "1"]


async def test_what_matches_twice_is_not_touched_while_it_is_looked_up(tab, site):
    await tab.goto(
        site.page(PAGE + "<script>seen=[];addEventListener('focusin',e=>seen.push(e.target))</script>")
    )
    with pytest.raises(AmbiguousTarget):
        await tab.click(".two")
    assert await tab.evaluate("seen.length") == 0
    await tab.click(".two", nth=1)
    assert await tab.evaluate("document.activeElement.textContent") == "B"


async def test_what_appears_later_is_still_found(tab, site):
    await tab.goto(
        site.page(PAGE + "<script>setTimeout(()=>{b.outerHTML='<button id=late>Late</button>'},300)</script>")
    )
    await tab.click("#late")
    assert await tab.evaluate("document.activeElement.id") == "late"


async def test_options_that_are_missing_leave_the_select_as_it_is(tab, site):
    await tab.goto(site.page(PAGE.replace("<select", "<select onchange='p.textContent=this.value'")))
    with pytest.raises(Exception, match="no option 'L'"):
        await tab.select("#s", "L")
    assert await tab.evaluate("[s.value, p.textContent]") == ["S", "-"]
    done = await tab.select("#s", "M")
    assert (done.value, '~ text "M"' in str(done)) == (["M"], True)


async def test_a_select_that_submits_its_form_has_selected(tab, site):
    other = site.page("Other")
    await tab.goto(
        site.page(f"<select id=s onchange='location.href=\"{other}\"'><option>S<option>M</select>")
    )
    done = await tab.select("#s", "M")
    assert done.value == ["M"]
    assert await tab.evaluate("location.href") == other


async def test_a_select_in_a_page_with_other_documents_is_set_too(tab, site):
    await tab.goto(site.page(PAGE + "<iframe srcdoc='<button>In</button>' sandbox></iframe>"))
    assert (await tab.select("#s", "M")).value == ["M"]


async def test_a_select_of_a_replaced_document_is_stale(tab, site):
    await tab.goto(site.page(PAGE))
    ref = next(line.split()[-1] for line in (await tab.snapshot()).lines if "@e" in line and "Go" in line)
    await tab.goto(site.page(PAGE))
    with pytest.raises(StaleRef):
        await tab.select(ref, "M")
