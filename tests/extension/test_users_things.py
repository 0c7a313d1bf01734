"""What is the user's stays the user's: tabs, groups, what they look at, and how their pages behave."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import signal
from contextlib import asynccontextmanager
from typing import Any

import pytest

import boathook
from boathook.errors import UsersTab
from boathook.relay.extension.install_extension import install
from tests.extension.chrome import RawClient, UserChrome
from tests.extension.conftest import paired
from tests.extension.stress_relay import RelayProcess
from tests.extension.test_our_own import ours  # noqa: F401 - a fixture
from tests.extension.test_playwright import connected, in_front, opened, page_at, until_async
from tests.extension.test_worker_restart import AUTO, by_hand, session_at, title
from tests.mcp.clients import text_of
from tests.support.program import Program
from tests.support.waiting import until, until_asked

pytestmark = pytest.mark.timeout(150)
THEIRS = "this tab is the user's"
needs_playwright = pytest.mark.skipif(
    importlib.util.find_spec("playwright") is None, reason="Playwright is not installed here"
)


async def urls_of(chrome):
    return [target["url"] for target in await chrome.targets()]


@asynccontextmanager
async def client_of(relay, label=""):
    client = await RawClient.connect(f"{relay.url}?label={label}")
    try:
        yield client
    finally:
        await client.close()


async def own_tab(relay, client, url):
    """A tab that the program opened, and its session."""
    await client.send("Target.createTarget", {"url": url})
    tab = await relay.has_tab(url)
    return tab, await session_at(client, url)


async def evaluated(client, session, expression):
    params = {"expression": expression, "returnByValue": True, "awaitPromise": True}
    return (await client.send("Runtime.evaluate", params, session=session))["result"].get("value")


async def test_no_program_closes_a_tab_of_the_users(pair, playwright, site):
    relay, chrome = pair
    url, shared = site.page("mine", title="Mine"), site.page("shared", title="Shared")
    await opened(pair, url, shared)
    await by_hand(chrome, await relay.has_tab(shared))
    async with client_of(relay) as client:
        for mine in (url, shared):
            tab = await relay.has_tab(mine)
            assert THEIRS in await client.error("Target.closeTarget", {"targetId": tab.target_id})
            session = await session_at(client, mine)
            for method in ("Page.close", "Page.crash"):
                assert THEIRS in await client.error(method, session=session)
    async with connected(relay, playwright) as browser:
        page = page_at(browser, url)
        await page.close()
        assert page.is_closed(), "Playwright ignores the refusal; for it the page is gone"
        made = await browser.contexts[0].new_page()
        await made.close()
        assert made.is_closed(), "the control: its own tab is closed"
    async with await boathook.attach(relay.url) as browser:
        page = next(page for page in await browser.pages() if page.url == url)
        with pytest.raises(UsersTab, match=THEIRS):
            await (await browser.tab(page.target_id)).close()
    refused = await chrome.in_worker(
        f"chrome.tabs.query({{url: {url!r}}}).then(([tab]) => chrome.tabs.get(tab.id)).then(tab => tab.url)"
    )
    assert refused == url
    assert {url, shared} <= set(await urls_of(chrome))


async def test_a_program_loads_other_pages_only_in_its_own_tabs_and_in_those_that_the_user_attached(
    pair, playwright, site
):
    relay, chrome = pair
    url, shared, away = (site.page(name, title=name.title()) for name in ("mine", "shared", "away"))
    await opened(pair, url, shared)
    await by_hand(chrome, await relay.has_tab(shared))
    async with connected(relay, playwright) as browser:
        page = page_at(browser, url)
        with pytest.raises(Exception, match=THEIRS):
            await page.goto(away)
        await page.reload()
        assert await page.title() == "Mine", "it can be used all the same"
        attached = page_at(browser, shared)
        await attached.goto(away)
        assert await attached.title() == "Away", "the control: the user attached this one"
    assert {url, away} <= set(await urls_of(chrome))
    async with await boathook.attach(relay.url) as browser:
        mine = next(page for page in await browser.pages() if page.url == url)
        with pytest.raises(UsersTab, match=THEIRS):
            await (await browser.tab(mine.target_id)).goto(away)


async def test_emulation_in_a_tab_of_the_users_is_refused_and_works_in_another_one(pair, site):
    relay, _chrome = pair
    url = site.page("mine", title="Mine")
    await opened(pair, url)
    async with await boathook.attach(relay.url) as browser:
        mine = next(page for page in await browser.pages() if page.url == url)
        theirs, own = await browser.tab(mine.target_id), await browser.open(site.page("own", title="Own"))
        for settings in (
            {"width": 400, "height": 300},
            {"color_scheme": "dark"},
            {"headers": {"X-One": "1"}},
        ):
            with pytest.raises(UsersTab, match=THEIRS):
                await theirs.emulate(**settings)
        await own.emulate(width=400, height=300)
        assert await own.evaluate("innerWidth") == 400, "the control"
        await own.close()


PAGE = (
    "<a id=blank href='{0}' target=_blank>blank</a> <a id=plain href='{0}'>plain</a>"
    " <button onclick=\"window.open('{0}')\">window</button>"
)


class Hand:
    """The user's mouse in one page."""

    def __init__(self, chrome, target):
        self.chrome, self.target = chrome, target

    async def click(self, selector, *, button="left", modifiers=0):
        """Press and release; real input for the page, which no program sent."""
        found = f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])(document.querySelector({selector!r}).getBoundingClientRect())"
        x, y = await self.chrome.evaluate(self.target, found)
        where = {"x": x, "y": y, "button": button, "modifiers": modifiers, "clickCount": 1}
        socket = await RawClient.connect(self.target["webSocketDebuggerUrl"])
        for kind in ("mousePressed", "mouseReleased"):
            await socket.whole("Input.dispatchMouseEvent", {"type": kind, **where})
        await socket.close()


