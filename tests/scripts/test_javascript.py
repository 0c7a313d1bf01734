"""Scripts in JavaScript: the same helpers, the same jail."""

import shutil
import socket
import subprocess
import sys

import pytest

from boathook.errors import ScriptError, ScriptFailed, ScriptStopped, ScriptSyntax
from boathook.sandbox import jail
from boathook.service.scripts.fork_server import ForkServer
from boathook.service.scripts.script_run import ScriptRequest, run

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


FURTHER = {
    "a descriptor": "const buffer = Buffer.alloc(6); fs.readSync(fs.openSync(SECRET, 'r'), buffer); return buffer.toString()",
    "a vector": "const buffer = Buffer.alloc(6); fs.readvSync(fs.openSync(SECRET, 'r'), [buffer]); return buffer.toString()",
    "a stream": "let all = ''; for await (const part of fs.createReadStream(SECRET)) all += part; return all",
    "a handle": "return await (await fs.promises.open(SECRET)).readFile('utf8')",
    "a blob": "return await (await fs.openAsBlob(SECRET)).text()",
    "a copy": "fs.copyFileSync(SECRET, 'copied'); return fs.readFileSync('copied', 'utf8')",
    "a copy later": "await fs.promises.copyFile(SECRET, 'copied2'); return fs.readFileSync('copied2', 'utf8')",
    "a copied folder": "fs.cpSync(SECRET, 'copied3'); return fs.readFileSync('copied3', 'utf8')",
    "a hard link": "fs.linkSync(SECRET, 'hard'); return fs.readFileSync('hard', 'utf8')",
    "dots": "return fs.readFileSync(HOLE + '/../secret.txt', 'utf8')",
    "an address of a file": "return fs.readFileSync(new URL('file://' + SECRET), 'utf8')",
    "bytes for a path": "return fs.readFileSync(Buffer.from(SECRET), 'utf8')",
    "another folder": "process.chdir(HOLE); return fs.readFileSync('../secret.txt', 'utf8')",
    "users": "return fs.readFileSync('/etc/passwd', 'utf8').includes('root') ? 'canary' : ''",
    "words of the daemon": "return fs.readFileSync(`/proc/${DAEMON}/cmdline`, 'utf8') ? 'canary' : ''",
    "maps of the daemon": "return fs.readFileSync(`/proc/${DAEMON}/maps`, 'utf8') ? 'canary' : ''",
    "files of the daemon": "return fs.readdirSync(`/proc/${DAEMON}/fd`).length ? 'canary' : ''",
    "the root": "return fs.readdirSync('/').length ? 'canary' : ''",
    "settings of the machine": "return fs.readdirSync('/etc').length ? 'canary' : ''",
    "settings one by one": "return fs.opendirSync('/etc').readSync() ? 'canary' : ''",
    "settings later": "return (await fs.promises.readdir('/etc')).length ? 'canary' : ''",
    "a new folder": "fs.mkdirSync(HOLE + '/d1'); return 'canary'",
    "a new folder later": "await fs.promises.mkdir(HOLE + '/d2'); return 'canary'",
    "a folder for now": "fs.mkdtempSync(HOLE + '/t'); return 'canary'",
    "more of a file": "fs.appendFileSync(HOLE + '/a1', 'x'); return 'canary'",
    "more of it later": "await fs.promises.appendFile(HOLE + '/a2', 'x'); return 'canary'",
    "written later": "await fs.promises.writeFile(HOLE + '/w2', 'x'); return 'canary'",
    "a stream out": "await new Promise((yes, no) => fs.createWriteStream(HOLE + '/w3').on('error', no).on('finish', yes).end('x')); return 'canary'",
    "a link left behind": "fs.symlinkSync('x', HOLE + '/l1'); return 'canary'",
    "a file removed": "fs.unlinkSync(HOLE + '/v1'); return 'canary'",
    "a file removed later": "await fs.promises.rm(HOLE + '/v2'); return 'canary'",
    "a file renamed": "fs.renameSync(HOLE + '/v3', HOLE + '/v4'); return 'canary'",
    "a file emptied": "fs.truncateSync(HOLE + '/v5'); return 'canary'",
    "a folder removed": "fs.rmdirSync(HOLE + '/e1'); return 'canary'",
    "a report": "process.report.writeReport(HOLE + '/r.json'); return fs.readFileSync(HOLE + '/r.json', 'utf8') ? 'canary' : ''",
    "a required file": "return module('module').createRequire(SECRET)(COMMON)",
    "a function made of text": "return new Function('return process')().getBuiltinModule('fs').readFileSync(SECRET, 'utf8')",
    "an evaluated text": "return (0, eval)('process').getBuiltinModule('fs').readFileSync(SECRET, 'utf8')",
    "a constructor's constructor": "return [].constructor.constructor('return process')().getBuiltinModule('fs').readFileSync(SECRET, 'utf8')",
    "a context of its own": "return module('vm').runInThisContext('process').getBuiltinModule('fs').readFileSync(SECRET, 'utf8')",
    "a program's output": "return module('child_process').execFileSync('/bin/cat', [SECRET]).toString()",
    "a shell": "return module('child_process').spawnSync('/bin/sh', ['-c', 'echo canary']).stdout.toString()",
    "a program later": "return await new Promise((yes, no) => module('child_process').execFile('/bin/echo', ['canary'], (error, out) => error ? no(error) : yes(out)))",
    "signal the first process": "process.kill(1, 0); return 'canary'",
    "signal the parent": "process.kill(process.ppid, 0); return 'canary'",
    "a socket of its own": "await new Promise((yes, no) => new (module('net').Socket)().on('error', no).connect({ port: PORT, host: '127.0.0.1' }, yes)); return 'canary'",
    "a request": "await new Promise((yes, no) => module('http').request({ port: PORT, host: '127.0.0.1' }).on('error', no).on('socket', (one) => one.on('connect', yes)).end()); return 'canary'",
    "datagrams": "await new Promise((yes, no) => module('dgram').createSocket('udp4').on('error', no).bind(0, '127.0.0.1', yes)); return 'canary'",
    "a debugger": "module('inspector').open(0, '127.0.0.1'); if (!module('inspector').url()) throw new Error('none'); return 'canary'",
}
"""All of them are tried by one script, one after the other."""
TRIALS = """
const outcomes = {};
for (const [name, attempt] of Object.entries(attempts)) {
  try { outcomes[name] = String(await Promise.race([attempt(), new Promise((_, no) => setTimeout(no, 5000))])); }
  catch { outcomes[name] = ''; }
}
return outcomes;
"""


