"""Two sites with logins on one loopback server: what a browser sends to each of them, and a mark in everything that they answer."""

import secrets
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

ALLOWED, DENIED = "127.0.0.1", "localhost"
"""Both are secure contexts, so that they have caches and service workers."""
HEAD = "<!doctype html><meta charset=utf-8><link rel=icon href=data:,>"
WORKER = """
self.addEventListener('install', () => skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(clients.claim()));
self.addEventListener('fetch', (event) => {
  if (new URL(event.request.url).pathname.startsWith('/worker-page'))
    event.respondWith(new Response('<title>of the worker</title>%s', { headers: { 'content-type': 'text/html' } }));
});
"""


class TwoSites:
    """`marks` has a secret for each host: in its cookie, its pages, its storage and its paths."""

    def __init__(self):
        self.marks = {ALLOWED: f"open-{secrets.token_hex(6)}", DENIED: f"shut-{secrets.token_hex(6)}"}
        self.requests = []  # (host, path, cookie)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.port = self._server.server_port
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        ).start()

    def url(self, path, host=ALLOWED):
        return f"http://{host}:{self.port}{path}"

    def denied(self, path="/"):
        return self.url(f"/{self.marks[DENIED]}{path}", DENIED)

    def sent_to(self, host):
        return [request for request in list(self.requests) if request[0] == host]

    def mark_of(self, host):
        return self.marks.get(host) or self.marks.setdefault(host, f"{host}-{secrets.token_hex(6)}")

    def close(self):
        self._server.shutdown()
        self._server.server_close()


def _handler(site):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_args):
            pass

        def do_GET(self):
            host = self.headers["Host"].partition(":")[0]
            parts = urlsplit(self.path)
            site.requests.append((host, self.path, self.headers.get("Cookie", "")))
            query, mark = parse_qs(parts.query), site.mark_of(host)
            if parts.path.endswith("/redirect"):
                self.reply(302, "text/plain", "", location=query["to"][0])
            elif parts.path.endswith("/login"):
                cookie = f"sid={mark}; Path=/; HttpOnly"
                self.reply(200, "text/html", f"{HEAD}<title>{mark}</title>{mark}", **{"set-cookie": cookie})
            elif parts.path.endswith("worker.js"):
                self.reply(200, "text/javascript", WORKER % mark)
            elif parts.path.endswith("/file"):
                self.reply(
                    200,
                    "application/octet-stream",
                    mark,
                    **{"content-disposition": f'attachment; filename="{mark}.bin"'},
                )
            else:
                body = query.get("body", [""])[0]
                self.reply(200, "text/html", f"{HEAD}<title>{mark}</title><p>{mark}</p>{body}")

        def do_POST(self):
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.do_GET()

        def reply(self, status, kind, text, **headers):
            with suppress(ConnectionError):
                self.send_response(status)
                for name, value in {
                    "content-type": kind,
                    "content-length": str(len(text)),
                    "cache-control": "no-store",
                    **headers,
                }.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text.encode())

    return Handler
