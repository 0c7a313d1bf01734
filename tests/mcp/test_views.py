"""The tools of other programs, as prompts written for those use them."""

import asyncio
import json
import re
import shutil
import time
import urllib.request
from pathlib import Path

import pytest
from mcp.shared.exceptions import MCPError

from boathook.engine.capture.images.image_size import image_size
from boathook.engine.launch import posix
from boathook.engine.launch.find_chrome import find_browser
from boathook.engine.launch.open import DISCOVERY_SECONDS
from boathook.errors import BadRequest
from boathook.sandbox import jail
from boathook.surfaces.mcp.tool_catalog import CATALOGUE, read_tool_catalog
from tests.mcp.clients import code_of, text_of
from tests.support.chromium import foreign_chromium, port_of
from tests.support.servers import never_answers, tcp_server
from tests.support.site import dead_port
from tests.support.waiting import until

LOGIN = """<h1>Welcome</h1>
<form onsubmit="event.preventDefault(); document.querySelector('p').textContent='Hello ' + email.value">
<label>Email <input id=email></label><label>Password <input type=password></label>
<button>Sign In</button></form><p role=status></p>"""


@pytest.fixture
async def foreign():
    """A manually started browser; returns its CDP URL."""
    with foreign_chromium() as (process, profile):
        yield process, f"http://127.0.0.1:{await port_of(profile)}"


@pytest.fixture(scope="module")
async def kept_foreign():
    """The same for tests that leave it as it is."""
    with foreign_chromium() as (_process, profile):
        yield f"http://127.0.0.1:{await port_of(profile)}"


class Caller:
    """Calls one tool of a client."""

    def __init__(self, client, name):
        self.client = client
        self.name = name

    async def __call__(self, **arguments):
        result = await self.client.call_tool(self.name, arguments)
        assert not result.is_error, text_of(result)
        return text_of(result)

    async def refused(self, **arguments):
        result = await self.client.call_tool(self.name, arguments)
        assert result.is_error
        return text_of(result)


def ref_of(listed, line):
    """The ref of a line such as `[textbox] "Email"` in a flat list."""
    return re.search(rf"^(e\d+): {re.escape(line)}", listed, re.MULTILINE)[1]


def height_of(answer):
    """The height of the saved image that a result names."""
    return image_size(Path(re.search(r"saved: (\S+)", answer)[1]).read_bytes())[1]


async def test_single_goes_through_its_typical_workflow(home, site):
    async with home.client("--tools", "single") as client:
        browser = Caller(client, "browser")
        assert [tool.name for tool in (await client.list_tools()).tools] == ["browser"]
        assert "launched" in await browser(action="launch")
        assert "Title: Sign in" in await browser(action="navigate", url=site.page(LOGIN, title="Sign in"))
        listed = await browser(action="snapshot")
        assert "Welcome" not in listed, "only what can be acted on"
        email, password = ref_of(listed, '[textbox] "Email"'), ref_of(listed, '[textbox] "Password"')
        await browser(action="act", act_kind="click", element_ref=email)
        await browser(action="act", act_kind="type", element_ref=email, text="user@example.com")
        await browser(action="act", act_kind="click", element_ref=password)
        await browser(action="act", act_kind="type", element_ref=password, text="hunter2")
        button = ref_of(listed, '[button] "Sign In"')
        assert "Hello user@example.com" in await browser(action="act", act_kind="click", element_ref=button)
        assert ref_of(await browser(action="snapshot"), '[textbox] "Email"') == email, "refs last"
        assert "image" in [
            part.type for part in (await client.call_tool("browser", {"action": "screenshot"})).content
        ]
        saved = await browser(action="screenshot")
        assert re.search(r"/screenshots/screenshot_\d{8}_\d{6}_\d{3}\.png ", saved)
        element = await browser(action="screenshot", element_ref=button)
        assert height_of(element) < 100 < height_of(saved)
        assert "closed" in await browser(action="close")


