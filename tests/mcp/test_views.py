"""The tools of other programs, as prompts written for those use them."""

import json
import re
import shutil
from pathlib import Path

import pytest

from boathook.engine.capture.images.image_size import image_size
from boathook.errors import BadRequest
from boathook.sandbox import jail
from boathook.surfaces.mcp.tool_catalog import CATALOGUE, read_tool_catalog
from tests.mcp.clients import code_of, text_of
from tests.support.chromium import foreign_chromium, port_of

LOGIN = """<h1>Welcome</h1>
<form onsubmit="event.preventDefault(); document.querySelector('p').textContent='Hello ' + email.value">
<label>Email <input id=email></label><label>Password <input type=password></label>
<button>Sign In</button></form><p role=status></p>"""


@pytest.fixture
async def foreign():
    """A manually started browser; returns its CDP URL."""
    with foreign_chromium() as (process, profile):
        yield process, f"http://127.0.0.1:{await port_of(profile)}"


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
        assert "<h1>Welcome</h1>" in await browser(action="content")
        await browser(action="open", url=site.page("", title="Second"))
        tabs = await browser(action="tabs")
        first, second = re.findall(r"^\[(\w+)\]", tabs, re.MULTILINE)
        assert "(active)" in tabs.splitlines()[2]
        await browser(action="focus", target_id=first)
        assert "Welcome" in await browser(action="content")
        await browser(action="close_tab", target_id=second)
        assert second not in await browser(action="tabs")


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
        assert len(tool) == 7
        target = re.search(r"^\[(\w+)\]", await tool["browser_list"](**place))[1]
        place["target_id"] = target
        assert "Title: Sign in" in await tool["browser_navigate"](
            **place, url=site.page(LOGIN, title="Sign in")
        )
        tree = await tool["browser_snapshot"](**place)
        assert 'heading "Welcome"' in tree
        email, button = (
            int(re.search(rf"\[(\d+)\] {line}", tree)[1]) for line in ('textbox "Email"', "button")
        )
        assert 'heading "Welcome"' in tree
        await tool["browser_fill"](**place, uid=email, value="Ann")
        assert "Hello Ann" in await tool["browser_click"](**place, uid=button)
        answer = await tool["browser_eval"](
            **place, expression="Promise.resolve(document.querySelector('p').textContent)"
        )
        assert "Hello Ann" in answer
        assert height_of(await tool["browser_screenshot"](**place)) > 100
        without = {"browser_url": address}
        assert "Hello Ann" in await tool["browser_eval"](**without, expression="document.body.textContent"), (
            "the first page is meant when none is named"
        )
    assert process.poll() is None, "nothing was closed"


async def test_direct_keeps_its_numbers_for_other_clients_and_refuses_those_of_a_page_that_is_gone(
    home, site, foreign
):
    _, address = foreign
    async with home.client("--tools", "direct") as client:
        await client.call_tool("browser_navigate", {"browser_url": address, "url": site.page(LOGIN)})
        tree = text_of(await client.call_tool("browser_snapshot", {"browser_url": address}))
    email = {"browser_url": address, "uid": int(re.search(r'\[(\d+)\] textbox "Email"', tree)[1])}
    async with home.client("--tools", "direct") as client:
        filled = await client.call_tool("browser_fill", {**email, "value": "x"})
        assert not filled.is_error, "numbers are kept where the browser is, not with a client"
        await client.call_tool("browser_navigate", {"browser_url": address, "url": site.page("<input>")})
        assert code_of(await client.call_tool("browser_fill", {**email, "value": "x"})) == "stale_ref"
        gone = await client.call_tool("browser_snapshot", {"browser_url": address, "target_id": "NOPE"})
        assert code_of(gone) == "tab_gone"
        unreachable = await client.call_tool("browser_list", {"browser_url": "http://127.0.0.1:1"})
        assert code_of(unreachable) == "endpoint_error"


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
        assert 'No page target matched "nothing like it". Available pages: Theirs' in missed
        found = await browser(action="open", name="y", app={"cdp_url": address, "target": "THEIRS"})
        assert "Title: Theirs" in found
        assert await browser(action="close", all=True) == "Closed 3 tabs"
    assert process.poll() is None


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
