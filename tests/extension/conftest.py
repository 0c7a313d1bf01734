"""A relay of the test's own, and a Chromium with the real extension that is paired with it."""

from __future__ import annotations

from contextlib import asynccontextmanager, suppress

import pytest

from boathook.relay.extension.install_extension import install
from boathook.relay.send_queue import CdpRefusal
from boathook.relay.server.credentials import RelayCredentials
from boathook.relay.server.hub import Rules
from boathook.relay.server.serve import bind_socket, serving
from tests.extension.chrome import SWITCHES, RawClient, UserChrome
from tests.support.waiting import until, until_asked

pytestmark = pytest.mark.timeout(120)


class Relay:
    """A relay that can be stopped and started again at its port."""

    def __init__(self, folder):
        folder.mkdir(mode=0o700, exist_ok=True)
        self.files = RelayCredentials(folder)
        self.port = 0
        self.hub = None
        self._block = None

    async def start(self, **rules):
        listening = bind_socket(self.port, self.files)
        self.port = listening.getsockname()[1]
        self._block = serving(self.files, listening, rules=Rules(**rules))
        self.hub, _ = await self._block.__aenter__()
        return self

    async def stop(self):
        if self._block is not None:
            block, self._block = self._block, None
            await block.__aexit__(None, None, None)

    @property
    def url(self):
        return f"ws://127.0.0.1:{self.port}/cdp/{self.files.token()}"

    @property
    def profile(self):
        found = [profile for profile in self.hub.slots.values() if profile.is_connected]
        return found[0] if found else None

    async def has_extension(self, seconds=30):
        await until(lambda: self.profile is not None, named="the extension is connected", seconds=seconds)

    async def has_tab(self, url, count=1):
        def there():
            return self.profile and sum(tab.url == url for tab in self.profile.tabs.values()) >= count

        await until(there, named=f"the relay knows {url}")
        return next(tab for tab in self.profile.tabs.values() if tab.url == url)


FORGET_COOKIES = """chrome.cookies.getAll({}).then((all) => Promise.all(all.map(({ domain, path, name, secure }) =>
  chrome.cookies.remove({ url: `${secure ? 'https' : 'http'}://${domain.replace(/^[.]/, '')}${path}`, name }))))"""


@asynccontextmanager
async def paired(folder, *, switches=SWITCHES, first_run=False, **rules):
    relay = await Relay(folder / "secrets").start(**rules)
    chrome = None
    try:
        extension = install(relay.files, port=relay.port, folder=folder / "extension")
        chrome = await UserChrome.start(
            extension=extension, profile=folder / "profile", switches=switches, first_run=first_run
        )
        await relay.has_extension()
        yield relay, chrome
    finally:
        if chrome is not None:
            chrome.stop()
        await relay.stop()


@pytest.fixture(scope="session")
async def shared_pair(tmp_path_factory):
    async with paired(tmp_path_factory.mktemp("shared")) as pair:
        yield pair


async def in_touch(relay, chrome):
    """Relay and worker answer each other; while tests without an event loop ran, nothing kept the worker awake."""

    async def answers():
        if relay.profile is None:
            woken = await chrome.open("about:blank")  # the extension hears of tabs, also in its sleep
            await chrome.close(woken["id"])
            return None
        with suppress(CdpRefusal):
            return await relay.profile.link.call("settings.get")

    return await until_asked(answers, named="the extension answers", seconds=60)


@pytest.fixture
async def pair(shared_pair):
    """Relay and browser that tests share; what a test opened or set is gone with it, before the next one begins."""
    relay, chrome = shared_pair
    usual = await in_touch(relay, chrome)
    before = {target["id"] for target in await chrome.targets()}
    yield relay, chrome
    await in_touch(relay, chrome)
    await chrome.in_worker(
        "chrome.storage.local.remove('settings').then(() => chrome.storage.session.remove('stopped'))"
    )
    await chrome.in_worker(FORGET_COOKIES)
    await until(lambda: not relay.hub.clients, named="no client is left")

    async def is_as_before():
        for target in await chrome.targets():
            if target["id"] not in before:
                await chrome.close(target["id"])
        there = {target["id"] for target in await chrome.targets()}
        return there <= before and await in_touch(relay, chrome) == usual == relay.profile.settings

    await until_asked(is_as_before, named="tabs and settings are as they were", seconds=60)
    relay.profile.stopped = ""


@pytest.fixture
async def own_pair(tmp_path):
    """Relay and browser for a test that breaks them."""
    async with paired(tmp_path) as pair:
        yield pair


@pytest.fixture
async def raw(pair):
    relay, _ = pair
    client = await RawClient.connect(relay.url)
    yield client
    await client.close()


@pytest.fixture(scope="session")
async def playwright():
    async_api = pytest.importorskip("playwright.async_api")
    async with async_api.async_playwright() as started:
        yield started
