"""The pages of the tasks on loopback: our own, and demo pages where npm has installed their packages."""

from __future__ import annotations

import json
import mimetypes
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Self

HERE = Path(__file__).parent
MODULES = HERE.parents[1] / ".cache" / "tasks" / "node_modules"
LOCAL_COPIES = {
    b"http://ajax.googleapis.com/ajax/libs/jquery/1.10.2/jquery.min.js": b"/nm/jquery/dist/jquery.min.js",
    b"https://ajax.googleapis.com/ajax/libs/jquery/1.10.2/jquery.min.js": b"/nm/jquery/dist/jquery.min.js",
    b"http://ajax.googleapis.com/ajax/libs/jquery/1.11.1/jquery.min.js": b"/nm/jquery/dist/jquery.min.js",
    b"https://ajax.googleapis.com/ajax/libs/jquery/3.3.1/jquery.min.js": b"/nm/jquery/dist/jquery.min.js",
}
"""Demo pages load jQuery from a host that is not reachable here."""


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        path = self.path.partition("?")[0].lstrip("/")
        root = MODULES if path.startswith("nm/") else HERE / "pages"
        # npm installs what a package requires beside it, where its demo page does not look.
        file = (root / path.removeprefix("nm/").rpartition("/node_modules/")[2]).resolve()
        if not file.is_file() or not file.is_relative_to(root.resolve()):
            self.send_error(404)
            return
        body = file.read_bytes()
        if file.suffix == ".html":
            for foreign, local in LOCAL_COPIES.items():
                body = body.replace(foreign, local)
        self._answer(body, mimetypes.guess_type(file.name)[0] or "application/octet-stream")

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers["Content-Length"] or 0)).decode()
        self.server.posted.append(sent)
        self._answer(json.dumps({"ok": True}).encode(), "application/json")

    def _answer(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args) -> None:
        pass


class Site:
    """A server for the length of a `with` block; `posted` is what pages sent to it."""

    def __enter__(self) -> Self:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.posted = self.posted = []
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_error) -> None:
        self._server.shutdown()
        self._server.server_close()