async def nothing(*_given):
    return None


@pytest.fixture(scope="module")
async def fork_server():
    made = ForkServer()
    yield made
    made.close()


@pytest.fixture(scope="module")
def ground(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ground")
    (folder / "secret.txt").write_text("canary")
    (folder / "module.mjs").write_text("export default 'canary'")
    (folder / "common.cjs").write_text("module.exports = 'canary'")
    (folder / "hole" / "e1").mkdir(parents=True)
    for name in ("v1", "v2", "v3", "v5"):
        (folder / "hole" / name).write_text("x")
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
        "SOCKET": str(folder / "s"), "DAEMON": daemon.pid, "MODULE": str(folder / "module.mjs"), "COMMON": str(folder / "common.cjs"),
    }  # fmt: skip
    listening.close()
    local.close()
    daemon.communicate()


def facts_of(ground):
    facts = "".join(f"const {name} = {value!r};\n" for name, value in ground.items())
    return facts + "const module = (name) => process.getBuiltinModule(name);\nconst fs = module('fs');\n"


async def got_out(fork_server, ground, code, *, jailed):
    order = ScriptRequest(code=facts_of(ground) + code, tab="t1", seconds=20, jail=jailed, js=True)
    try:
        ran = await run(order, await fork_server.worker(), nothing)
    except ScriptError:
        return False
    return "canary" in str(ran.value)


