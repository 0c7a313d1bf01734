"""Requests are found by what they are, and each one can be looked at in all detail."""

from contextlib import asynccontextmanager

import pytest
from websockets.asyncio.server import serve

from boathook.errors import BadRequest, BadSetting
from boathook.presentation.all_renderers import as_data, as_text
from boathook.redaction.redactor import Redactor
from tests.support.engine import engine_of
from tests.support.servers import tcp_server
from tests.support.site import dead_port
from tests.support.waiting import until

STREAM = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nAccess-Control-Allow-Origin: *\r\n\r\n"
    b"event: price\ndata: 42\n\ndata: plain\n\n"
)


@asynccontextmanager
async def echoing_socket():
    """A WebSocket that says everything back."""

    async def echo(socket):
        async for message in socket:
            await socket.send(message)

    async with serve(echo, "127.0.0.1", 0) as server:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/talk"


async def streaming(reader, writer):
    """Two events, and then nothing more until the page leaves."""
    while (await reader.readline()) not in {b"\r\n", b""}:
        pass
    writer.write(STREAM)
    await writer.drain()
    await reader.read()
    writer.close()


async def test_requests_are_found_by_type_status_and_page(tab, site):
    await tab.goto(site.page("<p>before</p>"))
    await tab.evaluate("fetch('/json?status=503').then(a => a.text())")
    await tab.goto(site.page("<img src=/json?status=404>"), wait_until="networkidle")
    await tab.evaluate("fetch('/json?status=418').then(a => a.text())")
    assert [request.status for request in await tab.requests(type=["fetch,xhr"])] == [503, 418]
    assert [request.status for request in await tab.requests("/json", status="4xx")] == [404, 418]
    assert [request.status for request in await tab.requests(status="500-599")] == [503]
    assert [request.status for request in await tab.requests("/json", status="404,503")] == [503, 404]
    assert [request.status for request in await tab.requests("/json", current_page=True)] == [404, 418]
    assert (await tab.requests(current_page=True))[0].type == "Document"
    assert len(await tab.requests("/json", clear=True)) == 3
    assert await tab.requests() == []
    for wrong in ({"status": "maybe"}, {"type": ["picture"]}):
        with pytest.raises(BadSetting, match=r"invalid status: |unknown request type: "):
            await tab.requests(**wrong)


async def test_failures_are_split_into_those_to_look_at_and_harmless_ones(tab, site):
    await tab.goto(site.page("<img src=/apple-touch-icon.png><img src=/photo.png>"), wait_until="networkidle")
    told = {
        request.url.rpartition("/")[2]: as_data(request)["problem"] for request in await tab.requests(".png")
    }
    assert told == {"apple-touch-icon.png": "benign", "photo.png": "actionable"}
    assert [request.url.rpartition("/")[2] for request in await tab.requests(".png", failed=True)] == [
        "photo.png"
    ]
    assert "benign" in as_text((await tab.requests("apple-touch"))[0])


async def test_one_request_has_headers_bodies_timing_and_what_made_the_page_send_it(tab, site):
    await tab.goto(site.page("<script>\nfunction ask() { return send() }\n</script>"))
    await tab.evaluate(
        "(globalThis.send = () => fetch('/json?more', {method: 'POST', body: 'a=1', headers: {'X-Own': 'yes'}})"
        ".then(a => a.text()), ask())"
    )
    (posted,) = await tab.requests("/json?more")
    found = await tab.request(posted.number)
    sent = {name.lower(): value for name, value in found.request_headers.items()}
    assert (sent["x-own"], sent["host"]) == ("yes", f"127.0.0.1:{site.port}")
    assert {name.lower() for name in found.response_headers} >= {"content-type", "cache-control"}
    assert (found.post_data, found.body.text) == ("a=1", '{"answer": 42}')
    assert (found.protocol, found.remote_address) == ("http/1.1", f"127.0.0.1:{site.port}")
    assert found.initiator.kind == "script"
    assert any(call.startswith("ask ") for call in found.initiator.stack)
    parts = ("queue", "dns", "connect", "tls", "send", "wait", "receive")
    spent = [getattr(found.timing, name) for name in parts]
    assert sum(part for part in spent if part is not None) == pytest.approx(found.timing.total, abs=0.01)
    assert found.timing.total == pytest.approx(posted.seconds * 1000, abs=1)
    assert None not in {found.timing.send, found.timing.wait, found.timing.receive}
    text = as_text(found)
    assert all(word in text for word in ("X-Own: yes", "a=1", "42", "wait ", "initiator: script"))


async def test_the_parser_is_named_with_its_line_and_a_redirect_with_where_it_led(tab, site):
    page = site.page("\n\n<img src=/json?line>")
    await tab.goto(site.url(f"redirect?to={page}"), wait_until="networkidle")
    (image,) = await tab.requests("?line")
    assert (await tab.request(image.number)).initiator.line == 3
    hop, document = await tab.requests(type=["document"])
    assert (await tab.request(hop.number)).redirected_to == page
    assert (await tab.request(document.number)).redirected_to == ""


