"""The proxy of limited browsers, spoken to without a browser: what it carries, what it refuses, how it ends."""

import asyncio
import ipaddress
from contextlib import asynccontextmanager

import pytest

from boathook.engine.hosts.host_policy import HostPolicy
from boathook.engine.network.proxy.egress_proxy import EgressProxy, Upstream
from boathook.engine.network.proxy.name_resolution import ConnectAddress, Names
from boathook.errors import BadSwitch

BODY = b"x" * 300_000


class Server:
    """Answers one request per connection and keeps the connection open, as if another could follow."""

    def __init__(self):
        self.heads = []
        self.bodies = []
        self.port = 0

    async def serve(self, reader, writer):
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            self.heads.append(head)
            for line in head.split(b"\r\n"):
                if line.lower().startswith(b"content-length:"):
                    self.bodies.append(await reader.readexactly(int(line.split(b":")[1])))
            if b"/interim" in head:
                writer.write(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
            if b"/bare" in head:
                writer.write(b"HTTP/1.1 200 OK\nContent-Length: 2\nX: y\n\nok")
            elif b"/nonsense" in head:
                writer.write(b"SSH-2.0-x\r\n\r\n")
            else:
                writer.write(
                    b"HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: %d\r\n\r\n" % len(BODY)
                    + BODY
                )
            await writer.drain()
            if b"/bare" not in head and b"/nonsense" not in head:
                await reader.read()
        except (OSError, EOFError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def serving():
    server = Server()
    listener = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    server.port = listener.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listener.close()


async def said(proxy, request):
    """Everything that the proxy says to a request, until it closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    writer.write(request)
    async with asyncio.timeout(30):
        answer = await reader.read(1) + await _rest(reader)
    writer.close()
    return answer


async def _rest(reader):
    parts = []
    while len(b"".join(parts)) < len(BODY):
        part = await reader.read(65536)
        if not part:
            break
        parts.append(part)
    return b"".join(parts)


def limited(*allowed, denied=(), private=None, **more):
    return EgressProxy(HostPolicy.of(allowed=allowed or None, denied=denied, private=private), **more)


async def test_a_request_for_an_allowed_host_goes_there_and_the_connection_is_not_used_again():
    async with serving() as server, limited("127.0.0.1") as proxy:
        answer = await said(
            proxy,
            b"GET http://127.0.0.1:%d/a?b=c HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nProxy-Connection: keep-alive\r\n"
            b"Connection: keep-alive\r\nX-Own: 1\r\n\r\n" % (server.port, server.port),
        )
        head = server.heads[0]
        assert head.startswith(b"GET /a?b=c HTTP/1.1\r\n")
        assert b"Proxy-Connection" not in head
        assert b"X-Own: 1" in head
        assert b"Connection: close" in head
        assert b"keep-alive" not in answer
        assert b"Connection: close" in answer
        assert answer.count(b"x") >= len(BODY) - 65536


async def test_a_body_is_carried_along():
    async with serving() as server, limited("127.0.0.1") as proxy:
        await said(
            proxy,
            b"POST http://127.0.0.1:%d/p HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello" % server.port,
        )
        assert server.bodies == [b"hello"]


@pytest.mark.parametrize(("path", "expected"), [(b"/interim", b"103 Early Hints"), (b"/bare", b"\r\n\r\nok")])
async def test_answers_in_parts_and_with_bare_line_feeds_are_understood(path, expected):
    async with serving() as server, limited("127.0.0.1") as proxy:
        request = b"GET http://127.0.0.1:%d%b HTTP/1.1\r\nHost: h\r\n\r\n" % (server.port, path)
        assert expected in await said(proxy, request)


async def test_a_tunnel_carries_bytes_both_ways():
    async with serving() as server, limited("127.0.0.1") as proxy:
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        writer.write(b"CONNECT 127.0.0.1:%d HTTP/1.1\r\nHost: x\r\n\r\n" % server.port)
        assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 200 Connection established\r\n\r\n"
        writer.write(b"GET /through HTTP/1.1\r\n\r\n")
        assert (await reader.readexactly(15)) == b"HTTP/1.1 200 OK"
        assert server.heads[0].startswith(b"GET /through")
        writer.close()


async def test_what_is_not_allowed_is_not_even_connected_to():
    async with serving() as server, limited("example.test") as proxy:
        assert (await said(proxy, b"CONNECT 127.0.0.1:%d HTTP/1.1\r\n\r\n" % server.port)).startswith(
            b"HTTP/1.1 403"
        )
        assert (
            await said(
                proxy, b"GET http://127.0.0.1:%d/ HTTP/1.1\r\nHost: example.test\r\n\r\n" % server.port
            )
            == b""
        )
        assert server.heads == []
        assert [refusal.host for refusal in proxy.blocked_since(0)] == ["127.0.0.1", "127.0.0.1"]
        assert [refusal.number for refusal in proxy.blocked_since(1)] == [2]


@pytest.mark.parametrize(
    "request_line",
    [
        b"GET / HTTP/1.1",
        b"GET https://127.0.0.1/ HTTP/1.1",
        b"GET ftp://127.0.0.1/ HTTP/1.1",
        b"CONNECT 127.0.0.1 HTTP/1.1",
        b"CONNECT 127.0.0.1:99999 HTTP/1.1",
        b"GET http:// HTTP/1.1",
        b"GET http://127.0.0.1:0x50/ HTTP/1.1",
        b"OPTIONS * HTTP/1.1",
    ],
)
async def test_what_is_no_request_to_a_proxy_is_answered_with_400(request_line):
    async with limited("127.0.0.1") as proxy:
        assert (await said(proxy, request_line + b"\r\nHost: x\r\n\r\n")).startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize(
    "bytes_", [b"\x16\x03\x01\x02\x00\x01\r\n\r\n", b"hello\r\n\r\n", b"A" * 300_000 + b"\r\n\r\n"]
)
async def test_what_is_no_http_is_cut_off(bytes_):
    async with limited("127.0.0.1") as proxy:
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        try:
            writer.write(bytes_)
            async with asyncio.timeout(30):
                assert await reader.read() == b""
        except ConnectionError:
            pass
        finally:
            writer.close()
        async with serving() as server:
            assert b"200 OK" in await said(
                proxy, b"GET http://127.0.0.1:%d/ HTTP/1.1\r\nHost: x\r\n\r\n" % server.port
            )


async def test_an_answer_that_is_no_http_is_not_handed_on():
    async with serving() as server, limited("127.0.0.1") as proxy:
        assert (
            await said(proxy, b"GET http://127.0.0.1:%d/nonsense HTTP/1.1\r\nHost: x\r\n\r\n" % server.port)
            == b""
        )


class FlippingNames(Names):
    """A name server that answers differently each time: first a public address, then this machine."""

    def __init__(self, *answers):
        super().__init__()
        self.answers = list(answers)
        self.asked = 0

    async def places(self, host, port):
        self.asked += 1
        given = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return [ConnectAddress(address=ipaddress.ip_address(item), port=port) for item in given]


@pytest.mark.parametrize(
    "answers",
    [[["127.0.0.1"]], [["93.184.216.34", "127.0.0.1"]], [["169.254.169.254"]], [["::ffff:127.0.0.1"]]],
)
async def test_a_name_that_turns_to_this_machine_is_refused_by_its_address(answers):
    async with serving() as server:
        names = FlippingNames(*answers)
        async with limited("shop.example", names=names) as proxy:
            assert (await said(proxy, b"CONNECT shop.example:%d HTTP/1.1\r\n\r\n" % server.port)).startswith(
                b"HTTP/1.1 403"
            )
            assert names.asked == 1, "what was decided about is what would have been connected to"
            assert proxy.refused == 1
        assert server.heads == []


async def test_the_address_that_was_decided_about_is_the_one_that_is_connected_to():
    async with serving() as server:
        names = FlippingNames(["127.0.0.1"], ["10.0.0.1"])
        async with limited("shop.example", private=True, names=names) as proxy:
            answer = await said(
                proxy, b"CONNECT shop.example:%d HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n" % server.port
            )
            assert answer.startswith(b"HTTP/1.1 200 Connection established")
            assert names.asked == 1


async def test_the_callers_own_rules_for_names_hold_here_too():
    async with serving() as server:
        names = Names(
            f"MAP shop.example 127.0.0.1:{server.port}, MAP gone.example ~NOTFOUND, EXCLUDE not.shop.example"
        )
        async with limited("*.example", names=names) as proxy:
            assert b"200 OK" in await said(
                proxy, b"GET http://shop.example/ HTTP/1.1\r\nHost: shop.example\r\n\r\n"
            )
            assert (await said(proxy, b"CONNECT gone.example:443 HTTP/1.1\r\n\r\n")).startswith(
                b"HTTP/1.1 502"
            )
            assert proxy.refused == 0
    with pytest.raises(BadSwitch, match="invalid host name rule"):
        Names("MAP everything")


async def test_an_allowed_request_goes_through_the_users_own_proxy():
    async with serving() as users:
        upstream = Upstream(host="127.0.0.1", port=users.port)
        names = Names("MAP * ~NOTFOUND")
        async with limited("shop.example", upstream=upstream, names=names) as proxy:
            assert b"200 OK" in await said(
                proxy, b"GET http://shop.example/x HTTP/1.1\r\nHost: shop.example\r\n\r\n"
            )
            assert b"200 Connection" in await said(proxy, b"CONNECT shop.example:443 HTTP/1.1\r\n\r\n")
            assert (await said(proxy, b"CONNECT other.example:443 HTTP/1.1\r\n\r\n")).startswith(
                b"HTTP/1.1 403"
            )
        assert [head.split(b"\r\n")[0] for head in users.heads] == [
            b"GET http://shop.example/x HTTP/1.1",
            b"CONNECT shop.example:443 HTTP/1.1",
        ]


async def test_it_ends_every_connection_when_it_ends_and_ends_twice_without_complaint():
    async with serving() as server:
        proxy = limited("127.0.0.1")
        await proxy.start()
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        writer.write(b"CONNECT 127.0.0.1:%d HTTP/1.1\r\n\r\n" % server.port)
        await reader.readuntil(b"\r\n\r\n")
        await proxy.close()
        await proxy.close()
        async with asyncio.timeout(30):
            assert await reader.read() == b""
        writer.close()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", proxy.port)


class KnownNames(Names):
    """A resolver with a few names, each with its IP address and its canonical name."""

    async def places(self, host, port):
        known = {"db.corp.example": "127.0.0.1", "alias.example": "127.0.0.1", "other.example": "127.0.0.2"}
        address = known.get(host, host)
        canonical = "db.corp.example" if host == "alias.example" else host
        return [ConnectAddress(address=ipaddress.ip_address(address), port=port, name=canonical)]


@pytest.mark.parametrize(
    ("host", "reached"),
    [
        ("db.corp.example", False),
        ("alias.example", False),
        ("127.0.0.1", False),
        ("127.0.0.2", True),
        ("other.example", True),
    ],
)
async def test_a_denied_host_is_not_reached_by_an_alias_or_by_its_address(host, reached):
    listener = await asyncio.start_server(Server().serve, "0.0.0.0", 0)
    port = listener.sockets[0].getsockname()[1]
    try:
        async with limited(denied=["db.corp.example"], private=True, names=KnownNames()) as proxy:
            answer = await said(
                proxy, b"CONNECT %s:%d HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n" % (host.encode(), port)
            )
            assert (b"200 Connection established" in answer, proxy.refused) == (reached, 0 if reached else 1)
    finally:
        listener.close()
