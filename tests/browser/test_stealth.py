"""Stealth `basic`: pages find the browser that a person would start, and the same one in every place they look.

The detectors come from npm by name; the page tells their verdict by its own POST, since asking for it is a trace itself.
"""

import asyncio
import json
import os
import signal
import subprocess
import tempfile
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import boathook
from boathook.engine.launch.find_chrome import find_browser
from tests.support.chromium import foreign_chromium, port_of
from tests.support.npm import npm_packages
from tests.support.waiting import until

PACKAGES = ("@fingerprintjs/botd@2.0.0", "fpscanner@1.0.2")
SCRIPTS = {
    "/botd.js": "@fingerprintjs/botd/dist/botd.esm.js",
    "/fpscanner.js": "fpscanner/dist/fpScanner.es.js",
}
CACHE = Path(__file__).resolve().parents[2] / ".cache" / "detectors"
PATIENCE = 60
ELSEWHERE = "--host-resolver-rules=MAP shop.example 127.0.0.1"
"""On loopback the console is listened to from the beginning, which a page can notice; elsewhere it is not."""

DETECTORS = """<!doctype html><title>Detectors</title><button>Look again</button><script type=module>
import { load } from '/botd.js';
import Scanner from '/fpscanner.js';
const look = async () => {
const told = {};
try {
  const botd = await load({ monitoring: false });
  told.verdict = await botd.detect();
  told.botd = botd.getDetections();
  told.scanner = (await new Scanner().collectFingerprint({ encrypt: false })).fastBotDetectionDetails;
} catch (error) { told.error = String(error); }
await fetch('/report', { method: 'POST', body: JSON.stringify(told) });
};
document.querySelector('button').onclick = look;
await look();
</script>"""

FACTS = """const facts = () => ({
  agent: navigator.userAgent, version: navigator.appVersion, languages: navigator.languages.join(), language: navigator.language,
  platform: navigator.platform, cores: navigator.hardwareConcurrency, memory: navigator.deviceMemory ?? null,
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone, locale: Intl.DateTimeFormat().resolvedOptions().locale,
  webdriver: navigator.webdriver ?? false,
  brands: navigator.userAgentData ? JSON.stringify(navigator.userAgentData.brands) : null,
  hints: navigator.userAgentData ? navigator.userAgentData.platform : null,
});
"""
PLACES = """<!doctype html><title>Places</title><script src=/facts.js></script><iframe src=/frame.html></iframe>
<script>
const told = { page: facts() };
const once = (target, ask) => new Promise((done) => { target.onmessage = (event) => done(event.data); ask(); });
const all = async () => {
  const frame = document.querySelector('iframe');
  told.frame = await new Promise((done) => {
    addEventListener('message', (event) => { if (event.data[0] === 'frame') done(event.data[1]); });
    frame.src = '/frame.html';
  });
  const blank = document.body.appendChild(document.createElement('iframe'));
  told.blank = blank.contentWindow.eval(`(${facts})()`);
  const worker = new Worker('/worker.js');
  told.worker = await once(worker, () => worker.postMessage(1));
  const shared = new SharedWorker('/worker.js');
  told.shared = await once(shared.port, () => shared.port.postMessage(1));
  await navigator.serviceWorker.register('/worker.js');
  const service = (await navigator.serviceWorker.ready).active;
  told.service = await new Promise((done) => {
    navigator.serviceWorker.onmessage = (event) => done(event.data);
    service.postMessage(1);
  });
};
all().catch((error) => { told.error = String(error); }).then(() => fetch('/report', { method: 'POST', body: JSON.stringify(told) }));
</script>"""
FRAME = "<script src=/facts.js></script><script>parent.postMessage(['frame', facts()], '*')</script>"
WORKER = (
    FACTS
    + """
const tell = (event) => (event.source ?? event.target).postMessage(facts());
onmessage = tell;
addEventListener('connect', (event) => { event.ports[0].onmessage = (message) => message.target.postMessage(facts()); });
fetch('/from-worker').catch(() => {});
"""
)


class Listener:
    """A server that hears what pages report, and keeps the headers of every request."""

    def __init__(self):
        self.reports: list[dict] = []
        self.headers: dict[str, dict[str, str]] = {}
        self.answers = {
            "/places.html": ("text/html", PLACES),
            "/frame.html": ("text/html", FRAME),
            "/detectors.html": ("text/html", DETECTORS),
            "/facts.js": ("text/javascript", FACTS),
            "/worker.js": ("text/javascript", WORKER),
        }
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def _handler(self):
        listener = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_args):
                """Say nothing."""

            def do_GET(self):
                listener.headers[self.path] = {name.lower(): value for name, value in self.headers.items()}
                kind, body = listener.answers.get(self.path, ("text/plain", "nothing"))
                self._answer(kind, body.encode())

            def do_POST(self):
                told = self.rfile.read(int(self.headers["Content-Length"]))
                listener.reports.append(json.loads(told))
                self._answer("text/plain", b"heard")

            def _answer(self, kind, body):
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        return Handler

    async def report(self):
        """The next report."""
        await until(lambda: self.reports, seconds=PATIENCE, named="a report of the page")
        told = self.reports.pop(0)
        assert "error" not in told, told["error"]
        return told

    def close(self):
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def listener():
    made = Listener()
    yield made
    made.close()


