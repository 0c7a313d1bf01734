"""Actions: checked before, real input, proof after, and what changed."""

import asyncio
import re

import pytest

from boathook.cdp.connection import EventStream
from boathook.engine.actions.drag_drop import INTERCEPT_SECONDS
from boathook.errors import (
    AmbiguousTarget,
    BadRequest,
    BadTarget,
    Covered,
    Disabled,
    NotEditable,
    NotVisible,
    OptionNotFound,
    StaleRef,
    TabCrashed,
    TargetNotFound,
    ValueNotTaken,
)
from tests.support.engine import engine_of
from tests.support.site import Site

LOG = "<script>log = []; for (const type of ['pointerdown','mousedown','mouseup','click','dblclick','contextmenu','auxclick','mouseover','keydown','input','change']) addEventListener(type, e => log.push([e.type, e.target.id, e.isTrusted]), true)</script>"


async def opened(tab, site, body):
    await tab.goto(site.page(LOG + body))
    await tab.snapshot()


async def logged(tab, *types):
    return [entry for entry in await tab.evaluate("log") if entry[0] in types]


async def test_a_click_moves_presses_and_releases_with_trusted_events(tab, site):
    await opened(tab, site, "<button id=b>Go</button>")
    done = await tab.click("text=Go")
    assert [
        kind
        for kind, where, trusted in await logged(
            tab, "mouseover", "pointerdown", "mousedown", "mouseup", "click"
        )
        if where == "b" and trusted
    ] == ["mouseover", "pointerdown", "mousedown", "mouseup", "click"]
    assert done.action == "click"
    assert "button 'Go'" in done.target


async def test_a_click_scrolls_its_target_into_view_first(tab, site):
    await opened(
        tab,
        site,
        "<div style='height:4000px'></div><button id=b onclick='document.title=\"hit\"'>Far</button>",
    )
    await tab.click("text=Far")
    assert await tab.title() == "hit"


async def test_a_click_inside_a_nested_scroller_reaches_its_target(tab, site):
    rows = "".join(
        f"<p style='height:50px'><button onclick='document.title={n}'>Row {n}</button></p>" for n in range(40)
    )
    await opened(tab, site, f"<div style='height:200px;overflow:auto'>{rows}</div>")
    await tab.click('text="Row 33"')
    assert await tab.title() == "33"


async def test_a_covered_button_names_its_cover_and_is_not_pressed(tab, site):
    await opened(
        tab,
        site,
        "<button id=b onclick='document.title=\"hit\"'>Buy</button><div role=dialog aria-label=Cookies style='position:fixed;inset:0;background:white'>Cookies!</div>",
    )
    with pytest.raises(Covered, match=r"covered by dialog 'Cookies' @e\d+"):
        await tab.click("css=#b")
    assert await tab.title() != "hit"


async def test_a_cover_that_goes_away_by_itself_is_waited_for(tab, site):
    await opened(
        tab,
        site,
        "<button id=b onclick='document.title=\"hit\"'>Buy</button><div id=c style='position:fixed;inset:0'></div>",
    )
    await tab.evaluate("void setTimeout(() => c.remove(), 300)")
    await tab.click("#b")
    assert await tab.title() == "hit"


async def test_hidden_and_disabled_targets_say_so(tab, site):
    await opened(
        tab,
        site,
        "<button id=h style='visibility:hidden'>H</button><button id=d disabled>D</button><fieldset disabled><input id=f></fieldset><div aria-disabled=true><button id=a>A</button></div>",
    )
    with pytest.raises(NotVisible):
        await tab.click("#h")
    for target in ("#d", "#a"):
        with pytest.raises(Disabled):
            await tab.click(target)
    with pytest.raises(Disabled):
        await tab.fill("#f", "x")


async def test_an_element_that_moves_is_hit_where_it_comes_to_rest(tab, site):
    await opened(
        tab,
        site,
        "<style>@keyframes m { from { transform: translateX(600px) } }</style><button id=b style='animation: m .6s linear' onclick='document.title=\"hit\"'>Catch</button>",
    )
    await tab.click("#b")
    assert await tab.title() == "hit"


async def test_double_right_and_middle_clicks_and_modifiers(tab, site):
    await opened(
        tab,
        site,
        "<button id=b>B</button><script>b.addEventListener('click', e => { document.title = [e.shiftKey, e.ctrlKey, e.detail] })</script>",
    )
    await tab.click("#b", count=2)
    assert [entry[0] for entry in await logged(tab, "dblclick")] == ["dblclick"]
    await tab.click("#b", button="right")
    assert await logged(tab, "contextmenu")
    await tab.click("#b", button="middle")
    assert await logged(tab, "auxclick")
    await tab.click("#b", modifiers=["Shift"])
    assert await tab.title() == "true,false,1"