async def test_single_has_all_other_actions_and_kinds(home, site):
    async with home.client("--tools", "single") as client:
        browser = Caller(client, "browser")
        await browser(
            action="navigate", url=site.page(LOGIN + "<p style='margin-top:3000px'><a href=#>End</a>")
        )
        listed = await browser(action="snapshot")
        email, link = ref_of(listed, '[textbox] "Email"'), ref_of(listed, '[link] "End"')
        for kind in ("hover", "focus", "scroll_into_view"):
            await browser(
                action="act", act_kind=kind, element_ref=link if kind == "scroll_into_view" else email
            )
        await browser(action="act", act_kind="press_key", key="A")
        await browser(action="act", act_kind="press_key", key="Enter", element_ref=email)
        assert height_of(await browser(action="screenshot", full_page=True)) > 3000
        assert "<h1>Welcome</h1>" in await browser(action="content")
        await browser(action="open", url=site.page("", title="Second"))
        tabs = await browser(action="tabs")
        first, second = re.findall(r"^\[(\w+)\]", tabs, re.MULTILINE)
        assert "(active)" in tabs.splitlines()[2]
        await browser(action="focus", target_id=first)
        assert "Welcome" in await browser(action="content")
        await browser(action="close_tab", target_id=second)
        assert second not in await browser(action="tabs")


ASKING = """<button onclick="document.title = prompt('Name?', 'x') + confirm('Sure?')">Ask</button>
<label>Day <input type=date></label><label>At <input type=time></label><input type=file aria-label=Photo>
<h1>Heading</h1><div onclick="1" style="cursor:pointer">Card</div>"""


async def test_single_answers_dialogs_and_the_error_of_an_open_one_names_the_call(client_with, site):
    browser = Caller(await client_with("--tools", "single"), "browser")
    await browser(action="navigate", url=site.page(ASKING))
    button = ref_of(await browser(action="snapshot"), '[button] "Ask"')
    assert "Name?" in await browser(action="act", act_kind="click", element_ref=button)
    refused = await browser.refused(action="snapshot")
    assert '(answer it first: browser {"action": "dialog", "accept": true} or browser' in refused
    assert "[dialog_open]" in refused
    assert "Sure?" in await browser(action="dialog", text="Ann")
    await browser(action="dialog", accept=False)
    assert '"Annfalse"' in await browser(action="snapshot")
    assert "no dialog is open" in await browser.refused(action="dialog")


async def test_single_lists_fields_of_every_type_and_types_into_them(client_with, site):
    browser = Caller(await client_with("--tools", "single"), "browser")
    await browser(action="navigate", url=site.page(ASKING))
    listed = await browser(action="snapshot")
    assert "Heading" not in listed
    assert '[generic] "Card" [clickable]' in listed
    assert '[button] "Photo" [file]' in listed
    for line, text in (('[textbox] "Day"', "2026-01-31"), ('[textbox] "At"', "10:30")):
        ref = ref_of(listed, line)
        assert f'= "{text}"' in await browser(action="act", act_kind="type", element_ref=ref, text=text)


async def test_single_lists_scripts_only_where_they_are_allowed(client_with):
    for options, listed in (((), False), (("--evaluate-enabled",), True)):
        client = await client_with("--tools", "single", *options)
        schema = (await client.list_tools()).tools[0].input_schema["properties"]
        assert ("evaluate" in schema["action"]["enum"], "script" in schema) == (listed, listed)


async def test_single_is_bounded_and_says_what_is_missing(client_with, site):
    many = "".join(f"<button>Number {n}</button>" for n in range(250))
    client = await client_with("--tools", "single")
    browser = Caller(client, "browser")
    await browser(action="navigate", url=site.page(many + "<p>" + "ü" * 90_000))
    listed = await browser(action="snapshot")
    assert len(re.findall(r"^e\d+: ", listed, re.MULTILINE)) == 200
    assert "50 more elements" in listed
    content = await browser(action="content")
    assert "more bytes left out" in content
    assert len(content.encode()) < 101_000
    assert "requires url" in await browser.refused(action="navigate")
    nowhere = f"http://127.0.0.1:{dead_port()}/"
    assert "[connection_failed]" in await browser.refused(action="navigate", url=nowhere)
    assert "requires element_ref" in await browser.refused(action="act", act_kind="click")
    assert "requires text" in await browser.refused(action="act", act_kind="type", element_ref="e1")
    assert "one of launch" in await browser.refused(action="fly")
    assert "are disabled" in await browser.refused(action="evaluate", script="1")


async def test_single_runs_scripts_where_the_user_allows_it_and_every_client_has_its_own_browser(
    own_home, site
):
    config = own_home.folder / ".config/boathook/boathook.toml"
    config.parent.mkdir(parents=True)
    config.write_text("[browser]\nevaluate_enabled = true\n")
    async with own_home.client("--tools", "single") as one, own_home.client("--tools", "single") as two:
        first, second = Caller(one, "browser"), Caller(two, "browser")
        await first(action="navigate", url=site.page("", title="First"))
        await second(action="launch")
        assert "First" in await first(action="evaluate", script="document.title")
        assert "First" not in await second(action="evaluate", script="document.title")


