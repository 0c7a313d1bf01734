"""Reading URLs without a browser: Markdown, llms.txt, parts of them; the page itself if there is neither."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from boathook.engine.content.markdown_sources import outline, sections_with
from boathook.engine.hosts.host_policy import HostPolicy
from boathook.engine.network.proxy.fetch_url import fetch
from boathook.errors import BadUrl, ConnectionFailed, PolicyBlocked, TimedOut
from tests.support.program import Program
from tests.support.site import dead_port

GUIDE = """# Guide

Intro.

## Install

Run the installer.

```sh
# not a heading: install
```

## Use

Open it.
"""
PAGES = {
    "/docs/asked": ("text/markdown; charset=utf-8", GUIDE),
    "/docs/beside": (
        "text/html",
        "<!doctype html><title>B</title><main><h1>Beside</h1><p>As a page.</p></main>",
    ),
    "/docs/beside.md": ("text/markdown", "# Beside\n\nAs Markdown."),
    "/docs/deep/page": (
        "text/html",
        "<!doctype html><title>P</title><main><h1>Only a page</h1><p>" + "Words. " * 60 + "</p></main>",
    ),
    "/docs/llms.txt": ("text/plain", "# Desk\n\n- [Guide](/docs/asked): install"),
    "/llms-full.txt": ("text/plain", "everything"),
    "/caf%C3%A9?x=%C3%BC": ("text/markdown", "# Coffee"),
    "/latin": ("text/plain; charset=iso-8859-1", "caf\xe9"),
    "/lying": ("text/plain", "<!DOCTYPE html><p>not a text</p>"),
    "/odd": ("text/markdown; charset=no-such-thing", "# Odd"),
}


class Handler(BaseHTTPRequestHandler):
    server: Any

    def do_GET(self):
        self.server.asked.append((self.path, dict(self.headers)))
        if self.path.startswith("/to?"):
            self.send_response(302)
            self.send_header("Location", self.path.partition("?")[2])
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if self.path == "/slow":
            self.server.release.wait(60)
            return
        kind, text = PAGES.get(self.path, ("text/html", "<h1>Not here</h1>"))
        body = text.encode("iso-8859-1" if "8859" in kind else "utf-8")
        self.send_response(200 if self.path in PAGES else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args):
        pass


@pytest.fixture(scope="module")
def texts():
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.asked, server.release = [], threading.Event()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    server.origin = f"http://127.0.0.1:{server.server_port}"
    yield server
    server.release.set()
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    made = Program(tmp_path_factory.mktemp("reading"))
    yield made
    made.stop()


def test_a_server_that_has_markdown_is_read_without_a_browser(program, texts):
    answer = program("read", f"{texts.origin}/docs/asked")
    assert answer.returncode == 0, answer.stderr
    assert "## Install" in answer.stdout
    assert answer.stdout.count("untrusted") >= 1, "what a server says is marked"
    headers = next(headers for path, headers in reversed(texts.asked) if path == "/docs/asked")
    assert headers["Accept"].startswith("text/markdown")
    assert program.json("read", f"{texts.origin}/docs/beside")["data"]["source"] == "markdown"
    assert program.json("session", "list")["data"] == [], "no browser was started for it"


def test_letters_outside_ascii_are_sent_as_browsers_send_them(program, texts):
    answer = program.ask("read", f"{texts.origin}/caf\u00e9?x=\u00fc")
    assert "# Coffee" in answer.out, answer.err


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (["--outline"], "# Guide\n## Install\n## Use"),
        (
            ["--filter", "INSTALLER"],
            "## Install\n\nRun the installer.\n\n```sh\n# not a heading: install\n```",
        ),
        (["--filter", "installer", "--outline"], "## Install"),
    ],
)
def test_parts_of_a_text_are_read(program, texts, flags, expected):
    assert program.json("read", f"{texts.origin}/docs/asked", *flags)["data"]["text"].strip() == expected


def test_texts_for_models_are_found_on_the_way_up(program, texts):
    index = program.json("read", f"{texts.origin}/docs/deep/page", "--llms", "index")["data"]
    assert (index["source"], index["url"]) == ("llms.txt", f"{texts.origin}/docs/llms.txt")
    full = program.json("read", f"{texts.origin}/docs/deep/page", "--llms", "full")["data"]
    assert full["text"] == "everything"


@pytest.mark.slow
def test_a_server_that_has_none_is_read_as_a_page_and_the_tab_is_closed(program, texts):
    refused = program.json("read", f"{texts.origin}/docs/deep/page", "--require-md")
    assert "no Markdown at" in refused["error"]["message"]
    assert program.json("session", "list")["data"] == [], "nothing was opened for that"
    read = program.json("read", f"{texts.origin}/docs/deep/page")["data"]
    assert read["source"] == "page"
    assert "Only a page" in read["text"]
    tabs = program.json("tab", "list")["data"]
    assert [tab for tab in tabs if "deep" in tab["url"]] == []
    program("close")


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["{}/nothing"], "status 404"),
        (["{}/docs/asked", "--raw", "--require-md"], "mutually exclusive"),
        (["{}/docs/asked", "--filter", "penguins"], "no section"),
        (["{}/nothing/at/all", "--llms", "index", "--timeout", "30"], "no llms.txt found"),
        (["ftp://127.0.0.1/x"], "not allowed"),
        (["http://169.254.169.254/latest/"], "credentials"),
        (["http://\u00a1" + "x" * 70 + "/"], "invalid host"),
        (["{}/docs/asked", "--headers", '{{"X-Odd": "\u2603"}}'], "cannot be sent"),
    ],
)
def test_what_cannot_be_read_says_why(program, texts, argv, said):
    PAGES.pop("/llms.txt", None)
    answer = program("read", *[word.format(texts.origin) for word in argv])
    assert answer.returncode != 0
    assert said in answer.stderr


async def fetched(url, **more):
    options: dict[str, Any] = {
        "host_policy": HostPolicy.of(allowed=None, denied=(), private=None),
        "accept": "*/*",
        "seconds": 30,
    }
    return await fetch(url, **(options | more))


async def test_a_redirect_to_where_nobody_may_go_is_not_followed(texts):
    here = HostPolicy.of(allowed=["127.0.0.1"], denied=(), private=None)
    elsewhere = f"http://localhost:{texts.server_port}/docs/asked"
    with pytest.raises(PolicyBlocked, match="localhost is not allowed"):
        await fetched(f"{texts.origin}/to?{elsewhere}", host_policy=here)
    with pytest.raises(BadUrl, match="cannot be followed"):
        await fetched(f"{texts.origin}/to?file:///etc/passwd")
    assert (await fetched(f"{texts.origin}/to?{elsewhere}")).url == elsewhere, (
        "the control: without limits it is"
    )


async def test_credentials_are_not_handed_on_to_another_host(texts, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "*")  # the environment must not lead requests past our own proxy
    elsewhere = f"http://localhost:{texts.server_port}/docs/asked"
    sent = {"Authorization": "Bearer not-for-others"}
    texts.asked.clear()
    await fetched(f"{texts.origin}/to?{elsewhere}", headers=sent)
    asked = [headers for path, headers in texts.asked if path != "/favicon.ico"]  # a browser's own affair
    assert [headers.get("Authorization") for headers in asked] == [sent["Authorization"], None]


async def test_bodies_are_decoded_as_their_server_says(texts):
    assert (await fetched(f"{texts.origin}/latin")).text == "caf\xe9"
    assert (await fetched(f"{texts.origin}/odd")).text == "# Odd"


async def test_servers_that_are_not_there_or_say_nothing_end_in_typed_errors(texts):
    with pytest.raises(ConnectionFailed, match="could not be fetched"):
        await fetched(f"http://127.0.0.1:{dead_port()}/")
    with pytest.raises(TimedOut, match=r"timed out after 0\.5 s"):
        await fetched(f"{texts.origin}/slow", seconds=0.5)


def test_headings_in_code_are_none():
    assert outline(GUIDE) == "# Guide\n## Install\n## Use"
    assert sections_with(GUIDE, "open it") == "## Use\n\nOpen it."
    assert sections_with(GUIDE, "nowhere") == ""
