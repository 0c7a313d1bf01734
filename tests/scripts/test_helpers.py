"""What scripts have in scope, helper by helper, on a real page."""

import asyncio
import base64
from pathlib import Path

import pytest

import boathook
from boathook.engine.capture.images.image_size import image_size
from boathook.errors import BadRequest, ScriptFailed, ScriptStopped, ScriptSyntax
from boathook.sandbox import jail
from boathook.service.scripts.script_helpers import camel, helpers, resolve_helper
from boathook.surfaces.python import scripting
from tests.support.engine import engine_of

pytestmark = pytest.mark.skipif(bool(jail.why_not()), reason=jail.why_not() or "no jail here")

PAGE = """<h1>Shop</h1><label>Name <input id=name></label><label>Size <select><option>S<option value=large>L</select></label>
<label><input type=checkbox> Agree</label><button onclick="document.title='Hi ' + document.getElementById('name').value">Greet</button>
<a href="#next">Next</a><a download="a.txt" href="data:text/plain,hello">File</a><input type=file aria-label=Doc>
<button onclick="fetch('?fetched').then(r => r.text())">Fetch</button><button onclick="setTimeout(() => confirm('sure?'), 0)">Ask</button>
<button draggable=true>Card</button>
<button ondragover="event.preventDefault()" ondrop="document.title = 'Dropped'">Place</button><p style="margin-top:3000px">Bottom</p>"""

ASKED = """await tab.click('text=Ask')
async def asked():
    try: return await tab.dialog(True)
    except Exception: return None
return (await wait(asked))['message']"""


@pytest.fixture
async def shop(tab, site):
    await tab.clear_cookies()  # all tests of a worker share a browser
    await tab.goto(site.page(PAGE, title="Shop"))
    return tab


@pytest.fixture
async def lasting_shop(lasting_tab, site):
    """The shop in the tab that a worker keeps, for scripts that leave nothing behind."""
    await lasting_tab.clear_cookies()
    await lasting_tab.goto(site.page(PAGE, title="Shop"))
    return lasting_tab


async def value(tab, code, **options):
    return (await tab.run(code, **options)).value


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("return await tab.title()", "Shop"),
        ("return (await tab.url())[:4]", "http"),
        ("return tab.name", None),
        ("return (await tab.observe())['title']", "Shop"),
        (
            "o = await tab.observe()\nreturn [e['name'] for e in o['elements'] if e['role'] == 'textbox']",
            ["Name"],
        ),
        (
            "o = await tab.observe(includeAll=True)\nreturn any(e['role'] == 'heading' for e in o['elements'])",
            True,
        ),
        ("return 'textbox \"Name\"' in await tab.snapshot()", True),
        ("await tab.fill('label=Name', 'Ann')\nreturn await tab.value('label=Name')", "Ann"),
        ("await tab.type('label=Name', 'Bob')\nreturn await tab.value('label=Name')", "Bob"),
        (
            "await tab.fill('label=Name', 'Ann')\nawait tab.click('text=Greet')\nreturn await tab.title()",
            "Hi Ann",
        ),
        (
            "await tab.press('Tab', selector='label=Name')\nreturn await tab.evaluate('document.activeElement.tagName')",
            "SELECT",
        ),
        ("await tab.select('label=Size', 'L')\nreturn await tab.value('label=Size')", "large"),
        ("return await tab.select('label=Size', 'L')", ["large"]),
        (
            "await tab.check('label=Agree')\nreturn await tab.evaluate(\"document.querySelector('[type=checkbox]').checked\")",
            True,
        ),
        ("await tab.scroll(0, 500)\nreturn await tab.evaluate('scrollY') > 0", True),
        ("await tab.scrollIntoView('text=Bottom')\nreturn await tab.evaluate('scrollY') > 1000", True),
        ("await tab.click('text=Next')\nreturn (await tab.waitForUrl('#next')).endswith('#next')", True),
        ("return bool(await tab.waitFor('text=Greet'))", True),
        ("return bool(await tab.waitForText('Bottom'))", True),
        ("return await tab.evaluate('(a, b) => a + b', 2, 3)", 5),
        ("return 'Shop' in await tab.extract()", True),
        ("return 'Bottom' in await tab.extract('text')", True),
        ("await tab.reload()\nreturn await tab.title()", "Shop"),
        ("return await tab.count('text=Greet')", 1),
        ("return await tab.text('h1')", "Shop"),
        ("return await tab.attribute('text=Next', 'href')", "#next"),
        ("return await tab.cookies()", []),
        (
            "await tab.evaluate(\"localStorage.clear(); localStorage.a = 'b'\")\nreturn await tab.storage()",
            {"a": "b"},
        ),
        (
            "await tab.evaluate(\"console.log('hello')\")\nreturn [m['text'] for m in await tab.console()][-1:]",
            ["hello"],
        ),
        ("return any('given' in r['url'] for r in await tab.requests())", True),
        (
            ASKED,
            "sure?",
        ),
        ("await tab.drag('text=Card', 'text=Place')\nreturn await tab.title()", "Dropped"),
        ("s = await tab.screenshot(silent=True)\nreturn s['width'] > 100", True),
        (
            "o = await tab.observe()\nn = next(e['id'] for e in o['elements'] if e['role'] == 'textbox')\nawait tab.id(n).fill('x')\nreturn await tab.ref(f'e{n}').value()",
            "x",
        ),
        ("return await page.title()", "Shop"),
        ("return len(await browser.tabs()) >= 1", True),
        ("import json, re, math\nreturn json.loads('[1]')[0] + math.floor(1.5)", 2),
        ("1 + 1", 2),
        ("await tab.goto('about:blank')\nreturn await tab.extract() is None", True),
    ],
)
async def test_a_helper_does_what_its_name_says(lasting_shop, code, expected):
    found = await value(lasting_shop, code)
    if expected is None:
        assert isinstance(found, str)
    else:
        assert found == expected


