"""One allowed host: a page that tries every way out reaches no other host, and without limits it reaches them all.

Each channel asks a host with its own name, so the host identifies the channel. With the limit, the proxy's account of
what it refused shows that a channel was really tried; datagrams and lookups of names do not even get as far as the proxy.
"""

import asyncio
from contextlib import asynccontextmanager, suppress

import pytest

import boathook
from boathook.engine.launch import arguments
from boathook.engine.launch.arguments import Switch
from boathook.errors import BadSetting, ConnectionFailed, PolicyBlocked
from tests.browser.launch.test_launch_network import serving
from tests.policy.foreign import ALLOWED, HAS_IPV6, allowed_host, answer, foreign_hosts
from tests.policy.name_server import name_server, needs_own_names
from tests.support.chromium import foreign_chromium, port_of
from tests.support.engine import engine_of
from tests.support.waiting import until

MAPPED = "--host-resolver-rules=MAP *.foreign.test 127.0.0.1,MAP foreign.test 127.0.0.1"
UNSEEN = ("stun", "webtransport", "iceudp", "icetcp")
"""Ways that go round a proxy: with the limit they come to nothing inside the browser."""
BY_CONNECTION = (
    "fetch", "keepalive", "xhr", "image", "css", "background", "font", "script", "video", "object", "websocket",
    "eventsource", "beacon", "worker", "sharedworker", "serviceworker", "redirect", "refresh", "popup", "iframe", "download",
    "form", "ping", "modulepreload", "prefetch", "preload", "preconnect", "turn", "loopback", "loopback6",
)  # fmt: skip
LEAVING = {"popup", "download", "form", "ping"}
"""What takes the page itself somewhere, or opens another one."""
LITERAL = {"127.0.0.1": "loopback", "::1": "loopback6"}
WARMED_UP = {"preconnect", "dnsprefetch"}
"""What Chromium prepares in advance; it does so in its own context only."""
START = "name => { ways[name](); return 'started'; }"
FINISH = "name => ways[name]()"


@pytest.fixture
async def ways_out():
    async with foreign_hosts() as foreign, allowed_host(foreign) as allowed:
        yield foreign, allowed


@asynccontextmanager
async def answering(handle):
    """A server of this machine; yields its URL."""

    async def serve(reader, writer):
        with suppress(OSError, EOFError):
            await handle(await reader.readuntil(b"\r\n\r\n"), reader, writer)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    finally:
        server.close()


async def written(writer):
    writer.write(answer(b"ok"))
    await writer.drain()


@pytest.fixture
def with_pings(monkeypatch):
    """Our browsers send no pings for links at all; here they may, to show that the limit holds them too."""
    kept = [alway for alway in arguments.ALWAYS if alway.text != "--no-pings"]
    assert len(kept) == len(arguments.ALWAYS) - 1
    monkeypatch.setattr(arguments, "ALWAYS", kept)


async def attempt(browser, allowed, channel, script=START, *, isolated=True):
    """A fresh page tries one way out; isolated, as the pages of sessions are."""
    tab = await browser.open(allowed.address, isolated=isolated and channel not in WARMED_UP)
    return tab, await tab.evaluate(script, channel, timeout=40)


async def tried(browser, allowed, channels, happened):
    """One page tries all ways that leave it where it is, and the others have a page each; wait for the outcome."""
    staying = [channel for channel in channels if channel not in LEAVING | WARMED_UP]
    tab = await browser.open(allowed.address, isolated=True)
    for channel in staying:
        await tab.evaluate(START, channel, timeout=40)
    for channel in staying:
        await until(lambda channel=channel: happened(channel), named=f"something comes of {channel}")
    await tab.close()
    for channel in [channel for channel in channels if channel not in staying]:
        tab, _ = await attempt(browser, allowed, channel)
        await until(lambda channel=channel: happened(channel), named=f"something comes of {channel}")
        await tab.close()


@pytest.mark.timeout(180)
async def test_without_limits_every_channel_reaches_its_host(browser_with, ways_out, with_pings):
    foreign, allowed = ways_out
    browser = await browser_with(switches=[MAPPED])
    every = [item for item in BY_CONNECTION + UNSEEN if HAS_IPV6 or item != "loopback6"]
    await tried(browser, allowed, every, lambda channel: channel in foreign.reached)


@pytest.mark.timeout(180)
async def test_with_one_allowed_host_no_channel_reaches_another(browser_with, ways_out, with_pings):
    foreign, allowed = ways_out
    browser = await browser_with(allowed_domains=[ALLOWED], switches=[MAPPED])
    egress = engine_of(browser).egress

    def refused():
        """Channels by the host that they asked for."""
        return {
            LITERAL.get(item.host) or item.host.removesuffix(".foreign.test")
            for item in egress.blocked_since(0)
        }

    await tried(browser, allowed, BY_CONNECTION, lambda channel: channel in refused())
    for channel in UNSEEN:  # these are waited for until the page itself knows that nothing comes of it
        for isolated in (True, False):
            tab, ended = await attempt(browser, allowed, channel, FINISH, isolated=isolated)
            assert ended == "gathered" or "Error" in ended
            await tab.close()
    assert foreign.reached == set(), foreign.received
    assert {"/shared.js", "/service.js"} <= set(allowed.requests), "the allowed host serves what it should"


