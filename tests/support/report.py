"""Pages that tell what they find out about their browser, from every place that they can look from, by their own POST.

Asking a page for it would be a trace itself.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.support.waiting import until

PATIENCE = 60

SURFACES = {
    "name": "navigator.userAgent",
    "version": "navigator.appVersion",
    "webdriver": "navigator.webdriver ?? false",
    "brands": "JSON.stringify(navigator.userAgentData.brands)",
    "hints": "JSON.stringify(await navigator.userAgentData.getHighEntropyValues(HINTS))",
    "languages": "navigator.languages.join()",
    "locale": "Intl.DateTimeFormat().resolvedOptions().locale",
    "zone": "Intl.DateTimeFormat().resolvedOptions().timeZone",
    "platform": "navigator.platform",
    "cores": "navigator.hardwareConcurrency",
    "memory": "navigator.deviceMemory",
    "graphics": "graphics('webgl')",
    "newer graphics": "graphics('webgl2')",
    "natives": "natives().slice(0, 3).join()",
}
"""Told by documents and workers alike."""
DOCUMENT_SURFACES = {
    "natives of windows": "natives()[3]",
    "window": "await sized()",
    "screen": "[screen.width, screen.height, screen.availWidth, screen.availHeight, screen.colorDepth, devicePixelRatio]",
    "mouse": "['hover', 'any-hover'].map((one) => matchMedia(`(${one}: hover)`).matches).concat("
    "['pointer', 'any-pointer'].map((one) => matchMedia(`(${one}: fine)`).matches))",
    "scrollbars": "scrollbar()",
    "activity": "document.visibilityState",
    "plugins": "[...navigator.plugins].map((one) => one.name).join() + navigator.mimeTypes.length",
    "chrome": "Object.keys(chrome).join()",
    "codecs": "['video/mp4; codecs=\"avc1.42E01E\"', 'audio/mp4; codecs=\"mp4a.40.2\"', 'audio/aac', 'video/webm; codecs=\"vp9\"']"
    ".map((one) => document.createElement('video').canPlayType(one)).join()",
    "audio": "(() => { const one = new AudioContext(); return [one.sampleRate, one.baseLatency, one.outputLatency] })()",
    "hairline": "hairline()",
    "fonts": "typeof queryLocalFonts",
    "globals": "Object.getOwnPropertyNames(window).filter((one) => !/^\\d+$|^(facts|told|HINTS|asked)$/.test(one)).length",
}
"""Told by documents only: workers have none of these."""

HEADERS = {
    "sec-ch-ua-arch": "architecture",
    "sec-ch-ua-bitness": "bitness",
    "sec-ch-ua-platform-version": "platformVersion",
    "sec-ch-ua-platform": "platform",
    "sec-ch-ua": "brands",
    "sec-ch-ua-full-version-list": "fullVersionList",
}
"""Headers, and the hint that each has to agree with."""


def _told(surfaces):
    return ", ".join(f"{json.dumps(name)}: {asked}" for name, asked in surfaces.items())


FACTS = f"""var facts = async () => {{
  const HINTS = ['architecture', 'bitness', 'formFactors', 'fullVersionList', 'model', 'platformVersion', 'uaFullVersion', 'wow64'];
  const graphics = (kind) => {{
    const canvas = typeof document === 'undefined' ? new OffscreenCanvas(1, 1) : document.createElement('canvas');
    const context = canvas.getContext(kind);
    const names = context?.getExtension('WEBGL_debug_renderer_info');
    return names ? [names.UNMASKED_VENDOR_WEBGL, names.UNMASKED_RENDERER_WEBGL].map((one) => context.getParameter(one)).join() : '';
  }};
  const natives = () => [WebGLRenderingContext.prototype.getParameter, WebGL2RenderingContext.prototype.getParameter,
    Function.prototype.toString, Object.getOwnPropertyDescriptor(globalThis, 'outerHeight')?.get].filter(Boolean)
    .map((one) => [one, one.name, one.length, Object.getOwnPropertyNames(one), typeof one.prototype].join());
  const laid = (style, measure) => {{
    const one = document.createElement('div');
    one.style.cssText = style;
    document.documentElement.append(one);
    const found = measure(one);
    one.remove();
    return found;
  }};
  // A frame of another process learns of its window a moment after its first script; until then Chromium says 0.
  const sized = async () => {{
    for (let tries = 0; !outerWidth && tries < 250; tries++) await new Promise((done) => setTimeout(done, 20));
    return [outerWidth, outerHeight];
  }};
  const scrollbar = () => laid('width: 100px; height: 100px; overflow: scroll', (one) => one.offsetWidth - one.clientWidth);
  const hairline = () => laid('border: .5px dotted transparent', (one) => one.offsetHeight);
  const told = {{ {_told(SURFACES)} }};
  return typeof document === 'undefined' ? told : {{ ...told, {_told(DOCUMENT_SURFACES)} }};
}};
"""
PLACES = """<!doctype html><title>Places</title><script src=/facts.js></script><body><script>
const told = {};
const heard = (name) => new Promise((done) => addEventListener('message', (event) => {
  if (event.data[0] === name) done(event.data[1]);
}));
const framed = (name, how) => {
  const frame = document.createElement('iframe');
  how(frame);
  const answer = heard(name);
  document.body.append(frame);
  return answer;
};
const once = (target, port = target) => new Promise((done) => { port.onmessage = (event) => done(event.data); target.postMessage(1); });
// Under `basic` nothing waits for the detailed hints, so that they may come a moment after the first script.
const patiently = async (ask) => {
  let found = await ask();
  for (let tries = 0; location.search === '?patient' && found.hints !== told.page.hints && tries < 50; tries++) {
    await new Promise((done) => setTimeout(done, 100));
    found = await ask();
  }
  return found;
};
const all = async () => {
  told.page = await facts();
  told.frame = await framed('frame', (frame) => { frame.src = '/frame.html'; });
  const elsewhere = location.origin.replace('127.0.0.1', 'localhost');
  told.elsewhere = await patiently(() => framed('elsewhere', (frame) => { frame.src = elsewhere + '/elsewhere.html'; }));
  const script = (name) => `<script src=/facts.js></` + `script><script>facts().then((one) => parent.postMessage(['${name}', one], '*'))</` + `script>`;
  told.srcdoc = await framed('srcdoc', (frame) => { frame.srcdoc = script('srcdoc'); });
  const blank = document.body.appendChild(document.createElement('iframe'));
  told.blank = await blank.contentWindow.eval(`(${facts})()`);
  told.across = [blank.contentWindow.Function.prototype.toString.call(WebGLRenderingContext.prototype.getParameter),
    Function.prototype.toString.call(blank.contentWindow.WebGLRenderingContext.prototype.getParameter),
    blank.contentWindow.Function.prototype.toString.call(Function.prototype.toString)].join();
  told.worker = await once(new Worker('/worker.js'));
  told.blob = await once(new Worker(URL.createObjectURL(new Blob([await (await fetch('/worker.js')).text()]))));
  told.nested = await once(new Worker('/nesting.js'));
  const shared = new SharedWorker('/worker.js?shared');
  told.shared = await patiently(() => once(shared.port));
  await navigator.serviceWorker.register('/worker.js?service');
  const service = (await navigator.serviceWorker.ready).active;
  told.service = await patiently(() => once(service, navigator.serviceWorker));
};
all().catch((error) => { told.error = String(error); }).then(() => fetch('/report', { method: 'POST', body: JSON.stringify(told) }));
</script>"""
TELL_PARENT = "<!doctype html><script src=/facts.js></script><script>facts().then((one) => parent.postMessage(['{name}', one], '*'))</script>"
AT_ONCE = f"""<!doctype html><script>{FACTS}
facts().then((one) => parent.postMessage(['elsewhere', one], '*'))</script>"""
"""In its very first lines."""
POPUP = f"""<!doctype html><title>Popup</title><script>{FACTS}
facts().then((one) => fetch('/report', {{ method: 'POST', body: JSON.stringify(one) }}))</script>"""
WORKER = (
    FACTS
    + """
