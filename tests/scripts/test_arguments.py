"""What helpers take: objects for pages, points, regular expressions, elements, times; in Python and in JavaScript."""

import importlib.util
import shutil

import pytest

from boathook.errors import BadRequest, ScriptFailed, ScriptStopped
from boathook.sandbox import jail
from boathook.service.scripts.script_helpers import resolve_helper

pytestmark = pytest.mark.skipif(bool(jail.why_not()), reason=jail.why_not() or "no jail here")
node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here")
monty = pytest.mark.skipif(
    importlib.util.find_spec("pydantic_monty") is None, reason="pydantic-monty is not installed"
)

PAGE = """<label>Name <input></label><button onclick="fetch('?fetched').then((answer) => answer.text())">Fetch</button>
<div style="position:absolute;left:300px;top:300px;width:40px;height:40px" onmousedown="document.title='down'"
 onmouseup="document.title += ' up'">here</div>
<button onclick="fetch('?other').then(() => fetch('?wanted'))">Fetch both</button><input id=later hidden>
<label>Size <select><option value=s>Small<option value=l>Large</select></label>
<select multiple aria-label=Many><option value=a>Aa<option value=b>Bb<option value=c>Cc</select>
<script>setTimeout(() => { document.getElementById('later').hidden = false }, 100)
addEventListener('mouseup', (event) => { document.title += ` at ${event.clientX},${event.clientY}` })</script>"""
NAME = (
    "o = await tab.observe()\nfield = tab.id([e['id'] for e in o['elements'] if e['role'] == 'textbox'][0])\n"
)
NAME_JS = (
    "const o = await tab.observe();\nconst field = tab.id(o.elements.find((e) => e.role === 'textbox').id);\n"
)

MATCHED = """seen = tab.wait_for_response(lambda r: r['status'] == 200 and 'wanted' in r['url'])
await tab.click('text=Fetch both')
found = await seen
return [found['url'].rsplit('?')[1], found['headers']['content-type'][:9]]"""
MATCHED_JS = """const seen = tab.waitForResponse((r) => r.url().endsWith('wanted') && r.status() === 200 && r.ok());
await tab.click('text=Fetch both');
const found = await seen;
const sizes = [found.status == 200, `${found.status}`, found.url.length > 9, JSON.parse(JSON.stringify(found)).status];
return [found.headers()['content-type'].slice(0, 9), found.headers['content-type'].slice(0, 9), found.request().method(), ...sizes]"""
HANDLE = """field = await tab.wait_for('#later')
await field.fill('Ann')
await tab.press('Tab', selector=field)
await tab.click(tab.id(str(field)[2:]))
return [str(field)[:2], await tab.value(field), await (await tab.id(field.ref[2:])).attribute('id')]"""
HANDLE_JS = """const field = await tab.waitFor('#later');
await field.fill('Ann');
await tab.click(tab.id(field.ref.slice(2)));
return [await tab.value(field), await tab.evaluate((e, more) => e.id + more, field, '!'), await tab.waitFor('#no', { state: 'detached' })]"""
POLLED = """asked = []
try:
    await wait(lambda: asked.append(1), timeout=0.3, interval=0.1)
except TimeoutError as error:
    return ['nothing truthy within 0.3 s' in str(error), 2 <= len(asked) <= 5]"""
POLLED_JS = """let asked = 0;
try { await wait(() => { asked += 1; }, { timeout: 300, interval: 100 }); } catch (error) {
  return [error.message.includes('nothing truthy within 300 ms'), asked >= 2 && asked <= 5];
}"""

FETCHED = """seen = tab.wait_for_response('?fetched')
await tab.click('text=Fetch')
number = (await seen)['number']
return [(await tab.request(number))['request']['status'], 'Fetch' in (await tab.responseBody(number))['text']]"""
FETCHED_JS = """const seen = tab.waitForResponse(/fetched$/);
await tab.click('text=Fetch');
const answer = await seen;
return [answer.status, (await answer.text()).includes('Fetch'), Object.keys(answer).includes('text')]"""


