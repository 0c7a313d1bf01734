"""What a model could do around the limits on scripts and machines; each line here once worked over MCP."""

import json

import pytest

from tests.mcp.clients import Home, code_of, text_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

STOLEN = "document.title = 'stolen'"
BANK = "<script src='/app.js'></script><p>Balance 100"
EVIL = "<a id=dl href='data:text/javascript,{}' download=helper.js>Help</a>".format(
    "window.axe={run:async()=>{document.title=`stolen`;return{violations:[],passes:[]}}}"
)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """One daemon and one browser for all tests: each client has its session, and one more keeps the browser."""
    made = Home(tmp_path_factory.mktemp("attacks"))
    kept = made.say("--session", "kept", "open", "about:blank")
    assert kept.returncode == 0, kept.stderr
    yield made
    made.say("daemon", "stop")


@pytest.fixture
def bank(site):
    """A page with its own script, and a title that shows when another script ran."""
    return site.page(BANK, title="Bank")


async def title(client):
    return json.loads(text_of(await client.call_tool("title", {})))


@pytest.mark.parametrize("tools", ["core", "full", "argv"])
async def test_a_batch_cannot_run_a_downloaded_file_as_the_audit(home, site, bank, tools):
    helper = home.work / "helper.js"
    lines = [
        f"open {site.page(EVIL)}",
        f"download css=#dl {helper}",
        f"open {bank}",
        f"a11y --axe {helper}",
    ]
    async with home.client("--tools", tools) as client:
        if tools == "argv":
            attack = ("agent_browser", {"args": ["batch", *lines]})
        else:
            attack = ("batch", {"lines": lines})
        refused = text_of(await client.call_tool(*attack))
        assert "== a11y --axe" in refused
        assert refused.count("[policy_blocked]") >= 1
        assert "policy_blocked" in refused.rpartition("== a11y --axe")[2]
    async with home.client("--tools", "full", "--evaluate-enabled") as client:
        await client.call_tool("batch", {"lines": lines})
        assert await title(client) == "stolen", "the control: where scripts are allowed, it runs"


ROUTES = {
    "a script by its type": f"network route **/app.js --body {STOLEN!r} --content-type text/javascript",
    "a script by its address": f"network route **/app.js --body {STOLEN!r}",
    "a script by a glob": f"network route ** --body {STOLEN!r} --resource-type script",
    "a header": "network route **/app.js --body "
    + json.dumps(STOLEN)
    + ' --headers \'{"Content-Type": "text/javascript"}\'',
    "a document": f'network route **/bank.html --body "<script>{STOLEN}</script>"',
    "a status and a header": 'network route **/app.js --status 302 --headers \'{"Location": "http://127.0.0.1:9/evil.js"}\'',
    "JSON that a header calls a document": """network route **/bank.html --body '"<script>x</script>"' --content-type application/json """
    """--headers '{"Content-Type": "text/html"}'""",
    "two types": """network route **/bank.html --body '"<script>x</script>"' --content-type 'text/html;application/json'""",
    "an address elsewhere": "network route **/app.js --redirect http://127.0.0.1:9/evil.js",
}


async def test_a_route_cannot_give_a_page_a_script(home, bank):
    wrong = {}
    async with home.client("--tools", "full") as client:
        for way, line in ROUTES.items():
            await client.call_tool("open", {"url": "about:blank"})
            refused = text_of(await client.call_tool("batch", {"lines": [line, f"open {bank}"]}))
            shown = await title(client)
            if "scripts in pages are disabled" not in refused or shown != "Bank":
                wrong[way] = (shown, refused)
    assert wrong == {}


async def test_where_scripts_are_allowed_a_route_gives_one_and_data_is_always_allowed(home, bank):
    async with home.client("--tools", "full", "--evaluate-enabled") as client:
        await client.call_tool("open", {"url": "about:blank"})
        lines = [ROUTES["a script by its type"], f"open {bank}"]
        await client.call_tool("batch", {"lines": lines})
        assert await title(client) == "stolen", "the control"
    async with home.client("--tools", "full") as client:
        await client.call_tool("open", {"url": "about:blank"})
        for arguments in (
            {"pattern": "**/api/*", "body": '{"ok": true}'},
            {"pattern": "**/api/*", "body": "plain", "resource_type": ["fetch"]},
            {"pattern": "**/ads/*", "abort": True},
            {"pattern": "**/api/*", "status": 500},
        ):
            routed = await client.call_tool("network_route", arguments)
            assert not routed.is_error, text_of(routed)


async def test_an_action_policy_that_denies_scripts_denies_them_by_every_way(home, bank):
    rules = home.work / "rules.json"
    rules.write_text('{"default": "allow", "deny": ["eval"]}')
    said = home.say("--action-policy", str(rules), "network", "route", "**/app.js", "--body", STOLEN)
    assert "[policy_blocked]" in said.stderr
    fine = home.say("--action-policy", str(rules), "network", "route", "**/api", "--body", "{}")
    assert fine.returncode == 0, fine.stderr


@pytest.mark.parametrize("tools", ["core", "full", "argv"])
async def test_the_configuration_of_other_programs_is_out_of_a_models_reach(home, tools):
    async with home.client("--tools", tools) as client:
        for line in ("setup cursor --tools direct", "setup claude --dry-run"):
            if tools == "argv":
                refused = await client.call_tool("agent_browser", {"args": line.split()})
                assert code_of(refused) == "bad_request", line
            else:
                refused = await client.call_tool("batch", {"lines": [line]})
                assert "[bad_request]" in text_of(refused), line
        assert "setup" not in {tool.name for tool in (await client.list_tools()).tools}
    assert not (home.folder / ".cursor").exists()


@pytest.mark.parametrize("tools", ["core", "argv"])
async def test_an_early_script_is_out_of_a_models_reach(home, bank, tools):
    script = home.work / "early.js"
    script.write_text(STOLEN)
    async with home.client("--tools", f"{tools},title") as client:
        for words in (
            ["--init-script", str(script), "open", bank],
            ["addinitscript", STOLEN],
        ):
            if tools == "argv":
                refused = await client.call_tool("agent_browser", {"args": words})
            else:
                refused = await client.call_tool("batch", {"lines": [" ".join(words)]})
            assert refused.is_error, text_of(refused)
        await client.call_tool(
            *(("agent_browser", {"args": ["open", bank]}) if tools == "argv" else ("open", {"url": bank}))
        )
        assert await title(client) == "Bank"


NOT_IN_CORE = (
    "cookies",
    "state save x.json",
    "download css=a x.bin",
    "install",
    "eval 1",
    "screenshot keep.py",
)


async def test_a_batch_of_core_runs_nothing_that_core_has_no_tool_for(home, site):
    async with home.client() as client:
        await client.call_tool("open", {"url": site.page("<button>Save</button><p style=height:5000px>")})
        for line in NOT_IN_CORE:
            refused = await client.call_tool("batch", {"lines": [line]})
            assert refused.is_error, line
            expected = "only a person may do this" if line == "install" else "not offered by this server"
            assert expected in text_of(refused), line
        fine = await client.call_tool(
            "batch", {"lines": ["find text Save click", "get title", "wait text=Save", "scroll down"]}
        )
        assert not fine.is_error, text_of(fine)