CTRL = 2
USERS_WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "a click on a link for a new tab": ("#blank", {}),
    "a click with Ctrl": ("#plain", {"modifiers": CTRL}),
    "a click with the middle button": ("#plain", {"button": "middle"}),
    "a script that the click runs": ("button", {}),
}


async def new_tab(chrome, url):
    """The tab at a URL, as the extension knows it, once it is known whose it is."""
    ask = (
        f"chrome.tabs.query({{url: {url!r}}}).then(async ([tab]) => tab?.status === 'complete' &&"
        " ({...(await chrome.storage.session.get('tabs')).tabs?.[tab.id], id: tab.id, active: tab.active}))"
    )
    return await until_asked(lambda: chrome.in_worker(ask), named=f"{url} is open")


async def test_a_tab_that_the_user_opens_from_a_controlled_page_is_the_users(pair, site):
    relay, chrome = pair
    async with client_of(relay) as client:
        for number, (selector, more) in enumerate(USERS_WAYS.values()):
            wanted = site.page(f"opened {number}", title="Opened")
            url = site.page(PAGE.format(wanted), title="Driven")
            await opened(pair, url)
            session = await session_at(client, url)
            # The program is at work all the time: scripts of it are pending while the user clicks.
            waiting = client.post(
                "Runtime.evaluate",
                {"expression": "new Promise(done => window.enough = done)", "awaitPromise": True},
                session=session,
            )
            await title(client, session)
            target = next(target for target in await chrome.targets() if target["url"] == url)
            await chrome.activate(target["id"])
            await Hand(chrome, target).click(selector, **more)
            tab = await new_tab(chrome, wanted)
            known = await relay.has_tab(wanted)
            assert (known.origin, known.opener) == ("user", None), selector
            foreground = not more
            await until_async(
                lambda: in_front(chrome), [wanted if foreground else url], "what Chrome shows stays in front"
            )
            assert THEIRS in await client.error("Target.closeTarget", {"targetId": known.target_id})
            await chrome.in_worker(f"chrome.tabs.remove({tab['id']}).then(() => 1)")
            await client.send("Runtime.evaluate", {"expression": "enough()"}, session=session)
            await waiting


