"""Attaching to a running browser: it is used, never closed, raised or signaled."""

import asyncio
import json
import socket
import urllib.request

import pytest

import boathook
from boathook.cdp.endpoint_url import find_endpoint
from boathook.errors import BadUrl, BrowserGone, EndpointError, Unsupported
from tests.support.chromium import foreign_chromium, port_of
from tests.support.engine import engine_of
from tests.support.servers import answers_http, lacking_endpoint, tcp_server
from tests.support.site import dead_port
from tests.support.waiting import PATIENCE


@pytest.fixture(scope="module")
async def foreign():
    with foreign_chromium() as (process, profile):
        yield process, await port_of(profile)


def listed(port):
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
        f"http://127.0.0.1:{port}/json/list"
    ) as reply:
        return {entry["id"]: entry for entry in json.load(reply) if entry["type"] == "page"}


def open_in_front(port, url):
    """A person's new tab."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}/json/new?{url}", method="PUT")
    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request).close()


@pytest.mark.parametrize(
    "form",
    [
        "{port}",
        "http://127.0.0.1:{port}",
        "http://localhost:{port}/",
        "127.0.0.1:{port}",
        "ws://127.0.0.1:{port}",
    ],
)
async def test_every_spelling_of_an_endpoint_attaches(foreign, form):
    async with await boathook.attach(form.format(port=foreign[1])) as browser:
        assert browser.kind == "cdp"
        assert "Chrome" in browser.product


async def test_a_whole_websocket_address_attaches(foreign):
    endpoint = await find_endpoint(str(foreign[1]), seconds=PATIENCE)
    async with await boathook.attach(endpoint.socket_url) as browser:
        assert await browser.pages()


async def test_a_second_dialog_that_opens_before_the_answer_to_the_first_is_confirmed_is_held(foreign, site):
    async with await boathook.attach(foreign[1]) as browser:
        tab = await browser.open(
            site.page("<button onclick=\"document.title = prompt('1') + confirm('2')\">Ask</button>")
        )
        for _ in range(2):
            await tab.click("text=Ask")
            answered = await tab.answer_dialog(accept=True, text="Ann")
            assert answered.changes.dialog is not None
            await tab.answer_dialog(accept=False)
            assert await tab.title() == "Annfalse"


async def test_closing_leaves_the_users_tabs_and_process_and_takes_ours(foreign, site):
    process, port = foreign
    before = set(listed(port))
    async with await boathook.attach(port) as browser:
        theirs = await browser.tab((await browser.pages())[0].target_id)
        assert await theirs.evaluate("1 + 1") == 2
        ours = await browser.open(site.page("<button>Go</button>"))
        assert 'button "Go"' in str(await ours.snapshot())
        assert len(listed(port)) == len(before) + 1
    assert set(listed(port)) == before, "our tab is closed, theirs are open"
    assert process.poll() is None


async def test_a_tab_that_takes_its_time_to_close_is_gone_when_the_browser_is_let_go(
    foreign, site, monkeypatch
):
    """The next client would take it for one of the user's."""
    before = set(listed(foreign[1]))
    async with await boathook.attach(foreign[1]) as browser:
        await browser.open(site.page("<p>ours</p>"))
        connection = engine_of(browser).connection
        send = connection.send

        async def late(method, params=None, **more):
            if method != "Target.closeTarget":
                return await send(method, params, **more)
            asyncio.get_running_loop().call_later(0.3, connection.post, method, params)
            return {"success": True}

        monkeypatch.setattr(connection, "send", late)
    assert set(listed(foreign[1])) == before


async def test_opening_a_tab_does_not_take_the_users_tab_from_the_front(foreign, site):
    _process, port = foreign
    async with await boathook.attach(port) as browser:
        theirs = await browser.tab((await browser.pages())[0].target_id)
        await theirs.evaluate("globalThis.seen = []")
        await theirs.evaluate(
            "void document.addEventListener('visibilitychange', () => seen.push(document.visibilityState))"
        )
        ours = await browser.open(site.page("<p>x</p>"))
        await ours.snapshot()
        await ours.screenshot()
        assert await theirs.evaluate("seen") == []
        assert await theirs.evaluate("document.visibilityState") == "visible"