onmessage = async (event) => { const told = await facts(); (event.source ?? event.target).postMessage(told); };
addEventListener('connect', (event) => {
  event.ports[0].onmessage = async (message) => message.target.postMessage(await facts());
});
fetch('/from-worker' + location.search).catch(() => {});
"""
)
NESTING = """const inner = new Worker('/worker.js');
inner.onmessage = (event) => postMessage(event.data);
onmessage = (event) => inner.postMessage(1);
"""
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


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_about):
        """A page that left before its response is not an error."""


class Listener:
    """A server that hears what pages report, and keeps the headers of every request."""

    def __init__(self, **scripts):
        self.reports: list[dict] = []
        self.headers: dict[str, dict[str, str]] = {}
        self.answers = {
            "/places.html": ("text/html", PLACES),
            "/frame.html": ("text/html", TELL_PARENT.replace("{name}", "frame")),
            "/elsewhere.html": ("text/html", AT_ONCE),
            "/popup.html": ("text/html", POPUP),
            "/opener.html": (
                "text/html",
                "<!doctype html><button onclick=\"window.open('/popup.html')\">Open</button>",
            ),
            "/detectors.html": ("text/html", DETECTORS),
            "/facts.js": ("text/javascript", FACTS),
            "/worker.js": ("text/javascript", WORKER),
            "/nesting.js": ("text/javascript", NESTING),
            **{f"/{name}.js": ("text/javascript", text) for name, text in scripts.items()},
        }
        self._server = _Server(("127.0.0.1", 0), self._handler())
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def _handler(self):
        listener = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_args):
                """Say nothing."""

            def do_GET(self):
                listener.headers[self.path] = {name.lower(): value for name, value in self.headers.items()}
                kind, body = listener.answers.get(self.path.partition("?")[0], ("text/plain", "nothing"))
                self._answer(kind, body.encode())

            def do_POST(self):
                told = self.rfile.read(int(self.headers["Content-Length"]))
                listener.reports.append(json.loads(told))
                self._answer("text/plain", b"heard")

            def _answer(self, kind, body):
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Accept-CH", ", ".join(HEADERS))
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