async def test_hover_opens_a_menu(tab, site):
    await opened(
        tab,
        site,
        "<style>#m{display:none} #t:hover #m{display:block}</style><div id=t tabindex=0>Menu<div id=m><a href=#x>Item</a></div></div>",
    )
    done = await tab.hover("#t")
    assert '"Item"' in str(done)


async def test_an_action_in_a_frame_of_another_process_and_in_a_shadow_root(tab, site):
    inner = site.page(
        "<button onclick='this.textContent=\"Done\"'>Inner</button><input aria-label=Name>"
    ).replace("127.0.0.1", "localhost")
    await opened(
        tab,
        site,
        f"<div style='height:900px'></div><iframe src='{inner}' style='margin:40px;border:7px solid;padding:5px'></iframe><x-a><template shadowrootmode=open><button onclick='this.textContent=\"Pressed\"'>Deep</button></template></x-a>",
    )
    view = str(await tab.snapshot())
    assert "Inner" in view
    done = await tab.click("text=Inner")
    assert 'button "Done"' in str(done)
    assert (await tab.fill("label=Name", "Ada")).value == "Ada"
    assert 'button "Pressed"' in str(await tab.click("text=Deep"))


@pytest.mark.parametrize(
    ("field", "value", "shown"),
    [
        ("<input aria-label=F>", "Ada Lovelace", "Ada Lovelace"),
        ("<input aria-label=F value=old>", "", ""),
        ("<textarea aria-label=F>old</textarea>", "one\ntwo\n\nthree", "one\ntwo\n\nthree"),
        ("<input type=number aria-label=F>", "12.50", "12.50"),
        ("<input type=date aria-label=F>", "2026-02-03", "2026-02-03"),
        ("<input type=time aria-label=F>", "13:45", "13:45"),
        ("<input type=month aria-label=F>", "2026-02", "2026-02"),
        ("<input type=week aria-label=F>", "2026-W07", "2026-W07"),
        ("<input type=color aria-label=F>", "#12abef", "#12abef"),
        ("<input type=range min=0 max=100 aria-label=F>", "70", "70"),
        ("<input type=email aria-label=F>", "a@b.c", "a@b.c"),
        ("<input type=search aria-label=F>", "שלום 👩‍👩‍👧 ﷽ é", "שלום 👩‍👩‍👧 ﷽ é"),
        ("<div contenteditable role=textbox aria-label=F>old text</div>", "new text", "new text"),
        ("<div contenteditable role=textbox aria-label=F><p>old</p></div>", "one\ntwo", None),
    ],
)
async def test_fill_puts_a_value_into_every_kind_of_field(tab, site, field, value, shown):
    await opened(tab, site, field)
    done = await tab.fill("label=F", value)
    if shown is not None:
        assert (done.value or "") == shown
    else:
        assert str(done.value).split() == value.split()


async def test_fill_is_seen_by_a_field_that_tracks_its_value_as_react_does(tab, site):
    await opened(
        tab,
        site,
        "<input id=i aria-label=F><script>const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value'); let last = '';"
        "Object.defineProperty(i, 'value', {get() { return own.get.call(this) }, set(v) { last = v; own.set.call(this, v) }, configurable: true});"
        "i.addEventListener('input', () => { if (own.get.call(i) !== last) { last = own.get.call(i); document.title = last } })</script>",
    )
    await tab.fill("label=F", "tracked")
    assert await tab.title() == "tracked"


async def test_a_field_that_changes_what_is_put_in_is_an_error_with_what_it_shows(tab, site):
    await opened(
        tab,
        site,
        "<input id=i aria-label=F maxlength=3><input id=m aria-label=Card oninput=\"this.value = this.value.replace(/\\D/g, '').replace(/(.{4})(?=.)/g, '$1 ')\">",
    )
    with pytest.raises(ValueNotTaken, match="'abc'"):
        await tab.fill("label=F", "abcdef")
    assert (await tab.fill("label=Card", "4242424242424242")).value == "4242 4242 4242 4242"


