"""What the user has limited holds, whatever way a program tries."""

from __future__ import annotations

import pytest

from boathook.relay.rules import user_limits
from tests.extension.chrome import RawClient
from tests.support.waiting import until, until_asked

AUTO = {"autoAttach": True, "flatten": True, "waitForDebuggerOnStart": False}


async def driving(pair, url, **settings):
    """A raw client with a session on the tab at this URL, under these settings."""
    relay, chrome = pair
    await chrome.open(url)
    tab = await relay.has_tab(url)
    await until(lambda: tab.status == "complete", named="it is loaded")
    await chrome.change_settings(**settings)
    await until(
        lambda: all(relay.profile.settings.get(name) == value for name, value in settings.items()),
        named="the relay knows the settings",
    )
    client = await RawClient.connect(relay.url)
    await client.send("Target.setAutoAttach", AUTO)
    session = next(
        event["sessionId"]
        for event in client.seen("Target.attachedToTarget")
        if event["targetInfo"]["url"] == url
    )
    return client, session


async def run(client, session, expression, **more):
    return await client.send(
        "Runtime.evaluate",
        {"expression": expression, "returnByValue": True, "userGesture": True, **more},
        session=session,
    )


PAGE = (
    "<button onclick='document.title=\"clicked\"'>Press</button><p id=p>words</p><a href='/given/0'>away</a>"
)
CHANGES = [
    "document.querySelector('button').click()",
    "location = '/given/0'",
    "location.href = '/given/0'",
    "fetch('/given/0')",
    "document.title = 'changed'",
    "localStorage.setItem('a', 'b')",
    "document.cookie = 'a=b'",
    "history.pushState({}, '', '/elsewhere')",
    "setTimeout(() => { document.title = 'changed' }, 0)",
    "queueMicrotask(() => { document.title = 'changed' })",
    "Promise.resolve().then(() => { document.title = 'changed' })",
    "(async () => { await 0; document.title = 'changed' })()",
    "(async () => { for await (const x of [1]) document.title = 'changed' })()",
    "new Promise(done => done()).then(() => { document.title = 'changed' })",
    "({ get other() { document.title = 'changed' } })",
    "({ get then() { document.title = 'changed' } })",
    "({ then(done) { document.title = 'changed'; done() } })",
    "Promise.resolve({ then(done) { document.title = 'changed'; done() } })",
    "new Function('document.title = \"changed\"')()",
    "eval('document.title = \"changed\"')",
    "[1].map(() => { document.title = 'changed' })",
    "Reflect.set(document, 'title', 'changed')",
    "Object.getOwnPropertyDescriptor(Document.prototype, 'title').set.call(document, 'changed')",
    "Reflect.apply(HTMLElement.prototype.click, document.querySelector('button'), [])",
    "new MutationObserver(() => { document.title = 'changed' }).observe(document, {childList: true})",
    "requestAnimationFrame(() => { document.title = 'changed' })",
    "addEventListener('focus', () => { document.title = 'changed' })",
    "new Worker('data:text/javascript,1')",
    "import('/given/0')",
    "open('/given/0')",
    "document.body.append('more')",
    "window.leaked = 1",
    "navigator.sendBeacon('/given/0', 'x')",
    "new Image().src = '/given/0?image'",
    "`${{ toString() { document.title = 'changed' } }}`",
    "JSON.stringify({ toJSON() { document.title = 'changed' } })",
    "[3, 1].sort(() => { document.title = 'changed'; return 0 })",
    "new Proxy({}, { get() { document.title = 'changed' } }).x",
    "new FinalizationRegistry(() => { document.title = 'changed' }).register({})",
    "(function* () { document.title = 'changed' })().next()",
]