async def test_direct_goes_through_its_user_flow_on_a_browser_started_by_hand(home, site, foreign):
    process, address = foreign
    place = {"browser_url": address}
    async with home.client("--tools", "direct") as client:
        tool = {tool.name: Caller(client, tool.name) for tool in (await client.list_tools()).tools}
        assert len(tool) == 8
        target = re.search(r"^\[(\w+)\]", await tool["browser_list"](**place))[1]
        place["target_id"] = target
        assert "Title: Sign in" in await tool["browser_navigate"](
            **place, url=site.page(LOGIN, title="Sign in")
        )
        tree = await tool["browser_snapshot"](**place)
        assert re.search(r'^"Sign in" http://127\.0\.0\.1:\d+/given/\d+$', tree, re.MULTILINE)
        email, button = (
            int(re.search(rf"\[(\d+)\] {line}", tree)[1]) for line in ('textbox "Email"', "button")
        )
        assert 'heading "Welcome"' in tree
        await tool["browser_fill"](**place, uid=str(email), value="Ann")
        assert "Hello Ann" in await tool["browser_click"](**place, uid=button)
        answer = await tool["browser_eval"](
            **place, expression="Promise.resolve(document.querySelector('p').textContent)"
        )
        assert "Hello Ann" in answer
        assert height_of(await tool["browser_screenshot"](**place)) > 100
        assert "image" in [
            part.type for part in (await client.call_tool("browser_screenshot", place)).content
        ]
        without = {"browser_url": address}
        assert "Hello Ann" in await tool["browser_eval"](**without, expression="document.body.textContent"), (
            "the first page is meant when none is named"
        )
        nowhere = f"http://127.0.0.1:{dead_port()}/"
        assert "[connection_failed]" in await tool["browser_navigate"].refused(**without, url=nowhere)
    assert process.poll() is None, "nothing was closed"


async def test_direct_answers_dialogs_and_the_error_of_an_open_one_names_the_call(
    client_with, site, kept_foreign
):
    client, address = await client_with("--tools", "direct"), kept_foreign
    tool = {tool.name: Caller(client, tool.name) for tool in (await client.list_tools()).tools}
    await tool["browser_navigate"](browser_url=address, url=site.page(ASKING))
    tree = await tool["browser_snapshot"](browser_url=address)
    button = int(re.search(r'\[(\d+)\] button "Ask"', tree)[1])
    assert "Name?" in await tool["browser_click"](browser_url=address, uid=button)
    refused = await tool["browser_snapshot"].refused(browser_url=address)
    assert f'(answer it first: browser_dialog {{"browser_url": "{address}", "accept": true}} or' in refused
    assert "Sure?" in await tool["browser_dialog"](browser_url=address, text="Ann")
    await tool["browser_dialog"](browser_url=address, accept=False)
    assert "Annfalse" in await tool["browser_eval"](browser_url=address, expression="document.title")


def pages_at(address):
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(f"{address}/json/list") as reply:
        return [entry["id"] for entry in json.load(reply) if entry["type"] == "page"]


def connections_to(address):
    """How many connections are open to a port of this machine."""
    port = f":{int(address.rpartition(':')[2]):04X}"
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(1 for row in rows if row[2].endswith(port) and row[3] == "01")


async def test_direct_takes_the_page_that_the_browser_lists_first_and_any_spelling_of_its_url(
    client_with, site, kept_foreign
):
    client, address = await client_with("--tools", "direct"), kept_foreign
    for number in range(3):
        made = urllib.request.Request(
            f"{address}/json/new?{site.page('', title=f'Page {number}')}", method="PUT"
        )
        await asyncio.to_thread(urllib.request.build_opener(urllib.request.ProxyHandler({})).open, made)
    oldest = pages_at(address)[-1]
    for target in (oldest, pages_at(address)[1]):
        ids = pages_at(address)
        await asyncio.to_thread(urllib.request.urlopen, f"{address}/json/activate/{target}")
        assert pages_at(address)[0] == target != ids[0]
        listed = text_of(await client.call_tool("browser_list", {"browser_url": f"{address}/"}))
        assert re.findall(r"^\[(\w+)\]", listed, re.MULTILINE) == pages_at(address)
        called = {"browser_url": address, "expression": "location.href"}
        shown = text_of(await client.call_tool("browser_eval", called))
        named = text_of(await client.call_tool("browser_eval", {**called, "target_id": target}))
        assert shown == named