async def test_passwords_are_not_shown_by_fill(tab, site):
    await opened(tab, site, "<input type=password aria-label=Pass>")
    done = await tab.fill("label=Pass", "hunter2")
    assert "hunter2" not in str(done)
    assert await tab.evaluate("document.querySelector('input').value") == "hunter2"


async def test_what_takes_no_text_says_so(tab, site):
    await opened(
        tab, site, "<button>B</button><input readonly aria-label=R value=x><input type=checkbox aria-label=C>"
    )
    for target in ("role=button", "label=R", "label=C"):
        with pytest.raises(NotEditable):
            await tab.fill(target, "x")


async def test_type_sends_real_keys_and_enter_submits(tab, site):
    await opened(
        tab,
        site,
        "<form onsubmit='event.preventDefault(); document.title = this.q.value'><input name=q aria-label=Q value=pre></form>",
    )
    await tab.type("label=Q", "fix Ab!\n")
    assert await tab.title() == "prefix Ab!"
    keys = await logged(tab, "keydown")
    assert len(keys) >= 8
    assert all(trusted for _kind, _where, trusted in keys)


async def test_press_knows_chords_and_refuses_unknown_keys(tab, site):
    await opened(
        tab,
        site,
        "<input id=i aria-label=Q value=hello><script>addEventListener('keydown', e => { document.title = [e.key, e.code, e.keyCode, e.ctrlKey, e.shiftKey] })</script>",
    )
    await tab.press("Control+A", "label=Q")
    assert await tab.evaluate("[i.selectionStart, i.selectionEnd]") == [0, 5]
    await tab.press("Shift+ArrowLeft")
    assert await tab.title() == "ArrowLeft,ArrowLeft,37,false,true"
    await tab.press("Delete", "label=Q")
    for key, wanted in (
        ("Escape", "Escape,Escape,27,false,false"),
        ("F2", "F2,F2,113,false,false"),
        ("+", "+,Equal,187,false,false"),
        ("Tab", "Tab,Tab,9,false,false"),
    ):
        await tab.press(key)
        assert await tab.title() == wanted
    with pytest.raises(BadRequest, match="Enter"):
        await tab.press("Entr")
    with pytest.raises(BadRequest, match="modifier"):
        await tab.press("Foo+A")


async def test_select_by_value_label_or_index_returns_the_final_selection(tab, site):
    await opened(
        tab,
        site,
        "<select id=s aria-label=S onchange='document.title=this.value'><option value=a>Apple<option value=b>Banana<option value=c disabled>Cherry</select><select multiple aria-label=M><option>1<option>2<option>3</select>",
    )
    assert (await tab.select("label=S", "b")).value == ["Banana"]
    assert await tab.title() == "b"
    assert (await tab.select("label=S", "Apple")).value == ["Apple"]
    assert (await tab.select("label=S", "#1")).value == ["Banana"]
    assert (await tab.select("label=M", "1", "3")).value == ["1", "3"]
    with pytest.raises(OptionNotFound, match="Apple, Banana, Cherry"):
        await tab.select("label=S", "Durian")
    with pytest.raises(Disabled):
        await tab.select("label=S", "Cherry")
    with pytest.raises(BadRequest):
        await tab.select("label=S", "a", "b")


async def test_select_works_on_a_combobox_made_of_other_elements(tab, site):
    await opened(
        tab,
        site,
        "<button role=combobox aria-haspopup=listbox aria-controls=l aria-expanded=false aria-label=Fruit id=c onclick='l.hidden = !l.hidden'>None</button>"
        "<ul id=l role=listbox hidden><li role=option>Apple</li><li role=option>Pear</li></ul>"
        "<script>l.addEventListener('click', e => { for (const o of l.children) o.ariaSelected = o === e.target; c.textContent = e.target.textContent; l.hidden = true })</script>",
    )
    assert (await tab.select("role=combobox", "Pear")).value == ["Pear"]
    assert await tab.evaluate("c.textContent") == "Pear"
    with pytest.raises(OptionNotFound, match="Apple, Pear"):
        await tab.select("role=combobox", "Plum")


async def test_check_and_uncheck_press_only_when_needed(tab, site):
    await opened(
        tab,
        site,
        "<label><input type=checkbox id=c> C</label><div role=switch style='height:20px' aria-checked=false aria-label=S tabindex=0 onclick=\"this.ariaChecked = this.ariaChecked !== 'true'\"></div><label><input type=radio name=r> R</label><label><input type=checkbox style='opacity:0;position:absolute' id=o><span style='display:inline-block;width:20px;height:20px'></span> Fancy</label>",
    )
    assert (await tab.check("label=C")).value is True
    await tab.check("label=C")
    assert len(await logged(tab, "change")) == 1
    assert (await tab.uncheck("label=C")).value is False
    assert (await tab.check("role=switch")).value is True
    assert (await tab.check("label=R")).value is True
    with pytest.raises(BadRequest, match="radio"):
        await tab.uncheck("label=R")
    assert (await tab.check("label=Fancy")).value is True
    with pytest.raises(NotEditable):
        await tab.check("css=body")


