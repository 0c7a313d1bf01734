"""The policy as agents meet it over MCP: what a model says can narrow it, and never loosen it."""

import pytest

from tests.mcp.clients import Home, code_of, http_client, text_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

AGENTS = """
[agents.scraper.browser]
evaluate_enabled = true

[agents.reader.browser]
allowed_domains = ["localhost"]
"""


@pytest.fixture
def home(tmp_path):
    made = Home(tmp_path)
    yield made
    made.say("daemon", "stop")


async def test_over_http_this_machine_is_out_of_reach_unless_the_user_names_it(home, site):
    page = site.page("<h1>Local")
    async with home.http_server() as (url, token), http_client(url, token) as client:
        refused = await client.call_tool("open", {"url": page})
        assert code_of(refused) == "policy_blocked"
        assert "--allow-private" in text_of(refused)
        loosened = await client.call_tool("batch", {"lines": [f"open {page} --allow-private"]})
        assert "may only be set to false" in text_of(loosened)
        assert page.removeprefix(site.origin) not in site.requests
    named = f"127.0.0.1:{site.port}"
    async with (
        home.http_server("--allowed-domains", named) as (url, token),
        http_client(url, token) as client,
    ):
        opened = await client.call_tool("open", {"url": page})
        assert not opened.is_error, text_of(opened)
        assert code_of(await client.call_tool("goto", {"url": site.other_origin})) == "policy_blocked"


async def test_over_stdio_local_pages_are_open_and_files_stay_in_the_project(home, site):
    async with home.client("--tools", "full") as client:
        opened = await client.call_tool("open", {"url": site.page("<h1>Local")})
        assert not opened.is_error, text_of(opened)
        for path in ("/etc/boathook-test.png", "../" * 20 + "etc/boathook-test.png"):
            outside = await client.call_tool("batch", {"lines": [f"screenshot {path}", f"pdf {path}"]})
            assert text_of(outside).count("outside the folders that may be written to") == 2
        inside = await client.call_tool("batch", {"lines": ["screenshot shot.png"]})
        assert not inside.is_error, text_of(inside)
        assert (home.work / "shot.png").is_file()
        ran = await client.call_tool(
            "batch", {"lines": ["wait --fn true", "wait --fn true --evaluate-enabled"]}
        )
        assert text_of(ran).count("scripts in pages are disabled") == 1
        assert "may only be set to false" in text_of(ran)
        refused = await client.call_tool("batch", {"lines": ["eval 1+1"]})
        assert "not offered by this server" in text_of(refused)


async def test_words_of_a_model_can_narrow_and_not_loosen(home, site):
    page = site.page("<h1>Local")
    async with home.client("--tools", "argv") as client:
        (tool,) = (await client.list_tools()).tools

        async def say(*args):
            return await client.call_tool(tool.name, {"args": list(args)})

        for flags in (
            ["--proxy", "http://127.0.0.1:1"],
            ["--executable", "/bin/true"],
            ["--output-roots", "/"],
            ["--allow-file-access"],
        ):
            assert "by a project or a model" in text_of(await say(*flags, "open", page)), flags
        narrowed = await say("--allowed-domains", "localhost", "open", page)
        assert code_of(narrowed) == "policy_blocked"
        opened = await say("open", page)
        assert not opened.is_error, text_of(opened)


async def test_an_agent_has_its_own_policy(home, site):
    home.configure(AGENTS)
    page = site.page("<title>Here</title>")
    async with home.client("--tools", "core,evaluate", "--agent", "scraper") as client:
        await client.call_tool("open", {"url": page})
        ran = await client.call_tool("batch", {"lines": ["eval 6*7"]})
        assert "42" in text_of(ran)
    async with home.client("--agent", "reader") as client:
        assert code_of(await client.call_tool("open", {"url": page})) == "policy_blocked"
        opened = await client.call_tool("open", {"url": page.replace("127.0.0.1", "localhost")})
        assert not opened.is_error, text_of(opened)
    unknown = home.say("mcp", "--agent", "nobody")
    assert unknown.returncode == 2
    assert "reader, scraper" in unknown.stderr
