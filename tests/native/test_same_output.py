"""Command lines in both clients, the native and the Python one: the same bytes on both streams, the same exit status."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import pytest

LINES = tomllib.loads((Path(__file__).parent / "lines.toml").read_text(encoding="utf-8"))["line"]
AS_PYTHON = "import sys; del sys.argv[0]; from boathook.surfaces.cli.main import run; run()"
FORM = """<h1>Förm</h1><label>Name <input id=name></label> <label>Secret <input id=secret type=password></label>
<label><input id=news type=checkbox> News</label> <select id=size aria-label=Size><option>small<option>large</select>
<button id=go onclick="out.textContent = 'sent ' + document.querySelector('#name').value">Send</button> <p id=out></p>
<button id=ask onclick="confirm('sure?')">Ask</button>"""
DIFFERS = (
    (rb"(page content (?:begins|ends)) [\w-]{16}", rb"\1 BOUNDARY"),
    (rb"spill-\d+-[0-9a-f]{8}", b"SPILL"),
    (rb"idle for \d+ s", b"idle"),
    (rb"pid \d+", b"pid N"),
    (rb"up \S+( \S+)?;", b"up T;"),
    (rb'"(pid|uptime_seconds)": [\d.]+', b"NUMBER"),
)
pytestmark = pytest.mark.timeout(150)


class Side:
    """One client with its own home, daemon and browser."""

    def __init__(self, name, command, folder):
        self.command = command
        self.home = Path(tempfile.mkdtemp(prefix=f"bh-{name}-", dir="/tmp"))
        self.work = folder
        self.environment = {name: os.environ[name] for name in ("PATH", "DISPLAY") if name in os.environ}
        self.environment |= {"HOME": str(self.home), "LANG": "C.UTF-8"}

    def start(self, argv, variables):
        called_as = variables.pop(b"CALLED_AS", b"boathook")
        return subprocess.Popen(
            [*self.command(called_as.decode()), *argv],
            env={**{os.fsencode(n): os.fsencode(v) for n, v in self.environment.items()}, **variables},
            cwd=self.work,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def answer(self, process, given):
        out, err = process.communicate(given, timeout=60)
        return tuple(self._plain(text) for text in (out, err)), process.returncode

    def _plain(self, text):
        text = text.replace(str(self.home).encode(), b"HOME")
        for pattern, by in DIFFERS:
            text = re.sub(pattern, by, text)
        return text

    def close(self):
        self.answer(self.start([b"daemon", b"stop", b"--force"], {}), b"")
        shutil.rmtree(self.home, ignore_errors=True)


@pytest.fixture
def sides(programs, tmp_path):
    native = Side("nat", lambda called_as: [programs / called_as], tmp_path)
    python = Side("pyt", lambda called_as: [sys.executable, "-P", "-c", AS_PYTHON, called_as], tmp_path)
    yield native, python
    native.close()
    python.close()


def _bytes(text, places):
    """A string of the table: `{site}` and `{form}` are URLs, and lone surrogates stand for bytes that are not UTF-8."""
    for name, value in places.items():
        text = text.replace(f"{{{name}}}", value)
    return text.encode("utf-8", "surrogateescape")


def test_both_clients_print_the_same(sides, site):
    places = {"form": site.page(FORM, title="Förm"), "site": site.origin, "byte": "\udcff"}
    differing, unexpected, statuses = [], [], set()
    for line in LINES:
        argv = [_bytes(word, places) for word in line["argv"]]
        given = _bytes(line.get("stdin", ""), places) * line.get("times", 1)
        variables = {os.fsencode(n): _bytes(v, places) for n, v in line.get("environment", {}).items()}
        running = [side.start(argv, dict(variables)) for side in sides]
        native, python = (side.answer(process, given) for side, process in zip(sides, running, strict=True))
        statuses.add(python[1])
        if native != python:
            differing.append((line, native, python))
        if line.get("shows", "").encode() not in b"".join(python[0]):
            unexpected.append((line, python))
    assert differing == []
    assert unexpected == []
    assert len(LINES) >= 60
    assert {0, 1, 2, 4, 7} <= statuses, "the table has calls that fail in different ways"
