"""Scripts through the surfaces of the daemon: the command line, and MCP clients that may or may not run them."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from boathook.sandbox import jail
from tests.mcp.clients import Home, code_of, text_of
from tests.mcp.conftest import stop
from tests.support.program import Program

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(jail.why_not()), reason=jail.why_not() or "no jail here"),
]

FORM = "<label>Name <input></label><button onclick=\"document.title='Hi'\">Greet</button>"
SECRET = "correct-horse-77"


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    made = Program(tmp_path_factory.mktemp("scripts"))
    yield made
    made.stop()


@pytest.fixture
def shop(program, site):
    """The program, with a page open."""
    assert program("open", site.page(FORM, title="Shop")).returncode == 0
    return program


@pytest.fixture
def home(tmp_path):
    made = Home(tmp_path)
    yield made
    stop(made)


def test_code_comes_from_a_file_from_standard_input_or_from_the_line(shop):
    code = "display('first')\nawait tab.click('text=Greet')\nreturn await tab.title()"
    (shop.work / "steps.py").write_text(code)
    wanted = "first\nHi\n"
    assert shop("run", "steps.py").stdout == wanted
    assert shop("run", "-", stdin=code).stdout == wanted
    assert shop("run", "--code", code).stdout == wanted
    assert shop("execute", "--code", code).stdout == wanted, "as other programs call it"


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["run"], "run requires either a file or --code"),
        (["run", "steps.py", "--code", "1"], "run requires either a file or --code"),
        (["run", "nowhere.py"], "no such file"),
        (["run", "--code", " "], "the code is empty"),
        (["run", "--code", "1", "--timeout", "0.5"], "timeout"),
        (["run", "--code", "1", "--timeout", "301"], "timeout"),
    ],
)
def test_a_call_that_makes_no_sense_is_bad_usage(shop, argv, said):
    done = shop(*argv)
    assert done.returncode == 2
    assert said in done.stderr
    assert not done.stdout


def test_the_longest_time_that_may_be_given_is_taken(shop):
    assert shop("run", "--code", "return 1", "--timeout", "300").stdout == "1\n"
    assert shop("run", "--code", "return 1", "--timeout", "1").stdout == "1\n"


def test_a_mistake_points_at_its_place(shop):
    done = shop("run", "--code", "a = 1\nb = (2")
    assert done.returncode == 10
    assert "line 2, column 5" in done.stderr
    assert "b = (2\n      ^" in done.stderr


def test_the_answer_as_data_has_value_and_what_was_displayed_in_order(shop):
    told = shop.json("run", "--code", "display('a')\ndisplay({'b': 1})\nlog('c')\nreturn [2]")
    assert told["data"]["displayed"] == ["a", {"b": 1}]
    assert told["data"]["value"] == [2]
    assert told["data"]["log"] == ["c"]
    assert "Ran code on tab" in shop("run", "--code", "x = 1").stdout, "where nothing else was produced"


def test_a_picture_is_told_with_the_place_where_it_was_saved(shop):
    told = shop.json("run", "--code", "await tab.screenshot()")
    (picture,) = told["data"]["displayed"]
    assert (picture["type"], Path(picture["path"]).read_bytes()[:4]) == ("image", b"\x89PNG")
    assert picture["bytes"] > 100
    assert picture["path"] in told["text"]
    shown = shop("run", "--code", "await tab.screenshot(save='mine.png')").stdout
    assert f"bytes] {shop.work / 'mine.png'}\n" in shown


def test_what_is_kept_for_a_tab_lasts_until_reset(shop):
    shop("reset")
    count = "state['n'] = state.get('n', 0) + 1\nreturn state['n']"
    assert [shop("run", "--code", count).stdout for _ in range(2)] == ["1\n", "2\n"]
    assert shop("reset").stdout == "cleared: n\n"
    assert shop("run", "--code", count).stdout == "1\n"


def test_while_a_script_runs_its_tab_is_held_in_its_name(shop):
    spinning = subprocess.Popen(
        [sys.executable, "-m", "boathook", "run", "--code", "await wait(60)", "--timeout", "60"],
        cwd=shop.work,
        env=shop.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while not shop.json("session", "info")["data"]["busy"]:
            assert spinning.poll() is None, "the script is still to come"
        for argv in (("run", "--code", "return 1"), ("click", "text=Greet")):
            refused = shop(*argv)
            assert refused.returncode == 9
            assert f"process {spinning.pid} has been running 'run'" in refused.stderr
        assert shop("get", "title").returncode == 0, "looking is allowed"
    finally:
        spinning.terminate()
        spinning.wait()
    while shop.json("session", "info")["data"]["busy"]:
        """A call that is given up lets go of its tab."""
    assert shop("run", "--code", "return 1").stdout == "1\n"


def test_a_secret_by_name_is_in_nothing_that_a_script_gives(shop):
    typed = shop("fill", "label=Name", "env:SCRIPT_SECRET", SCRIPT_SECRET=SECRET)
    assert typed.returncode == 0
    code = "value = await tab.value('label=Name')\ndisplay({'a': value})\nlog(value)\nstate['v'] = value\nreturn value"
    for argv in (("run", "--code", code), ("--json", "run", "--code", code)):
        done = shop(*argv)
        assert done.returncode == 0
        assert SECRET not in done.stdout + done.stderr
        assert "[REDACTED]" in done.stdout
    failed = shop("run", "--code", "raise ValueError(await tab.value('label=Name'))")
    assert "ValueError" in failed.stderr
    assert SECRET not in failed.stderr
    assert shop("run", "--code", "return 'plain-horse-77'").stdout == "plain-horse-77\n"
    assert SECRET not in shop("history").stdout


def test_where_scripts_in_pages_are_off_a_script_has_none_either(shop):
    code = "try:\n    return await tab.evaluate('1 + 1')\nexcept Exception as e:\n    return e.code"
    assert shop("run", "--code", code).stdout == "2\n"
    assert shop("--no-evaluate-enabled", "run", "--code", code).stdout == "policy_blocked\n"


def test_where_hosts_are_limited_a_script_is_limited_too(shop, site):
    code = "try:\n    await tab.goto('http://elsewhere.test/')\nexcept Exception as e:\n    return e.code"
    done = shop("--session", "limited", "--allowed-domains", "127.0.0.1", "run", "--code", code)
    assert done.stdout == "policy_blocked\n"
    goes = f"await tab.goto({site.page('<p>x</p>', title='There')!r})\nreturn await tab.title()"
    done = shop("--session", "limited", "--allowed-domains", "127.0.0.1", "run", "--code", goes)
    assert done.stdout == "There\n"
    shop("--session", "limited", "close")


async def test_mcp_clients_run_scripts_only_where_the_user_allows_it(home, site):
    page = site.page(FORM, title="Shop")
    async with home.client("--tools", "full") as client:
        assert "run" not in {tool.name for tool in (await client.list_tools()).tools}
    async with home.client("--tools", "argv") as client:
        await client.call_tool("agent_browser", {"args": ["open", page]})
        refused = await client.call_tool("agent_browser", {"args": ["run", "--code", "return 1"]})
        assert code_of(refused) == "policy_blocked"
    home.configure("scripts_enabled = true\n")
    async with home.client("--tools", "full") as client:
        assert "run" in {tool.name for tool in (await client.list_tools()).tools}
        await client.call_tool("open", {"url": page})
        ran = await client.call_tool("run", {"code": "display('shown')\nreturn await tab.title()"})
        assert not ran.is_error, text_of(ran)
        assert "shown" in text_of(ran)
        assert "Shop" in text_of(ran)
        inside = "try:\n    return await tab.evaluate('1')\nexcept Exception as e:\n    return str(e)"
        told = await client.call_tool("run", {"code": inside})
        assert "policy_blocked" in text_of(told), "scripts in pages are another permission"
        unsafe = await client.call_tool("run", {"code": "return 1", "engine": "unsafe"})
        assert code_of(unsafe) in {"policy_blocked", "bad_request"}
        wide = "import subprocess\nreturn 'a whole Python'"
        assert "No module named 'subprocess'" in text_of(await client.call_tool("run", {"code": wide}))
        asked = await client.call_tool("run", {"code": wide, "engine": "jail"})
        assert code_of(asked) == "policy_blocked", "a model does not choose a wider engine than its user"
    home.configure('scripts_enabled = true\nevaluate_enabled = true\nscript_engine = "jail"\n')
    async with home.client("--tools", "full") as client:
        await client.call_tool("open", {"url": page})
        assert "policy_blocked" not in text_of(await client.call_tool("run", {"code": inside}))
        assert "a whole Python" in text_of(await client.call_tool("run", {"code": wide}))
        await only_the_scratch_folder(client, home.work)


TRIED = """import os, tempfile
found = []
for path in ({file!r}, {folder!r}, '/tmp'):
    for act in (open, os.listdir, lambda p: open(p + '/new.txt', 'w')):
        try: found.append(str(act(path)))
        except OSError: pass
