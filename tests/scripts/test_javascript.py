"""Scripts in JavaScript: the same helpers, the same jail."""

import shutil
import socket
import subprocess
import sys

import pytest

from boathook.errors import ScriptError, ScriptFailed, ScriptStopped, ScriptSyntax
from boathook.service.scripts.nursery import Nursery
from boathook.service.scripts.run import Order, run
from boathook.surfaces.scripts import jail

pytestmark = [
    pytest.mark.skipif(bool(jail.why_not()), reason=jail.why_not() or "no jail here"),
    pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here"),
]

ATTEMPTS = {
    "read a file": "return fs.readFileSync(SECRET, 'utf8')",
    "read it later": "return await fs.promises.readFile(SECRET, 'utf8')",
    "read through a link": "fs.symlinkSync(SECRET, 'link'); return fs.readFileSync('link', 'utf8')",
    "list a folder": "return fs.readdirSync(HOLE + '/..').includes('secret.txt') ? 'canary' : ''",
    "write a file": "fs.writeFileSync(HOLE + '/written', 'x'); return 'canary'",
    "environment of the daemon": "return fs.readFileSync(`/proc/${DAEMON}/environ`, 'utf8')",
    "own memory": "fs.openSync('/proc/self/mem', 'r'); return 'canary'",
    "a program": "return module('child_process').execSync('echo canary').toString()",
    "a process": "module('child_process').spawnSync('/bin/true'); return module('child_process').spawnSync('/bin/echo', ['canary']).stdout.toString()",
    "signal the daemon": "process.kill(DAEMON, 0); return 'canary'",
    "a connection": "await new Promise((yes, no) => module('net').connect(PORT, '127.0.0.1').on('connect', yes).on('error', no)); return 'canary'",
    "a local socket": "await new Promise((yes, no) => module('net').connect(SOCKET).on('connect', yes).on('error', no)); return 'canary'",
    "listen": "await new Promise((yes, no) => module('net').createServer().on('error', no).listen(0, '127.0.0.1', yes)); return 'canary'",
    "a datagram": "await new Promise((yes, no) => module('dgram').createSocket('udp4').on('error', no).send('x', PORT, '127.0.0.1', (e) => e ? no(e) : yes())); return 'canary'",
    "priority": "module('os').setPriority(0, 1); return 'canary'",
}


async def nothing(*_given):
    return None


@pytest.fixture(scope="module")
async def nursery():
    made = Nursery()
    yield made
    made.close()


@pytest.fixture(scope="module")
def ground(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ground")
    (folder / "secret.txt").write_text("canary")
    (folder / "hole").mkdir()
    listening, local = socket.socket(), socket.socket(socket.AF_UNIX)
    listening.bind(("127.0.0.1", 0))
    listening.listen(64)
    local.bind(str(folder / "s"))
    local.listen(64)
    daemon = subprocess.Popen(
        [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, env={"CANARY": "canary"}
    )
    yield {
        "SECRET": str(folder / "secret.txt"), "HOLE": str(folder / "hole"), "PORT": listening.getsockname()[1],
        "SOCKET": str(folder / "s"), "DAEMON": daemon.pid,
    }  # fmt: skip
    listening.close()
    local.close()
    daemon.communicate()


async def got_out(nursery, ground, code, *, jailed):
    facts = "".join(f"const {name} = {value!r};\n" for name, value in ground.items())
    facts += "const module = (name) => process.getBuiltinModule(name);\nconst fs = module('fs');\n"
    order = Order(code=facts + code, tab="t1", seconds=20, jail=jailed, js=True)
    try:
        ran = await run(order, await nursery.child(), nothing)
    except ScriptError:
        return False
    return "canary" in str(ran.value)


@pytest.mark.parametrize("name", ATTEMPTS)
async def test_an_attempt_fails_in_the_jail_and_succeeds_without_it(name, nursery, ground):
    assert not await got_out(nursery, ground, ATTEMPTS[name], jailed=True)
    assert await got_out(nursery, ground, ATTEMPTS[name], jailed=False), (
        "a check that cannot fail shows nothing"
    )


async def answered(nursery, code, **options):
    async def serve(method, given, named):
        return {"method": method, "given": list(given), "named": dict(named)}

    return await run(Order(code=code, tab="t1", seconds=20, js=True, **options), await nursery.child(), serve)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("return 1 + 1", 2),
        ("return await tab.title()", {"method": "title", "given": [], "named": {}}),
        (
            "return await tab.goto('x', { waitUntil: 'load' })",
            {"method": "goto", "given": ["x"], "named": {"waitUntil": "load"}},
        ),
        ("return await tab.id(5).click()", {"method": "click", "given": ["@e5"], "named": {}}),
        (
            "return await tab.evaluate((a) => a + 1, 2)",
            {"method": "evaluate", "given": ["(a) => a + 1", 2], "named": {}},
        ),
        ("return [...new Set([1, 1, 2])]", [1, 2]),
        ("return new Map([['a', 1]])", {"a": 1}),
        ("return await wait(() => 7)", 7),
        (
            "return typeof URL + typeof Buffer + typeof TextEncoder + typeof setTimeout",
            "functionfunctionfunctionfunction",
        ),
        ("return tab.name", "t1"),
    ],
)
async def test_what_scripts_have_in_scope(nursery, code, expected):
    assert (await answered(nursery, code)).value == expected


async def test_what_is_displayed_noted_and_kept(nursery):
    ran = await answered(
        nursery,
        "display('one'); display({ two: 2 }); console.log('a', 1); state.n = (state.n || 0) + 1",
        state={"n": 4},
    )
    assert ran.shown == ["one", {"two": 2}]
    assert ran.log == ["a 1"]
    assert ran.state == {"n": 5}
    assert not ran.gives


@pytest.mark.parametrize(
    ("code", "kind", "said"),
    [
        ("const x = (1\nreturn 2", ScriptSyntax, "line 2"),
        ("throw new Error('no')", ScriptFailed, "Error: no"),
        ("throw { a: 1 }", ScriptFailed, "object"),
        ("assert(1 === 2, 'sums')", ScriptFailed, "sums"),
        ("await tab.clik()", ScriptFailed, "tab has no clik"),
        ("process.exit(3)", ScriptFailed, "ended by itself"),
        (
            "const all = []; for (;;) all.push(new Array(1e6).fill(all.length))",
            ScriptFailed,
            "ended by itself",
        ),
        ("while (true) {}", ScriptStopped, "ended after"),
    ],
)
async def test_what_goes_wrong_is_said(nursery, code, kind, said):
    order = Order(code=code, tab="t1", seconds=20 if kind is not ScriptStopped else 1, js=True)
    with pytest.raises(kind, match=said):
        await run(order, await nursery.child(), nothing)


async def test_an_error_shows_the_scripts_own_lines(nursery):
    with pytest.raises(ScriptFailed) as caught:
        await answered(nursery, "const inner = () => {\n  throw new Error('deep');\n};\ninner();")
    assert caught.value.evidence["where"].startswith("line 2: throw new Error('deep');\nline 4: inner();")