PROGRAMS_WAYS = {
    "input": "",
    "script": "document.querySelector('#blank').click()",
    "window": "void open(document.querySelector('#plain').href)",
}


async def test_a_tab_that_the_program_opens_from_the_same_page_is_the_programs(pair, site):
    """The control of the one above: the same page, the same links."""
    relay, chrome = pair
    front = site.page("the user looks here")
    async with client_of(relay) as client:
        for number, script in enumerate(PROGRAMS_WAYS.values()):
            wanted = site.page(f"opened {number}", title="Opened")
            url = site.page(PAGE.format(wanted), title="Driven")
            await opened(pair, url, front)
            session = await session_at(client, url)
            if script:
                await client.send(
                    "Runtime.evaluate", {"expression": script, "userGesture": True}, session=session
                )
            else:
                for kind in ("mousePressed", "mouseReleased"):
                    where = {"type": kind, "x": 15, "y": 15, "button": "left", "clickCount": 1}
                    await client.send("Input.dispatchMouseEvent", where, session=session)
            known = await relay.has_tab(wanted)
            await until(lambda known=known: known.origin == "agent", named="it is the program's")
            await until_async(lambda: in_front(chrome), [front], "the user's tab is in front")
            await client.send("Target.closeTarget", {"targetId": known.target_id})


async def test_the_world_where_the_extension_notes_input_is_out_of_reach_for_programs(pair, site):
    relay, _ = pair
    url = site.page("mine", title="Mine")
    await opened(pair, url)
    async with client_of(relay) as client:
        session = await session_at(client, url)
        await client.send("Runtime.enable", session=session)
        assert await title(client, session) == "Mine"
        worlds = client.seen("Runtime.executionContextCreated")
        assert worlds, "the control: worlds are announced"
        assert not [world for world in worlds if "extension" in world["context"]["origin"]]
        (hidden,) = (await relay.has_tab(url)).root._hidden
        run = {"expression": "chrome.runtime.id", "contextId": hidden}
        assert "Cannot find context" in await client.error("Runtime.evaluate", run, session=session)


async def test_no_new_tabs_and_the_idle_timer_leave_tabs_alone_that_the_user_opened(pair, site):
    relay, chrome = pair
    wanted, other = site.page("by the user", title="Opened"), site.page("by the program", title="Other")
    url = site.page(PAGE.format(wanted), title="Driven")
    await opened(pair, url)
    await chrome.change_settings(noNewTabs=True, closeMinutes=1)
    await until(lambda: relay.profile.settings["noNewTabs"], named="the relay knows")
    async with client_of(relay) as client:
        session = await session_at(client, url)
        await title(client, session)
        run = {"expression": f"void open({other!r})", "userGesture": True}
        await client.send("Runtime.evaluate", run, session=session)
        closed = f"chrome.tabs.query({{}}).then(all => !all.some(one => [one.url, one.pendingUrl].includes({other!r})))"
        await until_asked(lambda: chrome.in_worker(closed), named="the control: the program's is closed")
        target = next(target for target in await chrome.targets() if target["url"] == url)
        await chrome.activate(target["id"])
        await Hand(chrome, target).click("#blank")
        tab = await new_tab(chrome, wanted)
        await chrome.change_settings(noNewTabs=False)
        await until(lambda: not relay.profile.settings["noNewTabs"], named="the relay knows that too")
        own, _ = await own_tab(relay, client, other)
        await chrome.in_worker(
            "self.realNow = Date.now; Date.now = () => realNow() + 600000;"
            " chrome.alarms.onAlarm.dispatch({name: 'wake'}); 1"
        )
        try:
            await until(lambda: own.tab_id not in relay.profile.tabs, named="the control: its own is closed")
        finally:
            await chrome.in_worker("Date.now = realNow; 1")
        assert wanted in await urls_of(chrome)
        assert tab.get("origin", "user") == "user"


