"""@playwright/cli, one node process per command."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import tempfile

import cdp as C
import psutil

from .base import Driver
from .mcp_tools import npm_bin


class PlaywrightCLI(Driver):
    name = "playwright-cli"
    surface = "cli"
    snapshot_how = "as playwright-mcp"
    seq = 0

    async def start(self):
        PlaywrightCLI.seq += 1
        self.dir = tempfile.mkdtemp(prefix="bench-pwcli-")
        self.s = f"-s=p{os.getpid()}x{PlaywrightCLI.seq}"
        with open(os.path.join(self.dir, "c.json"), "w") as f:
            json.dump(
                {
                    "browser": {
                        "browserName": "chromium",
                        "isolated": True,
                        "launchOptions": {
                            "headless": True,
                            "executablePath": C.chrome_path(),
                            "args": ["--no-sandbox"],
                            "chromiumSandbox": False,
                        },
                    }
                },
                f,
            )
        self.argv = npm_bin("playwright-cli")
        self.opened = False
        self.env = {**os.environ, "PLAYWRIGHT_DAEMON_SESSION_DIR": self.dir}

    async def run(self, *a: str) -> str:
        p = await asyncio.create_subprocess_exec(
            *self.argv,
            self.s,
            *a,
            cwd=self.dir,
            env=self.env,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        o, e = await p.communicate()
        if p.returncode:
            raise RuntimeError(f"{a[:2]} {o.decode()[:300]} {e.decode()[:300]}")
        return o.decode()

    async def stop(self):
        try:
            await self.run("close")
        finally:
            shutil.rmtree(self.dir, ignore_errors=True)

    async def open(self, url):
        if not self.opened:
            await self.run("open", url, "--config", os.path.join(self.dir, "c.json"))
            self.opened = True
        else:
            await self.run("goto", url)

    async def _ev(self, fn):
        t = await self.run("eval", fn)
        m = re.search(r"### Result\n(.*?)(?:\n###|\Z)", t, re.S)
        return json.loads(m.group(1).strip()) if m else t

    async def title(self):
        return await self._ev("() => document.title")

    async def url(self):
        return await self._ev("() => location.href")

    async def snapshot(self):
        o = await self.run("snapshot")
        m = re.search(r"\(([^)]+\.(?:yml|yaml|md))\)", o)
        if m:
            p = m.group(1)
            p = p if os.path.isabs(p) else os.path.join(self.dir, p)
            if os.path.exists(p):
                return open(p).read()
        return o

    async def click(self, ref):
        await self.run("click", ref)

    async def fill(self, ref, text):
        await self.run("fill", ref, text)

    async def type(self, ref, text):
        await self.run("click", ref)
        await self.run("type", text)

    async def select(self, ref, value, label):
        await self.run("select", ref, value)

    async def check(self, ref):
        await self.run("check", ref)

    async def wait_text(self, text):
        for _ in range(50):
            if text in await self._ev("() => document.body.innerText"):
                return
        raise TimeoutError

    async def read(self, css):
        return await self._ev(f"() => document.querySelector({css!r}).innerText")

    async def screenshot(self, full=False):
        p = os.path.join(self.dir, "s.png")
        await self.run("screenshot", f"--filename={p}", *(["--full-page"] if full else []))
        return os.path.getsize(p) if os.path.exists(p) else 0

    def roots(self):
        out = []
        for p in psutil.process_iter(["pid", "name", "cwd", "environ"]):
            try:
                if (
                    p.info["name"] == "node"
                    and (p.info["environ"] or {}).get("PLAYWRIGHT_DAEMON_SESSION_DIR") == self.dir
                ):
                    out.append(p.pid)
            except psutil.Error:
                pass
        return out
