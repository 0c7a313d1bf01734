"""Attempts to get out of the jail: none succeeds inside, and each one does where there is no jail."""

import asyncio
import ctypes
import os
import socket
import struct
import subprocess
import sys
from pathlib import Path
from textwrap import indent

import pytest

from boathook.errors import ScriptError, Unsupported
from boathook.sandbox import jail, syscalls
from boathook.service.scripts.fork_server import ForkServer
from boathook.service.scripts.script_run import ScriptRequest, run

pytestmark = pytest.mark.skipif(bool(jail.why_not()), reason=jail.why_not() or "no jail here")

ATTEMPTS = {
    # files of the user's
    "read a file": "return open(SECRET).read()",
    "read by a descriptor": "import os\nreturn os.read(os.open(SECRET, os.O_RDONLY), 99).decode()",
    "read through pathlib": "import pathlib\nreturn pathlib.Path(SECRET).read_text()",
    "read through io": "import io\nreturn io.FileIO(SECRET).read().decode()",
    "read through a loader": "import importlib.machinery as m\nreturn m.SourceFileLoader('x', SECRET).get_data(SECRET).decode()",
    "read through linecache": "import linecache\nreturn ''.join(linecache.getlines(SECRET))",
    "read through tokenize": "import tokenize\nreturn tokenize.open(SECRET).read()",
    "read through fileinput": "import fileinput\nreturn ''.join(fileinput.input(SECRET))",
    "read through codecs": "import codecs\nreturn codecs.open(SECRET).read()",
    "read through a link": "import os\nos.symlink(SECRET, 'link')\nreturn open('link').read()",
    "read through a hard link": "import os\nos.link(SECRET, 'hard')\nreturn open('hard').read()",
    "read through dots": "import os\nreturn open(os.path.join('/usr/lib/..', '..', SECRET.lstrip('/'))).read()",
    "read by the C library": "import ctypes\nc = ctypes.CDLL(None)\nfd = c.open(SECRET.encode(), 0)\nb = ctypes.create_string_buffer(99)\nc.read(fd, b, 99)\nreturn b.value.decode()",
    "read by a raw call": "import ctypes\nc = ctypes.CDLL(None)\nfd = c.syscall(257, -100, SECRET.encode(), 0)\nb = ctypes.create_string_buffer(99)\nc.read(fd, b, 99)\nreturn b.value.decode()",
    "map a file": "import mmap\nf = open(SECRET)\nreturn mmap.mmap(f.fileno(), 0, prot=1).read().decode()",
    "copy a file": "import shutil\nshutil.copyfile(SECRET, 'copy')\nreturn open('copy').read()",
    "open as a database": "import sqlite3\nreturn str(sqlite3.connect(f'file:{SECRET}?mode=ro', uri=True).execute('select 1').fetchall()) + open(SECRET).read()",
    "run it as code": "import runpy\nreturn runpy.run_path(MODULE)['SECRET_VALUE']",
    "import it": "import sys, os\nsys.path.insert(0, os.path.dirname(MODULE))\nimport canary_module\nreturn canary_module.SECRET_VALUE",
    "list a folder": "import os\nreturn 'canary' if 'secret.txt' in os.listdir(os.path.dirname(SECRET)) else ''",
    "scan a folder": "import os\nreturn 'canary' if any(e.name == 'secret.txt' for e in os.scandir(os.path.dirname(SECRET))) else ''",
    "glob": "import glob, os\nreturn 'canary' if glob.glob(os.path.dirname(SECRET) + '/*.txt') else ''",
    "walk from the root": "import os\nreturn 'canary' if next(os.walk('/etc'))[2] else ''",
    "write a file": "open(HOLE + '/written', 'w').write('x')\nreturn 'canary'",
    "append to a file": "open(SECRET, 'a').write('x')\nreturn 'canary'",
    "make a folder": "import os\nos.mkdir(HOLE + '/folder')\nreturn 'canary'",
    "remove a file": "import os\nos.remove(VICTIM)\nreturn 'canary'",
    "rename a file": "import os\nos.rename(VICTIM, VICTIM + '.moved')\nreturn 'canary'",
    "truncate a file": "import os\nos.truncate(VICTIM, 0)\nreturn 'canary'",
    "change its mode": "import os\nos.chmod(VICTIM, 0o777)\nreturn 'canary'",
    "change its times": "import os\nos.utime(VICTIM)\nreturn 'canary'",
    "a pipe in a folder": "import os\nos.mkfifo(HOLE + '/pipe')\nreturn 'canary'",
    "a temporary file elsewhere": "import tempfile\ntempfile.NamedTemporaryFile(dir=HOLE)\nreturn 'canary'",
    # the process's own and others'
    "environment of the daemon": "return open(f'/proc/{DAEMON}/environ').read()",
    "own environment file": "return open('/proc/self/environ').read() or 'canary'",
    "own memory file": "open('/proc/self/mem', 'rb')\nreturn 'canary'",
    "own maps": "return 'canary' if open('/proc/self/maps').read() else ''",
    "command line of the daemon": "return 'canary' if open(f'/proc/{DAEMON}/cmdline').read() else ''",
    "descriptors of the daemon": "import os\nreturn 'canary' if os.listdir(f'/proc/{DAEMON}/fd') else ''",
    "folder of the daemon": "import os\nreturn 'canary' if os.listdir(f'/proc/{DAEMON}/cwd') is not None else ''",
    "signal the daemon": "import os\nos.kill(DAEMON, 0)\nreturn 'canary'",
    "signal its parent": "import os\nos.kill(os.getppid(), 0)\nreturn 'canary'",
    "signal a group": "import os\nos.killpg(os.getpgid(DAEMON), 0)\nreturn 'canary'",
    "a handle of the daemon": "import os\nos.pidfd_open(DAEMON)\nreturn 'canary'",
    "read the daemon's memory": "import ctypes\nc = ctypes.CDLL(None, use_errno=True)\nreturn 'canary' if c.syscall(310, DAEMON, None, 0, None, 0, 0) == 0 else ''",
    "its priority": "import os\nos.setpriority(os.PRIO_PROCESS, os.getpid(), 1)\nreturn 'canary'",
    "limits of the daemon": "import resource\nresource.prlimit(DAEMON, resource.RLIMIT_CORE)\nreturn 'canary'",
    # the network
    "a TCP connection": "import socket\ns = socket.create_connection(('127.0.0.1', PORT))\nreturn 'canary'",
    "asyncio's connection": "import asyncio\nawait asyncio.open_connection('127.0.0.1', PORT)\nreturn 'canary'",
    "a datagram": "import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', PORT))\nreturn 'canary'",
    "a socket of the machine": "import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect(SOCKET)\nreturn 'canary'",
    "a pair of sockets": "import socket\nsocket.socketpair()\nreturn 'canary'",
    "listen": "import socket\ns = socket.socket()\ns.bind(('127.0.0.1', 0))\ns.listen()\nreturn 'canary'",
    "look a name up": "import socket\nsocket.getaddrinfo('localhost', 80)\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\nreturn 'canary'",
    "HTTP": "import http.client\nc = http.client.HTTPConnection('127.0.0.1', PORT, timeout=3)\nc.connect()\nreturn 'canary'",
    # other programs
    "a program": "import subprocess\nreturn subprocess.run(['/bin/echo', 'canary'], capture_output=True, text=True).stdout",
    "a shell": "import os\nreturn os.popen('echo canary').read()",
    "the system function": "import os\nreturn 'canary' if os.system('true') == 0 else ''",
    "spawn": "import os\npid = os.posix_spawn('/bin/true', ['true'], {})\nos.waitpid(pid, 0)\nreturn 'canary'",
    "fork": "import os\npid = os.fork()\nif pid == 0:\n    os._exit(0)\nreturn 'canary'",
    "asyncio's process": "import asyncio\np = await asyncio.create_subprocess_exec('/bin/true')\nawait p.wait()\nreturn 'canary'",
    "multiprocessing": "import multiprocessing as m\nq = m.get_context('fork').Process(target=print)\nq.start()\nq.join()\nreturn 'canary'",
    # tricks
    "an exception's frames": "import sys\ntry:\n    1/0\nexcept ZeroDivisionError as e:\n    f = e.__traceback__.tb_frame\n    while f.f_back:\n        f = f.f_back\n    f.f_builtins['open'](SECRET)\n    return 'canary'",
    "all objects": "import gc\nfor o in gc.get_objects():\n    if type(o).__name__ == 'Channel':\n        pass\nreturn open(SECRET).read()",
    "subclasses": "for c in object.__subclasses__():\n    if c.__name__ == '_wrap_close':\n        return c.__init__.__globals__['popen']('echo canary').read()\nreturn ''",
    "reopen a descriptor": "import os\nreturn os.fdopen(os.open('/proc/self/fd/0', os.O_RDONLY)).read() + 'canary'",
    "leave the jail's filter": "import ctypes\nc = ctypes.CDLL(None)\nc.prctl(22, 0, 0, 0, 0)\nreturn open(SECRET).read()",
    "more memory": "x = bytes(2 << 30)\nreturn 'canary' if len(x) else ''",
    "a larger limit": "import resource\nresource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))\nx = bytes(2 << 30)\nreturn 'canary'",
}