@contextmanager
def started_by_hand(url):
    """The same browser in the same mode, with no automation at all: nobody can ask it anything."""
    with tempfile.TemporaryDirectory(prefix="hand-", ignore_cleanup_errors=True) as profile:
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        line = [str(find_browser().path), "--headless=new", *sandbox, "--no-first-run"]
        process = subprocess.Popen(
            [*line, ELSEWHERE, "--window-size=1280,720", f"--user-data-dir={profile}", url],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            yield
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture(scope="module")
def detectors():
    """The detectors' own files, installed once."""
    npm_packages(CACHE, *PACKAGES, there=[f"node_modules/{path}" for path in SCRIPTS.values()])
    folder = CACHE / "node_modules"
    return {address: (folder / path).read_text() for address, path in SCRIPTS.items()}


def flags(told):
    """All that was found suspicious, by name."""
    found = {f"botd {name}" for name, one in told["botd"].items() if one.get("bot")}
    return found | {f"scanner {name}" for name, one in told["scanner"].items() if one.get("detected")}


@pytest.mark.slow
@pytest.mark.timeout(240)
async def test_detectors_flag_nothing_that_they_do_not_flag_in_a_browser_started_by_hand(listener, detectors):
    for address, script in detectors.items():
        listener.answers[address] = ("text/javascript", script)
    page = f"{listener.origin}/detectors.html".replace("127.0.0.1", "shop.example")
    with started_by_hand(page):
        by_hand = await listener.report()
    async with await boathook.launch(switches=[ELSEWHERE]) as browser:
        tab = await browser.open(page)
        ours = await listener.report()
        await tab.snapshot()
        await tab.click("text=Look again")
        later = await listener.report()
    async with await boathook.launch(switches=[ELSEWHERE], stealth="off") as browser:
        await browser.open(page)
        plain = await listener.report()
    assert flags(ours) - flags(by_hand) == set()
    assert flags(later) - flags(by_hand) == set(), "looking and acting leave no trace"
    assert flags(plain) - flags(ours), "the control: without it they do flag something"
    assert flags(ours) < flags(by_hand), "even fewer: the mode without a window is not named"


def headers_of(listener, path):
    sent = listener.headers[path]
    return sent["user-agent"], sent["accept-language"].split(",")[0], sent.get("sec-ch-ua-platform", "")


@pytest.mark.slow
async def test_every_place_of_a_page_and_every_header_tell_the_same(listener):
    async with await boathook.launch() as browser:
        await browser.open(f"{listener.origin}/places.html")
        told = await listener.report()
    assert set(told) == {"page", "frame", "blank", "worker", "shared", "service"}
    page = told["page"]
    assert {name: one for name, one in told.items() if one != page} == {}
    assert "Headless" not in json.dumps(told)
    assert page["webdriver"] is False
    await until(lambda: "/from-worker" in listener.headers, named="the worker's own request")
    for path in ("/places.html", "/frame.html", "/facts.js", "/worker.js", "/from-worker"):
        agent, language, platform = headers_of(listener, path)
        assert agent == page["agent"], path
        assert language == page["language"], path
        assert platform in {"", f'"{page["hints"]}"'}, path


@pytest.mark.slow
async def test_basic_tells_no_lies_about_the_machine(listener):
    page = f"{listener.origin}/places.html"
    with started_by_hand(page):
        by_hand = (await listener.report())["page"]
    async with await boathook.launch() as browser:
        await browser.open(page)
        ours = (await listener.report())["page"]
    differ = {name for name in ours if ours[name] != by_hand[name]}
    assert differ <= {"agent", "version"}, "only the name of the mode is left out"
    assert ours["agent"] == by_hand["agent"].replace("HeadlessChrome", "Chrome")


async def test_a_page_finds_no_names_of_ours(tab, site):
    """Globals of a page that was looked at and acted on are those of one that nobody touched."""
    names = "() => Object.getOwnPropertyNames(window).sort()"
    await tab.goto(site.page("<button>Press</button>"))
    before = await tab.evaluate(names)
    await tab.snapshot()
    await tab.click("text=Press")
    assert await tab.evaluate(names) == before
    assert await tab.evaluate("typeof __boathook") == "undefined"
    assert await tab.evaluate("typeof __boathook", world="isolated") != "undefined", "it is in its own world"


async def test_a_users_own_agent_is_left_alone(listener):
    async with await boathook.launch(switches=["--user-agent=Mine/1.0"]) as browser:
        await browser.open(f"{listener.origin}/frame.html")
        await asyncio.wait_for(until(lambda: "/facts.js" in listener.headers, named="the page"), PATIENCE)
    assert listener.headers["/frame.html"]["user-agent"] == "Mine/1.0"


async def test_a_browser_that_somebody_else_started_is_left_as_it_is(listener):
    with foreign_chromium() as (_process, profile):
        browser = await boathook.attach(await port_of(profile))
        tab = await browser.open(f"{listener.origin}/frame.html")
        agent = await tab.evaluate("navigator.userAgent")
        await browser.close()
    assert "HeadlessChrome" in agent
    assert listener.headers["/frame.html"]["user-agent"] == agent
