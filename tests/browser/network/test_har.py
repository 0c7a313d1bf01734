"""HAR files: valid by an independent reader, with times that add up, and without secrets."""

import json
import shutil
import stat
import subprocess
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

import pytest
from haralyzer import HarParser

from boathook.engine.network.log.network_log import response_body
from boathook.errors import BadRequest, BadSetting, ProtocolError
from boathook.redaction.redactor import Redactor
from tests.browser.network.test_network_requests import echoing_socket
from tests.support.engine import engine_of
from tests.support.npm import CACHE, npm_packages
from tests.support.site import dead_port

if TYPE_CHECKING:
    from boathook.engine.network.log.request_record import RequestRecord

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
    """A tab in a separate context, since a recording covers the whole context."""
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


@pytest.fixture(scope="module")
async def made(browser, site, tmp_path_factory):
    """One file with all of it."""
    tab = await browser.open(site.page("<p>x</p>"), isolated=True)
    path = tmp_path_factory.mktemp("har") / "all.har"
    made = await whole_recording(tab, site, path, content="all")
    last_page = tab.url
    await tab.close()
    return made, last_page


def by_path(path):
    entries = json.loads(path.read_text())["log"]["entries"]
    return {urlsplit(entry["request"]["url"]).path: entry for entry in entries}


async def test_a_file_has_pages_redirects_bodies_failures_routes_and_messages(made):
    file, shown = made
    log = json.loads(file.path.read_text())["log"]
    entries = by_path(file.path)
    assert (file.entries, file.pages, file.size) == (len(log["entries"]), 1, file.path.stat().st_size)
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    hop, posted = entries["/redirect"], entries["/json"]
    assert (hop["response"]["status"], hop["response"]["redirectURL"]) == (302, shown)
    assert posted["request"]["queryString"] == [{"name": "a", "value": "1"}, {"name": "b", "value": " two"}]
    assert posted["request"]["postData"]["params"] == [{"name": "name", "value": "Ann"}]
    assert posted["response"]["content"]["text"] == '{"answer": 42}'
    failed = entries["/dead"]["response"]
    assert (failed["status"], failed["_error"]) == (0, "net::ERR_CONNECTION_REFUSED")
    routed = entries["/mine"]
    assert (routed["_routed"], routed["response"]["content"]["text"]) == ("fulfilled", '{"own": true}')
    talk = entries["/talk"]["_webSocketMessages"]
    assert [(message["type"], message["data"]) for message in talk][:2] == [
        ("send", "ping?"),
        ("receive", "ping?"),
    ]
    (page,) = log["pages"]
    assert {entry.get("pageref") for entry in entries.values()} == {page["id"]}
    assert 0 < page["pageTimings"]["onContentLoad"] <= page["pageTimings"]["onLoad"]


async def test_times_of_every_entry_add_up(made):
    entries = json.loads(made[0].path.read_text())["log"]["entries"]
    for entry in entries:
        parts = [value for name, value in entry["timings"].items() if name != "ssl" and value >= 0]
        assert entry["time"] == pytest.approx(sum(parts), abs=0.01)
        assert entry["timings"]["ssl"] <= max(entry["timings"]["connect"], 0)
    assert sum(entry["time"] for entry in entries) > 0


async def test_independent_readers_call_it_valid(made):
    parser = HarParser(json.loads(made[0].path.read_text()))
    assert parser.pages[0].title == made[1]
    assert parser.pages[0].actual_page.status == 200
    assert judged(made[0].path) == "valid"


async def test_the_schema_finds_what_is_wrong(made, tmp_path):
    """The control."""
    broken = json.loads(made[0].path.read_text())
    del broken["log"]["entries"][0]["timings"]
    (tmp_path / "broken.har").write_text(json.dumps(broken))
    assert "timings" in judged(tmp_path / "broken.har")


