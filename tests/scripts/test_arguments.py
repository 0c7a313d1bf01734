"""What helpers take: objects for pages, points, regular expressions, elements, times; in Python and in JavaScript."""

import importlib.util
import shutil

import pytest

from boathook.errors import BadRequest, ScriptFailed
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
<script>addEventListener('mouseup', (event) => { document.title += ` at ${event.clientX},${event.clientY}` })</script>"""
NAME = (
    "o = await tab.observe()\nfield = tab.id([e['id'] for e in o['elements'] if e['role'] == 'textbox'][0])\n"
)
NAME_JS = (
    "const o = await tab.observe();\nconst field = tab.id(o.elements.find((e) => e.role === 'textbox').id);\n"
)

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


@node
async def test_times_in_javascript_are_in_milliseconds(shop):
    with pytest.raises(ScriptFailed, match=r"timed out after 0\.3 s while waiting for a URL"):
        await shop.run("await tab.waitForUrl('never', { timeout: 300 })", language="js")


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("await tab.wait_for_response(lambda answer: True)", "python"),
        pytest.param("await tab.waitForResponse((answer) => true)", "js", marks=node),
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
