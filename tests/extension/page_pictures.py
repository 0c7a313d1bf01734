"""Screenshots of the extension's pages, as wide as the user sees them and as high as they are."""

from __future__ import annotations

import base64
import itertools
import json

from websockets.asyncio.client import connect


class PageView:
    """One connection to a page: what is emulated lasts as long as it."""

    def __init__(self, socket):
        self._socket = socket
        self._numbers = itertools.count(1)

    async def send(self, method, **params):
        number = next(self._numbers)
        await self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(await self._socket.recv())
            if message.get("id") == number:
                assert "error" not in message, message
                return message["result"]

    async def evaluate(self, expression):
        reply = await self.send(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        return reply["result"].get("value")


async def screenshot(target, path, *, width, dark=False):
    """Take one, if there is a path for it; returns the width of the page in CSS pixels."""
    async with connect(target["webSocketDebuggerUrl"], max_size=None, proxy=None) as socket:
        view = PageView(socket)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        await view.send("Emulation.setEmulatedMedia", features=scheme)
        await view.send("Emulation.setScrollbarsHidden", hidden=True)
        metrics = {"width": width, "deviceScaleFactor": 1, "mobile": False}
        await view.send("Emulation.setDeviceMetricsOverride", height=200, **metrics)
        page = "(({scrollWidth, scrollHeight}) => [scrollWidth, scrollHeight])(document.documentElement)"
        wide, height = await view.evaluate(page)
        if path is not None:
            await view.send("Emulation.setDeviceMetricsOverride", height=height, **metrics)
            shot = await view.send("Page.captureScreenshot", format="png")
            path.write_bytes(base64.b64decode(shot["data"]))
    return wide