@pytest.fixture
async def shop(tab, site):
    await tab.goto(site.page(PAGE, title="Shop"))
    return tab


PYTHON = [
    ("return await tab.evaluate('(o) => o.a + 1', {'a': 1})", 2),
    ("await tab.drag({'x': 310, 'y': 310}, {'x': 320, 'y': 325})\nreturn await tab.title()", "down up at 320,325"),
    ("await tab.drag('text=here', [330, 335])\nreturn await tab.title()", "down up at 330,335"),
    ("import re\nreturn (await tab.wait_for_url(re.compile(r'^HTTP.+n', re.I), timeout=5))[:4]", "http"),
    (f"{NAME}await field.press('a')\nreturn await field.value()", "a"),
    (f"{NAME}return await field.evaluate('(e, more) => e.tagName + more', '!')", "INPUT!"),
    (f"{NAME}s = await field.screenshot(silent=True)\nreturn s['width'] > 4 * s['height']", True),
    (f"{NAME}return 'Fetch' in await field.snapshot()", False),
    ("return [tab.page is page, await tab.page.title()]", [True, "Shop"]),
    (
        FETCHED,
        [200, True],
    ),
    (MATCHED, ["wanted", "text/html"]),
    (HANDLE, ["@e", "Ann", "later"]),
    (POLLED, [True, True]),
    ("return [await tab.select('label=Size', 'Large'), await tab.select('label=Many', 'a', 'Cc')]", [["l"], ["a", "c"]]),
]  # fmt: skip
JAVASCRIPT = [
    ("return await tab.evaluate((o) => o.a + 1, { a: 1 })", 2),
    ("return await tab.evaluate((a, o) => a + o.timeout, 1, { timeout: 2 })", 3),
    (
        "await tab.drag({ x: 310, y: 310 }, { x: 320, y: 325 }); return await tab.title()",
        "down up at 320,325",
    ),
    ("await tab.drag('text=here', { x: 330, y: 335 }); return await tab.title()", "down up at 330,335"),
    (r"return (await tab.waitForUrl(/^HTTP.+\/(?<rest>.*)N/i, { timeout: 5000 })).slice(0, 4)", "http"),
    (f"{NAME_JS}await field.press('a'); return await field.value()", "a"),
    (f"{NAME_JS}return await field.evaluate((e, more) => e.tagName + more.end, {{ end: '!' }})", "INPUT!"),
    ("return [tab.page === page, await tab.page.title()]", [True, "Shop"]),
    (
        FETCHED_JS,
        [200, True, False],
    ),
    (MATCHED_JS, ["text/html", "text/html", "GET", True, "200", True, 200]),
    (HANDLE_JS, ["Ann", "later!", None]),
    (POLLED_JS, [True, True]),
    (
        "const { status } = await tab.goto(await tab.url(), { waitUntil: 'networkidle2' }); return [status, tab.signal.aborted]",
        [200, False],
    ),
]


@pytest.mark.parametrize(("code", "expected"), PYTHON)
async def test_in_python(shop, code, expected):
    assert (await shop.run(code)).value == expected


@node
@pytest.mark.parametrize(("code", "expected"), JAVASCRIPT)
async def test_in_javascript(shop, code, expected):
    assert (await shop.run(code, language="js")).value == expected


@monty
async def test_in_the_engine_safe(shop):
    code = f"{NAME}await field.press('a')\nreturn [await field.value(), await tab.page.title(), await field.evaluate('e => e.tagName')]"
    assert (await shop.run(code, engine="safe")).value == ["a", "Shop", "INPUT"]
    for code, expected in ((MATCHED, ["wanted", "text/html"]), (POLLED, [True, True])):
        assert (await shop.run(code, engine="safe")).value == expected
    held = "field = await tab.wait_for('#later')\nawait field.fill('x')\nawait tab.click(field)\nreturn [await tab.value(field), tab.signal.aborted]"
    assert (await shop.run(held, engine="safe")).value == ["x", False]


