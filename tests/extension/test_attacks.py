"""Pages and other extensions in the same browser reach neither the relay nor our extension."""

from __future__ import annotations

import json

import pytest

from boathook.local_server.guard import AccessRefusal
from boathook.relay.server.access import EXTENSION_ID, RelayGuard
from tests.extension.chrome import RawClient, UserChrome
from tests.extension.conftest import Relay
from tests.extension.test_worker_restart import open_tab
from tests.support.waiting import until, until_asked

PATHS = (
    "/",
    "/json/version",
    "/json",
    "/json/list",
    "/client-slot",
    "/status",
    "/log",
    "/stop",
    "/extension/reload",
)

TRY_ALL = """
(async ({port, token, paths, extension}) => {
  const read = [], opened = [];
  const note = async (name, work) => { try { read.push([name, await work()]) } catch (error) { read.push([name, '']) } };
  for (const name of ['127.0.0.1', 'localhost']) {
    const base = `http://${name}:${port}`;
    for (const path of paths) {
      for (const query of ['', `?token=${token}`]) {
        const url = base + path + query;
        await note('cors ' + url, async () => (await fetch(url)).text());
        await note('no-cors ' + url, async () => (await fetch(url, {mode: 'no-cors'})).text());
        await note('text ' + url, async () => (await fetch(url, {method: 'POST', body: '{}', mode: 'no-cors'})).text());
        await note('json ' + url, async () => (await fetch(url, {method: 'POST', body: '{}', headers: {'content-type': 'application/json'}})).text());
        await note('form ' + url, async () => (await fetch(url, {method: 'POST', body: new URLSearchParams({a: 1}), mode: 'no-cors'})).text());
        await note('xhr ' + url, () => new Promise((done, fail) => { const x = new XMLHttpRequest(); x.onload = () => done(x.responseText); x.onerror = fail; x.open('GET', url); x.send() }));
        navigator.sendBeacon(url, 'x');
        navigator.sendBeacon(url, new Blob(['{}'], {type: 'application/json'}));
        for (const tag of ['img', 'script', 'iframe', 'embed', 'video']) document.body.append(Object.assign(document.createElement(tag), {src: url}));
      }
    }
    await note('events ' + name, () => new Promise((done, fail) => { const e = new EventSource(`${base}/log?token=${token}`); e.onmessage = e.onopen = () => done('open'); e.onerror = () => { e.close(); fail() } }));
    for (const enctype of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
      await note('form ' + enctype, () => new Promise(done => {
        const frame = Object.assign(document.createElement('iframe'), {name: 'f' + Math.random()});
        const form = Object.assign(document.createElement('form'), {method: 'POST', action: `${base}/stop?token=${token}`, enctype, target: frame.name});
        document.body.append(frame, form); frame.onload = () => { try { done(frame.contentDocument.body.innerText) } catch { done('') } }; form.submit(); }));
    for (const path of [`/cdp/${token}`, `/cdp?token=${token}`, '/cdp', '/extension']) {
      await new Promise(done => { const s = new WebSocket(`ws://${name}:${port}${path}`); s.onopen = () => { opened.push(path); s.close(); done() }; s.onerror = done });
    }
  }
  for (const file of ['popup.html', 'options.html', 'manifest.json', 'pairing.json', 'background.js']) {
    await note('extension ' + file, async () => (await fetch(`chrome-extension://${extension}/${file}`)).text());
  }
  const messages = [];
  try { messages.push(await chrome.runtime.sendMessage(extension, {ask: 'stop', why: 'paused'})) } catch {}
  postMessage({ask: 'stop', why: 'paused'}, '*');
  return {read: read.filter(([, text]) => text), opened, messages};
})
"""


@pytest.fixture
def decided(monkeypatch):
    """What the guard decided, in order: a refusal is a status, a visitor is a path."""
    made = []
    decide = RelayGuard.decide

    def noting(self, scope):
        decision = decide(self, scope)
        made.append(decision.status if isinstance(decision, AccessRefusal) else decision.path)
        return decision

    monkeypatch.setattr(RelayGuard, "decide", noting)
    return made


