"""The egress proxy: all requests of a limited browser pass through it, and those to blocked hosts are refused.

It listens on loopback for one browser and stops with it. It resolves names itself, decides once by name and once by
IP address, and connects to exactly the IP address that it decided about, so that DNS rebinding has no effect.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from boathook.engine.hosts.host_names import canonical_host, host_and_port, is_this_machine, split_port
from boathook.engine.network.proxy.denied_addresses import DeniedAddresses
from boathook.engine.network.proxy.http_heads import HEAD_LIMIT, BadHead, Head, read_head
from boathook.engine.network.proxy.name_resolution import Names
from boathook.errors import BadUrl, ConnectionFailed, NameNotResolved, NavigationFailed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from boathook.engine.hosts.host_policy import Denial, HostPolicy
    from boathook.engine.network.log.network_log import NetworkLog
    from boathook.engine.network.log.request import Request
    from boathook.engine.network.proxy.name_resolution import ConnectAddress

log = logging.getLogger("boathook")

MOST_CONNECTIONS = 512
MOST_REFUSALS = 500
CHUNK = 64 * 1024
IDLE_SECONDS = 300.0
CONNECT_SECONDS = 20.0
NEXT_SECONDS = 2.0
"""After this time without a connection the next address of a host is tried."""
ENDING_SECONDS = 2.0

_DENIAL = {"net::ERR_TUNNEL_CONNECTION_FAILED", "net::ERR_EMPTY_RESPONSE"}
"""The browser's error for a request that the proxy refuses."""
_NO_CREDENTIALS = "net::ERR_INVALID_AUTH_CREDENTIALS"
_PROXY_ASKS = 407
_ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"
_FORBIDDEN = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_UNREACHABLE = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_BAD = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_BUSY = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockedRequest:
    """One refused request."""

    number: int
    host: str
    port: int
    denial: Denial


@dataclass(frozen=True, slots=True, kw_only=True)
class Upstream:
    """The user's own proxy, which all allowed requests go through."""

    host: str
    port: int
    bypass_loopback: bool = True
    authorization: bytes = field(default=b"", repr=False)
    """The value of Proxy-Authorization; empty if it asks for none."""

    @property
    def header(self) -> bytes:
        """The header line with the credentials, if there are any."""
        return b"Proxy-Authorization: " + self.authorization + b"\r\n" if self.authorization else b""


class _Refused(Exception):
    """Blocked by the rules."""

    def __init__(self, denial: Denial) -> None:
        super().__init__(denial.reason)
        self.denial = denial


class _Unreachable(Exception):
    """No connection to the host."""


