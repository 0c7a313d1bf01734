"""The floor: fewest CDP calls that do the work, own WebSocket framing, orjson."""

from __future__ import annotations

import asyncio
import base64
import os
import re
from pathlib import Path

import cdp as C

from .base import Driver, Target, find_ref

WALKER = (Path(__file__).parent.parent / "walker.js").read_text()
HELP = (
    "globalThis.__s="
    + WALKER
    + ";globalThis.__c=(r,f)=>f(typeof r==='number'?__w.els[r].deref():document.querySelector(r));"
)


class RawCDP(Driver):
    name = "rawcdp"
    MULTI = True
    markdown_ok = False
    snapshot_how = "Runtime.evaluate of one in-page walker per process; OOPIFs in parallel"
    pipe = False

    async def start(self) -> None:
        self.ch = await C.Chrome(pipe=self.pipe).start()
        self.c = self.ch.cdp
        self.sid = await self.ch.first_page()
        self.oopif: dict[str, str] = {}
        self.c.on("Target.attachedToTarget", self._att, self.sid)
        self.c.on("Target.detachedFromTarget", lambda p, s: self.oopif.pop(p["sessionId"], None), self.sid)
        self.c.send("Page.enable", {}, self.sid)
        self.c.send("Page.setLifecycleEventsEnabled", {"enabled": True}, self.sid)
        self.c.send(
            "Target.setAutoAttach",
            {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": True},
            self.sid,
        )
        await self.c.send("Page.addScriptToEvaluateOnNewDocument", {"source": HELP}, self.sid)

    def _att(self, p, s) -> None:
        if p["targetInfo"]["type"] == "iframe":
            self.oopif[p["sessionId"]] = p["targetInfo"]["targetId"]

    async def stop(self) -> None:
        await self.ch.stop()

    async def _nav(self, url: str, sid: str) -> None:
        """Navigate and wait for the load of exactly that document (by loader id, not by any load event)."""
        seen: set[str] = set()
        want: list[str] = []
        f = asyncio.get_running_loop().create_future()

        def h(p, s) -> None:
            if p["name"] == "load":
                seen.add(p["loaderId"])
                if want and want[0] in seen and not f.done():
                    f.set_result(1)

        self.c.on("Page.lifecycleEvent", h, sid)
        r = await self.c.send("Page.navigate", {"url": url}, sid)
        want.append(r["loaderId"])
        if want[0] not in seen:
            await f
        self.c.off("Page.lifecycleEvent", h, sid)

    async def open(self, url: str) -> None:
        await self._nav(url, self.sid)

    async def ev(self, expr: str, sid: str | None = None):
        r = await self.c.send(
            "Runtime.evaluate",
            {"expression": expr, "returnByValue": True, "awaitPromise": True},
            sid or self.sid,
        )
        if "exceptionDetails" in r:
            raise C.CDPError(str(r["exceptionDetails"])[:300])
        return r["result"].get("value")

    async def evaluate(self, function: str):
        return await self.ev(f"({function})()")

    async def title(self) -> str:
        return await self.ev("document.title")

    async def url(self) -> str:
        return await self.ev("location.href")

    async def snapshot(self) -> str:
        top = self.ev("__s('text').text")
        if not self.oopif:
            return await top
        subs = [self.ev(f"({WALKER})('text').text", s) for s in self.oopif]
        res = await asyncio.gather(top, *subs)
        parts = list(res[1:])

        def put(m):
            k = int(m.group(2))
            if k >= len(parts):
                return ""
            ind = "  " * int(m.group(1))
            return "\n".join(ind + x for x in parts[k].split("\n"))

        return re.sub("\u0001(\\d+) (\\d+)", put, res[0])

    def resolve(self, snap: str, t: Target):
        return int(find_ref(snap, t)[1:])

    @staticmethod
    def _q(ref) -> str:
        return str(ref) if isinstance(ref, int) else repr(ref)

    async def click(self, ref) -> None:
        x, y = await self.ev(
            f"__c({self._q(ref)},e=>{{e.scrollIntoViewIfNeeded();const r=e.getBoundingClientRect();return [r.x+r.width/2,r.y+r.height/2]}})"
        )
        p = {"x": x, "y": y, "button": "left", "clickCount": 1}
        a = self.c.send("Input.dispatchMouseEvent", {"type": "mousePressed", **p}, self.sid)
        await self.c.send("Input.dispatchMouseEvent", {"type": "mouseReleased", **p}, self.sid)
        await a

    async def fill(self, ref, text: str) -> None:
        # must be awaited: Input.* runs in the browser process and is not ordered after Runtime.* of the renderer
        await self.c.send(
            "Runtime.evaluate", {"expression": f"__c({self._q(ref)},e=>{{e.focus();e.select()}})"}, self.sid
        )
        await self.c.send("Input.insertText", {"text": text}, self.sid)

    async def type(self, ref, text: str) -> None:
        await self.c.send("Runtime.evaluate", {"expression": f"__c({self._q(ref)},e=>e.focus())"}, self.sid)
        last = None
        for ch in text:
            self.c.send("Input.dispatchKeyEvent", {"type": "keyDown", "text": ch, "key": ch}, self.sid)
            last = self.c.send("Input.dispatchKeyEvent", {"type": "keyUp", "key": ch}, self.sid)
        await last

    async def select(self, ref, value: str, label: str) -> None:
        await self.ev(
            f"__c({self._q(ref)},e=>{{e.value={value!r};e.dispatchEvent(new Event('input',{{bubbles:true}}));e.dispatchEvent(new Event('change',{{bubbles:true}}))}})"
        )

    async def check(self, ref) -> None:
        await self.click(ref)

    async def wait_text(self, text: str) -> None:
        await self.ev(f"""new Promise(r=>{{const h=()=>document.body.innerText.includes({text!r})&&(o.disconnect(),r(1));
          const o=new MutationObserver(h);o.observe(document,{{subtree:true,childList:true,characterData:true}});h()}})""")

    async def read(self, css: str) -> str:
        return await self.ev(f"document.querySelector({css!r}).innerText")

    async def screenshot(self, full: bool = False) -> int:
        p = {"format": "png"}
        if full:
            p["captureBeyondViewport"] = True
            w, h = await self.ev("[innerWidth,document.documentElement.scrollHeight]")
            p["clip"] = {"x": 0, "y": 0, "width": w, "height": h, "scale": 1}
        r = await self.c.send("Page.captureScreenshot", p, self.sid)
        return len(base64.b64decode(r["data"]))

    async def _tab(self) -> tuple[str, str]:
        t = (await self.c.send("Target.createTarget", {"url": "about:blank"}))["targetId"]
        s = (await self.c.send("Target.attachToTarget", {"targetId": t, "flatten": True}))["sessionId"]
        self.c.send("Page.enable", {}, s)
        self.c.send("Page.setLifecycleEventsEnabled", {"enabled": True}, s)
        return t, s

    async def new_session(self, url: str) -> None:
        # the address goes into createTarget: a blank page first would cost a second renderer
        t = (await self.c.send("Target.createTarget", {"url": url}))["targetId"]
        s = (await self.c.send("Target.attachToTarget", {"targetId": t, "flatten": True}))["sessionId"]
        while True:
            try:
                if await self.ev(
                    f"location.href==={url!r}&&(document.readyState==='complete'?document.title:"
                    "new Promise(r=>addEventListener('load',()=>r(document.title))))",
                    s,
                ):
                    break
            except C.CDPError:
                pass  # the first document went away under us
            await asyncio.sleep(0.001)
        await self.c.send("Target.closeTarget", {"targetId": t})

    async def many(self, urls: list[str], lanes: int) -> None:
        async def lane(k: int) -> None:
            t, s = await self._tab()
            for u in urls[k::lanes]:
                await self._nav(u, s)
                await self.ev("document.title", s)
            await self.c.send("Target.closeTarget", {"targetId": t})

        await asyncio.gather(*(lane(k) for k in range(lanes)))

    def roots(self) -> list[int]:
        return [os.getpid()]


class RawCDPPipe(RawCDP):
    name = "rawcdp-pipe"
    pipe = True
