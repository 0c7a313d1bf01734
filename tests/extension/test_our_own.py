"""Our own commands in the user's Chrome, through the relay."""

import asyncio
import importlib.util
import json
import shutil
import sys
from contextlib import asynccontextmanager

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

import boathook
from boathook.relay.extension.install_extension import install
from tests.extension.chrome import UserChrome
from tests.extension.conftest import Relay
from tests.extension.test_playwright import BUTTON, opened
from tests.mcp.clients import text_of
from tests.support.npm import CACHE, npm_packages
from tests.support.program import Program
from tests.support.waiting import PATIENCE, until_asked


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
    assert url in {target["url"] for target in await chrome.targets()}, "nothing of the user's is closed"


async def test_a_tab_behind_the_users_own_is_pictured_again_and_again(pair, site):
    """Chromium answers some of these questions only when it is asked once more."""
    relay, _ = pair
    url, front = site.page(BUTTON, title="Behind"), site.page("in front")
    await opened(pair, url, front)
    async with await boathook.attach(relay.url) as browser:
        page = next(page for page in await browser.pages() if page.url == url)
        tab = await browser.tab(page.target_id)
        await tab.click("text=Press")
        assert all([(await tab.screenshot(timeout=PATIENCE)).data for _ in range(6)])
        assert await tab.evaluate("document.visibilityState") == "hidden", "the control: it stays behind"


class Ours:
    """A user with the relay's secrets in their own home, their Chrome, and our programs."""

    def __init__(self, program, relay, chrome):
        self.program, self.relay, self.chrome = program, relay, chrome
        self.browser = ("--browser", "relay")

    async def say(self, *words):
        return await asyncio.to_thread(self.program, "--session", "mine", *self.browser, *words)

    @asynccontextmanager
    async def mcp(self, *options):
        words = ["-m", "boathook", "mcp", *self.browser, *options]
        environment, folder = self.program.environment, self.program.work
        server = StdioServerParameters(command=sys.executable, args=words, env=environment, cwd=folder)
        async with Client(stdio_client(server)) as client:
            yield client