LOOK = "chrome.tabs.query({}).then(async all => all.filter(one => one.url.startsWith('http')).map(one => [one.url, one.groupId, one.index, one.pinned]))"
GROUPS = (
    "chrome.tabGroups.query({}).then(all => all.map(one => [one.id, one.title, one.color, one.collapsed]))"
)


async def test_the_users_tabs_stay_in_their_groups_and_places(pair, site):
    relay, chrome = pair
    grouped, plain, pinned, named, last = (
        site.page(name, title=name.title()) for name in ("grouped", "plain", "pinned", "named", "last")
    )
    await opened(pair, grouped, plain, pinned, named, last)
    ids = {tab.url: tab.tab_id for tab in relay.profile.tabs.values()}
    await chrome.in_worker(
        f"chrome.tabs.update({ids[pinned]}, {{pinned: true}})"
        f".then(() => chrome.tabs.group({{tabIds: [{ids[grouped]}]}}))"
        ".then(id => chrome.tabGroups.update(id, {title: 'Shopping', color: 'red'}))"
        f".then(() => chrome.tabs.group({{tabIds: [{ids[named]}]}}))"
        ".then(id => chrome.tabGroups.update(id, {title: 'Boathook', color: 'blue'})).then(() => 1)"
    )
    before, groups = await chrome.in_worker(LOOK), await chrome.in_worker(GROUPS)
    async with client_of(relay) as client:
        for url in (grouped, plain, pinned, named, last):
            assert await title(client, await session_at(client, url))
        own = site.page("own", title="Own")
        tab, session = await own_tab(relay, client, own)
        assert await title(client, session) == "Own"
        ours = "chrome.tabGroups.query({title: 'Boathook', color: 'cyan'}).then(all => all.length)"
        await until_asked(
            lambda: chrome.in_worker(ours), named="the control: the program's tab is in a group"
        )
        assert (await chrome.in_worker(LOOK))[: len(before)] == before
        later = site.page("later", title="Later")
        await opened(pair, later)
        at_the_end = f"chrome.tabs.get({tab.tab_id}).then(tab => chrome.tabs.query({{windowId: tab.windowId}}).then(all => tab.index === all.length - 1))"
        await until_asked(lambda: chrome.in_worker(at_the_end), named="it makes room for a tab of the user's")
        await client.send("Target.closeTarget", {"targetId": tab.target_id})
    await until_async(chrome.attached, [], "all debuggers are gone")
    after = await chrome.in_worker(LOOK)
    assert after[: len(before)] == before
    assert [row[0] for row in after[len(before) :]] == [later]
    assert await chrome.in_worker(GROUPS) == groups


OVERRIDES = {
    "offline": (
        "Network.emulateNetworkConditions",
        {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1},
        "fetch(location.href + '?' + Math.random()).then(() => 'online', () => 'offline')",
    ),
    "user agent": ("Network.setUserAgentOverride", {"userAgent": "Other"}, "navigator.userAgent"),
    "emulated agent": ("Emulation.setUserAgentOverride", {"userAgent": "Third"}, "navigator.userAgent"),
    "time zone": (
        "Emulation.setTimezoneOverride",
        {"timezoneId": "Asia/Tokyo"},
        "new Date(0).getTimezoneOffset()",
    ),
    "font sizes": (
        "Page.setFontSizes",
        {"fontSizes": {"standard": 40, "fixed": 40}},
        "getComputedStyle(document.body).fontSize",
    ),
    "geolocation": (
        "Emulation.setGeolocationOverride",
        {"latitude": 1, "longitude": 2, "accuracy": 3},
        "navigator.permissions.query({name: 'geolocation'}).then(one => one.state)",
    ),
    "size": (
        "Emulation.setDeviceMetricsOverride",
        {"width": 321, "height": 432, "deviceScaleFactor": 3, "mobile": False},
        "[innerWidth, devicePixelRatio].join()",
    ),
}