@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", ["127.0.0.1", "evil.test"])
async def test_case_05_a_page_of_another_origin_reads_nothing_and_changes_nothing(pair, site, decided, name):
    """With the token given to it, which it could not have: even that does not give a page access."""
    relay, chrome = pair
    url = site.page("evil").replace("127.0.0.1", name)
    await chrome.open(url)
    await relay.has_tab(url)
    target = next(target for target in await chrome.targets() if target["url"] == url)
    await chrome.settled(target)
    hub, link = relay.hub, relay.profile.link
    given = {"port": relay.port, "token": relay.files.token(), "paths": PATHS, "extension": EXTENSION_ID}
    seen = await chrome.evaluate(target, f"{TRY_ALL}({json.dumps(given)})")
    assert seen == {"read": [], "opened": [], "messages": []}
    assert len(decided) > 40, "the control: its requests did arrive"
    assert set(decided) <= {403, 415}
    assert hub.clients == []
    assert relay.profile.link is link
    assert relay.profile.stopped == ""
    client = await RawClient.connect(relay.url)
    assert await client.send("Browser.getVersion"), "the control: the relay is there, and a program gets in"
    await client.close()


REBIND = """
(async ({token, paths}) => {
  const read = [], headers = {authorization: 'Bearer ' + token, 'content-type': 'application/json'};
  for (const path of paths)
    for (const options of [{}, {headers}, {method: 'POST', body: '{}', headers}]) {
      const answer = await fetch(path, options);
      read.push(answer.status + ' ' + await answer.text());
    }
  const sockets = [];
  for (const path of [`/cdp/${token}`, '/extension'])
    await new Promise(done => { const s = new WebSocket(`ws://${location.host}${path}`); s.onopen = () => { sockets.push(path); done() }; s.onerror = done });
  return {read, sockets};
})
"""


async def test_case_05_a_name_that_was_bound_to_this_machine_meanwhile_reads_nothing(pair):
    """DNS rebinding: for the browser the relay is then of the page's own origin; only its name gives it away."""
    relay, chrome = pair
    url = f"http://evil.test:{relay.port}/"
    target = await chrome.open(url)
    await chrome.settled(target)
    assert await chrome.evaluate(target, "location.href") == url
    link = relay.profile.link
    given = {"token": relay.files.token(), "paths": PATHS}
    seen = await chrome.evaluate(target, f"{REBIND}({json.dumps(given)})")
    assert seen["sockets"] == []
    assert len(seen["read"]) == 3 * len(PATHS), "the control: answers can be read there, but they say nothing"
    assert set(seen["read"]) == {'403 {"error":"invalid Host header"}'}
    assert relay.profile.link is link


STRANGER = {
    "manifest_version": 3,
    "name": "Stranger",
    "version": "1",
    "permissions": ["tabs", "scripting"],
    "host_permissions": ["<all_urls>"],
    "background": {"service_worker": "sw.js"},
    "web_accessible_resources": [{"resources": ["frame.html"], "matches": ["<all_urls>"]}],
    "content_scripts": [{"matches": ["http://127.0.0.1/*"], "js": ["inject.js"]}],
}
INJECT = "const f = document.createElement('iframe'); f.src = chrome.runtime.getURL('frame.html'); document.body.append(f);"


def stranger(folder):
    folder.mkdir()
    (folder / "manifest.json").write_text(json.dumps(STRANGER))
    (folder / "sw.js").write_text("self.here = true;")
    (folder / "frame.html").write_text("<p>a frame of another extension</p>")
    (folder / "inject.js").write_text(INJECT)
    return folder