async def test_every_helper_has_its_name_in_both_spellings():
    assert camel("wait_for_url") == "waitForUrl"
    assert {"upload_file", "wait_for_response", "scroll_into_view"} <= set(helpers()["tab"])
    assert set(helpers()["browser"]) == {"tabs", "pages", "open", "use"}


async def test_going_back_and_forth(shop, site):
    code = f"await tab.goto({site.page('<p>two</p>', title='Two')!r}, waitUntil='domcontentloaded')\n"
    code += "a = await tab.title()\nawait tab.back()\nb = await tab.title()\nawait tab.forward()\nreturn [a, b, await tab.title()]"
    assert await value(shop, code) == ["Two", "Shop", "Two"]


async def test_files_go_up_and_come_down(shop, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("x")
    path = str(tmp_path / "a.txt")
    assert (await value(shop, f"return await tab.uploadFile('label=Doc', {path!r})"))["names"] == ["a.txt"]
    saved = await value(shop, f"return await tab.download('text=File', {str(tmp_path / 'b.txt')!r})")
    assert (tmp_path / "b.txt").read_text() == "hello", saved
    waited = "await tab.click('text=File')\nreturn (await tab.waitForDownload())['suggested_name']"
    assert await value(shop, waited) == "a.txt"


async def test_a_response_and_a_navigation_can_be_waited_for(shop):
    code = "waiting = tab.waitForResponse('?fetched')\nawait tab.click('text=Fetch')\nreturn (await waiting)['status']"
    assert await value(shop, code) == 200
    assert await value(shop, "await tab.waitForNavigation()\nreturn True")


async def test_what_is_displayed_comes_in_order_and_what_is_returned_last(shop):
    ran = await shop.run("display('one')\ndisplay({'two': 2})\nprint('noted')\nlog('too', 3)\nreturn 'end'")
    assert ran.shown == ["one", {"two": 2}]
    assert ran.value == "end"
    assert ran.log == ["noted", "too 3"]
    shapeless = await shop.run(
        "class A:\n    def __str__(self): return 'an A'\ndisplay(A())\ndisplay({'a': {1}})"
    )
    assert shapeless.shown == ["an A", {"a": [1]}]
    silent = await shop.run("x = 1")
    assert not silent.gives


async def test_a_screenshot_is_shown_unless_it_is_to_be_silent(shop):
    ran = await shop.run("return await tab.screenshot()")
    assert ran.shown[0]["mimeType"].startswith("image/")
    assert ran.value["path"]
    assert ran.screenshots == [ran.value]
    assert (await shop.run("return await tab.screenshot(silent=True)")).shown == []


async def test_a_screenshot_is_described_as_its_file_is_not_as_the_copy_that_is_shown(shop):
    ran = await shop.run("return await tab.screenshot(fullPage=True)")
    file = await asyncio.to_thread(Path(ran.value["path"]).read_bytes)
    assert (ran.value["width"], ran.value["height"]) == image_size(file)
    assert ran.value["bytes"] == len(file)
    assert ran.value["mimeType"] == "image/png"
    shown = image_size(base64.b64decode(ran.shown[0]["data"]))
    assert max(shown) <= 1024 < ran.value["height"], "the copy is smaller"


async def test_a_picture_stands_where_it_was_taken(shop):
    ran = await shop.run("display('before')\nawait tab.screenshot()\ndisplay('after')")
    assert [part if isinstance(part, str) else part["type"] for part in ran.shown] == [
        "before",
        "image",
        "after",
    ]


async def test_what_was_kept_ready_for_scripts_ends_with_the_browser(browser_with, site):
    own = await browser_with()
    tab = await own.open(site.page(PAGE))
    await tab.run("return 1")
    mother = scripting._desks[engine_of(own)].fork_server._server
    assert mother.poll() is None
    await own.close()
    assert mother.poll() is not None


async def test_state_lasts_from_run_to_run_on_its_tab(shop, browser):
    assert await value(shop, "state['n'] = state.get('n', 0) + 1\nreturn state['n']") == 1
    assert await value(shop, "state['n'] = state.get('n', 0) + 1\nreturn state['n']") == 2
    other = await browser.open("about:blank")
    assert await value(other, "return state") == {}
    await other.close()


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("x = (1", "line 1, column 5"),
        ("a = 1\nb = = 2", "line 2, column 5"),
        ("yield 1", "line 1"),
        ("import os\n  x = 1", "line 2"),
    ],
)
async def test_a_mistake_in_the_code_points_at_its_line(shop, code, said):
    with pytest.raises(ScriptSyntax, match=said):
        await shop.run(code)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("await tab.click('text=Nowhere')", "nothing on the page matches"),
        ("await tab.id(99999).click()", "no such ref in this session: @e99999"),
        ("await tab.screenshot(selector='#none')", "nothing on the page matches"),
        ("await tab.uploadFile('label=Doc')", "no file given"),
        ("await tab.click('p-unknown/x')", "no such engine: p-unknown"),
        ("await tab.click('[')", "invalid CSS selector"),
        ("await tab.waitForUrl('never', timeout=1)", "timed out after 1 s while waiting for a URL"),
        ("assert_(1 == 2, 'sums')", "AssertionError: sums"),
        ("tab.clik", "did you mean click"),
        ("await tab.click('text=Greet', 'b', 'c')", "takes 1 positional arguments"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("x = bytearray(10 << 30)", "MemoryError"),
        ("def f(): return f()\nf()", "RecursionError"),
        ("class E(Exception):\n    def __str__(self): raise ValueError\nraise E", "E"),
        ("import os\nos._exit(0)", "process exited"),
        ("import ctypes\nctypes.string_at(0)", "process exited"),
    ],
)
async def test_what_goes_wrong_is_said_and_the_tab_is_fine(lasting_shop, code, said):
    with pytest.raises(ScriptFailed, match=said):
        await lasting_shop.run(code)
    assert await lasting_shop.title() == "Shop"