async def test_overrides_change_only_tabs_of_the_program_and_end_with_it(pair, site):
    relay, chrome = pair
    url, own = site.page("mine", title="Mine"), site.page("own", title="Own")
    await opened(pair, url)
    target = next(target for target in await chrome.targets() if target["url"] == url)
    before = [await chrome.evaluate(target, ask) for _, _, ask in OVERRIDES.values()]
    async with client_of(relay, "other") as other:
        async with client_of(relay) as client:
            session = await session_at(client, url)
            for method, params, _ in OVERRIDES.values():
                await client.send(method, params, session=session)
            await client.send("Input.setIgnoreInputEvents", {"ignore": True}, session=session)
            assert await chrome.attached() == [], "none of these is a reason to attach"
            assert await title(client, session) == "Mine"
            for method, params, _ in OVERRIDES.values():
                await client.send(method, params, session=session)
            assert [await chrome.evaluate(target, ask) for _, _, ask in OVERRIDES.values()] == before
            tab, session = await own_tab(relay, client, own)
            await client.send("Network.enable", session=session)
            usual = [await evaluated(client, session, ask) for _, _, ask in OVERRIDES.values()]
            for method, params, _ in OVERRIDES.values():
                await client.send(method, params, session=session)
            await client.send(
                "Page.addScriptToEvaluateOnNewDocument", {"source": "early = 1"}, session=session
            )
            now = [await evaluated(client, session, ask) for _, _, ask in OVERRIDES.values()]
            changed = [name for name, old, new in zip(OVERRIDES, usual, now, strict=True) if old != new]
            assert {"offline", "emulated agent", "time zone", "size"} <= set(changed), "the control"
            theirs = await session_at(other, own)
            assert await evaluated(other, theirs, OVERRIDES["offline"][2]) == "offline", "others use it too"
        ended = [ask for name, (_, _, ask) in OVERRIDES.items() if name != "font sizes"]

        async def is_usual():
            return [await evaluated(other, theirs, ask) for ask in ended] == [
                value for name, value in zip(OVERRIDES, usual, strict=True) if name != "font sizes"
            ]

        await until_asked(is_usual, named="it is as it was, though another program still uses it")
        await other.send("Page.reload", session=theirs)
        await until_asked(
            lambda: evaluated(other, theirs, "document.readyState === 'complete'"), named="reloaded"
        )
        assert await evaluated(other, theirs, "typeof early") == "undefined"
        await other.send("Target.closeTarget", {"targetId": tab.target_id})


@needs_playwright
async def test_what_playwright_sets_for_a_whole_context_leaves_the_users_tabs_alone(pair, playwright, site):
    relay, chrome = pair
    url, other = site.page("mine", title="Mine"), site.page("other", title="Other")
    await opened(pair, url, other)
    target = next(target for target in await chrome.targets() if target["url"] == url)
    online = OVERRIDES["offline"][2]
    async with connected(relay, playwright) as browser:
        context = browser.contexts[0]
        await context.set_offline(True)
        await context.expose_function("added", lambda one, two: one + two)
        await context.add_init_script("window.early = 1")
        await context.set_extra_http_headers({"x-test": "1"})
        assert await chrome.attached() == []
        assert await chrome.evaluate(target, online) == "online"
        assert await chrome.evaluate(target, "typeof added") == "undefined"
        own = await context.new_page()
        assert await own.evaluate(online.replace("location.href", repr(url))) == "offline", "the control"
        assert await own.evaluate("added(1, 2)") == 3
        page = page_at(browser, url)
        assert await page.evaluate("added(3, 4)") == 7, "where the program works, its function is there"
        assert await page.evaluate(online) == "online"
        assert await chrome.attached() == sorted([url, "about:blank"])
        await own.close()