async def test_without_a_service_cookies_and_credentials_are_kept_out_all_the_same(made):
    told = made[0].path.read_text()
    assert '"session"' in told, "the control: the cookie is there by its name"
    assert "s3cr3tc00kie" not in told
    assert "abcdefghijklmnop1234" not in told


@pytest.mark.parametrize(
    ("content", "texts"), [("none", 0), ("text", 1), ("all", 2)], ids=["none", "text", "all"]
)
async def test_bodies_are_kept_as_far_as_is_wanted(recorded, site, tmp_path, content, texts):
    await recorded.har_start(content=content, filter="re:/(json|named)")
    await recorded.evaluate(
        "Promise.all(['/json', '/named?name=x&size=9'].map(url => fetch(url).then(a => a.text())))"
    )
    file = await recorded.har_stop(tmp_path / "some.har")
    kept = [item["response"]["content"] for item in by_path(file.path).values()]
    assert len(kept) == 2
    assert sum("text" in content for content in kept) == texts
    assert judged(file.path) == "valid"


async def test_no_secret_is_in_it(recorded, site, tmp_path):
    engine_of(recorded).redactor = lambda: Redactor({"Ann of the vault"})
    await recorded.har_start()
    await recorded.evaluate(
        "fetch('/json?who=Ann%20of%20the%20vault&token=abcd1234efgh').then(a => a.text())"
    )
    await recorded.evaluate(
        "fetch('/json', {method: 'POST', body: 'x=Ann+of+the+vault'}).then(a => a.text())"
    )
    file = await recorded.har_stop(tmp_path / "known.har")
    told = file.path.read_text()
    assert "/json?who=" in told, "the control: the request is there"
    assert "vault" not in told
    assert "abcd1234efgh" not in told
    assert judged(file.path) == "valid"


async def test_a_recording_can_be_of_some_addresses_and_all_tabs_of_the_session(
    recorded, browser, site, tmp_path
):
    await recorded.har_start(filter="/json")
    popup = site.page("<p>y</p>")
    await recorded.goto(site.page(f"<a target=_blank href='{popup}'>Open</a>"))
    await recorded.click("text=Open")
    opened = await recorded.wait_for_tab(timeout=30)
    await opened.wait_for_url(popup)
    await opened.wait_for_load()
    await opened.evaluate("fetch('/json?popup').then(a => a.text())")
    await recorded.evaluate("fetch('/json?here').then(a => a.text())")
    made = await recorded.har_stop(tmp_path / "some.har")
    urls = [entry["request"]["url"] for entry in json.loads(made.path.read_text())["log"]["entries"]]
    assert sorted(url.rpartition("?")[2] for url in urls) == ["here", "popup"]


async def test_what_cannot_be_is_one_clear_error(recorded, tmp_path):
    with pytest.raises(BadRequest, match="no recording is running"):
        await recorded.har_stop(tmp_path / "x.har")
    with pytest.raises(BadSetting, match="content mode"):
        await recorded.har_start(content="some")
    await recorded.har_start()
    with pytest.raises(BadRequest, match="already running"):
        await recorded.har_start()
    with pytest.raises(BadRequest, match="is a folder"):
        await recorded.har_stop(tmp_path)
    made = await recorded.har_stop()
    assert made.path.exists()


class Late:
    """A browser's session that has a body a moment after all of it has come."""

    def __init__(self, refusals):
        self.refusals = refusals

    async def send(self, method, **_params):
        if self.refusals:
            self.refusals -= 1
            raise ProtocolError(
                method, number=-32000, text="No data found for resource with given identifier"
            )
        return {"body": "all of it"}


async def test_a_body_that_the_browser_gives_a_moment_later_is_waited_for():
    assert (
        await response_body(cast("RequestRecord", SimpleNamespace(session=Late(2), id="1"))) == b"all of it"
    )
    with pytest.raises(ProtocolError):
        await response_body(cast("RequestRecord", SimpleNamespace(session=Late(9), id="1")))