async def test_direct_keeps_nothing_open_after_its_client_and_refuses_numbers_of_a_page_that_is_gone(
    home, site, foreign
):
    process, address = foreign
    async with home.client("--tools", "direct", "--session", "lasting") as client:
        await client.call_tool("browser_navigate", {"browser_url": address, "url": site.page(LOGIN)})
        tree = text_of(await client.call_tool("browser_snapshot", {"browser_url": address}))
        email = {"browser_url": address, "uid": int(re.search(r'\[(\d+)\] textbox "Email"', tree)[1])}
        filled = await client.call_tool("browser_fill", {**email, "value": "x"})
        assert not filled.is_error
        await client.call_tool("browser_navigate", {"browser_url": address, "url": site.page("<input>")})
        assert code_of(await client.call_tool("browser_fill", {**email, "value": "x"})) == "stale_ref"
        gone = await client.call_tool("browser_snapshot", {"browser_url": address, "target_id": "NOPE"})
        assert code_of(gone) == "tab_gone"
        unreachable = await client.call_tool("browser_list", {"browser_url": "http://127.0.0.1:1"})
        assert code_of(unreachable) == "endpoint_error"
        assert connections_to(address) == 1
    await until(lambda: connections_to(address) == 0, named="the connection is closed with the client")
    assert address not in home.say("session", "list", "--json").stdout
    assert process.poll() is None


async def test_a_browser_of_another_program_that_has_exited_is_not_listed(home, client_with, foreign):
    process, address = foreign
    client = await client_with("--tools", "direct")
    await client.call_tool("browser_list", {"browser_url": address})
    assert address in home.say("session", "list", "--json").stdout
    process.kill()
    process.wait()
    await until(lambda: address not in home.say("session", "list", "--json").stdout, named="it is not listed")
    assert code_of(await client.call_tool("browser_list", {"browser_url": address})) == "endpoint_error"


async def test_direct_runs_no_scripts_where_the_user_forbids_them(client_with):
    client = await client_with("--tools", "direct", "--no-evaluate-enabled")
    assert "browser_eval" not in [tool.name for tool in (await client.list_tools()).tools]
    with pytest.raises(MCPError, match="unknown tool"):
        await client.call_tool("browser_eval", {"browser_url": "http://127.0.0.1:1", "expression": "1"})


async def test_a_silent_endpoint_fails_within_the_time_of_the_call(client_with):
    assert DISCOVERY_SECONDS == 5
    async with tcp_server(never_answers) as port:
        address = f"http://127.0.0.1:{port}"
        direct = await client_with("--tools", "direct", "--timeout", "1")
        named = await client_with("--tools", "named")
        began = time.monotonic()
        opened = {"action": "open", "name": "silent", "timeout": 1, "app": {"cdp_url": address}}
        refused, too = await asyncio.gather(
            direct.call_tool("browser_list", {"browser_url": address}), named.call_tool("browser", opened)
        )
        assert time.monotonic() - began < 4
    assert (code_of(refused), code_of(too)) == ("endpoint_error", "endpoint_error")


async def test_named_opens_reuses_and_closes_tabs(home, site):
    page = site.page("<button onclick=\"document.title = confirm('sure?')\">Ask</button>", title="One")
    async with home.client("--tools", "named", "--structured") as client:
        browser = Caller(client, "browser")
        opened = await browser(action="open", url=page)
        assert opened.startswith('Opened tab "main" on headless')
        assert "Title: One" in opened
        assert (await browser(action="open")).startswith('Reused tab "main"')
        other = site.page("", title="Two")
        again = await browser(action="open", url=other, wait_until="networkidle2")
        assert again.startswith('Reused tab "main"')
        assert "Title: Two" in again
        result = await client.call_tool(
            "browser", {"action": "open", "viewport": {"width": 500, "height": 400, "scale": 2}}
        )
        assert result.structured_content["data"]["viewport"] == {"width": 500, "height": 400, "scale": 2}
        opened = result.structured_content["data"]
        assert opened["result"].startswith('Reused tab "main" on headless\nURL: ')
        new = await browser(action="open", dialogs="accept", url=page)
        assert new.startswith('Opened tab "main"'), "another way with dialogs is another tab"
        assert await browser(action="close", name="nobody") == 'No tab named "nobody"'
        assert await browser(action="close") == 'Closed tab "main"'
        assert (await browser(action="open", name="b")).startswith("Opened")
        assert await browser(action="close", all=True) == "Closed 1 tab"