async def test_case_28_read_only_lets_nothing_change(pair, site):
    relay, chrome = pair
    url = site.page(PAGE, title="Untouched")
    client, session = await driving(pair, url, readOnly=True)
    try:
        text = await run(client, session, "document.querySelector('p').innerText + document.title")
        assert text["result"]["value"] == "wordsUntouched"
        target = next(target for target in await chrome.targets() if target["url"] == url)
        await chrome.settled(target)
        state = "[document.title, location.href, document.cookie, localStorage.length, document.body.childNodes.length, window.leaked, history.length, performance.getEntriesByType('resource').length].join()"
        before = await chrome.evaluate(target, state)
        passed = []
        for script in CHANGES:
            for more in ({}, {"awaitPromise": True}, {"throwOnSideEffect": False}):
                await run(client, session, script, **more)
            await chrome.evaluate(target, "new Promise(done => setTimeout(done, 5))")
            if await chrome.evaluate(target, state) != before:
                passed.append(script)
                before = await chrome.evaluate(target, state)
        assert passed == []
        for method, params in (
            ("Input.dispatchMouseEvent", {"type": "mousePressed", "x": 5, "y": 5}),
            ("Input.insertText", {"text": "x"}),
            ("DOM.setOuterHTML", {"nodeId": 1, "outerHTML": ""}),
            ("Page.navigate", {"url": url}),
            ("Page.addScriptToEvaluateOnNewDocument", {"source": "document.title = 'changed'"}),
            ("Runtime.runScript", {"scriptId": "1"}),
            ("Debugger.evaluateOnCallFrame", {"callFrameId": "1", "expression": "1"}),
            ("Network.setCookie", {"name": "a", "value": "b", "url": url}),
            ("Storage.clearDataForOrigin", {"origin": site.origin, "storageTypes": "all"}),
            ("Runtime.compileScript", {"expression": "1", "sourceURL": "", "persistScript": True}),
            ("Made.up", {}),
            ("Fetch.enable", {}),
            ("WebAuthn.enable", {}),
        ):
            assert "read-only access" in await client.error(method, params, session=session)
        await chrome.evaluate(target, "window.former = 1")
        await client.send(
            "Page.reload", {"scriptToEvaluateOnLoad": "document.title = 'changed'"}, session=session
        )
        await chrome.settled(target, "!window.former && document.title")
        assert await chrome.evaluate(target, "document.title") == "Untouched"
        before = await chrome.evaluate(target, state)
        assert "new tabs" in await client.error("Target.createTarget", {"url": url})
        tab = await relay.has_tab(url)
        assert "closing" in await client.error("Target.closeTarget", {"targetId": tab.target_id})
        assert await chrome.evaluate(target, state) == before
        await chrome.change_settings(readOnly=False)
        await until(lambda: not relay.profile.settings["readOnly"], named="the limit is gone")
        await run(client, session, CHANGES[0])
        assert await chrome.evaluate(target, "document.title") == "clicked", (
            "the control: without the limit it works"
        )
    finally:
        await client.close()


async def test_case_28_playwright_reads_over_a_session_of_its_own_in_read_only(pair, site, playwright):
    relay, _ = pair
    url = site.page(PAGE, title="Untouched")
    client, _session = await driving(pair, url, readOnly=True)
    await client.close()
    browser = await playwright.chromium.connect_over_cdp(relay.url)
    try:
        page = next(page for page in browser.contexts[0].pages if page.url == url)
        reading = await page.context.new_cdp_session(page)
        text = await reading.send("Runtime.evaluate", {"expression": "document.body.innerText"})
        assert "words" in text["result"]["value"]
        assert (await reading.send("Page.captureScreenshot"))["data"]
        # Playwright's own helper script counts as a side effect, so its `evaluate` is refused as a whole.
        with pytest.raises(Exception, match=r"(?i)side.?effect"):
            await page.evaluate("document.title = 'changed'")
        with pytest.raises(Exception, match=r"(?i)side.?effect|read-only access|Timeout"):
            await page.click("button", timeout=3000)
        title = await reading.send("Runtime.evaluate", {"expression": "document.title"})
        assert title["result"]["value"] == "Untouched"
    finally:
        await browser.close()


WAYS_OUT = [
    "location = AWAY",
    "location.replace(AWAY)",
    "document.querySelector('a').click()",
    "history.back()",
    "void navigation.navigate(AWAY).committed.catch(() => 0)",
    "void open(AWAY, '_self')",
    "location = '/redirect?to=' + encodeURIComponent(AWAY)",
    "document.head.innerHTML = `<meta http-equiv=refresh content='0;url=${AWAY}'>`",
    "document.body.innerHTML = `<form action='${AWAY}'></form>`; document.forms[0].submit()",
    "document.body.innerHTML = `<form method=post action='${AWAY}'></form>`; document.forms[0].submit()",
    "document.body.innerHTML = `<iframe srcdoc=\"<script>top.location = '${AWAY}'</script>\"></iframe>`",
]