class EgressProxy:
    """Forwards the requests of one browser to allowed hosts."""

    def __init__(
        self, host_policy: HostPolicy, *, names: Names | None = None, upstream: Upstream | None = None
    ) -> None:
        self.host_policy = host_policy
        self.port = 0
        self.refused = 0
        """How many requests were refused so far; a mark for `refused_since`."""
        self.carried = 0
        """How many requests and tunnels went through."""
        self._refusals: deque[BlockedRequest] = deque(maxlen=MOST_REFUSALS)
        self._names = names or Names()
        self._denied_addresses = DeniedAddresses(host_policy, self._names)
        self._upstream = upstream
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def start(self) -> None:
        """Start listening, on a port that the system chooses."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=HEAD_LIMIT)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Stop listening and close every connection; may be called twice."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for task in self._connections:
            task.cancel()
        if self._connections:
            await asyncio.wait(self._connections, timeout=ENDING_SECONDS)

    def blocked_since(self, mark: int) -> tuple[BlockedRequest, ...]:
        """What was refused after a mark, oldest first; the oldest of very many are dropped."""
        return tuple(refusal for refusal in self._refusals if refusal.number > mark)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None:
            return
        self._connections.add(task)
        try:
            if len(self._connections) > MOST_CONNECTIONS:
                writer.write(_BUSY)
            else:
                await self._serve((reader, writer))
        except (OSError, EOFError, TimeoutError, BadHead) as error:
            log.debug("egress.ended kind=%s", type(error).__name__)
        except asyncio.CancelledError:
            pass  # cancelled by `close`; the server's callback ignores it
        finally:
            self._connections.discard(task)
            writer.close()

    async def _serve(self, browser: Streams) -> None:
        reader, writer = browser
        async with asyncio.timeout(IDLE_SECONDS):
            head = await read_head(reader)
        tunnels = head.method == "CONNECT"
        try:
            place = _authority(head.target) if tunnels else host_and_port(head.target)
        except (BadUrl, UnicodeDecodeError):
            place = None
        if place is None or (not tunnels and not head.target.lower().startswith("http://")):
            writer.write(_BAD)
            return
        try:
            server = await self._connect(*place, tunnels=tunnels)
        except _Refused as error:
            self._note(*place, error.denial)
            # No response outside a tunnel: an error page in the name of that host would look like its own.
            if tunnels:
                writer.write(_FORBIDDEN)
            return
        except (_Unreachable, OSError, TimeoutError):
            if tunnels:
                writer.write(_UNREACHABLE)
            return
        self.carried += 1
        try:
            await (
                self._tunnel(browser, server)
                if tunnels
                else self._forward(browser, server, head, self._upstream_for(place[0]))
            )
        finally:
            server[1].close()

    async def _connect(self, host: str, port: int, *, tunnels: bool) -> Streams:
        """A connection to an allowed host."""
        if denial := self.host_policy.denial_for_host(host, port):
            raise _Refused(denial)
        upstream = self._upstream_for(host)
        if upstream is not None and not self.host_policy.limited:
            async with asyncio.timeout(CONNECT_SECONDS):  # no name is looked up here that no rule is about
                return await self._through(upstream, host, port, tunnels=tunnels)
        places = await self._names.places(host, port)
        for candidate in places:
            # One blocked IP address blocks the name: mixing them is an attack.
            if not candidate.by_rule and (denial := self._denial_for_place(candidate, host, port)):
                raise _Refused(denial)
        if name := await self._denied_addresses.name_at(host, port):
            raise _Refused(self.host_policy.denial_for_address_of(name))
        async with asyncio.timeout(CONNECT_SECONDS):
            if upstream is not None:
                return await self._through(upstream, host, port, tunnels=tunnels)
            for place in places:
                patience = None if place is places[-1] else NEXT_SECONDS
                with suppress(OSError, TimeoutError):
                    async with asyncio.timeout(patience):
                        return await asyncio.open_connection(str(place.address), place.port, limit=HEAD_LIMIT)
        raise _Unreachable

    def _upstream_for(self, host: str) -> Upstream | None:
        """The user's proxy, unless this host is reached without it."""
        if self._upstream is None or (self._upstream.bypass_loopback and is_this_machine(host)):
            return None
        return self._upstream

    def _denial_for_place(self, place: ConnectAddress, host: str, port: int) -> Denial | None:
        policy = self.host_policy
        if place.name and (denial := policy.denial_for_canonical_name(place.name, port)):
            return denial
        return policy.denial_for_address(place.address, host=host, port=port)

    async def _through(self, upstream: Upstream, host: str, port: int, *, tunnels: bool) -> Streams:
        server = await asyncio.open_connection(upstream.host, upstream.port, limit=HEAD_LIMIT)
        if not tunnels:
            return server
        name = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        server[1].write(f"CONNECT {name} HTTP/1.1\r\nHost: {name}\r\n".encode() + upstream.header + b"\r\n")
        try:
            answer = await read_head(server[0])
        except (BadHead, EOFError):
            answer = None
        if answer is None or answer.status != 200:  # noqa: PLR2004 - the one status that opens a tunnel
            server[1].close()
            raise _Unreachable
        return server

    async def _tunnel(self, browser: Streams, server: Streams) -> None:
        browser[1].write(_ESTABLISHED)
        await _relay_bytes(browser, server)

    async def _forward(
        self, browser: Streams, server: Streams, head: Head, upstream: Upstream | None
    ) -> None:
        """One request and its response; the connection is not reused, since the next request may go elsewhere."""
        more = upstream.header if upstream is not None else b""
        server[1].write(head.forward_bytes(whole_address=upstream is not None, more=more))
        sending = asyncio.create_task(_pump(browser[0], server[1]), name="request body")
        try:
            answer = await read_head(server[0])
            while answer.is_interim:
                browser[1].write(answer.raw)
                answer = await read_head(server[0])
            browser[1].write(answer.closing())
            await _pump(server[0], browser[1])
        finally:
            sending.cancel()
            await asyncio.wait([sending])

    def _note(self, host: str, port: int, denial: Denial) -> None:
        self.refused += 1
        self._refusals.append(BlockedRequest(number=self.refused, host=host, port=port, denial=denial))


