"""HAR files: valid by an independent reader, with times that add up, and without secrets."""

import json
import shutil
import stat
import subprocess
from urllib.parse import urlsplit

import pytest
from haralyzer import HarParser

from boathook.errors import BadRequest, BadSetting
from boathook.service.redaction import Redactor
from tests.browser.test_network_requests import echoing_socket
from tests.support.npm import CACHE, npm_packages
from tests.support.site import dead_port

PACKAGES = CACHE / "har"
VALIDATE = """
const validate = require('har-validator')
let text = ''
process.stdin.on('data', piece => text += piece).on('end', () =>
  validate.har(JSON.parse(text)).then(() => console.log('valid'), error => console.log(JSON.stringify(error.errors))))
"""


def judged(path):
    """What the schema of HAR says to a file."""
    there = "node_modules/har-validator/package.json"
    npm_packages(PACKAGES, "har-validator@5.1.5", there=[there])
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    done = subprocess.run(
        [node, "-e", VALIDATE],
        cwd=PACKAGES,
        input=path.read_text(),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout.strip()


@pytest.fixture
async def recorded(browser, site):
    """A tab of a context of its own, since a recording is of the whole context."""
    tab = await browser.open(site.page("<p>x</p>"), isolated=True)
    yield tab
    await tab.close()


async def whole_recording(tab, site, path, **options):
    """Everything that a file can hold: redirects, bodies, failures, cookies, routes, a socket."""
    await tab.har_start(**options)
    page = site.page("<title>Shop</title><img src=/json?status=404&picture>")
    await tab.network_route("/mine", body='{"own": true}')
    async with echoing_socket() as address:
        await tab.goto(site.url(f"redirect?to={page}"), wait_until="networkidle")
        await tab.evaluate(
            """async (address, dead) => {
                document.cookie = 'session=s3cr3tc00kie; path=/; max-age=60'
                await fetch('/json?a=1&b=%20two', {method: 'POST', body: new URLSearchParams({name: 'Ann'}),
                    headers: {Authorization: 'Bearer abcdefghijklmnop1234'}}).then(a => a.text())
                await fetch('/mine').then(a => a.text())
                await fetch(dead, {mode: 'no-cors'}).catch(() => 1)
                await new Promise(done => { const socket = new WebSocket(address)
                    socket.onopen = () => socket.send('ping?'); socket.onmessage = () => { socket.onclose = done; socket.close() } })
            }""",
            address,
            f"http://127.0.0.1:{dead_port()}/dead",
            timeout=30,
        )
    return await tab.har_stop(path)


def by_path(path):
    entries = json.loads(path.read_text())["log"]["entries"]
    return {urlsplit(one["request"]["url"]).path: one for one in entries}


async def test_a_file_has_pages_redirects_bodies_failures_routes_and_messages(recorded, site, tmp_path):
    made = await whole_recording(recorded, site, tmp_path / "all.har")
    entries = by_path(made.path)
    assert (made.entries, made.pages, made.size) == (
        len(json.loads(made.path.read_text())["log"]["entries"]),
        1,
        made.path.stat().st_size,
    )
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o600
    hop, posted = entries["/redirect"], entries["/json"]
    assert (hop["response"]["status"], hop["response"]["redirectURL"]) == (302, recorded.url)
    assert posted["request"]["queryString"] == [{"name": "a", "value": "1"}, {"name": "b", "value": " two"}]
    assert posted["request"]["postData"]["params"] == [{"name": "name", "value": "Ann"}]
    assert posted["response"]["content"]["text"] == '{"answer": 42}'
    assert (entries["/dead"]["response"]["status"], entries["/dead"]["response"]["_error"]) == (
        0,
        "net::ERR_CONNECTION_REFUSED",
    )
    assert (entries["/mine"]["_routed"], entries["/mine"]["response"]["content"]["text"]) == (
        "fulfilled",
        '{"own": true}',
    )
    talk = entries["/talk"]["_webSocketMessages"]
    assert [(one["type"], one["data"]) for one in talk][:2] == [("send", "ping?"), ("receive", "ping?")]
    (page,) = json.loads(made.path.read_text())["log"]["pages"]
    assert {one.get("pageref") for one in entries.values()} == {page["id"]}
    assert 0 < page["pageTimings"]["onContentLoad"] <= page["pageTimings"]["onLoad"]


async def test_times_of_every_entry_add_up(recorded, site, tmp_path):
    made = await whole_recording(recorded, site, tmp_path / "all.har")
    for entry in json.loads(made.path.read_text())["log"]["entries"]:
        parts = [value for name, value in entry["timings"].items() if name != "ssl" and value >= 0]
        assert entry["time"] == pytest.approx(sum(parts), abs=0.01)
        assert entry["timings"]["ssl"] <= max(entry["timings"]["connect"], 0)


@pytest.mark.parametrize("content", ["none", "text", "all"])
async def test_independent_readers_call_it_valid(recorded, site, tmp_path, content):
    made = await whole_recording(recorded, site, tmp_path / "all.har", content=content)
    parser = HarParser(json.loads(made.path.read_text()))
    assert parser.pages[0].url == recorded.url
    assert parser.pages[0].actual_page.status == 200
    texts = ["text" in one["response"]["content"] for one in by_path(made.path).values()]
    assert any(texts) is (content != "none")
    assert judged(made.path) == "valid"


async def test_no_secret_is_in_it(recorded, site, tmp_path):
    recorded._engine.clean = Redactor({"Ann of the vault"}).value
    await recorded.har_start()
    await recorded.evaluate(
        "fetch('/json?who=Ann%20of%20the%20vault&token=abcd1234efgh').then(a => a.text())"
    )
    await recorded.evaluate(
        "fetch('/json', {method: 'POST', body: 'x=Ann+of+the+vault'}).then(a => a.text())"
    )
    first = await recorded.har_stop(tmp_path / "known.har")
    second = await whole_recording(recorded, site, tmp_path / "all.har")
    told = first.path.read_text() + second.path.read_text()
    assert "/json?who=" in told, "the control: the request is there"
    for secret in ("vault", "abcd1234efgh", "s3cr3tc00kie", "abcdefghijklmnop1234"):
        assert secret not in told
    assert judged(first.path) == judged(second.path) == "valid"


async def test_without_a_service_cookies_and_credentials_are_kept_out_all_the_same(recorded, site, tmp_path):
    made = await whole_recording(recorded, site, tmp_path / "all.har")
    told = made.path.read_text()
    assert '"session"' in told, "the control: the cookie is there by its name"
    assert "s3cr3tc00kie" not in told
    assert "abcdefghijklmnop1234" not in told


async def test_a_recording_can_be_of_some_addresses_and_all_tabs_of_the_session(
    recorded, browser, site, tmp_path
):
    await recorded.har_start(filter="/json")
    popup = site.page(
        "<script>fetch('/json?popup').then(a => a.text()).then(() => { document.title = 'Done' })</script>"
    )
    await recorded.goto(site.page(f"<a target=_blank href='{popup}'>Open</a>"))
    await recorded.click("text=Open")
    opened = await recorded.wait_for_tab(timeout=30)
    await opened.wait_for_function("document.title === 'Done'", timeout=30)
    await recorded.evaluate("fetch('/json?here').then(a => a.text())")
    made = await recorded.har_stop(tmp_path / "some.har")
    urls = [one["request"]["url"] for one in json.loads(made.path.read_text())["log"]["entries"]]
    assert sorted(url.rpartition("?")[2] for url in urls) == ["here", "popup"]


async def test_what_cannot_be_is_one_clear_error(recorded, tmp_path):
    with pytest.raises(BadRequest, match="no recording runs"):
        await recorded.har_stop(tmp_path / "x.har")
    with pytest.raises(BadSetting, match="content mode"):
        await recorded.har_start(content="some")
    await recorded.har_start()
    with pytest.raises(BadRequest, match="runs already"):
        await recorded.har_start()
    with pytest.raises(BadRequest, match="is a folder"):
        await recorded.har_stop(tmp_path)
    made = await recorded.har_stop()
    assert made.path.exists()
