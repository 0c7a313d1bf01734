"""Sessions that share a browser come and go at the same time."""

import asyncio
from typing import cast

import pytest

from boathook.errors import BrowserGone
from boathook.service.sessions import session_manager as module
from boathook.service.sessions.session_manager import Sessions


class SharedBrowser:
    """A stand-in that fails pending calls when it is closed, as a real one does."""

    managed = True
    app = None
    notes = ()

    def __init__(self):
        self.connection = self
        self.closed_because = None
        self.contexts = 0
        self.slow = asyncio.Event()
        """Set when the first context may end or begin; the others do so at once."""
        self.held = 0

    async def new_context(self, *, numbering):
        self.contexts += 1
        await self._business(self.contexts)
        return f"context {self.contexts}"

    async def end_context(self, context):
        await self._business(int(context.split()[1]))

    async def _business(self, number):
        if number == self.held:
            await self.slow.wait()
        if self.closed_because:
            raise BrowserGone("the browser disconnected")

    async def close(self):
        self.closed_because = "closed by us"


@pytest.fixture
async def browser(monkeypatch):
    shared = SharedBrowser()

    async def acquire_browser(_settings, *, seconds):
        return shared

    monkeypatch.setattr(module, "acquire_browser", acquire_browser)
    return shared


async def test_the_last_session_to_leave_ends_the_browser(browser):
    sessions = Sessions()
    for name in ("a", "b", "c"):
        await sessions.use(name, {})
    browser.held = 1
    closing = asyncio.create_task(sessions.close_all())
    await all_that_can_go_on()
    assert browser.closed_because is None
    browser.slow.set()
    assert await closing == 3
    assert browser.closed_because == "closed by us"


async def test_a_session_that_is_about_to_begin_keeps_the_browser(browser):
    sessions = Sessions()
    await sessions.use("a", {})
    browser.held = 2
    beginning = asyncio.create_task(sessions.use("b", {}))
    await all_that_can_go_on()
    await sessions.close("a")
    browser.slow.set()
    assert cast("SharedBrowser", (await beginning).browser) is browser
    assert browser.closed_because is None
    await sessions.close("b")
    assert browser.closed_because == "closed by us"


async def test_a_browser_that_died_meanwhile_does_not_keep_a_session_from_ending(browser):
    sessions = Sessions()
    session = await sessions.use("a", {})
    browser.held = 1
    closing = asyncio.create_task(sessions.close("a"))
    await all_that_can_go_on()
    browser.closed_because = "it crashed"
    browser.slow.set()
    await closing
    assert sessions.get(session.name) is None


async def all_that_can_go_on():
    """Nothing here waits for anything but the event, so a few turns of the loop are enough."""
    for _ in range(50):
        await asyncio.sleep(0)
