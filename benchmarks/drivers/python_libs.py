"""zendriver and pydoll: direct-CDP Python libraries without an agent snapshot or refs."""

from __future__ import annotations

import asyncio
import base64
import os

import cdp as C

from .base import Driver


class Zendriver(Driver):
    name = "zendriver"
    REFS = False
    SNAPSHOT = False
    MULTI = True

    def check_installed(self):
        import zendriver  # noqa: F401

    async def start(self):
        import zendriver as zd

        self.b = await zd.start(
            headless=True,
            browser_executable_path=C.chrome_path(),
            sandbox=False,
            browser_args=["--disable-gpu", "--window-size=1280,720"],
        )
        self.t = self.b.main_tab

    async def stop(self):
        await self.b.stop()

    async def open(self, url):
        await self.t.get(url)
        await self.t.wait_for_ready_state("complete")

    async def title(self):
        return await self.t.evaluate("document.title")

    async def url(self):
        return await self.t.evaluate("location.href")

    async def click(self, ref):
        e = await self.t.select(ref)
        await e.mouse_click()

    async def fill(self, ref, text):
        e = await self.t.select(ref)
        await e.clear_input()
        await e.send_keys(text)

    async def type(self, ref, text):
        e = await self.t.select(ref)
        await e.send_keys(text)

    async def select(self, ref, value, label):
        await self.t.evaluate(
            f"(()=>{{const e=document.querySelector({ref!r});e.value={value!r};e.dispatchEvent(new Event('change',{{bubbles:true}}))}})()"
        )

    async def check(self, ref):
        e = await self.t.select(ref)
        await e.click()

    async def wait_text(self, text):
        await self.t.find(text)

    async def read(self, css):
        return await self.t.evaluate(f"document.querySelector({css!r}).innerText")

    async def screenshot(self, full=False):
        return len(base64.b64decode(await self.t.screenshot_b64(format="png", full_page=full)))

    async def new_session(self, url):
        t = await self.b.get(url, new_tab=True)
        await t.wait_for_ready_state("complete")
        await t.evaluate("document.title")
        await t.close()

    async def many(self, urls, lanes):
        async def lane(k):
            t = await self.b.get("about:blank", new_tab=True)
            for u in urls[k::lanes]:
                await t.get(u)
                await t.wait_for_ready_state("complete")
                await t.evaluate("document.title")
            await t.close()

        await asyncio.gather(*(lane(k) for k in range(lanes)))

    def roots(self):
        return [os.getpid()]


class Pydoll(Driver):
    name = "pydoll"
    REFS = False
    SNAPSHOT = False
    MULTI = True

    def check_installed(self):
        import pydoll.browser  # noqa: F401

    async def start(self):
        from pydoll.browser.chromium import Chrome
        from pydoll.browser.options import ChromiumOptions

        o = ChromiumOptions()
        o.binary_location = C.chrome_path()
        for a in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,720"):
            try:
                o.add_argument(a)
            except Exception:
                pass
        self.b = Chrome(options=o)
        self.t = await self.b.start()

    async def stop(self):
        await self.b.stop()

    async def open(self, url):
        await self.t.go_to(url)

    async def title(self):
        return await self.t.title()

    async def url(self):
        return await self.t.current_url()

    async def click(self, ref):
        await (await self.t.query(ref)).click()

    async def fill(self, ref, text):
        e = await self.t.query(ref)
        await e.clear()
        await e.insert_text(text)

    async def type(self, ref, text):
        await (await self.t.query(ref)).type_text(text)

    async def select(self, ref, value, label):
        await self.t.execute_script(
            f"const e=document.querySelector({ref!r});e.value={value!r};e.dispatchEvent(new Event('change',{{bubbles:true}}))"
        )

    async def check(self, ref):
        await (await self.t.query(ref)).click()

    async def wait_text(self, text):
        await self.t.find(text=text, timeout=10)

    async def read(self, css):
        return await (await self.t.query(css)).text()

    async def screenshot(self, full=False):
        return len(base64.b64decode(await self.t.take_screenshot(as_base64=True, beyond_viewport=full)))

    async def new_session(self, url):
        t = await self.b.new_tab()
        await t.go_to(url)
        await t.title()
        await t.close()

    async def many(self, urls, lanes):
        async def lane(k):
            t = await self.b.new_tab()
            for u in urls[k::lanes]:
                await t.go_to(u)
                await t.title()
            await t.close()

        await asyncio.gather(*(lane(k) for k in range(lanes)))

    def roots(self):
        return [os.getpid()]
