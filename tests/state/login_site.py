"""A site with five kinds of login that really checks what it is given, and pages that mean ill."""

import base64
import hashlib
import hmac
import html
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

USER = "ada@example.org"
PASSWORD = 'Tr0ub4dor & "3" <é>'
SEED = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
DECOYS = """
<form action=/newsletter><label>Newsletter e-mail <input type=email name=newsletter></label><button>Subscribe</button></form>
<form role=search><input type=search name=q placeholder=Search><button>Search</button></form>
"""
ONE_PAGE = """<title>Sign in</title>{decoys}<form method=post action=/one>
<input name=website style="position:absolute;left:-9999px"><input type=password name=trap style="opacity:0">
<label>E-mail <input name=user autocomplete=username></label>
<label>Password <input name=password type=password></label><button type=button onclick="this.form.password.type='text'">Show</button>
<a href=/forgot>Forgot?</a> <button>Sign in</button></form>"""
FIRST_STEP = """<title>Who are you?</title>{decoys}<form method=post action=/two><label>Account <input name=user type=text></label>
<input type=password name=password style="display:none"><button>Next</button></form>"""
SECOND_STEP = """<title>Welcome back</title><form method=post action=/two><input type=hidden name=user value="{user}"><p>{user}</p>
<label>Enter your password <input name=password type=password autocomplete=current-password></label><input type=submit value="Log in"></form>"""
WITH_CODE = """<title>Sign in</title><form method=post action=/totp><input name=user type=email><input name=password type=password><button>Log in</button></form>"""
CODE = """<title>Second factor</title><form method=post action=/code><label>Enter the code of your app
<input name=code inputmode=numeric autocomplete=one-time-code></label><button>Verify</button></form>"""
BOXES = """<title>Second factor</title><form method=post action=/code id=form><input name=code type=hidden><p>Verification code</p>
{boxes}</form><script>
const boxes = [...document.querySelectorAll('.box')];
boxes.forEach((box, at) => box.oninput = () => {{
  if (boxes[at + 1]) return boxes[at + 1].focus();
  document.forms.form.code.value = boxes.map((one) => one.value).join('');
  document.forms.form.submit();
}});
</script>""".format(
    boxes="".join(
        f'<input class=box maxlength=1 inputmode=numeric aria-label="code digit {n}">' for n in range(6)
    )
)
FRAMED = "<title>Portal</title><h1>Portal</h1><iframe src='{origin}/one?top=1' width=600 height=300></iframe>"
SHADOW = """<title>App</title><login-box></login-box><script>
customElements.define('login-box', class extends HTMLElement {{
  connectedCallback() {{
    const root = this.attachShadow({{ mode: '{mode}' }});
    setTimeout(() => {{
      root.innerHTML = `<div><input id=u placeholder="Username or e-mail"><input id=p type=password placeholder=Password>
        <button id=s disabled>Continue</button><p role=alert></p></div>`;
      const at = (id) => root.getElementById(id);
      const typed = new Set();
      for (const id of 'up') at(id).addEventListener('input', (event) => {{
        if (event.isTrusted) typed.add(id);
        at('s').disabled = typed.size < 2;
      }});
      at('s').onclick = async () => {{
        const answer = await fetch('/api', {{ method: 'POST', body: JSON.stringify({{ user: at('u').value, password: at('p').value }}) }});
        if (!answer.ok) {{ root.querySelector('[role=alert]').textContent = 'Wrong user name or password'; return; }}
        document.title = 'Inside';
        document.body.innerHTML = '<h1>Inside</h1>';
      }};
    }}, 300);
  }}
}});
</script>"""
ILL = """<title>Sign in</title><form method=post action=/one><input name=user autocomplete=username><input id=p name=password type=password><button>Sign in</button></form>
<textarea id=other></textarea><script>
globalThis.captured = [];
document.addEventListener('input', (event) => captured.push(event.target.value), true);
const p = document.getElementById('p');
const tricks = {{
  none: () => {{}},
  swap: () => {{ const twin = p.cloneNode(); twin.type = 'text'; p.replaceWith(twin); twin.focus(); }},
  steal: () => document.getElementById('other').focus(),
  unmask: () => {{ p.type = 'text'; }},
}};
p.addEventListener('focus', tricks['{trick}']);
</script>"""