@pytest.fixture(scope="module")
def queue():
    """The id of a queue with mode 600 that contains a message."""
    libc = ctypes.CDLL(None)
    made = libc.msgget(0, 0o600)
    assert libc.msgsnd(made, struct.pack("l", 1) + b"canary", 6, 0) == 0
    yield made
    libc.msgctl(made, 0, None)


@pytest.fixture(scope="module")
def ground(tmp_path_factory, queue):
    """What is worth getting at."""
    folder = tmp_path_factory.mktemp("ground")
    secret, module = folder / "secret.txt", folder / "canary_module.py"
    secret.write_text("canary")
    module.write_text("SECRET_VALUE = 'canary'\n")
    hole = folder / "hole"
    hole.mkdir()
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(64)
    local = socket.socket(socket.AF_UNIX)
    address = str(folder / "s")
    local.bind(address)
    local.listen(64)
    daemon = subprocess.Popen(
        [sys.executable, "-c", "input()"],
        stdin=subprocess.PIPE,
        env={"CANARY": "canary"},
        start_new_session=True,
    )
    yield {
        "SECRET": str(secret), "MODULE": str(module), "HOLE": str(hole), "VICTIM": str(folder / "victim"),
        "PORT": listening.getsockname()[1], "SOCKET": address, "DAEMON": daemon.pid, "QUEUE": queue,
    }  # fmt: skip
    listening.close()
    local.close()
    daemon.communicate()


