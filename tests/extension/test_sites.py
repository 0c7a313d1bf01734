"""The user's lists of sites hold: a program with an allowed tab reaches nothing of a denied site."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from urllib.parse import quote

import pytest

import boathook
from tests.extension.chrome import RawClient
from tests.extension.test_worker_restart import by_hand
from tests.support.thorough import at_most, sample
from tests.support.two_sites import ALLOWED, DENIED, TwoSites
from tests.support.waiting import until, until_asked

AUTO = {"autoAttach": True, "flatten": True, "waitForDebuggerOnStart": False}
SETTLE = f"new Promise(done => setTimeout(() => done(true), {at_most(80, 300)}))"


@pytest.fixture(scope="module")
def sites():
    server = TwoSites()
    yield server
    server.close()


class Driven:
    """A program with a session on one tab, and the user who looks at it."""

    def __init__(self, pair, client, session, target):
        self.relay, self.chrome = pair
        self.client, self.session, self.target = client, session, target

    async def send(self, method, params=None):
        return await self.client.send(method, params, session=self.session)

    async def error(self, method, params=None):
        return await self.client.error(method, params, session=self.session)

    async def run(self, expression, **more):
        given = {
            "expression": expression,
            "returnByValue": True,
            "userGesture": True,
            "awaitPromise": True,
            **more,
        }
        return (await self.send("Runtime.evaluate", given))["result"].get("value")

    def heard(self):
        return json.dumps(self.client.events)


@asynccontextmanager
async def driving(pair, url, before=None, *, shared=False, **settings):
    """A program in the tab at this URL, under these settings; `before` is what the user does first in the tab.

    `shared`: the user has attached it in the popup, so that programs may load other pages there.
    """
    relay, chrome = pair
    target = await chrome.open(url)
    tab = await relay.has_tab(url)
    await until(lambda: tab.status == "complete", named="it is loaded")
    if before:
        await chrome.evaluate(target, before)
    if shared:
        await by_hand(chrome, tab)
    await limit(pair, **settings)
    client = await RawClient.connect(relay.url)
    try:
        await client.send("Target.setAutoAttach", AUTO)
        session = next(
            event["sessionId"]
            for event in client.seen("Target.attachedToTarget")
            if event["targetInfo"]["url"] == url
        )
        yield Driven(pair, client, session, target)
    finally:
        await client.close()


async def limit(pair, **settings):
    relay, chrome = pair
    await chrome.change_settings(**settings)
    await until(
        lambda: all(relay.profile.settings.get(name) == value for name, value in settings.items()),
        named="the relay knows the settings",
    )


async def log_in(pair, sites, *hosts):
    """The user logs in to sites, in a tab that is closed again."""
    _, chrome = pair
    for host in hosts:
        target = await chrome.open(sites.url("/login", host))
        await chrome.settled(target)
        await chrome.close(target["id"])


LISTS = [{"deny": [DENIED]}, {"allow": [ALLOWED]}]


@pytest.mark.parametrize("lists", LISTS, ids=["denied", "not allowed"])
async def test_cookies_of_a_denied_site_are_neither_read_nor_written(pair, sites, lists):
    await log_in(pair, sites, ALLOWED, DENIED)
    shut = sites.denied()
    async with driving(pair, sites.url("/one"), **lists) as driven:
        for method, params in (
            ("Network.getAllCookies", {}),
            ("Network.getCookies", {"urls": [shut, sites.url("/one")]}),
            ("Storage.getCookies", {}),
        ):
            values = {cookie["value"] for cookie in (await driven.send(method, params))["cookies"]}
            assert sites.marks[ALLOWED] in values, "the control"
            assert sites.marks[DENIED] not in values
        cookie = {"name": "fixed", "value": "x"}
        decoy = {"cookies": [{**cookie, "url": sites.url("/")}]}
        assert "the user" in await driven.error("Network.setCookie", {**cookie, **decoy, "url": shut})
        tricks = (
            "http://LOCALHOST/",
            "http:\\\\localhost\\",
            "http://a@localhost/",
            "http://local\thost/",
            "http://l%6fcalhost/",
        )
        for place in ({"url": shut}, {"domain": DENIED}, *({"url": url} for url in tricks)):
            for method, params in (
                ("Network.setCookie", {**cookie, **place}),
                ("Network.setCookies", {"cookies": [{**cookie, **place}]}),
                ("Storage.setCookies", {"cookies": [{**cookie, **place}]}),
                ("Network.deleteCookies", {"name": "sid", **place}),
            ):
                assert "the user" in await driven.error(method, params), (method, place)
        for method in ("Network.clearBrowserCookies", "Storage.clearCookies", "Network.clearBrowserCache"):
            assert "the user limits sites" in await driven.error(method)
        assert await driven.send("Network.setCookie", {**cookie, "url": sites.url("/")}) == {"success": True}
        await limit(pair, deny=[], allow=[])
        kept = {
            (one["domain"], one["name"]): one["value"]
            for one in (await driven.send("Network.getAllCookies"))["cookies"]
        }
        assert kept[(DENIED, "sid")] == sites.marks[DENIED]
        assert (DENIED, "fixed") not in kept
        assert kept[(ALLOWED, "fixed")] == "x"
        await driven.send("Network.deleteCookies", {"name": "fixed", "url": sites.url("/")})


WAYS = [
    "location = AWAY",
    "location.replace(AWAY)",
    "void open(AWAY, '_self')",
    "location = '/redirect?to=' + encodeURIComponent(AWAY)",
    "document.head.innerHTML = `<meta http-equiv=refresh content='0;url=${AWAY}'>`",
    "document.body.innerHTML = `<form method=post action='${AWAY}'></form>`; document.forms[0].submit()",
    "document.body.innerHTML = `<a href='${AWAY}'>away</a>`; document.links[0].click()",
    "document.body.innerHTML = `<iframe srcdoc=\"<script>top.location = '${AWAY}'</script>\"></iframe>`",
    "document.body.append(Object.assign(document.createElement('iframe'), {src: AWAY}))",
    "document.body.append(Object.assign(document.createElement('iframe'), {src: '/redirect?to=' + encodeURIComponent(AWAY)}))",
    "document.body.append(Object.assign(document.createElement('object'), {data: AWAY, type: 'text/html'}))",
    "document.body.innerHTML = `<a download=x href='${AWAY}'>away</a>`; document.links[0].click()",
    "void open(AWAY)",
    "void open(AWAY, '_blank', 'noopener')",
    "void open('/redirect?to=' + encodeURIComponent(AWAY))",
    "{ const made = open('about:blank'); made.location = AWAY }",
    "document.body.innerHTML = `<form method=post target=_blank action='${AWAY}'></form>`; document.forms[0].submit()",
    "document.body.innerHTML = `<iframe sandbox='allow-scripts allow-popups' srcdoc=\"<script>open('${AWAY}')</script>\"></iframe>`",
]


@pytest.mark.parametrize("lists", LISTS, ids=["denied", "not allowed"])
async def test_a_denied_site_is_not_requested_whatever_a_program_does(pair, sites, lists):
    relay, chrome = pair
    await log_in(pair, sites, DENIED)
    url, away = sites.url("/two"), sites.denied("/page")
    leak = f"if (location.host !== '{ALLOWED}:{sites.port}') fetch('{sites.url('/leak')}?' + encodeURIComponent(document.documentElement.innerHTML), {{mode: 'no-cors'}})"
    async with driving(pair, url, shared=True, **lists) as driven:
        await driven.send("Page.enable")
        await driven.send("Page.addScriptToEvaluateOnNewDocument", {"source": leak})
        sites.requests.clear()
        for given in (
            away,
            f"view-source:{away}",
            away.replace("localhost", "LOCALHOST"),
            away.replace("//", "\\\\"),
        ):
            await driven.client.whole("Page.navigate", {"url": given}, session=driven.session)
        for given in (away, sites.url("/redirect") + f"?to={quote(away)}"):
            await driven.client.whole("Target.createTarget", {"url": given})
        for script in sample(WAYS, 7 if "deny" in lists else 3):
            await driven.run(script.replace("AWAY", f"'{away}'"))
            await chrome.settled(driven.target, SETTLE)
            assert await chrome.evaluate(driven.target, "location.href") == url, script
            assert sites.sent_to(DENIED) == [], script
        assert not [path for _, path, _ in sites.requests if path.startswith("/leak")]
        redirected = [path for _, path, _ in sites.requests if path.startswith("/redirect")]
        assert redirected, "the control: redirects were requested, and not followed"
        await until(
            lambda: not any(DENIED in tab.url for tab in relay.profile.tabs.values()), named="no tab of it"
        )
        told = [event for event in driven.client.events if sites.marks[DENIED] in json.dumps(event)]
        assert [event for event in told if "/redirect" not in json.dumps(event)] == []
        await limit(pair, deny=[], allow=[])
        await driven.run(f"location = '{away}'")
        await until(lambda: sites.sent_to(DENIED), named="the control: without the list it is requested")


PREFETCH = """
const made = document.createElement('script');
made.type = 'speculationrules';
made.textContent = JSON.stringify({prefetch: [{source: 'list', urls: ['AWAY'], eagerness: 'immediate'}]});
document.head.append(made);
"""


async def test_a_denied_subdomain_is_not_prefetched(pair, sites):
    """What is prefetched cannot be paused; it is redirected before it is requested."""
    own, other = "own.open.localhost", "other.open.localhost"
    await log_in(pair, sites, other)
    async with driving(pair, sites.url("/fetching", own), deny=[other]) as driven:
        sites.requests.clear()
        await driven.run(PREFETCH.replace("AWAY", sites.url("/denied", other)) + "1")
        await driven.chrome.settled(driven.target, SETTLE)
        await limit(pair, deny=[])
        await driven.run("{" + PREFETCH.replace("AWAY", sites.url("/control", other)) + "}")
        await until(lambda: sites.sent_to(other), named="the control: without the list it is")
        assert [path for _, path, _ in sites.sent_to(other)] == ["/control"]


async def test_the_users_own_tabs_go_where_they_like(pair, sites):
    """A tab that the user opens from a page is limited until it is known whose it is, and then loaded again."""
    relay, chrome = pair
    own = await chrome.open(sites.url("/own"))
    await relay.has_tab(sites.url("/own"))
    async with driving(pair, sites.url("/three"), deny=[DENIED]) as driven:
        assert await driven.run("1") == 1
        sites.requests.clear()
        await chrome.activate(own["id"])
        await chrome.settled(own)
        await chrome.evaluate(own, f"void open('{sites.denied('/mine')}')")

        async def is_open():
            return [target for target in await chrome.targets() if target["url"] == sites.denied("/mine")]

        opened = (await until_asked(is_open, named="it is open"))[0]
        await chrome.settled(opened, f"document.title === '{sites.marks[DENIED]}'")
        typed = await chrome.open(sites.denied("/typed"))
        await chrome.settled(typed, f"document.title === '{sites.marks[DENIED]}'")
        assert sites.marks[DENIED] not in driven.heard()


FRAMES = """
(async () => {
  for (const src of SOURCES) {
    const frame = Object.assign(document.createElement('iframe'), {src});
    const loaded = new Promise((done) => { frame.onload = done });
    document.body.append(frame);
    await loaded;
  }
  return document.querySelectorAll('iframe').length;
})()
"""


async def test_frames_of_a_denied_site_that_were_there_before_are_emptied(pair, sites):
    """Another site, and a subdomain of the same one."""
    url, same = sites.url("/frames", "www.open.test"), "mail.open.test"
    sources = [
        sites.url(f"/{sites.mark_of(same)}", same),
        sites.denied("/frame"),
        sites.url("/other", "other.open.test"),
    ]
    before = FRAMES.replace("SOURCES", json.dumps(sources))
    async with driving(pair, url, before, deny=[DENIED, same]) as driven:
        for domain in ("Page", "Runtime", "DOM", "Accessibility", "Network"):
            await driven.send(f"{domain}.enable")
        await driven.send("Target.setAutoAttach", AUTO)
        await driven.send(
            "Page.createIsolatedWorld", {"frameId": driven.target["id"], "grantUniveralAccess": True}
        )
        told = [
            await driven.send("Page.getFrameTree"),
            await driven.send("Page.getResourceTree"),
            await driven.send("DOM.getDocument", {"depth": -1, "pierce": True}),
            await driven.send("DOMSnapshot.captureSnapshot", {"computedStyles": []}),
            await driven.send("Accessibility.getFullAXTree"),
            await driven.client.send("Target.getTargets"),
            driven.client.events,
        ]
        children = [
            event["sessionId"] for event in driven.client.seen("Target.attachedToTarget", driven.session)
        ]
        for session in children:
            ask = {"expression": "document.body.innerText", "returnByValue": True}
            told.append(await driven.client.send("Runtime.evaluate", ask, session=session))
        heard = json.dumps(told)
        assert sites.mark_of("other.open.test") in heard, "the control: the frame of an allowed site"
        assert sites.mark_of(same) not in heard.replace(sources[0], ""), (
            "beside what the page itself contains"
        )
        assert sites.marks[DENIED] not in heard.replace(sources[1], "")
        assert "captureSnapshot is refused" in await driven.error("Page.captureSnapshot")
        assert await driven.chrome.evaluate(driven.target, "frames.length") == 3, "the page is as it was"


async def test_storage_caches_and_resources_of_a_denied_site_are_refused(pair, sites):
    await log_in(pair, sites, DENIED)
    origin, shut = sites.url("").rstrip("/"), sites.url("", DENIED)
    fill = "caches.open('kept').then(async (cache) => { await cache.put('/kept', new Response('MARK')); await cache.put('/opaque', await fetch('OTHER', {mode: 'no-cors', credentials: 'include'})) })"
    filled = fill.replace("MARK", sites.marks[ALLOWED]).replace("OTHER", sites.denied("/opaque"))
    async with driving(pair, sites.url("/store"), filled, deny=[DENIED]) as driven:
        main = driven.target["id"]
        for method, params in (
            ("Storage.clearDataForOrigin", {"origin": shut, "storageTypes": "all"}),
            ("Storage.clearDataForStorageKey", {"storageKey": f"{shut}/", "storageTypes": "all"}),
            ("Storage.getUsageAndQuota", {"origin": shut}),
            ("Storage.trackIndexedDBForOrigin", {"origin": shut}),
            ("CacheStorage.requestCacheNames", {"securityOrigin": shut}),
            ("CacheStorage.requestCacheNames", {"storageKey": f"{shut}/"}),
            (
                "Network.loadNetworkResource",
                {
                    "frameId": main,
                    "url": sites.denied(),
                    "options": {"disableCache": True, "includeCredentials": True},
                },
            ),
            ("Page.getResourceContent", {"frameId": main, "url": sites.denied("/opaque")}),
            ("Page.searchInResource", {"frameId": main, "url": sites.denied("/opaque"), "query": "s"}),
            ("Network.getCertificate", {"origin": shut}),
            ("Tracing.start", {}),
            (
                "DOMStorage.getDOMStorageItems",
                {"storageId": {"securityOrigin": shut, "isLocalStorage": True}},
            ),
            ("IndexedDB.requestDatabaseNames", {"securityOrigin": shut}),
            ("Made.up", {}),
            ("Network.madeUp", {}),
        ):
            assert "the user" in await driven.error(method, params), method
        assert "quota" in await driven.send("Storage.getUsageAndQuota", {"origin": origin})
        caches = (await driven.send("CacheStorage.requestCacheNames", {"securityOrigin": origin}))["caches"]
        cache = {"cacheId": next(one["cacheId"] for one in caches if one["cacheName"] == "kept")}
        opaque = {**cache, "requestURL": sites.url("/opaque"), "requestHeaders": []}
        assert "list the cache first" in await driven.error("CacheStorage.requestCachedResponse", opaque)
        entries = (
            await driven.send("CacheStorage.requestEntries", {**cache, "skipCount": 0, "pageSize": 9})
        )["cacheDataEntries"]
        assert [entry["requestURL"] for entry in entries] == [sites.url("/kept")]
        assert "list the cache first" in await driven.error("CacheStorage.requestCachedResponse", opaque)
        kept = {**cache, "requestURL": sites.url("/kept"), "requestHeaders": []}
        assert (await driven.send("CacheStorage.requestCachedResponse", kept))["response"]["body"], (
            "the control"
        )


async def test_requests_to_other_sites_are_not_announced_and_carry_no_cookie(pair, sites):
    """An allow list does not stop resources of other sites, which pages need; they are anonymous then."""
    await log_in(pair, sites, ALLOWED, DENIED)
    async with driving(pair, sites.url("/five"), allow=[ALLOWED]) as driven:
        await driven.send("Network.enable")
        await driven.send("Fetch.enable", {"patterns": [{"urlPattern": "*", "requestStage": "Response"}]})
        sites.requests.clear()
        asked = f"fetch('{sites.denied('/cdn')}', {{mode: 'no-cors', credentials: 'include'}}).then(() => 1)"
        assert await driven.run(asked) == 1, "it is not paused either"
        socket = sites.denied("/socket").replace("http", "ws")
        await driven.run(f"new Promise((done) => {{ new WebSocket('{socket}').onerror = () => done(1) }})")
        assert [(host, cookie) for host, _, cookie in sites.requests] == [(DENIED, ""), (DENIED, "")]
        waiting = driven.client.post(
            "Runtime.evaluate",
            {"expression": "fetch('/own').then((answer) => answer.text())", "awaitPromise": True},
            session=driven.session,
        )
        await until(
            lambda: driven.client.seen("Fetch.requestPaused"), named="the control: its own request is paused"
        )
        paused = driven.client.seen("Fetch.requestPaused")[0]
        body = await driven.send("Fetch.getResponseBody", {"requestId": paused["requestId"]})
        assert body["body"]
        to = {"requestId": paused["requestId"], "url": sites.denied()}
        assert "the user has not allowed" in await driven.error("Fetch.continueRequest", to)
        await driven.send("Fetch.continueResponse", {"requestId": paused["requestId"]})
        await waiting
        await until(lambda: driven.client.seen("Network.loadingFinished"), named="it is finished")
        told = driven.client.seen("Network.requestWillBeSent")
        assert [event["request"]["url"] for event in told] == [sites.url("/own")]
        assert sites.marks[ALLOWED] in (
            driven.heard()
            + json.dumps(await driven.send("Network.getResponseBody", {"requestId": told[0]["requestId"]}))
        )
        assert sites.marks[DENIED] not in driven.heard()


async def test_the_history_and_downloads_of_a_denied_site_are_not_told(pair, sites):
    relay, chrome = pair
    target = await chrome.open(sites.denied("/before"))
    await chrome.settled(target)
    url = sites.url("/after")
    await chrome.command(target["webSocketDebuggerUrl"], "Page.navigate", url=url)
    tab = await relay.has_tab(url)
    await until(lambda: tab.status == "complete", named="it is loaded")
    await by_hand(chrome, tab)  # so that programs may load other pages there
    await limit(pair, deny=[DENIED])
    client = await RawClient.connect(relay.url)
    try:
        await client.send("Browser.setDownloadBehavior", {"behavior": "default", "eventsEnabled": True})
        await client.send("Target.setAutoAttach", AUTO)
        attached = client.seen("Target.attachedToTarget")
        session = next(event["sessionId"] for event in attached if event["targetInfo"]["url"] == url)
        history = await client.send("Page.getNavigationHistory", session=session)
        assert [entry["url"] for entry in history["entries"]] == [url]
        assert history["currentIndex"] == 0
        whole = await chrome.command(target["webSocketDebuggerUrl"], "Page.getNavigationHistory")
        entry = next(entry for entry in whole["entries"] if DENIED in entry["url"])
        assert "denied" in await client.error(
            "Page.navigateToHistoryEntry", {"entryId": entry["id"]}, session=session
        )
        for host in (DENIED, ALLOWED):  # as the user does
            await chrome.in_worker(f"chrome.downloads.download({{url: '{sites.url('/file', host)}'}})")
        click = "Object.assign(document.createElement('a'), {href: '/file', download: 'x'}).click()"
        await client.send("Runtime.evaluate", {"expression": click}, session=session)
        await until(
            lambda: client.seen("Browser.downloadWillBegin"), named="the control: an allowed one is told"
        )
        assert [event["url"] for event in client.seen("Browser.downloadWillBegin")] == [sites.url("/file")]
        # Restored from memory, it makes no request: the tab is gone for programs.
        asked = {"expression": "history.back()", "userGesture": True}
        await client.whole("Runtime.evaluate", asked, session=session)
        assert sites.marks[DENIED] not in json.dumps(client.events)
    finally:
        await client.close()


REGISTER = (
    "navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(() => 1)"
)
UNREGISTER = "navigator.serviceWorker.getRegistration().then((one) => one.unregister())"


async def test_documents_of_a_service_worker_are_stopped_too(pair, sites):
    """A worker answers without a request that anything could stop."""
    _, chrome = pair
    shut = await chrome.open(sites.url("/home", DENIED))
    await chrome.settled(shut)
    assert await chrome.evaluate(shut, REGISTER) == 1
    async with driving(pair, sites.url("/six"), deny=[DENIED]) as driven:
        away = sites.url("/worker-page", DENIED)
        await driven.run(f"location = '{away}'")
        await driven.run(
            f"document.body.append(Object.assign(document.createElement('iframe'), {{src: '{away}'}}))"
        )
        await chrome.settled(driven.target, SETTLE)
        assert await chrome.evaluate(driven.target, "location.href") == sites.url("/six")
        tab = next(tab for tab in driven.relay.profile.tabs.values() if tab.url == sites.url("/six"))
        frames = await chrome.in_worker(f"chrome.webNavigation.getAllFrames({{tabId: {tab.tab_id}}})")
        assert [frame["url"] for frame in frames if not frame["errorOccurred"]] == [sites.url("/six")]
        await limit(pair, deny=[])
        await driven.run(f"location = '{away}'")
        await chrome.settled(driven.target, "document.title === 'of the worker'")  # the control
        await chrome.evaluate(shut, UNREGISTER)


async def test_a_locked_tab_does_not_load_blobs_or_documents_of_its_service_worker(pair, sites):
    _, chrome = pair
    url = sites.url("/locked")
    blob = "location = URL.createObjectURL(new Blob(['<title>blob</title>'], {type: 'text/html'}))"
    async with driving(pair, url, REGISTER, lockUrl=True) as driven:
        await driven.run("window.stayed = 1")
        await driven.run("location = '/worker-page'")
        await chrome.settled(driven.target, SETTLE)
        assert await chrome.evaluate(driven.target, "[location.href, window.stayed].join()") == f"{url},1"
        await driven.run(blob)
        await chrome.settled(driven.target, SETTLE)
        await chrome.settled(driven.target, f"location.href === '{url}'")  # stopped, or navigated back
        await limit(pair, lockUrl=False)
        await driven.run("location = '/worker-page'")
        await chrome.settled(driven.target, "document.title === 'of the worker'")  # the control
        await chrome.evaluate(driven.target, UNREGISTER)


@pytest.mark.parametrize("limits", [{"deny": [DENIED]}, {"lockUrl": True}], ids=["denied", "locked"])
async def test_the_limits_hold_while_the_extensions_worker_is_restarted(pair, sites, limits):
    """The event about the paused document is what starts the worker, which is not connected to the relay then."""
    _, chrome = pair
    url, away = sites.url("/kept"), sites.denied("/kept")
    async with driving(pair, url, **limits) as driven:
        assert await driven.run("window.stayed = 1") == 1
        sites.requests.clear()
        await chrome.kill_worker()
        await chrome.evaluate(driven.target, f"location = '{away}'")
        await until_asked(chrome.worker, named="the worker is back")
        await chrome.settled(driven.target, SETTLE)
        assert await chrome.evaluate(driven.target, "[location.href, window.stayed].join()") == f"{url},1"
        assert sites.requests == []


async def test_without_new_tabs_what_a_page_opens_is_not_requested(pair, sites):
    _, chrome = pair
    async with driving(pair, sites.url("/seven"), noNewTabs=True) as driven:
        assert await driven.run("1") == 1
        sites.requests.clear()
        count = "chrome.tabs.query({}).then((all) => all.length)"
        before = await chrome.in_worker(count)
        await chrome.in_worker("self.gone = []; chrome.tabs.onRemoved.addListener((id) => gone.push(id))")
        scripts = (
            "void open('/popup')",
            "void open('/popup', '_blank', 'noopener')",
            "{ const link = document.createElement('a'); link.href = '/popup'; link.target = '_blank'; document.body.append(link); link.click() }",
        )
        for number, script in enumerate(scripts, 1):
            await driven.run(script)
            await until_asked(
                lambda number=number: chrome.in_worker(f"gone.length === {number}"), named="it is closed"
            )
        assert sites.requests == []
        assert await chrome.in_worker(count) == before
        await limit(pair, noNewTabs=False)
        await driven.run(scripts[0])
        await until(lambda: sites.requests, named="the control: without the limit it is requested")


async def test_a_blank_page_of_a_denied_site_belongs_to_that_site(pair, sites):
    relay, chrome = pair
    shut = await chrome.open(sites.denied("/opener"))
    await chrome.settled(shut)
    await limit(pair, deny=[DENIED])
    await chrome.evaluate(shut, f"void open('about:blank').document.write('{sites.marks[DENIED]}')")
    tab = await relay.has_tab("about:blank", count=2)
    client = await RawClient.connect(relay.url)
    try:
        await client.send("Target.setAutoAttach", AUTO)
        read = {"expression": "document.documentElement.innerHTML + document.cookie + localStorage.length"}
        answers = [
            await client.whole("Runtime.evaluate", read, session=event["sessionId"])
            for event in client.seen("Target.attachedToTarget")
            if event["targetInfo"]["url"] == tab.url
        ]
        assert sites.marks[DENIED] not in json.dumps([answers, client.events])
        assert sum("denied" in answer.get("error", {}).get("message", "") for answer in answers) == 1
        assert sum("result" in answer for answer in answers) == len(answers) - 1, (
            "the control: another blank page"
        )
    finally:
        await client.close()


async def test_playwright_works_on_allowed_sites_and_is_told_why_elsewhere(pair, sites, playwright):
    relay, _ = pair
    await limit(pair, allow=[ALLOWED])
    browser = await playwright.chromium.connect_over_cdp(relay.url)
    try:
        page = await browser.contexts[0].new_page()
        await page.route("**/routed", lambda route: route.fulfill(body="from the route"))
        response = await page.goto(sites.url("/first"))
        assert response is not None
        assert sites.marks[ALLOWED] in await response.text()
        assert await page.evaluate("fetch('/routed').then((answer) => answer.text())") == "from the route"
        with pytest.raises(Exception, match=f"the user has not allowed {DENIED}"):
            await page.goto(sites.denied("/away"))
        assert page.url == sites.url("/first")
        async with page.expect_popup() as popup:
            await page.evaluate("void open('/popup')")
        opened = await popup.value
        await opened.wait_for_load_state()
        assert await opened.title() == sites.marks[ALLOWED]
        await page.close()
        await opened.close()
    finally:
        await browser.close()


async def test_our_own_commands_work_on_allowed_sites_and_say_why_elsewhere(pair, sites):
    relay, _ = pair
    await log_in(pair, sites, ALLOWED, DENIED)
    await limit(pair, deny=[DENIED])
    async with await boathook.attach(relay.url) as browser:
        tab = await browser.open(sites.url("/ours"))
        assert sites.marks[ALLOWED] in str(await tab.snapshot())
        assert (await tab.screenshot()).data
        cookies = str(await tab.cookies())
        assert sites.marks[DENIED] not in cookies
        with pytest.raises(boathook.BoathookError) as refused:
            await tab.goto(sites.denied("/ours"))
        assert f"the user has denied {DENIED}" in str(refused.value)
        with pytest.raises(boathook.BoathookError) as refused:
            await tab.goto(sites.url("/redirect") + f"?to={quote(sites.denied('/ours'))}")
        assert await tab.evaluate("location.href") == sites.url("/ours")
        await tab.close()
