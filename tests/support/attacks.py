"""What strangers send to a server on this machine: names that are not its own, raw requests, and a proxy in between."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress

FOREIGN_HOSTS = [
    "evil.example", "evil.example:{port}", "localhost", "127.0.0.1", "127.0.0.1:1", "localhost:1", "localhost.:{port}",
    "127.0.0.1.:{port}", "127.0.0.1:{port}.evil.example", "evil.example@127.0.0.1:{port}", "0.0.0.0:{port}", "[::]:{port}",
    "127.1:{port}", "127.0.0.2:{port}", "2130706433:{port}", "0x7f000001:{port}", "0177.0.0.1:{port}", "::1:{port}", "[::1]",
    "[::ffff:127.0.0.1]:{port}", "LOCALHOST.evil.example:{port}", "localhost:{port}:80", "localhost:0{port}", " localhost:{port}x",
    "localhost:{port}/mcp", "http://localhost:{port}", "localhost:{port},evil.example", "*", "*:{port}", "-", "localhost%00:{port}",
    "10.0.0.1:{port}", "192.168.1.1:{port}", "169.254.169.254:{port}", "metadata.google.internal", "xn--localhost-:{port}",
    "127.0.0.1:{port}#", "127.0.0.1:{port}?x", "127.0.0.1:+{port}", "127.0.0.1: {port}", "[::1%25lo]:{port}", "ip6-localhost:{port}",
    "localhost.localdomain:{port}", "boathook:{port}", "127.0.0.1:{port}:{port}", "a" * 300, "localhost\t:{port}", "l\xf6calhost:{port}",
    "1:{port}", "0:{port}", "127.0.1:{port}", "127.000.000.001:{port}", "①②⑦.0.0.1:{port}".encode().decode("latin-1"), "user@localhost:{port}",
    ".localhost:{port}", "localhost..:{port}", "[127.0.0.1]:{port}", "[localhost]:{port}", "localhost;{port}", "127.0.0.1\\:{port}",
    "[::1", "localhost:abc", "a.localhost:{port}", "evil.example#localhost:{port}", "localhost:{port}@evil.example", "",
]  # fmt: skip
UPGRADE = (
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
)
"""With these a request asks for a WebSocket."""
FORWARDED = (
    "X-Forwarded-For: 127.0.0.1",
    "X-Forwarded-Host: localhost",
    "X-Forwarded-Proto: https",
    "X-Real-IP: 127.0.0.1",
    "Forwarded: for=127.0.0.1;host=localhost",
    "Via: 1.1 proxy",
)


async def answer_to(port, request, *headers, body=b"", address="127.0.0.1"):
    """(status, whole answer) of a request that is sent as it stands; a socket that opened is left at once."""
    reader, writer = await asyncio.open_connection(address, port)
    if not any(line.lower().startswith("connection:") for line in headers):
        headers = (*headers, "Connection: close")
    lines = [f"{request} HTTP/1.1", *headers, f"Content-Length: {len(body)}", "", ""]
    try:
        writer.write("\r\n".join(lines).encode("latin-1") + body)
        head = await _until_blank_line(reader)
        rest = b"" if b" 101 " in head[:16] else await reader.read()
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
    status = int(head.split()[1]) if head.startswith(b"HTTP/") else 0
    return status, (head + rest).decode("latin-1")


async def _until_blank_line(reader):
    try:
        return await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError) as error:
        return getattr(error, "partial", b"")


@asynccontextmanager
async def reverse_proxy(port, *, host=None):
    """A proxy on this machine that passes requests on, with the headers that proxies add; its own port."""

    async def handle(reader, writer):
        head = await _until_blank_line(reader)
        first, *lines = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
        if host is not None:
            lines = [f"Host: {host}" if line.lower().startswith("host:") else line for line in lines]
        onward, back = await asyncio.open_connection("127.0.0.1", port)
        back.write("\r\n".join([first, *lines, *FORWARDED, "", ""]).encode("latin-1"))
        tasks = [asyncio.create_task(_copied(reader, back)), asyncio.create_task(_copied(onward, writer))]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        back.close()
        writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


async def _copied(reader, writer):
    while data := await reader.read(65_536):
        writer.write(data)
        await writer.drain()