@contextmanager
def explaining(egress: EgressProxy | None, log: NetworkLog, host_policy: HostPolicy) -> Iterator[None]:
    """A load that failed because its host is blocked, or because of the user's proxy, says so."""
    mark, noted = egress.refused if egress is not None else 0, log.mark()
    try:
        yield
    except NavigationFailed as error:
        documents = [request for request in log.since(noted) if request.type == "Document"]
        if not documents:
            raise
        problem = error.evidence.get("network_error")
        if problem == _NO_CREDENTIALS and _is_from_proxy(documents[-1]):
            raise _proxy_asks(error) from error
        if egress is None and isinstance(error, NameNotResolved):
            _raise_if_denied(documents[-1].url, host_policy)
        last = _find_blocked(egress, documents[-1].url, mark) if egress is not None else None
        if last is None or problem not in _DENIAL:
            raise
        raise last.denial.error(last.host, last.port) from error


def _is_from_proxy(request: Request) -> bool:
    """Whether it is a proxy that asks for credentials; for a tunnel, the browser reports no status."""
    return request.status == _PROXY_ASKS or (not request.status and request.url.startswith("https:"))


def _proxy_asks(error: NavigationFailed) -> ConnectionFailed:
    return ConnectionFailed(
        f"the proxy requires authentication (status {_PROXY_ASKS})",
        hint="set the credentials first|: `set credentials USER PASSWORD`|, or use another proxy|: `=proxy`",
        network_error=error.evidence.get("network_error"),
        status=_PROXY_ASKS,
    )


def _raise_if_denied(url: str, host_policy: HostPolicy) -> None:
    """Without a proxy, the browser does not resolve blocked names: that of a redirect's target, for example."""
    place = host_and_port(url)
    denial = host_policy.denial_for_host(*place) if place is not None else None
    if denial is not None and place is not None:
        raise denial.error(*place)


def _find_blocked(egress: EgressProxy, address: str, mark: int) -> BlockedRequest | None:
    """What was refused after a mark because of this URL; the browser also sends its own requests."""
    place = host_and_port(address)
    found = [refusal for refusal in egress.blocked_since(mark) if (refusal.host, refusal.port) == place]
    return found[-1] if found else None


def _authority(target: str) -> tuple[str, int] | None:
    host, port = split_port(target)
    return None if port is None else (canonical_host(host), port)


async def _relay_bytes(client: Streams, other: Streams) -> None:
    """Forward bytes in both directions until both sides are done."""
    async with asyncio.TaskGroup() as both:
        both.create_task(_pump(client[0], other[1]))
        both.create_task(_pump(other[0], client[1]))


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """At most one chunk is buffered: a slow reader slows down the writer."""
    try:
        while data := await reader.read(CHUNK):
            writer.write(data)
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()
    except OSError:
        writer.close()
