"""Real pages and ordinary calls raise no diagnostic."""

import importlib.util
import json
import threading
import tomllib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.support.thorough import sample

pytestmark = pytest.mark.shared_daemon
ROOT = Path(__file__).parents[2]
BENIGN = tomllib.loads(Path(__file__).with_name("benign.toml").read_text())
COUNTS = {"network-requests"}
"""Findings that only count."""


def load_real_pages():
    spec = importlib.util.spec_from_file_location("real_pages", ROOT / "benchmarks" / "real_pages.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def real_site():
    """The pages of the archive as they are: without scripts, frames and other hosts."""
    pages = load_real_pages()
    folder = pages.folder()
    if folder is None:
        pytest.skip("the archive of real pages is not here")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            body = pages.source(self.path.strip("/"))
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Security-Policy", pages.POLICY)
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_args):
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}", sorted(page.name for page in folder.iterdir())
    server.shutdown()
    server.server_close()


def findings_of(told):
    return [finding for finding in told.get("diagnostics", ()) if finding["kind"] not in COUNTS]


def run(program, argv):
    return json.loads(program.ask("--json", *argv).out)


def test_real_pages_raise_no_diagnostic(program, real_site):
    address, names = real_site
    alarms = []
    for name in sample(names, 12):
        for argv in (["open", f"{address}/{name}"], ["snapshot"], ["read"]):
            told = run(program, argv)
            assert told["ok"], (name, argv, told)
            alarms += [(name, argv, finding) for finding in findings_of(told)]
    assert not alarms


def test_ordinary_calls_raise_no_diagnostic_and_no_failure(program, site):
    calls = [(page["html"], argv) for page in BENIGN["page"] for argv in page["calls"]]
    assert len(calls) >= 170
    opened, alarms = "", []
    for html, argv in sample(calls, 30):
        if html != opened:
            run(program, ["open", site.page(html)])
            opened = html
        told = run(program, argv)
        assert told["ok"], (argv, told)
        alarms += [(html, argv, finding) for finding in findings_of(told)]
    assert not alarms
