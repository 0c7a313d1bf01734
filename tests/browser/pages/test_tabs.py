"""Tabs: ids that last, labels, popups, isolation, background work."""

import asyncio

import pytest

import boathook
from boathook.errors import BadRequest, TargetNotFound
from tests.support.engine import engine_of
from tests.support.popups import next_tab
from tests.support.waiting import until


async def test_tab_ids_are_never_reused(browser_with):
    started = await browser_with()
    first, second = await started.open(), await started.open()
    assert (first.id, second.id) == ("t1", "t2")
    await second.close()
    third = await started.open()
    assert third.id == "t3"
    assert [tab.id for tab in await started.tabs()] == ["t1", "t3"]


async def test_a_tab_is_found_by_id_label_and_target(browser, site):
    tab = await browser.open(site.page("x"), label="shop")
    try:
        for name in (tab.id, "shop", engine_of(tab).target_id):
            assert (await browser.tab(name)).id == tab.id
        with pytest.raises(TargetNotFound, match=tab.id):
            await browser.tab("nonesuch")
    finally:
        await tab.close()


async def test_a_popup_is_adopted_with_an_id_of_its_own(tab, browser, site):
    popup_url = site.page("<h1>Popup</h1>", title="Popup")
    await tab.goto(site.page("x"))
    await tab.evaluate(f"window.open({popup_url!r}) && 0")
    popup = await next_tab(browser, opener=tab.id)
    await popup.wait_for_url(popup_url)
    await popup.wait_for_load()
    assert "Popup" in str(await popup.snapshot())
    assert popup.id != tab.id


async def test_isolated_tabs_do_not_share_cookies(browser, site):
    url = site.page("x")
    one, two = await browser.open(url, isolated=True), await browser.open(url, isolated=True)
    try:
        await one.evaluate("document.cookie = 'secret=1'")
        assert await one.evaluate("document.cookie") == "secret=1"
        assert await two.evaluate("document.cookie") == ""
    finally:
        await one.close()
        await two.close()


async def test_an_isolated_context_ends_with_its_tab(browser, site):
    async def contexts():
        return (await engine_of(browser).connection.send("Target.getBrowserContexts"))["browserContextIds"]

    before = await contexts()
    tab = await browser.open(site.page("x"), isolated=True)
    assert len(await contexts()) == len(before) + 1
    await tab.close()
    assert await contexts() == before


async def test_frames_keep_their_handles_while_their_documents_change(tab, site):
    inner = site.page("<p>one</p>")
    await tab.goto(site.page(f"<iframe name=side id=f src='{inner}'></iframe>"))
    top, side = await tab.frames()
    assert (top.handle, side.parent, side.name, side.url) == ("f1", "f1", "side", inner)
    other = site.page("<p>two</p>").replace("127.0.0.1", "localhost")
    await tab.evaluate(f"new Promise(done => {{ f.onload = () => done(); f.src = '{other}' }})")
    await tab.snapshot()
    assert [(frame.handle, frame.url) for frame in await tab.frames()] == [
        ("f1", top.url),
        (side.handle, other),
    ]


async def test_background_tabs_stay_drivable(browser, site):
    page = site.page("<button onclick=1>x</button>")
    background, front = await browser.open(page), await browser.open(page)
    try:
        frames = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(document.hasFocus()))))"
        assert await background.evaluate(frames, timeout=30) is True
        assert await front.evaluate(frames, timeout=30) is True
        seen = "new Promise(done => new IntersectionObserver(entries => done(entries[0].isIntersecting)).observe(document.body))"
        assert await background.evaluate(seen, timeout=30) is True
        assert (await background.screenshot()).data.startswith(b"\x89PNG")
    finally:
        await background.close()
        await front.close()


async def test_calls_on_several_tabs_run_side_by_side(browser, site):
    tabs = await asyncio.gather(*(browser.open(site.page(f"<button>B{n}</button>")) for n in range(5)))
    try:
        views = await asyncio.gather(*(tab.snapshot() for tab in tabs))
        assert [f'"B{n}"' in str(view) for n, view in enumerate(views)] == [True] * 5
        refs = [line.split("@")[1] for view in views for line in view.lines]
        assert len(refs) == len(set(refs)) == 5
    finally:
        for tab in tabs:
            await tab.close()


async def test_the_default_viewport_is_what_the_page_sees(tab, site):
    await tab.goto(site.page("x"))
    assert await tab.evaluate("[innerWidth, innerHeight, devicePixelRatio]") == [1365, 768, 1]