async def test_case_29_a_locked_tab_stays_where_it_is(pair, site):
    relay, chrome = pair
    away = site.page("elsewhere", title="Elsewhere")
    first = site.page("first")
    url = site.page(f"<a href='{away}'>away</a>", title="Locked")
    opened = await chrome.open(first)
    await relay.has_tab(first)
    await chrome.command(opened["webSocketDebuggerUrl"], "Page.navigate", url=url)
    client, session = await _locked(pair, url)
    try:
        for method, params in (
            ("Page.navigate", {"url": away}),
            ("Page.navigateToHistoryEntry", {"entryId": 0}),
            ("Page.setDocumentContent", {"frameId": "x", "html": ""}),
            ("Page.resetNavigationHistory", {}),
            ("Fetch.continueRequest", {"requestId": "x", "url": away}),
        ):
            assert "locked" in await client.error(method, params, session=session)
        assert "locked" in await client.error("Target.createTarget", {"url": away})
        target = next(target for target in await chrome.targets() if target["id"] == opened["id"])
        for script in WAYS_OUT:
            asked = len(site.requests)
            await run(client, session, script.replace("AWAY", f"'{away}'"))
            await chrome.settled(target, "new Promise(done => setTimeout(() => done(true), 150))")
            assert await chrome.evaluate(target, "location.href") == url, script
            assert not [path for path in site.requests[asked:] if away.endswith(path)], script
            await chrome.evaluate(target, "window.former = 1")
            await client.send("Page.reload", session=session)
            await until(
                lambda asked=asked: any(url.endswith(path) for path in site.requests[asked:]),
                named="reloading is allowed",
            )
            await chrome.settled(target, "!window.former && document.links.length === 1")
        await chrome.change_settings(lockUrl=False)
        await until(lambda: not relay.profile.settings["lockUrl"], named="the lock is off")
        await run(client, session, f"location = '{away}'")
        await relay.has_tab(away)  # the control
    finally:
        await client.close()


async def _locked(pair, url):
    relay, chrome = pair
    tab = await relay.has_tab(url)
    await until(lambda: tab.status == "complete", named="it is loaded")
    await chrome.change_settings(lockUrl=True)
    await until(lambda: relay.profile.settings.get("lockUrl"), named="the lock is on")
    client = await RawClient.connect(relay.url)
    await client.send("Target.setAutoAttach", AUTO)
    session = next(
        event["sessionId"]
        for event in client.seen("Target.attachedToTarget")
        if event["targetInfo"]["url"] == url
    )
    assert (await run(client, session, "document.title"))["result"]["value"] == "Locked"
    return client, session


async def test_case_30_no_new_tabs(pair, site):
    relay, chrome = pair
    wanted = site.page("unwanted")
    url = site.page(f"<a href='{wanted}' target=_blank>open</a>")
    client, session = await driving(pair, url, noNewTabs=True)
    try:
        assert "new tabs" in await client.error("Target.createTarget", {"url": wanted})
        assert (await run(client, session, "1"))["result"]["value"] == 1
        # The user's own new tab, and a tab in front that Chrome takes for the opener of what the driven one opens.
        driven = (await relay.has_tab(url)).tab_id
        await chrome.in_worker(
            f"chrome.tabs.create({{url: 'chrome://version/', openerTabId: {driven}}}).then(() => 1)"
        )
        await chrome.open(site.page("in front"))
        for script in (f"void window.open('{wanted}')", "document.querySelector('a').click()"):
            count = "chrome.tabs.query({}).then(all => all.length)"
            before = await chrome.in_worker(count)
            await chrome.in_worker("self.made = []; chrome.tabs.onRemoved.addListener(id => made.push(id))")
            await run(client, session, script)
            await until_asked(lambda: chrome.in_worker("made.length"), named="a tab is taken away")
            assert await chrome.in_worker(count) == before
        assert "chrome://version/" in {target["url"] for target in await chrome.targets()}, (
            "the user's own stays"
        )
        await chrome.change_settings(noNewTabs=False)
        await until(lambda: not relay.profile.settings["noNewTabs"], named="the limit is gone")
        await client.send("Target.createTarget", {"url": wanted})
        await relay.has_tab(wanted)
    finally:
        await client.close()