@pytest.mark.timeout(120)
async def test_case_27_a_frame_of_another_extension_is_said_to_be_in_the_way(tmp_path, site):
    from boathook.relay.extension.install_extension import install

    relay = await Relay(tmp_path / "secrets").start()
    extension = install(relay.files, port=relay.port, folder=tmp_path / "extension")
    other = stranger(tmp_path / "stranger")
    chrome = await UserChrome.start(extension=f"{extension},{other}", profile=tmp_path / "profile")
    try:
        await relay.has_extension()
        url, clean = site.page("<p>words</p>"), site.page("clean").replace("127.0.0.1", "localhost")
        for item in (url, clean):
            await open_tab((relay, chrome), item)
        target = next(target for target in await chrome.targets() if target["url"] == url)

        async def has_frame():
            return any(target["url"].endswith("/frame.html") for target in await chrome.targets("iframe"))

        async def has_none():
            return not await has_frame()

        await until_asked(has_frame, named="the stranger's frame is there")
        client = await RawClient.connect(relay.url)
        await client.send("Target.setAutoAttach", {"autoAttach": True, "flatten": True})
        sessions = {
            event["targetInfo"]["url"]: event["sessionId"] for event in client.seen("Target.attachedToTarget")
        }
        ask = {"expression": "document.body.innerText"}
        answer = await client.whole("Runtime.evaluate", ask, session=sessions[url])
        assert "another extension has added a frame" in answer["error"]["message"]
        after = await client.send("Runtime.evaluate", ask, session=sessions[clean])
        assert after["result"]["value"] == "clean", "others are not disturbed"
        await chrome.evaluate(target, "document.querySelector('iframe').remove()")
        await until_asked(has_none, named="the frame is gone")
        after = await client.send("Runtime.evaluate", ask, session=sessions[url])
        assert after["result"]["value"] == "words", "the control: the same session, once the frame is gone"
        # The stranger asks our extension, which does not listen to it.
        worker = next(
            target for target in await chrome.targets("service_worker") if EXTENSION_ID not in target["url"]
        )
        tried = f"chrome.runtime.sendMessage('{EXTENSION_ID}', {{ask: 'stop', why: 'paused'}}).then(r => r ?? 'none', e => 'none')"
        assert await chrome.evaluate(worker, tried) == "none"
        assert relay.profile.stopped == ""
        await until(lambda: relay.profile.is_connected, named="still connected")
        await client.close()
    finally:
        chrome.stop()
        await relay.stop()


STEAL = """(async () => {
  const area = globalThis.chrome?.storage?.local;
  if (!area) return '';
  const all = await area.get(null).catch(error => error.message);
  await area.set({settings: {deny: [], readOnly: false}}).catch(() => {});
  return JSON.stringify(all);
})()"""


async def test_a_program_that_guesses_the_context_of_the_extension_in_a_page_finds_nothing(pair, site):
    relay, chrome = pair
    await chrome.change_settings(deny=["bank.example"])
    tab = await open_tab(pair, site.page("mine", title="Mine"))
    client = await RawClient.connect(relay.url)
    try:
        asked = {"targetId": tab.target_id, "flatten": True}
        session = (await client.send("Target.attachToTarget", asked))["sessionId"]
        world = await client.send("Page.createIsolatedWorld", {"frameId": tab.target_id}, session=session)
        replies = []
        for number in range(1, 40):
            params = {
                "expression": STEAL,
                "contextId": number,
                "awaitPromise": True,
                "returnByValue": True,
            }
            reply = await client.whole("Runtime.evaluate", params, session=session)
            replies.append(reply.get("result", {}).get("result", {}).get("value"))
        made = world["executionContextId"]
        params = {"expression": "document.title", "contextId": made}
        own = await client.send("Runtime.evaluate", params, session=session)
        assert own["result"]["value"] == "Mine", "the control: a world of the program's own"
    finally:
        await client.close()
    kept = await chrome.in_worker("chrome.storage.local.get('settings').then(({settings}) => settings)")
    assert kept["deny"] == ["bank.example"]
    assert not any(replies), replies