async def test_scrolling_says_how_far_and_when_nothing_moved(tab, site):
    await opened(
        tab,
        site,
        "<div id=d style='height:100px;overflow:auto'><div style='height:1000px'><button>In</button></div></div><div style='height:3000px'></div><button>End</button>",
    )
    assert (await tab.scroll(down=500)).down == 500
    assert (await tab.scroll(down=1.0)).down == 768
    assert (await tab.scroll(down=99999)).moved
    end = await tab.scroll(down=100)
    assert not end.moved
    assert end.at == end.end
    inside = await tab.scroll(down=50, target="text=In")
    assert inside.down == 50
    assert inside.container
    await tab.scroll_to("text=In")
    await tab.scroll_to("text=End")


async def test_the_report_tells_what_changed_and_nothing_else(tab, site):
    await opened(
        tab,
        site,
        "<p>Much text that stays.</p><button id=b onclick=\"s.textContent='Saved'; document.querySelector('input').value='x'\">Save</button><p role=status id=s></p><input aria-label=I>",
    )
    report = str(await tab.click("#b"))
    assert '+ "Saved"' in report
    assert '~ textbox "I"' in report
    assert "Much text" not in report
    await opened(tab, site, "<button>Idle</button>")
    assert str(await tab.click("text=Idle")).endswith("nothing else changed")


async def test_navigation_dialogs_and_popups_are_reported(tab, browser, site):
    second = site.page("<h1>Second</h1>", title="Second page")
    await opened(
        tab,
        site,
        f"<a href='{second}'>Link</a><a href='{second}' target=_blank>Popup</a><button onclick='confirm(\"Sure?\")'>Ask</button><button onclick='alert(\"Hi\")'>Greet</button>",
    )
    assert 'alert answered: "Hi"' in str(await tab.click("text=Greet"))
    report = str(await tab.click("text=Ask"))
    assert 'a confirm dialog is open: "Sure?"' in report
    await tab.answer_dialog(accept=True)
    assert "opened t" in str(await tab.click("text=Popup"))
    report = str(await tab.click("text=Link"))
    assert f'now at {second} "Second page"' in report


async def test_requests_started_by_an_action_are_waited_for(tab, site):
    data = site.page("data")
    await opened(
        tab,
        site,
        f"<button onclick=\"fetch('{data}').then(r => r.text()).then(() => setTimeout(() => {{ p.textContent = 'Loaded' }}, 0))\">Load</button><p role=status id=p></p>",
    )
    assert '+ "Loaded"' in str(await tab.click("text=Load"))


@pytest.mark.parametrize(
    ("target", "found"),
    [
        ("role=button[name='Save']", "s"),
        ('role=button[name="save as"]', "a"),
        ("aria/Save[role='button']", "s"),
        ('text="Save"', "s"),
        ("text/Cancel all", "c"),
        ("label=First name", "f"),
        ("label:First", "f"),
        ("placeholder=Search here", "p"),
        ("testid=submit-it", "t"),
        ("title=Close it", "x"),
        ("alt=Logo", "l"),
        ("//button[@id='c']", "c"),
        ("xpath=//button[@id='c']", "c"),
        ("xpath//html/body//button[@id='c']", "c"),
        ("css=#c", "c"),
        ("pierce/#deep", "deep"),
        ("p-text/Cancel all", "c"),
    ],
)
async def test_every_kind_of_target_finds_its_element(tab, site, target, found):
    await opened(
        tab,
        site,
        "<button id=s>Save</button><button id=a>Save as…</button><button id=c>Cancel all</button><label>First name <input id=f></label><input id=p placeholder='Search here'><button id=t data-testid=submit-it>T</button><button id=x title='Close it'>×</button><img id=l alt='Logo' src=data:,><x-a><template shadowrootmode=open><button id=deep>D</button></template></x-a>",
    )
    assert await tab.evaluate("element.id", target=target) == found


