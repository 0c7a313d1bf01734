"""Playwright for Python, async API, system Chromium."""

from __future__ import annotations

import asyncio
import os

import cdp as C

from .base import Driver


class PlaywrightPy(Driver):
    name = "playwright-py"
    MULTI = True
    snapshot_how = "page.aria_snapshot(mode='ai'): injected in-page JS walker per frame"

    def check_installed(self):
        import playwright.async_api  # noqa: F401

    async def start(self):
        from playwright.async_api import async_playwright

        self.pw = await async_playwright().start()
        if os.environ.get("BENCH_CDP"):
            self.b = await self.pw.chromium.connect_over_cdp(os.environ["BENCH_CDP"])
            self.ctx = self.b.contexts[0]
            self.p = self.ctx.pages[0] if self.ctx.pages else await self.ctx.new_page()
            return
        self.b = await self.pw.chromium.launch(
            executable_path=C.chrome_path(), headless=True, args=["--no-sandbox"]
        )
        self.ctx = await self.b.new_context(viewport={"width": 1280, "height": 720})
        self.p = await self.ctx.new_page()

    async def stop(self):
        await self.b.close()
        await self.pw.stop()

    def _l(self, ref):
        return self.p.locator(f"aria-ref={ref}")

    async def open(self, url):
        await self.p.goto(url)

    async def title(self):
        return await self.p.title()

    async def url(self):
        return await self.p.evaluate("location.href")

    async def snapshot(self):
        return await self.p.aria_snapshot(mode="ai")

    async def evaluate(self, function):
        return await self.p.evaluate(function)

    async def click(self, ref):
        await self._l(ref).click()

    async def fill(self, ref, text):
        await self._l(ref).fill(text)

    async def type(self, ref, text):
        await self._l(ref).press_sequentially(text)

    async def select(self, ref, value, label):
        await self._l(ref).select_option(value)

    async def check(self, ref):
        await self._l(ref).check()

    async def wait_text(self, text):
        await self.p.get_by_text(text).wait_for()

    async def read(self, css):
        return await self.p.inner_text(css)

    async def screenshot(self, full=False):
        return len(await self.p.screenshot(full_page=full))

    async def new_session(self, url):
        p = await self.ctx.new_page()
        await p.goto(url)
        await p.title()
        await p.close()

    async def many(self, urls, lanes):
        async def lane(k):
            p = await self.ctx.new_page()
            for u in urls[k::lanes]:
                await p.goto(u)
                await p.title()
            await p.close()

        await asyncio.gather(*(lane(k) for k in range(lanes)))

    def roots(self):
        return [os.getpid()]