@pytest.fixture(scope="module")
async def fork_server():
    made = ForkServer()
    yield made
    made.close()


async def attempt(fork_server, ground, code, *, jailed, safe=False):
    """Whether it got at something."""
    Path(ground["VICTIM"]).write_text("x")  # noqa: ASYNC240 - nothing else runs meanwhile
    for name in ("written", "folder", "pipe"):
        left = Path(ground["HOLE"]) / name
        if left.is_dir():
            left.rmdir()
        else:
            left.unlink(missing_ok=True)
    facts = "".join(f"{name} = {value!r}\n" for name, value in ground.items())
    # The interpreter of the engine safe has no tempfile, and no attempt shall fail for that.
    known = "" if safe else "import os, tempfile\n"
    order = ScriptRequest(code=known + facts + code, tab="t1", seconds=20, jail=jailed, safe=safe)

    async def nothing(*_given):
        return None

    try:
        ran = await run(order, await fork_server.worker(), nothing)
    except ScriptError:
        return False
    return "canary" in str(ran.value)


@pytest.mark.parametrize("name", ATTEMPTS)
async def test_an_attempt_fails_in_the_jail_and_succeeds_without_it(name, fork_server, ground):
    code = ATTEMPTS[name]
    assert not await attempt(fork_server, ground, code, jailed=True)
    assert not await attempt(fork_server, ground, code, jailed=True, safe=True)
    assert await attempt(fork_server, ground, code, jailed=False), "a check that cannot fail shows nothing"