@needs_own_names
@pytest.mark.timeout(180)
async def test_with_one_allowed_host_no_name_is_looked_up_by_the_browser(browser_with, ways_out, tmp_path):
    _foreign, allowed = ways_out
    names = ("dnsprefetch", "fetch", "preconnect", "websocket", "worker", "popup")
    async with name_server(tmp_path) as server:
        free = await browser_with(executable=server.browser)
        for channel in names:
            await attempt(free, allowed, channel)
            await until(
                lambda channel=channel: f"{channel}.foreign.test" in server.asked,
                named=f"the name server is asked for {channel}",
            )
        await free.close()
        server.asked.clear()
        limited = await browser_with(executable=server.browser, allowed_domains=[ALLOWED])
        for channel in names:
            await attempt(limited, allowed, channel)
        seen = engine_of(limited).egress.blocked_since
        await until(
            lambda: {refusal.host for refusal in seen(0)} >= {f"{name}.foreign.test" for name in names[1:]},
            named="the proxy has refused what came after the lookups",
        )
        assert server.asked == []


async def test_a_page_that_leads_elsewhere_is_a_typed_error_that_names_the_host(browser_with, ways_out):
    foreign, allowed = ways_out
    browser = await browser_with(allowed_domains=[ALLOWED], switches=[MAPPED])
    tab = await browser.open(allowed.address)
    elsewhere = f"http://far.foreign.test:{foreign.ports['http']}/"
    with pytest.raises(
        PolicyBlocked, match=r"far\.foreign\.test is not allowed: it is not one of the allowed hosts"
    ):
        await tab.goto(elsewhere)
    for address in (elsewhere, f"https://far.foreign.test:{foreign.ports['preconnect']}/"):
        with pytest.raises(PolicyBlocked, match=r"far\.foreign\.test is not allowed") as caught:
            await tab.goto(f"{allowed.address}redirect?to={address}")
        assert f"allowed: {ALLOWED}" in caught.value.hint
    assert foreign.reached == set(), foreign.received
    await tab.goto(allowed.address)
    assert await tab.title() == "Every way out"


async def test_an_allowed_host_that_is_not_there_is_no_matter_of_policy(browser_with):
    browser = await browser_with(
        allowed_domains=["gone.test"], switches=["--host-resolver-rules=MAP * ~NOTFOUND"]
    )
    for scheme in ("http", "https"):
        with pytest.raises(ConnectionFailed):
            await browser.open(f"{scheme}://gone.test/")


async def test_denied_hosts_are_held_back_while_all_others_are_reached(browser_with, ways_out):
    foreign, allowed = ways_out
    browser = await browser_with(denied_domains=["fetch.foreign.test"], switches=[MAPPED])
    await attempt(browser, allowed, "image")
    await until(lambda: "image" in foreign.reached, named="the image is loaded")
    await attempt(browser, allowed, "fetch")
    await until(lambda: engine_of(browser).egress.refused > 0, named="the other request is refused")
    assert "fetch" not in foreign.reached


async def test_without_private_networks_this_machine_is_out_of_reach_for_pages_too(browser_with, ways_out):
    _foreign, allowed = ways_out
    browser = await browser_with(allow_private=False, switches=[MAPPED])
    with pytest.raises(PolicyBlocked, match="this machine"):
        await browser.open(allowed.address)
    with pytest.raises(PolicyBlocked, match="private network"):
        await browser.open(f"http://127.0.0.1:{allowed.port}/")
    assert allowed.requests == []
    open_one = await browser_with(switches=[MAPPED])
    await open_one.open(allowed.address)
    assert allowed.requests[0] == "/"


@pytest.mark.parametrize("host", ["169.254.169.254", "[fd00:ec2::254]", "metadata.google.internal"])
async def test_addresses_that_hand_out_credentials_are_out_of_reach_without_any_limit(browser, site, host):
    with pytest.raises(PolicyBlocked, match="credentials"):
        await browser.open(f"http://{host}/latest/meta-data/")
    tab = await browser.open(site.page("a page"))
    script = "async url => { try { await fetch(url, { mode: 'no-cors' }); return 'reached' } catch (error) { return String(error) } }"
    address = f"http://{host}/latest/meta-data/"
    assert "TypeError" in await tab.evaluate(script, address)

    def failure():
        return next(
            (request.failure for request in engine_of(tab).network.since(0) if request.url == address), ""
        )

    await until(failure, named="the request has failed")
    assert "NAME_NOT_RESOLVED" in failure()
    assert await tab.evaluate(script, site.url("given/0")) == "reached"