async def test_a_request_without_an_answer_says_so_and_an_unknown_one_is_an_error(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await tab.evaluate(f"fetch('http://127.0.0.1:{dead_port()}/x', {{mode: 'no-cors'}}).catch(() => 1)")
    await until(lambda: engine_of(tab).network.problems_since(0), named="the failure is in the log")
    (failed,) = await tab.requests("/x")
    found = await tab.request(failed.number)
    assert found.body is None
    assert "ERR_CONNECTION_REFUSED" in as_text(found)
    with pytest.raises(BadRequest, match="no such request: 999999"):
        await tab.request(999999)


async def test_secrets_of_a_request_do_not_pass_the_gate(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await tab.evaluate(
        "document.cookie = 'session=s3cr3tc00kie; path=/; max-age=60',"
        "fetch('/json?t', {headers: {Authorization: 'Bearer abcdefghijklmnop1234'}}).then(a => a.text())"
    )
    (asked,) = await tab.requests("/json?t")
    found = await tab.request(asked.number)
    assert "s3cr3tc00kie" in str(found.request_headers), "the control: it was sent"
    for shown in (Redactor().text(as_text(found)), str(Redactor().value(as_data(found)))):
        assert "s3cr3tc00kie" not in shown
        assert "abcdefghijklmnop1234" not in shown


async def test_messages_of_a_websocket_are_listed(tab, site):
    async with echoing_socket() as address:
        await tab.goto(site.page("<p>x</p>"))
        await tab.evaluate(
            """address => new Promise(done => {
                const socket = new WebSocket(address); let left = 3
                socket.binaryType = 'arraybuffer'
                socket.onopen = () => { socket.send('hello'); socket.send('y'.repeat(5000)); socket.send(new Uint8Array([1, 2, 3])) }
                socket.onmessage = () => { if (--left === 0) { socket.onclose = done; socket.close() } }
            })""",
            address,
        )
        await until(lambda: engine_of(tab).network.since(0)[-1].finished, named="the socket is closed")
    (socket,) = await tab.requests(type=["websocket"])
    assert (socket.status, socket.url, socket.messages >= 6) == (101, address, True)
    found = await tab.request(socket.number)
    talked = [
        (match.direction, match.opcode, match.size, match.cut)
        for match in found.messages
        if match.opcode in {1, 2}
    ]
    expected = [(1, 5, False), (1, 5000, True), (2, 3, False)]
    assert [message[1:] for message in talked if message[0] == "sent"] == expected
    assert [message[1:] for message in talked if message[0] == "received"] == expected
    assert found.messages[0].text == "hello"
    assert all(match.at == pytest.approx(socket.at, abs=60) for match in found.messages)
    assert '→ text 5: "hello"' in as_text(found)
    assert engine_of(tab).network.open() == [], "a socket is not counted as open"


async def test_only_the_latest_messages_are_kept(tab, site):
    from boathook.engine.network.log.request_record import MOST_MESSAGES

    async with echoing_socket() as address:
        await tab.goto(site.page("<p>x</p>"))
        count = MOST_MESSAGES // 2 + 10
        await tab.evaluate(
            """(address, count) => new Promise(done => {
                const socket = new WebSocket(address); let left = count
                socket.onopen = () => { for (let i = 0; i < count; i++) socket.send('m' + i) }
                socket.onmessage = () => { if (--left === 0) done() }
            })""",
            address,
            count,
        )
        (socket,) = await tab.requests(type=["websocket"])
        found = await tab.request(socket.number)
        assert (len(found.messages), found.messages_dropped) == (MOST_MESSAGES, 20)
        await tab.goto("about:blank")


async def test_events_of_a_stream_are_listed(tab, site):
    async with tcp_server(streaming) as port:
        await tab.goto(site.page("<p>x</p>"))
        await tab.evaluate(f"void (globalThis.source = new EventSource('http://127.0.0.1:{port}/prices'))")
        await until(lambda: engine_of(tab).network.since(0)[-1].messages == 2, named="both events came")
        (stream,) = await tab.requests(type=["eventsource"])
        found = await tab.request(stream.number)
        assert [(match.event, match.text) for match in found.messages] == [
            ("price", "42"),
            ("message", "plain"),
        ]
        await tab.evaluate("source.close()")


async def test_a_slow_network_is_slow_until_it_is_the_real_one_again(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    took = (
        "(async () => { const t = performance.now(); await fetch('/json'); return performance.now() - t })()"
    )
    settings = await tab.set_network("slow-3g")
    assert settings.network.name == "slow-3g"
    assert await tab.evaluate(took, timeout=30) >= 380
    await tab.set_network(latency=300)
    assert await tab.evaluate(took, timeout=30) >= 290
    await tab.set_offline("on")
    assert await tab.evaluate("fetch('/json').then(() => 'answered', () => 'none')") == "none"
    await tab.set_offline("off")
    assert await tab.evaluate(took, timeout=30) >= 290, "the network is as slow as before"
    assert (await tab.set_network("none")).network is None
    assert await tab.evaluate("fetch('/json').then(a => a.status)") == 200
    for wrong in ({}, {"profile": "slow-3g", "latency": 5}):
        with pytest.raises(BadSetting, match="either a profile or numbers"):
            await tab.set_network(**wrong)


@pytest.mark.parametrize("down", [2374737006118610.0, float("nan"), 0])
async def test_numbers_outside_their_range_are_refused_by_methods_too(tab, site, down):
    """A browser that is given an enormous throughput never loads a page again."""
    with pytest.raises(BadSetting, match=r"set network: down must be between 1 and 1e\+07"):
        await tab.set_network(down=down)
    await tab.goto(site.page("<h1>Still here</h1>"))


async def test_a_response_from_the_memory_cache_has_its_own_times(tab, site):
    await tab.goto(site.page("<link rel=stylesheet href=/cached>", title="First"))
    await tab.goto(site.page("<link rel=stylesheet href=/cached>", title="Second"))
    first, second = await tab.requests("/cached")
    assert (first.from_cache, second.from_cache) == (False, True)
    gap = (second.at - first.at) * 1_000
    detail = await tab.request(second.number)
    assert detail.timing.total == pytest.approx(second.seconds * 1_000, abs=1)
    assert detail.timing.total < gap, "the phases of the first request began before the second one"