async def test_bad_targets_and_misses_are_told_apart(tab, site):
    await opened(
        tab,
        site,
        "<button>Save draft</button><button>Save</button><button>Delete</button><button>Delete</button>",
    )
    with pytest.raises(
        AmbiguousTarget, match=r"2 elements match .*@e\d+ button 'Delete', @e\d+ button 'Delete'"
    ):
        await tab.click("text=Delete")
    await tab.click("text=Delete", nth=1)
    with pytest.raises(TargetNotFound, match=r"near: .*'Save"):
        await tab.click("text=Save drafts now", timeout=5)
    for bad in ("p-foo/x", "button:has-text('x')", "role=", "text=", "a[", "foo/bar", "12,13,14x"):
        with pytest.raises((BadTarget, TargetNotFound)):
            await tab.click(bad, timeout=3)


async def test_a_ref_whose_node_is_replaced_between_check_and_click_is_followed_or_stale(tab, site):
    await opened(tab, site, "<button id=b>Go</button>")
    ref = (await tab.snapshot()).lines[0].split("@")[1].split()[0]
    await tab.evaluate(
        "void (document.querySelector('#b').outerHTML = '<button id=n onclick=\"document.title=1\">Go</button>')"
    )
    done = await tab.click(ref)
    assert done.notes
    assert await tab.title() == "1"
    await tab.evaluate("document.querySelector('#n').remove()")
    with pytest.raises(StaleRef):
        await tab.click(ref)


async def test_a_drag_with_the_mouse_moves_what_listens_for_it(tab, site):
    await opened(
        tab,
        site,
        "<div id=d style='width:50px;height:50px;background:red;position:absolute;left:20px;top:100px' onmousedown='on=1'></div><script>on=0; addEventListener('mousemove', e => { if (on) { d.style.left = e.clientX - 25 + 'px'; d.style.top = e.clientY - 25 + 'px' } }); addEventListener('mouseup', () => on = 0)</script>",
    )
    await tab.drag("#d", offset=(200, 80))
    assert await tab.evaluate("[parseInt(d.style.left), parseInt(d.style.top)]") == [220, 180]


async def test_a_drag_through_html_drag_and_drop_drops_its_data(tab, site):
    rows = "".join(f"<li id=r{n} draggable=true style='height:40px'>Row {n}</li>" for n in range(4))
    await opened(
        tab,
        site,
        f"<ul id=u>{rows}</ul><script>u.addEventListener('dragstart', e => e.dataTransfer.setData('text/plain', e.target.id)); u.addEventListener('dragover', e => e.preventDefault()); u.addEventListener('drop', e => {{ e.preventDefault(); const o = document.getElementById(e.dataTransfer.getData('text/plain')); const li = e.target.closest('li'); const r = li.getBoundingClientRect(); li.insertAdjacentElement(e.clientY < r.top + r.height / 2 ? 'beforebegin' : 'afterend', o) }})</script>",
    )
    order = "[...u.children].map(li => li.textContent).join()"
    await tab.drag("text=Row 0", "text=Row 2", where="after")
    assert await tab.evaluate(order) == "Row 1,Row 2,Row 0,Row 3"
    await tab.drag("text=Row 3", "text=Row 1", where="before")
    assert await tab.evaluate(order) == "Row 3,Row 1,Row 2,Row 0"


async def test_a_drag_that_the_browser_hands_over_late_is_dropped_all_the_same(tab, site, monkeypatch):
    await opened(
        tab,
        site,
        "<div id=a draggable=true style='width:80px;height:40px'>Thing</div><div id=b style='width:300px;height:200px'>Box</div>"
        "<script>a.ondragstart = e => e.dataTransfer.setData('text/plain', 'thing'); b.ondragover = e => e.preventDefault();"
        "b.ondrop = e => { b.textContent = 'got ' + e.dataTransfer.getData('text/plain') }</script>",
    )
    offer = EventStream.offer

    def late(stream, method, params):
        asyncio.get_running_loop().call_later(3 * INTERCEPT_SECONDS, offer, stream, method, params)

    monkeypatch.setattr(EventStream, "offer", late)
    await tab.drag("#a", "#b")
    assert await tab.evaluate("b.textContent") == "got thing"


async def test_text_can_be_selected_by_dragging(tab, site):
    await opened(tab, site, "<span id=p style='font:20px monospace'>Some words to select here</span>")
    await tab.drag("#p", offset=(120, 0))
    assert len(await tab.evaluate("String(getSelection())")) > 3