@node
async def test_times_in_javascript_are_in_milliseconds(shop):
    with pytest.raises(ScriptFailed, match=r"timed out after 0\.3 s while waiting for a URL"):
        await shop.run("await tab.waitForUrl('never', { timeout: 300 })", language="js")


@node
async def test_an_error_of_a_helper_names_the_line_of_the_call_in_javascript_too(shop):
    code = "\n\nconst press = async () => {\n  await tab.click('#nowhere', { timeout: 100 });\n};\nawait press();"
    with pytest.raises(ScriptFailed) as caught:
        await shop.run(code, language="js")
    where = "line 4: await tab.click('#nowhere', { timeout: 100 });\nline 6: await press();"
    assert caught.value.evidence["where"] == where


@node
async def test_a_script_that_is_stopped_hears_of_it_by_its_signal_and_can_clean_up(shop):
    code = """tab.signal.addEventListener('abort', () => console.log('aborted'));
try { await tab.waitFor('#never', { timeout: 60000 }); } finally { console.log(`clean: ${tab.signal.aborted}`); }"""
    with pytest.raises(ScriptStopped) as caught:
        await shop.run(code, language="js", timeout=1.5)
    assert caught.value.evidence["log"] == ["aborted", "clean: true"]
    python = "try:\n    await tab.wait_for('#never', timeout=60)\nfinally:\n    log(tab.signal.aborted)"
    with pytest.raises(ScriptStopped) as caught:
        await shop.run(python, timeout=0.6)
    assert caught.value.evidence["log"] == ["True"]


OBSERVED = """seen, all = await tab.observe(), await tab.observe(includeAll=True)
await tab.scroll(0, 300)
near = await tab.observe(viewportOnly=True)
roles = {e['role'] for e in seen['elements']}
names = {e['name'] for e in near['elements']}
return [sorted(roles), [e['name'] for e in all['elements'] if e['role'] == 'heading'], seen['viewport'], near['scroll'], sorted(names)]"""


async def test_what_is_observed_is_interactive_and_has_the_viewport_and_the_scroll_offset(tab, site):
    body = "<h1>Title</h1><h2 onclick='1'>Menu</h2><button>Top</button><input type=date aria-label=Day><p style='margin-top:2000px'><a href=#>End</a>"
    await tab.goto(site.page(body))
    await tab.set_viewport(800, 600, 2)
    roles, headings, viewport, scroll, names = (await tab.run(OBSERVED)).value
    assert roles == ["button", "heading", "link", "textbox"], "a heading with a click handler is interactive"
    assert headings == ["Title", "Menu"]
    assert viewport == {"width": 800, "height": 600, "deviceScaleFactor": 2}
    assert (scroll["x"], scroll["y"], scroll["width"], scroll["height"]) == (0, 300, 800, 600)
    assert scroll["scrollHeight"] > 2000
    assert "End" not in names


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("await tab.wait_for_url(lambda url: True)", "python"),
        pytest.param("await tab.waitForUrl((url) => true)", "js", marks=node),
    ],
)
async def test_a_function_where_none_can_be_called_is_refused_at_once(shop, code, language):
    with pytest.raises(ScriptFailed, match="does not accept a function"):
        await shop.run(code, language=language)


def test_what_makes_no_sense_is_refused():
    with pytest.raises(BadRequest, match="text cannot be a regular expression"):
        resolve_helper("wait_for_text", [{"regexp": "a", "flags": ""}], {})
    with pytest.raises(BadRequest, match="goto does not take an element"):
        resolve_helper("goto", ["x"], {"element": "@e1"})
    command, _helper, arguments = resolve_helper("drag", [[1, 2]], {"element": "@e3", "offset": [1, 2]})
    assert command.name == "drag"
    assert arguments == {"source": "@e3", "target": "1,2", "offset": [1, 2]}