async def test_named_works_in_a_browser_that_listens_and_leaves_it_alone(home, site, foreign):
    process, address = foreign
    async with home.client("--tools", "named") as client:
        browser = Caller(client, "browser")
        await browser(action="open", url=site.page("", title="Ours"))
        refused = await browser.refused(action="open", app={"cdp_url": address})
        assert 'Tab "main" is bound to a different browser (headless). Close it first.' in refused
        opened = await browser(
            action="open",
            name="theirs",
            url=site.page("", title="Theirs"),
            app={"cdp_url": address + "/"},
        )
        assert opened.startswith(f'Opened tab "theirs" on connected {address}')
        missed = await browser.refused(
            action="open", name="x", app={"cdp_url": address, "target": "nothing like it"}
        )
        assert re.search(
            r'No page target matched "nothing like it"\. Available pages: .*\n  Theirs http://[^ \n]+', missed
        )
        found = await browser(action="open", name="y", app={"cdp_url": address, "target": "THEIRS"})
        assert "Title: Theirs" in found
        assert await browser(action="close", all=True) == "Closed 3 tabs"
    assert process.poll() is None


async def test_named_changes_how_dialogs_are_handled_in_a_page_of_another_browser_without_closing_it(
    client_with, site, kept_foreign
):
    client, address = await client_with("--tools", "named", "--structured"), kept_foreign
    browser, app = Caller(client, "browser"), {"cdp_url": address}
    page = site.page("<script>setTimeout(() => { document.title = confirm('sure?') })</script>")
    try:
        for dialogs, title in (("accept", "true"), ("dismiss", "false"), ("accept", "true")):
            said = await browser(action="open", name="theirs", app=app, dialogs=dialogs, url=page)
            assert f"Title: {title}" in said
            assert said.startswith('Reused tab "theirs"' if dialogs == "dismiss" else ("Opened", "Reused"))
    finally:
        await browser(action="close", name="theirs")


async def test_named_answers_an_open_dialog_by_how_dialogs_are_handled_and_the_error_names_the_call(
    client_with, site
):
    browser = Caller(await client_with("--tools", "named"), "browser")
    page = site.page("<script>setTimeout(() => { document.title = confirm('sure?') })</script>")
    refused = await browser.refused(action="open", name="asked", url=page)
    said = 'browser {"action": "open", "name": "asked", "dialogs": "accept"} or browser {"action": "open", "name": "asked", "dialogs": "dismiss"}'
    assert f"(answer it first: {said}) [dialog_open]" in refused
    answered = await browser(action="open", name="asked", dialogs="accept")
    assert answered.startswith('Reused tab "asked"'), "the page is kept"
    assert "Title: true" in answered
    await browser(action="close", name="asked")


async def test_named_opens_a_name_once_and_says_which_one_is_busy(home, site):
    slow = site.page("<p>x</p>")
    async with home.client("--tools", "named", "--structured", "--scripts-enabled") as client:
        browser = Caller(client, "browser")
        answers = await asyncio.gather(*(browser(action="open", name="many", url=slow) for _ in range(4)))
        assert sorted(answer.split()[0] for answer in answers) == ["Opened", "Reused", "Reused", "Reused"]
        long = {"action": "run", "name": "many", "language": "python", "code": "await wait(0.5)"}
        both = await asyncio.gather(*(client.call_tool("browser", long) for _ in range(2)))
        assert sorted(code_of(one) for one in both) == ["", "busy"]
        assert any('Tab "many" is busy: ' in text_of(one) for one in both)
        result = await client.call_tool(
            "browser",
            {
                "action": "run", "name": "many", "language": "python",
                "code": "display('seen')\nawait tab.screenshot()\nreturn {'a': 1}",
            },
        )  # fmt: skip
        told = result.structured_content["data"]
        assert (told["action"], told["name"], told["browser"], told["url"]) == (
            "run",
            "many",
            "headless",
            slow,
        )
        assert told["result"] == 'seen\n{\n  "a": 1\n}'
        assert set(told["screenshots"][0]) == {"path", "mimeType", "bytes", "width", "height"}


APP_WORDS = (
    "--headless=new",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
)


