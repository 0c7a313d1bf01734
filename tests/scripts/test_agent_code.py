"""Code as agents write it for other programs: Playwright's page and context in the jail, and functions such as snapshot()."""

import importlib.util
import shutil

import pytest

from boathook.errors import ScriptFailed
from boathook.sandbox import jail
from boathook.service.scripts import playwright_access

pytestmark = [
    pytest.mark.skipif(bool(jail.why_not()), reason=jail.why_not() or "no jail here"),
    pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here"),
    pytest.mark.skipif(
        importlib.util.find_spec("playwright") is None, reason="Playwright is not installed here"
    ),
]
FORM = """<h1>Shop</h1><label>Name <input></label>
<button onclick="document.title='Hi '+document.querySelector('input').value; console.log('greeted')">Greet</button>
<ul><li>One <button>Take</button></li><li>Two <button onclick="this.textContent='Taken'">Take</button></li></ul>
<script>console.warn('ready')</script>"""


@pytest.fixture
async def shop(tab, site):
    await tab.goto(site.page(FORM, title="Shop"))
    return tab


async def js(tab, code):
    return (await tab.run(code, language="js", timeout=60)).value


async def test_page_and_context_are_playwrights_in_the_jail(shop, site):
    code = f"""
await page.getByLabel('Name').fill('Ann');
await page.locator('button').filter({{ hasText: 'Greet' }}).click();
const before = context.pages().length;
const other = await context.newPage();
await other.goto({site.page("<p>Second", title="Second")!r});
const seen = [page.url() === await tab.url(), await page.title(), await tab.title(), context.pages().length - before,
  await other.title(), (await snapshot({{ page: other, interactive: false }})).includes('Second')];
await other.close();
return seen"""
    assert await js(shop, code) == [True, "Hi Ann", "Hi Ann", 1, "Second", True]


async def test_refs_of_a_snapshot_become_locators(shop):
    code = """
const text = await snapshot();
const [, greet] = /button "Greet" @(e\\d+)/.exec(text);
await page.locator(refToLocator({ ref: greet })).click();
const takes = [...text.matchAll(/button "Take" @(e\\d+)/g)].map((found) => found[1]);
let why = '';
try { refToLocator(takes[1]); } catch (error) { why = error.message; }
await (await locatorForRef(takes[1])).click();
return [await page.title(), takes.length, why, await page.getByText('Taken').count()]"""
    title, takes, why, taken = await js(shop, code)
    assert (title, takes, taken) == ("Hi", 2, 1)
    assert "await locatorForRef" in why


async def test_a_cdp_session_is_limited_as_every_connection_of_the_script_is(shop, tmp_path):
    code = """
const session = await getCDPSession({ page });
const { nodes } = await session.send('Accessibility.getFullAXTree');
const refused = [];
for (const [method, params] of [['Page.navigate', { url: 'file:///etc/passwd' }], ['Browser.close', {}], ['SystemInfo.getProcessInfo', {}],
    ['Tracing.start', {}], ['Target.createTarget', { url: 'file:///etc/passwd' }], ['Target.createBrowserContext', {}]]) {
  try { await session.send(method, params); } catch (error) { refused.push(method); }
}
let read = '';
try { read = require('fs').readFileSync('/etc/passwd', 'utf8'); } catch { read = 'no'; }
return [nodes.length > 5, refused, read, page.url().startsWith('http')]"""
    seen, refused, read, stays = await js(shop, code.replace("require(", "process.getBuiltinModule?.("))
    assert seen
    assert stays
    assert read == "no"
    # Closing the browser is answered, and not done.
    assert refused == [
        "Page.navigate", "SystemInfo.getProcessInfo", "Tracing.start", "Target.createTarget", "Target.createBrowserContext",
    ]  # fmt: skip
    assert await shop.title() == "Shop"


async def test_functions_need_no_playwright(shop, monkeypatch):
    monkeypatch.setattr(playwright_access, "find_package", lambda _folder: "")
    code = """
const loaded = await waitForPageLoad({ timeout: 10000 });
const logs = await getLogs();
await clearLogs();
const cleared = await getLogs();
const html = await getCleanHTML({ selector: 'ul' });
const markdown = await pageMarkdown();
return [loaded.success, loaded.pendingRequests, logs, cleared, html.includes('<li>') && !html.includes('onclick'), markdown.includes('Shop')]"""
    assert await js(shop, code) == [True, [], ["[warning] ready"], [], True, True]
    picture = await shop.run("await screenshotWithAccessibilityLabels()", language="js", timeout=60)
    assert [value["type"] if isinstance(value, dict) else "Greet" in value for value in picture.shown] == [
        "image",
        True,
    ]
    for code, why in (
        (
            "await context.newPage()",
            "context.newPage requires Playwright: Playwright is not installed: npm install",
        ),
        ("page.getByRole('button')", "other methods of page require Playwright"),
        ("await getCDPSession()", "requires Playwright"),
        ("await pluginCatalog()", "plugins are not available yet"),
    ):
        with pytest.raises(ScriptFailed, match=why.replace("(", r"\(")):
            await js(shop, code)


async def test_a_tab_that_is_opened_or_found_has_the_helpers_of_a_tab(shop, site):
    page = site.page("<button onclick=\"document.title='Done'\">Do", title="Other")
    code = f"""
const opened = await browser.open({page!r});
await opened.click('text=Do');
const found = await browser.use(opened.id);
display(found);
return [await opened.title(), String(opened.title), await found.title(), await tab.title(), (await snapshot({{ page: found }})).includes('Do')]"""
    ran = await shop.run(code, language="js", timeout=60)
    assert ran.value == ["Done", "Other", "Done", "Shop", True]
    assert ran.shown[0]["url"] == page
    python = f"""
opened = await browser.open({page!r})
await opened.click('text=Do')
return [opened['title'], await opened.title(), await tab.title(), opened['id'].startswith('t')]"""
    assert (await shop.run(python)).value == ["Other", "Done", "Shop", True]