async def test_one_program_at_a_time(pair, site, monkeypatch):
    relay, _chrome = pair
    url = site.page("shared", title="Shared")
    client, session = await driving(pair, url, oneProgram=True)
    other = await RawClient.connect(f"{relay.url}?label=other")
    try:
        assert (await run(client, session, "document.title"))["result"]["value"] == "Shared"
        await other.send("Target.setAutoAttach", AUTO)
        theirs = other.seen("Target.attachedToTarget")[-1]["sessionId"]
        for refused in (
            await other.error("Runtime.evaluate", {"expression": "1"}, session=theirs),
            await other.error("Target.createTarget", {"url": "about:blank"}),
        ):
            assert "is at work, and the user allows one program at a time" in refused
        monkeypatch.setattr(user_limits, "TURN_SECONDS", 0)
        assert (await run(other, theirs, "1"))["result"]["value"] == 1, "the first one was idle"
        monkeypatch.undo()
        assert "other is at work" in await client.error(
            "Runtime.evaluate", {"expression": "1"}, session=session
        )
        await other.close()
        await until(lambda: len(relay.profile.clients) == 1, named="the other one has disconnected")
        assert (await run(client, session, "1"))["result"]["value"] == 1
    finally:
        await client.close()
        await other.close()


async def test_tabs_of_programs_open_in_a_window_of_their_own(pair, site):
    relay, chrome = pair
    url, first, second = (site.page(name, title=name) for name in ("users", "first", "second"))
    client, _session = await driving(pair, url, ownWindow=True)
    windows = (
        "chrome.windows.getAll({populate: true}).then(all => all.map(one =>"
        " one.tabs.map(tab => tab.pendingUrl || tab.url)))"
    )
    try:
        before = await chrome.in_worker(windows)
        for wanted in (first, second):
            await client.send("Target.createTarget", {"url": wanted})
            await relay.has_tab(wanted)
        assert await chrome.in_worker(windows) == [*before, [first, second]]
        for wanted in (first, second):
            tab = await relay.has_tab(wanted)
            await client.send("Target.closeTarget", {"targetId": tab.target_id})
        await until_asked(lambda: _is(chrome, windows, before), named="their window is closed with them")
        await client.send("Target.createTarget", {"url": first})
        await relay.has_tab(first)
        assert await chrome.in_worker(windows) == [*before, [first]], "another one"
        await chrome.change_settings(ownWindow=False)
        await client.send("Target.createTarget", {"url": second})
        tab = await relay.has_tab(second)
        assert second in (await chrome.in_worker(windows))[0], "the control"
        for wanted in (first, second):
            tab = await relay.has_tab(wanted)
            await client.send("Target.closeTarget", {"targetId": tab.target_id})
    finally:
        await client.close()


async def _is(chrome, question, answer):
    return await chrome.in_worker(question) == answer


async def test_a_denied_site_is_not_even_listed(pair, site):
    relay, chrome = pair
    url = site.page("private")
    other = url.replace("127.0.0.1", "localhost")
    await chrome.open(url)
    await chrome.open(other)
    await relay.has_tab(url)
    await relay.has_tab(other)
    await chrome.change_settings(deny=["localhost"])
    await until(lambda: other not in {tab.url for tab in relay.profile.tabs.values()}, named="it is gone")
    assert url in {tab.url for tab in relay.profile.tabs.values()}
    client = await RawClient.connect(relay.url)
    assert "denied" in await client.error("Target.createTarget", {"url": other})
    await client.close()


async def test_with_attaching_by_hand_only_shared_tabs_are_seen(pair, site):
    relay, chrome = pair
    url, other = site.page("shared"), site.page("not shared")
    await chrome.open(url)
    await chrome.open(other)
    await relay.has_tab(other)
    tab = await relay.has_tab(url)
    await chrome.change_settings(attach="manual")
    await until(lambda: not relay.profile.tabs, named="no tab is seen")
    popup = await chrome.open("chrome-extension://dhfbdpcamblofpolepaaeclfdkpcdmdk/popup.html")
    await chrome.settled(popup)
    reply = await chrome.evaluate(popup, f"chrome.runtime.sendMessage({{ask: 'share', tabId: {tab.tab_id}}})")
    assert reply["ok"], reply
    await until(
        lambda: {tab.url for tab in relay.profile.tabs.values()} == {url}, named="the shared tab is seen"
    )
    assert await chrome.attached() == [url]
