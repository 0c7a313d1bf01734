"""A tab that was closed between two calls, of which the browser has not reported it yet."""

import asyncio
import json
import urllib.request
from contextlib import asynccontextmanager

from websockets.asyncio.client import connect
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

from tests.support.chromium import foreign_chromium, port_of

REPORTS = ("Target.detachedFromTarget", "Target.targetDestroyed", "Inspector.detached")


def ask(port, path):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=20) as reply:
        return reply.read().decode()


@asynccontextmanager
async def without_reports(address):
    """The browser, except that it never reports a closed tab."""

    async def forward(client):
        async with connect(address, max_size=None, proxy=None) as browser:

            async def answer():
                async for message in browser:
                    if json.loads(message).get("method") not in REPORTS:
                        await client.send(message)

            answering = asyncio.create_task(answer())
            try:
                async for message in client:
                    await browser.send(message)
            except ConnectionClosed:
                pass
            finally:
                answering.cancel()

    async with serve(forward, "127.0.0.1", 0, max_size=None) as server:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/devtools/browser/x"


async def test_open_uses_a_new_tab_and_other_calls_say_that_it_is_closed(program, site):
    with foreign_chromium() as (_process, profile):
        port = await port_of(profile)
        address = json.loads(ask(port, "/json/version"))["webSocketDebuggerUrl"]
        async with without_reports(address) as endpoint:
            there = ("--cdp", endpoint)
            first, second = site.page("<p>x", title="First"), site.page("<p>y", title="Second")

            async def say(*words):
                return await asyncio.to_thread(program, *there, *words)

            assert (await say("open", first)).returncode == 0
            for target in json.loads(await asyncio.to_thread(ask, port, "/json/list")):
                if target["url"] == first:
                    await asyncio.to_thread(ask, port, f"/json/close/{target['id']}")
            gone = await say("get", "title")
            assert gone.returncode != 0
            assert "the tab is closed" in gone.stderr
            opened = await say("open", second)
            assert opened.returncode == 0, opened.stderr
            assert "was closed; using a new tab" in opened.stdout + opened.stderr
            assert (await say("get", "title")).stdout.strip() == "Second"
