"""Boathook's asynchronous Python API: the whole page, or (BoathookDefault) what it gives when nothing is asked."""

from __future__ import annotations

import asyncio
import os
import re

import cdp as C

import boathook

from .base import Driver, Target


def find_line(snap: str, t: Target) -> str:
    """The ref of the first line with this role and name."""
    for line in snap.splitlines():
        found = re.match(r'\s*(\S+) "(.*?)" (@e\d+)', line)
        if found and found.group(1, 2) == (t.role, t.name):
            return found.group(3)
    raise KeyError(f"{t.role} {t.name!r} not in snapshot")


class Boathook(Driver):
    name = "boathook"
    MULTI = True
    snapshot_how = "one in-page walk per process in an isolated world; finished text"

    async def start(self):
        self.b = await boathook.launch(executable=C.chrome_path())
        self.t = None

    async def stop(self):
        await self.b.close()

    async def open(self, url):
        if self.t is None:
            self.t = await self.b.open(url)
        else:
            await self.t.goto(url)

    async def title(self):
        return await self.t.title()

    async def url(self):
        return await self.t.evaluate("location.href")

    async def evaluate(self, function):
        return await self.t.evaluate(function)

    async def snapshot(self):
        return (await self.t.snapshot(mode="full", budget=None, fold=False)).text

    async def snapshot_default(self):
        return (await self.t.snapshot()).text

    def resolve(self, snap, t: Target):
        return find_line(snap, t)

    async def read(self, css):
        return await self.t.evaluate("(css) => document.querySelector(css).innerText", css)

    async def screenshot(self, full=False):
        return len((await self.t.screenshot(full_page=full)).data)

    async def new_session(self, url):
        tab = await self.b.open(url)
        await tab.title()
        await tab.close()

    async def many(self, urls, lanes):
        async def lane(k):
            tab = await self.b.open(urls[k])
            for u in urls[k + lanes :: lanes]:
                await tab.goto(u)
                await tab.title()
            await tab.close()

        await asyncio.gather(*(lane(k) for k in range(lanes)))

    async def click(self, ref):
        await self.t.click(ref)

    async def fill(self, ref, text):
        await self.t.fill(ref, text)

    async def type(self, ref, text):
        await self.t.type(ref, text)

    async def select(self, ref, value, label):
        await self.t.select(ref, value)

    async def check(self, ref):
        await self.t.check(ref)

    async def wait_text(self, text):
        await self.t.wait_for_text(text)

    async def traffic_of(self, work):
        """Protocol messages of one call, and how many of them had to wait for a reply to an earlier one."""
        connection = self.t._engine.session.connection
        sent = waits = 0
        answered = True

        def note(way, _session, raw):
            nonlocal sent, waits, answered
            if way == "sent":
                sent, waits, answered = sent + 1, waits + answered, False
            elif b'"id":' in raw[:12]:
                answered = True

        connection.on_traffic = note
        try:
            await work
        finally:
            connection.on_traffic = None
        return {"messages": sent, "waits": waits}

    def roots(self):
        return [os.getpid()]

    async def send(self, method, **params):
        """A raw protocol call on the tab's session, for checks that no tool is timed on."""
        return await self.t._engine.session.send(method, **params)


class BoathookDefault(Boathook):
    name = "boathook-default"
    snapshot_how = "as boathook, mode interactive, default budget, folded"

    async def snapshot(self):
        return await self.snapshot_default()
