"""Stand-ins on loopback: the one host that is allowed, and the foreign ones, which count whatever reaches them."""

from __future__ import annotations

import asyncio
import socket
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

PAGE = Path(__file__).with_name("egress.html")
ALLOWED = "allowed.localhost"
"""Chromium trusts it as it trusts https, so it may have service workers; nobody is asked where it is."""
ANSWER = (
    b"HTTP/1.1 %b\r\nContent-Length: %d\r\nAccess-Control-Allow-Origin: *\r\nConnection: close\r\n%b\r\n%b"
)

SPEAK_NO_HTTP = {"preconnect", "turn", "icetcp"}
"""Channels that begin with TLS or STUN: a plain HTTP request comes from a stray client of another test."""
HTTP_METHODS = (b"GET ", b"POST ", b"PUT ", b"HEAD ", b"OPTIONS ", b"CONNECT ")
FIRST_BYTES_SECONDS = 2


def _has_ipv6():
    with suppress(OSError), socket.socket(socket.AF_INET6) as probe:
        probe.bind(("::1", 0))
        return True
    return False


HAS_IPV6 = _has_ipv6()
"""Some machines have none, not even of their own."""


def answer(body=b"", *, status=b"200 OK", fields=()):
    return ANSWER % (status, len(body), b"".join(field + b"\r\n" for field in fields), body)


async def _read_first_bytes(reader):
    """What a client says first; a client that says nothing counts too, after a moment."""
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(FIRST_BYTES_SECONDS):
            return await reader.read(2048)
    return b""


class Foreign:
    """Everything that must not be reached, and what of it was."""

    def __init__(self):
        self.hits: list[str] = []
        self.connections = {"preconnect": 0, "turn": 0, "icetcp": 0, "loopback": 0, "loopback6": 0}
        self.datagrams = {"stun": 0, "webtransport": 0, "iceudp": 0}
        self.received: list[tuple[str, bytes]] = []
        self.ports: dict[str, int] = {}

    @property
    def reached(self):
        """The channels that got through."""
        counted = self.datagrams | self.connections
        return set(self.hits) | {name for name, count in counted.items() if count}

    async def serve(self, reader, writer):
        with suppress(OSError, EOFError):
            head = await reader.readuntil(b"\r\n\r\n")
            host = next(line for line in head.split(b"\r\n") if line.lower().startswith(b"host:"))
            self.hits.append(host.split(b":", 1)[1].strip().split(b".")[0].decode())
            fields = [b"Content-Disposition: attachment; filename=x.bin"] if b"/file" in head else []
            writer.write(answer(b"x", fields=fields))
            await writer.drain()
        writer.close()

    def accepting(self, name):
        async def accept(reader, writer):
            self.connections[name] += 1
            sent = await _read_first_bytes(reader)
            self.received.append((name, sent))
            if name in SPEAK_NO_HTTP and sent.startswith(HTTP_METHODS):
                self.connections[name] -= 1
            writer.close()

        return accept

    def listening(self, name):
        return lambda: _Datagrams(self, name)


class _Datagrams(asyncio.DatagramProtocol):
    def __init__(self, foreign, name):
        self.foreign, self.name = foreign, name

    def datagram_received(self, _data, _address):
        self.foreign.datagrams[self.name] += 1


@asynccontextmanager
async def foreign_hosts():
    """Counters for HTTP and WebSockets, for connections without a request, and for datagrams; a port for each."""
    foreign = Foreign()
    loop = asyncio.get_running_loop()
    handlers = {"http": foreign.serve} | {name: foreign.accepting(name) for name in foreign.connections}
    open_now: list[asyncio.Server | asyncio.DatagramTransport] = []
    for name, handle in handlers.items():
        if name == "loopback6" and not HAS_IPV6:
            foreign.ports[name] = 1
            continue
        server = await asyncio.start_server(handle, "::1" if name == "loopback6" else "127.0.0.1", 0)
        foreign.ports[name] = server.sockets[0].getsockname()[1]
        open_now.append(server)
    for name in foreign.datagrams:
        way, _ = await loop.create_datagram_endpoint(foreign.listening(name), ("127.0.0.1", 0))
        foreign.ports[name] = way.get_extra_info("sockname")[1]
        open_now.append(way)
    try:
        yield foreign
    finally:
        for item in open_now:
            item.close()


class Allowed:
    """The one host that may be reached: it serves the page that tries to get out."""

    def __init__(self, ports):
        self.ports = ports
        self.port = 0
        self.requests: list[str] = []

    @property
    def address(self):
        return f"http://{ALLOWED}:{self.port}/"

    async def serve(self, reader, writer):
        with suppress(OSError, EOFError):
            head = await reader.readuntil(b"\r\n\r\n")
            target = head.split(b" ", 2)[1].decode()
            self.requests.append(target)
            writer.write(self._answer(urlsplit(target)))
            await writer.drain()
        writer.close()

    def _answer(self, parts):
        to = parse_qs(parts.query).get("to", [""])[0]
        script = [b"Content-Type: text/javascript"]
        match parts.path:
            case "/":
                return answer(self._filled(PAGE.read_text()), fields=[b"Content-Type: text/html"])
            case "/redirect":
                return answer(status=b"302 Found", fields=[b"Location: " + to.encode()])
            case "/refresh":
                page = f'<!doctype html><meta http-equiv=refresh content="0; url={unquote(to)}">'
                return answer(page.encode(), fields=[b"Content-Type: text/html"])
            case "/shared.js":
                code = "onconnect = () => 0; fetch('http://sharedworker.foreign.test:{{http}}/', { mode: 'no-cors' })"
                return answer(self._filled(code), fields=script)
            case "/service.js":
                code = "fetch('http://serviceworker.foreign.test:{{http}}/', { mode: 'no-cors' })"
                return answer(self._filled(code), fields=script)
        return answer(b"ok", fields=[b"Content-Type: text/html"])

    def _filled(self, text):
        for name, port in self.ports.items():
            text = text.replace(f"{{{{{name}}}}}", str(port))
        return text.encode()


@asynccontextmanager
async def allowed_host(foreign):
    """The allowed host, on loopback."""
    allowed = Allowed(foreign.ports)
    server = await asyncio.start_server(allowed.serve, "127.0.0.1", 0)
    allowed.port = server.sockets[0].getsockname()[1]
    try:
        yield allowed
    finally:
        server.close()
