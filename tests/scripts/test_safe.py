"""The engine `safe`: the same helpers in an interpreter that knows no system, which is in a jail besides."""

import asyncio
import importlib.util
from pathlib import Path
from typing import Any

import pytest

from boathook.errors import BoathookError, ScriptFailed, ScriptStopped, ScriptSyntax, Unsupported
from boathook.sandbox import jail
from boathook.sandbox.function_body import as_function
from boathook.service.scripts import find_monty
from boathook.service.scripts.fork_server import ForkServer
from boathook.service.scripts.script_engines import choose_engine
from boathook.service.scripts.script_run import ScriptRequest, run
from boathook.service.surface import Surface
from tests.support.waiting import until

pytestmark = [
    pytest.mark.skipif(bool(jail.why_not()), reason=jail.why_not() or "no jail here"),
    pytest.mark.skipif(
        importlib.util.find_spec("pydantic_monty") is None, reason="pydantic-monty is not installed"
    ),
]

FORM = "<label>Name <input></label><button onclick=\"document.title='Hi'\">Greet</button>"


@pytest.fixture(scope="module")
async def fork_server():
    made = ForkServer()
    yield made
    made.close()


async def echoed(_scratch, method, given, named):
    return {"method": method, "given": list(given), "named": dict(named)}


async def ran(fork_server, code, *, serve=echoed, seconds=20, **options):
    order = ScriptRequest(code=code, tab="t1", seconds=seconds, safe=True, **options)
    return await run(order, await fork_server.worker(), serve)


async def test_a_real_page_is_filled_in_and_read(tab, site):
    await tab.goto(site.page(FORM, title="Shop"))
    code = "await tab.fill('label=Name', 'Ann')\nawait tab.click('text=Greet')\nreturn [await tab.value('label=Name'), await page.title()]"
    assert (await tab.run(code, engine="safe")).value == ["Ann", "Hi"]
    with pytest.raises(ScriptFailed, match=r"nothing on the page matches.*\[target_not_found\]"):
        await tab.run("await tab.click('text=Nowhere')", engine="safe")
    seen = "o = await tab.observe()\nn = [e['id'] for e in o['elements'] if e['role'] == 'textbox'][0]\nawait tab.id(n).fill('x')\nreturn await tab.value('label=Name')"
    assert (await tab.run(seen, engine="safe")).value == "x"


async def test_what_scripts_have_in_scope(fork_server):
    code = """display('one')
display({'two': 2})
print('noted')
log('too', 3)
text = '''of
  two lines'''
state['n'] = state['n'] + 1
waiting = tab.wait_for_response('save')
await wait(0.01)
found = await waiting
assert_(found['method'] == 'wait_for_response')
ref = await tab.ref('e5').click(nth=2)
assert await wait(lambda: 7) == 7
[text, ref, (await browser.tabs())['method'], tab.name]"""
    found = await ran(fork_server, code, state={"n": 4})
    asked = {"method": "click", "given": [], "named": {"nth": 2, "element": "@e5"}}
    assert found.value == ["of\n  two lines", asked, "tabs", "t1"]
    assert found.shown == ["one", {"two": 2}]
    assert found.log == ["noted", "too 3"]
    assert found.state == {"n": 5}


async def test_helpers_run_side_by_side(fork_server):
    both = asyncio.Event()
    begun = []

    async def serve(_scratch, method, given, named):
        begun.append(method)
        if len(begun) == 2:
            both.set()
        await both.wait()
        return method

    code = "import asyncio\nreturn await asyncio.gather(tab.title(), tab.url())"
    assert (await ran(fork_server, code, serve=serve)).value == ["title", "url"]