async def test_a_program_brings_only_its_own_tabs_to_the_front(pair, site):
    relay, chrome = pair
    url, front, own = (site.page(name, title=name.title()) for name in ("mine", "front", "own"))
    await opened(pair, url, front)
    await until_async(lambda: in_front(chrome), [front], "the control: the user looks at this one")
    async with client_of(relay) as client:
        mine, session = await relay.has_tab(url), await session_at(client, url)
        await client.send("Page.bringToFront", session=session)
        await client.send("Target.activateTarget", {"targetId": mine.target_id})
        assert await chrome.attached() == []
        tab, session = await own_tab(relay, client, own)
        await client.send("Page.bringToFront", session=session)
        await client.send("Page.captureScreenshot", session=session)
        assert await in_front(chrome) == [front], "Puppeteer asks for both; a picture alone moves nothing"
        await client.send("Page.bringToFront", session=session)
        await until_async(lambda: in_front(chrome), [own], "the control: its own tab is in front")
        await client.send("Target.closeTarget", {"targetId": tab.target_id})
        await until_async(lambda: in_front(chrome), [front], "then the user's tab is in front again")


async def test_the_tab_that_the_user_sees_after_closing_one_is_the_users(pair, site):
    relay, chrome = pair
    first, second, own = (site.page(name, title=name.title()) for name in ("first", "second", "own"))
    await opened(pair, first, second)
    async with client_of(relay) as client:
        tab, _session = await own_tab(relay, client, own)
        await until_async(lambda: in_front(chrome), [second], "the user looks at this one")
        closing = next(target for target in await chrome.targets() if target["url"] == second)
        seen = "self.seen = []; chrome.tabs.onActivated.addListener(({tabId}) => void seen.push(tabId)); 1"
        await chrome.in_worker(seen)
        await chrome.close(closing["id"])
        await until_async(lambda: in_front(chrome), [first], "and then at the one before it")
        assert tab.tab_id in await chrome.in_worker("seen"), "the control: Chrome chose the program's"


async def test_owned_tabs_of_one_program_are_out_of_reach_for_others(tmp_path, site):
    url, own = site.page("mine", title="Mine"), site.page("own", title="Own")
    async with (
        paired(tmp_path, owns_tabs=True) as pair,
        client_of(pair[0], "first") as first,
        client_of(pair[0], "second") as second,
    ):
        relay, _ = pair
        await opened(pair, url)
        for client in (first, second):
            await client.send("Target.setDiscoverTargets", {"discover": True})
            await client.send("Target.setAutoAttach", AUTO)
        spied = await session_at(second, url)
        spy = {"source": "window.spied = 1"}
        await second.send("Page.addScriptToEvaluateOnNewDocument", spy, session=spied)
        await second.send("Fetch.enable", session=spied)
        await second.send("Network.enable", session=spied)
        session = await session_at(first, url)
        await first.send("Page.reload", session=session)
        await until_asked(
            lambda: evaluated(first, session, "document.readyState === 'complete'"), named="it loads"
        )
        assert await evaluated(first, session, "typeof spied") == "undefined"
        heard = len(second.events)
        tab, session = await own_tab(relay, first, own)
        assert await title(first, session) == "Own"
        assert not [event for event in second.events if own in json.dumps(event)], "nor does it hear of it"
        assert len(second.events) == heard
        for method, params in (
            ("Target.closeTarget", {"targetId": tab.target_id}),
            ("Target.attachToTarget", {"targetId": tab.target_id, "flatten": True}),
        ):
            assert "controlled by first" in await second.error(method, params)
        for method, params in (
            ("Fetch.enable", {}),
            ("Page.addScriptToEvaluateOnNewDocument", spy),
            ("Runtime.evaluate", {"expression": "1"}),
        ):
            assert "controlled by first" in await second.error(method, params, session=spied)
        await first.close()
        await until(lambda: len(relay.hub.clients) == 1, named="the first has gone")
        assert await title(second, await session_at(second, own)) == "Own", "the control: it is free again"