async def test_a_frame_of_another_site_in_a_background_tab_is_clicked(site):
    inner = site.page("<button onclick=\"this.textContent = 'Pressed'\">Inner</button>")
    outer = site.page(f"<iframe src='{inner.replace('127.0.0.1', 'localhost')}'></iframe>")
    with foreign_chromium() as (_process, profile):
        port = await port_of(profile)
        async with await boathook.attach(port) as browser:
            behind = await browser.tab((await browser.pages())[0].target_id)
            await behind.goto(outer)
            open_in_front(port, site.page("front"))
            await behind.wait_for_function("document.hidden")
            await behind.click("text=Inner")
            assert 'button "Pressed"' in str(await behind.snapshot())


async def test_a_viewport_of_the_users_tab_is_left_alone(foreign):
    async with await boathook.attach(foreign[1]) as browser:
        page = (await browser.pages())[0]
        size = await (await browser.tab(page.target_id)).evaluate("[innerWidth, innerHeight]")
    assert size != [1365, 768]


async def test_proxy_variables_do_not_reach_loopback(foreign, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{dead_port()}")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with pytest.raises(OSError):
        await asyncio.to_thread(
            urllib.request.build_opener().open, f"http://127.0.0.1:{foreign[1]}/json/version", timeout=5
        )
    async with await boathook.attach(foreign[1]) as browser:
        assert await browser.pages()


async def test_a_browser_behind_another_host_name_gets_its_websocket_rewritten(monkeypatch):
    answer = json.dumps(
        {"Browser": "X", "webSocketDebuggerUrl": "ws://127.0.0.1:1/devtools/browser/abc"}
    ).encode()
    real = socket.getaddrinfo

    def mapped(host, *rest, **more):
        return real("127.0.0.1" if host == "browser.example" else host, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", mapped)
    async with tcp_server(answers_http(answer)) as port:
        found = await find_endpoint(f"http://browser.example:{port}", seconds=PATIENCE)
    assert found.socket_url == f"ws://browser.example:{port}/devtools/browser/abc"


async def test_a_browser_without_tabs_or_contexts_of_its_own_is_still_usable(foreign):
    endpoint = await find_endpoint(str(foreign[1]), seconds=PATIENCE)
    missing = (
        "Target.createTarget",
        "Target.createBrowserContext",
        "Browser.setDownloadBehavior",
        "Browser.getVersion",
    )
    async with lacking_endpoint(endpoint.socket_url, *missing) as url, await boathook.attach(url) as browser:
        page = (await browser.pages())[0]
        tab = await browser.tab(page.target_id)
        assert await tab.evaluate("6 * 7") == 42
        with pytest.raises(Unsupported, match="cannot open tabs"):
            await browser.open("about:blank")
        with pytest.raises(Unsupported, match="not support isolated contexts"):
            await browser.open("about:blank", isolated=True)


async def test_a_dead_endpoint_says_where_nobody_answers():
    port = dead_port()
    with pytest.raises(EndpointError, match=f"127.0.0.1:{port}"):
        await boathook.attach(port)


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "0",
        "99999",
        "ftp://x:1",
        "http://",
        "http://[:1",
        "http://h:notaport",
        "ws://",
        "x" * 5_000,
        "9" * 5_000,
    ],
    ids=lambda one: one[:20],
)
async def test_a_malformed_endpoint_is_refused(endpoint):
    with pytest.raises((BadUrl, EndpointError)) as told:
        await boathook.attach(endpoint, timeout=2)
    assert len(str(told.value)) < 500


async def test_a_browser_that_dies_fails_calls_with_a_typed_error(site):
    with foreign_chromium() as (process, profile):
        async with await boathook.attach(await port_of(profile)) as browser:
            tab = await browser.open(site.page("x"))
            waiting = asyncio.create_task(tab.evaluate("new Promise(() => {})"))
            await asyncio.sleep(0)
            process.kill()
            with pytest.raises(BrowserGone):
                await waiting
            with pytest.raises(BrowserGone):
                await tab.evaluate("1")


@pytest.mark.parametrize("host", ["a\x7fb", "a b", "\x01"])
async def test_a_host_that_cannot_be_one_is_a_typed_error(host):
    with pytest.raises(EndpointError, match="invalid host"):
        await find_endpoint(f"http://{host}:9", seconds=PATIENCE)