async def test_a_viewport_can_be_chosen(browser_with):
    started = await browser_with(viewport=boathook.Viewport(width=800, height=600, scale=2))
    tab = await started.open()
    assert await tab.evaluate("[innerWidth, innerHeight, devicePixelRatio]") == [800, 600, 2]


async def test_the_page_does_not_learn_that_our_script_world_exists(tab, site):
    await tab.goto(site.page("<button>Go</button>"))
    await tab.snapshot()
    assert await tab.evaluate("Object.keys(globalThis).filter(name => /boathook/i.test(name))") == []
    assert await tab.evaluate("'__boathook' in globalThis") is False
    assert await tab.evaluate("'__boathook' in globalThis", world="isolated") is True


async def test_neither_runtime_nor_console_domain_is_enabled_by_a_snapshot_of_a_public_page(
    browser_with, site
):
    started = await browser_with(switches=["--host-resolver-rules=MAP public.example 127.0.0.1"])
    tab = await started.open()
    sent = []
    engine_of(tab).session.connection.on_traffic, before = (
        lambda direction, _session, message: sent.append(message) if direction == "sent" else None,
        engine_of(tab).session.connection.on_traffic,
    )
    try:
        await tab.goto(site.page("<button>Go</button>").replace("127.0.0.1", "public.example"))
        await tab.snapshot()
        looked = list(sent)
        await tab.console()
    finally:
        engine_of(tab).session.connection.on_traffic = before
    assert any(b"Runtime.evaluate" in message for message in looked)
    assert not any(b"Runtime.enable" in message or b"Console.enable" in message for message in looked)
    assert any(b"Runtime.enable" in message for message in sent), "the positive control"


async def test_opens_of_one_name_at_the_same_time_give_one_tab(browser, site):
    pages = [site.page(f"<p>{number}</p>") for number in range(4)]
    before = len(await browser.tabs())
    opened = await asyncio.gather(*(browser.open(page, label="main") for page in pages))
    assert {tab.id for tab in opened} == {opened[0].id}
    assert len(await browser.tabs()) == before + 1
    assert opened[0].url in pages
    again = await browser.open(label="main")
    assert (again.id, again.url) == (opened[0].id, opened[0].url)
    with pytest.raises(BadRequest, match="not isolated"):
        await browser.open(label="main", isolated=True)
    await again.close()
    reopened = await browser.open(label="main")
    assert reopened.id != again.id
    await reopened.close()


async def test_a_storm_of_popups_ends_after_a_few_and_is_counted(tab, browser, site):
    await tab.goto(site.page("<p>storm</p>"))
    before = {known.id for known in await browser.tabs()}
    for _ in range(8):
        # A gesture for each: without one Chromium itself opens none.
        await engine_of(tab).session.send(
            "Runtime.evaluate", expression="void window.open('/')", userGesture=True
        )
    await until(lambda: "5 were closed" in "".join(engine_of(tab).news), named="five of eight are refused")
    await until(lambda: len(engine_of(tab).popups) == 0, named="three are adopted")
    opened = [known for known in await browser.tabs() if known.id not in before]
    assert [known.opener for known in opened] == [tab.id] * 3
    assert "keeps opening tabs: 5 were closed" in str(await tab.snapshot())
    for known in opened:
        await known.close()


async def test_a_window_for_signing_in_is_followed_and_returned_from(tab, browser, site):
    script = "opener.postMessage('token', '*'); window.close()"
    window = site.page(f'<h1>Allow this?</h1><button onclick="{script}">Allow</button>')
    page = f"""<button onclick="window.open('{window}', 'sign-in', 'width=400,height=300')">Sign in</button><p role=status>
    <script>onmessage = event => {{ document.querySelector('p').textContent = 'Hello, ' + event.data }}</script>"""
    await tab.goto(site.page(page))
    report = str(await tab.click("text=Sign in"))
    popup = await tab.wait_for_tab()
    assert f"opened {popup.id}" in report
    await popup.wait_for_url(window)
    await popup.wait_for_load()
    assert 'heading "Allow this?"' in str(await popup.snapshot())
    assert "the tab was closed" in str(await popup.click("text=Allow"))
    await tab.wait_for_text("Hello, token")
    assert popup.id not in {known.id for known in await browser.tabs()}


async def test_a_press_that_closes_its_own_window_is_made_though_its_answer_is_lost(tab, browser, site):
    window = site.page('<button onmousedown="window.close()">Gone</button>')
    await tab.goto(site.page(f"<button onclick=\"window.open('{window}')\">Open</button>"))
    await tab.click("text=Open")
    popup = await tab.wait_for_tab()
    await popup.wait_for_url(window)
    await popup.wait_for_load()
    assert "the tab was closed" in str(await popup.click("text=Gone"))