open('own.txt', 'w').write('x')
return [found, os.listdir('.')]"""
TRIED_JS = """const fs = process.getBuiltinModule('fs'), found = [];
for (const path of [{file!r}, {folder!r}, '/tmp'])
  for (const act of [fs.readFileSync, fs.readdirSync, (p) => fs.writeFileSync(p + '/new.txt', 'x')])
    try {{ found.push(String(act(path))); }} catch {{}}
fs.writeFileSync('own.txt', 'x');
return [found, fs.readdirSync('.')]"""
READ = "await tab.evaluate(\"document.body.innerHTML = '<input type=file>'\")\nreturn (await tab.upload_file('input', {path!r}))['sizes']"


async def only_the_scratch_folder(client, work):
    """Code of an MCP client has no folder of the user's; its helpers have the usual ones, without hidden files."""
    (work / "mine.txt").write_text("12345678")
    (work / ".env").write_text("hidden")

    async def said(code, **more):
        return text_of(await client.call_tool("run", {"code": code, **more}))

    paths = {"file": str(work / "mine.txt"), "folder": str(work)}
    only_own = '[\n  [],\n  [\n    "own.txt"\n  ]\n]'
    assert only_own in await said(TRIED.format(**paths))
    if shutil.which("node") is not None:
        assert only_own in await said(TRIED_JS.format(**paths), language="js")
    assert "8" in await said(READ.format(path="mine.txt")), "the control"
    for path in (".env", "/etc/passwd"):
        refused = await client.call_tool("run", {"code": READ.format(path=path)})
        assert code_of(refused) == "script_failed"
        assert "upload_roots" in text_of(refused)