async def test_named_starts_an_app_uses_it_again_and_ends_it_only_if_asked(home, site):
    page = "data:text/html,<title>Notes</title><p>x"
    app = {"path": str(find_browser().path), "args": [*APP_WORDS, "--no-sandbox", page], "target": "NOTES"}
    async with home.client("--tools", "named", "--scripts-enabled", "--structured") as client:
        browser = Caller(client, "browser")
        missing = await browser.refused(action="open", name="notes", app={"path": "no-such-app"})
        assert f"no such program: {home.work}/no-such-app" in missing, (
            "paths are relative to the client's folder"
        )
        try:
            opened = await client.call_tool("browser", {"action": "open", "name": "notes", "app": app})
            assert "Title: Notes" in text_of(opened), text_of(opened)
            assert opened.structured_content["data"]["browser"].startswith("spawned ")
            assert 'Closed tab "notes"' in await browser(action="close", name="notes")
            running = [one.pid for one in posix.programs(Path(find_browser().path)) if page in one.argv]
            assert running, "it goes on without kill"
            assert "Title: Notes" in await browser(action="open", name="notes", app=app, timeout=9_999)
        finally:
            assert 'Closed tab "notes"' in await browser(action="close", name="notes", kill=True)
        await until(lambda: not any(posix.is_alive(pid) for pid in running), named="it has ended")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"action": "run"}, "Missing required parameter 'code' for action 'run'"),
        ({"action": "open", "viewport": {"width": 3}}, "viewport requires width and height"),
        ({"action": "open", "viewport": {"wide": 3}}, "unknown field of viewport: 'wide'"),
        ({"action": "open", "app": {"target": "x"}}, "app requires cdp_url or path"),
        ({"action": "open", "app": {"cdp_url": "http://127.0.0.1:1"}}, "no browser responds"),
        ({"action": "open", "wait_until": "soon"}, "wait_until must be one of load"),
    ],
)
async def test_named_says_what_is_wrong(client_with, arguments, said):
    client = await client_with("--tools", "named")
    assert said in await Caller(client, "browser").refused(**arguments)


async def test_named_runs_code_and_starts_apps_only_where_the_user_allows_programs(home, own_home, site):
    async with home.client("--tools", "named") as client:
        browser = Caller(client, "browser")
        await browser(action="open", url=site.page("<p>x</p>", title="Here"))
        assert "programs are disabled" in await browser.refused(action="run", code="return 1")
        assert "programs are disabled" in await browser.refused(
            action="open", name="x", app={"path": "/bin/true"}
        )
    config = own_home.folder / ".config/boathook/boathook.toml"
    config.parent.mkdir(parents=True)
    config.write_text("[browser]\nscripts_enabled = true\n")
    async with own_home.client("--tools", "named") as client:
        browser = Caller(client, "browser")
        await browser(action="open", url=site.page("<p>x</p>", title="Here"))
        said = await browser(
            action="run", language="python", code="display('seen')\nreturn await tab.title()"
        )
        assert "seen\nHere" in said
        if shutil.which("node") is not None and not jail.why_not():
            assert "Here!" in await browser(action="run", code="return (await tab.title()) + '!'")
        assert "is not alive" in await browser.refused(action="run", name="nobody", code="return 1")
        assert "exited with 0" in await browser.refused(action="open", name="x", app={"path": "/bin/true"})


async def test_tools_are_listed_and_an_endpoint_is_tried_from_the_command_line(own_home, foreign):
    listed = own_home.say("tools", "direct")
    assert listed.stdout.startswith("browser_list browser_url\n")
    assert "did you mean direct?" in own_home.say("tools", "dirct").stderr
    process, address = foreign
    tried = own_home.say("smoke", address)
    assert [line.split(":")[0].split() for line in tried.stdout.splitlines()] == [
        ["ok", name] for name in ("answers", "pages", "snapshot", "script", "picture")
    ]
    assert process.poll() is None
    no_browser = own_home.say("smoke", "1")
    assert "wrong     answers: no browser responds" in no_browser.stdout
    assert (tried.returncode, no_browser.returncode) == (0, 7)


def test_two_tools_of_one_name_cannot_be_offered_together():
    with pytest.raises(BadRequest, match="duplicate tool name: browser"):
        read_tool_catalog(["single", "named"], scripts=False)


def test_schemas_of_the_views_are_closed_and_flat():
    data = json.loads(CATALOGUE.read_text())
    for name in ("single", "direct", "named"):
        for key in data["sets"][name]:
            schema = data["tools"][key]["inputSchema"]
            assert schema["additionalProperties"] is False
            assert not {"session", "tab"} & set(schema["properties"]), "they have handles of their own"