async def test_an_allowed_port_does_not_open_the_others_of_its_host(browser_with, site):
    script = "url => fetch(url, { mode: 'no-cors' }).then(() => 'reached', () => 'refused')"
    async with answering(lambda _head, _reader, writer: written(writer)) as other:
        one_port = await browser_with(allowed_domains=[f"127.0.0.1:{site.port}"])
        assert await (await one_port.open(site.page("x"))).evaluate(script, other) == "refused"
        assert {item.host for item in engine_of(one_port).egress.blocked_since(0)} >= {"127.0.0.1"}
        with pytest.raises(PolicyBlocked):
            await one_port.open(other)
        every_port = await browser_with(allowed_domains=["127.0.0.1"])
        assert await (await every_port.open(site.page("x"))).evaluate(script, other) == "reached"


LIMITS = {
    "none": {},
    "denied hosts": {"denied_domains": ["ads.example"]},
    "allowed hosts": {"allowed_domains": ["127.0.0.1", "shop.example"]},
    "allowed names": {"allowed_domains": ["localhost", "127.0.0.1"]},
}


@pytest.mark.parametrize("limits", LIMITS)
async def test_limits_do_not_take_away_chromiums_own_care_for_this_machine(
    browser_with, site, monkeypatch, limits
):
    """It lets no page of the internet talk to this machine unasked; a proxy in between would hide from it who is who."""
    public = Switch(
        f"--ip-address-space-overrides=127.0.0.1:{site.port}=public",
        "the site stands for one of the internet",
    )
    script = "async url => { try { await fetch(url, { mode: 'no-cors' }); return 'reached' } catch (error) { return 'refused' } }"
    async with answering(lambda _head, _reader, writer: written(writer)) as local:
        monkeypatch.setattr(arguments, "ALWAYS", (*arguments.ALWAYS, public))
        of_the_internet = await (await browser_with(**LIMITS[limits])).open(site.page("of the internet"))
        assert await of_the_internet.evaluate(script, local, timeout=40) == "refused"
        monkeypatch.undo()
        of_this_machine = await (await browser_with(**LIMITS[limits])).open(site.page("of this machine"))
        assert await of_this_machine.evaluate(script, local, timeout=40) == "reached"


async def test_the_proxy_goes_when_its_browser_goes_and_others_have_none(browser, browser_with):
    assert engine_of(browser).egress is None
    limited = await browser_with(allowed_domains=["example.test"])
    egress = engine_of(limited).egress
    assert egress._server is not None
    await limited.close()
    assert egress._server is None


async def test_what_is_allowed_goes_through_the_users_own_proxy(browser_with):
    async with serving() as users:
        browser = await browser_with(
            allowed_domains=["somewhere.test"], proxy=f"http://127.0.0.1:{users.port}"
        )
        tab = await browser.open("http://somewhere.test/page")
        assert await tab.evaluate("document.body.textContent") == "ok"
        with pytest.raises(PolicyBlocked):
            await tab.goto("http://elsewhere.test/")
        await tab.evaluate("() => fetch('http://elsewhere.test/', { mode: 'no-cors' }).catch(() => 0)")
        assert "GET http://somewhere.test/page HTTP/1.1" in users.requests
        assert not [line for line in users.requests if "elsewhere" in line]


async def test_a_users_proxy_that_cannot_be_chained_is_refused(browser_with):
    for proxy in ("socks5://127.0.0.1:1", boathook.Proxy(server="127.0.0.1:1", bypass=("*.test",))):
        with pytest.raises(BadSetting, match="cannot be combined with limits on hosts"):
            await browser_with(allowed_domains=["example.test"], proxy=proxy)
    with pytest.raises(BadSetting, match="--host-rules"):
        await browser_with(allowed_domains=["example.test"], switches=["--host-rules=MAP a b"])


async def test_an_attached_browser_is_limited_as_far_as_can_be_and_says_so(site):
    with foreign_chromium() as (_process, profile):
        port = await port_of(profile)
        async with await boathook.attach(port, allowed_domains=["127.0.0.1"]) as browser:
            assert "cannot be blocked" in browser.notes[0]
            with pytest.raises(PolicyBlocked):
                await browser.open(site.other_origin)
            tab = await browser.open(site.page("here"))
            assert tab.url.startswith(site.origin)
        async with await boathook.attach(port) as browser:
            assert browser.notes == ()


VENDOR_HOSTS = {"accounts.google.com", "clients2.google.com", "update.googleapis.com"}


async def test_a_browser_of_ours_asks_no_host_of_its_vendor(browser_with, site, monkeypatch):
    """The control is a browser without the switches against it, started later."""

    def asked(browser):
        return {item.host for item in engine_of(browser).egress.blocked_since(0)}

    async def opened():
        browser = await browser_with(allowed_domains=["127.0.0.1"])
        await browser.open(site.page("<p>x</p>"))
        return browser

    ours = await opened()
    with monkeypatch.context() as patched:
        patched.setattr(
            arguments,
            "ALWAYS",
            [switch for switch in arguments.ALWAYS if arguments.NOWHERE not in switch.text],
        )
        patched.delitem(arguments.DISABLED_FEATURES, "NetworkTimeServiceQuerying")
        control = await opened()
    await until(lambda: asked(control) & VENDOR_HOSTS, named="the control asks its vendor")
    assert asked(ours) == set()
