"""A loopback server for tests: files from tests/pages, pages given as text, and every kind of bad behaviour."""

from __future__ import annotations

import contextlib
import mimetypes
import secrets
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from tests.support.special_answers import SpecialAnswers

PAGES = Path(__file__).parent.parent / "pages"
ICON = "<link rel=icon href=data:,>"
"""Without one the browser asks the server for it, at the first page of a site only: one request more in some test."""


class Site:
    """The server, on 127.0.0.1; the name `localhost` is a second site for frames of another origin."""

    def __init__(self) -> None:
        self._given: dict[str, tuple[str, bytes]] = {}
        self.requests: list[str] = []
        self.release = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_for(self))
        self._server.daemon_threads = True
        self.port = self._server.server_port
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )
        self._thread.start()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def other_origin(self) -> str:
        return f"http://localhost:{self.port}"

    def url(self, path: str) -> str:
        return f"{self.origin}/{path.lstrip('/')}"

    def page(self, body: str, *, title: str = "Test page", head: str = "") -> str:
        """Serve a body and return its URL."""
        name = f"given/{len(self._given)}"
        html = f"<!doctype html><html lang=en><head><meta charset=utf-8><title>{title}</title>{ICON}{head}</head><body>{body}</body></html>"
        self._given[name] = ("text/html; charset=utf-8", html.encode())
        return self.url(name)

    def answer(self, path: str) -> tuple[int, str, bytes]:
        if path in self._given:
            kind, body = self._given[path]
            return 200, kind, body
        file = (PAGES / path).resolve()
        if file.is_file() and PAGES in file.parents:
            return 200, mimetypes.guess_type(file.name)[0] or "application/octet-stream", file.read_bytes()
        return 404, "text/plain", b"not here"

    def close(self) -> None:
        self.release.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler_for(site: Site) -> type[BaseHTTPRequestHandler]:
    class Handler(SpecialAnswers, BaseHTTPRequestHandler):
        release = site.release
        protocol_version = "HTTP/1.1"

        def log_message(self, *_args) -> None:
            pass

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            if parts.path != "/favicon.ico":  # the browser asks for it now and then, whatever the page does
                site.requests.append(self.path)
            special = getattr(self, "special_" + parts.path.strip("/").split("/")[0].replace("-", "_"), None)
            with contextlib.suppress(ConnectionError):
                if special is not None:
                    special(parse_qs(parts.query))
                    return
                status, kind, body = site.answer(parts.path.strip("/"))
                self.reply(status, kind, body)

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.do_GET()

        def reply(self, status: int, kind: str, body: bytes, **headers: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(body)

        def special_redirect(self, query: dict[str, list[str]]) -> None:
            self.reply(302, "text/plain", b"", Location=query["to"][0])

        def special_never(self, _query: dict[str, list[str]]) -> None:
            """Accept the request and say nothing until the test is over."""
            site.release.wait(120)

        def special_half(self, _query: dict[str, list[str]]) -> None:
            """Send the beginning of a page and never the rest."""
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", "100000")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>Half</title><h1>Half a page</h1>" + b" " * 4096)
            self.wfile.flush()
            site.release.wait(120)

        def special_nothing(self, _query: dict[str, list[str]]) -> None:
            self.send_response(204)
            self.end_headers()

        def special_empty(self, _query: dict[str, list[str]]) -> None:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)

    return Handler


def dead_port() -> int:
    """A loopback port without a listener, which no other connection gets in the meantime.

    Systems hand out ports above these by themselves; chance is not that of tests, which workers have in common.
    """
    while True:
        port = 20_000 + secrets.randbelow(12_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