@pytest.fixture(scope="module")
async def ours(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ours")
    program = Program(folder)
    secrets = program.home / ".local/state/boathook/relay"
    secrets.parent.mkdir(parents=True)
    relay = await Relay(secrets).start()
    chrome = None
    try:
        extension = install(relay.files, port=relay.port, folder=folder / "extension")
        chrome = await UserChrome.start(extension=extension, profile=folder / "profile")
        await relay.has_extension()
        yield Ours(program, relay, chrome)
    finally:
        await asyncio.to_thread(program.stop)
        if chrome is not None:
            chrome.stop()
        await relay.stop()


async def test_the_command_line_works_in_the_users_chrome_and_leaves_their_tabs_alone(ours, site):
    relay, chrome, say = ours.relay, ours.chrome, ours.say
    mine = site.page(BUTTON, title="Mine")
    await chrome.open(mine)
    await relay.has_tab(mine)
    opened_page = site.page("<p>ours", title="Ours")
    done = await say("open", opened_page)
    assert done.returncode == 0, done.stderr
    assert "your own Chrome" in done.stderr
    assert {mine, opened_page} <= {target["url"] for target in await chrome.targets()}, "in its own tab"
    assert (await say("get", "title")).stdout == "Ours\n"
    listed = (await say("--json", "pages")).stdout
    target = next(entry["target_id"] for entry in json.loads(listed)["data"] if entry["url"] == mine)
    assert relay.files.token() not in listed
    assert "clicked" not in (await say("--tab", target, "get", "title")).stdout
    assert (await say("--tab", target, "click", "text=Press")).returncode == 0
    assert (await say("--tab", target, "get", "title")).stdout == "clicked\n"
    told = await say("session", "info")
    assert relay.files.token() not in told.stdout
    assert (await say("close")).returncode == 0

    async def is_closed():
        return opened_page not in {target["url"] for target in await chrome.targets()}

    await until_asked(is_closed, named="our own tab is closed")
    assert mine in {target["url"] for target in await chrome.targets()}


async def test_scripts_run_over_mcp_in_the_users_chrome_and_forget_what_they_are_told_to(ours, site):
    """`execute` and `reset`: code beside a tab of the user's own Chrome, with what it keeps between runs."""
    relay, chrome = ours.relay, ours.chrome
    mine = site.page(BUTTON, title="Mine")
    await chrome.open(mine)
    await relay.has_tab(mine)
    options = ("--tools", "core,scripted,pages", "--scripts-enabled", "--allow-private")
    async with ours.mcp(*options) as client:
        opened = await client.call_tool("open", {"url": site.page(BUTTON, title="Driven")})
        assert not opened.is_error, text_of(opened)
        code = (
            "state['runs'] = state.get('runs', 0) + 1\n"
            "await tab.fill('label=Name', 'Ann')\n"
            "await tab.click('text=Press')\n"
            "return [state['runs'], await tab.title()]"
        )
        for runs in (1, 2):
            ran = await client.call_tool("execute", {"code": code, "language": "python"})
            assert not ran.is_error, text_of(ran)
            assert f'[{runs},"clicked"]' in "".join(text_of(ran).split())
        assert "runs" in text_of(await client.call_tool("reset", {}))
        again = await client.call_tool("execute", {"code": code, "language": "python"})
        assert '[1,"clicked"]' in "".join(text_of(again).split())
        assert mine not in await chrome.attached(), "the user's own tab is left alone"
        assert relay.files.token() not in text_of(await client.call_tool("pages", {}))
    assert mine in {target["url"] for target in await chrome.targets()}


@pytest.mark.skipif(importlib.util.find_spec("playwright") is None, reason="Playwright is not installed here")
async def test_playwright_in_a_script_works_on_the_tab_in_the_users_chrome_and_sees_no_other(ours, site):
    relay, chrome, say = ours.relay, ours.chrome, ours.say
    mine = site.page(BUTTON, title="Mine")
    await chrome.open(mine)
    await relay.has_tab(mine)
    assert (await say("open", site.page(BUTTON, title="Driven"))).returncode == 0
    code = """await page.get_by_text('Press').click()
other = await context.new_page()
await other.goto(page.url)
titles = [await page.title(), await tab.title(), await other.title()]
await other.close()
return [*titles, [one.url == page.url for one in context.pages]]"""
    ran = await say("run", "--engine", "unsafe", "--json", "--code", code)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["data"]["value"] == ["clicked", "clicked", "Driven", [True]]
    assert mine not in await chrome.attached(), "the user's own tab is left alone"
    assert (await say("close")).returncode == 0


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here")
async def test_puppeteer_in_a_script_works_on_the_tab_in_the_users_chrome_and_on_its_own(ours, site):
    place = CACHE / "puppeteer"
    npm_packages(place, "puppeteer-core@24", there=["node_modules/puppeteer-core/package.json"])
    modules = ours.program.work / "node_modules"
    modules.symlink_to(place / "node_modules")
    try:
        assert (await ours.say("open", site.page(BUTTON, title="Driven"))).returncode == 0
        code = """await page.click('button');
const other = await context.newPage();
await other.goto(page.url());
const titles = [await page.title(), await tab.title(), await other.title()];
await other.close();
return [...titles, (await browser.pages()).map((one) => one === page)]"""
        ran = await ours.say("run", "--js", "--engine", "unsafe", "--json", "--code", code)
        assert ran.returncode == 0, ran.stdout
        assert json.loads(ran.stdout)["data"]["value"] == ["clicked", "clicked", "Driven", [True]]
        assert (await ours.say("close")).returncode == 0
    finally:
        modules.unlink()


async def test_what_a_tab_of_ours_opens_from_behind_the_users_own_is_ours(ours, site):
    relay, chrome = ours.relay, ours.chrome
    mine = site.page(BUTTON, title="Mine")
    await chrome.open(mine)
    await relay.has_tab(mine)
    wanted = site.page("<p>x", title="Opened")
    assert (await ours.say("open", site.page(f"<a href='{wanted}' target=_blank>Open"))).returncode == 0
    assert (await ours.say("click", "text=Open")).returncode == 0
    assert (await ours.say("wait", "for", "tab")).returncode == 0
    assert wanted in (await ours.say("tab")).stdout
    assert (await ours.say("close")).returncode == 0


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here")
async def test_mcp_lists_the_users_tabs_and_scripts_use_them_as_playwright_does(ours, site):
    relay, chrome = ours.relay, ours.chrome
    mine = site.page(BUTTON, title="Mine to adopt")
    await chrome.open(mine)
    await relay.has_tab(mine)
    options = ("--tools", "core,scripted", "--scripts-enabled", "--evaluate-enabled", "--allow-private")
    async with ours.mcp(*options) as client:
        await client.call_tool("open", {"url": site.page("<p>own", title="Own")})
        listed = text_of(await client.call_tool("tabs", {}))
        assert f'not used yet: "Mine to adopt" {mine} (select it with tab' in listed
        assert "Own" in listed
        used = await client.call_tool("snapshot", {"tab": "Mine to adopt"})
        assert 'button "Press"' in text_of(used)
        assert 'not used yet: "Mine to adopt' not in text_of(await client.call_tool("tabs", {}))
        code = """
const found = await browser.use('Mine to adopt');
return [await found.title(), (await snapshot({ page: found })).includes('Press'), await page.locator('p').innerText()]"""
        ran = text_of(await client.call_tool("execute", {"code": code, "timeout": 60_000}))
        if importlib.util.find_spec("playwright") is not None:
            assert '"own"' in ran, ran
            assert "true" in ran