GAPS = {
    "own the events of a pipe": "fcntl.fcntl(os.pipe()[0], fcntl.F_SETOWN, DAEMON)\nreturn 'canary'",
    "own them by thread": "fcntl.fcntl(os.pipe()[0], 15, struct.pack('ii', 1, DAEMON))\nreturn 'canary'",
    "choose a signal for them": "fcntl.fcntl(os.pipe()[0], 10, 9)\nreturn 'canary'",
    "own the events of a socket": "fcntl.ioctl(tab._calls._channel.number, 0x8901, struct.pack('i', DAEMON))\nreturn 'canary'",
    "own them as a group": "fcntl.ioctl(tab._calls._channel.number, 0x8902, struct.pack('i', DAEMON))\nreturn 'canary'",
    "changes in a folder": "os.mkdir('c')\nfcntl.fcntl(os.open('c', os.O_RDONLY), 1026, 4)\nreturn 'canary'",
    "a lease": "fcntl.fcntl(os.open('leased', os.O_RDONLY | os.O_CREAT), 1024, fcntl.F_RDLCK)\nreturn 'canary'",
    "events of files": "return 'canary' if LIBC.inotify_init() >= 0 else ''",
    "events of files, newer": "return 'canary' if LIBC.inotify_init1(0) >= 0 else ''",
    "flags of a file": "fcntl.ioctl(open('own', 'w'), 0x80086601, bytes(8))\nreturn 'canary'",
    "a lock": "fcntl.flock(open(os.__file__), fcntl.LOCK_EX | fcntl.LOCK_NB)\nreturn 'canary'",
    "a file in memory": "os.memfd_create('x')\nreturn 'canary'",
    "attributes of a file": "os.listxattr(SECRET)\nreturn 'canary'",
    "outlive the daemon": "return 'canary' if LIBC.prctl(1, 0, 0, 0, 0) == 0 else ''",
    "move between folders": "os.mkdir('a')\nopen('a/b', 'w').close()\nos.rename('a/b', HOLE + '/written')\nreturn 'canary'",
    # it is put back for the next attempt
    "read a message of others": "b = ctypes.create_string_buffer(99)\nLIBC.msgrcv(QUEUE, b, 91, 1, 0o4000)\nLIBC.msgsnd(QUEUE, b, 6, 0o4000)\nreturn b.raw[8:].decode()",
    "send them a message": "return 'canary' if LIBC.msgsnd(QUEUE, struct.pack('l', 2), 0, 0o4000) == 0 else ''",
    "facts about their messages": "return 'canary' if LIBC.msgctl(QUEUE, 2, ctypes.create_string_buffer(512)) == 0 else ''",
    # no mode is set: it would only be read
    "adjust the clock": "return 'canary' if LIBC.clock_adjtime(0, ctypes.create_string_buffer(512)) >= 0 else ''",
    "a named socket": "s = socket.socket(socket.AF_UNIX)\ns.bind('\\0boathook-canary')\nreturn 'canary'",
}
"""What Landlock does not cover, or covers only in later versions."""
TRIAL = """
    try:
        outcomes[{name!r}] = str(await attempt())
    except BaseException:
        outcomes[{name!r}] = ''
"""


def all_at_once(attempts):
    """A script that tries them one after the other, and returns their outcomes."""
    known = "import ctypes, fcntl, os, socket, struct, tempfile\nLIBC, outcomes = ctypes.CDLL(None), {}\n"
    trials = (
        f"if True:\n    async def attempt():\n{indent(code, ' ' * 8)}\n{TRIAL.format(name=name)}"
        for name, code in attempts.items()
    )
    return known + "".join(trials) + "return outcomes"


async def outcomes_of(fork_server, ground, attempts, **options):
    """Which of them got at something."""
    Path(ground["VICTIM"]).write_text("x")  # noqa: ASYNC240 - nothing else runs meanwhile
    facts = "".join(f"{name} = {value!r}\n" for name, value in ground.items())
    order = ScriptRequest(code=facts + all_at_once(attempts), tab="t1", seconds=60, **options)

    async def nothing(*_given):
        return None

    told = (await run(order, await fork_server.worker(), nothing)).value
    assert set(told) == set(attempts)
    return {name for name, outcome in told.items() if "canary" in outcome}


