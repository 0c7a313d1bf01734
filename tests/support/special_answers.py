"""Special URLs of the test server: passwords, echoes, downloads of every kind."""

from __future__ import annotations

import json
import socket
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable


class SpecialAnswers(BaseHTTPRequestHandler):
    """A part of the server's handler, which defines `reply` and `release`."""

    reply: Callable[..., None]
    release: threading.Event

    def special_auth(self, _query: dict[str, list[str]]) -> None:
        """Only for the user `ann` with the password `secret`."""
        if self.headers.get("Authorization") == "Basic YW5uOnNlY3JldA==":
            self.reply(200, "text/html", b"<!doctype html><title>Inside</title><p>Welcome</p>")
        else:
            self.reply(401, "text/html", b"no entry", WWW_Authenticate='Basic realm="Test"')

    def special_echo(self, _query: dict[str, list[str]]) -> None:
        """A page that shows the headers of its request as JSON."""
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.reply(200, "text/html", f"<!doctype html><pre>{json.dumps(headers)}</pre>".encode())

    def special_json(self, query: dict[str, list[str]]) -> None:
        """A JSON answer with the status that is asked for."""
        self.reply(int(query.get("status", ["200"])[0]), "application/json", b'{"answer": 42}')

    def special_cached(self, _query: dict[str, list[str]]) -> None:
        """A style sheet that may be kept."""
        self.send_response(200)
        self.send_header("Content-Type", "text/css")
        self.send_header("Content-Length", "10")
        self.send_header("Cache-Control", "max-age=600")
        self.end_headers()
        self.wfile.write(b"p{margin:0}"[:10])

    def special_named(self, query: dict[str, list[str]]) -> None:
        """A download whose name the test chooses, percent-encoded as servers do it; `late` seconds after the request."""
        self.release.wait(float(query.get("late", ["0"])[0]))
        name = quote(query["name"][0], safe="", errors="surrogatepass")
        self.reply(
            200,
            "application/octet-stream",
            b"x" * int(query.get("size", ["4"])[0]),
            Content_Disposition=f"attachment; filename*=UTF-8''{name}",
        )

    def special_endless(self, _query: dict[str, list[str]]) -> None:
        """The beginning of a download that never ends."""
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Disposition", 'attachment; filename="endless.bin"')
        self.send_header("Content-Length", "10000000")
        self.end_headers()
        self.wfile.write(b"y" * 100_000)
        self.wfile.flush()
        self.release.wait(120)

    def special_two_parts(self, _query: dict[str, list[str]]) -> None:
        """A page of which the second half comes when the test releases it."""
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Half</title><button>First</button>" + b" " * 2000)
        self.wfile.flush()
        self.release.wait(60)
        self.wfile.write(b"<button>Second</button>")

    def special_broken(self, _query: dict[str, list[str]]) -> None:
        """A download that breaks off."""
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Disposition", 'attachment; filename="broken.bin"')
        self.send_header("Content-Length", "10000000")
        self.end_headers()
        self.wfile.write(b"y" * 100_000)
        self.wfile.flush()
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def special_download(self, _query: dict[str, list[str]]) -> None:
        self.reply(
            200, "application/octet-stream", b"data", Content_Disposition='attachment; filename="x.bin"'
        )
