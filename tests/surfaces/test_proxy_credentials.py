"""A proxy that asks for a user and a password: both are in its URL, reach the proxy, and are never shown."""

import base64
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest

from tests.support.program import Program

pytestmark = pytest.mark.slow
USER, PASSWORD = "ada@home", "s3cret:word/7"
WRITTEN = "ada%40home:s3cret%3Aword%2F7"
WANTED = "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()


class AskingProxy(BaseHTTPRequestHandler):
    seen: ClassVar[list]

    def do_GET(self):
        given = self.headers["Proxy-Authorization"]
        self.seen.append((self.path, given))
        self.send_response(200 if given == WANTED else 407)
        if given != WANTED:
            self.send_header("Proxy-Authenticate", 'Basic realm="x"')
        self.end_headers()
        self.wfile.write(b"<title>By proxy</title>" if given == WANTED else b"")

    def log_message(self, *_):
        pass


@pytest.fixture
def proxy():
    class Handler(AskingProxy):
        seen: ClassVar[list] = []

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port, Handler.seen
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    made = Program(tmp_path_factory.mktemp("proxied"))
    yield made
    made.stop()


def test_the_credentials_reach_the_proxy_and_are_never_shown(program, proxy, site):
    port, seen = proxy
    given = ("--proxy", f"http://{WRITTEN}@127.0.0.1:{port}")
    opened = program(*given, "open", "http://shop.test/page")
    assert "By proxy" in opened.stdout, opened.stderr
    assert ("http://shop.test/page", WANTED) in seen
    direct = program("open", site.page("<p>x</p>", title="Local"))
    assert "Local" in direct.stdout, "loopback is reached without it"
    assert not [path for path, _ in seen if "127.0.0.1" in path]
    other = program("--proxy", f"http://{WRITTEN}@127.0.0.1:1", "get", "url")
    assert "[other_launch]" in other.stderr
    shown = "".join(
        program(*line).stdout + program(*line).stderr
        for line in (
            ["history"],
            ["session", "list"],
            ["--json", "session", "list"],
            ["logs"],
            ["doctor", "policy"],
        )
    )
    for text in (opened.stdout, opened.stderr, other.stderr, shown):
        assert PASSWORD not in text
        assert WRITTEN not in text


def test_wrong_credentials_are_an_error_of_the_load(program, proxy):
    port, seen = proxy
    done = program(
        "--session", "wrong", "--proxy", f"http://eve:x@127.0.0.1:{port}", "open", "http://shop.test/"
    )
    assert done.returncode != 0 or "407" in done.stdout
    assert "By proxy" not in done.stdout
    assert seen, "the control: it was asked"


def test_credentials_for_other_kinds_of_proxies_are_refused(program):
    done = program(
        "--session", "socks", "--proxy", f"socks5://{WRITTEN}@127.0.0.1:1", "open", "http://shop.test/"
    )
    assert "cannot be combined with limits on hosts or credentials" in done.stderr
    assert WRITTEN not in done.stderr
