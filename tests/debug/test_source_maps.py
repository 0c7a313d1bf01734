"""Errors are reported at their source position if there is a source map, otherwise at the position that ran."""

import base64
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

import pytest

from boathook.engine.debug.source_maps import decode_map
from tests.support.engine import engine_of
from tests.support.waiting import until

# What a bundler makes of two lines; the map says that line 1, column 0 and 16 are lines 1 and 3 of src/app.ts.
CODE = "function boom(){throw new Error('out of ink')}setTimeout(boom,0);"
MAP = {"version": 3, "sources": ["src/app.ts"], "names": [], "mappings": "AAAA,gBAEE,8BAGF"}


@pytest.fixture(scope="module")
def scripts():
    inline = base64.b64encode(json.dumps(MAP).encode()).decode()
    files = {
        "/mapped.js": f"{CODE}\n//# sourceMappingURL=mapped.js.map",
        "/mapped.js.map": json.dumps(MAP),
        "/inline.js": f"{CODE}\n//# sourceMappingURL=data:application/json;base64,{inline}",
        "/broken.js": f"{CODE}\n//# sourceMappingURL=broken.js.map",
        "/broken.js.map": "{not json",
        "/missing.js": f"{CODE}\n//# sourceMappingURL=nowhere.js.map",
        "/plain.js": CODE,
    }
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            body = files.get(
                self.path, f"<script src={self.path.removeprefix('/page')}.js></script>"
            ).encode()
            self.send_response(200 if self.path in files or self.path.startswith("/page/") else 404)
            self.send_header("Content-Type", "text/javascript" if ".js" in self.path else "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_args):
            pass

    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    server.asked, server.origin = asked, f"http://127.0.0.1:{server.server_port}"
    yield server
    server.shutdown()
    server.server_close()


async def error_of(tab, url):
    await tab.goto(url)
    await until(lambda: engine_of(tab).console.errors_since(0), named="the error")
    [error] = [error for error in await tab.errors(clear=True) if error.source == "exception"]
    return error


@pytest.mark.parametrize("name", ["mapped", "inline"])
async def test_an_error_is_told_where_somebody_wrote_it(tab, scripts, name):
    error = await error_of(tab, f"{scripts.origin}/page/{name}")
    assert (error.url, error.line) == (f"{scripts.origin}/src/app.ts", 3)
    assert error.stack[0].function == "boom"


@pytest.mark.parametrize("name", ["broken", "missing", "plain"])
async def test_without_a_map_it_is_told_where_it_ran(tab, scripts, name):
    error = await error_of(tab, f"{scripts.origin}/page/{name}")
    assert (error.url, error.line) == (f"{scripts.origin}/{name}.js", 1)


async def test_no_document_is_asked_for_again(tab, site):
    page = site.page("<script>setTimeout(() => { throw new Error('inline') }, 0)</script>")
    await error_of(tab, page)
    assert site.requests.count(urlsplit(page).path) == 1


def test_a_map_is_read_and_what_is_none_is_refused():
    told = decode_map(json.dumps(MAP), "http://x/mapped.js.map")
    assert told.original(0, 0) == ("http://x/src/app.ts", 0, 0)
    assert told.original(0, 30) == ("http://x/src/app.ts", 2, 2)
    assert told.original(5, 0) is None
    for text in ("[]", "{}", '{"mappings": "A*"}'):
        with pytest.raises((ValueError, KeyError)):
            decode_map(text, "http://x/")