@pytest.mark.parametrize(
    ("code", "kind", "said"),
    [
        ("a = 1\nb = (2", ScriptSyntax, "line 2, column 5"),
        ("x = 1\nyield x", ScriptSyntax, "line 2"),
        (
            "x = 1\nclass A(Exception): pass",
            ScriptSyntax,
            r"line 2: the engine safe does not support .*engine jail",
        ),
        ("x = 1\ndel x", ScriptSyntax, "line 2: the engine safe does not support"),
        ("import socket", ScriptFailed, "engine jail has the standard library"),
        ("tab.clik", ScriptFailed, "did you mean click"),
        ("assert_(1 == 2, 'sums')", ScriptFailed, "AssertionError: sums"),
        ("def f(): return f()\nf()", ScriptFailed, "RecursionError"),
        ("x = 'a' * (1 << 30)", ScriptFailed, "MemoryError"),
        ("raise ValueError('no')", ScriptFailed, "ValueError: no"),
        (
            "__import__('os')",
            ScriptFailed,
            r"name '__import__' is not defined: the engine safe does not have",
        ),
        ("compile('1', '', 'exec')", ScriptFailed, r"name 'compile' is not defined: .*use the engine jail"),
        ("globals()", ScriptFailed, r"name 'globals' is not defined: .*use the engine jail"),
        ("missing(1)", ScriptFailed, r"NameError: name 'missing' is not defined \("),
    ],
)
async def test_what_goes_wrong_is_said(fork_server, code, kind, said):
    with pytest.raises(kind, match=said):
        await ran(fork_server, code)


async def test_an_error_shows_the_scripts_own_lines(fork_server):
    with pytest.raises(ScriptFailed) as caught:
        await ran(fork_server, "def inner():\n    return 1 / 0\n\ninner()")
    assert caught.value.evidence["where"] == "line 4: inner()\nline 2: return 1 / 0"


def interpreters(child: int) -> dict[int, str]:
    """The processes that a child has started, with what the kernel says about them."""
    found = {}
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            text = status.read_text()
        except OSError:
            continue  # it ended while we looked
        if f"\nPPid:\t{child}\n" in text:
            found[int(status.parent.name)] = text
    return found


async def test_the_interpreter_is_jailed_and_ends_with_its_script(fork_server):
    seen = {}

    async def serve(_scratch, method, given, named):
        seen.update(interpreters(child.pid))

    child = await fork_server.worker()
    order = ScriptRequest(code="await tab.title()\nwhile True: pass", tab="t1", seconds=5, safe=True)
    with pytest.raises(ScriptStopped, match="stopped after 5 s"):
        await run(order, child, serve)
    assert [text.count("\nSeccomp:\t2\n") + text.count("\nNoNewPrivs:\t1\n") for text in seen.values()] == [2]
    await until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in seen), named="its end")


async def test_where_it_is_not_installed_an_error_says_how_to_get_it(fork_server, monkeypatch):
    monkeypatch.setattr(find_monty, "PACKAGE", "not_there")
    with pytest.raises(Unsupported, match="pydantic-monty") as caught:
        await ran(fork_server, "return 1")
    assert "boathook[safe]" in caught.value.hint


def test_a_body_keeps_its_texts_and_gives_back_its_last_value():
    code = "a = '''x\n y'''\nb = f'''{a}\nz'''\nif a:\n\tb = 1\na; (b,\n a)"
    scope: dict[str, Any] = {}
    exec(as_function(code), scope)
    coroutine = scope["__script__"]()
    with pytest.raises(StopIteration) as ended:
        coroutine.send(None)
    assert ended.value.value == (1, "x\n y")


@pytest.mark.parametrize(
    ("asked", "language", "setting", "surface", "engine"),
    [
        (None, "python", None, Surface.COMMAND_LINE, "jail"),
        (None, "python", "safe", Surface.COMMAND_LINE, "safe"),
        ("unsafe", "python", "safe", Surface.COMMAND_LINE, "unsafe"),
        (None, "python", None, Surface.MCP_STDIO, "safe"),
        (None, "python", "jail", Surface.MCP_HTTP, "jail"),
        ("jail", "python", "jail", Surface.MCP_STDIO, "jail"),
        (None, "js", None, Surface.MCP_STDIO, "jail"),
        ("jail", "python", None, Surface.MCP_STDIO, "policy_blocked"),
        ("unsafe", "python", "jail", Surface.MCP_STDIO, "policy_blocked"),
        ("unsafe", "js", None, Surface.MCP_STDIO, "policy_blocked"),
        ("safe", "js", None, Surface.COMMAND_LINE, "bad_request"),
    ],
)
def test_which_engine_runs_a_script(asked, language, setting, surface, engine):
    try:
        found: str = choose_engine(
            asked, language=language, settings={"script_engine": setting}, surface=surface
        )
    except BoathookError as error:
        found = error.code
    assert found == engine