@pytest.mark.parametrize("version", range(jail.LEAST_LANDLOCK, jail.landlock_version() + 1))
async def test_attempts_fail_with_every_version_of_landlock(version, fork_server, ground):
    assert await outcomes_of(fork_server, ground, ATTEMPTS | GAPS, landlock=version) == set()


async def test_gaps_of_landlock_are_open_without_a_jail(fork_server, ground):
    assert await outcomes_of(fork_server, ground, GAPS, jail=False) == set(GAPS)


async def test_an_older_landlock_is_refused(fork_server, ground):
    for version in range(jail.LEAST_LANDLOCK):
        with pytest.raises(Unsupported, match=f"this kernel has {version}"):
            await outcomes_of(fork_server, ground, GAPS, landlock=version)


@pytest.mark.parametrize("machine", syscalls.AUDIT_ARCHITECTURES)
def test_the_rules_for_system_calls_fit_every_architecture(machine):
    code = jail.filter_code(machine, own_pid=7)
    assert len(code) % 8 == 0
    assert len(code) // 8 < 4096, "the kernel takes no more lines"


@pytest.mark.parametrize("machine", syscalls.AUDIT_ARCHITECTURES)
def test_every_number_is_that_of_one_system_call(machine):
    numbers = [syscalls.number(name, machine) for name in syscalls.DENIED]
    known = [number for number in numbers if number is not None]
    assert len(known) == len(set(known))


def test_there_are_sixty_of_them():
    assert len(ATTEMPTS) >= 60


SAFE_ATTEMPTS = {
    "read a file": "return open(SECRET).read()",
    "read through pathlib": "import pathlib\nreturn pathlib.Path(SECRET).read_text()",
    "list a folder": "import os\nreturn 'canary' if os.listdir('/') else ''",
    "the environment": "import os\nreturn 'canary' if os.environ.get('PATH') or os.getenv('HOME') else ''",
    "attributes of types": "return 'canary' if ().__class__.__bases__[0].__subclasses__() else ''",
    "globals of a function": "return 'canary' if tab.click.__globals__ else ''",
    "a module by another name": "return __import__('subprocess').check_output(['echo', 'canary']).decode()",
    "evaluated text": "return eval('open(SECRET).read()')",
}
"""What the interpreter knows well enough to try; that it runs code at all is shown by the control."""


@pytest.mark.parametrize("name", SAFE_ATTEMPTS)
async def test_an_attempt_in_words_that_the_safe_engine_knows_fails_with_and_without_a_jail(
    name, fork_server, ground
):
    for jailed in (True, False):
        assert not await attempt(fork_server, ground, SAFE_ATTEMPTS[name], jailed=jailed, safe=True)


async def test_the_safe_engine_gives_back_what_a_script_may_have(fork_server, ground):
    assert await attempt(fork_server, ground, "return 'can' + 'ary'", jailed=True, safe=True)


async def test_nothing_of_the_daemons_environment_comes_along(fork_server, ground, monkeypatch):
    monkeypatch.setenv("BOATHOOK_CANARY", "canary")
    code = "import os\nreturn dict(os.environ)"
    order = ScriptRequest(code=code, tab="t1", seconds=20, jail=False)

    async def nothing(*_given):
        return None

    ran = await run(order, await fork_server.worker(), nothing)
    assert "canary" not in str(ran.value)
    assert os.environ["BOATHOOK_CANARY"] == "canary"


async def test_one_that_spins_is_ended_and_others_go_on(fork_server):
    async def nothing(*_given):
        return None

    codes = (
        "while True: pass",
        "import time\ntime.sleep(99)",
        "try:\n    while True: pass\nexcept BaseException:\n    pass",
    )
    spinning = [
        run(ScriptRequest(code=code, tab="t1", seconds=1), await fork_server.worker(), nothing)
        for code in codes
    ]
    for code, end in zip(codes, await asyncio.gather(*spinning, return_exceptions=True), strict=True):
        assert isinstance(end, ScriptError), code
        assert "stopped after 1 s" in str(end), code
    ran = await run(ScriptRequest(code="return 7", tab="t1", seconds=20), await fork_server.worker(), nothing)
    assert ran.value == 7