MIRROR = """<title>Inside {password}</title><p id=said>Your password is {password}</p><input value="{password}" aria-label=again>
<script>const word = {script}; console.log('got ' + word); localStorage.kept = word; fetch('/seen?q=' + encodeURIComponent(word));
fetch('/seen', {{ method: 'POST', body: JSON.stringify({{ text: btoa(unescape(encodeURIComponent(word))) }}) }});
</script>"""


class LoginSite:
    """On 127.0.0.1; by the name of localhost it is the look-alike."""

    def __init__(self):
        self.given = []
        """Host and fields of everything that was sent."""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_for(self))
        self._server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        self.look_alike = f"http://localhost:{self._server.server_port}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )
        self._thread.start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def page(self, path, query):
        name = path.strip("/")
        pages = {
            "one": ONE_PAGE.format(decoys=DECOYS),
            "two": FIRST_STEP.format(decoys=DECOYS),
            "totp": WITH_CODE,
            "boxes": WITH_CODE.replace("/totp", "/boxes"),
            "frame": FRAMED.format(origin=self.origin),
            "shadow": SHADOW.format(mode="open"),
            "closed": SHADOW.format(mode="closed"),
            "ill": ILL.format(trick=query.get("trick", ["none"])[0]),
            "inside": "<title>Inside</title><h1>Inside</h1>",
            "mirror": ONE_PAGE.format(decoys="").replace("/one", "/mirror"),
            "seen": "ok",
            "empty": "<title>Empty</title><p>Nothing to fill in</p>",
        }
        return (
            pages[name].replace("<form method=post", "<form target=_top method=post")
            if name in pages
            else None
        )

    def answer(self, path, fields):
        """Status, headers and page for what was sent."""
        right = fields.get("user") == USER and fields.get("password") == PASSWORD
        inside = (303, {"Location": "/inside", "Set-Cookie": "sid=ok-4711; HttpOnly"}, "")
        if path == "/api":
            return (200 if right else 403), {}, "{}"
        if path == "/code":
            return inside if fields.get("code") in valid_codes() else (200, {}, CODE)
        if path == "/two" and not fields.get("password"):
            return 200, {}, SECOND_STEP.format(user=USER)
        if path == "/mirror" and right:
            return (
                200,
                {"Set-Cookie": "sid=ok-4711"},
                MIRROR.format(password=html.escape(PASSWORD), script=json.dumps(PASSWORD)),
            )
        if not right:
            return 200, {}, self.page("one", {}) + "<p role=alert>Wrong password</p>"
        return {"/totp": (200, {}, CODE), "/boxes": (200, {}, BOXES)}.get(path, inside)


def valid_codes():
    """By the clock of now and just before, worked out here once more."""
    codes = set()
    for counter in (int(time.time() // 30) - 1, int(time.time() // 30)):
        digest = hmac.new(base64.b32decode(SEED), counter.to_bytes(8, "big"), hashlib.sha1).digest()
        at = digest[-1] & 15
        codes.add(f"{(int.from_bytes(digest[at : at + 4], 'big') & 0x7FFFFFFF) % 10**6:06}")
    return codes


def _handler_for(site):
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_args):
            pass

        def do_GET(self):
            parts = urlsplit(self.path)
            page = site.page(parts.path, parse_qs(parts.query))
            self.reply(200 if page else 404, {}, page or "not here")

        def do_POST(self):
            text = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            fields = (
                json.loads(text) if text.startswith("{") else {k: v[0] for k, v in parse_qs(text).items()}
            )
            site.given.append((self.headers["Host"].partition(":")[0], fields))
            self.reply(*site.answer(urlsplit(self.path).path, fields))

        def reply(self, status, headers, page):
            body = ("<!doctype html><meta charset=utf-8>" + page).encode()
            self.send_response(status)
            for name, value in {
                "Content-Type": "text/html; charset=utf-8",
                "Content-Length": str(len(body)),
                "Cache-Control": "no-store",
                **headers,
            }.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

    return Handler
