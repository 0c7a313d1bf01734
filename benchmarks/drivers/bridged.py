"""Tools that live in another runtime, driven by a small bridge process that times each call itself."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

import cdp as C
import orjson

from .base import Driver, Target, Unsupported

BRIDGES = Path(__file__).parent.parent / "bridges"


class Bridged(Driver):
    def argv(self) -> list[str]:
        raise NotImplementedError

    def cwd(self):
        return None

    def extra_env(self):
        return {}

    async def start(self):
        self.p = await asyncio.create_subprocess_exec(
            *self.argv(),
            env={**os.environ, "BENCH_CHROME": C.chrome_path(), **self.extra_env()},
            cwd=self.cwd(),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=1 << 28,
        )
        await self._do("start")
        self.last_ms = None

    async def _do(self, op: str, *a):
        self.p.stdin.write(orjson.dumps([op, *a]) + b"\n")
        while True:
            line = await self.p.stdout.readline()
            if not line:
                raise RuntimeError("bridge ended")
            if line.startswith(b"@@"):
                r = orjson.loads(line[2:])
                break
        if r.get("err"):
            if r["err"] == "unsupported":
                raise Unsupported(op)
            raise RuntimeError(r["err"][:400])
        self.last_ms = r["ms"]
        return r.get("v")

    async def stop(self):
        try:
            await asyncio.wait_for(self._do("stop"), 20)
        except Exception:
            pass
        try:
            self.p.stdin.close()
            await asyncio.wait_for(self.p.wait(), 5)
        except asyncio.TimeoutError:
            self.p.kill()

    async def open(self, url):
        await self._do("open", url)

    async def title(self):
        return await self._do("title")

    async def url(self):
        return await self._do("url")

    async def snapshot(self):
        return await self._do("snapshot")

    async def click(self, ref):
        await self._do("click", ref)

    async def fill(self, ref, text):
        await self._do("fill", ref, text)

    async def type(self, ref, text):
        await self._do("type", ref, text)

    async def select(self, ref, value, label):
        await self._do("select", ref, value, label)

    async def check(self, ref):
        await self._do("check", ref)

    async def wait_text(self, text):
        await self._do("wait_text", text)

    async def read(self, css):
        return await self._do("read", css)

    async def screenshot(self, full=False):
        return await self._do("screenshot", full)

    async def markdown(self):
        return await self._do("markdown")

    async def new_session(self, url):
        await self._do("new_session", url)

    async def many(self, urls, lanes):
        await self._do("many", urls, lanes)

    def roots(self):
        return [self.p.pid]


class Puppeteer(Bridged):
    name = "puppeteer"
    REFS = False
    MULTI = True
    snapshot_how = "page.accessibility.snapshot(): Accessibility.getFullAXTree"

    def cwd(self):
        p = os.environ.get("BENCH_PEERS")
        return str(Path(p) / "npm") if p else None

    def argv(self):
        return [shutil.which("node") or "node", str(BRIDGES / "puppeteer_bridge.cjs")]

    def extra_env(self):
        p = os.environ.get("BENCH_PEERS")
        return {"NODE_PATH": str(Path(p) / "npm/node_modules")} if p else {}


class BrowserUse(Bridged):
    name = "browser-use"
    SLOW = True
    MULTI = False
    markdown_ok = True
    snapshot_how = "DOMSnapshot.captureSnapshot + DOM.getDocument + Accessibility.getFullAXTree per frame, merged in Python"

    def argv(self):
        p = os.environ.get("BENCH_PEERS")
        py = str(Path(p) / "venv-bu/bin/python") if p else "python3"
        return [py, str(BRIDGES / "browser_use_bridge.py")]

    def extra_env(self):
        return {
            "ANONYMIZED_TELEMETRY": "false",
            "BROWSER_USE_LOGGING_LEVEL": "error",
            "BROWSER_USE_SETUP_LOGGING": "false",
            "SKIP_LLM_API_KEY_VERIFICATION": "true",
            "BROWSER_USE_VERSION_CHECK": "false",
        }

    def resolve(self, snap: str, t: Target):
        return t.css  # the bridge maps css -> index in the current selector map, untimed