@pytest.mark.parametrize("name", ATTEMPTS)
async def test_an_attempt_fails_in_the_jail_and_succeeds_without_it(name, fork_server, ground):
    assert not await got_out(fork_server, ground, ATTEMPTS[name], jailed=True)
    assert await got_out(fork_server, ground, ATTEMPTS[name], jailed=False), (
        "a check that cannot fail shows nothing"
    )


async def test_further_attempts_fail_in_the_jail_and_succeed_without_it(fork_server, ground):
    attempts = "".join(f"{name!r}: async () => {{ {code} }},\n" for name, code in FURTHER.items())
    code = f"{facts_of(ground)}const attempts = {{\n{attempts}}};\n{TRIALS}"
    told = {}
    for jailed in (True, False):
        order = ScriptRequest(code=code, tab="t1", seconds=120, jail=jailed, js=True)
        told[jailed] = (await run(order, await fork_server.worker(), nothing)).value
    assert [name for name, outcome in told[True].items() if "canary" in outcome] == []
    assert [name for name, outcome in told[False].items() if "canary" not in outcome] == [], "the control"
    assert len(told[True]) == len(FURTHER)


def test_there_are_sixty_of_them():
    assert len(ATTEMPTS) + len(FURTHER) >= 60


async def answered(fork_server, code, **options):
    async def serve(_scratch, method, given, named):
        return {"method": method, "given": list(given), "named": dict(named)}

    return await run(
        ScriptRequest(code=code, tab="t1", seconds=20, js=True, **options), await fork_server.worker(), serve
    )


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("return 1 + 1", 2),
        ("return await tab.title()", {"method": "title", "given": [], "named": {}}),
        (
            "return await tab.goto('x', { waitUntil: 'load' })",
            {"method": "goto", "given": ["x"], "named": {"waitUntil": "load"}},
        ),
        ("return await tab.id(5).click()", {"method": "click", "given": [], "named": {"element": "@e5"}}),
        (
            "return await tab.evaluate((a) => a + 1, 2)",
            {"method": "evaluate", "given": ["(a) => a + 1", 2], "named": {}},
        ),
        ("return [...new Set([1, 1, 2])]", [1, 2]),
        ("return new Map([['a', 1]])", {"a": 1}),
        ("return await wait(() => 7)", 7),
        (
            "return [URL, Buffer, TextEncoder, TextDecoder, setTimeout, console.log].map((one) => typeof one).join('')",
            "function" * 6,
        ),
        ("return tab.name", "t1"),
    ],
)
async def test_what_scripts_have_in_scope(fork_server, code, expected):
    assert (await answered(fork_server, code)).value == expected


async def test_what_is_displayed_noted_and_kept(fork_server):
    ran = await answered(
        fork_server,
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
        ("process.exit(3)", ScriptFailed, "process exited"),
        (
            "const all = []; for (;;) all.push(new Array(1e6).fill(all.length))",
            ScriptFailed,
            "process exited",
        ),
        ("while (true) {}", ScriptStopped, "stopped after"),
    ],
)
async def test_what_goes_wrong_is_said(fork_server, code, kind, said):
    order = ScriptRequest(code=code, tab="t1", seconds=20 if kind is not ScriptStopped else 1, js=True)
    with pytest.raises(kind, match=said):
        await run(order, await fork_server.worker(), nothing)


async def test_an_error_shows_the_scripts_own_lines(fork_server):
    with pytest.raises(ScriptFailed) as caught:
        await answered(fork_server, "const inner = () => {\n  throw new Error('deep');\n};\ninner();")
    assert str(caught.value.evidence["where"]).startswith(
        "line 2: throw new Error('deep');\nline 4: inner();"
    )