async def test_an_error_shows_the_scripts_own_lines(shop):
    with pytest.raises(ScriptFailed) as caught:
        await shop.run("def inner():\n    return 1 / 0\n\ninner()")
    assert caught.value.evidence["where"] == "line 4: inner()\nline 2: return 1 / 0"


@pytest.mark.parametrize(
    "code",
    [
        "a = []\na.append(a)\nreturn a",
        "return 'x' * (5 << 20)",
        "return {i: i for i in range(10 ** 5)}",
        "return [[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]",
        "for i in range(10 ** 4): display(i)\nreturn 1",
    ],
)
async def test_values_without_end_are_cut(shop, code):
    ran = await shop.run(code)
    assert ran.notes or len(ran.shown) == 201


async def test_one_that_floods_is_ended(shop):
    with pytest.raises(ScriptFailed, match="sent more than"):
        await shop.run("while True:\n    display('x' * 10 ** 6)\n    await wait(0)")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("while True: pass", "it was not waiting for a helper"),
        ("await wait(99)", "stopped after 1 s"),
        (
            "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
            "stopped after 1 s",
        ),
    ],
)
async def test_time_is_up_for_every_kind_of_script_and_the_tab_answers(shop, code, said):
    with pytest.raises(ScriptStopped, match=said):
        await shop.run(code, timeout=1)
    assert await shop.title() == "Shop"


async def test_time_that_is_up_in_a_helper_names_it(shop):
    with pytest.raises(ScriptStopped, match="it was waiting for waitFor for"):
        await shop.run("await tab.waitFor('text=Never', timeout=60)", timeout=2)
    assert await shop.title() == "Shop"


async def test_scripts_run_without_asyncio_too(site):
    with boathook.sync.launch() as browser:
        tab = browser.open(site.page(PAGE, title="Shop"))
        assert tab.run("return await tab.title()").value == "Shop"


async def test_a_script_without_a_jail_may_do_what_programs_may(shop, tmp_path):
    path = tmp_path / "x"
    assert await value(shop, f"return open({str(path)!r}, 'w').write('abc')", engine="unsafe") == 3
    with pytest.raises(ScriptFailed, match="PermissionError"):
        await shop.run(f"open({str(path)!r})")


async def test_an_unknown_helper_is_refused_by_the_daemon_too():
    with pytest.raises(BadRequest, match="unknown helper"):
        resolve_helper("__class__", [], {})