async def test_our_own_commands_neither_close_nor_overwrite_a_tab_of_the_users(ours, site):  # noqa: F811
    relay, chrome, say = ours.relay, ours.chrome, ours.say
    mine, wanted = site.page("mine", title="UserA"), site.page("wanted", title="Wanted")
    await chrome.open(mine)
    await relay.has_tab(mine)
    assert (await say("tab", "UserA")).returncode == 0
    refused = await say("tab", "close")
    assert refused.returncode != 0
    assert THEIRS in refused.stderr
    assert "tab new URL" in refused.stderr, "the hint"
    assert (await say("get", "title")).stdout == "UserA\n", "it can be used as before"
    refused = await say("--json", "--tab", "UserA", "open", wanted)
    assert json.loads(refused.stdout)["error"]["code"] == "users_tab"
    done = await say("open", wanted)
    assert done.returncode == 0, done.stderr
    assert "stays as it is" in done.stderr
    assert (await say("get", "title")).stdout == "Wanted\n"
    assert {mine, wanted} <= set(await urls_of(chrome))
    assert (await say("tab", "close")).returncode == 0, "the control: its own is closed"
    assert wanted not in await urls_of(chrome)
    assert (await say("close")).returncode == 0
    async with ours.mcp("--tools", "core,tabs") as client:
        closed = await client.call_tool("tab_close", {"tab": "UserA"})
        assert closed.is_error
        assert THEIRS in text_of(closed)
    assert mine in await urls_of(chrome)


@asynccontextmanager
async def with_relay_process(folder):
    """A user whose relay is a process, as it is used; our commands start another if it is gone."""
    program = Program(folder)
    secrets = program.home / ".local/state/boathook/relay"
    secrets.parent.mkdir(parents=True)
    relay = RelayProcess(secrets)
    await relay.start()
    chrome = None
    try:
        extension = install(relay.files, port=relay.port, folder=folder / "extension")
        chrome = await UserChrome.start(extension=extension, profile=folder / "profile")
        await relay.has_extension()
        yield program, relay, chrome
    finally:
        await asyncio.to_thread(program.stop)
        await asyncio.to_thread(program, "relay", "stop")
        if chrome is not None:
            chrome.stop()
        await relay.stop()


async def test_a_session_finds_its_tab_again_after_the_relay_was_killed_or_fails(tmp_path, site):
    async with with_relay_process(tmp_path) as (program, relay, chrome):

        async def say(*words):
            return await asyncio.to_thread(program, "--session", "mine", "--browser", "relay", *words)

        url, other = site.page("<button>Press</button>", title="Ours"), site.page("other", title="Other")
        assert (await say("open", url)).returncode == 0
        listed = (await say("tab")).stdout
        count = len(await chrome.targets())
        await relay.stop(signal.SIGKILL)
        found = await say("get", "title")
        assert (found.returncode, found.stdout) == (0, "Ours\n"), found.stderr
        assert "found again" in found.stderr
        assert (await say("click", "text=Press")).returncode == 0
        assert (await say("tab")).stdout == listed, "under its former name"
        assert len(await chrome.targets()) == count, "no other tab was opened"
        target = next(target for target in await chrome.targets() if target["url"] == url)
        await chrome.close(target["id"])
        for words in (("get", "title"), ("snapshot",)):
            failed = await say("--json", *words)
            assert failed.returncode != 0
            assert json.loads(failed.stdout)["error"]["code"] == "tab_gone", "not only once"
        assert (await say("open", other)).returncode == 0
        assert (await say("get", "title")).stdout == "Other\n", "the control: with a URL it goes on"
        assert (await say("close")).returncode == 0
        assert other not in await urls_of(chrome), "its own tab is closed with the session"
