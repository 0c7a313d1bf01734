"""What Playwright does on a bare Chromium and used to fail through the relay."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager

import pytest

from tests.extension.test_playwright import connected
from tests.support.waiting import until

SECONDS = 20_000
LOST = (
    "file:///etc/hostname",
    "view-source:{url}",
    "chrome://version",
    "about:version",
    "devtools://devtools/x",
)
EXTENSIONS = (
    "chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html",
    " CHROME-EXTENSION://abcdefgh/x",
)


@asynccontextmanager
async def own_page(relay, playwright):
    """A program with a tab that it opened."""
    async with connected(relay, playwright) as browser:
        page = await browser.contexts[0].new_page()
        page.set_default_timeout(SECONDS)
        yield page
        if not page.is_closed():
            await page.close()


@pytest.fixture
async def page(pair, playwright):
    async with own_page(pair[0], playwright) as page:
        yield page


async def test_a_tab_can_be_led_to_a_data_url_and_on_from_there(page, site):
    seen = []
    page.on("request", lambda request: seen.append(request.url))
    page.on("framenavigated", lambda frame: seen.append(frame.url))
    url = (
        "data:text/html,<title>Data</title><h1>here</h1><script>place = location.href + ' ' + origin</script>"
    )
    for _ in "ab":
        seen.clear()
        assert await page.goto(url) is None
        assert await page.title() == "Data"
        assert await page.evaluate("place") == f"{page.url} null"
        assert seen == [page.url], "no other request, and one navigation"
        assert page.url.startswith("data:text/html,")
    await page.reload()
    assert await page.inner_text("h1") == "here"
    next_url = site.page("<h1>next</h1>")
    await page.goto(next_url)
    assert await page.inner_text("h1") == "next"
    await page.go_back()
    assert await page.inner_text("h1") == "here"


async def test_a_data_url_opens_beside_routes_and_limits_of_sites(pair, page, site):
    _, chrome = pair
    await page.route("**/*", lambda route: route.continue_())
    await page.goto("data:text/html,<h1>routed</h1>")
    assert await page.inner_text("h1") == "routed"
    await page.unroute_all()
    await chrome.change_settings(allow=["127.0.0.1"], deny=["denied.test"])
    await until(lambda: pair[0].profile.settings.get("allow") == ["127.0.0.1"], named="limits are known")
    await page.goto("data:text/html,<h1>limited</h1>")
    assert await page.inner_text("h1") == "limited"
    with pytest.raises(Exception, match=r"denied|ERR_"):
        await page.goto("http://denied.test/")
    assert await page.inner_text("h1") == "limited", "the control: other sites are still out of reach"


async def test_a_url_where_no_debugger_is_allowed_is_refused_and_the_tab_stays(page, site):
    url = site.page("<h1>still here</h1>")
    await page.goto(url)
    for wanted in (*LOST, *EXTENSIONS):
        with pytest.raises(Exception, match="no debugger at"):
            await page.goto(wanted.replace("{url}", url))
        assert await page.inner_text("h1") == "still here"
    assert page.url == url


@pytest.mark.parametrize(
    "script", ["window.open('about:blank').close()", "window.open(location.href).close()"]
)
async def test_a_popup_that_is_closed_at_once_is_announced(page, site, script):
    await page.goto(site.page("opener"))
    async with page.expect_popup(timeout=SECONDS) as coming:
        await page.evaluate(f"() => {{ {script} }}")
    popup = await coming.value
    await until(popup.is_closed, named="it is closed")
    async with page.expect_popup(timeout=SECONDS) as coming:
        await page.evaluate("() => { kept = window.open('about:blank') }")
    kept = await coming.value
    assert not kept.is_closed(), "the control: one that stays is announced as open, once"
    assert len(page.context.pages) == len({id(known) for known in page.context.pages})
    await kept.close()


async def test_a_popup_with_an_alert_is_announced(page, site):
    await page.goto(site.page("opener"))
    asked = asyncio.ensure_future(page.evaluate("() => { window.open('').alert('hello') }"))
    popup = await page.wait_for_event("popup", timeout=SECONDS)
    await asyncio.wait_for(asked, SECONDS / 1000)
    await popup.close()


async def test_a_navigation_that_is_overridden_is_reported_once(page, site):
    await page.goto(site.page("before"))
    seen = []
    page.on("request", lambda request: seen.append(f"request {request.url}"))
    page.on("requestfailed", lambda request: seen.append(f"failed {request.url}"))
    page.on("framenavigated", lambda frame: seen.append(f"navigated {frame.url}"))
    never, last = site.url("never"), site.page("last")
    async with page.expect_request(never):
        overridden = asyncio.ensure_future(page.goto(never))
    await page.goto(last)
    with pytest.raises(Exception, match=r"ERR_ABORTED|interrupted"):
        await overridden
    assert seen == [f"request {never}", f"failed {never}", f"request {last}", f"navigated {last}"]


@pytest.mark.parametrize("levels", [100, 140])
async def test_a_deep_document_is_read_at_once(page, site, levels):
    await page.goto(site.page("<div>" * levels + "<b id=inner>deep</b>"))
    session = await page.context.new_cdp_session(page)
    root = (await asyncio.wait_for(session.send("DOM.getDocument", {"depth": -1}), 20))["root"]
    depth, inner = deepest(root)
    assert depth >= levels + 2
    assert inner["attributes"] == ["id", "inner"]
    html = await session.send("DOM.getOuterHTML", {"nodeId": inner["nodeId"]})
    assert html["outerHTML"] == '<b id="inner">deep</b>', "its numbers are Chrome's"
    found = await session.send("Runtime.evaluate", {"expression": "document"})
    asked = {"objectId": found["result"]["objectId"], "depth": -1, "pierce": True}
    described = (await asyncio.wait_for(session.send("DOM.describeNode", asked), 20))["node"]
    assert deepest(described)[0] == depth
    limited = (await session.send("DOM.getDocument", {"depth": 50}))["root"]
    assert json.dumps(limited).count('"nodeName": "DIV"') == 48, "no deeper than asked for"


def deepest(node, depth=0):
    """The last element on the way down."""
    while node.get("children"):
        below = [child for child in node["children"] if child["nodeType"] == 1]
        if not below:
            break
        node, depth = below[-1], depth + 1
    return depth, node


async def test_input_in_a_tab_behind_others_does_not_wait_for_seconds(page, site):
    """Chrome paints such a tab once a second, and each movement of the mouse waits for that."""
    inner = site.page("<button>inner</button>").replace(site.origin, site.other_origin)
    await page.goto(site.page(f"<button>outer</button><iframe src='{inner}'></iframe>"))
    await page.set_viewport_size({"width": 700, "height": 500})
    began = asyncio.get_running_loop().time()
    for number in range(30):
        await page.mouse.move(20 + number, 20)
    assert asyncio.get_running_loop().time() - began < 15, "30 movements, at one a second 30 s"
    frame = next(frame for frame in page.frames if frame.url == inner)
    await frame.evaluate("addEventListener('click', () => document.title = 'clicked')")
    await frame.click("button")
    await frame.wait_for_function("document.title === 'clicked'")
