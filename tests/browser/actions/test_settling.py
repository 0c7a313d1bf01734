"""When an action is over: as soon as the page has nothing pending, and not before what the page still has to do."""

import pytest

from tests.support.engine import engine_of

NOTHING = "nothing else changed"
DONE = "p.textContent='done'"

LATER = {
    "a microtask": f"Promise.resolve().then(()=>{DONE})",
    "a message": f"c=new MessageChannel();c.port1.onmessage=()=>{DONE};c.port2.postMessage(1)",
    "a message after a message": f"n=0;onmessage=()=>{{if(n++)return {DONE};postMessage(1)}};postMessage(1)",
    "a timer": f"setTimeout(()=>{DONE})",
    "a frame": f"requestAnimationFrame(()=>{DONE})",
    "a request": f"fetch(url).then(r=>r.text()).then(()=>{DONE})",
    "a data URL": f"fetch('data:,x').then(r=>r.text()).then(()=>{DONE})",
}
SLOW = {
    "a timer that takes a while": f"setTimeout(()=>{DONE},70)",
    "the frame after the next": f"requestAnimationFrame(()=>requestAnimationFrame(()=>{DONE}))",
    "an idle moment": f"requestIdleCallback(()=>{DONE})",
    "a timer after a message": f"onmessage=()=>setTimeout(()=>{DONE},30);postMessage(1)",
    "a task with a priority": f"scheduler.postTask(()=>{DONE},{{priority:'background'}})",
    "a worker": f"w.onmessage=()=>{DONE};w.postMessage(1)",
    "a digest": f"crypto.subtle.digest('SHA-256',new Uint8Array(9)).then(()=>{DONE})",
    "a size that is observed": f"new ResizeObserver(()=>{DONE}).observe(p)",
    "a frame of the same site": f"f.contentWindow.setTimeout(()=>{DONE},50)",
}


async def report_of(tab, site, does):
    """Click a button that does this, and give the lines after the first."""
    page = (
        f"<p id=q>-</p><p id=p>-</p><iframe id=f hidden srcdoc=x></iframe><script>url='{site.url('')}';"
        "w=new Worker(URL.createObjectURL(new Blob(['onmessage=()=>postMessage(1)'])));w.postMessage(0)</script>"
        f'<button id=b onclick="{does}">Go</button>'
    )
    await tab.goto(
        site.page(
            page if "f.contentWindow" in does else page.replace("<iframe id=f hidden srcdoc=x></iframe>", "")
        )
    )
    return str(await tab.click("#b")).split("\n", 1)[1]


@pytest.mark.parametrize("name", [*LATER, *SLOW])
async def test_what_a_click_causes_later_is_reported(lasting_tab, site, name):
    assert '~ text "done"' in await report_of(lasting_tab, site, (LATER | SLOW)[name])


@pytest.mark.parametrize("name", LATER)
async def test_what_follows_the_first_change_is_reported_too(lasting_tab, site, name):
    report = await report_of(lasting_tab, site, f"q.textContent='Saving';{LATER[name]}")
    assert '~ text "Saving"' in report
    assert '~ text "done"' in report


@pytest.mark.parametrize(
    "does",
    [
        "location.href=next",
        "l.click()",
        "g.submit()",
        "g.requestSubmit()",
        "location.replace(next)",
        "history.back()",
    ],
)
async def test_a_navigation_that_follows_a_change_is_waited_for(tab, site, does):
    there = site.page("<p>There", title="There")
    await tab.goto(there)
    await tab.goto(
        site.page(
            f"<p id=p>-</p><a id=l href='{there}'>x</a><form id=g action='{there}'></form><script>next='{there}'</script>"
            f"<button id=b onclick=\"p.textContent='Leaving';{does}\">Go</button>"
        )
    )
    report = str(await tab.click("#b"))
    assert "There" in report
    assert await tab.title() == "There"


COUNT_FRAMES = """(() => {
  const ask = globalThis.requestAnimationFrame;
  globalThis.awaited = 0;
  globalThis.requestAnimationFrame = (work) => ask((time) => { globalThis.awaited++; work(time); });
})()"""


@pytest.mark.parametrize(
    ("does", "waits"),
    [
        (DONE, False),
        (f"setTimeout(()=>{DONE});setTimeout(()=>{{}},90)", True),
        ("p.innerHTML='<b>done</b>'", True),
        ("", True),
    ],
)
async def test_a_frame_is_waited_for_only_when_something_may_follow(tab, site, does, waits):
    await tab.goto(site.page(f'<p id=p>-</p><button id=b onclick="{does}">Go</button>'))
    frames = engine_of(tab).frames
    await frames.run(frames.main, COUNT_FRAMES)
    report = str(await tab.click("#b"))
    awaited = (await frames.run(frames.main, "awaited"))["result"]["value"]
    assert (awaited > 0) is waits
    assert ("done" in report) is bool(does)


@pytest.mark.parametrize(("does", "waits"), [("", False), (f"setTimeout(()=>{DONE},20)", True)])
async def test_a_changed_value_is_the_answer_of_a_page_with_nothing_pending(tab, site, does, waits):
    await tab.goto(site.page(f'<p id=p>-</p><label><input type=checkbox onchange="{does}">Gift</label>'))
    frames = engine_of(tab).frames
    await frames.run(frames.main, COUNT_FRAMES)
    report = str(await tab.check("label=Gift"))
    assert ((await frames.run(frames.main, "awaited"))["result"]["value"] > 0) is waits
    assert ("done" in report) is waits


async def test_a_press_that_removes_its_element_is_not_waited_for_by_its_click(tab, site):
    await tab.goto(site.page("<button id=b onmousedown='this.remove()'>Close</button>"))
    done = await tab.click("#b", timeout=3)
    assert '- button "Close"' in str(done)


async def test_a_handler_that_blocks_the_page_is_not_taken_for_a_click_that_was_not_received(tab, site):
    slow = "const t=performance.now();while(performance.now()-t<1900);"
    await tab.goto(
        site.page(f"<p id=p>-</p><button id=b onmousedown='{slow}' onclick=\"{DONE}\">Go</button>")
    )
    assert '~ text "done"' in str(await tab.click("#b"))
