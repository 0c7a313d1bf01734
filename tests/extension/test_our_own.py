"""Our own commands in the user's Chrome, through the relay."""

import asyncio
import json
from functools import partial

import boathook
from boathook.relay.install import install
from tests.extension.chrome import UserChrome
from tests.extension.conftest import Relay
from tests.extension.test_playwright import BUTTON, opened
from tests.support.program import Program


async def test_pages_are_listed_looked_at_and_acted_on(pair, site):
    relay, chrome = pair
    url, other = site.page(BUTTON, title="First"), site.page("quiet", title="Second")
    await opened(pair, url, other)
    async with await boathook.attach(relay.url) as browser:
        pages = {page.url: page for page in await browser.pages()}
        assert {url, other} <= set(pages)
        assert await chrome.attached() == [], "listing attaches no debugger"
        tab = await browser.tab(pages[url].target_id)
        assert await tab.title() == "First"
        assert 'button "Press"' in str(await tab.snapshot())
        await tab.fill("label=Name", "Ann")
        assert "Press" in str(await tab.click("text=Press"))
        assert await tab.title() == "clicked"
        assert await chrome.attached() == [url], "only what is worked with"
        assert (await tab.screenshot()).data
        assert "First" not in await tab.evaluate("document.title")
        new = await browser.open(site.page("<p>new", title="New"))
        assert await new.title() == "New"
        await new.close()
    assert url in {one["url"] for one in await chrome.targets()}, "nothing of the user's is closed"


async def test_the_command_line_works_in_the_users_chrome_and_leaves_their_tabs_alone(tmp_path, site):
    program = Program(tmp_path)
    secrets = program.home / ".local/state/boathook/relay"
    secrets.parent.mkdir(parents=True)
    relay = await Relay(secrets).start()
    chrome = None
    try:
        extension = install(relay.files, port=relay.port, folder=tmp_path / "extension")
        chrome = await UserChrome.start(extension=extension, profile=tmp_path / "profile")
        await relay.has_extension()
        mine = site.page(BUTTON, title="Mine")
        await chrome.open(mine)
        await relay.has_tab(mine)
        say = partial(asyncio.to_thread, program, "--session", "mine", "--browser", f"relay:{relay.port}")
        opened_page = site.page("<p>ours", title="Ours")
        done = await say("open", opened_page)
        assert done.returncode == 0, done.stderr
        assert "your own Chrome" in done.stderr
        assert {mine, opened_page} <= {one["url"] for one in await chrome.targets()}, "in a tab of its own"
        assert (await say("get", "title")).stdout == "Ours\n"
        listed = (await say("--json", "pages")).stdout
        target = next(one["target_id"] for one in json.loads(listed)["data"] if one["url"] == mine)
        assert relay.files.token() not in listed
        assert "clicked" not in (await say("--tab", target, "get", "title")).stdout
        assert (await say("--tab", target, "click", "text=Press")).returncode == 0
        assert (await say("--tab", target, "get", "title")).stdout == "clicked\n"
        told = await say("session", "info")
        assert relay.files.token() not in told.stdout
        assert (await say("close")).returncode == 0
        left = {one["url"] for one in await chrome.targets()}
        assert mine in left
        assert opened_page not in left
    finally:
        await asyncio.to_thread(program.stop)
        if chrome is not None:
            chrome.stop()
        await relay.stop()