async def test_a_point_can_be_clicked(tab, site):
    await opened(
        tab,
        site,
        "<canvas id=c width=300 height=200 style='position:absolute;left:0;top:0' onclick='document.title = [event.clientX, event.clientY]'></canvas>",
    )
    await tab.click("120,80")
    assert await tab.title() == "120,80"
    with pytest.raises(TargetNotFound, match="outside"):
        await tab.click("9999,80")


async def test_a_tap_is_a_touch(tab, site):
    await opened(tab, site, "<button id=b ontouchstart='document.title=1'>Touch</button>")
    await tab.tap("#b")
    assert await tab.title() == "1"


async def test_a_crash_while_the_page_settles_is_an_error_and_never_a_success(tab, site):
    await opened(tab, site, "<button id=b>Go</button>")
    session = engine_of(tab).session
    post = session.post

    def crash_when_asked(method, **params):
        if "__boathook.conclude" in params.get("expression", ""):
            post("Page.crash").add_done_callback(lambda done: done.cancelled() or done.exception())
        return post(method, **params)

    session.post = crash_when_asked
    try:
        with pytest.raises(TabCrashed):
            await tab.click("#b")
    finally:
        session.post = post
    await tab.goto(site.page("<button>Back</button>"))
    assert 'button "Back"' in str(await tab.snapshot())


FRAMED = """<div style="height: 40px"></div><button onclick="this.textContent = 'Pressed'">Go</button><input id=q>
<iframe sandbox="allow-scripts" srcdoc="<button onclick=&quot;this.textContent = 'Boxed'&quot;>Sand</button>"></iframe>"""


@pytest.fixture
def neighbour():
    """A second server: another origin of the same site, so that its frames share the process of the page."""
    server = Site()
    yield server
    server.close()


async def test_frames_of_another_origin_in_the_same_process_are_acted_in_by_ref_and_by_name(
    tab, site, neighbour
):
    frame = f"<iframe src={neighbour.page(FRAMED)} style='margin: 50px; border: 7px solid; height: 400px'></iframe>"
    await tab.goto(site.page(f"<div style='height: 1200px'></div>{frame}"))
    ref = re.search(r'button "Go" (@e\d+)', str(await tab.snapshot())).group(1)
    assert f'button "Pressed" {ref} (was button "Go")' in str(await tab.click(ref))
    await tab.click("text=Pressed")
    assert str(await tab.fill("#q", "hello")).endswith('= "hello"\nnothing else changed')
    assert 'button "Boxed"' in str(await tab.click('role=button[name="Sand"]'))
    assert (await tab.wait_for("text=Boxed")).count == 1


async def test_a_link_is_opened_in_a_new_tab_and_the_page_stays(tab, site):
    second = site.page("<p>x</p>", title="Second")
    first = site.page(f"<a href='{second}'>Link</a>")
    await tab.goto(first)
    await tab.click("text=Link", new_tab=True)
    popup = await tab.wait_for_tab(timeout=30)
    await popup.wait_for_url(second)
    await popup.wait_for_load()
    assert (tab.url, await popup.title()) == (first, "Second")


async def test_typing_may_empty_the_field_first_and_take_its_time(tab, site):
    await tab.goto(
        site.page("<input aria-label=Name value=old oninput='(window.times ??= []).push(performance.now())'>")
    )
    await tab.type("label=Name", "abc", clear=True, delay=60)
    assert await tab.evaluate("document.querySelector('input').value") == "abc"
    assert await tab.evaluate("times.at(-1) - times.at(-3)") >= 110


async def test_a_tap_presses_a_button_that_knows_only_clicks(tab, site):
    await tab.goto(site.page("<button onclick='document.title=\"Pressed\"'>Press</button>"))
    await tab.tap("text=Press")
    await tab.wait_for_function("document.title === 'Pressed'", timeout=30)


async def test_a_drag_over_a_few_pixels_arrives_and_later_input_too(tab, site):
    await tab.goto(
        site.page(
            """<div id=from draggable=true style="height:8px;width:80px" ondragstart="event.dataTransfer.setData('text/plain', 'x')"></div>
            <div id=to style="height:8px;width:80px" ondragover="event.preventDefault()" ondrop="out.textContent = 'dropped'"></div>
            <p id=out></p><button id=go onclick="this.textContent = 'clicked'">Go</button>"""
        )
    )
    await tab.drag("#from", "#to")
    assert await tab.get_text("#out") == "dropped"
    await tab.click("#go")
    assert await tab.get_text("#go") == "clicked"
