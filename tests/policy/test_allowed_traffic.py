"""What is allowed works through the proxy as it works without one: streams, sockets, uploads, secure connections, sign-in."""

import asyncio
from contextlib import asynccontextmanager, suppress

import pytest
from websockets.asyncio.server import serve

from tests.browser.launch.test_launch_network import Authority, needs_openssl, serving
from tests.support.engine import engine_of

SCRIPT_SECONDS = 40


NAME = "app.test"
"""It leads to this machine, by way of the proxy: addresses of this machine itself would be reached directly."""
LIMITS = {"allowed_domains": [NAME], "switches": [f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]}


@pytest.fixture
async def limited(browser_with):
    """A browser that may talk to one host only."""
    browser = await browser_with(**LIMITS)
    yield browser
    assert engine_of(browser).egress.carried > 0, "it did go through the proxy"


@asynccontextmanager
async def answering(handle):
    """A raw server; yields its URL."""

    async def safely(reader, writer):
        with suppress(OSError, EOFError):
            await handle(await reader.readuntil(b"\r\n\r\n"), reader, writer)
        writer.close()

    server = await asyncio.start_server(safely, "127.0.0.1", 0)
    try:
        yield f"{NAME}:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()


def named(address):
    return address.replace("127.0.0.1", NAME)


def page(body=b"<p>hello", *fields):
    head = [b"HTTP/1.1 200 OK", b"Content-Type: text/html", b"Content-Length: %d" % len(body), *fields]
    return b"\r\n".join([*head, b"", body])


async def test_a_socket_talks_both_ways(limited, site):
    async def echo(socket):
        async for text in socket:
            await socket.send(f"heard {text}")

    async with serve(echo, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        tab = await limited.open(named(site.page("socket")))
        said = await tab.evaluate(
            """address => new Promise((done, fail) => {
              const socket = new WebSocket(address);
              socket.onopen = () => socket.send('you');
              socket.onmessage = event => done(event.data);
              socket.onerror = () => fail(new Error('no socket'));
            })""",
            f"ws://{NAME}:{port}/",
            timeout=SCRIPT_SECONDS,
        )
        assert said == "heard you"


async def test_events_arrive_while_the_answer_is_still_open(limited):
    more = asyncio.Event()

    async def stream(head, _reader, writer):
        if b"GET /events" not in head:
            writer.write(page())
            return
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: first\n\n")
        await more.wait()
        writer.write(b"data: second\n\n")
        await writer.drain()

    async with answering(stream) as host:
        tab = await limited.open(f"http://{host}/")
        await tab.evaluate(
            "() => { globalThis.heard = []; new EventSource('/events').onmessage = event => heard.push(event.data); }"
        )
        await tab.wait_for_function("heard.includes('first')", timeout=SCRIPT_SECONDS)
        more.set()
        await tab.wait_for_function("heard.includes('second')", timeout=SCRIPT_SECONDS)


async def test_a_large_body_is_sent_whole_and_a_large_answer_comes_whole(limited):
    size = 8_000_000
    got = []

    async def count(head, reader, writer):
        length = next(
            (line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), b":0"
        )
        got.append(len(await reader.readexactly(int(length.split(b":")[1]))))
        writer.write(page(b"y" * size if got[-1] else b"<p>hello"))
        await writer.drain()

    async with answering(count) as host:
        tab = await limited.open(f"http://{host}/")
        script = "async size => (await (await fetch('/post', { method: 'POST', body: 'x'.repeat(size) })).text()).length"
        assert await tab.evaluate(script, size, timeout=SCRIPT_SECONDS) == size
        assert size in got


async def test_a_site_that_asks_for_a_password_gets_it(limited):
    async def ask(head, _reader, writer):
        if b"Authorization: Basic YWRhOmxvdmU=" in head:
            writer.write(page(b"<p>welcome"))
        else:
            writer.write(
                b'HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n'
            )

    async with answering(ask) as host:
        tab = await limited.open()
        await tab.set_credentials("ada", "love")
        await tab.goto(f"http://{host}/")
        assert await tab.evaluate("document.body.innerText") == "welcome"


async def test_cookies_and_several_answers_of_one_server_stay_apart(limited):
    async def say(head, _reader, writer):
        path = head.split(b" ")[1]
        writer.write(page(path, b"Set-Cookie: last=%b" % path.strip(b"/")))

    async with answering(say) as host:
        tab = await limited.open(f"http://{host}/0")
        script = (
            "async () => Promise.all([...Array(40).keys()].map(async n => (await fetch('/' + n)).text()))"
        )
        assert await tab.evaluate(script, timeout=SCRIPT_SECONDS) == [f"/{number}" for number in range(40)]
        assert "last=" in await tab.evaluate("document.cookie")


@needs_openssl
async def test_a_secure_site_is_reached_through_a_tunnel(browser_with, tmp_path):
    authority = Authority(tmp_path / "ours", names="IP:127.0.0.1")
    async with serving(authority.server_context()) as server:
        browser = await browser_with(**LIMITS, ignore_certificate_errors=True)
        tab = await browser.open(f"https://{NAME}:{server.port}/")
        assert await tab.evaluate("document.body.textContent") == "ok"
        assert engine_of(browser).egress.carried > 0


async def test_a_page_that_goes_away_ends_its_connections(limited, site):
    begun, release = asyncio.Event(), asyncio.Event()

    async def hold(_head, reader, writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>and so on")
        await writer.drain()
        begun.set()
        await reader.read()  # until the browser leaves
        release.set()

    async with answering(hold) as host:
        tab = await limited.open(named(site.page("first")))
        await tab.evaluate(
            "address => { fetch(address, { mode: 'no-cors' }).catch(() => 0); return 1; }", f"http://{host}/"
        )
        async with asyncio.timeout(SCRIPT_SECONDS):
            await begun.wait()
        await tab.close()
        async with asyncio.timeout(SCRIPT_SECONDS):
            await release.wait()
