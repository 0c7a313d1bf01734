"""Puppeteer's own objects beside the helpers, from what the project has installed."""

import shutil

import pytest

from boathook.sandbox import jail
from tests.support.npm import CACHE, npm_packages

pytestmark = [
    pytest.mark.skipif(bool(jail.why_not()), reason=jail.why_not() or "no jail here"),
    pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here"),
    pytest.mark.timeout(120),
]

FORM = """<label>Name <input></label><button onclick="document.title='Hi'">Greet</button>
<a href="?next">Next</a><a href="?popup" target="_blank">Popup</a><iframe srcdoc="<p>inner words</p>"></iframe>"""


@pytest.fixture
async def shop(tab, site, tmp_path, monkeypatch):
    """A page, and a project in whose folder Puppeteer is installed."""
    place = CACHE / "puppeteer"
    npm_packages(place, "puppeteer-core@24", there=["node_modules/puppeteer-core/package.json"])
    (tmp_path / "node_modules").symlink_to(place / "node_modules")
    monkeypatch.chdir(tmp_path)
    await tab.goto(site.page(FORM, title="Shop"))
    return tab


async def run(tab, code):
    return (await tab.run(code, language="js", engine="unsafe", timeout=60)).value


async def test_a_script_acts_on_the_same_tab_by_puppeteer_and_by_helpers(shop):
    code = """await tab.fill('label=Name', 'Ann');
const seen = await page.$eval('input', (field) => field.value);
await page.locator('button').click();
const inner = await page.frames()[1].$eval('p', (words) => words.textContent);
return [seen, inner, await page.title(), await tab.title(), tab.page === page, browser.connected, context === page.browserContext()]"""
    assert await run(shop, code) == ["Ann", "inner words", "Hi", "Hi", True, True, True]
    assert await shop.title() == "Hi", "the tab outlives the guest"


async def test_what_puppeteer_does_is_what_the_tab_sees(shop):
    code = """await Promise.all([page.waitForNavigation(), page.click('a')]);
const opened = new Promise((resolve) => page.once('popup', resolve));
await page.click('a[target]');
const popup = await opened;
await popup.waitForFunction(() => location.search === '?popup');
await popup.close();
const own = await context.newPage();
await own.goto(page.url());
const title = await own.title();
await own.close();
await browser.setCookie({ name: 'a', value: 'b', domain: '127.0.0.1' });
return [page.url() === await tab.url(), title, (await browser.pages()).includes(page), (await page.screenshot()).length > 1000]"""
    assert await run(shop, code) == [True, "Shop", True, True]
    assert shop.url.endswith("?next")
    assert "a" in [cookie["name"] for cookie in await shop.cookies()]
    await shop.clear_cookies()


async def test_puppeteer_gets_no_context_of_its_own_and_no_end_of_the_browser(shop):
    code = """const refused = await browser.createBrowserContext().catch((error) => error.message);
await browser.close();
return refused"""
    assert "not allowed on this endpoint" in await run(shop, code)
    assert await shop.title() == "Shop"
