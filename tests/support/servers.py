"""Endpoints that misbehave, and a CDP endpoint that lacks things."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager

from websockets.asyncio.client import connect
from websockets.asyncio.server import serve


@asynccontextmanager
async def tcp_server(handle):
    """A raw TCP server; yields its port."""
    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


async def never_answers(reader, writer):
    """Accept, read, say nothing, until the client leaves."""
    try:
        while await reader.read(65536):
            pass
    except ConnectionError:
        pass
    finally:
        writer.close()


def answers_http(body: bytes, *, status: str = "200 OK"):
    """Answer every request with the same body."""

    async def handle(reader, writer):
        while (line := await reader.readline()) not in {b"\r\n", b""}:
            pass
        del line
        writer.write(
            f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body
        )
        await writer.drain()
        writer.close()

    return handle


@asynccontextmanager
async def lacking_endpoint(socket_url: str, *refused: str):
    """A WebSocket in front of a real browser that answers some methods with an error, as QtWebEngine does."""

    async def relay(client):
        async with connect(socket_url, max_size=None, proxy=None) as browser:

            async def up():
                async for text in client:
                    message = json.loads(text)
                    if message["method"] in refused:
                        error = {"code": -32000, "message": "Not supported"}
                        await client.send(json.dumps({"id": message["id"], "error": error}))
                    else:
                        await browser.send(text)

            async def down():
                async for text in browser:
                    await client.send(text)

            tasks = [asyncio.create_task(up()), asyncio.create_task(down())]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async with serve(relay, "127.0.0.1", 0, max_size=None) as server:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/devtools/browser/x"
