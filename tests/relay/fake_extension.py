"""A fake extension: it knows the key, reports tabs that do not exist, and answers as the test wants."""

from __future__ import annotations

import asyncio
import json

from websockets.asyncio.client import connect
from websockets.typing import Origin

from boathook.relay.server.access import EXTENSION_ID
from boathook.relay.server.credentials import proof

ORIGIN = Origin(f"chrome-extension://{EXTENSION_ID}")
SETTINGS = {"attach": "auto", "readOnly": False, "lockUrl": False, "noNewTabs": False}


def row(tab_id, **more):
    base = {
        "tabId": tab_id,
        "windowId": 1,
        "targetId": f"TARGET{tab_id}",
        "url": f"https://site-{tab_id}.test/",
        "title": f"Tab {tab_id}",
        "status": "complete",
        "origin": "user",
        "openerTabId": None,
        "idleMs": None,
    }
    return {**base, **more}


class FakeExtension:
    """Answers every call with `answers[method]`: a value, or a function of its parameters; an exception is an error."""

    def __init__(self, relay, *, install_id="install-1", tabs=(1, 2), browser="Chrome", settings=None):
        self.relay = relay
        self.install_id = install_id
        self.browser = browser
        self.settings = {**SETTINGS, **(settings or {})}
        self.welcome = {}
        self.rows = [row(number) for number in tabs]
        self.calls = []
        self.pings = 0
        self.answers = {
            "tab.attach": {"fresh": True},
            "settings.get": self.settings,
            "debugger.send": self.debugger,
        }
        self.socket = None
        self._reader = None

    async def connect(self, *, key=None, origin=ORIGIN, protocol=None):
        url = f"ws://127.0.0.1:{self.relay.port}/extension"
        self.socket = await connect(url, origin=origin, max_size=None, proxy=None, close_timeout=1)
        nonce = json.loads(await self.socket.recv())["params"]["nonce"]
        key = key or self.relay.files.key
        await self.tell(
            "hello",
            nonce="ours",
            proof=proof(key, f"extension:{nonce}:ours"),
            installId=self.install_id,
            version="0",
            browser=self.browser,
            userAgent="Mozilla/5.0 Chrome/156.0.0.0",
            **({} if protocol is None else {"protocol": protocol}),
        )
        self.welcome = json.loads(await self.socket.recv())["params"]
        assert self.welcome["proof"] == proof(key, f"relay:{nonce}:ours")
        await self.tell("ready", tabs=self.rows, settings=self.settings, stopped="")
        self._reader = asyncio.create_task(self._read())
        return self

    async def tell(self, method, **params):
        await self.socket.send(json.dumps({"method": method, "params": params}))

    async def event(self, tab_id, method, params):
        told = {"tabId": tab_id, "method": method, "params": params}
        await self.socket.send(json.dumps({"method": "debugger.event", "params": told}))

    async def _read(self):
        async for text in self.socket:
            call = json.loads(text)
            if call["method"] == "ping":
                self.pings += 1
                continue
            self.calls.append((call["method"], call["params"]))
            answer = self.answers.get(call["method"], {})
            answer = answer(call["params"]) if callable(answer) else answer
            if answer is None:
                continue
            if isinstance(answer, Exception):
                await self.socket.send(
                    json.dumps({"id": call["id"], "error": {"code": -32000, "message": str(answer)}})
                )
            else:
                await self.socket.send(json.dumps({"id": call["id"], "result": answer}))

    def debugger(self, params):
        tree = {"frame": {"id": f"TARGET{params['tabId']}", "loaderId": "L", "url": ""}}
        known = {
            "Page.getFrameTree": {"frameTree": tree},
            "Page.createIsolatedWorld": {"executionContextId": 5},
        }
        return known.get(params["method"], {"echo": params["method"]})

    def called(self, method):
        return [params for name, params in self.calls if name == method]

    async def close(self):
        await self.socket.close()
        if self._reader is not None:
            await asyncio.gather(self._reader, return_exceptions=True)
