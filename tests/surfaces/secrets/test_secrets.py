"""Secrets go in and never come out: by name or by their looks, through every command, in every form of answer."""

import base64
import json
from urllib.parse import quote

import pytest

from tests.support.program import Program
from tests.support.site import Site
from tests.support.thorough import at_most

NAMED = [f"s3cret-{number}-Zx{number * 7919}kq" for number in range(at_most(3, 10))]
"""Every answer is searched for every one of them; `make stress` has more."""
LAST = len(NAMED) - 1
SHAPED = {
    "Authorization: Bearer {}": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJlLW9mLWEtdG9rZW4",
    "Authorization: Basic {}": base64.b64encode(b"ada:lovelace-1815").decode(),
    "https://example.org/cb?access_token={}": "ya29-abcdefghijkl",
    "https://ada:{}@example.org/": "in-the-address-77",
    "password={}": "correct-horse-battery",
    "API_KEY={}": "AKfycbx0123456789",
    '{{"client_secret": "{}"}}': "shh-this-is-one-88",
    "Set-Cookie: sid={}; Path=/": "cookie-value-4711",
    "https://example.org/x?sig={}": "0a1b2c3d4e5f6071",
    "refresh_token={}": "refresh-me-not-99",
}
PAGE = """
<title>Echo</title><label>Secret <input id=i oninput="show(this.value)"></label><p id=echo role=status></p><pre id=shaped>{shaped}</pre>
<script>
function show(text) {{
  document.querySelector('#echo').textContent = text + ' ' + encodeURIComponent(text) + ' ' + btoa(text);
  document.title = text;
  history.replaceState(null, '', '?q=' + encodeURIComponent(text));
  console.log('got ' + text);
  console.error('bad ' + text);
  fetch('/seen?token=' + encodeURIComponent(text));
}}
</script>
"""


TELLING = (
    ["snapshot", "--mode", "full"],
    ["read"],
    ["read", "text"],
    ["read", "html"],
    ["get", "text", "#echo"],
    ["get", "text", "#shaped"],
    ["get", "html", "body"],
    ["get", "value", "#i"],
    ["get", "title"],
    ["get", "url"],
    ["pages"],
    ["frames"],
    ["errors"],
    ["session", "info"],
    ["diff", "snapshot"],
    ["a11y"],
    ["network", "requests"],
    ["eval", "document.body.innerText"],
    ["console"],
    ["requests"],
    ["cookies"],
    ["storage", "local"],
    ["wait", "--text", "s3cret"],
    ["history", "--limit", "100"],
    ["tabs"],
    ["session"],
    ["--max-output", "100", "read"],
    ["click", NAMED[LAST], "--timeout", "3"],
    ["eval", "throw new Error(document.title)"],
)
"""Commands that hand on what a page says."""


@pytest.fixture(scope="module")
def site():
    server = Site()
    yield server
    server.close()


@pytest.mark.slow
def test_twenty_secrets_are_found_nowhere(tmp_path, site):
    shaped = "\n".join(form.format(secret) for form, secret in SHAPED.items())
    program = Program(tmp_path)
    said = []

    def run(*argv, **more):
        done = program(*argv, **more)
        said.append(done.stdout + done.stderr)
        return done

    try:
        run("open", site.page(PAGE.format(shaped=shaped.replace("<", "&lt;"))))
        every = {f"S{number}": secret for number, secret in enumerate(NAMED)}
        run("fill", "#i", "env:S0", **every)
        run("type", "#i", "env:S1", **every)
        steps = [[verb, "#i", f"env:{name}"] for name in every for verb in ("fill", "type")]
        run("batch", stdin=json.dumps(steps), **every)
        named, secret = f"env:S{LAST}", {f"S{LAST}": NAMED[LAST]}
        run("batch", json.dumps(["fill", "#i", named]), stdin=None, **secret)
        run("batch", stdin=json.dumps([["fill", "#i", named], ["get", "value", "#i"]]), **secret)
        run("find", "label", "Secret", "fill", named, **secret)
        run("cookies", "set", "login", named, **secret)
        run("storage", "local", "set", "login", named, **secret)
        for form in ((), ("--json",)):
            for line in TELLING:
                run(*form, *line)
        kept = "".join(path.read_text(errors="replace") for path in kept_files(program))
        assert {"sessions", "history", "texts"} <= {
            part for path in kept_files(program) for part in path.parts
        }
    finally:
        program.stop()
    asked = "".join(site.requests)
    assert all(secret in asked for secret in NAMED), "the control: the page really had them"
    told = "".join(said)
    assert len(told) > 20_000
    assert len(kept) > 2_000
    forms = {
        form
        for secret in NAMED
        for form in (secret, quote(secret), base64.b64encode(secret.encode()).decode())
    }
    assert [form for form in forms | set(SHAPED.values()) if form in told] == []
    assert [form for form in forms | set(SHAPED.values()) if form in kept] == []


def kept_files(program):
    """Everything that is written down: history, records of sessions, texts that were too long, the daemon's log."""
    state = [path for path in (program.home / ".local").rglob("*") if path.is_file()]
    return state + list((program.home / "run").rglob("*.log"))
