"""What a browser would ask a person blocks no call: passwords, permissions, printing."""

import asyncio
from contextlib import suppress

import pytest

import boathook
from boathook.errors import BadSetting, ConnectionFailed, NameNotResolved, NavigationFailed, PolicyBlocked
from tests.support.timing import ends_within


async def test_a_server_that_asks_for_a_password_is_a_typed_error_with_its_status(tab, site):
    with ends_within(5), pytest.raises(NavigationFailed, match="requires HTTP authentication") as caught:
        await tab.goto(site.url("auth"))
    assert caught.value.evidence["status"] == 401
    assert "set_credentials" in caught.value.hint


async def test_credentials_open_the_door_for_pages_and_their_requests(browser, site):
    tab = await browser.open(isolated=True)
    await tab.set_credentials("ann", "secret")
    await tab.goto(site.url("auth"))
    assert await tab.title() == "Inside"
    assert await tab.evaluate("fetch('/auth').then(answer => answer.status)") == 200
    await tab.set_credentials(None)
    await tab.goto(site.page("<p>x</p>", title="Open"))
    assert await tab.title() == "Open"
    await tab.close()


async def test_wrong_credentials_are_tried_once_and_the_page_gets_its_refusal(browser, site):
    tab = await browser.open(isolated=True)
    await tab.set_credentials("ann", "wrong")
    asked = sum("/auth" in path for path in site.requests)
    with ends_within(10):
        await tab.goto(site.url("auth"))
    assert await tab.evaluate("document.body.innerText") == "no entry"
    assert [request.status for request in await tab.requests("/auth")][-1] == 401
    assert sum("/auth" in path for path in site.requests) - asked <= 3
    await tab.close()


async def test_credentials_work_in_frames(browser, site):
    tab = await browser.open(isolated=True)
    await tab.set_credentials("ann", "secret")
    await tab.goto(site.page("<iframe src=/auth></iframe>"))
    await tab.wait_for_text("Welcome", timeout=30)
    await tab.close()


async def test_a_user_name_with_a_colon_is_refused(tab):
    with pytest.raises(BadSetting):
        await tab.set_credentials("a:b", "c")


@pytest.mark.parametrize(
    "script",
    [
        "Notification.requestPermission()",
        "navigator.mediaDevices.getUserMedia({audio: true, video: true}).then(() => 'granted', error => error.name)",
        "navigator.clipboard.readText().then(() => 'granted', error => error.name)",
        "new Promise(done => navigator.geolocation.getCurrentPosition(() => done('granted'), error => done(error.message)))",
        "navigator.permissions.query({name: 'geolocation'}).then(status => status.state)",
    ],
)
async def test_permissions_are_denied_without_a_question(tab, site, script):
    await tab.goto(site.page("<p>x</p>"))
    with ends_within(5):
        assert await tab.evaluate(script, timeout=30) not in {"granted", None}


async def test_granted_permissions_are_granted_and_can_be_taken_back(browser, site):
    tab = await browser.open(site.page("<p>x</p>"), isolated=True)
    look = "navigator.permissions.query({name: 'notifications'}).then(status => status.state)"
    assert await tab.evaluate(look) != "granted"
    await tab.grant("notifications", "clipboard-read", "clipboard-write")
    assert await tab.evaluate(look) == "granted"
    assert (
        await tab.evaluate("navigator.clipboard.writeText('kept').then(() => navigator.clipboard.readText())")
        == "kept"
    )
    await tab.reset_permissions()
    assert await tab.evaluate(look) != "granted"
    await tab.close()


async def test_printing_blocks_nothing(tab, site):
    await tab.goto(site.page("<button onclick='print(); document.title = \"printed\"'>Print</button>"))
    with ends_within(5):
        await tab.click("text=Print")
        await tab.wait_for_function("document.title === 'printed'", timeout=30)


async def test_a_proxy_that_asks_for_credentials_is_not_taken_for_the_site(browser_with):
    async def refuse(reader, writer):
        with suppress(EOFError):  # Chromium also opens connections that it does not use
            await reader.readuntil(b"\r\n\r\n")
        writer.write(
            b'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="p"\r\nContent-Length: 0\r\n\r\n'
        )
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        tab = await (await browser_with(proxy=boathook.Proxy(server=f"http://127.0.0.1:{port}"))).open()
        for scheme in ("http", "https"):
            with pytest.raises(ConnectionFailed, match="the proxy requires authentication"):
                await tab.goto(f"{scheme}://shop.test/")


async def test_a_redirect_to_a_host_with_credentials_of_the_machine_is_called_blocked(browser_with, site):
    tab = await (await browser_with(switches=["--host-resolver-rules=MAP nowhere.test ~NOTFOUND"])).open()
    with pytest.raises(PolicyBlocked, match=r"169\.254\.169\.254 is not allowed"):
        await tab.goto(site.url("redirect?to=http://169.254.169.254/latest/"))
    with pytest.raises(NameNotResolved):
        await tab.goto(site.url("redirect?to=http://nowhere.test/"))
